"""The judge of lesson 07. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% loss
title, points = "Cross-entropy, for one", 3
hint = "log-sum-exp of the scores, minus the score of the label; subtract the largest score first."


def probe(loss, /, scores, labels):
    import minitorch_lab as ml
    from minitorch_lab.costmodel import count_flops
    from minitorch_lab.func import grad, vmap

    rows, marks = ml.tensor(scores), ml.tensor(labels)
    with count_flops() as ran:
        loss(rows[0], marks[0])
    found = [vmap(grad(loss))(rows, marks).tolist(), vmap(loss)(rows, marks).tolist()]
    return found, ran.calls.get("cross_entropy", 0)


def draws(rng):
    scores, labels = rng.normal(size=(5, 4)), [0, 3, *rng.integers(0, 4, 3).tolist()]
    return {
        "about 1": (scores.tolist(), labels),
        "spread": ((scores * 3).tolist(), labels),
        "large": ((scores * 500).tolist(), labels),
        "large, below 0": ((-np.abs(scores) * 500 - 1000).tolist(), labels),
        "all the same": (np.ones((5, 4)).tolist(), labels),
        "two classes": (scores[:, :2].tolist(), [0, 1, 0, 1, 1]),
        "one class": (scores[:, :1].tolist(), [0] * 5),
    }


def agree(found, wanted, scores, labels):
    """p − y and log-sum-exp less the score, in float64, and not by the engine's cross_entropy."""
    found, ready_made = found
    s = np.asarray(scores)
    s = s - s.max(1, keepdims=True)
    total, y = np.exp(s).sum(1), np.eye(s.shape[1])[labels]
    return not ready_made and alike(found, [np.exp(s) / total[:, None] - y, np.log(total) - (s * y).sum(1)], 1e-3)


# %% step
title, points = "A step that changes nothing", 2
hint = "w − lr · g for every leaf, in a new nest of the same form."


def probe(step, /, weights, slopes, lr):
    import minitorch_lab as ml

    params = {"a": {"w": ml.tensor(weights[0]), "b": ml.tensor(weights[1])}, "c": ml.tensor(weights[2])}
    grads = {"a": {"w": ml.tensor(slopes[0]), "b": ml.tensor(slopes[1])}, "c": ml.tensor(slopes[2])}
    new = step(params, grads, lr)
    return [{"a": {"w": p["a"]["w"].tolist(), "b": p["a"]["b"].tolist()}, "c": p["c"].tolist()} for p in (new, params)]


def draws(rng):
    weights, slopes = rng.normal(size=(3, 2)).tolist(), rng.normal(size=(3, 2)).tolist()
    return {
        "a small step": (weights, slopes, float(rng.uniform(0.01, 0.1))),
        "a large one": (weights, slopes, float(rng.uniform(2.0, 5.0))),
        "none": (weights, slopes, 0.0),
        "at the bottom": (weights, [[0.0, 0.0]] * 3, 0.1),
        "from 0": ([[0.0, 0.0]] * 3, slopes, 0.1),
    }


# %% levels
title, points = "Whose slope is it?", 3
hint = "Only a Dual of this level is taken apart; everything else is a constant, passed on whole."


def probe(slope_of, /, a, b, c):
    def mixed(x):
        return x * slope_of(lambda y: a * x + b * y, c)

    def product(x):
        return x * slope_of(lambda y: x * y * b, c)

    def twice(x):
        return slope_of(lambda y: y * y * y * a, x)

    return [float(slope_of(f, c)) for f in (mixed, product, twice, lambda x: b + a * x * x)]


def draws(rng):
    a, b, c = rng.uniform(0.5, 3.0, 3).tolist()
    return {
        "all above 0": (a, b, c),
        "below 0": (-a, b, -c),
        "at 0": (a, b, 0.0),
        "without a": (0.0, b, c),
        "all the same": (1.0, 1.0, 1.0),
    }


# %% tally
title, points = "An interpreter that counts", 3
hint = "Count op.name, and pass the op on to the floor below."


def probe(Tally, /, program):
    import minitorch_lab as ml
    from minitorch_lab.core.interpret import interpreting

    x = ml.tensor([0.5, 0.25], requires_grad=True)
    with interpreting(below := Tally()), interpreting(tally := Tally()):
        y = x.exp()
        for op in program:
            y = {"sin": y.sin, "mul": lambda y=y: y * x, "add": lambda y=y: y + x, "tanh": y.tanh}[op]()
        y = y.sum()
    y.backward()
    return dict(tally.counts), dict(below.counts), y.item(), x.grad.tolist()


def draws(rng):
    ops = ["sin", "mul", "add", "tanh"]
    return {
        "no more": ([],),
        "one op": ([ops[rng.integers(0, 4)]],),
        "one op, often": (["sin"] * int(rng.integers(3, 6)),),
        "each once": (rng.permutation(ops).tolist(),),
        "many": ([*ops, *rng.choice(ops, 6).tolist()],),
    }


# %% batch
title, points = "How an op takes a batch", 2
hint = "Multiply, and add up along the last axis only."


def probe(dot, /, first, second):
    import minitorch_lab as ml
    from minitorch_lab.func import vmap

    x, y = ml.tensor(first), ml.tensor(second)
    pairs = vmap(vmap(dot, in_axes=(None, 0)), in_axes=(0, None))(x, y)
    return vmap(dot)(x, y).tolist(), vmap(dot, in_axes=(0, None))(x, y[0]).tolist(), pairs.tolist()


def draws(rng):
    def drawn(n, width):
        return rng.normal(size=(n, width)).tolist(), rng.normal(size=(n, width)).tolist()

    return {
        "more pairs": drawn(4, 3),
        "longer": drawn(2, 7),
        "as many": drawn(5, 5),
        "one pair": drawn(1, 3),
        "of length 1": drawn(3, 1),
        "zeros": ([[0.0, 0.0]] * 3, drawn(3, 2)[1]),
    }


# %% custom
title, points = "The slope of softplus", 3
hint = "The slope is 1 / (1 + exp(−x)), times dx; the value stays."


def probe(softplus, /, xs, dxs):
    import minitorch_lab as ml
    from minitorch_lab.func import grad, jvp, vmap

    value, moved = jvp(softplus, (ml.tensor(xs),), (ml.tensor(dxs),))
    slopes = vmap(grad(softplus))(ml.tensor(xs))
    return softplus(ml.tensor(xs)).tolist(), value.tolist(), moved.tolist(), slopes.tolist()


def draws(rng):
    up, moves = rng.uniform(0.5, 2.0, 3), rng.normal(size=3).tolist()
    return {
        "above 0": (up.tolist(), moves),
        "below 0": ((-up).tolist(), moves),
        "at 0": ([0.0, 0.0, 1.0], moves),
        "large": ((up * 100).tolist(), moves),
        "large, below 0": ((up * -100).tolist(), moves),
        "standing still": (up.tolist(), [0.0, 0.0, 0.0]),
        "one number": (up[:1].tolist(), [-3.0]),
    }
