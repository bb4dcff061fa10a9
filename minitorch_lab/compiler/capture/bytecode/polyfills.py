"""Which functions written in C have a Python version that the machine enters in their place."""

from __future__ import annotations

import collections
import copy
import functools
import itertools
import math
import operator
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from typing import Any

from . import inpython, inpython_iteration
from . import inpython_builtins as ours
from . import inpython_copies as ours_copies

IN_PYTHON: dict[Any, Callable[..., Any]] = {
    sum: inpython.sum_,
    any: inpython.any_,
    all: inpython.all_,
    map: inpython.map_,
    filter: inpython.filter_,
    enumerate: inpython.enumerate_,
    zip: inpython_iteration.zip_,
    reversed: inpython.reversed_,
    sorted: ours.sorted_,
    list: inpython.list_,
    tuple: inpython.tuple_,
    dict: ours.dict_,
    set: ours.set_,
    dict.get: inpython.get,
    dict.setdefault: inpython.setdefault,
    dict.update: ours.update,
    dict.popitem: ours.popitem,
    list.extend: inpython.extend,
    list.sort: ours.sort,
    list.index: ours.index,
    tuple.index: ours.index,
    list.count: ours.count,
    tuple.count: ours.count,
    list.remove: ours.remove,
    str.join: ours.join,
    set.update: ours.add_all,
    set.isdisjoint: ours.disjoint,
    functools.reduce: inpython.reduce_,
    functools.cmp_to_key: ours.cmp_to_key,
    functools.update_wrapper: inpython.update_wrapper,
    operator.itemgetter: ours.itemgetter,
    operator.attrgetter: ours.attrgetter,
    operator.methodcaller: ours.methodcaller,
    math.prod: ours.prod,
    itertools.chain.from_iterable: inpython_iteration.flattened,
    dict.fromkeys: ours.fromkeys,
    itertools.zip_longest: inpython_iteration.zip_longest,
}
COUNTING: Any = vars(collections)["_count_elements"]  # what `Counter` calls
NAMES = (
    "accumulate chain combinations combinations_with_replacement compress count cycle dropwhile filterfalse groupby "
    "islice pairwise permutations product repeat starmap takewhile tee"
)
IN_PYTHON.update({getattr(itertools, name): getattr(inpython_iteration, name) for name in NAMES.split(" ")})
OF_SETS = {
    "union": ours.united, "intersection": ours.met, "difference": ours.without, "issubset": ours.subset,
    "symmetric_difference": ours.either, "issuperset": ours.superset,
}  # fmt: skip
IN_PYTHON.update({getattr(kind, name): f for kind in (set, frozenset) for name, f in OF_SETS.items()})
# What the `__init__` of a built-in container puts into it.
FILLED: dict[Any, Callable[..., Any]] = {
    list: ours.init_list, deque: ours.init_deque, set: ours.init_set, dict: ours.update,
    OrderedDict: ours.update_ordered, defaultdict: ours.init_defaultdict,
}  # fmt: skip
IN_PYTHON.update({
    copy.copy: ours_copies.copy, copy.deepcopy: ours_copies.deepcopy, COUNTING: ours.count_elements,
    deque.extend: inpython.extend, OrderedDict.update: ours.update_ordered, OrderedDict.setdefault: inpython.setdefault,
    OrderedDict.popitem: ours.popitem,
})  # fmt: skip
# These give constants for constants, and are not entered there; all others make something anew.
FOLDED = {sum, any, all, tuple, max, min, str.join, math.prod, list.index, tuple.index, list.count, tuple.count}


def in_python(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Callable[..., Any] | None:
    """The Python version of a builtin for these arguments, if there is one."""
    if f is max or f is min:
        if len(args) == 1 or kwargs:
            return ours.max_ if f is max else ours.min_
        return None
    return IN_PYTHON.get(f)
