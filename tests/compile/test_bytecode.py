"""Captured programs do what CPython does: results, gradients, prints, mutations, errors and their order."""

from __future__ import annotations

import pytest

from minitorch_lab.compiler.capture.api import compile
from tests.compile.captured.observe import PROGRAMS, observe


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    assert observe(name, compile) == observe(name, lambda f: f)
