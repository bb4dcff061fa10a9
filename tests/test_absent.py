"""What to write instead of a name of PyTorch's: a call of something that is here, in words that a sentence can hold."""

from __future__ import annotations

import re
from functools import reduce
from types import SimpleNamespace
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.ops.absent import elsewhere, reasons

ANSWERS = {name: reason.instead(name) for reason in reasons() for name in reason.names}
ROOTS: dict[str, Any] = {"ml": ml, "x": ml.ones(2, 2), "model": ml.nn.Linear(2, 2), "self": ml.nn.Module()}
CALL = re.compile(r"(?<![\w.])(ml|x|model|self)((?:\.\w+)+)")


@pytest.mark.parametrize("name", ANSWERS)
def test_what_is_to_be_written_exists(name: str) -> None:
    rooms = SimpleNamespace(**ROOTS)
    for root, path in CALL.findall(ANSWERS[name].replace(".grad.dtype", "")):
        assert reduce(getattr, path[1:].split("."), getattr(rooms, root)) is not None or path == ".grad"


def test_every_answer_fits_into_its_sentence() -> None:
    for reason in reasons():
        assert reason.why[0].isupper()
        assert not reason.why.endswith(".")
        assert set(reason.here) <= set(reason.names)
        for text in map(reason.instead, reason.names):
            assert "{" not in text
            assert not text.endswith(("instead", ";"))


SAID = [
    (
        ml,
        "grad",
        "It is part of PyTorch's own machinery. Write ml.func.grad(f)(x), or ml.autograd.grad(y, x) instead.",
    ),
    (
        ml.nn.utils,
        "clip_grad_norm",
        "This helper is in another place, or not here. "
        "Write ml.nn.utils.clip_grad_norm_(model.parameters(), max_norm) instead.",
    ),
    (
        ml.autograd,
        "Variable",
        "A tensor is a strided view of one memory. Write ml.tensor(data, requires_grad=True) instead.",
    ),
]


@pytest.mark.parametrize(("room", "name", "text"), SAID)
def test_the_answer_to(room: Any, name: str, text: str) -> None:
    with pytest.raises(AttributeError) as caught:
        getattr(room, name)
    assert str(caught.value).partition(". ")[2] == text


def test_what_other_libraries_call_something_is_here() -> None:
    for names in elsewhere().values():
        for answer in names.values():
            for root, path in CALL.findall(answer):
                if root != "model":  # whose parts are those of the user's own class
                    assert reduce(getattr, path[1:].split("."), ROOTS[root]) is not None or path == ".grad"
