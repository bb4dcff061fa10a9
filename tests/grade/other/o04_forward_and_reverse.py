# %% columns
def columns(f, x):
    parts = [jvp(f, (x,), (ml.eye(len(x))[k],))[1].reshape(-1, 1) for k in range(len(x))]
    return ml.cat(parts, 1)

# %% rows
def rows(f, x):
    parts = []
    for e in ml.eye(len(f(x))):
        parts.append(vjp(f, x)[1](e)[0])
    return ml.stack(parts)

# %% hvp
def hvp(f, x, v):
    return grad(lambda z: (grad(f)(z) * v).sum())(x)
