"""Solutions to 12_joint_graph_and_partition: what stands after `# %% id` goes into the cell with that id."""

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_12_partition as lesson

# %% guess-fake
strides_of_the_transpose = (4, 16)
terabytes = 4


# %% foretell-exercise
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    floats = (ml.float16, ml.float32, ml.float64)
    return tuple(lengths), dtype if dtype in floats else ml.int64


# %% guess-joint
lines_computed = 2
needs_of_a = "nothing"

# %% guess-mlp
lines_of_second_matmul = 4
lines_of_first_matmul = 2
lines_of_tanh = 3

# %% guess-pure
lines_that_write = 0
summed = "setitem"

# %% guess-kept
bytes_of_the_default = 12_000
bytes_that_are_enough = 4_000

# %% guess-narrow
save_this = "sum"


# %% choose-exercise
def choose(joint):
    from itertools import combinations

    values = lesson.values(joint)
    sets = (some for count in range(len(values) + 1) for some in combinations(values, count))
    return list(min((some for some in sets if lesson.enough(joint, some)), key=lesson.weight))


# %% guess-budget
part_that_is_left = 0.3
matmuls_again = 0

# %% guess-region
nodes_eager = 18
nodes_compiled = 1

# %% guess-measured
with_budget_1 = "more"
part_with_budget_0 = 0.25

# %% guess-deep
workspace_grows = "not at all"


# %% again-exercise
def again(node):
    return node.op.name not in ("matmul", "uniform")


# %% guess-six
results_with_min_cut = 8
results_if_all_may_run_again = 0

# %% guess-none
question_computes = "no"
empty_branch_computes = "no"
scaling_computes = "yes"

# %% guess-second
second_derivative = "works"
