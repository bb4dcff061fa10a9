"""`compile`: a function captured from its bytecode as graphs and what happens between them. After PyTorch's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from types import MethodType
from typing import Any

from ...errors import ArgumentError, CaptureError
from ...ops.front import taught
from ...ops.meant import describe_value
from ..ir.evaluate import evaluated
from ..ir.graph import Graph
from ..ir.sized import symbols
from ..runtime.checking.checked import Checked
from ..runtime.entry import entry
from ..runtime.modes import Choices, backend_in, choices
from ..runtime.optimized import Optimized, optimized
from ..runtime.region import Region, settled
from ..runtime.sized_region import SizedRegion
from ..targets.record import Backend
from .bytecode.compiled import Compiled

TAKES: dict[str, tuple[Any, str, str]] = {  # by argument: its types, what they stand for, the likeliest
    "fullgraph": (int, "True or False", "True"),
    "dynamic": ((bool, type(None)), "True, False, or None for lengths that have differed", "True"),
    "check": (int, "True, False, or how many calls are to be checked", "True"),
    "options": ((dict, type(None)), "a dict of options by name", '{"passes": ["fold", "cse"]}'),
}


def regional(backend: Backend, chosen: Choices) -> Backend:
    """What makes a function of tensors and numbers from a graph: a region of kernels by `backend`.

    A graph in which a number meets tensors of several dtypes runs op by op.
    """

    def make(graph: Graph) -> Callable[..., Any]:
        if symbols(graph):
            return SizedRegion(graph, backend, chosen.passes, chosen.budget)
        if not settled(graph):
            return evaluated(graph)
        try:
            region = Region(graph, backend, chosen.passes, chosen.budget)
        except CaptureError:  # a write whose reach only running it can tell
            return evaluated(graph)
        return region if graph.recorded else entry(region, region)

    return replace(backend, make=make)


@taught
def compile(
    fn: Callable[..., Any] | None = None,
    *,
    mode: str = "default",
    backend: str = "numpy",
    fullgraph: bool = False,
    dynamic: bool | None = None,
    options: dict[str, Any] | None = None,
    check: bool | int = False,
) -> Any:
    """The same function, run from graphs that its first calls leave behind.

    The first call is interpreted, bytecode by bytecode: its tensor ops become graphs, and what no graph can hold (a
    branch by an entry, a `print`, a call that cannot be looked into) stays Python between them. What the graphs rely on
    is guarded: types, shapes, dtypes, strides, globals, attributes. A call for which a guard fails is captured again,
    up to a limit. Results, mutations, prints and errors are those of the function itself.

    `loss.backward()` inside is part of the graph where all that it reaches was computed there, and so is the step of an
    optimizer: a training step is one graph, which updates parameters in place. On the tape a graph is one node; a walk
    from some of its results computes, needs and frees what it would op by op.

    The numpy backend computes bit for bit what eager ops do, with these exceptions, all within a few units in the last
    place of the terms: `x ** 2` is `x * x`; the passes `qkv`, `conv_bn` and `linear_act` compute products of other
    shapes; and where a gradient has terms from several graphs, each graph adds up its own first. The llvm backend
    also fuses multiply and add, sums in another order, and has its own exp, tanh and the like (4 units at most).

    What is returned is the function or module itself with another call. It has the attributes of the original, to read
    and to write. A compiled module is a module: `isinstance` says so, its parameters are found when it stands in
    another one, hooks, `train`, `to`, `copy.deepcopy` and `pickle` work as ever, and the names in its `state_dict` are
    those of the original. (PyTorch puts `_orig_mod.` before them; states with that prefix are loaded as well.) A copy
    has its own weights and its own graphs. `_orig_mod` is the original. `model.compile()` compiles it where it is.

    Args:
        fn: A function, method, module or other callable object. Left out, this is a decorator.
        mode: What to spend for speed. `"reduce-overhead"` keeps memory: large results lie where earlier ones lay, once
            nobody holds those. `"max-autotune"` spends time: the first call of a graph tries several kernels.
        backend: Who runs the graphs.
        fullgraph: Make a break of the graph an error.
        dynamic: Whether lengths are symbols, so that one capture serves tensors of many shapes: from the start (True),
            never (False), or for an axis that was seen with two lengths (None). What depends on a length is guarded as
            a relation, such as `s0 == s1`; 0 and 1 stay numbers.
        options: `passes`, those to run, in order; `activation_memory_budget`, the share (0 to 1) of what a backward
            pass reads that may be kept for it, the rest being computed again; `threads`, how many of them may share
            the work of a large kernel (llvm only; 1 if left out), which changes no bit of a result.
        check: Run eager beside compiled, in every call (True) or the first so many: on the same objects, which are put
            back in between, so that the call is done once. Results, gradients of later walks, errors, prints, random
            numbers and all that the call changed are compared. What leaves the process is done twice.

    Raises:
        ArgumentError: `fn` cannot be called, there is no such argument, or it cannot be what was given.
        CaptureError: There is no such backend, mode, option or pass. With `fullgraph`, when called: something has to
            happen between graphs.
        MismatchError: Under `check`, when called: compiled is not eager. The error names the op and its line.

    Example:
        >>> import minitorch_lab as ml
        >>> @compile
        ... def leaky(x):
        ...     return x if x > 0 else 0.1 * x
        >>> leaky(ml.tensor(2.0)), leaky(ml.tensor(-2.0))
        (tensor(2.), tensor(-0.2000))
        >>> len(leaky.breaks)
        1
    """
    settings: dict[str, Any] = {
        "mode": mode,
        "backend": backend,
        "fullgraph": fullgraph,
        "dynamic": dynamic,
        "options": options,
        "check": check,
    }
    chosen = checked(settings)
    if fn is None:
        return lambda f: compile(f, **settings)
    if isinstance(fn, staticmethod | classmethod):
        return type(fn)(compile(fn.__func__, **settings))
    run = regional(backend_in(chosen.mode, backend, chosen.threads), chosen)
    compiled = Compiled(uncompiled(fn), run, fullgraph, dynamic)
    compiled.settings, compiled.again = settings, partial(compile, **settings)
    if check:
        compiled.beside = Checked(compiled, None if check is True else check)
    return optimized(compiled)


def checked(settings: dict[str, Any]) -> Choices:
    """What was chosen by the arguments of `compile`.

    Raises:
        ArgumentError: One is of a type that says nothing.
        CaptureError: There is no such backend, mode, option or pass.
    """
    for name, (kind, takes, likely) in TAKES.items():
        given = settings[name]
        if not isinstance(given, kind) or (name == "check" and given < 0):
            raise ArgumentError(
                f"compile got {name}={given!r}.", f"It takes {takes}.", f"Did you mean {name}={likely}?"
            )
    chosen = choices(settings["mode"], settings["options"])
    backend_in(chosen.mode, settings["backend"], chosen.threads)
    return chosen


def uncompiled(fn: Any) -> Any:
    """What is to be compiled: of what is compiled already, the original.

    Raises:
        ArgumentError: It cannot be called.
    """
    if isinstance(fn, Optimized):
        return fn.__wrapped__  # pyright: ignore[reportAttributeAccessIssue]
    if isinstance(fn, MethodType) and isinstance(fn.__func__, Optimized):
        return MethodType(uncompiled(fn.__func__), fn.__self__)
    if not callable(fn):
        raise ArgumentError(
            f"compile got {describe_value(fn)}.",
            "It compiles what can be called: a function, a method, a module.",
            "Did you mean ml.compile(f), and then to call what it returns with the arguments of f?",
        )
    return fn
