"""What lesson 10, "Execution models", uses: its checks, its counter of lines, and its race."""

from __future__ import annotations

from ...compiler.ir.graph import Node
from ..racing import race, raced
from .choice import check_mended, check_tame
from .evaluator import check_evaluate
from .notes import Recorder, check_notes, facts_of, written_down
from .times import check_times, lines_run, your_lines

__all__ = [
    "Node", "Recorder", "check_evaluate", "check_mended", "check_notes", "check_tame", "check_times", "facts_of",
    "lines_run", "race", "raced", "written_down", "your_lines",
]  # fmt: skip
