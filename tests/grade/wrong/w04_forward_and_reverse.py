# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.slope)

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
        return Dual(math.sin(self.value), math.cos(self.value))

# %% dual
class Dual:
    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.slope * other.value)

    def sin(self):
        return Dual(math.sin(self.value), self.slope * math.cos(self.value))

# %% push
def push(dx, dy, x, y):
    return dx / y

# %% push
def push(dx, dy, x, y):
    return dx / y + x * dy / y**2

# %% push
def push(dx, dy, x, y):
    return dx / dy

# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (d,))[1] for d in ml.eye(len(x))], dim=0)

# %% columns
def columns(f, x):
    return [jvp(f, (x,), (d,))[1] for d in ml.eye(len(x))]

# %% columns
def columns(f, x):
    return ml.stack([jvp(f, (x,), (d,))[0] for d in ml.eye(len(x))], dim=1)

# %% columns
def columns(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(len(value))], dim=0)

# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(len(value))], dim=1)

# %% rows
def rows(f, x):
    n = len(f(x))
    return ml.stack([vjp(f, x)[1](d)[0] for d in ml.eye(n)])

# %% rows
def rows(f, x):
    value, pull = vjp(f, x)
    return ml.stack([pull(d)[0] for d in ml.eye(len(x))])

# %% hvp
def hvp(f, x, v):
    return hessian(f)(x) @ v

# %% hvp
def hvp(f, x, v):
    return jvp(f, (x,), (v,))[1]

# %% hvp
def hvp(f, x, v):
    return jvp(grad(f), (x,), (v,))[0]

# %% hvp
def hvp(f, x, v):
    eps = 1e-4
    return (grad(f)(x + eps * v) - grad(f)(x)) / eps
