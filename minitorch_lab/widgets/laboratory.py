"""The laboratory: views of memory and time, and all of them on one scrubber. They open on worked examples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..nn import Module
from ..recording import events as ev
from ..recording.recording import Recording
from ..tensors.tensor import Tensor
from . import arena, compare, lines, memory, modules, recorded_fusion, strides, timeline
from .backward import backward_scene
from .example import arena_example, memory_example, timeline_example
from .frame import Json, combine
from .host import View
from .tape import tape_scene
from .views import given


class Memory(View):
    """What is alive when: every block with its birth and its death, the peak, and who made it.

    Args:
        recording: What `with ml.record() as rec:` recorded. Without one, a training step of 784 → 256 → 10.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running, or no memory was seen in it.

    Example:
        >>> Memory().transcript()[1]
        '2. `matmul` makes x @ W1, 32,768 B of activation. Alive: 947,240 B.'
    """

    def __init__(
        self, recording: Recording | None = None, question: str = memory.QUESTION, step: int = 0, **traits: Any
    ) -> None:
        super().__init__(memory.memory_scene(given("Memory", recording, memory_example), question), step, **traits)


class Arena(View):
    """The memory plan of compiled kernels: where in one arena each temporary lies, and for how long.

    Args:
        recording: What `with ml.record() as rec:` recorded, with a call of a compiled function in it. Without one, two
            layers with GELU, forward and backward.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running, or no kernel with temporaries ran in it.

    Example:
        >>> Arena().transcript()[-1].partition(": no plan")[0]
        '7. They run in turn, so one arena serves all. The arena has 4,096 B, just what is alive at `gelu_slope_1`'
    """

    def __init__(
        self, recording: Recording | None = None, question: str = arena.QUESTION, step: int = 0, **traits: Any
    ) -> None:
        super().__init__(arena.arena_scene(given("Arena", recording, arena_example), question), step, **traits)


class Timeline(View):
    """Python against kernels: for every op how long the engine needed around its kernel, and how long that ran.

    What the recording itself needs is left out, and so is the reader's own code between the ops.

    Args:
        recording: What `with ml.record() as rec:` recorded. Without one, E = D + (A + B) · C on a thousand numbers.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running, or it holds no times.

    Example:
        >>> [run["label"] for run in Timeline().scene["panels"][0]["runs"]]
        ['add', 'mul', 'add']
    """

    def __init__(
        self, recording: Recording | None = None, question: str = timeline.QUESTION, step: int = 0, **traits: Any
    ) -> None:
        seen = given("Timeline", recording, timeline_example)
        super().__init__(timeline.timeline_scene(seen, question), step, **traits)


class Strides(View):
    """Index ↔ address: the rule by which a tensor finds a number, for views that share one memory.

    Args:
        tensors: What to show, a tensor or several by name: at most 64 entries each. Default: six numbers in four ways.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: There is too much to draw, or something that is no tensor; or there is no such step.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.arange(0, 60, 10).reshape(2, 3)
        >>> Strides({"x": x, "x.T": x.T}).transcript()[10]
        '11. `x.T[0, 1]` is at 0 + 0·1 + 1·3 = 3, where 30 stands.'
    """

    def __init__(
        self,
        tensors: Tensor | Mapping[str, Tensor] | None = None,
        question: str = strides.QUESTION,
        step: int = 0,
        **traits: Any,
    ) -> None:
        shown = strides.strides_example() if tensors is None else tensors
        named = shown if isinstance(shown, Mapping) else {"x": shown}
        super().__init__(strides.strides_scene(named, question), step, **traits)


class Source(View):
    """The reader's own lines, and what each costs: ops, bytes made, time.

    Args:
        recording: What `with ml.record() as rec:` recorded. Without one, a training step of 784 → 256 → 10.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running, or it has no lines of the reader's.

    Example:
        >>> [row["text"] for row in Source().scene["panels"][0]["rows"]][:2]
        ['h = (x @ W1 + b1).relu()', 'z = h @ W2 + b2']
    """

    def __init__(
        self, recording: Recording | None = None, question: str = lines.QUESTION, step: int = 0, **traits: Any
    ) -> None:
        super().__init__(lines.lines_scene(given("Source", recording, memory_example), question), step, **traits)


class ModuleTree(View):
    """What a module is made of: modules in modules, parameters with shapes, buffers, modes and hooks.

    Args:
        module: The module. Without one, a small classifier.
        recording: A recording of calls of it: the steps are then the ops that read its parameters, and they are linked.
        question: The heading.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `module` is no module, or there is no such step.
        RecordingError: The recording is still running.

    Example:
        >>> ModuleTree().transcript()[1]
        '2. `0`, Linear, holds weight (256, 784) and bias (256,): 200,960 numbers to learn, 98 % of all.'
    """

    def __init__(
        self,
        module: Module | None = None,
        recording: Recording | None = None,
        question: str = modules.QUESTION,
        step: int = 0,
        **traits: Any,
    ) -> None:
        shown = modules.module_example() if module is None else module
        super().__init__(modules.modules_scene(shown, recording, question), step, **traits)


class Lab(View):
    """Source, graph, memory and kernels side by side on one scrubber, linked in every direction.

    Point at a line, and its nodes, kernels and blocks light up; point at a block, and its line and its node do.

    Args:
        recording: What `with ml.record() as rec:` recorded. Without one, a training step of 784 → 256 → 10.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: `recording` is something else, or there is no such step.
        RecordingError: The recording is still running.

    Example:
        >>> Lab().scene["title"]
        'Laboratory'
    """

    def __init__(self, recording: Recording | None = None, step: int = 0, **traits: Any) -> None:
        super().__init__(lab_scene(given("Lab", recording, memory_example)), step, **traits)


class Compare(View):
    """Two recordings, or two views, on one axis: eager against compiled, plain against checkpointed, right and wrong.

    Args:
        first: A recording, whose memory and times are shown, or a view.
        second: Another one; a view of the same kind.
        names: What to call them.
        step: The first step to show, counted from 0.

    Raises:
        ArgumentError: They are of different kinds, or the names do not tell them apart.
        RecordingError: A recording is still running, or holds no memory and no times.

    Example:
        >>> import minitorch_lab as ml
        >>> def run(f):
        ...     x = ml.ones(1000, requires_grad=True)
        ...     with ml.record() as rec:
        ...         f(x).sum().backward()
        ...     return rec
        >>> plain = run(lambda x: (x * 2).sin().exp())
        >>> dropped = run(lambda x: ml.autograd.checkpoint(lambda x: (x * 2).sin().exp(), x))
        >>> Compare(Memory(plain), Memory(dropped), ("plain", "checkpointed")).scene["question"]
        'What is different: plain or checkpointed?'
    """

    def __init__(
        self,
        first: Recording | View,
        second: Recording | View,
        names: tuple[str, str] = ("first", "second"),
        step: int = 0,
        **traits: Any,
    ) -> None:
        scenes = [side.scene if isinstance(side, View) else plain_scene(side) for side in (first, second)]
        super().__init__(compare.compared(scenes[0], scenes[1], names), step, **traits)


def plain_scene(recording: Recording) -> Json:
    """Memory and times of a recording, without its graph: what Compare shows of it."""
    seen = given("Compare", recording, memory_example)
    return {**combine(memory.memory_scene(seen), timeline.timeline_scene(seen)), "view": "lab"}


def lab_scene(recording: Recording) -> Json:
    """Backward, where a walk was recorded, else Tape; under it what memory and kernels did meanwhile."""
    walks = bool(recording.each(ev.Begin))
    scene = backward_scene(recording) if walks else tape_scene(recording)
    if recording.each(ev.Birth):
        scene = combine(scene, memory.memory_scene(recording))
    if recording.each(ev.Ran):
        scene = combine(scene, timeline.timeline_scene(recording))
    if arena.placed_in(recording):
        scene = combine(scene, {**arena.arena_scene(recording), "steps": []})
    if recorded_fusion.kernels_in(recording):
        scene = combine(scene, {**recorded_fusion.recorded_fusion_scene(recording), "steps": []})
    return {**scene, "title": "Laboratory", "view": "lab"}
