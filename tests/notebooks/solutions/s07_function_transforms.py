"""Solutions to the exercises of 07_function_transforms: what stands after `# %% id` goes into the cell with that id."""

from minitorch_lab.lessons import lesson_07_transforms as lesson

Dual = plain = None

# %% guess-grad
grad_of_f_is = "a function"
twice_at_3 = 18
four_times_at_3 = 0

# %% guess-vmap
to_the_first = (5,)
all_pairs = (5, 4)
turned = (2, 5)

# %% guess-once
prints = 1
shape_of_p = (2,)

# %% guess-jacobian
out_axes_for_columns = 1

# %% guess-loss
by_the_right_score = "-2/3"
by_a_wrong_score = "1/3"


# %% loss-exercise
def loss(scores, label):
    moved = scores - scores.max()
    return moved.exp().sum().log() - moved[label]


# %% guess-per-example
shape_of_gradients = (256, 32, 64)


# %% step-exercise
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w - lr * g, params, grads)


# %% guess-tune
slope_by_lr = "negative"

# %% guess-nest
slope_by_hand = 1


# %% levels-exercise
def parts(x, level):
    return (x.value, x.slope) if isinstance(x, Dual) and x.level == level else (x, 0.0)


# %% guess-stack
on_top = "Tape"
on_top_the_other_way = "Vmap"


# %% tally-exercise
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        return self.below.run(op, args, params)


# %% batch-exercise
def dot_of_many(x, y):
    return (x * y).sum(dim=-1)


# %% guess-custom
slope_at_0 = 0


# %% custom-exercise
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * x.sigmoid()


# %% guess-jit
runs_of_your_lines = 2

# %% guess-pure
keeping_x_for_later = "error"
writing_into_a_buffer = "error"
an_if_inside_vmap = "error"
random_numbers_inside_vmap = "error"
reading_a_global = "result"
