"""Keywords of every optimizer: one turns the step around, the others choose in PyTorch how it is computed."""

from __future__ import annotations

from inspect import signature
from typing import Any, TypedDict

from ..errors import ArgumentError
from ..ops.misfit import unbound


class Options(TypedDict, total=False):
    """Keywords of every optimizer.

    Attributes:
        maximize: Go uphill: the gradient is negated first.
        foreach: PyTorch's choice of a kernel, as are `fused` and `capturable`; they change no number here.
        fused: See `foreach`.
        capturable: See `foreach`.
        differentiable: False; a step through which gradients flow is `ml.func`'s.
    """

    maximize: bool
    foreach: bool | None
    fused: bool | None
    capturable: bool
    differentiable: bool


def checked(optimizer: Any, given: Any) -> dict[str, Any]:
    """What of these options is a setting of a group.

    Raises:
        ArgumentError: There is no such option, or it cannot be switched on.
    """
    owner = type(optimizer).__name__
    unknown = {name: value for name, value in given.items() if name not in Options.__annotations__}
    if unknown:
        raise unbound(owner, signature(type(optimizer).__init__), (), unknown, TypeError())
    if given.get("differentiable"):
        raise ArgumentError(
            f"{owner} got differentiable=True.",
            "A step writes into the parameters, and no gradient flows through it.",
            "Write the step as a function, and take ml.func.grad of it.",
        )
    return {"maximize": True} if given.get("maximize") else {}
