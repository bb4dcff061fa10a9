"""The worked examples that the views open on when they are given no recording. They run: their numbers are computed."""

from __future__ import annotations

import linecache
import math
from types import CodeType
from typing import Any

from ..array import float64
from ..factories import tensor
from ..func.forward import jvp
from ..ops.elementwise import exp
from ..record import record
from ..record.recording import Recording
from ..tensor import Tensor

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


def backward_example() -> Recording:
    """exp(v)·(1 + exp(v)) at v = ln 2, in float64: the gradient is 10."""
    return run(BACKWARD, "backward example")


def tape_example() -> Recording:
    """2x + 1 at x = 1: two nodes, of which one keeps the 2."""
    return run(TAPE, "tape example")


def forward_example() -> Recording:
    """x² sin x at 2, and how it moves when x does: 3.637 and 1.973."""
    return run(FORWARD, "forward example")


def run(text: str, title: str) -> Recording:
    """Run and record a few lines, as if the reader had typed them."""
    file = f"<{title}>"
    linecache.cache[file] = len(text), None, text.splitlines(keepends=True), file
    with record() as recording:
        exec(compiled(text, file), names())  # our own text, above
    return recording


def compiled(text: str, file: str) -> CodeType:
    """The code object of `text`."""
    return compile(text, file, "exec")


def names() -> dict[str, Any]:
    """What the examples may use."""
    return {"tensor": in_float64, "exp": exp, "ln2": math.log(2.0), "jvp": jvp}


def in_float64(data: float, requires_grad: bool = False) -> Tensor:
    """A tensor with digits to spare, so that ln 2 comes back as ln 2."""
    return tensor(data, dtype=float64, requires_grad=requires_grad)
