"""Solutions to the exercises of 02_the_tape: what stands after `# %% id` goes into the cell with that id."""

import minitorch_lab as ml

# %% guess-eager
sum_of_b = 6

# %% guess-nodes
nodes_after_z = 2
mul_keeps = "2"
add_keeps = "nothing"

# %% guess-keeps
kept_twice = "x"

# %% kept-exercise
answers = {
    "a + b": "nothing",
    "a * b": "both inputs",
    "a * 3": "the number 3",
    "a.exp()": "its result",
    "a.sin()": "its input",
    "a.relu()": "its result",
    "a.sum()": "only the shape",
}


# %% guess-chain
way = ["PowBackward", "MulBackward", "AccumulateGrad"]
gradient_of_x = 36


# %% graph-exercise
def names_of(node):
    found = [node]
    for each in found:
        for edge, _ in each.next_functions:
            if edge is not None and edge not in found:
                found.append(edge)
    return [each.name() for each in found]


# %% guess-inplace
refused = "the second"

# %% guess-data
after_detach = "an error"
after_data = 271.83

# %% inplace-exercise
suspect = "s *= 0.5"


def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    s = s * 0.5
    return p + s


# %% guess-nograd
nodes_left = 3
gradient_at_3 = 5


# %% update-exercise
def update(w, lr):
    with ml.no_grad():
        w -= lr * w.grad
