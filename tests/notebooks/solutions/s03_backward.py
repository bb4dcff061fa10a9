"""Solutions to the exercises of 03_backward: what stands after `# %% id` goes into the cell with that id."""

import minitorch_lab.lessons.lesson_03_backward.walk as lesson

# %% guess-wiggle
times_as_much = 10

# %% guess-walk
mul_sends_to_v2 = 3
v2_gets_in_all = 5


# %% cube-exercise
def cube_rule(g, x):
    return g * 3 * x**2


# %% guess-square-sine
mul_sends_to_b = 4
negative = "sin"

# %% guess-two-leaves
gradient_of_x1 = 5.5
walks = 1


# %% ratio-exercise
def rule_for_x(g, x, y):
    return g / y


def rule_for_y(g, x, y):
    return -g * x / y**2


# %% guess-wrong-order
gradient_out_of_order = 6


# %% order-exercise
def order(root):
    seen, finished = set(), []

    def visit(node):
        seen.add(node)
        for edge, _ in node.next_functions:
            if edge is not None and edge not in seen:
                visit(edge)
        finished.append(node)

    visit(root)
    return finished[::-1]


# %% walk-exercise
def gradients(root, order):
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node]), strict=False):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return held


# %% guess-once
second_call = "an error"
with_retain_graph = 8

# %% guess-accumulate
after_both = 5

# %% guess-hook
with_the_hook = 2

# %% guess-function
x_gets = 3
y_gets = 2
z_gets = 1

# %% guess-freeze
gradients_that_change = 0
nodes_that_disappear = 0

# %% guess-double
second_derivative = 18
