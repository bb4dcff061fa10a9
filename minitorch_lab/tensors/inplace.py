"""Methods that end in `_`: a function's result, written into the tensor; and views that a tensor becomes itself.

They follow from the functions: whatever `ops.front.writable` has published has its method here.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from ..core.array import can_hold
from ..errors import DTypeError, GradientError, ShapeError
from ..ops import FUNCTIONS, IN_PLACE, METHODS, OPTIONS, spoken
from ..ops.front import showing, taught
from .storage import grounded, storage_of
from .tensor import Tensor, named, tracked


def written(x: Tensor, front: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Tensor:
    """`front(x, ...)`, written into `x`. A rule may need what is overwritten, so a tracked tensor is copied first.

    Raises:
        ShapeError: The result has another shape.
        DTypeError: The result would lose its fraction, or become a truth value.
    """
    out = front(x.clone() if tracked(x) is not None else x, *args, **kwargs)
    name = front.__name__
    if tuple(out.shape) != tuple(x.shape):
        raise ShapeError(
            f"{name}_ would write the shape {tuple(out.shape)} into a tensor of shape {tuple(x.shape)}.",
            "A write in place keeps the shape of what is written to.",
            f"Did you mean y = x.{name}(...)? That makes a new tensor.",
        )
    if not can_hold(x.dtype, out.dtype):
        raise DTypeError(
            f"{name}_ would write {out.dtype} into a tensor of dtype {x.dtype}.",
            "A write in place keeps the dtype of what is written to.",
            f"Did you mean y = x.{name}(...)? That makes a new tensor of dtype {out.dtype}.",
        )
    return x.copy_(out)


def writing(name: str, front: Callable[..., Any]) -> Callable[..., Tensor]:
    """`x.<name>_(...)`."""

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return written(self, front, args, kwargs)

    return showing(taught(named(method, f"{name}_", f"`x.{name}(...)`, written into `x`.")), front)


def with_options(name: str) -> Callable[..., Tensor]:
    """`x.<name>_(...)` of an op that has further arguments as a function: without them the op itself writes."""
    plain, op = getattr(Tensor, f"{name}_"), FUNCTIONS[name]

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return written(self, op, args, kwargs) if kwargs else plain(self, *args)

    vars(method)["__plain__"] = plain  # for a capture, which goes by what runs
    return showing(taught(named(method, f"{name}_", f"`x.{name}(...)`, written into `x`.")), op)


def takes_options(name: str) -> bool:
    """Whether the method in place has further arguments itself."""
    return "alpha" in signature(getattr(Tensor, f"{name}_")).parameters


def becoming(name: str, view: Callable[..., Any]) -> Callable[..., Tensor]:
    """`x.<name>_(...)`, after which `x` is the view of its memory that `x.<name>(...)` would be.

    Raises:
        GradientError: `x` is a leaf that requires a gradient: the gradient would have another shape.
    """

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        node = tracked(self)
        if node is not None and self.is_leaf:
            raise GradientError(
                f"{name}_ on a leaf that requires a gradient.",
                "The gradient belongs to the value that the leaf had.",
                f"Did you mean y = x.{name}(...)?",
            )
        before = type(self).__new__(type(self))
        before.value, before.node, before.storage = grounded(self).value, node, storage_of(self)
        if self.link is not None:
            before.link = self.link
        seen = view(before, *args, **kwargs)
        self.value, self.node, self.storage = seen.value, seen.node, storage_of(seen)
        self.storage.relaid = True
        if self.link is not None:
            self.link = seen.link
        return self

    return showing(taught(named(method, f"{name}_", f"`x` becomes the view `x.{name}(...)` of its memory.")), view)


def detach_(self: Tensor) -> Tensor:
    """Forget how the tensor was computed: it becomes a leaf that requires no gradient.

    Raises:
        GradientError: It is a view, whose history is its base's.
    """
    if self.link is not None:
        raise GradientError(
            "detach_ of a view.",
            "Its history is that of its base.",
            "Did you mean x = x.detach()? That makes a new one.",
        )
    self.node = None
    return self


RESHAPING = ("squeeze", "unsqueeze", "t", "transpose", "swapaxes", "swapdims")
for public, front in IN_PLACE.items():
    if not hasattr(Tensor, f"{public}_"):
        setattr(Tensor, f"{public}_", writing(public, front))
for truth in spoken.TRUTHS:
    setattr(Tensor, f"{truth.name}_", writing(truth.name, FUNCTIONS[truth.name]))
for public in OPTIONS:
    if not takes_options(public):
        setattr(Tensor, f"{public}_", with_options(public))
for public in RESHAPING:
    setattr(Tensor, f"{public}_", becoming(public, METHODS[public]))
Tensor.detach_ = detach_  # pyright: ignore[reportAttributeAccessIssue]  # as the others
for also, public in spoken.ALSO.items():
    for end in ("", "_"):
        if hasattr(Tensor, f"{public}{end}"):
            setattr(Tensor, f"{also}{end}", getattr(Tensor, f"{public}{end}"))
