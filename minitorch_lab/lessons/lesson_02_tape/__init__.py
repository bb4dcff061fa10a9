"""What lesson 02, "The tape", uses."""

from __future__ import annotations

from .tape import check_graph, check_kept, check_mended, check_update

__all__ = ["check_graph", "check_kept", "check_mended", "check_update"]
