# %% kept
def kept_bytes(batch, widths):
    total = 0.0
    for width in widths[1:]:
        total += 4.0 * batch * width
    return total

# %% parts
def accumulate(model, x, y, parts):
    for rows, labels in zip(x.chunk(parts), y.chunk(parts)):
        loss = ml.nn.functional.cross_entropy(model(rows), labels)
        (loss * len(rows) / len(x)).backward()

# %% placement
def placement(n):
    import numpy as np

    return np.diff(np.unique(np.linspace(0, n, int(np.ceil(n**0.5)) + 1).round()))

# %% own
def run_again(fn, x, g):
    leaf = x.detach().requires_grad_(True)
    with ml.enable_grad():
        (fn(leaf) * g).sum().backward()
    return leaf.grad.detach()
