"""The judge of lesson 05. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% switches
title, points = "Ten switches", 3
hint = "The graph, the tray and the way are three things: ask which of them each line changes."


def probe(answers, /):
    return answers


def agree(found, wanted):
    """By value, and words whatever their case and the spaces around them."""
    from minitorch_lab.lessons.values import alike

    return alike(found, wanted)


# %% clip
title, points = "Clip a cotangent by its length", 2
hint = "Divide by the length, where that is more than 1: the root of the sum of squares."


def probe(clip, /, g):
    import minitorch_lab as ml

    x = ml.tensor([0.0] * len(g), requires_grad=True)
    y = x * 1
    y.register_hook(clip)
    y.backward(ml.tensor(g))
    return x.grad.tolist()


def draws(rng):
    def of_length(length, n=4):
        g = rng.uniform(0.5, 1.5, n) * (-1.0) ** np.arange(n)
        return ((g / np.sqrt((g * g).sum()) * length).tolist(),)

    return {
        "zeros": of_length(0.0),
        "short": of_length(0.3),
        "nearly 1": of_length(0.9),
        "a little long": of_length(1.5),
        "long": of_length(30.0),
        "no entry above 1": ([0.9, -0.9, 0.9, 0.9],),
        "one number": of_length(-2.0, 1),
        "one short number": of_length(-0.5, 1),
    }


def agree(found, wanted, g):
    """A tiny number that was added against 0 / 0 does no harm."""
    return alike(found, wanted, 1e-3)


# %% watch
title, points = "A log of the walk", 3
hint = "A prehook on every node, once; bind the node when the hook is made."


def probe(watch, /, program, start, seed):
    import minitorch_lab as ml
    from minitorch_lab.lessons.grown import grown

    x, values = grown(program, start)
    log = []
    watch(values[-1].grad_fn, log)
    before = len(log)
    values[-1].backward(ml.tensor(seed))
    lines = [[str(name), float(size)] for name, size in log if name != "AccumulateGrad"]
    return before, lines, x.grad.tolist()


def draws(rng):
    found = {name: (program, float(rng.uniform(-1.0, -0.2)), 1.0) for name, program in programs(rng).items()}
    chain = [["sin", 0, 0], ["tanh", 1, 0], ["mul", 2, 0]]
    return found | {
        "the largest entry below 0": (chain, [-0.4, -0.3], [0.5, -2.0]),
        "entries that add up to 0": (chain, [-0.3, -0.3], [1.0, -1.0]),
        "entries of one sign": (chain, [-0.4, -0.3, -0.2], [1.0, 2.0, 1.5]),
    }


# %% careful
title, points = "A derivative for large numbers", 3
hint = "The derivative of log cosh is tanh, times g; keep x with save_for_backward."


def probe(LogCosh, /, xs, gs):
    import minitorch_lab as ml

    x = ml.tensor(xs, requires_grad=True)
    y = LogCosh.apply(x)
    y.backward(ml.tensor(gs))
    return y.tolist(), x.grad.tolist()


def draws(rng):
    up, g = rng.uniform(0.5, 2.0, 3), rng.normal(size=3).tolist()
    return {
        "above 0": (up.tolist(), g),
        "below 0": ((-up).tolist(), g),
        "at 0": ([0.0, 0.0, 1.0], g),
        "large": ((up * 200).tolist(), g),
        "large, below 0": ((up * -200).tolist(), g),
        "one number": (up[:1].tolist(), [-2.0]),
    }


# %% spoiled
title, points = "A detector of silent writes", 3
hint = "Keep copies of the saved tensors of all nodes, and compare them afterwards."


def probe(remember, spoiled, /, program, start, overwritten, by=1.0):
    import minitorch_lab as ml
    from minitorch_lab.lessons.grown import grown

    _, values = grown(program, start)
    root = values[-1].grad_fn
    memory = remember(root)
    with ml.no_grad():
        for k in overwritten:
            held = values[k].data
            held.copy_(held.flip(0).clone() if by is None else held + by)
    return sorted(spoiled(root, memory))


def draws(rng):
    found = {name: (program, [0.1, 0.4], [0]) for name, program in programs(rng).items()}
    chain = [["mul", 0, 0], ["sin", 1, 0], ["tanh", 2, 0], ["mul", 3, 1]]
    found |= {f"a write into value {k} of 4": (chain, [0.1, 0.4], [k]) for k in range(5)}
    return found | {
        "nothing written": (chain, [0.1, 0.4], []),
        "a write downwards": (chain, [0.1, 0.4], [1, 3], -1.0),
        "a small write": (chain, [0.1, 0.4], [1, 3], 1e-3),
        "the last digits": (chain, [0.1, 0.4], [1, 3], 1e-6),
        "entries that change places": (chain, [0.1, 0.4], [1, 3], None),
        "two writes": (chain, [0.1, 0.4], [1, 3]),
        "everything": (chain, [0.1, 0.4], [0, 1, 2, 3, 4]),
        "one entry": (chain, [0.3], [1]),
    }


# %% packing
title, points = "Half the bytes", 3
hint = "float16 of each entry divided by the largest one, and that number beside it."


def probe(pack, unpack, /, xs):
    import minitorch_lab as ml
    import minitorch_lab.lessons.lesson_05_internals as lesson

    beside, sizes = lesson.hidden(pack), []

    def weighing(t):
        parcel = pack(t)
        sizes.append(lesson.weigh(parcel))
        return parcel

    x = ml.tensor(xs, requires_grad=True)
    with ml.autograd.saved_tensors_hooks(weighing, unpack):
        y = (x**2).sum()
    y.backward()
    return x.grad.tolist(), sum(sizes) + beside


def draws(rng):
    entries = rng.normal(size=(3, 40))
    return {
        "about 1": (entries.tolist(),),
        "large": ((entries * 1e5).tolist(),),
        "small": ((entries * 1e-4).tolist(),),
        "zeros": (np.zeros((3, 40)).tolist(),),
        "below 0": ((-np.abs(entries) * 1e5).tolist(),),
        "the largest below 0": ([[-1e5, *rng.uniform(0.5, 1.0, 39).tolist()]],),
        "one entry": ([[float(rng.uniform(-2.0, -1.0))] + [0.0] * 39],),
    }


def agree(found, wanted, xs):
    """Gradients to three digits, in not much more than half the bytes."""
    gradient, right = np.asarray(found[0]), 2 * np.asarray(xs)
    close_enough = np.abs(gradient - right) <= 2e-3 * np.abs(right).max()
    return gradient.shape == right.shape and bool(close_enough.all()) and 0 < found[1] <= 2 * right.size + 100


# %% newton
title, points = "Newton's step", 3
hint = "x minus the slope over the slope of the slope, detached."


def probe(newton, /, a, b, c, start):
    import minitorch_lab as ml

    new = newton(lambda x: a * x**4 + b * x**2 + c * x, ml.tensor(start, requires_grad=True))
    return float(new), new.grad_fn is None


def draws(rng):
    a, b, c, start = rng.uniform(0.5, 2.0, 4).tolist()
    return {
        "from above": (a, b, c, start),
        "from below": (a, b, c, -start),
        "from 0": (a, b, c, 0.0),
        "a parabola": (0.0, b, -c, start),
        "far away": (a, b, c, 20.0),
        "at the bottom": (0.0, b, 0.0, 0.0),
        "on a hill": (0.0, -b, c, start),
    }
