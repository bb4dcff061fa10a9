"""Objects that change in a call that is captured anew in its midst: what was read before is of an earlier state."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import minitorch_lab as ml
from tests.compile.worlds.observe import observe

X = ml.ones(2)


class Thing:
    k = 1

    def __init__(self) -> None:
        self.h = list[Any]()

    def meth(self) -> int:
        return self.k


def class_attribute_then_own(x: Any, o: Any, anew: bool) -> Any:
    y = x * o.k
    o.k = o.k + 1
    return (y + 1 if anew else y) * o.k


def own_then_deleted(x: Any, o: Any, anew: bool) -> Any:
    o.q = 3 if anew else 2
    y = x * o.q
    del o.q
    return y + 1 if anew else y, hasattr(o, "q")


def asked_then_set(x: Any, o: Any, anew: bool) -> Any:
    had = hasattr(o, "z"), getattr(o, "count", 0)
    o.z, o.count = 1, had[1] + 1
    return x + 1 if anew else x, had, hasattr(o, "z"), o.count


def made_set_and_deleted(x: Any, o: Any, anew: bool) -> Any:
    new = Thing()
    seen = [hasattr(new, "n"), new.k]
    new.n, new.k = 5, 6
    seen += [hasattr(new, "n"), new.k]
    del new.n, new.k
    return x + 1 if anew else x, seen, hasattr(new, "n"), new.k


def entries_by_name(x: Any, o: Any, anew: bool) -> Any:
    had = "a" in o.__dict__, len(o.h)
    o.a = 1
    o.h.append(anew)
    return x + 1 if anew else x, had, "a" in o.__dict__, list(o.h)


def method_then_own(x: Any, o: Any, anew: bool) -> Any:
    m = o.meth
    o.meth = lambda: 7
    return x + 1 if anew else x, m(), o.meth()


def named_one_by_one(x: Any, o: Any, anew: bool) -> Any:
    new, seen = Thing(), list[Any]()
    for i in range(3):
        if not hasattr(new, f"a{i}"):
            setattr(new, f"a{i}", i)
        seen += [hasattr(new, f"a{i}"), getattr(new, f"a{i + 1}", None)]
    return x + 1 if anew else x, seen


def module_made(x: Any, o: Any, anew: bool) -> Any:
    inner = ml.nn.Sequential(ml.nn.ReLU(), ml.nn.Tanh())[:1]
    y = inner(x.clone().requires_grad_(True))
    return y + 1 if anew else y, len(inner)


def calls_of(work: Callable[..., Any], turns: tuple[bool, ...]) -> Callable[[Any], Iterator[Any]]:
    """A program: calls with one object, then with another; which branch is taken is said by `turns`."""

    def program(compile: Any) -> Iterator[Any]:
        f, o = compile(work), Thing()
        for k, anew in enumerate(turns):
            o = Thing() if k == 3 else o
            yield f(X, o, anew), sorted(vars(o).keys()), f(X, o, ml.tensor(anew))

    return program


WORKS = [
    class_attribute_then_own, own_then_deleted, asked_then_set, made_set_and_deleted, entries_by_name, method_then_own,
    named_one_by_one, module_made,
]  # fmt: skip
PROGRAMS = {
    f"{work.__name__} {''.join('ab'[turn] for turn in turns)}": calls_of(work, turns)
    for work in WORKS
    for turns in itertools.product([False, True], repeat=4)
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    assert observe(PROGRAMS[name], ml.compile) == observe(PROGRAMS[name], lambda f: f)


def test_a_slice_of_a_module_in_a_training_step() -> None:
    def losses(wrap: Any) -> list[float]:
        ml.manual_seed(0)
        net = ml.nn.Sequential(ml.nn.Linear(2, 3), ml.nn.Linear(3, 1)).to(ml.float64)
        sgd = ml.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)

        def step(x: Any) -> Any:
            sgd.zero_grad()
            x = x.clone().requires_grad_(True)
            loss = (net(x).sum() + net[:1](x).sum()) ** 2
            loss.backward()
            sgd.step()
            return loss

        step = wrap(step)
        return [step(ml.full((3, 2), float(t), dtype=ml.float64)).item() for t in range(5)]

    assert losses(ml.compile) == losses(lambda f: f)
