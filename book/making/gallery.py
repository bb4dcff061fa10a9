"""The page of views: each one there is, open on its worked example, with what its docstring says first."""

from __future__ import annotations

import inspect
from typing import Any

import minitorch_lab as ml
from minitorch_lab.widgets.export import takes, view_names
from minitorch_lab.widgets.host import View
from minitorch_lab.widgets.page import element

HEAD = """\
# The views

Each opens on a worked example when it is given nothing: `ml.widgets.Memory()`. Given a recording, it shows your code.
Space plays, ← and → step, Home and End jump, [ and ] go from phase to phase, / searches. Point at anything: whatever
belongs to it lights up. Click, and it stays lit.
"""

FENCE = "`" * 8  # no scene holds so many


def gallery() -> str:
    """The text of the page."""
    return "\n".join([HEAD, *(section(name, view) for name, view in view_names().items())])


def section(name: str, view: type[View]) -> str:
    """A view with its heading and its first sentence."""
    first = inspect.cleandoc(view.__doc__ or "").partition("\n\n")[0]
    shown = opened(view)
    text = element(shown.scene, 0, id=f"{name}-view", heading="p")
    return f"## {view.__name__}\n\n{first}\n\n{FENCE}{{raw}} html\n{text}\n{FENCE}\n"


def opened(view: type[View]) -> View:
    """The view with its example; one that must be given recordings gets a chain of ops, plain and checkpointed."""
    make: Any = view
    return make(*two_runs()[: takes(view)[0]])


def two_runs() -> list[Any]:
    """The same three ops, with their results kept for the walk, and computed again in it."""
    x = ml.ones(1000, requires_grad=True)

    def three(x: Any) -> Any:
        return (x * 2).sin().exp()

    runs: list[Any] = []
    for f in (three, lambda x: ml.autograd.checkpoint(three, x)):
        with ml.record() as recording:
            f(x).sum().backward()
        runs.append(recording)
    return runs


def front() -> str:
    """The view that the book opens with, beside its code."""
    from minitorch_lab.widgets.export import make_view

    text = element(make_view("backward", []).scene, 10, id="front", heading="p")
    return f"{FENCE}{{raw}} html\n{text}\n{FENCE}\n"
