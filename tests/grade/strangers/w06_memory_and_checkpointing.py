# %% kept
def kept_bytes(batch, widths):
    return 8 * batch * sum(widths[1:])
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * sum(widths[:-1])
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * sum(widths[1:-1])
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * (2 * sum(widths[1:-1]) + widths[-1])
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * sum(widths[1:]) + 4 * sum(a * b for a, b in zip(widths, widths[1:]))
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * max(widths[1:])
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * (widths[1] + widths[-1])
# %% kept
def kept_bytes(batch, widths):
    return 4 * batch * sum(set(widths[1:]))
# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    (ml.cross_entropy(model(x[:rows]), y[:rows])).backward()
# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x), rows):
        (ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]) / rows).backward()
# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x), rows):
        (ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]) * parts).backward()
# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x) - rows, rows):
        (ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]) / parts).backward()
# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x), rows):
        (ml.cross_entropy(model(x[start : start + rows]), y[:rows]) / parts).backward()
# %% parts
def accumulate(model, x, y, parts):
    ml.cross_entropy(model(x), y).backward()
# %% parts
def accumulate(model, x, y, parts):
    rows = len(x) // parts
    for start in range(0, len(x), rows):
        (ml.cross_entropy(model(x[start : start + rows]), y[start : start + rows]) / len(x)).backward()
# %% parts
def accumulate(model, x, y, parts):
    for _ in range(parts):
        (ml.cross_entropy(model(x), y) / parts).backward()
# %% placement
def placement(n):
    return [n]
# %% placement
def placement(n):
    size = round(n**0.5)
    return [size] * (n // size)
# %% placement
def placement(n):
    return [2] * (n // 2) + [1] * (n % 2)
# %% placement
def placement(n):
    size = round(n**0.5)
    return [size] * (n // size + 1)
# %% placement
def placement(n):
    return [4] * (n // 4) + ([n % 4] if n % 4 else [])
# %% placement
def placement(n):
    out, k = [], 1
    while n > 0:
        out.append(min(k, n)); n -= k; k += 1
    return out[:-1] + [out[-1] + 1]
# %% placement
def placement(n):
    size = n // 3
    return [size, size, n - 2 * size]
# %% placement
def placement(n):
    size = round(n**0.5)
    return [size] * (n // size) + [n % size] + [0]
# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        z = fn(x)
    z.sum().backward()
    return x.grad
# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        z = fn(x)
    z.backward(g)
    return x.grad * g
# %% own
def run_again(fn, x, g):
    return g
# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        z = fn(x)
    z.backward(g)
    return x
# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        z = fn(x)
        z.backward(g)
        fn(x).backward(g)
    return x.grad / 2
# %% own
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    with ml.enable_grad():
        z = fn(x)
    z.backward(g.abs())
    return x.grad
# %% own
def run_again(fn, x, g):
    x = x.detach()
    with ml.enable_grad():
        z = fn(x)
    z.backward(g)
    return g
