"""Hooks: what they may return, what they are told, and where they stay."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, DTypeError, GradientError, ShapeError


def leaf(*values: float) -> Any:
    return ml.tensor(values, dtype=ml.float64, requires_grad=True)


def three(g: Any) -> Any:
    return 3


WRONG = {
    "number": (
        three,
        ArgumentError,
        """\
The hook three returned a int.
  What a hook returns takes the place of the cotangent, so it is a tensor; None leaves it as it is.
  Did you mean return g * 2? Or a function without return, that only looks.""",
    ),
    "shape": (
        lambda g: g.sum(),
        ShapeError,
        """\
The hook <lambda> returned a tensor of shape () for a cotangent of shape (2,).
  What a hook returns takes the place of the cotangent, so it has its shape.
  Did you sum or index where an entry by entry operation was meant?""",
    ),
    "dtype": (
        lambda g: g.float(),
        DTypeError,
        """\
The hook <lambda> returned a tensor of dtype float32 for a cotangent of dtype float64.
  What a hook returns takes the place of the cotangent, so it has its dtype.
  Did you mean x.to(ml.float64)?""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_a_hook_may_not_return(name: str) -> None:
    hook, kind, text = WRONG[name]
    y = leaf(1.0, 2.0) * 2
    y.register_hook(hook)
    with pytest.raises(kind) as error:
        y.sum().backward()
    assert str(error.value) == text


def test_a_node_hook_returns_a_tuple() -> None:
    y = leaf(1.0, 2.0) * 2
    y.grad_fn.register_prehook(lambda g: g[0])
    with pytest.raises(ArgumentError) as error:
        y.sum().backward()
    assert str(error.value) == (
        "The hook <lambda> returned a tensor for grad_outputs of length 1.\n"
        "  A hook of a node gets the grad_outputs as a tuple and returns such a tuple, or None to leave it.\n"
        "  Did you mean (g * 2,), with a comma?"
    )


def test_a_hook_on_a_full_gradient() -> None:
    x = leaf(1.0, 2.0)
    seen: list[Any] = []

    def step(p: Any) -> None:
        seen.append((p is x, p.grad.tolist()))
        p.grad = None  # as an optimizer does that steps during the walk

    handle = x.register_post_accumulate_grad_hook(step)
    (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert seen == [(True, [3.0, 3.0])] * 2
    assert x.grad is None
    handle.remove()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    with pytest.raises(GradientError) as error:
        (x * 2).register_post_accumulate_grad_hook(step)
    assert str(error.value) == (
        "register_post_accumulate_grad_hook on a tensor that an op has made.\n"
        "  Only a leaf adds gradients up in .grad.\n"
        "  Did you mean x.register_hook(hook)? It sees the cotangent of any tensor."
    )


def test_hooks_stay_and_retain_grad_follows() -> None:
    x = leaf(1.0, 2.0)
    y = x * 2
    seen: list[Any] = []
    y.register_hook(lambda g: seen.append(("before the write", g.tolist())))
    y.retain_grad()
    y.mul_(5.0)
    y.register_hook(lambda g: seen.append(("after it", g.tolist())))
    y.sum().backward()
    assert seen == [("after it", [1.0, 1.0]), ("before the write", [5.0, 5.0])]
    assert y.grad.tolist() == [1.0, 1.0]


def test_a_hook_may_keep_what_it_returned() -> None:
    x, given = leaf(1.0, 2.0), ml.ones(2, dtype=ml.float64)
    x.register_hook(lambda g: given)
    (x * 3).sum().backward()
    x.grad.mul_(7.0)
    assert given.tolist() == [1.0, 1.0]


def test_a_handle_is_a_block_too() -> None:
    x = leaf(1.0)
    with x.register_hook(lambda g: g * 10):
        (x * 3).sum().backward()
    (x * 3).sum().backward()
    assert x.grad.tolist() == [33.0]


def test_hooks_inside_a_transform() -> None:
    seen: list[Any] = []

    def f(x: Any) -> Any:
        y = x * 3
        y.register_hook(lambda g: seen.append(g.tolist()) or g * 10)
        return (y * y).sum()

    assert ml.func.grad(f)(ml.tensor([1.0, 2.0])).tolist() == [180.0, 360.0]
    assert seen == [[6.0, 12.0]]
