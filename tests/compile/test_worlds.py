"""Programs in a world that changes between their calls: compiled, they give, do and raise what they do uncompiled."""

from __future__ import annotations

import warnings
from importlib import import_module
from pathlib import Path

import pytest

import minitorch_lab as ml
from tests.compile.worlds.observe import observe, programs_of

FOLDER = Path(__file__).with_name("worlds")
MODULES = [import_module(f"tests.compile.worlds.{p.stem}") for p in sorted(FOLDER.glob("*.py")) if p.stem[0] != "_"]
PROGRAMS = {name: program for module in MODULES for name, program in programs_of(module).items()}


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name: str) -> None:
    want = observe(PROGRAMS[name], lambda f: f)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".* was captured")  # its kinds are many: it goes on uncompiled
        assert observe(PROGRAMS[name], ml.compile) == want
