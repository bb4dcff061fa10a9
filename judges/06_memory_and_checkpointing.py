"""The judge of lesson 06. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% kept
title, points = "The bytes that are kept", 2
hint = "Four bytes for every result of a layer, for every row; the input was there before."


def probe(kept_bytes, /, batch, widths):
    return kept_bytes(batch, widths)


def draws(rng):
    def widths(layers):
        return rng.integers(2, 300, layers + 1).tolist()

    return {f"{layers} layers": (int(rng.integers(2, 200)), widths(layers)) for layers in (1, 2, 3, 5)} | {
        "one row": (1, widths(2)),
        "all as wide": (8, [16, 16, 16]),
        "the input widest": (4, [1000, 3, 2]),
        "the output widest": (4, [2, 3, 1000]),
    }


# %% parts
title, points = "The gradient in parts", 3
hint = "One backward() per part, of its loss divided by the number of parts."


def probe(accumulate, /, weights, rows, labels, parts):
    import minitorch_lab as ml

    model = ml.nn.Linear(len(weights[0]), len(weights))
    with ml.no_grad():
        model.weight.copy_(ml.tensor(weights))
        model.bias.copy_(ml.zeros(len(weights)))
    accumulate(model, ml.tensor(rows), ml.tensor(labels), parts)
    return [p.grad.tolist() for p in model.parameters()]


def draws(rng):
    def drawn(parts, rows_of_each):
        rows = parts * rows_of_each
        labels = rng.integers(0, 3, rows).tolist()
        return rng.normal(size=(3, 5)).tolist(), rng.normal(size=(rows, 5)).tolist(), labels, parts

    return {
        "one part": drawn(1, 4),
        "two parts": drawn(2, 3),
        "more parts than rows in each": drawn(4, 2),
        "more rows in each": drawn(3, 5),
        "parts of one row": drawn(6, 1),
    }


# %% placement
title, points = "Place the checkpoints", 3
hint = "About √n segments of about √n layers each."


def probe(placement, /, n):
    return placement(n)


def draws(rng):
    root = int(rng.integers(4, 8))
    return {
        "a square": (root * root,),
        "one more than a square": (root * root + 1,),
        "one less than a square": (root * root - 1,),
        "between two squares": (root * root + root,),
        "just past the middle": (root * root + root + 1,),
        "few": (9,),
        "many": (int(rng.integers(50, 64)),),
    }


def agree(found, wanted, n):
    """Every placement will do that needs no more than 2√n."""
    from minitorch_lab.lessons.lesson_06_memory.kept import costly, misplaced
    from minitorch_lab.lessons.values import whole_numbers

    lengths = whole_numbers(found)
    return bool(lengths) and not (misplaced(n, lengths) or costly(n, lengths))


# %% own
title, points = "A checkpoint of your own", 3
hint = "Run fn again with recording, on a detached x; walk back from g; return the gradient of x."


def probe(run_again, /, matrix, entries, along):
    import minitorch_lab as ml
    from minitorch_lab.lessons.lesson_06_memory.second_run import checkpoint_by

    w, x = ml.tensor(matrix, requires_grad=True), ml.tensor(entries, requires_grad=True)
    h = x * 2
    z = checkpoint_by(run_again)(lambda h: (h @ w).sin(), h)
    ((z * ml.tensor(along)).sum() + (h * h).sum()).backward()
    return w.grad.tolist(), x.grad.tolist()


def draws(rng):
    def drawn(n, m, rows=5):
        return [rng.normal(size=shape).tolist() for shape in ((n, m), (rows, n), (rows, m))]

    matrix, entries, along = drawn(3, 3)
    return {
        "wider": drawn(2, 3),
        "narrower": drawn(4, 2),
        "one row": drawn(2, 2, 1),
        "one column": drawn(1, 1),
        "nothing comes back": (matrix, entries, [[0.0] * 3] * 5),
        "zeros": (matrix, [[0.0] * 3] * 5, along),
    }
