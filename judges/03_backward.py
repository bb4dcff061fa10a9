"""The judge of lesson 03. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% cube
title, points = "The rule of x³", 2
hint = "The derivative of x³ is 3x², and the rule multiplies it by g."


def probe(cube, /, xs, gs):
    import minitorch_lab as ml

    x = ml.tensor(xs, requires_grad=True)
    y = cube(x)
    y.backward(ml.tensor(gs))
    return y.tolist(), x.grad.tolist()


def draws(rng):
    up, down = rng.uniform(0.5, 2.0, 3).tolist(), rng.uniform(-2.0, -0.5, 3).tolist()
    return {
        "above 0": (up, [*up[:2], down[0]]),
        "below 0": (down, [*up[:2], down[0]]),
        "at 0": ([0.0, *up[:1]], [2.0, 0.0]),
        "one number": (up[:1], down[:1]),
    }


# %% ratio
title, points = "The two rules of x / y", 2
hint = "By x the derivative is 1/y; by y it is −x/y². Both are multiplied by g."


def probe(ratio, /, xs, ys, gs):
    import minitorch_lab as ml

    x, y = ml.tensor(xs, requires_grad=True), ml.tensor(ys, requires_grad=True)
    z = ratio(x, y)
    z.backward(ml.tensor(gs))
    return z.tolist(), x.grad.tolist(), y.grad.tolist()


def draws(rng):
    up, down = rng.uniform(0.5, 2.0, 4).tolist(), rng.uniform(-2.0, -0.5, 4).tolist()
    both = [up[0], down[0], up[1], down[1]]
    return {
        "all above 0": (up, rng.uniform(0.5, 3.0, 4).tolist(), both),
        "y below 0": (both, rng.uniform(-3.0, -0.5, 4).tolist(), up),
        "x at 0": ([0.0, 0.0], [up[0], down[0]], [down[1], up[1]]),
        "large and small": ([1e3, 1e-3], [1e-2, 1e2], [1.0, 1.0]),
        "one number": (down[:1], up[:1], [0.0]),
    }


# %% order
title, points = "A topological order", 4
hint = "Every node once, the root first, and each after all of its readers."


def probe(order, /, program, start):
    from minitorch_lab.lessons.grown import grown
    from minitorch_lab.lessons.lesson_03_backward import check_order
    from minitorch_lab.lessons.unaided import overheard

    order, helpers = overheard(check_order, order)
    _, values = grown(program, start)
    nodes = [value.grad_fn for value in values]
    found = list(order(nodes[-1]))
    return [nodes.index(node) if node in nodes else -1 for node in found], helpers


def draws(rng):
    return {name: (program, 0.2) for name, program in programs(rng).items()}


def agree(found, wanted, program, start):
    """Any order will do in which every node comes after its readers; leaves (−1) may be in it or not."""
    (found, helpers), (wanted, _) = found, wanted
    if helpers:
        return False
    reads = {k + 1: {i, j} if op in ("mul", "add") else {i} for k, (op, i, j) in enumerate(program)}
    listed = [k for k in found if k != -1]
    place = {k: at for at, k in enumerate(listed)}
    after = all(place[i] > place[k] for k in listed for i in reads.get(k, ()) if i in place)
    return after and len(place) == len(listed) and set(listed) == {k for k in wanted if k != -1} and found[0] != -1


# %% walk
title, points = "The whole walk", 4
hint = "Run each node on the sum of what it got, and add what it sends to what its inputs hold."


def probe(gradients, /, program, start):
    import minitorch_lab.lessons.lesson_03_backward.walk as lesson
    from minitorch_lab.lessons.grown import grown
    from minitorch_lab.lessons.unaided import overheard

    gradients, helpers = overheard(lesson.check_walk, gradients)
    _, values = grown(program, start)
    nodes = [value.grad_fn for value in values]
    order = lesson.order_of(nodes[-1])
    held = gradients(nodes[-1], order)
    runs = lesson.runs_of(gradients)
    return runs, [float(held[node]) for node in nodes if node in order], float(held[order[-1]]), helpers


def draws(rng):
    found = {name: (program, float(rng.uniform(-1.0, -0.2))) for name, program in programs(rng).items()}
    return found | {"gradients of 0": ([["tanh", 0, 0], ["mul", 1, 1]], 5.0)}  # tanh is flat there, to the last digit
