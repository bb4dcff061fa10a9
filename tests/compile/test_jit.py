"""`jit`: one graph per kind of argument, effects on arguments, and what it must refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, CaptureError, GradientError


def counted(fn: Any) -> tuple[Any, list[Any]]:
    """`fn` under jit, and a list that grows whenever its Python runs."""
    runs: list[Any] = []

    def noting(*args: Any, **kwargs: Any) -> Any:
        runs.append(args)
        return fn(*args, **kwargs)

    return ml.jit(noting), runs


def test_python_runs_once_per_kind_of_argument() -> None:
    f, runs = counted(lambda x: x * 2.0)
    for x in (ml.ones(3), ml.zeros(3), ml.ones(4), ml.ones(3, dtype=ml.float64), ml.ones(2, 3).T, ml.ones(3)):
        np.testing.assert_array_equal(f(x).numpy(), x.numpy() * 2.0)
    assert len(runs) == 4


def test_numbers_are_inputs_and_strings_are_not() -> None:
    f, runs = counted(lambda x, k, how: x * k if how == "mul" else x + k)
    assert f(ml.ones(2), 3.0, "mul").tolist() == [3.0, 3.0]
    assert f(ml.ones(2), 4.0, "mul").tolist() == [4.0, 4.0]
    assert f(ml.ones(2), 4.0, "add").tolist() == [5.0, 5.0]
    assert len(runs) == 2


def test_static_arguments() -> None:
    powers = ml.jit(lambda x, n: sum((x**i for i in range(n)), x * 0), static_argnums=1)
    assert powers(ml.tensor(2.0), 3).item() == 7.0
    assert powers(ml.tensor(2.0), 4).item() == 15.0
    assert len(powers.graphs) == 2
    with pytest.raises(ArgumentError, match="cannot be hashed"):
        ml.jit(lambda x, n: x, static_argnums=1)(ml.ones(1), [1])


def test_nested_arguments_and_results() -> None:
    f = ml.jit(lambda p, *, bias: {"y": p["w"] @ p["x"] + bias, "sizes": (p["w"].shape, None)})
    out = f({"w": ml.eye(2), "x": ml.tensor([1.0, 2.0])}, bias=ml.ones(2))
    assert out["y"].tolist() == [2.0, 3.0]
    assert out["sizes"] == ((2, 2), None)


def test_one_tensor_given_twice_is_one_argument() -> None:
    def f(a: Any, b: Any) -> Any:
        a.add_(1.0)
        return a * b

    x, y = ml.ones(2), ml.ones(2)
    g = ml.jit(f)
    assert g(x, y).tolist() == [2.0, 2.0]
    z = ml.ones(2)
    assert g(z, z).tolist() == [4.0, 4.0]
    assert z.tolist() == [2.0, 2.0]


def test_writes_to_arguments_and_to_the_outside_are_done() -> None:
    total = ml.zeros(2)

    def f(x: Any) -> Any:
        x[0] = 5.0
        total.add_(x)
        return x * 1.0

    g = ml.jit(f)
    for _ in range(2):
        x = ml.ones(2)
        assert g(x).tolist() == [5.0, 1.0]
        assert x.tolist() == [5.0, 1.0]
    assert total.tolist() == [10.0, 2.0]


def test_an_update_under_no_grad_leaves_a_leaf_a_leaf() -> None:
    w = ml.ones(2, requires_grad=True)

    def f(g: Any) -> Any:
        with ml.no_grad():
            w.sub_(g * 0.5)
        return (w * w).sum()

    out = ml.jit(f)(ml.ones(2))
    out.backward()
    assert w.is_leaf
    assert w.tolist() == [0.5, 0.5]
    assert w.grad is not None
    assert w.grad.tolist() == [1.0, 1.0]


def test_gradients_flow_into_arguments_and_closures() -> None:
    w = ml.tensor([1.0, 2.0], requires_grad=True)
    x = ml.tensor([3.0, 4.0], requires_grad=True)
    ml.jit(lambda x: (w * x).sum())(x).backward()
    assert w.grad is not None
    assert w.grad.tolist() == [3.0, 4.0]
    assert x.grad is not None
    assert x.grad.tolist() == [1.0, 2.0]


def test_a_closure_that_belongs_to_a_transform_is_not_remembered() -> None:
    f = ml.jit(lambda x, scale: x * scale)

    def of(s: Any) -> Any:
        return ml.jit(lambda x: x * s)(ml.ones(2)).sum() + f(s, 2.0)

    for _ in range(2):
        assert ml.func.grad(of)(ml.tensor(3.0)).item() == 4.0


def test_random_numbers_are_drawn_at_every_call() -> None:
    f = ml.jit(lambda x: x + ml.rand(4))
    ml.manual_seed(0)
    a, b = f(ml.zeros(4)), f(ml.zeros(4))
    assert a.tolist() != b.tolist()
    ml.manual_seed(0)
    assert f(ml.zeros(4)).tolist() == a.tolist()


@pytest.mark.parametrize(
    "ask",
    [lambda x: x.item(), bool, float, int, lambda x: x.tolist(), lambda x: x.reshape(1)[x.reshape(1) > 0]],
    ids=range(6),
)
def test_entries_are_not_known_while_capturing(ask: Any) -> None:
    with pytest.raises((CaptureError, GradientError), match="of a tensor that is being captured"):
        ml.jit(ask)(ml.tensor(1.0))


def test_what_lies_in_an_unknown_order_is_not_written_through_a_reshape() -> None:
    def f(x: Any) -> Any:
        y = (x + 1.0).reshape(-1)
        y[0] = 7.0
        return y

    assert ml.jit(f)(ml.ones(2, 3))[0].item() == 7.0
    with pytest.raises(CaptureError, match=r"(?s)unknown order.*contiguous"):
        ml.jit(f)(ml.ones(3, 2).T)


def test_two_views_of_one_memory_cannot_both_be_arguments_and_be_written() -> None:
    def f(a: Any, b: Any) -> Any:
        a.add_(1.0)
        return a.sum() + b.sum()

    base = ml.zeros(4)
    with pytest.raises(CaptureError, match=r"(?s)memory that two.*make the view inside"):
        ml.jit(f)(base[:3], base[1:])


def test_a_write_keeps_the_layout_of_the_memory() -> None:
    """A tensor lies as it lay when it was made, whatever is written into it: a later reshape is still a view."""

    def f(x: Any) -> Any:
        y = x * 1.0
        y.T.copy_(x.T * 2.0)
        flat = y.reshape(-1)
        y.add_(1.0)
        return flat

    x = ml.arange(6).float().reshape(2, 3)
    want = f(x)
    np.testing.assert_array_equal(ml.jit(f)(x).numpy(), want.numpy())
    np.testing.assert_array_equal(ml.func.vjp(f, x)[0].numpy(), want.numpy())
