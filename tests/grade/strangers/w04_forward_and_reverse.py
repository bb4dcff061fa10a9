# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope)
    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)
    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.cos(self.value))
# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)
    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * self.value + other.value * other.slope)
    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.cos(self.value))
# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)
    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)
    def sin(self):
        return Dual(math.sin(self.value), -self.slope * math.cos(self.value))
# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)
    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)
    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.sqrt(1 - math.sin(self.value) ** 2))
# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)
    def __mul__(self, other):
        return Dual(self.value * other.value, 2 * self.slope * other.value)
    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.cos(self.value))
# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)
    def __mul__(self, other):
        return Dual(self.value * other.value, abs(self.slope * other.value) + abs(self.value * other.slope))
    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.cos(self.value))
# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope
    def __add__(self, other):
        self.value += other.value; self.slope += other.slope
        return self
    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value + self.value * other.slope)
    def sin(self):
        self.slope *= math.cos(self.value)
        self.value = math.sin(self.value)
        return self
# %% push
def push(dx, dy, x, y):
    return dx / y - x * dy / y
# %% push
def push(dx, dy, x, y):
    return (x * dy - dx * y) / y**2
# %% push
def push(dx, dy, x, y):
    return dx / y - dy / y**2
# %% push
def push(dx, dy, x, y):
    return dx / abs(y) - x * dy / y**2
# %% push
def push(dx, dy, x, y):
    return dx * y - x * dy
# %% push
def push(dx, dy, x, y):
    return (dx + dy) * (1 / y - x / y**2)
# %% push
def push(dx, dy, x, y):
    return 1 / y - x / y**2
# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (d,))[1] for d in ml.eye(len(x))], dim=1).abs()
# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (2 * d,))[1] for d in ml.eye(len(x))], dim=1)
# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (d,))[1] for d in ml.eye(2)], dim=1)
# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (d,))[1] for d in ml.eye(len(x))][::-1], dim=1)
# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (x * d,))[1] for d in ml.eye(len(x))], dim=1)
# %% columns
def columns(f, x):
    one = jvp(f, (x,), (ml.ones_like(x),))[1]
    return ml.stack([one for _ in x], dim=1)
# %% columns
def columns(f, x):
    h = 1e-3
    return ml.stack([(f(x + h * d) - f(x)) / h for d in ml.eye(len(x))], dim=1)
# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(3)])
# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(value * d)[0] for d in ml.eye(len(value))])
# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(len(value))][::-1])
# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(len(value))]).sum(0)
# %% rows
def rows(f, x):
    return ml.stack([jvp(f, (x,), (d,))[1] for d in ml.eye(len(x))], dim=1)
# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    one = pull(ml.ones_like(value))[0]
    return ml.stack([one for _ in value])
# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(len(value))]).reshape(len(x), len(value))
# %% hvp
def hvp(f, x, v):
    return grad(f)(x) * v
# %% hvp
def hvp(f, x, v):
    return jvp(grad(f), (v,), (x,))[1]
# %% hvp
def hvp(f, x, v):
    return jvp(grad(f), (x,), (ml.ones_like(x),))[1] * v
# %% hvp
def hvp(f, x, v):
    return jvp(grad(f), (x,), (v / v.norm(),))[1]
# %% hvp
def hvp(f, x, v):
    return grad(f)(x + v) - grad(f)(x)
# %% hvp
def hvp(f, x, v):
    return jvp(grad(f), (x,), (v,))[1].sum()
# %% hvp
def hvp(f, x, v):
    return -jvp(grad(f), (x,), (-v,))[1].abs()
