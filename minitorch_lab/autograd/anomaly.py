"""Anomaly detection: when a rule gives NaN, say which line of the forward pass it belongs to."""

from __future__ import annotations

import linecache
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from ..core.array import xp
from ..core.interpret import Interpreter, interpreting
from ..errors import GradientError
from ..tensors.tensor import Tensor
from .custom import Slots
from .eager import Eager
from .layer import Layer, tape_in_force
from .node import Node
from .pullback import OnArrays, OnTensors
from .scope import Opening, Scope

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep


class Place(NamedTuple):
    """A line of the user's code."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{os.path.basename(self.file)}, line {self.line}: {linecache.getline(self.file, self.line).strip()}"


def here(*others: str) -> Place | None:
    """The innermost line that runs now and is neither ours nor in one of the `others`, given as starts of paths."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None:
        file = frame.f_code.co_filename
        if not file.startswith((PACKAGE, "<frozen", *others)):
            return Place(file, frame.f_lineno)
        frame = frame.f_back
    return None


class Anomaly(Layer):
    """Notes where each node was made, and checks what the rules give."""

    def __init__(self, under: Eager) -> None:
        super().__init__(under)
        self.places: WeakKeyDictionary[Node, Place | None] = WeakKeyDictionary()
        self.pulling: Node | None = None  # the node whose rule runs, in a walk that is itself recorded

    def made(self, node: Node) -> None:
        """Note the line; what a rule makes belongs to the line of its node."""
        known = self.pulling is not None and self.pulling in self.places
        self.places[node] = self.places[self.pulling] if known and self.pulling is not None else here()

    def rules(self, retain: bool, create: bool) -> OnArrays:
        """Rules that look at what they give."""
        return (CheckedTensors if create else CheckedArrays)(self, retain)


class CheckedArrays(OnArrays):
    """Backward rules that stop at the first NaN."""

    def __init__(self, tape: Anomaly, retain: bool) -> None:
        super().__init__(tape, retain)
        self.anomaly = tape

    def pull(self, node: Node, g: Any) -> list[Any]:
        """Run the rules of `node`, and check what they give.

        Raises:
            GradientError: There is a NaN in it.
        """
        outer, self.anomaly.pulling = self.anomaly.pulling, node
        try:
            with xp.errstate(all="ignore"):  # the error below says more than NumPy's warnings
                sent = super().pull(node, g)
        finally:
            self.anomaly.pulling = outer
        for i, part in enumerate(sent):
            if part is not None and (count := bad(part)):
                raise self.found(node, i, count, part)
        return sent

    def found(self, node: Node, i: int, count: int, part: Any) -> GradientError:
        """The error that names the line."""
        place = self.anomaly.places.get(node)
        size = xp.size(held(part))
        line = (
            f"The forward pass made it at {place}"
            if place is not None
            else "It was made before detect_anomaly() began: put the forward pass into the block too."
        )
        return GradientError(
            f"{node.name()} gave NaN for input {i}, in {count} of {size} entries.",
            line,
            "NaN comes of 0·∞, 0/0 or ∞ − ∞: keep the values there from where the derivative is infinite.",
        )


class CheckedTensors(CheckedArrays, OnTensors):
    """The same for a walk that is itself recorded."""

    def __init__(self, tape: Anomaly, retain: bool) -> None:
        super().__init__(tape, retain)
        self.ground: Interpreter = tape


def held(x: Any) -> Any:
    """The array of a cotangent."""
    return x.value if isinstance(x, Tensor) else x


def bad(x: Any) -> int:
    """How many entries are NaN; a way to one of several results passes on what it got, which was looked at before."""
    return 0 if isinstance(x, Slots) else int(xp.isnan(held(x)).sum())


@Opening
def detect_anomaly() -> Scope:
    """Stop a backward pass at the first NaN, and name the line of the forward pass whose rule gave it.

    Forward and backward both belong into the block. It costs time; outside the block nothing is checked.

    Raises:
        GradientError: In the block: a rule gave NaN. At its start: it is inside a function that a transform runs.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([0.0, 4.0], requires_grad=True)
        >>> with ml.autograd.detect_anomaly():  # doctest: +ELLIPSIS
        ...     y = (x.sqrt() * x).sum()
        ...     y.backward()
        Traceback (most recent call last):
        ...
        minitorch_lab.errors.GradientError: SqrtBackward gave NaN for input 0, in 1 of 2 entries.
          ...
    """

    @contextmanager
    def block() -> Generator[None]:
        with interpreting(Anomaly(tape_in_force("detect_anomaly"))):
            yield

    return Scope(block)
