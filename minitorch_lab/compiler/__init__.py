"""The compiler: from a Python function to graphs, to kernels, and what runs them. Its doors: `ml.compile`, `ml.jit`.

Its rooms, from the ground up; a room may use itself and those before it:

- `ir`: the graph that programs are captured as: nodes, sizes, facts, and what rewrites and runs it node by node.
- `memory`: who needs which bytes, from when to when, and where in one arena they lie.
- `autodiff`: forward and backward of a graph as one joint graph, and where it is cut in two.
- `passes`: each takes a graph and gives a better one that computes the same.
- `loops`: what a kernel does, as loops that a reader can print.
- `schedule`: which values of a graph are computed by one kernel, and why.
- `targets`: kernels as NumPy, LLVM and CUDA, and what all of them share.
- `runtime`: what a compiled region is while it runs: one node of the tape.
- `capture`: ways from a Python function to a graph.
- `explain`: what a compiled function does, in words.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .capture.api import compile

# What is asked of `ml.compile` by a name of its own, and where it stands.
ASKED = {"explain": "explain", "minify": "explain.minify", "watch": "capture.bytecode.watching"}

__all__ = ["compile"]


def __getattr__(name: str) -> Any:
    """Import `compile` when it is first asked for: a single room needs none of the others."""
    if name != "compile":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name, obj=import_module(__name__))
    from .capture.api import compile

    for asked, place in ASKED.items():
        setattr(compile, asked, on_demand(asked, place))
    globals()[name] = compile
    return compile


def on_demand(name: str, place: str) -> Callable[..., Any]:
    """A function that is imported when it is first called."""

    def called(*args: Any, **kwargs: Any) -> Any:
        return getattr(import_module(f".{place}", __name__), name)(*args, **kwargs)

    called.__name__ = called.__qualname__ = name
    called.__doc__ = f"See `{__name__}.{place}.{name}`."
    return called
