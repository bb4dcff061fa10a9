"""PyTorch's own names: each is here, or its error says what to write instead."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
import torch
import torch.nn.utils
import torch.onnx  # which PyTorch imports when somebody asks for it

import minitorch_lab as ml
import minitorch_lab.nn.functional
from minitorch_lab.ops.absent import reasons, sentence

pytestmark = pytest.mark.oracle

ROOMS: dict[str, tuple[Any, Any]] = {
    "ml": (torch, ml),
    "x": (torch.Tensor, ml.ones(2, 2)),
    "ml.nn": (torch.nn, ml.nn),
    "ml.nn.functional": (torch.nn.functional, ml.nn.functional),
    "ml.optim": (torch.optim, ml.optim),
    "ml.linalg": (torch.linalg, ml.linalg),
    "ml.special": (torch.special, ml.special),
    "ml.autograd": (torch.autograd, ml.autograd),
    "ml.func": (torch.func, ml.func),
}


def public(room: Any) -> list[str]:
    return [name for name in dir(room) if not name.startswith("_")]


@pytest.mark.parametrize("short", ROOMS)
def test_every_name_is_here_or_says_what_to_write(short: str) -> None:
    theirs, ours = ROOMS[short]
    silent: list[str] = []
    for name in public(theirs):
        try:
            getattr(ours, name)
        except AttributeError as error:
            text = str(error)
            if not text.startswith(f"In PyTorch, not here: {short}.{name}. ") or not text.endswith(" instead."):
                silent.append(f"{name}: {text}")
    assert silent == []


def test_a_name_stands_once_in_the_table() -> None:
    names = [name for reason in reasons() for name in reason.names]
    assert len(set(names)) == len(names)


def test_the_table_speaks_of_names_that_are_missing() -> None:
    missing = {name for theirs, ours in ROOMS.values() for name in public(theirs) if not hasattr(ours, name)}
    more = {name for room in (torch.nn.utils, torch.nn.init, torch.optim.lr_scheduler) for name in public(room)}
    names = {name for reason in reasons() for name in reason.names}
    assert names - missing - more == set()


def test_what_is_to_be_written_is_here() -> None:
    """Where the table names a function of ours by the name that is missing, it is there."""
    rooms = {"ml.nn.functional.": ml.nn.functional, "ml.linalg.": ml.linalg, "x.": ml.ones(2)}
    for reason in reasons():
        for start, room in rooms.items():
            if reason.write.startswith(start + "{name}"):
                assert [name for name in reason.names if not hasattr(room, name)] == []


@pytest.mark.parametrize(
    ("room", "name", "text"),
    [
        (ml, "sofmax", "minitorch_lab has no 'sofmax'. Did you mean ml.softmax?"),
        (ml.nn, "Linaer", "minitorch_lab.nn has no 'Linaer'. Did you mean ml.nn.Linear?"),
        (ml.nn.functional, "rellu", "minitorch_lab.nn.functional has no 'rellu'. Did you mean ml.nn.functional.relu?"),
        (ml.ones(2), "reshap", "Tensor has no 'reshap'. Did you mean x.reshape?"),
        (ml.optim, "Adamm", "minitorch_lab.optim has no 'Adamm'. Did you mean ml.optim.Adam?"),
    ],
)
def test_a_typo_gets_the_nearest_name(room: Any, name: str, text: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(room, name)
    assert str(caught.value) == text


def test_a_name_that_is_nobodys_is_no_name_of_pytorchs() -> None:
    assert sentence("ml", "frobnicate") == ""
    assert isinstance(ml.nn.functional, ModuleType)
