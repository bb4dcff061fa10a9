# %% kept
def kept_bytes(batch, widths):
    return batch * sum(widths[1:])

# %% kept
def kept_bytes(batch, widths):
    return 4 * sum(widths[1:])

# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * sum(widths)

# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x), rows):
        ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]).backward()

# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x), rows):
        for p in model.parameters():
            p.grad = None
        (ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]) / parts).backward()

# %% parts
def accumulate(model, x, y, parts):
    rows, total = len(x) // parts, 0
    for start in range(0, len(x), rows):
        total = total + ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]) / parts
    total.backward()

# %% placement
def placement(n):
    return [1] * n

# %% placement
def placement(n):
    size = int(n**0.5)
    return [size] * size

# %% placement
def placement(n):
    return [n // 2, n - n // 2]

# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    z = fn(x)
    z.backward(g)
    return x.grad

# %% own
def run_again(fn, x, g):
    with ml.enable_grad():
        z = fn(x)
    z.backward(g)
    return x.grad

# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        z = fn(x)
    return ml.autograd.grad(z, x, g)[0]
