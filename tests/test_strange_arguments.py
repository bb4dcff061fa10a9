"""What no tensor function knows is answered in words, by every published function, and in the words of the one called.

The sweep puts strange values into each place of calls that work, and looks for errors that no one raised on purpose.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from inspect import getattr_static, isclass
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim
from minitorch_lab.errors import ArgumentError, MinitorchError
from minitorch_lab.nn import functional, init
from minitorch_lab.ops.front import FUNCTIONS
from minitorch_lab.tensors import linalg

STRANGE = ("a", None, [], {}, object(), 1j, 2.5, -1)
PYTHONS_OWN = ("positional argument", "unexpected keyword", "takes no arguments")


def matrix() -> Any:
    return ml.tensor([[2.0, 0.5], [0.25, 3.0]])


WORKING: tuple[Callable[[], tuple[Any, ...]], ...] = (
    lambda: (matrix(),),
    lambda: (matrix(), matrix()),
    lambda: (matrix(), 0),
    lambda: (matrix(), 0, ml.tensor([0, 1]), 1.0),
    lambda: (matrix(), ml.tensor([[True, False], [True, True]]), 1.0),
    lambda: (2, 2),
    lambda: ([matrix(), matrix()],),
    lambda: ("ij->ji", matrix()),
    lambda: (0.0, 1.0, 3),
    lambda: (ml.ones(1, 2, 4, 4), 2),
    lambda: (ml.ones(1, 2, 4, 4), ml.ones(2, 2, 2, 2)),
    lambda: ([ml.ones(2, requires_grad=True)],),
)
SETTERS = {"manual_seed", "set_rng_state", "set_grad_enabled", "fans", "taught", "rounded_once"}


def published() -> dict[str, Callable[..., Any]]:
    """Every function, method and class that is called with tensors and numbers."""
    found: dict[str, Any] = {f"ml.{name}": f for name, f in FUNCTIONS.items()}
    made = "zeros ones_like full arange linspace eye tensor rand randn_like randint normal tril_indices as_tensor finfo"
    found |= {f"ml.{name}": getattr(ml, name) for name in made.split()}
    own = [name for name in dir(ml.Tensor) if not name.startswith("_")] + ["__setitem__", "__iadd__"]
    found |= {f"x.{name}": getattr(ml.Tensor, name) for name in own if callable(getattr_static(ml.Tensor, name))}
    for room in (linalg, functional, init, nn, optim):
        names = [name for name in getattr(room, "__all__", vars(room)) if is_ours(name, getattr(room, name))]
        found |= {f"{room.__name__.rpartition('.')[2]}.{name}": getattr(room, name) for name in names}
    return {name: f for name, f in found.items() if callable(f) and name.partition(".")[2] not in SETTERS}


def is_ours(name: str, f: Any) -> bool:
    """Whether a name of a module is public, and was not imported from elsewhere."""
    return not name.startswith("_") and getattr(f, "__module__", "").startswith("minitorch_lab")


def answer(f: Callable[..., Any], args: tuple[Any, ...]) -> str | None:
    """The error of a call that no one raised on purpose; None if there was none."""
    try:
        f(*args)
    except MinitorchError:
        return None
    except Exception as error:
        text = f"{type(error).__name__}: {error}"
        return None if any(words in text for words in PYTHONS_OWN) else text
    return None


def works(f: Callable[..., Any], args: tuple[Any, ...]) -> bool:
    """Whether a call runs."""
    try:
        f(*args)
    except Exception:
        return False
    return True


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("first", "abcdefghijklmnopqrstuvwxyz_ABCDEFGHIJKLMNOPQRSTUVWXYZ")
def test_strange_values_in_any_place_are_answered_in_words(first: str) -> None:
    raw: list[str] = []
    for name, f in published().items():
        if name.partition(".")[2][0] != first:
            continue
        ways = [make for make in WORKING if not name.startswith("x.") or hasattr(make()[0], "dtype")]
        good = [make for make in ways if works(f, make())]
        for make in sorted(good, key=lambda make: -len(make()))[:1] or WORKING[1:2]:
            for place in range(name.startswith("x."), len(make()) + (not isclass(f))):
                for value in STRANGE:
                    args = list(make())
                    args[place : place + 1] = [value]
                    if (text := answer(f, tuple(args))) is not None:
                        raw.append(f"{name} with {value!r} at {place}: {text}")
    assert raw == []


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: ml.norm("a"), "norm got the str 'a' as x.\n  x is a tensor.\n  norm takes p, dim, keepdim."),
        (
            lambda: matrix().view("a"),
            "view got the str 'a' as a length.\n  Lengths are whole numbers.\n  view takes lengths.",
        ),
        (
            lambda: ml.optim.SGD(nn.Linear(2, 2), lr=0.1),  # pyright: ignore[reportArgumentType]
            "SGD got a Linear as params.\n  params is the tensors to train.\n  Did you mean model.parameters()?",
        ),
        (
            lambda: matrix().__setitem__(0, [1.0, 2.0]),
            "setitem got a list.\n  Its inputs are tensors and numbers.\n  Did you mean ml.tensor([1.0, 2.0])?",
        ),
        (
            lambda: matrix().cumsum(0, keepdim=True),
            "cumsum got the keyword keepdim.\n  cumsum takes dim.",
        ),
    ],
)
def test_the_text_names_the_function_that_was_called_and_its_argument(call: Callable[[], Any], text: str) -> None:
    with pytest.raises(ArgumentError) as caught:
        call()
    assert str(caught.value) == text


class Stubborn:
    """A user's own array, which fails by itself."""

    dtype = ml.float32
    shape = (2,)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("no array today")


def test_errors_of_the_users_own_code_pass_as_they_are() -> None:
    def mine(x: Any) -> Any:
        return x + {}["missing"]

    with pytest.raises(KeyError, match="missing"):
        ml.func.grad(mine)(ml.ones(()))
    with pytest.raises(TypeError, match=r"^no array today$"):
        ml.stack([Stubborn(), ml.ones(2)])


class Label(enum.IntEnum):
    """Classes of a data set."""

    CAT = 0
    DOG = 1


class Half(float):
    """A float of a class of its own."""


def test_numbers_of_other_classes_are_numbers() -> None:
    y, x = ml.tensor([0, 1, 1]), ml.ones(2)
    assert (y == Label.DOG).tolist() == [False, True, True]
    assert (y != Label.DOG).tolist() == [True, False, False]
    assert (Label.DOG - y).tolist() == [1, 0, 0]
    assert (x * Half(0.5)).dtype == (x * Label.DOG).dtype == ml.float32
    assert x.clone().fill_(Label.CAT).tolist() == [0.0, 0.0]
    assert ml.where(y > 0, Label.DOG, 0).tolist() == [0, 1, 1]
    assert x.clamp(max=Label.CAT).tolist() == [0.0, 0.0]
    x[0] = Label.DOG
    x += Half(1)
    assert x.tolist() == [2.0, 2.0]


def test_numpys_whole_numbers_are_lengths_and_dims() -> None:
    n, x = np.int64(2), ml.ones(2, 2)
    made = (ml.zeros(n), ml.randn(n), ml.ones((n, 3))[:, 0], ml.linspace(0, 1, n), ml.randperm(n), ml.eye(n)[0])
    assert {tuple(m.shape) for m in made} == {(2,)}
    assert nn.Linear(n, 2).weight.shape == nn.Embedding(n, 2).weight.shape == (2, 2)  # pyright: ignore[reportArgumentType]
    assert x.sum(np.int64(0)).shape == (2,)
    assert len(x.split(np.int64(1))) == 2
    assert x.transpose(np.int64(0), 1).shape == x.unsqueeze(np.int64(0))[0].shape == (2, 2)
    assert ml.stack([x], np.int64(0)).shape == (1, 2, 2)
