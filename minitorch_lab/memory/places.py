"""Where an op was called from: the line of the user's, and whether an optimizer's step is under way."""

from __future__ import annotations

import sys

from ..autograd.anomaly import PACKAGE, Place
from ..optim.optimizer import Optimizer

__all__ = ["Place", "standing"]

STEP = Optimizer.step.__code__


def standing() -> tuple[Place | None, bool]:
    """The innermost line that is not ours, and whether it runs inside `Optimizer.step`.

    Local variables are not looked at: Python would keep what it shows of them alive.
    """
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    place, updating = None, False
    while frame is not None:
        code = frame.f_code
        if place is None and not code.co_filename.startswith((PACKAGE, "<frozen")):
            place = Place(code.co_filename, frame.f_lineno)
        updating = updating or code is STEP
        frame = frame.f_back
    return place, updating
