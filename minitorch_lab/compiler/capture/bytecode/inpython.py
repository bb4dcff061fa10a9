"""Functions written in C that call back, or look into containers: the same in Python, for the machine to enter."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

from .door import as_python, has_own, own, own_names, write_own

VIEWS = (type({}.keys()), type({}.values()), type({}.items()))
NAMES = ("__module__", "__name__", "__qualname__", "__doc__")
# ruff: noqa: C416, SIM110, SIM401 (these *are* list(), any() and map(): they cannot be written with those)


def iterate(xs: Any) -> Iterator[Any]:
    """`iter` of a list or tuple, which may grow meanwhile."""
    i = 0
    while i < len(xs):
        yield xs[i]
        i += 1


def iterate_as(kind: Any, xs: Any) -> Iterator[Any]:
    """`iter` of what is derived from a list or tuple: its own ways to give an entry are not asked."""
    i = 0
    while i < kind.__len__(xs):
        yield kind.__getitem__(xs, i)
        i += 1


def iterate_rows(x: Any) -> Iterator[Any]:
    """`iter` of a tensor that has an axis to go along."""
    for i in range(len(x)):
        yield x[i]


def iterate_keys(d: Any, keys: Any) -> Iterator[Any]:
    """`iter` of a dict or set, which may not."""
    count = len(keys)
    for key in keys:
        yield key
        if len(d) != count:
            kind = "Set" if isinstance(d, (set, frozenset)) else "dictionary"
            raise as_python(RuntimeError, f"{kind} changed size during iteration")


def iterate_values(d: Any) -> Iterator[Any]:
    """`iter` of `d.values()`."""
    for key in d:
        yield d[key]


def iterate_items(d: Any) -> Iterator[Any]:
    """`iter` of `d.items()`."""
    for key in d:
        yield key, d[key]


def until(f: Callable[[], Any], end: Any) -> Iterator[Any]:
    """`iter` of a function, and of the value at which it stops."""
    while True:
        x = f()
        if x == end:
            return
        yield x


def next_or(it: Any, default: Any) -> Any:
    """`next` with a default."""
    try:
        return next(it)
    except StopIteration:
        return default


def sum_(xs: Any, start: Any = 0) -> Any:
    """`sum`."""
    for x in xs:
        start = start + x
    return start


def any_(xs: Any) -> bool:
    """`any`."""
    for x in xs:
        if x:
            return True
    return False


def all_(xs: Any) -> bool:
    """`all`."""
    for x in xs:
        if not x:
            return False
    return True


def map_(f: Callable[..., Any], *columns: Any) -> Iterator[Any]:
    """`map`."""
    for row in zip(*columns):  # noqa: B905
        yield f(*row)


def filter_(f: Any, xs: Any) -> Iterator[Any]:
    """`filter`."""
    for x in xs:
        if f(x) if f is not None else x:
            yield x


def enumerate_(xs: Any, start: int = 0) -> Iterator[Any]:
    """`enumerate`."""
    for x in xs:
        yield start, x
        start += 1


def list_(xs: Any = ()) -> list[Any]:
    """`list`."""
    return [x for x in xs]


def tuple_(xs: Any = ()) -> tuple[Any, ...]:
    """`tuple`."""
    return (*xs,)


def reversed_(xs: Any) -> Iterator[Any]:
    """`reversed`."""
    if isinstance(xs, (dict, *VIEWS)):
        xs = [*xs]
    i = len(xs)
    while i > 0:
        i -= 1
        yield xs[i]


def get(d: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`dict.get`."""
    return d[key] if key in d else default


def setdefault(d: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`dict.setdefault`."""
    if key not in d:
        d[key] = default
    return d[key]


def item_or_missing(d: Any, key: Any) -> Any:
    """`d[key]` of a dict whose class says what takes the place of a missing key."""
    if key in d:
        return dict.__getitem__(d, key)
    return missing(d, key) if type(d) is defaultdict else type(d).__missing__(d, key)


def missing(d: Any, key: Any) -> Any:
    """The `__missing__` of a `defaultdict`."""
    if d.default_factory is None:
        raise as_python(KeyError, key)
    d[key] = value = d.default_factory()
    return value


def extend(xs: list[Any], more: Any) -> None:
    """`list.extend`."""
    for x in more:
        xs.append(x)


def reduce_(f: Callable[[Any, Any], Any], xs: Any, *initial: Any) -> Any:
    """`functools.reduce`."""
    rest = iter(xs)
    total = initial[0] if initial else next(rest)
    for x in rest:
        total = f(total, x)
    return total


def update_wrapper(wrapper: Any, wrapped: Any, assigned: Any = NAMES, updated: Any = ()) -> Any:
    """`functools.update_wrapper`."""
    for name in assigned:
        if hasattr(wrapped, name):
            setattr(wrapper, name, getattr(wrapped, name))
    for name in own_names(wrapped):
        setattr(wrapper, name, getattr(wrapped, name))
    wrapper.__wrapped__ = wrapped
    return wrapper


def cached(x: Any, f: Any, name: str) -> Any:
    """What `functools.cached_property` gives."""
    if not has_own(x, name):
        vars(x)[name] = f(x)
    return own(x, name)


class Attributes:
    """`vars(x)`: a dict of which every entry is an attribute of `x`, so that both are known under one name."""

    def __init__(self, of: Any) -> None:
        self.of = of

    def __contains__(self, name: str) -> bool:
        return has_own(self.of, name)

    def __getitem__(self, name: str) -> Any:
        return own(self.of, name)

    def __setitem__(self, name: str, value: Any) -> None:
        write_own(self.of, name, value)

    def get(self, name: str, default: Any = None) -> Any:
        """The attribute, if there is one."""
        return own(self.of, name) if has_own(self.of, name) else default

    def keys(self) -> Any:
        """The names."""
        return {name: None for name in own_names(self.of)}.keys()  # noqa: C420

    def values(self) -> list[Any]:
        """What they stand for."""
        return [own(self.of, name) for name in own_names(self.of)]

    def items(self) -> Any:
        """Both."""
        return {name: own(self.of, name) for name in own_names(self.of)}.items()

    def __iter__(self) -> Iterator[str]:
        return iter(own_names(self.of))

    def __len__(self) -> int:
        return len(own_names(self.of))


def add_scaled(x: Any, other: Any, alpha: Any = 1) -> Any:
    """`x.add_(other, alpha=alpha)`, with a number that may be another in the next call as an operand."""
    x.add_(other * alpha)
    return x


def sub_scaled(x: Any, other: Any, alpha: Any = 1) -> Any:
    """`x.sub_(other, alpha=alpha)`, in the same way."""
    x.sub_(other * alpha)
    return x
