"""Views of what the engine did: `Tape(rec)`, `Backward(rec)`, `Memory(rec)` and others, for notebooks and web pages.

Importing this package is cheap; the notebook widgets are loaded when a view is first asked for.

Example:
    >>> import minitorch_lab as ml
    >>> x = ml.tensor(3.0, requires_grad=True)
    >>> with ml.record() as rec:
    ...     y = x * x
    ...     y.backward()
    >>> ml.widgets.Backward(rec).transcript()[-1]
    '9. backward() is over: `x.grad` is 6. Move x by a little, and y moves 6 times as much.'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .charts import Chart
    from .compiler_views import Capture, Partition, Pipeline
    from .host import View
    from .kernel_views import Fusion, Tiling
    from .laboratory import Arena, Compare, Lab, Memory, ModuleTree, Source, Strides, Timeline
    from .views import Backward, Forward, Tape

__all__ = [
    "Arena",
    "Backward",
    "Capture",
    "Chart",
    "Compare",
    "Forward",
    "Fusion",
    "Lab",
    "Memory",
    "ModuleTree",
    "Partition",
    "Pipeline",
    "Source",
    "Strides",
    "Tape",
    "Tiling",
    "Timeline",
    "View",
]

WHERE = {
    "Arena": "laboratory",
    "Backward": "views",
    "Capture": "compiler_views",
    "Chart": "charts",
    "Compare": "laboratory",
    "Forward": "views",
    "Fusion": "kernel_views",
    "Lab": "laboratory",
    "Memory": "laboratory",
    "ModuleTree": "laboratory",
    "Partition": "compiler_views",
    "Pipeline": "compiler_views",
    "Source": "laboratory",
    "Strides": "laboratory",
    "Tape": "views",
    "Tiling": "kernel_views",
    "Timeline": "laboratory",
    "View": "host",
}


def __getattr__(name: str) -> Any:
    """Load a view when it is first asked for."""
    if name not in WHERE:
        raise AttributeError(f"minitorch_lab.widgets has no {name!r}. It has {', '.join(WHERE)}.")
    return getattr(import_module(f".{WHERE[name]}", __name__), name)
