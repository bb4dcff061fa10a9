"""The judge of lesson 04. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% dual
title, points = "A Dual in ten lines", 2
hint = "In a product both factors move; the sine moves by its cosine."


def probe(Dual, /, a, da, b, db):
    x, y = Dual(a, da), Dual(b, db)
    results = (x * y, x.sin(), (x * y + x).sin() * y)
    return [[float(z.value), float(z.slope)] for z in results]


def draws(rng):
    for _ in range(4):
        yield tuple(rng.normal(size=4).tolist())


# %% push
title, points = "The forward rule of x / y", 2
hint = "dx / y − x · dy / y²: both inputs move."


def probe(ratio, /, x, y, dx, dy):
    import minitorch_lab as ml
    from minitorch_lab.func import jvp

    value, moved = jvp(ratio, (ml.tensor(x), ml.tensor(y)), (ml.tensor(dx), ml.tensor(dy)))
    return value.tolist(), moved.tolist()


def draws(rng):
    for _ in range(3):
        x, dx, dy = rng.normal(size=(3, 4)).tolist()
        yield x, rng.uniform(0.5, 3.0, 4).tolist(), dx, dy


# %% columns
title, points = "The Jacobian by columns", 2
hint = "One forward pass per input; the results stand side by side."


def probe(columns, /, matrix, entries):
    import minitorch_lab as ml

    a = ml.tensor(matrix)
    return columns(lambda x: (a @ x).sin() * x[0], ml.tensor(entries)).tolist()


def draws(rng):
    for outputs, inputs in ((3, 2), (2, 4), (5, 3)):
        yield rng.normal(size=(outputs, inputs)).tolist(), rng.normal(size=inputs).tolist()


# %% rows
title, points = "The Jacobian by rows", 2
hint = "One walk back per output; the results stand one below the other."


def probe(rows, /, matrix, entries):
    import minitorch_lab as ml

    a = ml.tensor(matrix)
    return rows(lambda x: (a @ x).sin() * x[0], ml.tensor(entries)).tolist()


def draws(rng):
    for outputs, inputs in ((3, 2), (2, 4), (5, 3)):
        yield rng.normal(size=(outputs, inputs)).tolist(), rng.normal(size=inputs).tolist()


# %% hvp
title, points = "The Hessian times a vector", 3
hint = "How does the gradient move when x moves along v? jvp of grad(f)."


def probe(hvp, /, weights, entries, along):
    import minitorch_lab as ml

    c = ml.tensor(weights, dtype=ml.float64)

    def bowl(x):
        square = (c * x * x).sum()
        return square * square + (x * c).sin().sum()

    return hvp(bowl, ml.tensor(entries, dtype=ml.float64), ml.tensor(along, dtype=ml.float64)).tolist()


def draws(rng):
    for n in (2, 5, 9):
        yield rng.uniform(0.5, 2.0, n).tolist(), rng.normal(size=n).tolist(), rng.normal(size=n).tolist()
