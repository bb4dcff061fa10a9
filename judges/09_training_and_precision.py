"""The judge of lesson 9. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% pieces
title, points = "A step in pieces", 3
hint = "Each piece counts as much as it has of the rows; the weights move once, and the old gradient is gone before."


def probe(train_step, /, x, target, weight, bias, rows):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_09_precision.formats import number
    from minitorch_lab.lessons.lesson_09_precision.loop import Watched

    model = Watched(weight, bias)
    for p in model.parameters():
        p.grad = p.detach() * 0 + 2.0
    optimizer = ml.optim.SGD(model.parameters(), lr=0.5)
    x, target = (ml.tensor(part, dtype=ml.float64) for part in (x, target))
    loss = number(train_step(model, optimizer, ml.nn.functional.poisson_nll_loss, x, target, rows))
    weights = [w for p in model.parameters() for w in p.flatten().tolist()]
    return weights, float(loss), max(model.seen) <= rows


def draws(rng):
    def drawn(count, rows):
        shapes = (count, 3), (count, 2), (2, 3), (2,)
        return (*(rng.normal(size=shape).tolist() for shape in shapes), rows)

    return {
        "pieces of one length": drawn(12, 4),
        "a shorter last piece": drawn(11, 4),
        "a last piece of one row": drawn(9, 4),
        "one row at a time": drawn(5, 1),
        "all at once": drawn(6, 6),
        "fewer rows than may be seen": drawn(3, 10),
        "one row": drawn(1, 1),
    }


# %% rounded
title, points = "Round to any format", 4
hint = "Whole numbers of steps, and the step follows from the exponent, which is never below that of the format."


def probe(rounded, /, exponent, mantissa, numbers):
    from minitorch_lab.lessons.lesson_09_precision.formats import number

    return [(number(rounded(x, exponent, mantissa)) + 0.0).hex() for x in numbers]


def draws(rng):
    def form(exponent, mantissa):
        top = 2 ** (exponent - 1) - 1
        tiny, step = 2.0 ** (1 - top), 2.0**-mantissa
        return tiny, step, (2 - step) * 2.0**top, (2 - step) * 2.0**top + step * 2.0 ** (top - 1)

    def halves(exponent, mantissa):
        step = 2.0**-mantissa
        whole = rng.integers(0, 2**mantissa, 6) + 0.5
        return ((1 + whole * step) * 2.0 ** rng.integers(-3, 4, 6) * rng.choice([-1, 1], 6)).tolist()

    (tiny, step, largest, edge), (small, fine, most, last) = form(5, 10), form(8, 7)
    exponent, mantissa = int(rng.integers(4, 8)), int(rng.integers(2, 12))
    return {
        "float16": (5, 10, rng.normal(size=8).tolist()),
        "bfloat16": (8, 7, (rng.normal(size=8) * 1e4).tolist()),
        "float32": (8, 23, (rng.normal(size=8) * 1e-3).tolist()),
        "TF32": (8, 10, rng.normal(size=8).tolist()),
        "between two, float16": (5, 10, halves(5, 10)),
        "between two, bfloat16": (8, 7, halves(8, 7)),
        "up to the next power": (5, 10, [2 - step / 4, -4 + step, 0.5 - step / 16]),
        "subnormal": (5, 10, (rng.uniform(-1, 1, 8) * tiny).tolist()),
        "subnormal, bfloat16": (8, 7, (rng.uniform(-1, 1, 8) * small).tolist()),
        "the smallest": (5, 10, [tiny * step * k for k in (0.3, 0.5, 0.51, -0.7, 1.5, 2.5)] + [tiny, -tiny * 1.0001]),
        "nearly normal": (5, 10, [tiny * (1 - step / 3), -tiny * (1 - step), tiny * (1 + step / 3)]),
        "the largest": (5, 10, [largest, -largest, edge * 0.99999, edge, -edge * 1.00001, 1e9, -1e30]),
        "the largest, bfloat16": (8, 7, [most, last * 0.99999, last, -1e300, most * fine]),
        "not finite": (5, 10, [0.0, float("inf"), float("-inf"), float("nan")]),
        "any format": (exponent, mantissa, (rng.normal(size=8) * 2.0 ** rng.integers(-6, 6, 8)).tolist()),
    }


# %% dtypes
title, points = "Dtypes for a list of ops", 3
hint = "Products in the low dtype, sums and exp in float32, all else in the widest of its inputs; float64 stays."


def probe(dtypes, /, program, given, low):
    from minitorch_lab.lessons.lesson_09_precision.casting import settled

    lines = [(name, op, tuple(reads)) for name, op, reads in program]
    found = settled(dtypes(lines, dict(given), low))
    return [[name, found[name]] for name, _, _ in lines]


def draws(rng):
    one, two = ["relu", "tanh", "exp", "log", "softmax", "sum"], ["matmul", "add", "mul", "where"]
    single, double = {"x": "float32", "w": "float32"}, {"x": "float64", "w": "float32"}
    half, brain = {"x": "float16", "w": "float16"}, {"x": "bfloat16", "w": "bfloat16"}
    low = str(rng.choice(["float16", "bfloat16"]))

    def chain(*ops):
        lines, last = [], "x"
        for k, op in enumerate(ops):
            reads = [last, "w"] if op in two else [last]
            last = f"v{k}"
            lines.append([last, op, reads])
        return lines

    names, at_random = ["x", "w"], []
    for k in range(8):
        op = str(rng.choice(two + one))
        at_random.append([f"v{k}", op, [str(rng.choice(names)) for _ in range(1 + (op in two))]])
        names.append(f"v{k}")
    return {
        "a product": (chain("matmul"), single, low),
        "a product of halves": (chain("matmul", "matmul"), half, "bfloat16"),
        "overflows": (chain("exp", "log", "softmax", "sum"), half, "float16"),
        "all else": (chain("relu", "tanh", "add", "mul", "where"), single, low),
        "all else, low": (chain("relu", "add", "tanh"), brain, "bfloat16"),
        "a product, and then": (chain("matmul", "relu", "add", "tanh", "matmul", "tanh"), single, low),
        "a sum of a product": (chain("matmul", "sum", "relu", "matmul"), half, low),
        "float64": (chain("matmul", "relu", "exp", "sum"), double, "float16"),
        "float64 in a product": ([["y", "matmul", ["w", "x"]], ["z", "exp", ["x"]]], double, "bfloat16"),
        "two low ones": ([["y", "add", ["x", "w"]], ["z", "tanh", ["y"]]], {"x": "float16", "w": "bfloat16"}, low),
        "read twice": ([["y", "matmul", ["x", "x"]], ["z", "mul", ["y", "y"]], ["u", "mul", ["z", "w"]]], single, low),
        "at random": (at_random, single, low),
        "at random, halves": (at_random, half, "bfloat16"),
    }


# %% scaler
title, points = "A scaler", 4
hint = "Every entry of every gradient is looked at; the count begins again at 0 when the scale has changed."


def probe(scaler, /, grads, scale, good, interval):
    import numpy as np
    from minitorch_lab.lessons.lesson_09_precision.formats import number
    from minitorch_lab.lessons.values import plain

    found, after, count = scaler([np.array(g, "float32") for g in grads], scale, good, interval)
    return None if found is None else [plain(g) for g in found], float(number(after)), float(number(count))


def draws(rng):
    def drawn(*lengths):
        return [(rng.integers(1, 64, n) * rng.choice([-1, 1], n)).astype(float).tolist() for n in lengths]

    def with_one(value, k, *lengths):
        grads = drawn(*lengths)
        grads[k][int(rng.integers(0, len(grads[k])))] = value
        return grads

    inf, nan, scale = float("inf"), float("nan"), 2.0 ** int(rng.integers(3, 9))
    return {
        "finite": (drawn(3, 2), scale, 0, 5),
        "finite again": (drawn(1, 4, 2), scale, 2, 5),
        "one gradient": (drawn(5), scale, 1, 9),
        "the last but one": (drawn(2, 2), scale, 3, 5),
        "it grows": (drawn(2, 2), scale, 4, 5),
        "it grows each time": (drawn(2), scale, 0, 1),
        "zeros": ([[0.0, 0.0], [0.0]], scale, 1, 5),
        "inf in the first": (with_one(inf, 0, 3, 2), scale, 2, 5),
        "-inf in the last": (with_one(-inf, 2, 3, 1, 4), scale, 0, 5),
        "NaN in the middle": (with_one(nan, 1, 2, 3, 1), scale, 1, 5),
        "inf where it would grow": (with_one(inf, 1, 3, 2), scale, 4, 5),
        "nothing else": ([[nan], [inf]], scale, 2, 3),
        "inf and -inf": ([[inf, 1.0], [-inf]], scale, 2, 3),
        "a small scale": (drawn(2), 0.5, 0, 3),
        "a scale of 1": (with_one(inf, 0, 2), 1.0, 0, 3),
    }


# %% updated
title, points = "Save the updates", 3
hint = "Weights and gradients are brought to float32 before the first step, and the weights back after the last one."


def probe(updated, /, w, grads, times, lr):
    import numpy as np
    from minitorch_lab.lessons.values import plain

    return plain(updated(np.array(w, "float16"), [np.array(g, "float16") for g in grads] * times, lr))


def draws(rng):
    def drawn(count, size):
        return (rng.uniform(0.5, 1.0, (count, 3)) * size * [1, -1, 1]).tolist()

    w = (rng.uniform(0.6, 0.9, 3) * [1, -1, 4]).tolist()
    return {
        "large steps": (w, drawn(3, 0.5), 1, 0.25),
        "one step": (w, drawn(1, 0.5), 1, 0.5),
        "steps with turning signs": (w, [[0.5, 0.25, -1.0], [-0.25, 1.0, 0.5]], 2, 0.25),
        "small steps": (w, drawn(5, 0.01), 200, 0.01),
        "small gradients": ((np.array(w) / 500).tolist(), drawn(4, 0.0002), 500, 1e-4),
        "large gradients": (w, drawn(4, 100.0), 400, 1e-5),
        "one weight": ([float(w[0])], [[0.01], [0.02]], 400, 0.005),
    }


def agree(found, wanted, w, grads, times, lr):
    """Numbers of float16, at most one apart: how a master of four or eight bytes rounds is nobody's concern."""
    with np.errstate(all="ignore"):
        given, right = np.asarray(found, "float64"), np.asarray(wanted, "float64")
        if given.shape != right.shape or not np.array_equal(given, given.astype("float16")):
            return False
        return bool((abs(given - right) <= np.spacing(abs(right).astype("float16")).astype("float64")).all())
