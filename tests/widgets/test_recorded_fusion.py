"""The view "Fusion" of a recording: launches and code of the kernels that ran, on its clock."""

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import RecordingError
from minitorch_lab.recording import Recording
from minitorch_lab.recording.compiler_events import Group, Launch
from minitorch_lab.widgets import Fusion, Lab, Memory
from minitorch_lab.widgets.frame import Json


def recorded(backend: str) -> Recording:
    """A product with a bias and a function after it: forward and backward as kernels."""

    def net(x: ml.Tensor, w: ml.Tensor, b: ml.Tensor) -> ml.Tensor:
        return (x @ w + b).tanh().sum()

    compiled = ml.compile(net, backend=backend)
    x, w, b = ml.ones(4, 8), ml.ones(8, 4).requires_grad_(), ml.ones(4).requires_grad_()
    with ml.record() as rec:
        for _ in range(2):
            compiled(x, w, b).backward()
    return rec


@pytest.fixture(scope="module")
def rec() -> Recording:
    return recorded("llvm")


def rows(scene: Json, id: str) -> list[list[Json]]:
    """The rows of a listing, stage by stage."""
    return [stage["rows"] for panel in scene["panels"] if panel["id"] == id for stage in panel["stages"]]


def test_each_launch_is_a_row_and_a_step(rec: Recording) -> None:
    scene, groups = Fusion(rec).scene, rec.each(Group)
    shown = [row["id"] for stage in rows(scene, "launches") for row in stage if row["tag"]]
    assert shown == [group.id for group in groups]
    told = [step["focus"][0] for step in scene["steps"][1:]]
    assert {group.id for group in groups} <= set(told)
    for group in groups:
        step = next(step for step in scene["steps"] if step["focus"][:1] == [group.id])
        assert f"It moves {group.nbytes:,} bytes" in step["say"]


def test_the_code_is_that_of_the_kernels_and_leads_to_the_reader_s_lines(rec: Recording) -> None:
    scene, groups = Fusion(rec).scene, rec.each(Group)
    texts = [row["text"] for stage in rows(scene, "code") for row in stage]
    assert texts == [text for group in groups for text, _, _ in group.rows]
    for group in groups:
        for _, node, line in group.rows:
            if node and line:
                assert line in scene["links"][f"{group.kernel}:{node}"]
                assert f"{group.kernel}:{node}" in scene["links"][group.id]


def test_it_stands_on_the_clock_of_the_recording(rec: Recording) -> None:
    scene = (Fusion(rec) | Memory(rec)).scene
    times = [step["at"] for step in scene["steps"]]
    assert times == sorted(times)
    inside = [step["at"] for step in Fusion(rec).scene["steps"]]
    assert all(any(launch.n - 1 <= at < launch.n for launch in rec.each(Launch)) for at in inside)


def test_the_laboratory_has_it_beside_the_rest(rec: Recording) -> None:
    lab = Lab(rec).scene
    assert {"memory", "timeline", "arena", "launches", "code"} >= {panel["id"] for panel in lab["panels"]}
    assert {"launches", "code"} <= {panel["id"] for panel in lab["panels"]}
    forward = next(launch for launch in rec.each(Launch) if launch.by.startswith("o"))
    assert forward.by in lab["links"][forward.kernel]
    assert any(id.startswith("r:") for id in lab["links"][forward.kernel]), "its run"


def test_a_backend_that_fuses_nothing_says_so() -> None:
    says = Fusion(recorded("numpy")).transcript()
    assert "2. The forward kernel `e1` runs op by op, as numpy has it: nothing is fused." in says


def test_a_recording_without_kernels_says_what_to_do() -> None:
    with ml.record() as rec:
        _ = ml.ones(2) * 2
    with pytest.raises(RecordingError) as error:
        Fusion(rec)
    assert str(error.value) == (
        "Fusion got a recording in which no kernel ran.\n"
        "  Kernels run from the second call of a compiled function on.\n"
        "  Did you mean `f = ml.compile(f)`, and two calls of f inside `with ml.record() as rec:`?"
    )
