"""Solutions to the exercises of 04_forward_and_reverse: what stands after `# %% id` goes into the cell with that id."""

import math

import minitorch_lab as ml
from minitorch_lab.func import grad, jvp, vjp

# %% guess-chain
cheap_bracket = "(J3 J2) J1"
how_many_times = 50

# %% guess-dual
slope_of_square = 4
slope_of_sine = "negative"


# %% dual-exercise
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __repr__(self):
        return f"{self.value:.4f} with slope {self.slope:.4f}"

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)

    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.cos(self.value))


# %% guess-same
slope_of_v2 = 2
slope_of_v3 = 2
slope_of_v4 = 10

# %% guess-seeds
passes = 2
both_at_once = 7.2163


# %% push-exercise
def push(dx, dy, x, y):
    return (dx * y - x * dy) / y**2


# %% guess-jacobian
one_pass_gives = "a column"
one_walk_gives = "a row"
passes_for_all = 2
walks_for_all = 3


# %% columns-exercise
def columns(f, x):
    return ml.stack([jvp(f, (x,), (direction,))[1] for direction in ml.eye(len(x))], dim=1)


# %% rows-exercise
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(output)[0] for output in ml.eye(len(value))], dim=0)


# %% guess-ops
ops_of_jvp = 9

# %% guess-cost
reverse_for_1_input = 16
reverse_for_256_inputs = 16
forward_costs_more_from = 16

# %% guess-training
runs_for_all_weights = 3

# %% guess-choose
loss_by_a_million_weights = "reverse"
whole_curve_by_one_temperature = "forward"
slope_of_loss_along_one_direction = "forward"

# %% guess-hessian
inside = "jacrev"
outside_matters = "little"


# %% hvp-exercise
def hvp(f, x, v):
    return jvp(grad(f), (x,), (v,))[1]
