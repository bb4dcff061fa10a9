"""Every check of the course has an answer to everything that it is given: it never ends with an error of its own."""

from __future__ import annotations

import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import lessons
from minitorch_lab.lessons.verdict import Verdict
from minitorch_lab.lessons.walks import root_of


def checks() -> Iterator[Any]:
    """Every check of every module of the lessons."""
    for module in pkgutil.walk_packages(lessons.__path__, f"{lessons.__name__}."):
        for name, found in vars(import_module(module.name)).items():
            mine = getattr(found, "__module__", "") == module.name
            if mine and name.startswith("check_") and inspect.signature(found).return_annotation == "Verdict":
                yield pytest.param(found, id=f"{module.name.removeprefix(lessons.__name__)[1:]}.{name}")


def stops(*_: Any, **__: Any) -> Any:
    """A function that ends with an error."""
    raise LookupError("lost")


def through() -> Any:
    """A generator, which can be gone through once."""
    return (n for n in range(2))


NODE = root_of(ml.ones(2, requires_grad=True) * 2)
INSIDE = re.compile(
    r"cannot read|object is not|NoneType|not iterable|unsupported|has no attribute '(?!value|slope)|0x[0-9a-f]{6}"
)
ODD: dict[str, Any] = {
    "None": None, "a number": 3, "a text": "text", "a list": [1, [2]], "a dict": {"a": [None]}, "a class": object,
    "a tensor": ml.ones(2), "gives None": lambda *_, **__: None, "gives a list": lambda *_, **__: [[1], None],
    "gives a dict": lambda *_, **__: {0: [1]}, "gives a text": lambda *_, **__: "x", "stops": stops,
    "gives what it is given": lambda *given, **_: given[0] if given else 0,
    "a node": NODE, "gives a node": lambda *_, **__: NODE, "a generator": through(), "NaN": float("nan"),
    "gives a generator": lambda *_, **__: through(), "gives NaN": lambda *_, **__: float("nan"),
    "gives a number beyond all floats": lambda *_, **__: 10**400, "gives a function": lambda *_, **__: abs,
    "gives True": lambda *_, **__: True, "gives a tensor": lambda *_, **__: ml.ones(2),
    "gives a pair": lambda *_, **__: (1, 2),
}  # fmt: skip


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("check", list(checks()))
def test_a_check_answers_whatever_it_is_given(check: Callable[..., Verdict], odd: str) -> None:
    verdict = check(*[ODD[odd]] * len(inspect.signature(check).parameters))
    assert isinstance(verdict, Verdict), verdict
    assert not verdict.done
    assert verdict.text
    assert not INSIDE.search(verdict.text), verdict
    assert len(verdict.text) < 500
