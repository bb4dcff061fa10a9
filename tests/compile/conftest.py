"""Every test compiles anew: what one has changed in the compiler, another must not find in a cache on disk."""

from __future__ import annotations

import pytest

from minitorch_lab.compiler.targets import cache, race
from minitorch_lab.compiler.targets.llvm import machine


@pytest.fixture(autouse=True)
def anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """No cache on disk."""
    monkeypatch.setenv(cache.VARIABLE, "")
    for room in (machine, race):
        monkeypatch.setattr(room, "disk", cache.Cache)
