"""Keywords of every optimizer: one turns the step around, the others choose in PyTorch how it is computed."""

from __future__ import annotations

from collections.abc import Mapping
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
    """These options as settings of a group: those that PyTorch's optimizer of this name has.

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
    usual = {"maximize": False, "foreach": None, "differentiable": False} | dict.fromkeys(optimizer.kernels, False)
    if "fused" in usual:
        usual["fused"] = None
    return {name: given.get(name, value) for name, value in usual.items()}


def unusual(group: Mapping[str, Any]) -> dict[str, Any]:
    """The settings of a group without its parameters, and without the options that choose nothing."""
    return {k: v for k, v in group.items() if k != "params" and (v or k not in Options.__annotations__)}
