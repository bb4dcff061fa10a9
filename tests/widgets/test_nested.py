"""Transforms inside transforms: every view tells its part of it, or says what it lacks."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.recording import Recording, record
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.forward import forward_scene
from minitorch_lab.widgets.tape import tape_scene

Function = Callable[..., Any]


def along(f: Function) -> Function:
    return lambda x: ml.func.jvp(f, (x,), (ml.ones_like(x),))[1]


def slope(f: Function) -> Function:
    return ml.func.grad(lambda x: f(x).sum())


def each(f: Function) -> Function:
    return lambda x: ml.func.vmap(f)(ml.stack([x, x + 1]))


def recorded(transforms: tuple[Function, ...]) -> Recording:
    f: Function = lambda x: (x * x).sin() * x  # noqa: E731
    for transform in transforms:
        f = transform(f)
    with record() as rec:
        f(ml.tensor([0.5, 1.5]))
    return rec


@pytest.mark.parametrize("transforms", [*product((along, slope, each), repeat=2), (each, slope, along), (slope,) * 3])
def test_every_view_of_nested_transforms(transforms: tuple[Function, ...]) -> None:
    rec = recorded(transforms)
    kinds = {run.transform for run in rec.runs}
    assert len(rec.runs) >= len(transforms)
    for view, needs in ((forward_scene, "jvp"), (backward_scene, "vjp"), (tape_scene, None)):
        if needs is not None and needs not in kinds:
            with pytest.raises(RecordingError):
                view(rec)
            continue
        scene = view(rec)
        check(scene)


def check(scene: dict[str, Any]) -> None:
    """The laws of every scene, for one that is there already."""
    nodes = {node["id"] for node in scene["graph"]["nodes"]}
    shown = {event["id"] for step in scene["steps"] for event in step["events"] if event["type"] == "value"}
    assert shown == {node["id"] for node in scene["graph"]["nodes"] if node["kind"] != "op"}
    assert all(set(step["focus"]) <= nodes for step in scene["steps"])
    assert all("None" not in step["say"] for step in scene["steps"])


@pytest.mark.parametrize("transform", [ml.func.hessian, ml.func.jacfwd, ml.func.jacrev])
def test_what_is_built_from_transforms(transform: Any) -> None:
    with record() as rec:
        transform(lambda x: (x**3).sum())(ml.tensor([1.0, 2.0]))
    check(tape_scene(rec))
