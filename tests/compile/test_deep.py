"""Random Python programs do compiled what they do eagerly: see `tests/compile/deep`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compile.deep.observe import differences

FOUND = sorted((Path(__file__).parent / "deep" / "found").glob("*.py"))


@pytest.mark.parametrize("path", FOUND, ids=lambda path: path.stem)
def test_a_program_that_once_differed(path: Path) -> None:
    assert [str(d) for d in differences(path.read_text("utf-8"), ("machine", "numpy", "llvm", "sizes"))] == []
