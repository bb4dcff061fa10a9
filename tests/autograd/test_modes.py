"""no_grad, enable_grad, set_grad_enabled and inference_mode: as blocks, as calls, as decorators."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, GradientError


def w() -> ml.Tensor:
    return ml.tensor([1.0, 2.0], requires_grad=True)


def test_a_decorated_function() -> None:
    @ml.no_grad()
    def score(x: ml.Tensor, scale: float = 2) -> bool:
        """Says so."""
        return (x * scale).requires_grad

    @ml.enable_grad()
    def inner(x: ml.Tensor) -> bool:
        return (x * 2).requires_grad

    assert not score(w(), scale=3)
    assert (score.__name__, score.__doc__) == ("score", "Says so.")
    assert ml.is_grad_enabled()
    with ml.no_grad():
        assert inner(w())
    assert not ml.no_grad()(lambda x: inner(x) and (x * 2).requires_grad)(w())


@pytest.mark.parametrize("mode", [ml.no_grad, ml.enable_grad, ml.inference_mode])
def test_a_decorator_without_brackets(mode: Any) -> None:
    with ml.no_grad():
        assert mode(lambda x: (x * 2).requires_grad)(w()) is (mode is ml.enable_grad)


def test_a_decorated_generator_is_inside_only_while_it_computes() -> None:
    closed: list[bool] = []

    @ml.no_grad()
    def steps(x: ml.Tensor) -> Iterator[Any]:
        try:
            sent = yield (x * 2).requires_grad
            try:
                yield (sent, ml.is_grad_enabled())
            except ValueError:
                yield ("caught", ml.is_grad_enabled())
        finally:
            closed.append(ml.is_grad_enabled())

    run = steps(w())
    assert next(run) is False
    assert ml.is_grad_enabled()
    assert run.send("hello") == ("hello", False)
    assert ml.is_grad_enabled()
    assert run.throw(ValueError()) == ("caught", False)
    run.close()
    assert closed == [False]
    assert ml.is_grad_enabled()


def test_a_decorated_generator_returns_its_value() -> None:
    @ml.no_grad()
    def steps() -> Any:
        yield 1
        return 2

    def outer() -> Any:
        return (yield from steps())

    run = outer()
    next(run)
    with pytest.raises(StopIteration) as end:
        next(run)
    assert end.value.value == 2


def test_a_block_can_be_used_again_and_inside_itself() -> None:
    quiet = ml.no_grad()
    for _ in range(2):
        with quiet, ml.enable_grad(), quiet:
            assert not ml.is_grad_enabled()
        assert ml.is_grad_enabled()
    with pytest.raises(ZeroDivisionError), quiet:
        _ = 1 / 0
    assert ml.is_grad_enabled()


def test_set_grad_enabled_as_call_block_and_decorator() -> None:
    mode = ml.set_grad_enabled(False)
    assert not ml.is_grad_enabled()
    with mode:
        assert not ml.is_grad_enabled()
    assert ml.is_grad_enabled()
    with ml.set_grad_enabled(False):
        with ml.set_grad_enabled(True):
            assert (w() * 2).requires_grad
        assert not (w() * 2).requires_grad

    @ml.set_grad_enabled(False)
    def score(x: ml.Tensor) -> bool:
        return (x * 2).requires_grad

    assert ml.is_grad_enabled()
    assert not score(w())
    assert ml.is_grad_enabled()


def test_modes_belong_to_a_thread() -> None:
    seen: list[tuple[bool, bool]] = []

    def work() -> None:
        y = w() * 2
        seen.append((y.requires_grad, y.is_inference()))

    with ml.inference_mode():
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert seen == [(True, False)]


# ---- inference_mode ---


def test_what_inference_mode_makes_is_marked() -> None:
    x, plain = w(), ml.ones(2)
    with ml.inference_mode():
        y = x * 2
        view, borrowed = y[0], plain[0]
        y += 1
        y.relu_()
        with ml.enable_grad():
            assert not (x * 2).requires_grad
    assert [t.is_inference() for t in (y, view, borrowed, plain, y[0], y.T, y + 1, y.clone())] == [
        True, True, False, False, True, True, False, False,
    ]  # fmt: skip
    assert (y.tolist(), y[1].item(), repr(y)) == ([3.0, 5.0], 5.0, "tensor([3., 5.])")
    assert not y.requires_grad


def test_it_cannot_be_saved_nor_written() -> None:
    x = w()
    with ml.inference_mode():
        y = x * 2
    for wrong in (lambda: x * y, lambda: x * y[0], lambda: x @ y, lambda: y.add_(1), lambda: y[:1].mul_(2)):
        with pytest.raises(GradientError, match=r"(?s)made in inference_mode\(\).*Did you mean x\.clone\(\)\?"):
            wrong()
    (x + y).sum().backward()  # add saves nothing
    (x * y.clone()).sum().backward()
    assert x.grad.tolist() == [3.0, 5.0]
    with ml.no_grad():
        assert (x * y).tolist() == [2.0, 8.0]


def test_a_write_inside_to_an_ordinary_tensor_is_counted() -> None:
    x = ml.ones(2)
    with ml.inference_mode():
        x += 1
    assert (x._version, x.is_inference()) == (1, False)


def test_inference_mode_can_be_turned_off_inside() -> None:
    x = w()
    with ml.inference_mode():
        with ml.inference_mode(False):
            y = x * 2
        assert y.requires_grad
        assert not y.is_inference()
        assert (x * 2).is_inference()


def test_inference_mode_as_decorator_and_around_a_transform() -> None:
    @ml.inference_mode()
    def slope(x: ml.Tensor) -> ml.Tensor:
        return ml.func.grad(lambda x: (x * x * x).sum())(x)

    assert slope(w()).tolist() == [3.0, 12.0]

    def inside(x: ml.Tensor) -> ml.Tensor:
        with ml.inference_mode():
            factor = x * 2
        return (factor * x).sum()

    assert ml.func.grad(inside)(w()).tolist() == [2.0, 4.0]


def test_a_layer_and_an_optimizer_do_not_mind() -> None:
    model = ml.nn.Sequential(ml.nn.Linear(3, 4), ml.nn.ReLU(), ml.nn.Linear(4, 2))
    with ml.inference_mode():
        out = model(ml.ones(5, 3)).softmax(dim=1).sum(dim=1)
    assert out.tolist() == pytest.approx([1.0] * 5)


def test_a_wrong_keyword() -> None:
    with pytest.raises(ArgumentError, match="mode"):
        ml.inference_mode(moed=True)
