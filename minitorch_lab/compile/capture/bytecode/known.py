"""Functions whose results follow from their arguments, and which of them may be given ints that are not known."""

from __future__ import annotations

import math
import operator
from typing import Any

from . import door
from .containers import WRITE
from .engine import OPERATORS
from .polyfills import FOLDED
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
    door.make_tuple, door.make_dict, list.append, operator.setitem, math.sqrt,
}  # fmt: skip
