"""Hooks beside PyTorch's: one random program run by both, and the same events in the same order."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.oracles.test_custom_functions import BOTH, leaf, said

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]


OPS = [lambda a, b: a * b, lambda a, b: a + b, lambda a, b: a.sin(), lambda a, b: a * 3.0, lambda a, b: a - b]


def program(r: random.Random, lib: Any, log: list[Any], create: bool) -> list[Any]:
    """Ops, hooks, writes in place and removals; then a walk. Logs what hooks see: who, and the numbers."""
    leaves = [leaf(lib, 0.5 + i, -0.25 * i) for i in range(2)]
    made, keep, handles = list(leaves), [], []
    place = lambda x: next((i for i, other in enumerate(leaves) if other is x), "inner")  # noqa: E731
    for k in range(9):
        a, b = r.choice(made), r.choice(made)
        made.append(r.choice(OPS)(a, b))
        x = r.choice(made)
        node = x.grad_fn
        what = r.randrange(8)
        if what <= 1:
            factor = r.choice([None, 2.0, 0.5])
            handles.append(x.register_hook(observer(log, f"tensor {k}", place(x), factor)))
        elif what == 2 and node is not None:
            x.retain_grad()
            keep.append(x)
        elif what == 3 and node is not None:
            node.register_prehook(lambda g, k=k: log.append(("pre", k, said(g))))
        elif what == 4 and node is not None:
            node.register_hook(lambda i, g, k=k: log.append(("post", k, said(i), said(g))))
        elif what == 5 and node is not None and x is made[-1]:
            x.mul_(1.5)
        elif what == 6 and handles:
            r.choice(handles).remove()
        elif what == 7 and node is None:
            x.register_post_accumulate_grad_hook(lambda p, k=k: log.append((place(p), "full", k, said(p.grad))))
    out = (made[-1] * made[-2] + leaves[0] + leaves[1]).sum()
    out.backward(create_graph=create)
    return [said(x.grad) for x in (*leaves, *keep)]


def observer(log: list[Any], name: str, place: Any, factor: float | None) -> Any:
    def hook(g: Any) -> Any:
        log.append((place, name, said(g), bool(g.requires_grad)))
        return None if factor is None else g * factor

    return hook


@pytest.mark.parametrize("create", [False, True])
@pytest.mark.parametrize("block", range(4))
def test_the_order_of_hooks(block: int, create: bool) -> None:
    """PyTorch comes to a leaf as soon as all has arrived there, we come to it at the end: each is compared alone."""
    events = 0
    for seed in range(block * 50, (block + 1) * 50):
        logs: list[list[Any]] = []
        ends: list[Any] = []
        for lib in BOTH:
            logs.append([])
            try:
                ends.append(program(random.Random(seed), lib, logs[-1], create))
            except RuntimeError:
                ends.append("refused")
        assert ends[0] == ends[1], f"seed {seed}"
        events += len(logs[0])
        for place in (0, 1, "inner"):
            mine, theirs = ([e for e in log if (e[0] if e[0] in (0, 1) else "inner") == place] for log in logs)
            assert mine == theirs, f"seed {seed}"
    assert events > 100


def test_the_hooks_of_one_node() -> None:
    mine, theirs = map(events_of_one_node, BOTH)
    assert mine == theirs
    assert len(mine) > 20


def events_of_one_node(lib: Any) -> list[Any]:
    log: list[Any] = []
    x = leaf(lib, 1.0, 2.0)
    y = x * 2
    y.retain_grad()
    y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: log.append(("tensor", said(g))))
    y.grad_fn.register_hook(lambda i, g: (log.append(("post", said(i), said(g))), (i[0] * 2, None))[1])
    y.grad_fn.register_hook(lambda i, g: log.append(("post again", said(i), said(g))))
    y.grad_fn.register_prehook(lambda g: (log.append(("pre", said(g))), (g[0] * 7,))[1])
    first = y.register_hook(lambda g: (log.append("first"), later.remove())[0])
    later = y.register_hook(lambda g: log.append("removed meanwhile"))
    accumulate = y.grad_fn.next_functions[0][0]
    accumulate.register_prehook(lambda g: log.append(("leaf pre", said(g))))
    accumulate.register_hook(lambda i, g: log.append(("leaf post", said(i), said(g), said(x.grad))))
    x.register_hook(lambda g: log.append(("leaf tensor", said(x.grad))))
    x.register_post_accumulate_grad_hook(lambda p: log.append(("leaf full", said(p.grad), p is x)))
    for _ in range(2):
        y.backward(lib.tensor([1.0, -1.0], dtype=lib.float64), retain_graph=True)
    first.remove()
    y.backward(lib.tensor([1.0, -1.0], dtype=lib.float64))
    return [*log, said(y.grad), said(x.grad)]


def test_hooks_and_gradients_as_a_result() -> None:
    found: list[Any] = []
    for lib in BOTH:
        for wanted in ("x", "y", "xy", "yx"):
            x = leaf(lib, 1.0)
            y = x * 3
            z = (y * y).sum()
            y.register_hook(lambda g: g * 10)
            x.register_hook(lambda g: g * 2)
            y.grad_fn.register_prehook(lambda g: (g[0] * 100,))
            found.append(said(lib.autograd.grad(z, [{"x": x, "y": y}[name] for name in wanted])))
    assert found[:4] == found[4:]


WRONG = {
    "a number": lambda g: 3,
    "a tuple": lambda g: (g,),
    "shape": lambda g: g[:1],
    "dtype": lambda g: g.float(),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_hook_may_not_return(name: str) -> None:
    for lib in BOTH:
        y = leaf(lib, 1.0, 2.0) * 2
        y.register_hook(WRONG[name])
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            y.sum().backward()
        y = leaf(lib, 1.0, 2.0) * 2
        y.grad_fn.register_prehook(lambda g: WRONG[name](g[0]) if name != "a tuple" else g[0])
        with pytest.raises((RuntimeError, TypeError, ValueError)):
            y.sum().backward()
