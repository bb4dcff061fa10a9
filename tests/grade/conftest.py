"""What tests of the grader share."""

from __future__ import annotations

import gc
from collections.abc import Generator

import pytest


@pytest.fixture
def swept() -> Generator[None]:
    """Collect what a test has left, while it may still warn."""
    yield
    gc.collect()
