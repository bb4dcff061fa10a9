"""What ends a call that the recorder cannot go on with, past all handlers of the user's, and the errors it becomes."""

from __future__ import annotations

from ....autograd.anomaly import Place
from ....errors import CaptureError


class Refused(BaseException):
    """The graph breaks, and it was asked not to. Not an `Exception`: the user's handlers must not see it."""


class Astray(BaseException):
    """A call that is gone through again has come another way than before, and cannot go on from where it stood.

    The machine stops there and then: no handler of the user's sees it, and no `finally` runs a second time.
    """


class Untraced(Astray):
    """A transform cannot be gone through without doing something: nothing was done, and its call is left to Python."""


def refused(name: str | None, why: str, place: Place | None = None) -> CaptureError:
    """The error of a graph that breaks though it was asked not to."""
    return CaptureError(
        f"{name} cannot be one graph: {why}{located(place)}.",
        "With fullgraph=True nothing may happen between tensor ops.",
        "Did you mean ml.where for a choice by entries? Or leave fullgraph out: Python runs between two graphs.",
    )


def lost(name: str | None, why: str, place: Place | None = None) -> CaptureError:
    """The error of a call that cannot go on after what it has done."""
    return CaptureError(
        f"{name} cannot go on after what it has done: {why}{located(place)}.",
        "A call that meets what no call has met before is gone through again up to there, and nothing is done "
        "twice. This one came another way the second time, so it ends here; what it has done stays done.",
        "This is a fault of the compiler's own: later calls run without it. Please report the function and this "
        "text; ml.compile.minify(f, *args) makes it short.",
    )


def located(place: Place | None) -> str:
    """Where that was."""
    return f", at {place}" if place else ""
