"""The scenes of the worked examples as files for the tests of the renderer: `python -m tests.widgets.fixtures`."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import minitorch_lab as ml
from minitorch_lab.recording import Recording
from minitorch_lab.recording import events as ev
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.compare import compared
from minitorch_lab.widgets.example import memory_example, run, timeline_example
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.laboratory import lab_scene, plain_scene
from minitorch_lab.widgets.lines import lines_scene
from minitorch_lab.widgets.memory import memory_scene
from minitorch_lab.widgets.modules import module_example, modules_scene
from minitorch_lab.widgets.strides import strides_example, strides_scene
from minitorch_lab.widgets.tape import tape_scene
from minitorch_lab.widgets.timeline import timeline_scene

FOLDER = Path(__file__).parents[2] / "widgets" / "test" / "scenes"


EXACT = """\
h = (x @ W1 + b1).relu()
z = h @ W2 + b2
loss = z.sum()
loss.backward()
SGD([W1, b1, W2, b2], lr=1.0).step()
"""


def exact() -> Recording:
    """A training step on small whole numbers, which comes out the same on every machine, to the last digit."""
    shapes = {"W1": (6, 4), "b1": (4,), "W2": (4, 2), "b2": (2,)}
    made = {name: ml.ones(*of).requires_grad_() for name, of in shapes.items()}
    return timed(run(EXACT, "exact example", {**made, "x": ml.ones(3, 6), "SGD": ml.optim.SGD}))


def checkpointed() -> Json:
    """Two layers, plain and with checkpoints, on one axis."""

    def scene(wrap: Callable[..., ml.Tensor]) -> Json:
        x, weights = ml.ones(4, 4), [ml.ones(4, 4).requires_grad_() for _ in range(2)]
        with ml.record() as rec:
            for w in weights:
                x = wrap(lambda x, w: (x @ w).relu(), x, w)
            x.sum().backward()
        return plain_scene(timed(rec))

    return compared(scene(lambda f, *args: f(*args)), scene(ml.autograd.checkpoint), ("plain", "checkpointed"))


LAYERS = """\
for w in weights:
    g = (h @ w + 1).relu()
    h = (g - h) * 0.5 + h
loss = h.sum()
loss.backward()
"""


def repeated() -> Recording:
    """Ten layers that do the same, on numbers that are exact in binary."""
    weights = [(ml.ones(2, 2) * 0.5).requires_grad_() for _ in range(10)]
    return timed(run(LAYERS, "exact layers", {"weights": weights, "h": ml.ones(2, 2)}))


def timed(recording: Recording) -> Recording:
    """The same recording on a machine whose clock is the same every time: 3 µs of Python, kernels of 1, 2, 3, … µs."""
    for k, ran in enumerate(recording.each(ev.Ran), start=1):
        times = {"together": 1000 * k} if ran.together else {"python": 3000, "kernel": 1000 * k}
        recording.complete_event(ran.n, **times)
    return recording


TWICE = """\
loss = a * b + a
loss.backward()
"""


def twice() -> Recording:
    """A leaf that is used twice: two parts of its gradient arrive, and are added."""
    return run(TWICE, "used twice", {name: ml.tensor(x, requires_grad=True) for name, x in (("a", 2.0), ("b", 3.0))})


SCENES: dict[str, Callable[[], Json]] = {
    "twice": lambda: backward_scene(twice()),
    "tape": lambda: tape_scene(twice()),
    "memory": lambda: memory_scene(memory_example()),
    "timeline": lambda: timeline_scene(timed(timeline_example())),
    "strides": lambda: strides_scene(strides_example()),
    "modules": lambda: modules_scene(module_example()),
    "source": lambda: lines_scene(exact()),
    "compare": checkpointed,
    "tiling": lambda: ml.widgets.Tiling().scene,
    "fusion": lambda: ml.widgets.Fusion().scene,
    "lab": lambda: lab_scene(exact()),
    "folded": lambda: lab_scene(repeated()),
}
from tests.widgets.compiler_scenes import COMPILER  # noqa: E402  (the lines above are source of scenes)

SCENES |= COMPILER


def scene(name: str) -> Json:
    """The scene `name` as its file holds it: the id of a recording follows from every digit, so it is left out."""
    return json.loads(json.dumps({**SCENES[name](), "recording": name}))


def main() -> None:
    """Write all files."""
    for name in SCENES:
        made = scene(name)
        text = json.dumps(made, ensure_ascii=False, indent=None if "folds" in made else 1)
        (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
