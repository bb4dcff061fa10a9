"""The view "Fusion": sentences, pictures and links, for the worked example and for programs of the reader's."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.schedule.traffic import after, before
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.fusion import EXAMPLE, fusion_example, fusion_scene
from tests.compile.explain_samples import three
from tests.compile.test_story import PROGRAMS, told


def panel(scene: Json, kind: str) -> Json:
    return next(p for p in scene["panels"] if p["kind"] == kind)


def scene_of(name: str) -> Json:
    return fusion_scene(told(*PROGRAMS[name]).graph)


SAME = "both work entry by entry, at the same points"


def test_the_worked_example_tells_36_N_to_20_N_bytes() -> None:
    assert [step["say"] for step in fusion_scene(fusion_example(), EXAMPLE)["steps"]] == [
        "Why is one kernel faster than three? Op by op there are 3 launches, and each reads and writes memory.",
        "`add` reads `A` and `B` and writes its result: 3 × 4,000 = 12,000 bytes.",
        "`mul` reads `add` and `C` and writes its result: 3 × 4,000 = 12,000 bytes, 24,000 so far.",
        "`add_1` reads `D` and `mul` and writes its result: 3 × 4,000 = 12,000 bytes, 36,000 so far.",
        f"`mul` joins `add`: {SAME}. `add` stays in a register, 8,000 bytes less.",
        f"`add_1` joins `mul`: {SAME}. `mul` stays in a register, 8,000 bytes less.",
        "1 launch instead of 3, 20,000 bytes instead of 36,000, 1.8 × less. That moves two terms of the iron law: "
        "data / bandwidth and overhead. The work, 3,000 operations, stays.",
    ]


def test_what_fusion_cannot_do_is_said_too() -> None:
    says = [step["say"] for step in scene_of("two products")["steps"]]
    assert says[-2] == (
        "`matmul_1` does not join `relu`: an entry of the second needs a whole row of the first, or a whole column. "
        "So `relu` is written, and read again."
    )
    says = [step["say"] for step in scene_of("left to NumPy")["steps"]]
    assert (
        says[2] == "`cumsum`, which NumPy runs, reads `mul` and writes its result: 2 × 320 = 640 bytes, 1,280 so far."
    )
    assert says[-1].endswith("Nothing of it can be fused: no term of the iron law moves. The work stays as it is.")


@pytest.mark.parametrize("name", PROGRAMS)
def test_bars_hulls_and_code_end_as_the_schedule(name: str) -> None:
    found = told(*PROGRAMS[name])
    scene = fusion_scene(found.graph)
    traffic, last = panel(scene, "traffic"), panel(scene, "traffic")["stages"][-1]
    size = {cell["id"]: cell["bytes"] for cell in traffic["cells"]}
    end = after(found.program)
    assert (last["launches"], last["bytes"]) == (end.launches, end.nbytes)
    assert sum(size[id] for row in last["rows"] for id in row["ids"]) == end.nbytes
    assert sum(size[id] for row in traffic["first"] for id in row["ids"]) == traffic["stages"][0]["bytes"]
    hulls: dict[str, Any] = {}
    for event in (e for step in scene["steps"] for e in step["events"] if e["type"] == "hull"):
        hulls[event["id"]] = event["ids"]
    assert {id for id, ids in hulls.items() if ids} == {row["id"] for row in last["rows"]}
    tags = [row["tag"] for row in panel(scene, "listing")["stages"][-1]["rows"] if row["tag"]]
    assert tags == [row["label"] for row in last["rows"]]


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_id_is_drawn(name: str) -> None:
    scene = scene_of(name)
    nodes = {node["id"] for node in scene["graph"]["nodes"]}
    assert all(e["from"] in nodes and e["to"] in nodes for e in scene["graph"]["edges"])
    drawn = nodes | {line["id"] for line in scene["source"]}
    drawn |= {cell["id"] for cell in panel(scene, "traffic")["cells"]}
    drawn |= {row["id"] for stage in panel(scene, "listing")["stages"] for row in stage["rows"]}
    events = [event for step in scene["steps"] for event in step["events"]]
    drawn |= {event["id"] for event in events if event["type"] == "hull"}
    named = {id for step in scene["steps"] for id in step["focus"]} | set(scene["links"])
    named |= {id for event in events for id in event.get("ids", ())}
    assert named <= drawn
    ats = [step["at"] for step in scene["steps"]]
    assert ats == list(range(len(ats)))


def test_a_prediction_asks_for_the_bytes_of_its_sentence() -> None:
    asked = [step for step in fusion_scene(fusion_example())["steps"] if "predict" in step]
    assert [step["predict"]["answer"] for step in asked] == ["8,000", "8,000"]
    for step in asked:
        at, length = step["predict"]["at"], step["predict"]["length"]
        assert step["say"][at : at + length] == "8,000"


def test_a_large_program_is_told_kernel_by_kernel() -> None:
    def deep(x: Any) -> Any:
        for _ in range(12):
            x = (x.tanh() * 2 + 1).softmax(1)
        return x

    found = told(deep, (8, 16))
    scene = fusion_scene(found.graph)
    assert len(found.stages) > 60
    assert len(scene["steps"]) < 20
    assert panel(scene, "traffic")["stages"][-1]["bytes"] == after(found.program).nbytes
    assert scene["steps"][1]["say"].endswith(f"ops read and write {before(found.graph).nbytes:,} bytes.")


# ---- what it is made of ---------------------------------------------------------------------------------------------
def test_a_compiled_function_and_its_explanation_are_shown() -> None:
    vectors = [ml.randn(1000) for _ in range(4)]
    compiled = ml.compile(three, backend="llvm")
    for _ in range(2):
        compiled(*vectors)
    explained = ml.compile.explain(three, *vectors)
    for what in ((compiled,), (explained,), (three, *vectors), (ml.compile(three, backend="llvm"), *vectors)):
        view = ml.widgets.Fusion(*what)
        assert view.transcript()[-1].startswith("7. 1 launch instead of 3, 20,000 bytes instead of 36,000")
        assert [line["text"] for line in view.scene["source"]] == ["t = a + b", "u = t * c", "return d + u"]
        no = view.scene["source"][1]["id"]
        assert view.scene["steps"][4]["line"] == no
        assert {"g1/mul", "w:mul", "t:mul"} == set(view.scene["links"][no])


def test_any_kernel_of_a_training_step_is_shown() -> None:
    def loss(x, w, y):
        return ml.cross_entropy(x @ w, y)

    explained = ml.compile.explain(
        ml.compile(loss, backend="llvm"), ml.randn(8, 4), ml.randn(4, 3).requires_grad_(), ml.zeros(8, dtype=ml.int64)
    )
    assert list(explained.kernels) == ["k1", "k2"]
    assert "matmul" in str(ml.widgets.Fusion(explained, kernel="k2").scene["graph"])
    with pytest.raises(ArgumentError) as caught:
        ml.widgets.Fusion(explained, kernel="k7")
    assert str(caught.value) == (
        "loss has no kernel 'k7'.\n  Its kernels are k1, k2.\n  Did you mean Fusion(f, kernel='k1')?"
    )


def test_what_cannot_be_shown_says_what_can() -> None:
    with pytest.raises(ArgumentError) as caught:
        ml.widgets.Fusion(3)  # type: ignore[arg-type]
    assert str(caught.value) == (
        "Fusion got a int.\n  It shows how the ops of a function become kernels."
        "\n  Did you mean Fusion(fn, *args)? Without parentheses after fn."
    )
    for never_called in (three, ml.compile(three)):
        with pytest.raises(ArgumentError, match="three has no kernels: "):
            ml.widgets.Fusion(never_called)
    opened = ml.compile.explain(ml.compile(lambda x: x + 1, dynamic=True), ml.ones(3))
    with pytest.raises(ArgumentError, match="whose sizes are left open"):
        ml.widgets.Fusion(opened)
