"""What holds values: collections, copies, getters, numbers, keywords."""

from __future__ import annotations

import collections
import copy
import math
import operator
import typing
from collections import Counter, OrderedDict, defaultdict, deque, namedtuple
from typing import Any, NamedTuple

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.everyday.functions import CONFIG, Output
from tests.compile.everyday.table import Made, everyday, three, vec

# ---- collections ----------------------------------------------------------------------------------------------------
Point = namedtuple("Point", ["x", "y"])


class Step(NamedTuple):
    loss: Any
    n: int = 0

    def doubled(self) -> Any:
        return self.loss * 2


@everyday
def named_tuples() -> Made:
    def f(x: Any) -> Any:
        p = Point(x, y=x * 2)
        a, b = p
        s = Step(p.x + p.y)
        return a * b, p._replace(x=x * 3), s, s.doubled(), s.n, p[0], len(p), p._asdict(), Point._fields

    return f, three()


@everyday
def deques() -> Made:
    def f(x: Any) -> Any:
        window = deque(maxlen=2)
        for i in range(4):
            window.append(x * i)
        window.appendleft(x)
        return sum(window), len(window), window[0], list(window), window.popleft()

    return f, three()


@everyday
def deque_kept() -> Made:
    history = deque([1.0], maxlen=3)

    def f(x: Any) -> Any:
        history.append(2.0)
        return x * len(history)

    return f, three(), lambda: list(history)


@everyday
def default_dicts() -> Made:
    def f(x: Any) -> Any:
        d = defaultdict(list)
        for i in range(4):
            d[i % 2].append(x * i)
        n = defaultdict(int)
        n["a"] += 1
        return {k: sum(v) for k, v in d.items()}, dict(n), d

    return f, three()


@everyday
def ordered_dicts() -> Made:
    def f(x: Any) -> Any:
        d = OrderedDict()
        d["a"], d["b"] = x, x * 2
        d["c"] = d["a"] + d["b"]
        d.move_to_end("a")
        return d, list(d), d.popitem(last=False)[0]

    return f, three()


@everyday
def counters() -> Made:
    def f(x: Any) -> Any:
        c = Counter(["a", "b", "a"])
        c.update(["b", "b"])
        return x * c["a"] + c["z"], c.most_common(1), dict(c)

    return f, three()


@everyday
def chain_maps() -> Made:
    return (lambda x: x * collections.ChainMap({"a": 2.0}, {"a": 1.0, "b": 3.0})["b"]), three()


@everyday
def dict_methods() -> Made:
    def f(x: Any) -> Any:
        d = {"a": x}
        d.update(b=x * 2)
        d |= {"c": x * 3}
        e = {**d, "d": 1} | {"e": 2}
        d.setdefault("f", []).append(x)
        last = e.popitem()
        return d, e, d.get("z", 0), d.pop("a"), d.pop("zz", None), last, dict.fromkeys(["p", "q"], 0), list(d), len(e)

    return f, three()


@everyday
def set_methods() -> Made:
    def f(x: Any) -> Any:
        s, t = {1, 2}, {2, 3}
        s.add(5)
        s |= t
        return x * len(s & t), s - t, s ^ t, t <= s, s.union([9]), 2 in s, s.issubset(t), frozenset(s)

    return f, three()


@everyday
def missing_key() -> Made:
    def f(x: Any) -> Any:
        try:
            return {"a": x}["b"]
        except KeyError as error:
            return x, repr(error)

    return f, three()


# ---- copy, operator, math, typing -----------------------------------------------------------------------------------
@everyday
def shallow_copies() -> Made:
    def f(x: Any) -> Any:
        c = copy.copy(CONFIG)
        c.lr = 0.7
        xs = copy.copy([x, 1])
        d = copy.copy({"a": x})
        d["b"] = 1
        return x * c.lr + CONFIG.lr, xs, d

    return f, three()


@everyday
def deep_copies() -> Made:
    cfg = {"a": [1, 2], "b": {"c": 3.0}}

    def f(x: Any) -> Any:
        d = copy.deepcopy(cfg)
        d["a"].append(5)
        d["b"]["c"] *= 2
        return x * d["b"]["c"], d, cfg["a"]

    return f, three()


@everyday
def getters() -> Made:
    def f(x: Any) -> Any:
        d = {"a": x, "b": x * 2}
        a, b = operator.itemgetter("a", "b")(d)
        c = Output(x, x * 3)
        both = operator.attrgetter("loss", "logits")(c)
        return a * b, operator.attrgetter("loss")(c), both, operator.methodcaller("sum")(x), operator.itemgetter(0)([x])

    return f, three()


@everyday
def maths() -> Made:
    def f(x: Any) -> Any:
        d = len(x)
        return (
            x / math.sqrt(d) * math.pi
            + math.log(d)
            + math.ceil(d / 2)
            + math.prod([2, 3])
            + math.inf * 0.0
            + math.isclose(1, 1)
        )

    return f, three()


@everyday
def maths_on_a_number() -> Made:
    def f(x: Any, n: float) -> Any:
        lr = 0.5 * (1 + math.cos(math.pi * n / 10)) if n > 1 else n / 2
        return x * lr + math.floor(n) + math.exp(-n) + round(n, 1) + abs(-n) + max(n, 0.5)

    return f, [(vec(1.0), 0.5), (vec(1.0), 2.5), (vec(2.0), 3.5), (vec(2.0), 4.25)]


@everyday
def casts_of_typing() -> Made:
    def f(x: Any) -> Any:
        y = typing.cast("ml.Tensor", x)
        z: list[ml.Tensor] = [y]
        return (
            z[0] * (2 if isinstance(3, int | str) else 1)
            + isinstance("a", (int, str))
            + isinstance(x, ml.Tensor | None)
        )

    return f, three()


@everyday
def issubclass_and_callable() -> Made:
    return (
        lambda x: x * issubclass(nn.Linear, nn.Module) + callable(f_of_two) + hasattr(x, "shape") + hasattr(x, "nope")
    ), three()


def f_of_two(a: Any, *rest: Any, b: float = 1.0, **more: Any) -> Any:
    return a * b + len(rest) + sum(more.values())


@everyday
def passes_keywords_on() -> Made:
    def outer(x: Any, *args: Any, **kwargs: Any) -> Any:
        kwargs.setdefault("b", 2.0)
        extra = {"c": 3.0, **kwargs}
        return f_of_two(x, *args, **extra)

    return outer, [{"x": vec(1.0)}, {"x": vec(2.0), "b": 5.0}, {"x": vec(3.0), "d": 1.0}]


@everyday
def wrong_keywords() -> Made:
    def f(x: Any) -> Any:
        try:
            return (lambda a, *, b: a)(x, c=1)  # type: ignore[call-arg]
        except TypeError as error:
            return x, str(error)

    return f, three()
