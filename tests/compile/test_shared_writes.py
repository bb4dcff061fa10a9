"""Writes inside a compiled function, to memory that somebody else sees: an alias, the caller, the backward walk."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError

BACKENDS = ["numpy", "llvm"]


def detached_over_a_break(x: Any, w: Any) -> Any:
    v = x.detach()
    v.mul_(2.0)
    print(end="")
    v.add_(x)
    return x * w


def detached_over_a_number(x: Any, w: Any) -> Any:
    v = x.detach()
    v[0] = 9.0
    n = float(v.sum())
    v += x
    return v * n, x * w


def view_of_a_detached(x: Any, w: Any) -> Any:
    v = x.detach().view(-1)[1:]
    v.mul_(2.0)
    print(end="")
    v.add_(1.0)
    return v, x * w


def detached_from_a_value(x: Any, w: Any) -> Any:
    y = x * 2
    v = y.detach()
    v[0] = 5.0
    print(end="")
    v.mul_(2.0)
    return v, y + w


def detached_with_a_history(x: Any, w: Any) -> Any:
    v = x.detach()
    v.mul_(w)
    print(end="")
    v.add_(1.0)
    return v, x * 1


def view_of_a_detached_with_a_history(x: Any, w: Any) -> Any:
    d = x.detach()
    v = d.view(-1)
    d.mul_(w)
    return v, x * 1


def copied_into_a_view(x: Any, w: Any) -> Any:
    v = x.view(-1)
    v.copy_(w.view(-1))
    print(end="")
    v.mul_(2.0)
    return v, x * 1


def overwritten(x: Any, w: Any) -> Any:
    return x.sin_() * w


def overwritten_in_part(x: Any, w: Any) -> Any:
    x[0].log_()
    return x * x * w


def overwritten_after_a_break(x: Any, w: Any) -> Any:
    z = x.clone()
    print(end="")
    z.clamp_max_(1.0)
    return z * w


def overwritten_by_a_product(x: Any, w: Any) -> Any:
    return x.mul_(w).pow_(3)


def exchanged(x: Any, w: Any) -> Any:
    t = x.clone()
    x.copy_(w)
    w.copy_(t)
    return x * w, x + w * w


FUNCTIONS = [
    detached_over_a_break, detached_over_a_number, view_of_a_detached, detached_from_a_value, detached_with_a_history,
    view_of_a_detached_with_a_history, copied_into_a_view, overwritten, overwritten_in_part, overwritten_after_a_break,
    overwritten_by_a_product, exchanged,
]  # fmt: skip


def told(f: Any, k: int, grads: tuple[bool, bool]) -> list[Any]:
    """What a call gives and leaves in its arguments, what a write to its first result changes, and the gradients."""
    leaves = [ml.tensor([0.5 + k, 0.75], requires_grad=grads[0]), ml.tensor([1.5, 2.0], requires_grad=grads[1])]
    x, w = (leaf * 1 for leaf in leaves)
    out = f(x, w)
    outs = list(out) if isinstance(out, tuple) else [out]
    found: list[Any] = [t.requires_grad for t in (*outs, x, w)]
    total: Any = sum((t.sum() for t in outs), ml.tensor(0.0))
    if total.requires_grad:
        total.backward()
        found += [None if leaf.grad is None else leaf.grad.numpy() for leaf in leaves]
    found += [t.detach().clone().numpy() for t in (*outs, x, w)]
    with ml.no_grad():
        outs[0].add_(1.0)
    return [*found, *(t.detach().numpy() for t in (*outs, x, w))]


@pytest.mark.parametrize("f", FUNCTIONS, ids=lambda f: f.__name__)
@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("grads", [(False, False), (True, True)], ids=["values", "gradients"])
def test_everybody_sees_what_eager_shows(f: Any, backend: str, grads: tuple[bool, bool]) -> None:
    g = ml.compile(f, backend=backend)
    for k in range(3):
        for expected, got in zip(told(f, k, grads), told(g, k, grads), strict=True):
            assert expected == pytest.approx(got, rel=1e-5)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_write_of_the_caller_is_refused(backend: str) -> None:
    def f(x: Any, w: Any) -> Any:
        x.copy_(w)
        return w * w

    g = ml.compile(f, backend=backend)
    for _ in range(3):
        w = ml.tensor([1.0, 2.0], requires_grad=True) * 1
        out = g(ml.zeros(2), w)
        w.detach().add_(1.0)  # the backward walk reads w, which only the caller writes
        with pytest.raises(GradientError, match="at version 0, and its memory is now at version 1"):
            out.sum().backward()
