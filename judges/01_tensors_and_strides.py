"""The judge of lesson 01. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% address
title, points = "The address of an entry", 2
hint = "The cell is the offset, plus each index times its stride."


def probe(address, /, cases):
    return [address(tuple(index), tuple(stride), offset) for index, stride, offset in cases]


def draws(rng):
    for axes in (1, 2, 3, 4):
        cases = [
            [rng.integers(0, 9, axes).tolist(), rng.integers(0, 40, axes).tolist(), int(rng.integers(0, 99))]
            for _ in range(5)
        ]
        yield (cases,)


# %% permuted
title, points = "Shape and strides of a permuted view", 2
hint = "Every axis takes its length and its stride along."


def probe(permuted, /, shape, stride, dims):
    new = permuted(tuple(shape), tuple(stride), tuple(dims))
    return [list(part) for part in new]


def draws(rng):
    for axes in (2, 3, 4, 5):
        shape, stride = rng.integers(1, 9, axes).tolist(), rng.integers(1, 99, axes).tolist()
        yield shape, stride, rng.permutation(axes).tolist()


# %% mirrored
title, points = "A transposed view by hand", 3
hint = "Swap the lengths and the strides, and keep the offset: nothing is copied."


def probe(mirrored, /, entries, row, column, turned):
    import minitorch_lab as ml

    x = ml.tensor(entries)[row:, column:]
    x = x.T if turned else x
    t = mirrored(x)
    before = t.tolist()
    x[0, 1] = 77.5  # a view sees it
    return before, t.tolist()


def draws(rng):
    for turned in (False, True, False):
        yield rng.normal(size=(5, 6)).round(3).tolist(), int(rng.integers(1, 3)), int(rng.integers(1, 3)), turned


# %% copies
title, points = "View or copy", 2
hint = "A start and even steps are a view; everything else copies."


def probe(copies, /):
    return copies


# %% snapshots
title, points = "The aliasing bug", 2
hint = "Write into w itself, and keep a copy of it each time."


def probe(snapshots, /, start, steps):
    import minitorch_lab as ml

    w = ml.tensor(start)
    kept = snapshots(w, steps)
    w += 100
    return [part.tolist() for part in kept], w.tolist()


def draws(rng):
    for steps in rng.integers(1, 6, 3).tolist():
        yield rng.normal(size=3).round(2).tolist(), steps
