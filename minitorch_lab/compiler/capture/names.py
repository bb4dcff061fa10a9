"""What the arguments of a captured function are called."""

from __future__ import annotations

from collections.abc import Callable
from inspect import signature
from typing import Any

from ...func.trees import flatten


def argument_names(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> list[str]:
    """A name for every leaf of the arguments: the parameter's, numbered where it has several leaves."""
    try:
        bound = signature(func).bind(*args, **kwargs).arguments
        spelt = list(bound)[: len(args)]
    except (TypeError, ValueError):
        spelt = []
    names = [*(spelt if len(spelt) == len(args) else [f"arg{i}" for i in range(len(args))]), *kwargs]
    return [name for name, tree in zip(names, [*args, *kwargs.values()], strict=True) for _ in flatten(tree)[0]]
