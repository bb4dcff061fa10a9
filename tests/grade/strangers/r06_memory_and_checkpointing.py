# %% kept
import numpy as np

def kept_bytes(batch, widths):
    return np.prod([4, batch]) * np.sum(widths[1:])
# %% kept
def kept_bytes(batch, widths):
    return sum(batch * w * 4 for w in widths) - 4 * batch * widths[0]
# %% kept
def kept_bytes(batch, widths):
    _, *rest = widths
    return batch * 4 * rest[0] + (kept_bytes(batch, rest) if len(rest) > 1 else 0)
# %% kept
def kept_bytes(batch, widths):
    model = ml.nn.Sequential(*[layer for a, b in zip(widths[:-2], widths[1:-1]) for layer in (ml.nn.Linear(a, b), ml.nn.ReLU())], ml.nn.Linear(widths[-2], widths[-1]))
    x = ml.randn(batch, widths[0])
    with ml.memory.account() as account:
        y = model(x)
        return account.live_by_category["activation"]
# %% parts
def accumulate(model, x, y, parts):
    n = len(x)
    for k in range(parts):
        rows = slice(k * n // parts, (k + 1) * n // parts)
        loss = ml.cross_entropy(model(x[rows]), y[rows], reduction="sum") / n
        loss.backward()
# %% parts
def accumulate(model, x, y, parts):
    rows = x.shape[0] // parts
    xs, ys = x.reshape(parts, rows, -1), y.reshape(parts, rows)
    for a, b in zip(xs, ys):
        ml.cross_entropy(model(a), b).mul(1 / parts).backward()
# %% parts
def accumulate(model, x, y, parts):
    for k in range(parts):
        part = ml.cross_entropy(model(x[k::parts]), y[k::parts])
        part.backward(ml.tensor(1.0 / parts))
# %% parts
def accumulate(model, x, y, parts):
    size = len(x) // parts
    for a, b in zip(x.split(size), y.split(size)):
        ml.cross_entropy(model(a), b).backward()
    for p in model.parameters():
        p.grad /= parts
# %% parts
criterion = ml.nn.CrossEntropyLoss()

def accumulate(model, x, y, parts):
    loader = ml.data.DataLoader(ml.data.TensorDataset(x, y), batch_size=len(x) // parts)
    for a, b in loader:
        (criterion(model(a), b) / parts).backward()
# %% placement
import math

def placement(n):
    size = math.isqrt(n)
    out = []
    while n > 0:
        out.append(min(size, n))
        n -= size
    return out
# %% placement
def placement(n):
    k = max(1, int(n**0.5))
    base, extra = divmod(n, k)
    return [base + (i < extra) for i in range(k)]
# %% placement
import math

def placement(n):
    k = math.ceil(math.sqrt(n))
    cuts = [round(i * n / k) for i in range(k + 1)]
    return [b - a for a, b in zip(cuts, cuts[1:]) if b > a]
# %% placement
def placement(n):
    def go(left, size):
        return [left] if left <= size else [size, *go(left - size, size)]
    return tuple(go(n, max(1, round(n ** .5))))
# %% placement
import numpy as np

def placement(n):
    return [len(part) for part in np.array_split(np.arange(n), int(np.sqrt(n)))]
# %% own
def run_again(fn, x, g):
    leaf = x.detach()
    leaf.requires_grad = True
    with ml.enable_grad():
        fn(leaf).backward(g)
    return leaf.grad
# %% own
@ml.enable_grad()
def run_again(fn, x, g):
    x = x.detach().requires_grad_()
    (fn(x) * g.detach()).sum().backward()
    return x.grad
# %% own
def run_again(fn, x, g):
    leaf = x.detach().requires_grad_()
    with ml.enable_grad():
        loss = ml.sum(ml.mul(fn(leaf), g))
        loss.backward()
    gradient, leaf.grad = leaf.grad, None
    return gradient
# %% own
class Again:
    def __call__(self, fn, x, g):
        start = ml.tensor(x.detach().numpy().copy(), requires_grad=True)
        with ml.enable_grad():
            end = fn(start)
        end.backward(g)
        return start.grad

run_again = Again()
