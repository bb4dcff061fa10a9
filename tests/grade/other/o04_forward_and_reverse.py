# %% columns
def columns(f, x):
    return ml.func.jacfwd(f)(x)

# %% rows
def rows(f, x):
    return ml.func.jacrev(f)(x)

# %% hvp
def hvp(f, x, v):
    return grad(lambda z: (grad(f)(z) * v).sum())(x)
