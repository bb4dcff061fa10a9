"""Everyday calls of PyTorch that were misread here, and everyday mistakes whose answer named another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import errors, nn
from minitorch_lab.data import DataLoader


def grid() -> Any:
    return ml.arange(12.0).reshape(3, 4)


def leaf() -> Any:
    return ml.ones(2, requires_grad=True)


# ---- calls ----------------------------------------------------------------------------------------------------------


def test_unique_gives_what_was_asked_for_and_no_more() -> None:
    y = ml.tensor([3, 1, 3, 2, 1])
    assert y.unique().tolist() == [1, 2, 3]
    values, counts = y.unique(return_counts=True)
    assert (values.tolist(), counts.tolist()) == ([1, 2, 3], [2, 1, 2])
    values, places = ml.unique(y, return_inverse=True)
    assert places.tolist() == [2, 0, 2, 1, 0]
    assert len(y.unique(True, True, True)) == 3


def test_a_condition_alone_gives_the_places_where_it_holds() -> None:
    rows, columns = ml.where(grid() > 9)
    assert (rows.tolist(), columns.tolist()) == ([2, 2], [2, 3])
    assert ml.where(grid() > 9, 1.0, 0.0).sum().item() == 2.0
    assert ml.where(np.array([False, True]))[0].tolist() == [1]


def test_a_single_number_in_a_string_is_that_of_python() -> None:
    loss = (leaf() * 1.75).sum()
    assert f"loss {loss}" == "loss 3.5"
    assert f"{ml.tensor(3)} {ml.tensor(True)} {loss:.2f}" == "3 True 3.50"
    assert f"{ml.ones(1)}" == "tensor([1.])"


def test_dtypes_of_ranges_and_constants_are_those_of_torch() -> None:
    assert ml.arange(ml.tensor(3)).dtype == ml.int64
    assert ml.arange(ml.tensor(3.0)).dtype == ml.float32
    assert ml.full((2,), np.float64(3)).dtype == ml.float32
    (batch,) = DataLoader([(1, 2.0), (3, 4.0)], 2)  # pyright: ignore[reportArgumentType]
    assert [part.dtype for part in batch] == [ml.int64, ml.float64]


# ---- mistakes -------------------------------------------------------------------------------------------------------

MISTAKES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "index arrays that do not fit together": (
        lambda: grid()[[0, 1], [0, 1, 2]],
        errors.BoundsError,
        "An index with arrays of the shapes (2,) (3,) on a tensor of shape (3, 4).\n"
        "  Index arrays are read side by side, so they must stretch to one shape.\n"
        "  Did you mean x[rows][:, columns]? That takes every pair.",
    ),
    "two dots": (
        lambda: grid()[..., ...],
        errors.BoundsError,
        "An index with two dots.\n  The dots stand for all axes that are left.\n  Drop one.",
    ),
    "ragged lists": (
        lambda: grid()[[[0, 1], [2]]],
        errors.IndexTypeError,
        "An index with rows of unequal length.\n  A list of indices is a full grid.\n  Pad the short rows.",
    ),
    "a list of None": (
        lambda: grid()[[None]],
        errors.IndexTypeError,
        "A list of NoneType as an index.\n  A list of indices holds whole numbers or truth values.\n"
        "  Did you mean x[tuple(index)]?",
    ),
    "a slice of strings": (
        lambda: grid()["a":],
        errors.IndexTypeError,
        "A slice with the str 'a'.\n  A slice goes from a whole number to a whole number, in steps of one.",
    ),
    "a slice of fractions, written": (
        lambda: grid().__setitem__(slice(1.5, 2), 0.0),
        errors.IndexTypeError,
        "A slice with the float 1.5.\n  A slice goes from a whole number to a whole number, in steps of one.\n"
        "  Did you mean 1?",
    ),
    "a negative spread": (
        lambda: ml.normal(0.0, -1.0, (2,)),
        errors.ArgumentError,
        "normal got std=-1.0.\n  A spread is 0 or more.\n  Did you mean std=1.0?",
    ),
    "a step that is cut to 0": (
        lambda: ml.arange(0, 1, 0.3, dtype=ml.int64),
        errors.ArgumentError,
        "arange got 0, 1 and step 0.\n  The step must lead from the start to the end.\n  Did you mean step=1?",
    ),
    "a flag that is none": (
        lambda: ml.ones(2).requires_grad_("a"),
        errors.ArgumentError,
        "requires_grad_ got the str 'a'.\n  It takes True or False.\n  Did you mean requires_grad_(True)?",
    ),
    "a mode that is none": (
        lambda: nn.Linear(2, 2).train("a"),  # pyright: ignore[reportArgumentType]
        errors.ArgumentError,
        "train got the str 'a'.\n  It takes True or False.\n  Did you mean train(True)?",
    ),
    "a hook that is none": (
        lambda: leaf().register_post_accumulate_grad_hook(3),
        errors.ArgumentError,
        "register_post_accumulate_grad_hook got the int 3.\n  It takes a function.\n  Give it a function of tensors.",
    ),
    "a function that is none": (
        lambda: ml.func.grad("a"),  # pyright: ignore[reportArgumentType]
        errors.ArgumentError,
        "grad got the str 'a'.\n  It takes a function.\n  Give it a function of tensors.",
    ),
    "a generator that is none": (
        lambda: ml.rand(2, generator=3),  # pyright: ignore[reportArgumentType]
        errors.ArgumentError,
        "rand got the int 3 as generator.\n  generator is a Generator.\n"
        "  rand takes size, dtype, device, generator, requires_grad.",
    ),
    "a misspelt function": (
        lambda: ml.sofmax,  # pyright: ignore[reportAttributeAccessIssue]
        AttributeError,
        "minitorch_lab has no 'sofmax'. Did you mean ml.softmax?",
    ),
    "a name of NumPy's": (
        lambda: ml.expand_dims,  # pyright: ignore[reportAttributeAccessIssue]
        AttributeError,
        "minitorch_lab has no 'expand_dims'. Did you mean ml.unsqueeze?",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_the_answer_to(name: str) -> None:
    call, kind, text = MISTAKES[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text
