"""Builtins, methods of containers and functions of the standard library, in Python, for the machine to enter."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .door import as_python, order_of

# ruff: noqa: SIM110, SIM201, B905 (these *are* all(), any() and ==; zip() stops at the shorter)
NOTHING: Any = object()
try:
    max(())
except ValueError as error:
    EMPTY = str(error).replace("max", "{}")  # each Python has its own words


# ---- order ----------------------------------------------------------------------------------------------------------
def sorted_(xs: Any, *, key: Any = None, reverse: Any = False) -> list[Any]:
    """`sorted`."""
    values = [*xs]
    keys = values if key is None else [key(x) for x in values]
    if keys and hasattr(type(keys[0]), "compares"):
        return [values[i] for i in order_by(keys, bool(reverse))]
    return [values[i] for i in order_of(keys, bool(reverse))]


def order_by(keys: Any, reverse: bool) -> list[int]:
    """Where keys go that say in Python which of them is less: each is put behind those that are not greater."""
    order: list[int] = []
    for i in range(len(keys)):
        at = len(order)
        while at and (keys[order[at - 1]] < keys[i] if reverse else keys[i] < keys[order[at - 1]]):
            at -= 1
        order.insert(at, i)
    return order


class Compared:
    """What `functools.cmp_to_key` makes of a value."""

    compares = True

    def __init__(self, f: Callable[[Any, Any], Any], x: Any) -> None:
        self.f, self.obj = f, x

    def __lt__(self, other: Any) -> Any:
        return self.f(self.obj, other.obj) < 0


def cmp_to_key(f: Callable[[Any, Any], Any]) -> Callable[[Any], Any]:
    """`functools.cmp_to_key`."""
    return lambda x: Compared(f, x)


def sort(xs: list[Any], *, key: Any = None, reverse: Any = False) -> None:
    """`list.sort`."""
    ordered = sorted(xs, key=key, reverse=reverse)
    xs.clear()
    for x in ordered:
        xs.append(x)


def extreme(name: str, better: Callable[[Any, Any], Any], xs: Any, key: Any, default: Any) -> Any:
    """The entry of `xs` that comes before all others."""
    best = worth = NOTHING
    for x in xs:
        value = x if key is None else key(x)
        if best is NOTHING or better(value, worth):
            best, worth = x, value
    if best is not NOTHING:
        return best
    if default is NOTHING:
        raise as_python(ValueError, EMPTY.format(name))
    return default


def max_(*xs: Any, key: Any = None, default: Any = NOTHING) -> Any:
    """`max` of an iterable, or with a key."""
    return extreme("max", lambda a, b: a > b, xs[0] if len(xs) == 1 else xs, key, default)


def min_(*xs: Any, key: Any = None, default: Any = NOTHING) -> Any:
    """`min` of an iterable, or with a key."""
    return extreme("min", lambda a, b: a < b, xs[0] if len(xs) == 1 else xs, key, default)


def equal(xs: Any, ys: Any) -> bool:
    """`==` of two lists or tuples."""
    if len(xs) != len(ys):
        return False
    for x, y in zip(xs, ys):
        if x is not y and not x == y:
            return False
    return True


def equal_dicts(a: Any, b: Any) -> bool:
    """`==` of two dicts."""
    if len(a) != len(b):
        return False
    for k in a:
        if k not in b or (a[k] is not b[k] and not a[k] == b[k]):
            return False
    return True


def less(xs: Any, ys: Any) -> Any:
    """`<` of two lists or tuples."""
    for x, y in zip(xs, ys):
        if x is not y and not x == y:
            return x < y
    return len(xs) < len(ys)


# ---- lists, tuples, text --------------------------------------------------------------------------------------------
def index(xs: Any, x: Any, start: int = 0, stop: int = 2**63 - 1) -> int:
    """`list.index`."""
    for i, y in enumerate(xs):
        if start <= i < stop and (y is x or y == x):
            return i
    raise as_python(ValueError, f"{x!r} is not in list" if isinstance(xs, list) else "tuple.index(x): x not in tuple")


def count(xs: Any, x: Any) -> int:
    """`list.count`."""
    n = 0
    for y in xs:
        n += y is x or bool(y == x)
    return n


def remove(xs: list[Any], x: Any) -> None:
    """`list.remove`."""
    for i, y in enumerate(xs):
        if y is x or y == x:
            del xs[i]
            return
    raise as_python(ValueError, "list.remove(x): x not in list")


def contains(xs: Any, x: Any) -> bool:
    """`x in xs`, of what gives its entries one by one."""
    for y in xs:
        if y is x or y == x:
            return True
    return False


def add_up(xs: list[Any], more: Any) -> list[Any]:
    """`xs += more`."""
    for x in more:
        xs.append(x)
    return xs


def join(between: str, parts: Any) -> str:
    """`str.join`."""
    text, first = "", True
    for part in parts:
        text = text + part if first else text + between + part
        first = False
    return text


def told(error: BaseException) -> str:
    """`str` of an error."""
    args = error.args
    if len(args) == 1:
        return repr(args[0]) if isinstance(error, KeyError) else str(args[0])
    return str(args) if args else ""


def shown_error(error: BaseException) -> str:
    """`repr` of an error."""
    return type(error).__name__ + "(" + ", ".join([repr(arg) for arg in error.args]) + ")"


def shown(xs: Any) -> str:
    """`repr` of a list or tuple."""
    parts = ", ".join([repr(x) for x in xs])
    if isinstance(xs, list):
        return "[" + parts + "]"
    return "(" + parts + (",)" if len(xs) == 1 else ")")


def shown_dict(d: Any) -> str:
    """`repr` of a dict."""
    return "{" + ", ".join([repr(k) + ": " + repr(d[k]) for k in d]) + "}"


# ---- dicts and sets -------------------------------------------------------------------------------------------------
def dict_(*others: Any, **more: Any) -> dict[Any, Any]:
    """`dict`."""
    made: dict[Any, Any] = {}
    made.update(*others, **more)
    return made


def fromkeys(keys: Any, value: Any = None) -> dict[Any, Any]:
    """`dict.fromkeys`."""
    return {key: value for key in keys}  # noqa: C420


def update(d: dict[Any, Any], others: Any = (), **more: Any) -> None:
    """`dict.update`: from a mapping, from pairs, from keywords."""
    if hasattr(others, "keys"):
        found = others if type(others) is dict else {**others}
        for key in found:
            d[key] = found[key]
    else:
        for key, value in others:
            d[key] = value
    for key in more:
        d[key] = more[key]


def update_ordered(d: Any, others: Any = (), **more: Any) -> None:
    """`OrderedDict.update`, which asks a mapping for its keys, and for each of its values."""
    if hasattr(others, "keys"):
        others = [(key, others[key]) for key in others.keys()]  # noqa: SIM118
    update(d, others, **more)


def merged(a: dict[Any, Any], b: dict[Any, Any]) -> dict[Any, Any]:
    """`a | b` of dicts."""
    return {**a, **b}


def merge_into(a: dict[Any, Any], b: Any) -> dict[Any, Any]:
    """`a |= b` of dicts."""
    a.update(b)
    return a


def popitem(d: dict[Any, Any], last: bool = True) -> tuple[Any, Any]:
    """`dict.popitem`."""
    if not d:
        raise as_python(KeyError, "popitem(): dictionary is empty")
    keys = [*d]
    key = keys[-1 if last else 0]
    return key, d.pop(key)


def set_(xs: Any = ()) -> set[Any]:
    """`set`."""
    return {x for x in xs}  # noqa: C416


def add_all(s: set[Any], *columns: Any) -> None:
    """`set.update`."""
    for column in columns:
        for x in column:
            s.add(x)


def like(s: Any, made: set[Any]) -> Any:
    """A set of the kind of `s`."""
    return frozenset(made) if isinstance(s, frozenset) else made


def united(s: Any, *columns: Any) -> Any:
    """`set.union`, `|`."""
    made = {*s}
    for column in columns:
        for x in column:
            made.add(x)
    return like(s, made)


def met(s: Any, *columns: Any) -> Any:
    """`set.intersection`, `&`."""
    made = {*s}
    for column in columns:
        both = {*column}
        made = {x for x in made if x in both}
    return like(s, made)


def without(s: Any, *columns: Any) -> Any:
    """`set.difference`, `-`."""
    made = {*s}
    for column in columns:
        for x in column:
            made.discard(x)
    return like(s, made)


def either(s: Any, other: Any) -> Any:
    """`set.symmetric_difference`, `^`."""
    both = {*other}
    return like(s, {*[x for x in s if x not in both], *[x for x in both if x not in s]})


def subset(s: Any, other: Any) -> bool:
    """`set.issubset`, `<=`."""
    both = {*other}
    return all(x in both for x in s)


def superset(s: Any, other: Any) -> bool:
    """`set.issuperset`, `>=`."""
    return all(x in s for x in other)


def disjoint(s: Any, other: Any) -> bool:
    """`set.isdisjoint`."""
    return not any(x in s for x in other)


def equal_sets(s: Any, other: Any) -> bool:
    """`==` of sets."""
    return len(s) == len(other) and all(x in other for x in s)


def put_in(s: set[Any], other: Any) -> set[Any]:
    """`s |= other`."""
    s.update(other)
    return s


def keep_common(s: set[Any], other: Any) -> set[Any]:
    """`s &= other`."""
    for x in [*s]:
        if x not in other:
            s.discard(x)
    return s


def take_out(s: set[Any], other: Any) -> set[Any]:
    """`s -= other`."""
    for x in [*other]:
        s.discard(x)
    return s


# ---- what `__init__` puts in ----------------------------------------------------------------------------------------
def init_list(xs: Any, more: Any = ()) -> None:
    """`list.__init__`."""
    xs.clear()
    for x in more:
        xs.append(x)


def init_deque(xs: Any, more: Any = (), maxlen: Any = None) -> None:
    """`deque.__init__`."""
    for x in more:
        xs.append(x)


def init_set(s: Any, more: Any = ()) -> None:
    """`set.__init__`."""
    for x in more:
        s.add(x)


def init_defaultdict(d: Any, factory: Any = None, *others: Any, **more: Any) -> None:
    """`defaultdict.__init__`."""
    d.update(*others, **more)


def missing(d: Any, key: Any) -> Any:
    """`defaultdict.__missing__`."""
    if d.default_factory is None:
        raise as_python(KeyError, key)
    d[key] = value = d.default_factory()
    return value


def count_elements(d: Any, xs: Any) -> None:
    """What `Counter` does with an iterable."""
    for x in xs:
        d[x] = d.get(x, 0) + 1


# ---- functions that are made of others ------------------------------------------------------------------------------
def itemgetter(*keys: Any) -> Callable[[Any], Any]:
    """`operator.itemgetter`."""
    if len(keys) == 1:
        return lambda x: x[keys[0]]
    return lambda x: tuple([x[key] for key in keys])


def attrgetter(*names: Any) -> Callable[[Any], Any]:
    """`operator.attrgetter`."""
    if len(names) == 1:
        return lambda x: attribute(x, names[0])
    return lambda x: tuple([attribute(x, name) for name in names])


def attribute(x: Any, path: str) -> Any:
    """`x.a.b` for the path "a.b"."""
    for name in path.split("."):
        x = getattr(x, name)
    return x


def methodcaller(name: str, *args: Any, **kwargs: Any) -> Callable[[Any], Any]:
    """`operator.methodcaller`."""
    return lambda x: getattr(x, name)(*args, **kwargs)


def prod(xs: Any, *, start: Any = 1) -> Any:
    """`math.prod`."""
    for x in xs:
        start = start * x
    return start
