"""itertools."""

from __future__ import annotations

import itertools
import operator
from itertools import accumulate, chain, groupby, islice, pairwise, product
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.everyday.table import Made, everyday, three

WEIGHTS = [0.5, 1.5, -2.0]
NAMED = {"a": 2.0, "b": -1.0, "c": 0.5}


@everyday
def groups() -> Made:
    def f(x: Any) -> Any:
        out = {}
        for kind, layers in groupby([("conv", 1), ("conv", 2), ("fc", 3)], key=lambda pair: pair[0]):
            out[kind] = x * sum(n for _, n in layers)
        return out

    return f, three()


@everyday
def groups_by_itemgetter() -> Made:
    def f(x: Any) -> Any:
        rows = sorted([("b", 1.0), ("a", 2.0), ("b", 3.0)], key=operator.itemgetter(0))
        return [(k, x * sum(v for _, v in g)) for k, g in groupby(rows, operator.itemgetter(0))]

    return f, three()


@everyday
def groups_without_key() -> Made:
    return (lambda x: [(k, x * len(list(g))) for k, g in groupby([1, 1, 2, 3, 3])]), three()


@everyday
def chained() -> Made:
    def f(x: Any) -> Any:
        return sum(chain([x], [x * 2], (x * 3 for _ in range(2)))), list(chain.from_iterable([[x], [x + 1]]))

    return f, three()


@everyday
def chained_parameters() -> Made:
    a, b = nn.Linear(3, 2).to(ml.float64), nn.Linear(2, 1).to(ml.float64)

    def f(x: Any) -> Any:
        loss = b(a(x)).sum()
        loss.backward()
        for p in chain(a.parameters(), b.parameters()):
            with ml.no_grad():
                p -= 0.1 * p.grad
            p.grad = None
        return loss

    return f, three(), lambda: (a.state_dict(), b.state_dict())


@everyday
def products() -> Made:
    return (lambda x: sum(x * i + j for i, j in product(range(2), range(3)))), three()


@everyday
def product_with_repeat() -> Made:
    return (lambda x: [x * (i + j) for i, j in product([1, 2], repeat=2)]), three()


@everyday
def slices_of_iterators() -> Made:
    def f(x: Any) -> Any:
        return (
            [x * i for i in islice(itertools.count(1), 3)],
            list(islice(WEIGHTS, 1, None)),
            list(islice("abcd", 0, 4, 2)),
        )

    return f, three()


@everyday
def accumulated() -> Made:
    def f(x: Any) -> Any:
        return (
            list(accumulate([x, x * 2, x * 3])),
            list(accumulate(WEIGHTS, operator.mul)),
            list(accumulate([1, 2], initial=5)),
        )

    return f, three()


@everyday
def neighbours() -> Made:
    def f(x: Any) -> Any:
        sizes = [3, 5, 2]
        return sum(x * a / b for a, b in pairwise(sizes)), sum(x * a for a, b in zip(sizes[:-1], sizes[1:]))

    return f, three()


@everyday
def more_itertools() -> Made:
    def f(x: Any) -> Any:
        return (
            [x * w for w in itertools.takewhile(lambda w: w > 0, WEIGHTS)],
            [x * w for w in itertools.dropwhile(lambda w: w > 0, WEIGHTS)],
            [x * a * b for a, b in itertools.combinations([1, 2, 3], 2)],
            [a for a in itertools.permutations([1, 2, 3], 2)],
            [x * w for w in itertools.repeat(2.0, 2)],
            [a for a, _ in zip(itertools.cycle("ab"), range(5))],
            list(itertools.starmap(lambda a, b: x * a + b, [(1, 2), (3, 4)])),
            list(itertools.zip_longest([1, 2], [3], fillvalue=0)),
            list(itertools.compress([x, x * 2], [1, 0])),
            list(itertools.filterfalse(lambda w: w > 0, WEIGHTS)),
        )

    return f, three()


@everyday
def tee() -> Made:
    def f(x: Any) -> Any:
        a, b = itertools.tee([x, x * 2, x * 3])
        next(b)
        return [p * q for p, q in zip(a, b)]

    return f, three()
