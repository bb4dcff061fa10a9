"""The judge of lesson 14. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% joins
title, points = "A fusion rule", 4
hint = (
    "The loops are the same, each point reads its own, nothing runs in between; and one tile to a kernel, without rows."
)


def probe(joins, /, name):
    from minitorch_lab.lessons.lesson_14_fusion.kernels import asked_about

    return [[one.pair.of, one.pair.by, one.says] for one in asked_about(joins, name)]


def draws(rng):
    names = ["chain", "softmax", "layers", "mirrored", "detoured", "scores", "gated"]
    return {names[k]: (names[k],) for k in rng.permutation(len(names)).tolist()}


# %% emit
title, points = "A loop for several ops", 3
hint = "One loop: read each argument into a name, a line for each op, write the results."


def probe(emit, /, program, values):
    from minitorch_lab.lessons.lesson_14_fusion.emitting import Op, ran, shape_of

    names = ["a", "b"]
    ops = []
    for k, (text, i, j) in enumerate(program):
        ops.append(Op(f"op{k}", text, tuple(names[at] for at in ((i, j) if text.count("{}") == 2 else (i,)))))
        names.append(f"op{k}")
    results = [f"op{len(ops) - 1}", *(["op0"] if ops[1:] else [])]
    source, found, most = ran(emit, (["a", "b"], ops, results), {"a": values, "b": values[::-1]})
    return [found[name] for name in results], max(most.values()) <= 1, list(shape_of(source))


def draws(rng):
    some = {
        "one op": [["{} - {}", 0, 1]],
        "in the other order": [["{} - {}", 1, 0]],
        "one argument": [["-{}", 1, 1], ["max({}, 0.0)", 2, 2]],
        "one input twice": [["{} * {}", 0, 0], ["{} + {}", 2, 2]],
        "a chain": [["-{}", 0, 0], ["{} + {}", 2, 1], ["max({}, 0.0)", 3, 3], ["{} - {}", 1, 4]],
        "read late": [["{} + {}", 0, 1], ["-{}", 2, 2], ["{} * {}", 3, 3], ["{} - {}", 4, 2]],
        "what nobody reads": [["{} + {}", 0, 1], ["-{}", 0, 0], ["{} - {}", 2, 1]],
    }
    texts = rng.choice(["{} + {}", "{} - {}", "{} * {}", "max({}, 0.0)", "-{}"], 7).tolist()
    some["at random"] = [[text, *rng.integers(0, k + 2, 2).tolist()] for k, text in enumerate(texts)]
    values = [float(rng.uniform(0.5, 2.0)), float(rng.uniform(-2.0, -0.5)), 0.0, 3.0]
    return {name: (program, values) for name, program in some.items()} | {
        "one entry": (some["a chain"], values[:1]),
    }


# %% product
title, points = "A product in tiles", 3
hint = "Three loops that step by the tile; add the product of two blocks to a block of C."


def probe(product, /, a, b, tile):
    import numpy as np

    from minitorch_lab.lessons.lesson_14_fusion.tiles import multiplied

    c, loads = multiplied(product, np.array(a), np.array(b), tile)
    return np.asarray(c).tolist(), loads


def draws(rng):
    def drawn(m, n, k, tile):
        return rng.normal(size=(m, k)).tolist(), rng.normal(size=(k, n)).tolist(), tile

    return {
        "tiles that fit": drawn(4, 4, 4, 2),
        "one tile": drawn(3, 3, 3, 3),
        "tiles that stick out": drawn(7, 9, 5, 3),
        "long and narrow": drawn(6, 2, 11, 4),
        "short and wide": drawn(2, 9, 3, 4),
        "larger than all": drawn(2, 3, 4, 8),
        "tiles of one entry": drawn(3, 2, 4, 1),
        "one row": drawn(1, 5, 6, 2),
    }


def agree(found, wanted, a, b, tile):
    """Fewer fetches will do as well, as few as one block of each matrix allows."""
    from minitorch_lab.lessons.lesson_14_fusion.tiles import fewest

    least = fewest(len(a), len(b[0]), len(b), tile)
    return alike(found[0], wanted[0]) and min(least, wanted[1]) <= found[1] <= wanted[1]
