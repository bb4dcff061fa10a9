"""Writes in place that PyTorch refuses, and we with it."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import GradientError, ShapeError


def shifted(x: ml.Tensor) -> None:
    x[1:] = x[:-1]


TANGLED: dict[str, Any] = {
    "shifted": shifted,
    "shifted, by a method": lambda x: x[1:].add_(x[:-1]),
    "transposed": lambda x: x.view(2, 2).mul_(x.view(2, 2).t()),
    "of a detached tensor": lambda x: x[:3].sub_(x.detach()[1:], alpha=2.0),
}


@pytest.mark.parametrize("write", TANGLED.values(), ids=TANGLED)
def test_an_operand_on_a_part_of_the_same_memory_is_refused(write: Any) -> None:
    x = ml.arange(4.0)
    with pytest.raises(ShapeError, match=r"Did you mean y.clone\(\) as the operand\?"):
        write(x)
    assert (x.tolist(), x._version) == ([0.0, 1.0, 2.0, 3.0], 0)


def test_the_same_entries_and_entries_apart_may_be_read() -> None:
    x = ml.arange(4.0)
    x.add_(x)
    x.mul_(x.detach())
    x[:2].add_(x[2:])
    x[::2].add_(x[1::2])
    assert x.tolist() == [56.0, 40.0, 52.0, 36.0]


def unwatched() -> tuple[ml.Tensor, ml.Tensor]:
    base = ml.ones(3, requires_grad=True) * 1.0
    with ml.no_grad():
        return base, base[1:]


def test_a_view_made_under_no_grad_is_not_written_outside() -> None:
    base, view = unwatched()
    with pytest.raises(GradientError) as error:
        view.mul_(2.0)
    assert str(error.value) == (
        "mul_ on a view that was made under no_grad().\n"
        "  Made unseen, it has no history; after a write it would have one. PyTorch refuses to guess which you mean.\n"
        "  Make the view and write it both inside no_grad(), or both outside."
    )
    assert base.tolist() == [1.0, 1.0, 1.0]


def test_nor_used_after_a_write_to_its_base() -> None:
    base, view = unwatched()
    base.mul_(2.0)
    for _ in range(2):
        with pytest.raises(GradientError, match="a write into the base of a view that was made under no_grad"):
            view * 1.0


def test_inside_no_grad_and_without_a_gradient_it_may_be() -> None:
    base, view = unwatched()
    with ml.no_grad():
        view.mul_(2.0)
        view[0].add_(1.0)
    assert base.tolist() == [1.0, 3.0, 2.0]
    with ml.no_grad():
        plain = ml.zeros(3)[1:]
    assert plain.add_(1.0).tolist() == [1.0, 1.0]
    with pytest.raises(GradientError, match="made under no_grad"):
        plain.add_(base[1:])
