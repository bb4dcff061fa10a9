"""What a thing holds, one level deep, and how it is made to hold that again.

Things of the user's and tensors with their histories count; the insides of libraries do not.
"""

from __future__ import annotations

import dis
import random
import sys
from collections import OrderedDict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import CellType, CodeType, FunctionType, MemberDescriptorType, MethodType
from typing import Any

from ....autograd.eager import Eager
from ....core.array import xp
from ....ops.op import Op
from ....tensors.tensor import Tensor, tracked
from ..call import RegionCall
from ..optimized import Optimized

GONE = object()  # what a variable holds that is not there
ENTRIES = object()  # the key under which an object that is a container too holds its entries
CONTAINERS = (dict, list, set, deque, bytearray)
ATOMS = (bool, int, float, complex, str, bytes, type(None), xp.generic, xp.dtype)


@dataclass(frozen=True, slots=True)
class Kind:
    """How things of some classes are read, and put back."""

    read: Callable[[Any], Any]
    put: Callable[[Any, Any], None] = lambda x, held: None


@dataclass(frozen=True, slots=True)
class Globals:
    """The global variables that some code names."""

    space: dict[str, Any]
    names: tuple[str, ...]


def kind_of(x: Any) -> Kind | None:
    """The kind of a thing; None if it holds nothing that counts."""
    for classes, kind in KINDS:
        if isinstance(x, classes):
            return kind
    cls = type(x)
    if isinstance(x, (Op, Eager)) or (from_library(cls) and not from_engine(x)):
        return None
    return OBJECT if hasattr(x, "__dict__") or any(slots(cls)) else None


def from_engine(x: Any) -> bool:
    """Whether a thing is one of the engine's that change: tensors, histories, modules, optimizers; not the compiler."""
    module = str(type(x).__module__)
    return module.startswith("minitorch_lab.") and (".compiler" not in module or isinstance(x, RegionCall))


def from_library(x: Any) -> bool:
    """Whether a class or function was not written by the user."""
    module = str(x.__module__)
    root = module.partition(".")[0]
    if root == "minitorch_lab" or root in sys.stdlib_module_names:
        return root != "__main__"
    return "site-packages" in (getattr(sys.modules.get(module), "__file__", None) or "")


def once_only(x: Any) -> bool:
    """Whether a thing is used up and cannot be put back: a generator, or another iterator that is not in Python."""
    return hasattr(type(x), "__next__") and not type(x).__flags__ & 1 << 9  # Py_TPFLAGS_HEAPTYPE


# ---- objects and containers -----------------------------------------------------------------------------------------
def attributes(x: Any) -> dict[Any, Any]:
    """The attributes of an object, those in slots under their descriptors, and its entries."""
    own = getattr(x, "__dict__", None)
    found: dict[Any, Any] = dict(own) if isinstance(own, dict) else {}
    for slot in slots(type(x)):
        try:
            found[slot] = slot.__get__(x)
        except AttributeError:
            found[slot] = GONE
    if isinstance(x, CONTAINERS):
        found[ENTRIES] = dict(x) if isinstance(x, dict) else list(x)
    return found


def put_attributes(x: Any, held: dict[Any, Any]) -> None:
    """Give an object its attributes and entries again."""
    own = getattr(x, "__dict__", None)
    if isinstance(own, dict):
        put_dict(own, {k: v for k, v in held.items() if isinstance(k, str)})
    for slot in slots(type(x)):
        if held[slot] is not GONE:
            slot.__set__(x, held[slot])
        elif hasattr(x, slot.__name__):
            slot.__delete__(x)
    if isinstance(x, dict):
        put_dict(x, held[ENTRIES])
    elif isinstance(x, set):
        put_list(x, held[ENTRIES], set.update)
    elif isinstance(x, (list, deque, bytearray)):
        put_list(x, held[ENTRIES], type(x).extend)


def put_list(x: Any, held: list[Any], fill: Callable[[Any, list[Any]], Any]) -> None:
    """Give a container its entries again."""
    if not same(list(x), held):
        x.clear()
        fill(x, held)


def put_dict(x: dict[Any, Any], held: dict[Any, Any]) -> None:
    """Give a dict its entries again, in their order."""
    if same(list(x), list(held)) and same(list(x.values()), list(held.values())):
        return
    base: Any = OrderedDict if isinstance(x, OrderedDict) else dict
    base.clear(x)
    for k, v in held.items():
        base.__setitem__(x, k, v)


def same(xs: list[Any], ys: list[Any]) -> bool:
    """Whether two lists hold the same objects."""
    return len(xs) == len(ys) and all(x is y for x, y in zip(xs, ys, strict=True))


def slots(cls: type) -> Iterator[MemberDescriptorType]:
    """The slots of a class."""
    for base in cls.__mro__:
        if base.__module__ != "builtins":
            yield from (v for v in vars(base).values() if isinstance(v, MemberDescriptorType))


def of_tensor(x: Tensor) -> dict[Any, Any]:
    """The attributes of a tensor; a view whose memory was written is brought up to date first."""
    tracked(x)
    return attributes(x)


def put_entries(x: Any, held: Any) -> None:
    """Write the entries of an array again."""
    if x.flags.writeable:
        x[...] = held


# ---- functions, their variables, and classes ------------------------------------------------------------------------
def of_function(f: FunctionType) -> dict[str, Any]:
    """What a function of the user's refers to."""
    if from_library(f):
        return {}
    cells = dict(zip(f.__code__.co_freevars, f.__closure__ or (), strict=True))
    return cells | {"defaults": f.__defaults__, "kwdefaults": f.__kwdefaults__, "attributes": f.__dict__} | {
        "globals": Globals(f.__globals__, tuple(dict.fromkeys(variables(f.__code__))))
    }  # fmt: skip


def put_defaults(f: FunctionType, held: dict[str, Any]) -> None:
    """Give a function its defaults again."""
    if held:
        f.__defaults__, f.__kwdefaults__ = held["defaults"], held["kwdefaults"]


def variables(code: CodeType) -> Iterator[str]:
    """The global variables that code names, and the code inside it."""
    yield from (str(i.argval) for i in dis.get_instructions(code) if i.opname.endswith(("_GLOBAL", "_NAME")))
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from variables(part)


def of_cell(cell: CellType) -> dict[str, Any]:
    """The value of a variable of an outer function, which has no name of its own."""
    try:
        return {"": cell.cell_contents}
    except ValueError:
        return {"": GONE}


def put_cell(cell: CellType, held: dict[str, Any]) -> None:
    """Give a variable its value again."""
    if held[""] is not GONE:
        cell.cell_contents = held[""]
    elif of_cell(cell)[""] is not GONE:
        del cell.cell_contents


def put_globals(x: Globals, held: dict[str, Any]) -> None:
    """Give global variables their values again."""
    for name, value in held.items():
        if value is not GONE:
            x.space[name] = value
        else:
            x.space.pop(name, None)


def of_class(cls: type) -> dict[Any, Any]:
    """The attributes of a class of the user's, and its bases."""
    return {} if from_library(cls) else {**vars(cls), ENTRIES: cls.__bases__}


def put_class(cls: type, held: dict[Any, Any]) -> None:
    """Give a class its attributes again."""
    for name in [*vars(cls)] if held else ():
        if name not in held:
            delattr(cls, name)
        elif vars(cls)[name] is not held[name]:
            setattr(cls, name, held[name])


OBJECT = Kind(attributes, put_attributes)
KINDS: list[tuple[Any, Kind]] = [
    (Tensor, Kind(of_tensor, put_attributes)),
    (ATOMS, Kind(lambda x: ())),
    (CONTAINERS, OBJECT),
    (xp.ndarray, Kind(lambda x: x.copy(), put_entries)),
    (Optimized, Kind(lambda x: [x.__wrapped__])),
    (FunctionType, Kind(of_function, put_defaults)),
    (MethodType, Kind(lambda x: [x.__func__, x.__self__])),
    (partial, Kind(lambda x: [x.func, x.args, x.keywords])),
    (CellType, Kind(of_cell, put_cell)),
    (Globals, Kind(lambda x: {n: x.space.get(n, GONE) for n in x.names}, put_globals)),
    (type, Kind(of_class, put_class)),
    ((tuple, frozenset), Kind(list)),
    ((staticmethod, classmethod), Kind(lambda x: [x.__func__])),
    (property, Kind(lambda x: [x.fget, x.fset])),
    (random.Random, Kind(lambda x: x.getstate(), lambda x, held: x.setstate(held))),
]
