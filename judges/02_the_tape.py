"""The judge of lesson 02. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% kept
title, points = "What is kept", 2
hint = "Write the derivative down: what is in it has to be kept."


def probe(answers, /):
    return answers


# %% graph
title, points = "List the graph", 3
hint = "Follow next_functions from the root, and list each node once."


def probe(names_of, /, program, start):
    from minitorch_lab.lessons.grown import grown

    _, values = grown(program, start)
    found = list(names_of(values[-1].grad_fn))
    return found[0], sorted(found)


def draws(rng):
    yield [["mul", 0, 0]], 0.5  # two edges to one node
    yield [["sin", 0, 0], ["tanh", 0, 0], ["add", 1, 2], ["mul", 3, 0]], 0.5  # a node that three others lead to
    for steps in (2, 4, 6, 8):
        ops = rng.choice(["mul", "add", "sin", "tanh", "shift"], steps).tolist()
        yield [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)], 0.5


# %% inplace
title, points = "The in-place bug", 3
hint = "Who kept the value that is overwritten? Make a new tensor there."


def probe(suspect, bake, /, entries):
    import minitorch_lab as ml

    x = ml.tensor(entries, requires_grad=True)
    y = bake(x)
    y.sum().backward()
    return suspect, y.tolist(), x.grad.tolist()


def draws(rng):
    for _ in range(3):
        yield (rng.normal(size=4).tolist(),)


# %% update
title, points = "One step downhill", 2
hint = "Write into w under no_grad: w stays a leaf, and the tape does not see it."


def probe(update, /, entries, weights, lr):
    import minitorch_lab as ml

    w, c = ml.tensor(entries, requires_grad=True), ml.tensor(weights)
    (w * w * c).sum().backward()
    update(w, lr)
    return w.tolist(), w.requires_grad, w.grad_fn is None, w.grad.tolist()


def draws(rng):
    for _ in range(3):
        yield rng.normal(size=3).tolist(), rng.uniform(1, 2, 3).tolist(), float(rng.uniform(0.05, 0.4))
