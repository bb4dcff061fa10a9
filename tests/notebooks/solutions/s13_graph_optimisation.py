"""Solutions to 13_graph_optimisation: what stands after `# %% id` goes into the cell with that id."""

from minitorch_lab.lessons import lesson_13_passes as lesson

# %% guess-score
lines_left = 4
left_minus_minus_right = "add(relu, relu)"

# %% guess-order
cse_first = 2
simplify_first = 1

# %% guess-cost
bytes_op_by_op = 36_000
bytes_as_one_loop = 20_000

# %% guess-ledger
most_bytes = "dce"

# %% guess-decompose
lines_of_hardsigmoid = 4
op_by_op = "more"
as_one_loop = "as many"

# %% found-exercise
found = {
    "x / 2 → x * 0.5": "same",
    "x / 3 → x * (1 / 3)": [5.0],
    "relu(relu(x)) → relu(x)": "same",
    "x / x → 1": [0.0],
    "log(exp(x)) → x": [100.0],
    "x + 0 → x": [-0.0],
    "x + x → x * 2": "same",
    "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0],
    "y = x * 1; y += 1 → y = x; y += 1": [1.0],
}

# %% guess-proof
refuses_relu_to_abs = "yes"
refuses_x_over_x = "no"


# %% rewrite-exercise
def before(x):
    shifted = (x - x.amax(1, keepdim=True)).exp()
    return shifted / shifted.sum(1, keepdim=True)


def after(x):
    return x.softmax(1)


# %% share-exercise
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(map(repr, made.inputs(node))), str(node.params), node.grad
        alone = node.kind != "call" or lesson.draws(node) or node in lesson.results(graph)
        if key in known and not alone:
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph


# %% guess-plug
works_on_backward = "yes"

# %% guess-write
mul_as_recorded = 2
mul_functional = 1

# %% guess-conv
passes_over_the_image = 6
passes_that_are_left = 2

# %% guess-qkv
worth_for_4_rows = "no"

# %% guess-layout
transposes_left = 0

# %% guess-race
with_passes_is = "faster"
