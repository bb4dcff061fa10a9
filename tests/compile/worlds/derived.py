"""Containers whose classes say anew what `[k]` or `append` mean: some functions written in C ask them, some do not."""

from __future__ import annotations

import functools
from collections import Counter, OrderedDict, defaultdict, deque
from types import SimpleNamespace
from typing import Any

import minitorch_lab as ml
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


class Scaled(list):
    def __getitem__(self, i):
        return super().__getitem__(i) * 10


class Generated(list):
    def __iter__(self):
        return (v * 5 for v in super().__iter__())


class Long(list):
    def __len__(self):
        return 99


class Tripled(list):
    def append(self, x):
        super().append(x * 3)


class Partial(list):
    __getitem__ = functools.partialmethod(lambda self, i: "part")


class Moved(set):
    def add(self, x):
        super().add(x + 100)


class Doubled(tuple):
    def __iter__(self):
        return (v * 2 for v in super().__iter__())


class Queue(deque):
    def append(self, x):
        super().append(x * 3)


class Given(dict):
    def __getitem__(self, k):
        return "given"


class Walked(dict):
    def keys(self):
        return ["a"]

    def __iter__(self):
        return iter(["it"])

    def __getitem__(self, k):
        return k + "!"


class Upper(dict):
    def __setitem__(self, k, v):
        super().__setitem__(k.upper(), v)


class UpperInOrder(OrderedDict):
    def __setitem__(self, k, v):
        super().__setitem__(k.upper(), v)


class GivenInOrder(OrderedDict):
    def __getitem__(self, k):
        return "in order"


class Got(dict):
    def get(self, k, default=None):
        return "got"


class Mapping:
    def keys(self):
        return ["k", "l"]

    def __iter__(self):
        return iter(["z"])

    def __getitem__(self, k):
        return k * 2


def taken(*args: Any, **kwargs: Any) -> Any:
    return args, kwargs


def sequences_of_a_class(compile: Any) -> Any:
    def walked(x, xs):
        a, *b = xs
        return x * sum(xs), [*xs], tuple(xs), list(zip(xs, xs, strict=True)), list(map(str, xs)), [v for v in xs], a, b

    def asked(x, xs):
        return (
            sorted(xs),
            max(xs),
            taken(*xs),
            list(enumerate(xs)),
            2 in xs,
            len(xs),
            bool(xs),
            Counter(xs),
            xs.count(2),
        )

    def changed(x, xs):
        xs.append(5)
        xs.extend([8])
        xs.sort()
        return type(xs)([3, 4]), [*type(xs)(xs)], xs.pop()

    for cls in (Scaled, Generated, Long, Tripled, Partial, Doubled, Queue, Moved):
        for f in (walked, asked, changed):
            run, xs = compile(f), cls([1, 2])
            yield cls.__name__, outcome(run, X, xs), outcome(run, X, xs), [*cls.__mro__[1].__iter__(xs)]


def mappings_of_a_class(compile: Any) -> Any:
    def copied(u):
        return dict(u), {**u}, {"q": 0, **u}, taken(**u), SimpleNamespace(**u), OrderedDict(u), defaultdict(int, u)

    def asked(u):
        return list(u.values()), list(u.items()), list(u), list(u.keys()), len(u), u["a"], "a" in u.keys(), u.get("a")

    def matched(u):
        match u:
            case {"a": v, **rest}:
                return v, rest
        return None

    def changed(u):
        u.update(b=5)
        u.update({"c": 1})
        u["n"] = 1
        return type(u)(a=3), type(u)({"b": 3}), u.setdefault("m", 4), u.pop("a", None)

    for cls in (Given, Walked, Upper, UpperInOrder, GivenInOrder, Got):
        for f in (copied, asked, matched, changed):
            run, u = compile(f), cls(a=1)
            yield cls.__name__, outcome(run, u), outcome(run, u), [*dict.items(u)]
    yield compile(lambda u: (dict(u), {**u}, taken(**u), list(u)))(Mapping())


def a_list_that_outlives_a_break(compile: Any) -> Any:
    @compile
    def f(x, xs):
        kept = []
        print("between")
        kept.append(v for v in xs)
        kept.append(v * 2 for v in xs)
        return x, [next(it) for it in kept]

    yield f(X, [1, 2]), f(X, [3, 4])
