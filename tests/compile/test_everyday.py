"""Programs as people write them do compiled what they do: results, errors, side effects; and they are one graph."""

from __future__ import annotations

import re

import pytest

from minitorch_lab.compiler.capture.api import compile
from tests.compile.everyday import (  # noqa: F401 (each enters its programs)
    arguments,
    attributes,
    changes,
    classes,
    containers,
    functions,
    iteration,
    iterators,
    training,
    words,
)
from tests.compile.everyday.table import PROGRAMS, observe

NUMBER = re.compile(r"-?\d+\.\d+(e-?\d+)?")
TENSORS = [name for name, program in PROGRAMS.items() if program.make.__module__ == training.__name__]


def rounded(text: str) -> str:
    """A text in which numbers have four digits: kernels add up in an order of their own."""
    return NUMBER.sub(lambda found: f"{round(float(found[0]), 6) + 0.0:.4g}", text)


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_does_what_eager_does(name: str) -> None:
    program = PROGRAMS[name]
    eager, _ = observe(program, lambda f: f)
    seen, run = observe(program, lambda f: compile(f, backend="numpy"))
    assert repr(seen) == repr(eager)
    assert run.reason == ""
    if not program.breaks:
        assert [line.breaks for line in run.breaks] == []


@pytest.mark.parametrize("name", TENSORS)
def test_machine_code_does_what_eager_does(name: str) -> None:
    eager, _ = observe(PROGRAMS[name], lambda f: f)
    seen, _ = observe(PROGRAMS[name], lambda f: compile(f, backend="llvm"))
    assert rounded(repr(seen)) == rounded(repr(eager))
