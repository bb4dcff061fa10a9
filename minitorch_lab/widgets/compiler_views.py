"""Views of the compiler at work. They open on worked examples."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import redirect_stdout, suppress
from io import StringIO
from typing import Any

from ..compiler.autodiff.aot import Joint
from ..compiler.capture.api import compile as compiled
from ..compiler.capture.bytecode.watching import Watch, watch
from ..compiler.explain import Explanation, fresh
from ..compiler.passes.pipeline import Step
from ..compiler.runtime.optimized import Optimized, compiled_part
from ..errors import ArgumentError
from ..recording.recording import Recording
from ..tensors.factories import ones
from . import capture, partition, pipeline
from .example import CAPTURE, PARTITION, PIPELINE, defined
from .explained import explained_scene
from .frame import Json
from .host import View
from .recorded_capture import recorded_capture_scene
from .regions import regions_of


class Capture(View):
    """How a function becomes graphs: bytecode, stack and variables, the graph that grows, breaks, guards.

    Args:
        fn: A function, which is compiled afresh and called once with `args`; or what `with ml.compile.watch() as seen:`
            saw of calls of yours. Graphs, breaks and guards without bytecode: a recording, a compiled function that
            has run, or what `ml.compile.explain` gives. Default: a `print` in the middle, called for two lengths.
        args: Its arguments.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `fn` is something else, nothing was captured, or there is no such step.
        RecordingError: The recording is still running, or nothing was captured in it.

    Example:
        >>> Capture().transcript()[8]
        '9. Graph break: print() writes to the screen. `graph_0` ends here, and gives `add`.'
    """

    def __init__(
        self,
        fn: Callable[..., Any] | Watch | Recording | Explanation | None = None,
        *args: Any,
        question: str = capture.QUESTION,
        step: int = 0,
        **traits: Any,
    ) -> None:
        super().__init__(captured_scene(fn, args, question), step, **traits)


def captured_scene(fn: object, args: tuple[Any, ...], question: str) -> Json:
    """The scene for what was given."""
    if isinstance(fn, Recording):
        return recorded_capture_scene(fn, question)
    if isinstance(fn, Optimized) and not args and compiled_part(fn).captures:
        fn = Explanation.of(fn)
    if isinstance(fn, Explanation):
        return explained_scene(fn.to_dict(), question)
    return capture.capture_scene(seen(fn, args), question)


class Partition(View):
    """Where the joint graph of forward and backward is cut, and how the cut moves with the budget for memory.

    Args:
        fn: A function, which is compiled afresh and called once with `args`; or a compiled function that has run with
            gradients; or a joint graph (`compile.aot.joint`). Without one, tanh(exp(sin(x @ w))).
        args: Its arguments. Some of them, or parameters that it reads, want gradients.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `fn` is something else, nothing in it wants a gradient, or there is no such step.

    Example:
        >>> Partition().transcript()[3].partition(". Iron law")[0]
        '4. Budget 0.692: `tanh` is computed again, not kept. 36\u2009KiB in place of 52\u2009KiB'
    """

    def __init__(
        self,
        fn: Callable[..., Any] | Joint | None = None,
        *args: Any,
        question: str = partition.QUESTION,
        step: int = 0,
        **traits: Any,
    ) -> None:
        super().__init__(partition.partition_scene(*joint_of(fn, args), question), step, **traits)


def joint_of(fn: object, args: tuple[Any, ...]) -> tuple[Joint, str, dict[str, str]]:
    """The joint graph to show: that of the largest region; the id of the region, the names of its arguments."""
    if fn is None:
        fn, args = partition_example()
    if isinstance(fn, Joint):
        return fn, "g1", {}
    made = [one for one in regions_of("Partition", fn, args) if one.trained is not None]
    if not made:
        raise ArgumentError(
            "Partition found nothing that wants a gradient.",
            "It shows what is kept from forward to backward: where no gradient is wanted, nothing is.",
            "Did you mean arguments or parameters with requires_grad=True?",
        )
    largest = max(made, key=lambda one: len(one.graph.nodes))
    assert largest.trained is not None
    return largest.trained.joint, largest.id, largest.words


def partition_example() -> tuple[Any, tuple[Any, ...]]:
    """A product and three functions after it."""
    f = defined(PARTITION, "partition example", {"__name__": "example"})["f"]
    return f, (ones(64, 16), ones(16, 64).requires_grad_())


class Pipeline(View):
    """What every pass does to a graph: lines that go, come and change, why, and what that saves.

    Args:
        fn: A function, which is compiled afresh and called once with `args`, or a compiled function that has run: shown
            are the passes over its largest graph, the joint one where gradients were wanted. Or the log of `optimize`.
            Without one, a product that is computed twice.
        args: Its arguments.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `fn` is something else, no pass ran, or there is no such step.

    Example:
        >>> Pipeline().transcript()[1].partition(" Iron law")[0]
        '2. `simplify` removes 1 line and changes 1 line: x * 1, once.'
    """

    def __init__(
        self,
        fn: Callable[..., Any] | Sequence[Step] | None = None,
        *args: Any,
        question: str = pipeline.QUESTION,
        step: int = 0,
        **traits: Any,
    ) -> None:
        super().__init__(pipeline.pipeline_scene(*steps_of(fn, args), question), step, **traits)


def steps_of(fn: object, args: tuple[Any, ...]) -> tuple[Sequence[Step], str, dict[str, str]]:
    """The passes to show; the id of the region, the names of its arguments."""
    if fn is None:
        fn, args = pipeline_example()
    if isinstance(fn, (list, tuple)):
        steps, id, words = [step for step in fn if isinstance(step, Step)], "g1", dict[str, str]()
    else:
        largest = max(regions_of("Pipeline", fn, args), key=lambda one: len(one.graph.nodes))
        made = largest.trained or largest.plain
        steps, id, words = made.steps if made is not None else [], largest.id, largest.words
    if not steps:
        raise ArgumentError(
            "Pipeline found no passes.",
            "It shows what the passes of one graph have done.",
            "Did you mean log = []; optimize(graph, log=log); Pipeline(log)?",
        )
    return steps, id, words


def pipeline_example() -> tuple[Any, tuple[Any, ...]]:
    """A product that is computed twice, once hidden behind a factor of 1."""
    f = defined(PIPELINE, "pipeline example", {"__name__": "example"})["f"]
    return f, (ones(1024), ones(1024))


def seen(fn: object, args: tuple[Any, ...]) -> Watch:
    """What there is to show of captures."""
    if fn is None:
        return capture_example()
    found = fn if isinstance(fn, Watch) else watched(fn, args)
    if not found.walks or not found.walks[0].moments:
        why = f": {found.walks[0].compiled.reason}" if found.walks else ""
        raise ArgumentError(
            f"Capture found no capture{why}.",
            "A call for which a graph is there is not captured again, and a function that stays eager never is.",
            "Did you mean Capture(fn, *args)? That captures fn afresh.",
        )
    return found


def watched(fn: Any, args: tuple[Any, ...]) -> Watch:
    """One call of a compiled copy. An error that it raises is part of what is seen."""
    if not callable(fn):
        raise ArgumentError(
            f"Capture got a {type(fn).__name__}.",
            "It shows how a function is captured while it is called.",
            "Did you mean Capture(fn, *args)? Without parentheses after fn.",
        )
    with watch() as found, suppress(Exception):
        fresh(fn)(*args)
    return found


def capture_example() -> Watch:
    """A `print` in the middle, for three numbers and then for five. What it prints is not shown."""
    middle = compiled(defined(CAPTURE, "capture example", {"__name__": "example"})["middle"])
    with watch() as found, redirect_stdout(StringIO()):
        _ = middle(ones(3)), middle(ones(5))
    return found
