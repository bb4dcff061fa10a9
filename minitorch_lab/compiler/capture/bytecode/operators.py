"""Operators and the builtins that ask an object's own methods, so that those written in Python are looked into."""

from __future__ import annotations

import operator
from typing import Any

from . import inpython_builtins as ours
from .door import contains, is_
from .lookup import MISSING, held
from .protocols import KEYS, VIEWS, Protocols

SIGNS = "add sub mul truediv floordiv mod pow matmul and or xor lshift rshift"
NAMED = {name: getattr(operator, f"{name}_" if name in ("and", "or") else name) for name in SIGNS.split(" ")}
IN_PLACE = {getattr(operator, f"i{name}"): (f"__i{name}__", f) for name, f in NAMED.items()}
COMPARED = {"lt": "gt", "le": "ge", "eq": "eq", "ne": "ne", "gt": "lt", "ge": "le"}
HOOKS: dict[Any, tuple[str, str]] = {
    **{f: (f"__{name}__", f"__r{name}__") for name, f in NAMED.items()},
    **{getattr(operator, a): (f"__{a}__", f"__{b}__") for a, b in COMPARED.items()},
}
BINARY = {*HOOKS, *IN_PLACE}
UNARY = {operator.neg: "__neg__", operator.pos: "__pos__", operator.invert: "__invert__"}
# Builtins that only ask a method; `str`, `bool` and `iter` have more than one.
ASKING: dict[Any, str] = UNARY | {
    len: "__len__", abs: "__abs__", repr: "__repr__", hash: "__hash__", round: "__round__", int: "__int__",
    float: "__float__", reversed: "__reversed__", operator.index: "__index__", divmod: "__divmod__",
}  # fmt: skip
SHOWN = (list, tuple, dict)
SORTS = ((int, float, bool, complex), (str,), (bytes,), (list,), (tuple,), (dict,), (set, frozenset), (type(None),))
TOLD = {BaseException.__str__, KeyError.__str__, AttributeError.__str__}
PLAIN = (int, float, bool, str, type(None))
SETS = (set, frozenset, KEYS)
FIXED = (tuple, frozenset, KEYS)  # built-in containers that no sign changes in place
OF_SEQUENCES = {operator.eq: ours.equal, operator.lt: ours.less, operator.iadd: ours.add_up}
OF_DICTS = {operator.eq: ours.equal_dicts, operator.or_: ours.merged, operator.ior: ours.merge_into}
OF_SETS = {
    operator.and_: ours.met, operator.or_: ours.united, operator.sub: ours.without, operator.xor: ours.either,
    operator.le: ours.subset, operator.ge: ours.superset, operator.eq: ours.equal_sets, operator.ior: ours.put_in,
    operator.iand: ours.keep_common, operator.isub: ours.take_out,
}  # fmt: skip


class Operators(Protocols):
    """The part of the machine that knows what `a + b`, `a < b` and `len(x)` mean."""

    def operate(self, f: Any, a: Any, b: Any) -> Any:
        """`a + b` for the function that the sign stands for."""
        if type(a) in PLAIN and type(b) in PLAIN:
            return self.world.do(f, a, b)
        if f in IN_PLACE:
            name, plainly = IN_PLACE[f]
            hook = self.method(type(a), name)
            out = NotImplemented if hook is None else self.call(hook, a, b)
            if out is not NotImplemented:
                return out
            if hook is not None or self.hooked(plainly, a, b) or makes_anew(name, a, b):
                f = plainly
        if f in (operator.eq, operator.ne) and unlike(a, b):
            return f is operator.ne
        if self.world.repeats(f, a, b):
            return self.world.do(f, a, b)
        if f is operator.ne and self.method(type(a), "__ne__") is None and self.with_equality(a, b):
            self.world.relies(type(a), "__ne__")
            return not self.truth(self.operate(operator.eq, a, b))
        if f in HOOKS and self.hooked(f, a, b):
            return self.ask_both(f, a, b)
        written = self.of_containers(f, a, b)
        return self.world.do(f, a, b) if written is None else self.call(written, a, b)

    def hooked(self, f: Any, a: Any, b: Any) -> bool:
        """Whether one of two operands says in Python what a sign means."""
        own, other = HOOKS[f]
        return self.method(type(a), own) is not None or self.method(type(b), other) is not None

    def with_equality(self, a: Any, b: Any) -> bool:
        """Whether two values are compared by `==` in Python."""
        return self.hooked(operator.eq, a, b) or self.of_containers(operator.eq, a, b) is not None

    def ask_both(self, f: Any, a: Any, b: Any) -> Any:
        """Ask the operands in the order of the language: a subclass first, else the left one."""
        own, other = HOOKS[f]
        asked = [(a, own, b), (b, other, a)]
        if type(a) is not type(b) and issubclass(type(b), type(a)):
            asked.reverse()
        for x, name, y in asked:
            hook = self.method(type(x), name)
            out = NotImplemented if hook is None else self.call(hook, x, y)
            if out is not NotImplemented:
                return out
        if f in (operator.eq, operator.ne):
            return self.world.do(is_, a, b) is (f is operator.eq)
        return self.world.do(f, a, b)

    def of_containers(self, f: Any, a: Any, b: Any) -> Any:
        """A sign between two built-in containers, in Python; None where there is none."""
        if type(a) in SETS and type(b) in SETS:
            return None if type(a) is frozenset and type(b) is KEYS else OF_SETS.get(f)
        if type(a) is dict and type(b) is dict:
            return OF_DICTS.get(f)
        if type(a) is list and f is operator.iadd:
            return ours.add_up
        return OF_SEQUENCES.get(f) if type(a) in (list, tuple) and type(a) is type(b) else None

    def within(self, xs: Any, x: Any) -> bool:
        """`x in xs`."""
        if self.world.repeats(contains, xs, x):
            return self.truth(self.world.do(contains, xs, x))
        hook = self.method(type(xs), "__contains__")
        if hook is not None:
            return self.truth(self.call(hook, xs, x))
        if type(xs) is KEYS and (origin := self.world.origin(xs)) is not None:
            xs = origin
        if self.world.one_by_one(xs, x):
            return self.truth(self.call(ours.contains, xs, x))
        return self.truth(self.world.do(contains, xs, x))

    def getitem(self, x: Any, k: Any) -> Any:
        """`x[k]`."""
        if self.world.repeats(operator.getitem, x, k):
            return self.world.do(operator.getitem, x, k)
        hook = self.method(type(x), "__getitem__")
        if hook is not None:
            return self.call(hook, x, k)
        if isinstance(x, dict) and hasattr(type(x), "__missing__") and not self.within(x, k):
            return self.call(self.method(type(x), "__missing__") or ours.missing, x, k)
        return self.world.do(operator.getitem, x, k)

    def ask(self, f: Any, x: Any, *more: Any) -> Any:
        """`len(x)`, and its like."""
        if self.world.repeats(f, x, *more):
            return self.world.do(f, x, *more)
        hook = self.method(type(x), ASKING[f])
        if f is len and type(x) in VIEWS and (origin := self.world.origin(x)) is not None:
            x = origin
        return self.world.do(f, x, *more) if hook is None else self.call(hook, x, *more)

    def text(self, x: Any) -> Any:
        """`str(x)`."""
        if type(x) in SHOWN:
            return self.shown(x)
        if isinstance(x, BaseException) and type(x).__str__ in TOLD:
            return self.call(ours.told, x)
        for name in ("__str__", "__repr__"):
            hook = self.method(type(x), name)
            if hook is not None or (name == "__str__" and type(x).__str__ is not object.__str__):
                break
        return self.world.do(str, x) if hook is None else self.call(hook, x)

    def shown(self, x: Any) -> Any:
        """`repr(x)`."""
        if type(x) in SHOWN and self.world.enters(repr, (x,)):
            return self.call(ours.shown_dict if type(x) is dict else ours.shown, x)
        if isinstance(x, BaseException) and type(x).__repr__ is BaseException.__repr__:
            return self.call(ours.shown_error, x)
        hook = self.method(type(x), "__repr__")
        return self.world.do(repr, x) if hook is None else self.call(hook, x)


def makes_anew(name: str, a: Any, b: Any) -> bool:
    """Whether `a += b` is `a + b` of two containers: no sign changes a tuple or a frozenset."""
    alike = type(a) is type(b) is tuple or (type(a) in SETS and type(b) in SETS)
    return alike and type(a) in FIXED and held(type(a), name.replace("__i", "__")) is not MISSING


def unlike(a: Any, b: Any) -> bool:
    """Whether two values of built-in types are of such that never equal each other."""
    sorts = [next((i for i, sort in enumerate(SORTS) if type(x) in sort), None) for x in (a, b)]
    return None not in sorts and sorts[0] != sorts[1]
