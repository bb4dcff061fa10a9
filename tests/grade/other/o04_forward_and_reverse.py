# %% columns
def columns(f, x):
    parts = [jvp(f, (x,), (ml.eye(len(x))[k],))[1].reshape(-1, 1) for k in range(len(x))]
    return ml.cat(parts, 1)

# %% rows
def rows(f, x):
    y, pull = vjp(f, x)
    parts = []
    for k in range(len(y)):
        e = ml.zeros(len(y))
        e[k] = 1.0
        parts.append(pull(e)[0])
    return ml.stack(parts)

# %% hvp
def hvp(f, x, v):
    return grad(lambda z: (grad(f)(z) * v).sum())(x)
