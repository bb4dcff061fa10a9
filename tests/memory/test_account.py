"""The account against bytes that are worked out by hand; when it watches, and what it prints."""

from __future__ import annotations

import gc
from itertools import groupby
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import checkpoint, saved_tensors_hooks
from minitorch_lab.errors import RecordingError
from minitorch_lab.memory import CATEGORIES, account

PHASES = ["before", "forward", "backward", "update"]
KB = 1000  # bytes of 250 float32


def leaf(n: int = 250) -> ml.Tensor:
    return ml.ones(n, requires_grad=True)


def story(found: Any) -> list[tuple[str, int, str]]:
    """The events: born or died, bytes, what made it."""
    return [("+" if e.kind == "birth" else "-", e.block.nbytes, e.block.op or e.block.category) for e in found.events]


# ---- by hand ---


def test_births_and_deaths_of_three_lines() -> None:
    w = leaf()
    with account() as found:
        y = (w * 2).exp()
        y.backward(ml.ones(250))
    assert story(found) == [
        ("+", KB, "mul"),
        ("+", KB, "exp"),
        ("-", KB, "mul"),  # nobody kept it
        ("+", KB, "full"),  # the seed
        ("+", KB, "ExpBackward"),
        ("+", KB, "MulBackward"),
        ("-", KB, "ExpBackward"),
        ("-", KB, "full"),
    ]
    assert [e.n for e in found.events] == list(range(1, 9))
    assert [b.id for b in found.blocks] == ["m1", "m2", "m3", "m4", "m5", "m6"]
    assert (found.live, found.peak) == (3 * KB, 5 * KB)
    assert found.live_by_category == {**dict.fromkeys(CATEGORIES, 0), "parameter": KB, "gradient": KB, "activation": KB}
    assert [m.total for m in found.timeline] == [KB, 2 * KB, 3 * KB, 2 * KB, 3 * KB, 4 * KB, 5 * KB, 4 * KB, 3 * KB]
    assert found.timeline[-1].allocated == 6 * KB
    del y


def test_a_view_is_counted_once_and_lives_as_long_as_its_base() -> None:
    w = ml.ones(10, 25, requires_grad=True)
    with account() as found:
        y = w * 2
        part = y.T[3].reshape(2, 5)
        del y
        assert found.live == 2 * KB
        del part
        assert found.live == KB


def test_a_cotangent_that_arrives_in_parts() -> None:
    w = leaf()
    with account() as found:
        v = w * 2
        y = v.exp() + v.sin()
        y.backward(ml.ones(250))
    assert story(found)[5:] == [
        ("+", KB, "full"),  # the seed; both terms of the sum get this very array
        ("+", KB, "SinBackward"),  # cos v, inside the rule
        ("+", KB, "SinBackward"),  # its product with the seed
        ("-", KB, "SinBackward"),
        ("+", KB, "ExpBackward"),
        ("+", KB, "sum of cotangents"),  # both parts are still there when their sum is born
        ("-", KB, "exp"),
        ("-", KB, "SinBackward"),
        ("+", KB, "MulBackward"),
        ("-", KB, "ExpBackward"),
        ("-", KB, "sum of cotangents"),
        ("-", KB, "full"),
    ]


def test_a_cotangent_that_a_leaf_takes_is_copied_when_it_is_sent() -> None:
    w, u = leaf(), leaf()
    with account() as found:
        y = w + u.exp()
        y.backward(ml.ones(250))
    made = [op for sign, _, op in story(found) if sign == "+"]
    assert made == ["exp", "add", "full", "copy of a cotangent", "ExpBackward"]
    assert found.live_by_category["gradient"] == 2 * KB


def test_a_bare_number_counts_as_long_as_somebody_holds_it() -> None:
    w = leaf()
    with account() as found:
        loss = w.sum()
        assert found.live == KB + 4
        loss.add_(1.0)  # NumPy gives it memory now
        assert found.live == KB + 4
        del loss
        assert found.live == KB


def test_what_the_tape_copies_before_a_write_is_an_activation() -> None:
    w = leaf()
    with account() as found:
        y = w * 1
        y.exp_()
        assert found.live_by_category["activation"] == KB  # exp keeps its result, which is y
        y.sin_()
        assert found.live_by_category["activation"] == 2 * KB  # the old y, which the sine needs
    del y


def test_categories_of_a_training_step() -> None:
    model, x = ml.nn.Linear(25, 10, bias=False), ml.ones(5, 25)
    optimizer = ml.optim.Adam(model.parameters())
    with account() as found:
        out = model(x)
        assert found.live_by_category == {
            "parameter": KB, "optimizer state": 0, "gradient": 0, "input": 500, "activation": 200, "temporary": 0
        }  # fmt: skip
        out.sum().backward()
        assert found.live_by_category["gradient"] == KB
        optimizer.step()
        assert found.live_by_category["optimizer state"] == 2 * KB
        optimizer.zero_grad()
        optimizer.step()
        assert found.live_by_category["gradient"] == 0
        assert found.live_by_category["temporary"] == 0
    assert [phase for phase, _ in groupby(m.phase for m in found.timeline)][:4] == PHASES
    assert set(found.ops) == {"forward", "backward", "update"}
    with account() as again:  # what was there before counts from the beginning
        model(x).sum().backward()
        optimizer.step()
    first = again.timeline[0].live
    assert (first["parameter"], first["optimizer state"]) == (KB, 2 * KB)


def test_a_gradient_that_was_there_counts_from_the_beginning() -> None:
    w = leaf()
    (w * 2).sum().backward()
    with account() as found:
        (w * 2).sum().backward()
    assert found.timeline[0].live["gradient"] == found.live_by_category["gradient"] == KB


def test_without_gradients_results_are_temporary() -> None:
    w = leaf()
    with account() as found:
        with ml.no_grad():
            y = (w * 2).exp().sin()
        assert found.live_by_category["temporary"] == KB
        with ml.inference_mode():
            (w * 2).exp().sin()
    assert found.peak_by_category["activation"] == 0
    assert found.peak == 4 * KB  # w, y, and two neighbours in the second chain
    del y


def test_momentum_by_a_users_own_optimizer() -> None:
    class Heavy(ml.optim.Optimizer):
        def update(self, parameter: Any, grad: Any, state: Any, group: Any) -> None:
            state["v"] = state.get("v", 0) * 0.9 + grad
            parameter.sub_(state["v"], alpha=0.1)

    w = leaf()
    optimizer = Heavy([w], {"lr": 0.1})
    with account() as found:
        for _ in range(3):
            optimizer.zero_grad()
            (w * 2).backward(ml.ones(250))
            optimizer.step()
        assert found.live_by_category["optimizer state"] == KB
        assert found.live_by_category["temporary"] == 0


# ---- on and off ---


def test_nothing_is_watched_outside() -> None:
    w = leaf()
    with account() as found:
        y = w * 2
    events = len(found.events)
    del y
    (w * 3).sum().backward()
    assert (len(found.events), found.live) == (events, 2 * KB)


def test_watching_keeps_nothing_alive() -> None:
    gc.disable()
    try:
        w = leaf()
        with account() as found:
            y = (w * 2).exp()
            y.sum().backward()
            del y
            w.grad = None
            assert found.live == KB
    finally:
        gc.enable()


def test_a_checkpoint_that_outlives_the_account() -> None:
    w = leaf()
    with account() as found:
        y = checkpoint(lambda w: w.exp().sin(), w).sum()
    count = len(found.events)
    y.backward()
    assert len(found.events) == count
    assert w.grad is not None


@pytest.mark.parametrize("outer", [account, ml.inference_mode, lambda: saved_tensors_hooks(id, id)])
def test_it_comes_first(outer: Any) -> None:
    with outer(), pytest.raises(RecordingError, match=r"(?s)account\(\) was opened while .* Open account\(\) first"):
        account().__enter__()


def test_not_inside_a_transform() -> None:
    def inner(x: Any) -> Any:
        with account():
            return x.sum()

    with pytest.raises(RecordingError, match="was opened while"):
        ml.func.grad(inner)(leaf())


# ---- in words ---


def test_the_tables() -> None:
    w = leaf()
    with account() as found:
        a, b = w * 2, w * 3
        (a * b).sum().backward()
    del a, b
    assert repr(found).splitlines()[0].startswith("Bytes; the peak came in the backward (")
    assert repr(found).splitlines()[1].split() == ["alive", "at", "the", "peak"]
    assert repr(found).splitlines()[-1].split()[0] == f"{found.live:,}"
    table = repr(found.at_peak()).splitlines()
    assert table[0] == f"{found.peak:,} bytes alive, backward ({found.at_peak().moment.op})"
    assert table[1].split() == ["bytes", "category", "made", "by", "shape", "line"]
    assert "1,000  parameter" in table[2] + table[3] + table[4] + table[5]
    with account() as empty:
        pass
    assert repr(empty) == "Bytes\nalive  at the peak\n    0            0  in all"
    assert repr(empty.at_peak()).startswith("0 bytes alive, before (nothing has run)")


def test_many_rows_are_summed_up() -> None:
    with account() as found:
        kept = [ml.ones(n, requires_grad=True) * 2 for n in range(1, 20)]
    table = repr(found.at(len(found.events))).splitlines()
    assert len(table) == 2 + 12 + 1
    assert len(kept) == 19


def test_the_figure_stacks_the_categories_and_marks_the_peak() -> None:
    w = leaf()
    with account() as found:
        (w * 2).exp().sum().backward()
    chart = found.figure("A step")
    assert [trace.name for trace in chart.data] == ["parameter", "gradient", "activation", "temporary"]
    totals = [sum(column) for column in zip(*(trace.y for trace in chart.data), strict=True)]
    assert totals == [m.total for m in found.timeline]
    assert f"peak {found.peak:,} bytes" in [a.text for a in chart.layout.annotations]


def test_parts_that_are_bare_numbers_are_added_without_memory() -> None:
    x = ml.tensor(3.0, requires_grad=True)
    with account() as found:
        y = x * x
        y.backward()
    assert x.grad is not None
    assert x.grad.item() == 6.0
    assert found.live == 8  # x and y
