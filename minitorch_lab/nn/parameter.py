"""Parameter: a leaf tensor that a module collects and an optimizer trains."""

from __future__ import annotations

from typing import Any
from weakref import WeakValueDictionary

from ..array import is_float
from ..errors import ArgumentError, GradientError
from ..tensor import Tensor, grounded, storage_of

_marked: WeakValueDictionary[int, Tensor] = WeakValueDictionary()


class _Marked(type):
    """Makes `isinstance(x, Parameter)` ask for the mark, since a parameter's class is plain `Tensor`."""

    def __instancecheck__(cls, x: object) -> bool:
        return _marked.get(id(x)) is x


class Parameter(metaclass=_Marked):
    """A leaf tensor with a mark on it, which says: train me.

    `Parameter(t)` gives a new tensor that shares the memory of `t`, is a leaf, requires grad, and carries the mark.
    A module that is given one as an attribute lists it among its `parameters()`. The mark outlives
    `requires_grad_(False)`, so a frozen parameter still belongs to its module.

    In PyTorch `Parameter` is a subclass of `Tensor`. Here its type is exactly `Tensor` and the mark is kept beside it,
    because the engine's short path recognises plain tensors by their exact type: a subclass would make every operator
    that touches a weight slower. `isinstance(p, Parameter)` works all the same.

    Args:
        data: A float32 or float64 tensor of any shape. Its history is left behind.
        requires_grad: False makes a parameter that is frozen from the start.

    Raises:
        ArgumentError: `data` is not a tensor.
        GradientError: `data` holds integers or booleans and `requires_grad` is True.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.nn.Parameter(ml.zeros(2, 3))
        >>> w.requires_grad, w.is_leaf, isinstance(w, ml.nn.Parameter), isinstance(w + 1, ml.nn.Parameter)
        (True, True, True, False)
    """

    def __new__(cls, data: Tensor, requires_grad: bool = True) -> Any:
        """A marked leaf that shares the memory of `data`."""
        if not isinstance(data, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"Parameter got a {type(data).__name__}.",
                "A parameter is made from a tensor.",
                "Did you mean Parameter(ml.tensor(data))?",
            )
        if requires_grad and not is_float(data.dtype):
            raise GradientError(
                f"Parameter got a tensor of dtype {data.dtype}.",
                "Only float32 and float64 tensors can require grad.",
                "Did you mean a buffer, self.register_buffer(name, data), or Parameter(data, requires_grad=False)?",
            )
        leaf = Tensor(grounded(data).value, None, storage_of(data))
        return mark(leaf.requires_grad_(requires_grad))


def mark(leaf: Tensor) -> Tensor:
    """Put the mark on `leaf`."""
    _marked[id(leaf)] = leaf
    return leaf
