"""What a guard asks of tensors, asked by machine code: one call in place of some fifty steps of Python.

A step's guards look at the type, dtype, shape, strides and history of every tensor. In Python that is 0.2 µs each, as
much as a small kernel takes. PyTorch writes its guards in C++ for the same reason. Here is one function for all of
them: it reads what it asks for from a table.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from ....autograd.node import Leaf, Node
from ....core.array import int64, xp
from ....tensors.tensor import Tensor
from .layout import slot
from .target import target_of

SETTLED = 5  # the words of an entry of the table before the lengths


@dataclass(frozen=True, slots=True)
class Questions:
    """The functions. Where one says False although all is well, Python asks again.

    Attributes:
        fits: `fits(table, *tensors)`: whether each has the facts that its entry in the table names.
        leaves: `leaves(*tensors)`: whether all are leaves without hooks, at which gradients just arrive.
        labels: `labels(tensor, n)`: whether an array in row order has nothing but whole numbers from 0 to n - 1.
        apart: `apart(n, *objects)`: whether the first n objects are none of the others, nor each other.
        owned: `owned(n, *arrays)`: the same, and no array shows memory of another.
        table: Writes the table.
        code: Where they lie, which must live as long as they.
    """

    fits: Callable[..., bool]
    leaves: Callable[..., bool]
    labels: Callable[..., bool]
    apart: Callable[..., bool]
    owned: Callable[..., bool]
    table: Callable[..., Any]
    code: Any


@cache
def questions() -> Questions | None:
    """The functions, compiled by the first who asks; None where this interpreter lays out its objects otherwise.

    Example:
        >>> import minitorch_lab as ml
        >>> x, known = ml.ones(2, 3), questions()
        >>> wanted = known.table([(Tensor, x.dtype, (2, 3), (12, 4), False)])
        >>> known.fits(wanted, x), known.fits(wanted, x.T), known.fits(wanted, x.requires_grad_())
        (True, False, False)
    """
    found = slot(Tensor, "value"), slot(Tensor, "node"), slot(Node, "hooks"), slot(Node, "grad")
    offsets = [x for x in found if x is not None]
    if len(offsets) < len(found):
        return None
    from .machine import loaded

    target = target_of()
    compiled = loaded(f"questions, slots at {offsets}\n{target}", target, lambda: print_functions(offsets))
    constants = xp.array([id(None), id(Leaf), id(xp.ndarray), id(int64)])
    names = "fits", "leaves", "labels", "apart", "owned"
    return Questions(**{name: compiled.function(name, constants) for name in names}, table=table_of, code=compiled)


def print_functions(offsets: Sequence[int]) -> str:
    """The functions as LLVM's assembly."""
    from .asking import assembly

    return assembly(offsets)


def table_of(facts: Sequence[tuple[type, Any, Sequence[Any], Sequence[Any], bool]]) -> Any:
    """What `fits` is to ask of tensors: of each its type, dtype, lengths, strides, and whether it has a history.

    Args:
        facts: A length is a number, or None for any from 2 on. A stride is a number of bytes, or one for each entry
            of some axes: `(bytes, axes)`.

    Returns:
        Words: for each tensor how many words of it there are, its type, whether it has a history, its dtype, its axes;
        then its lengths, -1 where it is open; then its strides, each with the axes whose lengths multiply it as bits.
    """
    words: list[int] = []
    for kind, dtype, lengths, strides, history in facts:
        n = len(lengths)
        words += [SETTLED + 3 * n, id(kind), int(history), id(dtype), n]
        words += [-1 if length is None else length for length in lengths]
        for step in strides:
            each, axes = step if isinstance(step, tuple) else (step, ())
            words += [each, sum(1 << axis for axis in axes)]
    return xp.array(words, dtype=xp.int64)
