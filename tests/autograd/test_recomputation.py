"""What a checkpoint costs: bytes of activations against layers that run again, and what need not run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import checkpoint, checkpoint_sequential

DEPTH, WIDTH, ROWS = 32, 16, 64


def leaf(*values: float) -> ml.Tensor:
    return ml.tensor(values, dtype=ml.float64, requires_grad=True)


# ---- bytes and work, on an MLP of 32 layers ---


def mlp() -> Any:
    ml.manual_seed(0)
    layers = [ml.nn.Sequential(ml.nn.Linear(WIDTH, WIDTH), ml.nn.Tanh()) for _ in range(DEPTH)]
    return ml.nn.Sequential(*layers)


def measured(run: Callable[[Any, Any], Any]) -> tuple[list[bytes], ml.memory.Account]:
    """One step's gradients, and what it took."""
    model, x = mlp(), ml.randn(ROWS, WIDTH)
    with ml.memory.account() as account:
        loss = run(model, x).sum()
        loss.backward()
    return [p.grad.numpy().tobytes() for p in model.parameters()], account


def test_a_32_layer_mlp_with_root_n_segments() -> None:
    """The bound: of 0.35 of the plain peak, and with fewest layers computed again.

    The plain peak is 33 units of one layer's result: 32 results, and the input of the last tanh. 0.35 of it is 11 whole
    units. One is that input again, so at the end of the forward pass at most 10 of the 32 results are alive. The rules
    need all 32, so any scheme that computes them by running layers has to run at least 22 again, which is 69 % more
    forward ops. (40 % more, 12 layers, would leave 20 alive, and a peak of 0.64.)
    """
    unit = ROWS * WIDTH * 4
    plain, whole = measured(lambda model, x: model(x))
    same, cut = measured(lambda model, x: checkpoint_sequential(model, input=x))
    assert same == plain
    before, after = whole.peak_by_category["activation"], cut.peak_by_category["activation"]
    assert (before, after) == (33 * unit, 11 * unit)
    assert after <= 0.35 * before
    fewest = DEPTH - (int(0.35 * before) // unit - 1)
    assert cut.ops["recomputation"] == 2 * fewest == 2 * 22  # a layer is two ops
    assert cut.ops["forward"] == whole.ops["forward"] == 2 * DEPTH + 1
    assert sum(cut.ops.values()) <= 1.4 * sum(whole.ops.values())  # the step: 1.23


@pytest.mark.parametrize(
    ("segments", "units", "again"),
    [
        (1, 33, 0),
        (2, 18, 15),
        (4, 12, 21),
        (6, 11, 22),
        (8, 12, 21),
        (16, 18, 15),
        (32, 33, 0),
        ([8, 7, 7, 5, 5], 10, 23),
    ],
)
def test_bytes_against_layers_run_again(segments: Any, units: int, again: int) -> None:
    """Kept are the ends of all segments but the last and the results of the last: n - (k - 1) - L run again.

    At the peak, one result in the making (a pre-activation) comes on top.
    """
    _, cut = measured(lambda model, x: checkpoint_sequential(model, segments, x))
    assert cut.peak_by_category["activation"] == units * ROWS * WIDTH * 4
    assert cut.ops.get("recomputation", 0) == 2 * again


# ---- how much is computed again ---


def counted(function: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    def run(*args: Any) -> Any:
        calls.append("begins")
        out = function(*args)
        calls.append("ends")
        return out

    return run


def test_the_second_run_ends_when_nothing_is_missing() -> None:
    x, calls = leaf(0.5), []

    def function(x: ml.Tensor) -> ml.Tensor:
        y = x.exp().sin()
        calls.append("the sine has run")
        return y * 2

    y = checkpoint(function, x)
    y.backward()
    assert calls == ["the sine has run"]  # exp x is all that its rule needs


def test_what_somebody_keeps_is_not_computed_again() -> None:
    x, calls, kept = leaf(0.5), [], []

    def function(x: ml.Tensor) -> ml.Tensor:
        kept.append(x.exp())
        return kept[0].sin()

    y = checkpoint(counted(function, calls), x)
    y.backward()
    assert calls == ["begins", "ends"]
    assert x.grad.item() == pytest.approx(np.cos(np.exp(0.5)) * np.exp(0.5))


def test_weights_are_nobodys_to_compute_again() -> None:
    x, w, calls = leaf(0.5), leaf(2.0), []
    checkpoint(counted(lambda x: x * w, calls), x).backward()
    assert calls == ["begins", "ends"]


def test_an_end_of_the_second_run_cannot_be_caught() -> None:
    x, caught = leaf(0.5), []

    def careful(x: ml.Tensor) -> ml.Tensor:
        try:
            return x.exp().sin() * 2
        except Exception as error:
            caught.append(error)
            raise

    y = checkpoint(careful, x)
    y.backward()
    assert caught == []


def test_modes_are_left_in_order_when_it_ends() -> None:
    x = leaf(0.5)

    def function(x: ml.Tensor) -> ml.Tensor:
        with ml.enable_grad():
            return x.exp().sin() * 2

    with ml.no_grad(), ml.enable_grad():
        y = checkpoint(function, x)
    state = ml.get_rng_state()
    y.backward()
    assert ml.is_grad_enabled()
    assert ml.get_rng_state() == state
    assert (x * 2).requires_grad
