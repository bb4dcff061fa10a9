"""`copy.copy` and `copy.deepcopy` in Python, for the machine to enter."""

from __future__ import annotations

from typing import Any

from ....tensors.tensor import Tensor
from .door import own, own_names, really_copied, really_deepcopied


def copy(x: Any) -> Any:
    """`copy.copy`."""
    if isinstance(x, (type, Tensor)) or type(x).__module__ == "builtins":
        return x.copy() if isinstance(x, (list, dict, set)) else really_copied(x)
    if hasattr(type(x), "__copy__"):
        return x.__copy__()
    return filled(x, None) if simple(x) else really_copied(x)


def deepcopy(x: Any, memo: Any = None) -> Any:
    """`copy.deepcopy`. `memo` holds what has been copied."""
    memo = {} if memo is None else memo
    if isinstance(x, (int, float, str, bytes, bool, type(None), type)):
        return x
    if id(x) in memo:
        return memo[id(x)]
    if type(x) is tuple:
        return tuple([deepcopy(y, memo) for y in x])
    if type(x) is list:
        memo[id(x)] = made = []
        for y in x:
            made.append(deepcopy(y, memo))
        return made
    if type(x) is dict:
        memo[id(x)] = named = {}
        for k, y in x.items():
            named[k] = deepcopy(y, memo)
        return named
    if not isinstance(x, Tensor) and hasattr(type(x), "__deepcopy__"):
        memo[id(x)] = made = x.__deepcopy__(memo)
        return made
    return filled(x, memo) if simple(x) else really_deepcopied(x, memo)


def simple(x: Any) -> bool:
    """Whether an object is nothing but its attributes."""
    cls = type(x)
    plain = cls.__reduce_ex__ is object.__reduce_ex__ and cls.__reduce__ is object.__reduce__
    return plain and hasattr(x, "__dict__") and cls.__new__ is object.__new__ and not hasattr(cls, "__setstate__")


def filled(x: Any, memo: Any) -> Any:
    """A new object with the attributes of another, or with copies of them."""
    made = object.__new__(type(x))
    if memo is not None:
        memo[id(x)] = made
    for name in own_names(x):
        value = own(x, name)
        object.__setattr__(made, name, value if memo is None else deepcopy(value, memo))
    return made
