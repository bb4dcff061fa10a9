"""What a write in place may not do, though the memory would bear it: a gradient or a value would be ambiguous."""

from __future__ import annotations

from typing import Any

from ..core.array import solid, tangled
from ..errors import GradientError, ShapeError
from ..ops.op import Op
from ..ops.template import filled
from ..tensors.tensor import Storage, Tensor, tracked
from .custom import Call


def forbid_leaf(x: Tensor, op: Op | Call) -> None:
    """Refuse to overwrite a leaf that asks for a gradient: what should its gradient be, of which value?"""
    root = x
    while root.link is not None:
        root = root.link.base
    if root.node is not None and root.node.op is None:
        raise GradientError(
            f"{op.name}_ on a leaf that requires a gradient{'' if root is x else ' (through a view of it)'}.",
            "The gradient belongs to the value that the leaf had; a write would lose it.",
            "Did you mean with ml.no_grad(): ..., as an optimizer does? Or y = x.clone() first.",
        )


def forbid_unwatched(x: Tensor, what: str) -> None:
    """Refuse a recorded write that a view made under no_grad() has part in: was the view to be recorded or not?"""
    if x.link is not None and x.link.unwatched:
        raise GradientError(
            f"{what} a view that was made under no_grad().",
            "Made unseen, it has no history; after a write it would have one. PyTorch refuses to guess which you mean.",
            "Make the view and write it both inside no_grad(), or both outside.",
        )


def asks(a: Any) -> bool:
    """Whether an operand has to do with a gradient: also a view, made under no_grad(), of a tensor that has one."""
    while isinstance(a, Tensor):
        if tracked(a) is not None:
            return True
        a = a.link.base if a.link is not None and a.link.unwatched else None
    return False


def forbid_tangle(op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any], storage: Storage) -> None:
    """Refuse to read an operand while writing over a part of it, as in x[1:] += x[:-1]: which entries are old?"""
    for a in args:
        if isinstance(a, Tensor) and a.storage is storage and a is not x:
            target, index = x.value, params.get("index")
            if index is not None and len(args) == 1:
                target = solid(x.value[filled(index, ())])
            if tangled(target, solid(a.value)):
                raise ShapeError(
                    f"{op.name}_ of a tensor of shape {x.shape} reads an operand on a part of the same memory.",
                    "Some of its entries would be written before they are read.",
                    "Did you mean y.clone() as the operand?",
                )
