"""The judge of lesson 04. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% dual
title, points = "A Dual in ten lines", 2
hint = "In a product both factors move; the sine moves by its cosine."


def probe(Dual, /, a, da, b, db):
    x, y = Dual(a, da), Dual(b, db)
    results = (x * y, x.sin(), (x * y + x).sin() * y)
    return [[float(z.value), float(z.slope)] for z in results]


def draws(rng):
    a, da, b, db = rng.uniform(0.5, 2.0, 4).tolist()
    return {
        "all above 0": (a, da, b, db),
        "values below 0": (-a, da, -b, db),
        "slopes below 0": (a, -da, b, -db),
        "at 0": (0.0, da, 0.0, db),
        "only one moves": (a, 0.0, b, db),
        "the other moves": (a, da, -b, 0.0),
        "the same twice": (a, da, a, da),
    }


# %% push
title, points = "The forward rule of x / y", 2
hint = "dx / y − x · dy / y²: both inputs move."


def probe(ratio, /, x, y, dx, dy):
    import minitorch_lab as ml
    from minitorch_lab.func import jvp

    value, moved = jvp(ratio, (ml.tensor(x), ml.tensor(y)), (ml.tensor(dx), ml.tensor(dy)))
    return value.tolist(), moved.tolist()


def draws(rng):
    up, down = rng.uniform(0.5, 2.0, 4).tolist(), rng.uniform(-2.0, -0.5, 4).tolist()
    both = [up[0], down[0], up[1], down[1]]
    return {
        "all above 0": (up, rng.uniform(0.5, 3.0, 4).tolist(), up, rng.uniform(0.5, 2.0, 4).tolist()),
        "y below 0": (both, rng.uniform(-3.0, -0.5, 4).tolist(), up, both[::-1]),
        "x at 0": ([0.0, 0.0], both[:2], up[2:], both[2:]),
        "only x moves": (both, up, both[::-1], [0.0] * 4),
        "only y moves": (both, up, [0.0] * 4, both[::-1]),
        "one number": (down[:1], up[:1], up[1:2], down[1:2]),
    }


# %% columns
title, points = "The Jacobian by columns", 2
hint = "One forward pass per input; the results stand side by side."


def probe(columns, /, matrix, entries):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_04_modes import check_columns
    from minitorch_lab.lessons.unaided import overheard

    columns, helpers = overheard(check_columns, columns)
    a = ml.tensor(matrix)
    return columns(lambda x: (a @ x).sin() * x[0], ml.tensor(entries)).tolist(), helpers


def draws(rng):
    def drawn(outputs, inputs):
        return rng.normal(size=(outputs, inputs)).tolist(), rng.normal(size=inputs).tolist()

    return {
        "more outputs": drawn(5, 3),
        "more inputs": drawn(2, 4),
        "as many": drawn(3, 3),
        "one output": drawn(1, 3),
        "one input": drawn(3, 1),
        "at 0": (drawn(3, 2)[0], [0.0, 0.0]),
    }


# %% rows
title, points = "The Jacobian by rows", 2
hint = "One walk back per output; the results stand one below the other."


def probe(rows, /, matrix, entries):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_04_modes import check_rows
    from minitorch_lab.lessons.unaided import overheard

    rows, helpers = overheard(check_rows, rows)
    a = ml.tensor(matrix)
    return rows(lambda x: (a @ x).sin() * x[0], ml.tensor(entries)).tolist(), helpers


def draws(rng):
    def drawn(outputs, inputs):
        return rng.normal(size=(outputs, inputs)).tolist(), rng.normal(size=inputs).tolist()

    return {
        "more outputs": drawn(5, 3),
        "more inputs": drawn(2, 4),
        "as many": drawn(3, 3),
        "one output": drawn(1, 3),
        "one input": drawn(3, 1),
        "at 0": (drawn(3, 2)[0], [0.0, 0.0]),
    }


# %% hvp
title, points = "The Hessian times a vector", 3
hint = "How does the gradient move when x moves along v? jvp of grad(f)."


def probe(hvp, /, weights, entries, along):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_04_modes import check_hvp
    from minitorch_lab.lessons.unaided import overheard

    hvp, helpers = overheard(check_hvp, hvp)
    c = ml.tensor(weights, dtype=ml.float64)

    def bowl(x):
        square = (c * x * x).sum()
        return square * square + (x * c).sin().sum()

    return hvp(bowl, ml.tensor(entries, dtype=ml.float64), ml.tensor(along, dtype=ml.float64)).tolist(), helpers


def draws(rng):
    def drawn(n):
        return rng.uniform(0.5, 2.0, n).tolist(), rng.normal(size=n).tolist(), rng.normal(size=n).tolist()

    weights, entries, along = drawn(3)
    return {
        "one number": drawn(1),
        "two": drawn(2),
        "many": drawn(9),
        "at 0": (weights, [0.0] * 3, along),
        "standing still": (weights, entries, [0.0] * 3),
        "along one axis": (weights, entries, [0.0, 1.0, 0.0]),
        "not of length 1": (weights, entries, [10 * v for v in along]),
    }
