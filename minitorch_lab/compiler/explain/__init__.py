"""`ml.compile.explain`: what the compiler makes of a function, from its guards to the code, as text and as data.

The data is one JSON-serialisable dict of the schema "minitorch-lab.explanation/1". Its parts refer to each other by
short ids: `s` steps of the program, `q` guards, `b` breaks, `g` regions and their graphs, `k` kernels.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from contextlib import suppress
from time import perf_counter
from typing import Any

from ...autograd.anomaly import PACKAGE, Place
from ...errors import ArgumentError
from ..capture.bytecode.compiled import Compiled
from ..capture.bytecode.report import report
from ..ir.graph import Graph
from ..runtime.optimized import compiled_part
from ..runtime.region import Region
from ..runtime.sized_region import At, SizedRegion, Unable
from ..targets.backends import backend_of
from .fusion import place_of
from .program import Reading
from .regions import Told
from .show import html, text, write

SCHEMA = "minitorch-lab.explanation/1"


class Explanation:
    """What has become of a compiled function, as data.

    Printing it tells it as text; a notebook shows the same.

    Attributes:
        kernels: The graph that each kernel computes, by the kernel's id.
    """

    def __init__(self, compiled: Compiled, outcome: dict[str, Any], seconds: float = 0.0) -> None:
        backend = compiled.settings["backend"]
        settings = {
            "mode": compiled.settings["mode"],
            "backend": backend if isinstance(backend, str) else what(backend),
        }
        told = Told(settings["backend"], backend_of(backend).count)
        told.times["capture"] = seconds
        reading = Reading(compiled)
        told.words = reading.reached
        regions = [
            told.region(name, graph, region_of(compiled, graph), wanted) for name, graph, wanted in reading.regions
        ]
        self.kernels: dict[str, Graph] = told.computed
        counted = report(compiled)
        self._dict: dict[str, Any] = {
            "schema": SCHEMA,
            "function": function(compiled),
            "settings": settings | {"fullgraph": compiled.fullgraph},
            "outcome": outcome,
            "eager": compiled.reason,
            "counts": {k: counted[k] for k in ("captures", "graphs", "empty", "continuations")}
            | {"breaks": len(reading.breaks), "guards": len(reading.guards)}
            | {"ops": sum(len(graph.calls) for _, graph, _ in reading.regions)},
            "tree": reading.steps,
            "guards": reading.guards,
            "breaks": reading.breaks,
            "recompiles": list(compiled.recompiles),
            "program": {"text": compiled.text, "lines": reading.lines()},
            "regions": regions,
            "graphs": told.graphs,
            "kernels": told.kernels,
            "times": told.times,
        }

    @classmethod
    def of(cls, compiled: Any) -> Explanation:
        """What a compiled function has become by the calls so far. Nothing is run.

        Raises:
            ArgumentError: It is not a compiled function.

        Example:
            >>> import minitorch_lab as ml
            >>> f = ml.compile(lambda x: x * 2)
            >>> _ = f(ml.ones(2)), f(ml.ones(3))
            >>> Explanation.of(f).to_dict()["recompiles"]
            ['x: shape (2,), now (3,)']
        """
        compiled = compiled_part(compiled)
        if not isinstance(compiled, Compiled):
            raise ArgumentError(
                f"Explanation.of got {what(compiled)}.",
                "It tells what the calls of a compiled function have left behind.",
                "Did you mean ml.compile.explain(fn, *args)? That captures a function and calls it once.",
            )
        return cls(compiled, {"kind": "none", "text": "", "place": None})

    def print(self, console: Any = None) -> None:
        """Print it in colours, on a `rich.console.Console` if one is given."""
        if console is None:
            from rich.console import Console

            console = Console(highlight=False)
        write(console, self._dict)

    def to_dict(self) -> dict[str, Any]:
        """The data; `json.dumps` takes it as it is."""
        return self._dict

    def __str__(self) -> str:
        return text(self._dict)

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": html(self._dict)}


def explain(fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Explanation:
    """What the compiler makes of `fn` for these arguments: graphs, breaks, guards, passes, code.

    The function is called once, as the first call of a compiled copy of it: what it prints is printed, what it changes
    is changed. An error that it raises is part of the answer. A function that is compiled already is explained under
    its own settings, and stays as it is.

    Raises:
        ArgumentError: `fn` cannot be called.

    Example:
        >>> import minitorch_lab as ml
        >>> def f(x):
        ...     y = x + 1
        ...     print("middle")
        ...     return y * 2
        >>> told = ml.compile.explain(f, ml.ones(2)).to_dict()
        middle
        >>> told["counts"]["graphs"], told["breaks"][0]["reason"]
        (2, 'print() writes to the screen')
    """
    if not callable(fn):
        raise ArgumentError(
            f"explain got {what(fn)}.",
            "It captures a function while it calls it with the arguments that follow.",
            "Did you mean ml.compile.explain(fn, *args)? Without parentheses after fn.",
        )
    fn = fresh(fn)
    start = perf_counter()
    try:
        out = fn(*args, **kwargs)
    except Exception as error:
        outcome = {"kind": "raised", "text": f"{type(error).__name__}: {error}", "place": place_of(raised(error))}
    else:
        outcome = {"kind": "returned", "text": shortened(repr(out)), "place": None}
    seconds = perf_counter() - start
    compiled = compiled_part(fn)
    build(compiled)
    return Explanation(compiled, outcome, seconds)


def fresh(fn: Any) -> Any:
    """The function compiled once more, as nobody has called it."""
    from ..capture.api import compile

    compiled = compiled_part(fn)
    return compile(fn, **(compiled.settings if isinstance(compiled, Compiled) else {}))


def build(compiled: Compiled) -> None:
    """Have every region make the kernels that its next call would make."""
    for _, graph, wants in Reading(compiled).regions:
        region = compiled.space.get(graph.name)
        if isinstance(region, SizedRegion):
            region = region.at(region.captured)
        region = region if isinstance(region, Region | At) else getattr(region, "region", None)
        wanted = tuple(i for i, n in enumerate(graph.placeholders) if wants.get(n.name))
        if region is None or (wanted and region.closed):
            continue
        with suppress(Unable):  # then it is compiled when it runs, for the sizes that it meets
            _ = region.differentiated(wanted) if wanted else region.compiled()


def region_of(compiled: Compiled, graph: Any) -> Any:
    """The region that runs a graph; None if it runs op by op."""
    run = compiled.space.get(graph.name)
    return run if isinstance(run, Region) else getattr(run, "region", None)


def function(compiled: Compiled) -> dict[str, Any]:
    """The name and the lines of the function; of a module, its `forward`."""
    body = getattr(compiled.__wrapped__, "forward", compiled.function)
    try:
        lines, start = inspect.getsourcelines(body)
        file = inspect.getsourcefile(body) or ""
    except (OSError, TypeError):
        lines, start, file = [], 1, ""
    rows = [{"number": start + i, "text": line.rstrip("\n")} for i, line in enumerate(lines)]
    return {"name": compiled.__name__ or type(compiled.__wrapped__).__name__, "file": file, "lines": rows}


def raised(error: BaseException) -> Place | None:
    """The innermost line of the user's in a traceback."""
    place, step = None, error.__traceback__
    while step is not None:
        file = step.tb_frame.f_code.co_filename
        if not file.startswith((PACKAGE, "<frozen", "<minitorch_lab ", "<compiled ")):
            place = Place(file, step.tb_lineno)
        step = step.tb_next
    return place


def shortened(line: str, length: int = 200) -> str:
    """At most so many characters."""
    return line if len(line) <= length else line[: length - 1] + "…"


def what(x: Any) -> str:
    """A value in few words."""
    return getattr(x, "__name__", None) or f"an object of type {type(x).__name__}"
