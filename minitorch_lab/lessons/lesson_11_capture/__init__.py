"""What lesson 11, "Capture, guards and breaks", uses."""

from __future__ import annotations

from .breaks import bytecode, check_graphs, check_whole, told
from .calls import CALLS, check_anew, recaptured
from .guarding import Seen, check_guard, guarded, guards

__all__ = [
    "CALLS", "Seen", "bytecode", "check_anew", "check_graphs", "check_guard", "check_whole", "guarded", "guards",
    "recaptured", "told",
]  # fmt: skip
