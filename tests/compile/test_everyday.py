"""Programs as people write them do compiled what they do: results, errors, side effects; and they are one graph."""

from __future__ import annotations

import pytest

from minitorch_lab.compile.api import compile
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


@pytest.mark.parametrize("backend", ["numpy"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_does_what_eager_does(name: str, backend: str) -> None:
    program = PROGRAMS[name]
    eager, _ = observe(program, lambda f: f)
    seen, run = observe(program, lambda f: compile(f, backend=backend))
    assert repr(seen) == repr(eager)
    assert run.reason == ""
    if not program.breaks:
        assert [line.breaks for line in run.breaks] == []
