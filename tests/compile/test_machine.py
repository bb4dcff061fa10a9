"""The machine alone is Python: programs give what CPython gives."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from minitorch_lab.compiler.capture.bytecode.plain import interpreted
from tests.compile.captured.observe import PROGRAMS, observe


def interpreter(f: Callable[..., Any]) -> Any:
    class Interpreted:  # with a __call__ written in C, so that the machine does not interpret itself
        __call__ = staticmethod(functools.partial(interpreted(f)))

    return Interpreted()


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    assert observe(name, interpreter) == observe(name, lambda f: f)
