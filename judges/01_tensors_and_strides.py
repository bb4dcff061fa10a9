"""The judge of lesson 01. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% address
title, points = "The address of an entry", 2
hint = "The cell is the offset, plus each index times its stride."


def probe(address, /, cases):
    return [address(tuple(index), tuple(stride), offset) for index, stride, offset in cases]


def draws(rng):
    def entry(axes):
        return [rng.integers(1, 9, axes).tolist(), rng.integers(1, 40, axes).tolist(), int(rng.integers(1, 99))]

    found = {f"{axes} axes": ([entry(axes) for _ in range(3)],) for axes in (1, 2, 3, 4)}
    index, stride, offset = entry(3)
    return found | {
        "the first entry": ([[[0, 0, 0], stride, offset]],),
        "no offset": ([[index, stride, 0]],),
        "a stride of 0": ([[index, [stride[0], 0, 0], offset]],),
    }


# %% permuted
title, points = "Shape and strides of a permuted view", 2
hint = "Every axis takes its length and its stride along."


def probe(permuted, /, shape, stride, dims):
    return permuted(tuple(shape), tuple(stride), tuple(dims))


def draws(rng):
    def drawn(*dims):
        return rng.integers(2, 9, len(dims)).tolist(), rng.permutation(99)[: len(dims)].tolist(), list(dims)

    any_way = rng.permutation(5).tolist()
    return {
        "one axis": drawn(0),
        "a swap": drawn(1, 0),
        "as it was": drawn(0, 1, 2),
        "round and round": drawn(1, 2, 0),
        "round the other way": drawn(2, 0, 1),
        "lengths of 1": ([1, 4, 1, 3], [12, 3, 3, 1], [2, 0, 3, 1]),
        "five axes": drawn(*any_way),
    }


# %% mirrored
title, points = "A transposed view by hand", 3
hint = "Swap the lengths and the strides, and keep the offset: nothing is copied."


def probe(mirrored, /, entries, row, column, turned):
    import minitorch_lab as ml

    x = ml.tensor(entries)[row:, column:]
    x = x.T if turned else x
    t = mirrored(x)
    before = t.tolist()
    x[0, 0] = 77.5  # a view sees it
    return before, t.tolist()


def draws(rng):
    entries = rng.normal(size=(5, 6)).round(3).tolist()
    return {
        "the whole matrix": (entries, 0, 0, False),
        "a square": (entries, 0, 1, False),
        "a part": (entries, int(rng.integers(1, 3)), 2, False),
        "a transpose": (entries, 0, 0, True),
        "a part, transposed": (entries, 2, int(rng.integers(1, 3)), True),
        "one row": (entries, 4, 0, False),
        "one column": (entries, 0, 5, False),
    }


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
    kept = list(snapshots(w, steps))
    w += 100
    return [part.tolist() for part in kept], w.tolist()


def draws(rng):
    def start(n):
        return rng.normal(size=n).round(2).tolist()

    return {
        "one step": (start(3), 1),
        "two steps": (start(3), 2),
        "many steps": (start(3), int(rng.integers(4, 7))),
        "one number": (start(1), 3),
        "zeros": ([0.0, 0.0], 3),
    }
