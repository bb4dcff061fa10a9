"""What the recorder knows of functions: which give the same for the same, which may take a number that is not known."""

from __future__ import annotations

import math
import operator
from types import BuiltinFunctionType, CellType, FunctionType, MethodDescriptorType, ModuleType, WrapperDescriptorType
from typing import Any

from ....ops.indexing import one_hot
from ....ops.loss import cross_entropy
from ....tensors.tensor import Tensor
from . import door, inpython
from .callers import called_by
from .containers import WRITE
from .engine import CHANGES, OPERATORS, READS, untaught, walked
from .lookup import hook
from .names import constant
from .polyfills import FOLDED
from .tree import Raised
from .walks import gradients
from .writes import BUILD

ON_ATOMS: set[Any] = {
    int, float, str, abs, round, min, max, format, repr, bool, range, divmod, pow, ord, chr, hash, complex,
    tuple, frozenset, slice, ascii, door.concat, door.make_slice, door.contains, door.order_of,
}  # fmt: skip
METHODS: set[Any] = {
    getattr(kind, n) for kind in (str, int, float, bytes, tuple, range) for n in dir(kind)
    if callable(getattr(kind, n)) and not n.startswith("__")
}  # fmt: skip
PURE: set[Any] = {*OPERATORS, *(f for f in vars(math).values() if callable(f)), *ON_ATOMS, *METHODS, *FOLDED}
SETTLED = {len, isinstance, issubclass, type, callable, door.contains, door.keys_of, operator.getitem, bool}
KNOWN = PURE | SETTLED | WRITE | BUILD
# Where an int may stay unknown; anywhere else (a range, an index, a shape) its value is asked for.
SIGNS = "add sub mul truediv floordiv mod neg pos pow lt le gt ge eq ne iadd isub imul itruediv ipow"
ARITHMETIC: set[Any] = {getattr(operator, name) for name in SIGNS.split(" ")}
UNKNOWN_INT = ARITHMETIC | {
    int, float, str, repr, format, bool, abs, max, min, type, isinstance, door.concat, setattr, door.make_list,
    door.make_tuple, door.make_dict, list.append, operator.setitem, math.sqrt, CellType,
}  # fmt: skip
MADE = (list, tuple, dict)  # what the program makes itself, if it is made of constants
KINDS = (isinstance, issubclass, door.matches)
HASHING = {door.make_set, door.make_dict, set.add, set.discard, set.remove}  # they ask their arguments for a hash
BY_KEY = (door.contains, operator.getitem, operator.setitem)
LENGTHY = (operator.eq, operator.ne, door.make_slice)  # of more than sizes: see `on_sizes`
METHODS_IN_C = (MethodDescriptorType, WrapperDescriptorType)
NAMED = (ModuleType, FunctionType, BuiltinFunctionType, MethodDescriptorType, WrapperDescriptorType, type)
SCALED = {Tensor.add_: inpython.add_scaled, Tensor.sub_: inpython.sub_scaled}
LABELLED, SPREAD = untaught(cross_entropy), untaught(one_hot)
HARMLESS: set[Any] = {print, format, repr, str, bool, float, int, isinstance, door.is_}
HARMLESS.update(getattr(Tensor, n) for n in READS if hasattr(Tensor, n))


def hashes(x: Any) -> bool:
    """Whether the class of an object says in Python what its hash is: to look it up runs that."""
    return not constant(x) and hook(type(x), "__hash__") is not None


def given(outcome: Any) -> Any:
    """What has come of a call already."""
    if type(outcome) is Raised:
        raise outcome.error
    return outcome


def literal(v: Any) -> bool:
    """Whether `repr(v)` is source for a value equal to `v` in all its parts."""
    if type(v) in (tuple, range, slice):
        return all(map(literal, v if type(v) is tuple else (v.start, v.stop, v.step)))
    return v is None or type(v) in (int, str, bool, bytes) or (type(v) is float and math.isfinite(v))


def spelled(v: Any) -> Any:
    """What is the same for constants that are equal in all their parts and of the same types, and for no others."""
    if type(v) in (tuple, frozenset):
        return type(v), type(v)(map(spelled, v))
    return type(v), repr(v) if type(v) in (float, complex) else v if isinstance(v, (int, str, bytes)) else id(v)


def name_of(f: Any) -> str:
    """What a function is called; other callables may answer anything when they are asked."""
    return f.__name__ if isinstance(f, NAMED) else ""


def reason(f: Any, args: tuple[Any, ...]) -> str:
    """Why a call ends the graph."""
    f, args = called_by(f, args)
    name = name_of(f)
    if f is walked or f is gradients:
        return "backward() walks the tape, and changes more than entries"
    if name and args and isinstance(args[0], Tensor):
        if f is bool:
            return "Python decides by an entry of a tensor"
        if name in READS or f in HARMLESS:
            return f"{name}() gives an entry of a tensor to Python"
        if name in CHANGES:
            return f"{name}() changes more than entries"
        return f"{name}() of a tensor is no op of a graph"
    if f is print:
        return "print() writes to the screen"
    return f"the call of {name or type(f).__name__}() cannot be looked into"
