"""The worked examples that the views open on when they are given no recording. They run: their numbers are computed."""

from __future__ import annotations

import linecache
import math
from types import CodeType
from typing import Any

from ..core.array import float32, float64, xp
from ..func.forward import jvp
from ..nn.functional import cross_entropy
from ..ops.elementwise import exp
from ..optim import SGD
from ..recording import record
from ..recording.recording import Recording
from ..tensors.factories import tensor
from ..tensors.tensor import Tensor

BACKWARD = """\
v1 = tensor(ln2, requires_grad=True)
v2 = exp(v1)
v3 = 1 + v2
v4 = v2 * v3
v4.backward()
"""

TAPE = """\
x = tensor(1.0, requires_grad=True)
y = x * 2
z = y + 1
z.backward()
"""

FORWARD = """\
def f(x):
    a = x ** 2
    b = x.sin()
    y = a * b
    return y
jvp(f, (tensor(2.0),), (tensor(1.0),))
"""


MEMORY = """\
h = (x @ W1 + b1).relu()
z = h @ W2 + b2
loss = cross_entropy(z, y)
loss.backward()
SGD([W1, b1, W2, b2], lr=0.1).step()
"""


CAPTURE = """\
def middle(x):
    y = x + 1
    print("middle")
    return y * 2
"""

PARTITION = """\
def f(x, w):
    h = x @ w
    a = h.sin()
    b = a.exp()
    y = b.tanh()
    return y
"""

PIPELINE = """\
def f(x, y):
    a = x * 1
    b = (a * y).exp()
    c = (x * y).exp()
    return b + c / 2
"""


def memory_example() -> Recording:
    """One step of a net 784 → 256 → 10 on 32 examples: the peak comes when W1.grad is made."""
    return run(MEMORY, "memory example", perceptron())


ARENA = """\
@compiled
def net(x, w, v):
    h = gelu(x @ w)
    y = gelu(h @ v)
    return (y * y).sum()
for step in range(2):
    loss = net(x, w, v)
    loss.backward()
"""


def arena_example() -> Recording:
    """Two layers with GELU on eight examples, compiled for NumPy: the second call runs in kernels."""
    from ..compiler.capture.api import compile
    from ..nn.functional import gelu

    rng = xp.random.default_rng(0)
    given: dict[str, Any] = {
        name: tensor(0.1 * rng.standard_normal(of), float32, requires_grad=name != "x")
        for name, of in {"x": (8, 32), "w": (32, 64), "v": (64, 16)}.items()
    }
    return run(ARENA, "arena example", {**given, "gelu": gelu, "compiled": lambda f: compile(f, backend="numpy")})


TIMELINE = """\
t = A + B
u = t * C
E = D + u
"""


def timeline_example() -> Recording:
    """E = D + (A + B) · C on a thousand numbers: three small kernels, and Python between them."""
    rng = xp.random.default_rng(0)
    given = {name: tensor(rng.standard_normal(1000), float32) for name in "ABCD"}
    run(TIMELINE, "timeline example", dict(given))  # the first time, everything is slow
    return run(TIMELINE, "timeline example", given)


def perceptron() -> dict[str, Any]:
    """Weights, and a batch of 32, from a fixed seed."""
    rng = xp.random.default_rng(0)
    weights = {"W1": (784, 256), "b1": (256,), "W2": (256, 10), "b2": (10,)}
    made = {name: tensor(0.05 * rng.standard_normal(of), float32, requires_grad=True) for name, of in weights.items()}
    batch = {"x": tensor(rng.standard_normal((32, 784)), float32), "y": tensor(rng.integers(0, 10, 32))}
    _ = batch["x"] @ made["W1"]  # the first product wakes the threads of BLAS, which takes longer than all the rest
    return {**made, **batch, "cross_entropy": cross_entropy, "SGD": SGD}


def backward_example() -> Recording:
    """exp(v)·(1 + exp(v)) at v = ln 2, in float64: the gradient is 10."""
    return run(BACKWARD, "backward example")


def tape_example() -> Recording:
    """2x + 1 at x = 1: two nodes, of which one keeps the 2."""
    return run(TAPE, "tape example")


def forward_example() -> Recording:
    """x² sin x at 2, and how it moves when x does: 3.637 and 1.973."""
    return run(FORWARD, "forward example")


def run(text: str, title: str, given: dict[str, Any] | None = None) -> Recording:
    """Run and record a few lines, as if the reader had typed them. They see `given`, else what `names` has."""
    with record() as recording:
        defined(text, title, names() if given is None else given)
    return recording


def defined(text: str, title: str, given: dict[str, Any]) -> dict[str, Any]:
    """Run a few lines, as if the reader had typed them; the names that they see, and those that they have made."""
    file = f"<{title}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    exec(compiled(text, file), given)  # our own text, above
    return given


def compiled(text: str, file: str) -> CodeType:
    """The code object of `text`."""
    return compile(text, file, "exec")


def names() -> dict[str, Any]:
    """What the examples may use."""
    return {"tensor": in_float64, "exp": exp, "ln2": math.log(2.0), "jvp": jvp}


def in_float64(data: float, requires_grad: bool = False) -> Tensor:
    """A tensor with digits to spare, so that ln 2 comes back as ln 2."""
    return tensor(data, dtype=float64, requires_grad=requires_grad)
