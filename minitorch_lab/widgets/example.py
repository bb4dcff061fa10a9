"""The worked examples that the views open on when they are given no recording. They run: their numbers are computed."""

from __future__ import annotations

import linecache
from types import CodeType
from typing import Any

from ..record import record
from ..record.recording import Recording

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


def backward_example() -> Recording:
    """exp(v)·(1 + exp(v)) at v = ln 2, in float64: the gradient is 10."""
    return run(BACKWARD, "backward example")


def tape_example() -> Recording:
    """2x + 1 at x = 1: two nodes, of which one keeps the 2."""
    return run(TAPE, "tape example")


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
    import math

    import minitorch_lab as ml

    def tensor(data: float, requires_grad: bool = False) -> Any:
        return ml.tensor(data, dtype=ml.float64, requires_grad=requires_grad)

    return {"tensor": tensor, "exp": ml.exp, "ln2": math.log(2.0)}
