"""`ml.static`: define-then-run, under the names that a user writes."""

from .capture.static import Graph, Session, cond, placeholder, while_loop

__all__ = ["Graph", "Session", "cond", "placeholder", "while_loop"]
