"""Errors that teach. Each says what was given, the rule it broke, and the nearest right call.

Every class is also what Python and PyTorch raise in its place, so that `except` clauses written for them still hold.
"""

from __future__ import annotations

from typing import Any


class MinitorchError(RuntimeError):
    """The root of every error this package raises on purpose. A RuntimeError, as most of PyTorch's are.

    Args:
        given: What the caller handed over, in one sentence.
        rule: The rule that this broke.
        hint: The nearest call that would have worked.

    Example:
        >>> print(MinitorchError("sum got dim=2.", "A matrix has the dims 0 and 1.", "Did you mean dim=1?"))
        sum got dim=2.
          A matrix has the dims 0 and 1.
          Did you mean dim=1?
    """

    def __init__(self, given: str, rule: str = "", hint: str = "") -> None:
        super().__init__("\n  ".join(part for part in (given, rule, hint) if part))


class ShapeError(MinitorchError, ValueError):
    """Shapes, axes or indices that do not fit together."""


class BoundsError(ShapeError, IndexError):
    """An index or a dim that reaches past the end."""


class ScalarError(ShapeError, TypeError):
    """An axis asked of a tensor that has none, by a Python protocol: `len`, `iter`."""


class DTypeError(MinitorchError, TypeError):
    """An element type that the operation has no meaning for."""


class IndexTypeError(DTypeError, IndexError):
    """An index of a type that names no places."""


class DeviceError(MinitorchError, ValueError):
    """Tensors on different devices, or a device that this machine does not have."""


class LinAlgError(MinitorchError):
    """A matrix without the inverse or the factors that were asked for."""


class GradientError(MinitorchError):
    """A backward pass that cannot give the right gradient, and so gives none."""


class ArgumentError(MinitorchError, TypeError, ValueError):
    """A value or a keyword that a call does not take.

    Attributes:
        raw: The error from inside that showed it, if one did.
    """

    raw: Exception


class RecordingError(MinitorchError, ValueError):
    """A recording that cannot be read or made."""


class CaptureError(MinitorchError):
    """A program that cannot be captured as a graph, or a graph that is not well formed."""


class MismatchError(MinitorchError, AssertionError):
    """A compiled function that did not do what the function does.

    Attributes:
        kind: What differs: `"result"`, `"effect"`, `"error"` or `"gradient"`.
        call: In which of the checked calls, from 1.
        graph: The graph in which it happened; None if each of them by itself does what its ops do.
        node: The first op in it whose value differs, or whose rule sends back another gradient.
        inputs: The arguments with which the graph ran.
    """

    kind: str
    call: int
    graph: Any
    node: Any
    inputs: list[Any]


class PlanError(MinitorchError, ValueError):
    """A memory plan that would let one value spoil another."""


class OutOfMemoryError(MinitorchError, MemoryError):
    """More memory than there is. The text says what is alive at once, and what would need less."""


class WorkerError(MinitorchError):
    """A worker of a loader that ended, or did not answer in time."""
