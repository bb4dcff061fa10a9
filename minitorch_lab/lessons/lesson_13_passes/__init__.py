"""What lesson 13, "Graph optimisation", uses."""

from __future__ import annotations

from ..racing import race, raced
from .changes import change, entry_by_entry, graph_of, ledger, pure, taken_off
from .equals import CLAIMS, check_found, tried
from .pattern import attention, check_rewrite
from .sharing import Copy, check_share, draws, results

__all__ = [
    "CLAIMS", "Copy", "attention", "change", "check_found", "check_rewrite", "check_share", "draws",
    "entry_by_entry", "graph_of", "ledger", "pure", "race", "raced", "results", "taken_off", "tried",
]  # fmt: skip
