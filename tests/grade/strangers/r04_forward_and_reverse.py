# %% dual
from dataclasses import dataclass

@dataclass
class Dual:
    value: float
    slope: float

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)

    def sin(self):
        return Dual(math.sin(self.value), math.cos(self.value) * self.slope)
# %% dual
from typing import NamedTuple

class Dual(NamedTuple):
    value: float
    slope: float

    def __add__(self, o):
        return Dual(self.value + o.value, self.slope + o.slope)

    def __mul__(self, o):
        (a, da), (b, db) = self, o
        return Dual(a * b, da * b + a * db)

    def sin(self):
        return self._replace(value=math.sin(self.value), slope=self.slope * math.cos(self.value))
# %% dual
import numpy as np

class Dual:
    __slots__ = ("value", "slope")

    def __init__(self, value, slope=0.0):
        self.value = np.float64(value)
        self.slope = np.float64(slope)

    def __repr__(self):
        return f"Dual({self.value}, {self.slope})"

    def _lift(self, other):
        return other if isinstance(other, Dual) else Dual(other)

    def __add__(self, other):
        other = self._lift(other)
        return Dual(self.value + other.value, self.slope + other.slope)

    __radd__ = __add__

    def __mul__(self, other):
        other = self._lift(other)
        return Dual(self.value * other.value, np.dot([self.slope, self.value], [other.value, other.slope]))

    __rmul__ = __mul__

    def sin(self):
        return Dual(np.sin(self.value), self.slope * np.cos(self.value))
# %% dual
import cmath

class Dual:
    def __init__(self, value, slope):
        self._pair = (value, slope)

    value = property(lambda self: self._pair[0])
    slope = property(lambda self: self._pair[1])

    def __add__(self, other):
        return type(self)(*(a + b for a, b in zip(self._pair, other._pair)))

    def __mul__(self, other):
        return type(self)(self.value * other.value, sum(x * y for x, y in ((self.value, other.slope), (other.value, self.slope))))

    def sin(self):
        return type(self)(math.sin(self.value), self.slope * math.sin(self.value + math.pi / 2))
# %% push
def push(dx, dy, x, y):
    return dx / y - x * dy / y**2
# %% push
def push(dx, dy, x, y):
    z = x / y
    return (dx - z * dy) / y
# %% push
push = lambda dx, dy, x, y: (1 / y) * dx + (-x / (y * y)) * dy
# %% push
def push(dx, dy, x, y):
    by_x, by_y = y**-1, -x * y**-2
    return sum(slope * move for slope, move in ((by_x, dx), (by_y, dy)))
# %% columns
def columns(f, x):
    n = x.shape[0]
    out = []
    for k in range(n):
        e = ml.zeros(n)
        e[k] = 1.0
        _, tangent = jvp(f, (x,), (e,))
        out.append(tangent)
    return ml.stack(out, dim=-1)
# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (e,))[1] for e in ml.eye(x.numel())]).T
# %% columns
import numpy as np

def columns(f, x):
    cols = [jvp(f, (x,), (ml.tensor(e.astype("float32")),))[1].numpy() for e in np.eye(len(x))]
    return ml.tensor(np.column_stack(cols))
# %% columns
from minitorch_lab.func import vmap

def columns(f, x):
    return vmap(lambda e: jvp(f, (x,), (e,))[1], out_dims=1)(ml.eye(len(x))) if False else ml.stack([jvp(f, (x,), (ml.eye(len(x))[k],))[1] for k in range(len(x))], 1)
# %% columns
def columns(f, x):
    table = ml.zeros(len(f(x)), len(x))
    for k, e in enumerate(ml.eye(len(x))):
        table[:, k] = jvp(f, (x,), (e,))[1]
    return table
# %% rows
def rows(f, x):
    y, back = vjp(f, x)
    m = y.shape[0]
    out = []
    for k in range(m):
        e = ml.zeros(m)
        e[k] = 1
        (g,) = back(e)
        out += [g]
    return ml.stack(out)
# %% rows
def rows(f, x):
    y, back = vjp(f, x)
    table = ml.zeros(len(y), len(x))
    for k, e in enumerate(ml.eye(len(y))):
        table[k] = back(e)[0]
    return table
# %% rows
def rows(f, x):
    y, back = vjp(f, x)
    return ml.cat([back(e)[0].reshape(1, -1) for e in ml.eye(y.numel())])
# %% rows
def rows(f, x):
    x = x.detach().requires_grad_()
    y = f(x)
    return ml.stack([ml.autograd.grad(y[k], x, retain_graph=True)[0] for k in range(len(y))])
# %% rows
def rows(f, x):
    y, back = vjp(f, x)
    go = lambda k: [] if k == len(y) else [back(ml.eye(len(y))[k])[0], *go(k + 1)]
    return ml.stack(go(0))
# %% hvp
def hvp(f, x, v):
    _, moved = jvp(lambda at: grad(f)(at), (x,), (v,))
    return moved
# %% hvp
def hvp(f, x, v):
    value, pull = vjp(grad(f), x)
    return pull(v)[0]
# %% hvp
def hvp(f, x, v):
    x = x.detach().requires_grad_()
    (g,) = ml.autograd.grad(f(x), x, create_graph=True)
    (h,) = ml.autograd.grad((g * v).sum(), x)
    return h
# %% hvp
def hvp(f, x, v):
    # reverse over forward
    return grad(lambda z: jvp(f, (z,), (v,))[1])(x)
# %% hvp
hvp = lambda f, x, v: jvp(grad(f), (x,), (v,))[-1]
