"""The judge of lesson 06. A section per exercise; minitorch_lab/grade/writing.py makes the notebook of it."""

# %% kept
title, points = "The bytes that are kept", 2
hint = "Four bytes for every result of a layer, for every row; the input was there before."


def probe(kept_bytes, /, batch, widths):
    return kept_bytes(batch, widths)


def draws(rng):
    for layers in (1, 2, 3, 5):
        yield int(rng.integers(2, 200)), rng.integers(2, 300, layers + 1).tolist()


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
    for parts in (1, 3, 4):
        rows = parts * int(rng.integers(2, 5))
        yield (
            rng.normal(size=(3, 5)).tolist(),
            rng.normal(size=(rows, 5)).tolist(),
            rng.integers(0, 3, rows).tolist(),
            parts,
        )


# %% placement
title, points = "Place the checkpoints", 3
hint = "About √n segments of about √n layers each."


def probe(placement, /, n):
    return list(placement(n))


def draws(rng):
    for n in rng.integers(9, 60, 4).tolist():
        yield (n,)


def agree(found, wanted, n):
    """Every placement will do that needs no more than 2√n."""
    from minitorch_lab.lessons.the_bytes import costly, misplaced

    return all(type(k) is int for k in found) and bool(found) and not (misplaced(n, found) or costly(n, found))


# %% own
title, points = "A checkpoint of your own", 3
hint = "Run fn again with recording, on a detached x; walk back from g; return the gradient of x."


def probe(run_again, /, matrix, entries, along):
    import minitorch_lab as ml
    from minitorch_lab.lessons.second_run import checkpoint_by

    w, x = ml.tensor(matrix, requires_grad=True), ml.tensor(entries, requires_grad=True)
    h = x * 2
    z = checkpoint_by(run_again)(lambda h: (h @ w).sin(), h)
    ((z * ml.tensor(along)).sum() + (h * h).sum()).backward()
    return w.grad.tolist(), x.grad.tolist()


def draws(rng):
    for n, m in ((2, 3), (4, 2)):
        yield rng.normal(size=(n, m)).tolist(), rng.normal(size=(5, n)).tolist(), rng.normal(size=(5, m)).tolist()
