"""The views of kernels: what is fused into one, and in which tiles it works. They open on worked examples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compiler.explain import Explanation, explain
from ..compiler.ir.graph import Graph
from ..compiler.runtime.optimized import Optimized
from ..errors import ArgumentError
from ..recording.recording import Recording
from . import fusion, recorded_fusion, tiling
from .host import View


class Fusion(View):
    """What becomes one kernel: op by op, then decision by decision, with its reason and the bytes that it saves.

    Args:
        fn: A function, which is compiled afresh and called once with `args`; or a compiled function that was called,
            what `ml.compile.explain` gave, or a pure graph with known sizes. Of a recording, the kernels that ran in
            it, on its clock: `Fusion(rec) | Memory(rec)`. Without it, D + (A + B) · C on a thousand numbers.
        args: Its arguments.
        kernel: Which kernel of it, by its id in the explanation: `"k2"`. The first one, if left out.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `fn` is something else, has no such kernel or none at all, or leaves sizes open; or there is
            no such step.
        RecordingError: The recording is still running, or no kernel ran in it.

    Example:
        >>> Fusion().transcript()[4].split(". ")[1]
        '`mul` joins `add`: both work entry by entry, at the same points'
        >>> Fusion().transcript()[6].split(". ")[1]
        '1 launch instead of 3, 20,000 bytes instead of 36,000, 1.8 × less'
    """

    def __init__(
        self,
        fn: Callable[..., Any] | Explanation | Graph | Recording | None = None,
        *args: Any,
        kernel: str | None = None,
        question: str | None = None,
        step: int = 0,
        **traits: Any,
    ) -> None:
        if fn is None:
            scene = fusion.fusion_scene(fusion.fusion_example(), question or fusion.EXAMPLE)
        elif isinstance(fn, Recording):
            scene = recorded_fusion.recorded_fusion_scene(fn, question or recorded_fusion.QUESTION)
        else:
            scene = fusion.fusion_scene(graph_of(fn, args, kernel), question or fusion.QUESTION)
        super().__init__(scene, step, **traits)


class Tiling(View):
    """How often the numbers of two matrices are fetched for their product: by entries, in tiles, in groups of tiles.

    Args:
        shape: m, n and k of a product of (m, k) and (k, n), up to 128 each.
        tile: Rows and columns of a tile.
        group: How many rows of tiles are worked on together in the grouped order.
        cache: How many blocks of the matrices the cache holds; what was not used for the longest time makes room.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: A size is not positive, there is too much to draw, or there is no such step.

    Example:
        >>> [way["total"] for way in Tiling().scene["panels"][0]["ways"]]
        [65536, 34816, 16384, 9216, 3072]
    """

    def __init__(
        self,
        shape: tuple[int, int, int] = (32, 32, 32),
        tile: tuple[int, int] = (4, 4),
        group: int = 4,
        cache: int = 48,
        question: str = tiling.QUESTION,
        step: int = 0,
        **traits: Any,
    ) -> None:
        super().__init__(tiling.tiling_scene(shape, tile, group, cache, question), step, **traits)


def graph_of(fn: object, args: tuple[Any, ...], kernel: str | None) -> Graph:
    """The graph of a kernel.

    Raises:
        ArgumentError: There is none.
    """
    told = fn
    if isinstance(fn, Optimized) and not args:
        told = Explanation.of(fn)
    elif callable(fn):
        told = explain(fn, *args)
    if isinstance(told, Explanation):
        graphs = told.kernels
        if not graphs or (kernel is not None and kernel not in graphs):
            raise missing(told, kernel, list(graphs))
        graph = graphs[kernel or next(iter(graphs))]
    elif isinstance(told, Graph):
        graph = told
    else:
        raise ArgumentError(
            f"Fusion got a {type(fn).__name__}.",
            "It shows how the ops of a function become kernels.",
            "Did you mean Fusion(fn, *args)? Without parentheses after fn.",
        )
    if not all(type(n) is int for node in graph.nodes for n in node.shape):
        raise ArgumentError(
            f"Fusion got {graph.name}, whose sizes are left open.",
            "It counts bytes, so it needs a number for each size.",
            "Did you mean ml.compile(f, dynamic=False)?",
        )
    return graph


def missing(told: Explanation, kernel: str | None, there: list[str]) -> ArgumentError:
    """The error of a kernel that is not there."""
    name = told.to_dict()["function"]["name"]
    if there:
        return ArgumentError(
            f"{name} has no kernel {kernel!r}.",
            f"Its kernels are {', '.join(there)}.",
            f"Did you mean Fusion(f, kernel={there[0]!r})?",
        )
    why = told.to_dict()["eager"] or "they are made of the ops that a call runs"
    return ArgumentError(
        f"{name} has no kernels: {why}.",
        "A function is compiled with the arguments of a call; one that was compiled and called shows what it has.",
        "Did you mean Fusion(fn, *args), with arguments that fn takes?",
    )
