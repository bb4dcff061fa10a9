"""Which of PyTorch's OpInfos exist here, and every form in which each can be called: function, method, in place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import torch
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.opinfo.core import OpInfo

import minitorch_lab as ml
import minitorch_lab.nn.functional

from .values import ForeignError

RANDOM = {
    "bernoulli", "empty", "empty_like", "multinomial", "new_empty", "nn.functional.alpha_dropout",
    "nn.functional.dropout", "nn.functional.dropout2d", "nn.functional.dropout3d", "nn.functional.rrelu", "normal",
    "rand_like", "randint", "randint_like", "randn", "randn_like",
}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """One way to call an op: the same line of code for PyTorch and for us."""

    op: str
    label: str
    theirs: Callable[..., Any]
    ours: Callable[..., Any]
    inplace: bool = False


def here(info: OpInfo) -> bool:
    """Whether the op's own name exists here: as a function, in a room of that name, or as a method."""
    return found(ml, info.name) is not None or hasattr(ml.Tensor, info.name)


def every_op() -> dict[str, OpInfo]:
    """The OpInfos whose name exists here, by name and variant."""
    return {f"{info.name} {info.variant_test_name}".strip(): info for info in op_db if here(info)}


def found(root: Any, path: str) -> Any:
    """What stands at a dotted path, or None."""
    for part in path.split("."):
        root = getattr(root, part, None)
    return root


def forms(info: OpInfo) -> Iterator[Form]:
    """Every form that exists on both sides: the op, its aliases, the method of each, and the method in place."""
    if ours := function(info):
        yield Form(info.name, "function", info.op, ours)
    for alias in info.aliases:
        if ours := found(ml, alias.name):
            yield Form(info.name, f"alias {alias.name}", alias.op, ours)
    for name in (info.name, *(alias.name for alias in info.aliases)):
        if "." not in name and not name.startswith("__"):
            yield from methods(info, name)


def methods(info: OpInfo, name: str) -> Iterator[Form]:
    """The method of this name, and the one in place."""
    if info.get_method() is not None and callable(found(torch.Tensor, name)) and callable(found(ml.Tensor, name)):
        yield Form(info.name, f"method {name}", calling(name), calling(name))
    if info.get_inplace() is not None and found(torch.Tensor, f"{name}_") and found(ml.Tensor, f"{name}_"):
        yield Form(info.name, f"in place {name}_", calling(f"{name}_"), calling(f"{name}_"), inplace=True)


def calling(name: str) -> Callable[..., Any]:
    """`x.name(...)`."""
    return lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)


def function(info: OpInfo) -> Callable[..., Any] | None:
    """What PyTorch's list calls, on our side: a line of Python with our names in it, or what has that name here."""
    if not isinstance(info.op, FunctionType) or "testing" not in info.op.__module__:
        return found(ml, info.name) or found(ml.Tensor, info.name)
    names = {**info.op.__globals__, "torch": HERE, "wrapper_set_seed": lambda op, *args, **kwargs: op(*args, **kwargs)}
    call = FunctionType(info.op.__code__, names, info.op.__name__, info.op.__defaults__, info.op.__closure__)
    call.__kwdefaults__ = info.op.__kwdefaults__
    return call


class Here:
    """The name `torch` in a line of PyTorch's list, meaning us."""

    def __getattr__(self, name: str) -> Any:
        if not hasattr(ml, name):
            raise AttributeError(name) if name.startswith("__") else ForeignError(name)
        return getattr(ml, name)


HERE = Here()
