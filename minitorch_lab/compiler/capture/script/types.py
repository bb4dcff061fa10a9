"""What a script knows of the things that it calls: which calls it takes, and the type of what they give."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

from ....tensors.tensor import Tensor
from .ir import Type

PACKAGE = __name__.partition(".")[0]
RANK = {"bool": 0, "int": 1, "float": 2}
ATTRIBUTES: dict[str, Type] = {
    "shape": "ints", "dtype": "dtype", "device": "device", "ndim": "int", "T": "Tensor", "mT": "Tensor",
    "requires_grad": "bool", "nbytes": "int", "itemsize": "int",
}  # fmt: skip
METHODS: dict[str, Type] = {
    "item": "float", "dim": "int", "numel": "int", "is_contiguous": "bool", "storage_offset": "int", "stride": "ints",
}  # fmt: skip
PAIRS = {"sort", "topk"}
OUTSIDE = {"numpy", "tolist", "backward", "register_hook", "untyped_storage", "data_ptr"}
BUILTINS: dict[Any, Type] = {len: "int", int: "int", float: "float", bool: "bool", print: "None"}
OPERATORS: dict[str, Callable[..., Any]] = {
    "Add": operator.add, "Sub": operator.sub, "Mult": operator.mul, "Div": operator.truediv, "Pow": operator.pow,
    "MatMult": operator.matmul, "FloorDiv": operator.floordiv, "Mod": operator.mod, "BitAnd": operator.and_,
    "BitOr": operator.or_, "BitXor": operator.xor, "LShift": operator.lshift, "RShift": operator.rshift,
    "USub": operator.neg, "Invert": operator.invert, "Lt": operator.lt, "LtE": operator.le, "Gt": operator.gt,
    "GtE": operator.ge, "Eq": operator.eq, "NotEq": operator.ne, "Not": operator.not_,
}  # fmt: skip
INPLACE: dict[str, Callable[..., Any]] = {
    "Add": operator.iadd, "Sub": operator.isub, "Mult": operator.imul, "Div": operator.itruediv, "Pow": operator.ipow,
}  # fmt: skip
NAMES = {"Mult": "mul", "MatMult": "matmul", "FloorDiv": "floor_div", "USub": "neg", "LtE": "le", "GtE": "ge",
         "NotEq": "ne"}  # fmt: skip


def arithmetic(name: str, types: list[Type]) -> Type | None:
    """The type of an operator's result; None where it has no meaning."""
    if "Tensor" in types:
        return "Tensor" if all(t == "Tensor" or t in RANK for t in types) else None
    if name in ("Eq", "NotEq"):
        return "bool" if types[0] == types[1] or all(t in RANK for t in types) else None
    if any(t not in RANK for t in types):
        return None
    if name in ("Lt", "LtE", "Gt", "GtE", "Not"):
        return "bool"
    if name == "Div":
        return "float"
    return max([*types, "int"], key=RANK.__getitem__) if name != "MatMult" else None


def type_of(x: Any) -> Type | None:
    """The type of a Python value that a script may hold; None if it may not."""
    if isinstance(x, Tensor):
        return "Tensor"
    if x is None or isinstance(x, (bool, int, float, str)):
        return {type(None): "None", bool: "bool", int: "int", float: "float", str: "str"}[type(x)]
    if type(x).__name__.endswith("DType") or type(x).__name__ == "dtype":
        return "dtype"
    if isinstance(x, tuple):
        parts = tuple(type_of(part) for part in x)
        return None if None in parts else parts
    return None


def returned(fn: Any, first: Type | None) -> Type | None:
    """The type of what a callable from outside gives; None if a script does not take it."""
    if fn in (abs, min, max):
        return first if first in RANK or first == "Tensor" else None
    if isinstance(fn, (type, BuiltinFunctionType)):
        if getattr(fn, "__module__", "") == "math":
            return "int" if fn in (math.floor, math.ceil, math.gcd) else "float"
        return BUILTINS.get(fn)
    if (isinstance(fn, FunctionType) and fn.__module__.partition(".")[0] == PACKAGE) or fn is print:
        return ("Tensor", "Tensor") if fn.__name__ in PAIRS else "Tensor"
    return None


def is_module_of_ours(x: Any) -> bool:
    """Whether `x` is a module whose functions a script may call."""
    return isinstance(x, ModuleType) and x.__name__.partition(".")[0] in (PACKAGE, "math")
