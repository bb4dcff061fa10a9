"""The judge of lesson 05. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% switches
title, points = "Ten switches", 3
hint = "The graph, the tray and the way are three things: ask which of them each line changes."


def probe(answers, /):
    return [answer.strip().lower() if isinstance(answer, str) else answer for _, answer in sorted(answers.items())]


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
    for length in (0.0, 0.3, 0.9, 1.5, 30.0):
        g = rng.normal(size=4)
        yield ((g / np.sqrt((g * g).sum()) * length).tolist(),)


def agree(found, wanted, g):
    """A tiny number that was added against 0 / 0 does no harm."""
    return alike(found, wanted, 1e-3)


# %% watch
title, points = "A log of the walk", 3
hint = "A prehook on every node, once; bind the node when the hook is made."


def probe(watch, /, program, start):
    from minitorch_lab.lessons.grown import grown

    x, values = grown(program, start)
    log = []
    watch(values[-1].grad_fn, log)
    before = len(log)
    values[-1].backward()
    lines = [[str(name), float(size)] for name, size in log if name != "AccumulateGrad"]
    return before, lines, x.grad.item()


def draws(rng):
    for steps in (2, 4, 5):
        ops = rng.choice(["mul", "add", "mul", "sin", "shift"], steps).tolist()
        yield [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)], float(rng.uniform(-1.0, -0.2))


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
    for scale in (1.0, 3.0, 200.0):
        yield (rng.normal(size=5) * scale).tolist(), rng.normal(size=5).tolist()


# %% spoiled
title, points = "A detector of silent writes", 3
hint = "Keep copies of the saved tensors of all nodes, and compare them afterwards."


def probe(remember, spoiled, /, program, start, overwritten):
    import minitorch_lab as ml
    from minitorch_lab.lessons.grown import grown

    _, values = grown(program, start)
    root = values[-1].grad_fn
    memory = remember(root)
    with ml.no_grad():
        for k in overwritten:
            held = values[k].data
            held += 1
    return sorted(spoiled(root, memory))


def draws(rng):
    for steps in (2, 3, 4, 5):
        ops = rng.choice(["mul", "add", "mul", "sin", "tanh"], steps).tolist()
        program = [[op, k, int(rng.integers(0, k + 1))] for k, op in enumerate(ops)]
        yield program, [0.1, 0.4], rng.choice(steps + 1, size=int(rng.integers(0, 2)), replace=False).tolist()


# %% packing
title, points = "Half the bytes", 3
hint = "float16 of each entry divided by the largest one, and that number beside it."


def probe(pack, unpack, /, xs):
    import minitorch_lab as ml
    import minitorch_lab.lessons.internals as lesson

    sizes = []

    def weighing(t):
        parcel = pack(t)
        sizes.append(lesson.weigh(parcel))
        return parcel

    x = ml.tensor(xs, requires_grad=True)
    with ml.autograd.saved_tensors_hooks(weighing, unpack):
        y = (x**2).sum()
    y.backward()
    return x.grad.tolist(), sum(sizes)


def draws(rng):
    for scale in (1.0, 1e5, 0.0, 1e-4):
        yield ((rng.normal(size=(3, 40)) * scale).tolist(),)


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
    for _ in range(4):
        yield *rng.uniform(0.5, 2.0, 3).tolist(), float(rng.uniform(0.5, 2.0))
