"""The judge of lesson 02. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% kept
title, points = "What is kept", 2
hint = "Write the derivative down: what is in it has to be kept."


def probe(answers, /):
    return answers


def agree(found, wanted):
    """Words, whatever their case and the spaces around them."""
    from minitorch_lab.lessons.values import alike

    return alike(found, wanted)


# %% graph
title, points = "List the graph", 3
hint = "Follow next_functions from the root, and list each node once."


def probe(names_of, /, program, start):
    from minitorch_lab.lessons.grown import grown
    from minitorch_lab.lessons.lesson_02_tape import check_graph
    from minitorch_lab.lessons.unaided import overheard

    names_of, helpers = overheard(check_graph, names_of)
    _, values = grown(program, start)
    return [sorted(names_of(values[-1].grad_fn)) for _ in range(2)], helpers


def draws(rng):
    return {name: (program, 0.5) for name, program in programs(rng).items()}


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
    return {
        "both signs": ([*rng.uniform(0.2, 2.0, 2).tolist(), *rng.uniform(-2.0, -0.2, 2).tolist()],),
        "zero": ([0.0],),
        "large": (rng.uniform(3.0, 5.0, 3).tolist(),),
    }


def agree(found, wanted, entries):
    """The line with whatever spaces."""
    from minitorch_lab.lessons.lesson_02_tape.tape import respaced

    return respaced(found[0]) == respaced(wanted[0]) and alike(found[1:], wanted[1:])


# %% update
title, points = "One step downhill", 2
hint = "Write into w under no_grad: w stays a leaf, and the tape does not see it."


def probe(update, /, entries, weights, lr):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_02_tape import check_update
    from minitorch_lab.lessons.unaided import overheard

    update, helpers = overheard(check_update, update)
    w, c = ml.tensor(entries, requires_grad=True), ml.tensor(weights)
    (w * w * c).sum().backward()
    update(w, lr)
    return w.tolist(), w.requires_grad, w.grad_fn is None, helpers


def draws(rng):
    lr = float(rng.uniform(0.05, 0.4))
    return {
        "both signs": ([0.5, -1.5, float(rng.normal())], rng.uniform(1, 2, 3).tolist(), lr),
        "uphill as well": (rng.uniform(0.5, 2, 3).tolist(), [1.5, -1.0, 0.0], lr),
        "at the bottom": ([0.0, 0.0], [1.0, 2.0], lr),
        "one number": ([float(rng.uniform(1, 2))], [1.0], 0.5),
    }
