"""Short programs, run and recorded as if a reader had typed them."""

from __future__ import annotations

import linecache
from typing import Any

import minitorch_lab as ml
from minitorch_lab.recording import Recording, record


def run(text: str, error: type[Exception] | None = None) -> Recording:
    """Run `text`, which knows `ml` and `record` and leaves its recording in `rec`. `error` is what may end it."""
    file = f"<program {hash(text)}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    names: dict[str, Any] = {"ml": ml, "record": record}
    try:
        exec(compile(text, file, "exec"), names)
    except Exception as raised:
        if error is None or not isinstance(raised, error):
            raise
    return names["rec"]


LISTING_1 = """\
x = ml.tensor(1.0, requires_grad=True)
with record() as rec:
    y = x * 2
    z = y + 1
    z.backward()
"""

EXP = """\
v1 = ml.tensor(ml.tensor(2.0, dtype=ml.float64).log().item(), dtype=ml.float64, requires_grad=True)
with record() as rec:
    v2 = v1.exp()
    v3 = 1 + v2
    v4 = v2 * v3
    v4.backward()
"""

SQUARE_SINE = """\
x = ml.tensor(2.0, requires_grad=True)
with record() as rec:
    a = x ** 2
    b = x.sin()
    c = a * b
    c.backward()
"""

TWO_LEAVES = """\
x1 = ml.tensor(2.0, requires_grad=True)
x2 = ml.tensor(5.0, requires_grad=True)
with record() as rec:
    y = x1.log() + x1 * x2 - x2.sin()
    y.backward()
"""

TRAINING = """\
ml.manual_seed(0)
model = ml.nn.Sequential(ml.nn.Linear(784, 256), ml.nn.ReLU(), ml.nn.Linear(256, 10))
opt = ml.optim.SGD(model.parameters(), lr=0.1)
x = ml.rand(32, 784)
y = ml.randint(0, 10, (32,))
with record() as rec:
    loss = ml.nn.functional.cross_entropy(model(x), y)
    loss.backward()
    opt.step()
"""

RESIDUAL = """\
x = ml.tensor([1.0, -2.0], requires_grad=True)
w = ml.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
with record() as rec:
    h = (x @ w).tanh()
    y = h + h * x
    loss = y.sum()
    loss.backward()
"""

STALE = """\
x = ml.tensor([1.0, 2.0, 3.0], requires_grad=True)
with record() as rec:
    y = x.exp()
    y.add_(1)
    z = y.sum()
    z.backward()
"""

THROUGH_VIEW = """\
x = ml.tensor([1.0, 2.0, 3.0], requires_grad=True)
with record() as rec:
    y = x * 2
    v = y[1:]
    v.mul_(10)
    z = y.sum()
    z.backward()
"""

DOUBLE = """\
x = ml.tensor(3.0, requires_grad=True)
with record() as rec:
    y = x ** 3
    y.backward(create_graph=True)
    g = x.grad
    x.grad = None
    g.backward()
"""

TWICE = """\
x = ml.tensor(1.0, requires_grad=True)
with record() as rec:
    (x * 2).backward()
    (x * 3).backward()
"""

HOOK = """\
x = ml.tensor(2.0, requires_grad=True)
with record() as rec:
    y = x * 1
    y.register_hook(lambda g: g.clamp(max=1))
    z = y * 10
    z.backward()
"""

HOOKS = """\
def clip(g):
    return g.clamp(max=1)
x = ml.tensor(2.0, requires_grad=True)
with record() as rec:
    y = x * 1
    y.register_hook(clip)
    y.register_hook(lambda g: None)
    z = y * 10
    z.grad_fn.register_hook(lambda sent, came: (sent[0] * 2, None))
    x.register_hook(lambda g: g * 3)
    z.backward()
"""

AS_A_RESULT = """\
x = ml.tensor(3.0, requires_grad=True)
with record() as rec:
    y = x ** 3
    (g,) = ml.autograd.grad(y, x, create_graph=True)
    (h,) = ml.autograd.grad(g, x)
"""

GRAD = """\
def f(x1, x2):
    return x1.log() + x1 * x2 - x2.sin()
with record() as rec:
    ml.func.grad(f, argnums=(0, 1))(ml.tensor(2.0), ml.tensor(5.0))
"""

GRAD_GRAD = """\
with record() as rec:
    ml.func.grad(ml.func.grad(lambda x: x ** 3))(ml.tensor(3.0))
"""

PER_EXAMPLE = """\
def loss(w, x):
    return (w * x).sum().tanh()
with record() as rec:
    ml.func.vmap(ml.func.grad(loss), in_axes=(None, 0))(ml.ones(3), ml.ones(8, 3))
"""

TWO_ROOTS = """\
x = ml.tensor(3.0, requires_grad=True)
with record() as rec:
    y = x * 2
    z = y * y
    ml.autograd.grad((y, z), (x, y))
"""

CHECKPOINT = """\
def f(x):
    a = x.exp()
    b = a.sin()
    return b * a
x = ml.tensor(0.5, requires_grad=True)
with record() as rec:
    y = ml.autograd.checkpoint(f, x)
    z = y * 2
    z.backward()
"""

NESTED = """\
def inner(x):
    return x.sin().exp()
def outer(x):
    return ml.autograd.checkpoint(inner, x.exp()).sin()
x = ml.tensor(0.5, requires_grad=True)
with record() as rec:
    z = ml.autograd.checkpoint(outer, x) * 2
    z.backward()
"""

SEGMENTS = """\
ml.manual_seed(0)
net = ml.nn.Sequential(*[layer for _ in range(6) for layer in (ml.nn.Linear(8, 8), ml.nn.Tanh())])
x = ml.randn(16, 8)
with record() as rec:
    loss = ml.autograd.checkpoint_sequential(net, 3, x).pow(2).mean()
    loss.backward()
"""

CHAIN = """\
x = ml.tensor(1.0, requires_grad=True)
with record() as rec:
    y = x
    for _ in range(1000):
        y = y * 1.001
    y.backward()
"""

ALL = {
    name.lower(): text
    for name, text in globals().items()
    if name.isupper() and isinstance(text, str) and name not in ("CHAIN", "STALE")
}

FORWARD = {
    "x2_sin": """\
x, v = ml.tensor(2.0), ml.tensor(1.0)
with record() as rec:
    ml.func.jvp(lambda x: x**2 * x.sin(), (x,), (v,))
""",
    "both_directions": """\
def f(x1, x2):
    return x1.log() + x1 * x2 - x2.sin()
x1, x2, on, off = ml.tensor(2.0), ml.tensor(5.0), ml.tensor(1.0), ml.tensor(0.0)
with record() as rec:
    ml.func.jvp(f, (x1, x2), (on, off))
    ml.func.jvp(f, (x1, x2), (off, on))
""",
    "matrices": """\
w = ml.tensor([[1.0, 2.0], [3.0, 4.0]])
x, v = ml.tensor([0.1, 0.2]), ml.tensor([1.0, 0.0])
with record() as rec:
    ml.func.jvp(lambda x: (w @ x).tanh().sum(), (x,), (v,))
""",
    "every_direction_at_once": """\
w = ml.tensor([[1.0, 2.0], [3.0, 4.0]])
with record() as rec:
    ml.func.jacfwd(lambda x: (w @ x).tanh())(ml.tensor([0.1, 0.2]))
""",
    "written_in_place": """\
def f(x):
    y = x * 2
    y += 1
    return y * x
with record() as rec:
    ml.func.jvp(f, (ml.tensor(3.0),), (ml.tensor(1.0),))
""",
}

MAPPED = {
    "shared_weights": """\
def score(w, x):
    h = (w * x).tanh()
    s = w.sum()
    return (h * s).sum()
with record() as rec:
    ml.func.vmap(score, in_axes=(None, 0))(ml.tensor([1.0, 2.0, 3.0]), ml.ones(256, 3))
""",
    "per_example_gradients": PER_EXAMPLE,
    "two_batch_axes": """\
with record() as rec:
    ml.func.vmap(lambda x: ml.func.vmap(lambda y: (x * y).sum())(ml.ones(5, 3)))(ml.ones(4, 3))
""",
}


def reading_loop() -> Recording:
    """A recorded loop that reads its input again in every turn: 1,156 nodes, edges as long as the picture."""
    x = ml.tensor(1.5, requires_grad=True)
    with ml.record() as rec:
        z = x
        for _ in range(165):
            z = (z * 1.01).sin() + x
        z.backward()
    return rec
