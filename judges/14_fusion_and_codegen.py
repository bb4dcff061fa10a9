"""The judge of lesson 14. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% joins
title, points = "A fusion rule", 4
hint = (
    "The loops are the same, each point reads its own, nothing runs in between; and one tile to a kernel, without rows."
)


def probe(joins, /, name):
    from minitorch_lab.lessons.the_kernels import asked_about

    return [[one.pair.of, one.pair.by, bool(one.says)] for one in asked_about(joins, name)]


def draws(rng):
    names = ["chain", "softmax", "layers", "mirrored", "detoured", "scores", "gated"]
    for k in rng.permutation(len(names)).tolist():
        yield (names[k],)


# %% emit
title, points = "A loop for several ops", 3
hint = "One loop: read each argument into a name, a line for each op, write the results."


def probe(emit, /, program, values):
    from minitorch_lab.lessons.the_loops import Op, ran, shape_of

    names = ["a", "b"]
    ops = []
    for k, (text, i, j) in enumerate(program):
        ops.append(Op(f"op{k}", text, tuple(names[at] for at in ((i, j) if text.count("{}") == 2 else (i,)))))
        names.append(f"op{k}")
    results = [f"op{len(ops) - 1}", "op0"]
    source, found, most = ran(emit, (["a", "b"], ops, results), {"a": values, "b": values[::-1]})
    return [found[name] for name in results], max(most.values()) <= 1, list(shape_of(source))


def draws(rng):
    texts = ["{} + {}", "{} - {}", "{} * {}", "max({}, 0.0)", "-{}"]
    for count in (2, 4, 7):
        picked = rng.choice(texts, count).tolist()
        steps = [[text, int(rng.integers(0, k + 2)), int(rng.integers(0, k + 2))] for k, text in enumerate(picked)]
        yield steps, rng.normal(size=4).tolist()


# %% product
title, points = "A product in tiles", 3
hint = "Three loops that step by the tile; add the product of two blocks to a block of C."


def probe(product, /, a, b, tile):
    import numpy as np

    from minitorch_lab.lessons.the_tiles import multiplied

    c, loads = multiplied(product, np.array(a), np.array(b), tile)
    return np.asarray(c).tolist(), loads


def draws(rng):
    for m, n, k, tile in ((4, 4, 4, 2), (7, 9, 5, 3), (6, 2, 11, 4)):
        yield rng.normal(size=(m, k)).tolist(), rng.normal(size=(k, n)).tolist(), tile
