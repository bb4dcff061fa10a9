"""The view "Capture": its graphs, breaks and guards are those of the compiled function, told in order."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.explain import Explanation
from minitorch_lab.errors import ArgumentError, RecordingError
from minitorch_lab.widgets.capture import capture_scene
from minitorch_lab.widgets.capture_steps import ALL


def leaky(x: ml.Tensor) -> ml.Tensor:
    if x > 0:
        return x
    return 0.1 * x


def sentences(view: Any) -> list[str]:
    return [step["say"] for step in view.scene["steps"]]


def pieces(view: Any) -> list[Any]:
    """All graphs of a view."""
    return [p for capture in view.scene["panels"][1]["captures"] for p in capture["pieces"]]


def test_the_worked_example_is_the_print_in_the_middle(capsys: pytest.CaptureFixture[str]) -> None:
    view = ml.widgets.Capture()
    say = sentences(view)
    assert capsys.readouterr().out == ""
    assert any("`add: f32[3] = add(x, 1)` enters the graph" in s for s in say)
    assert "Graph break: print() writes to the screen. `graph_0` ends here, and gives `add`." in say
    assert "`print('middle')` runs for real, as in Python, after that graph." in say
    assert "Another call. Guard failed: `x`: shape (3,), now (5,); compiling again." in say
    assert [p["head"] for p in pieces(view)] == [
        "graph_0(x)", "graph_1(graph_0.add)", "graph_2(x)", "graph_3(graph_2.add)",
    ]  # fmt: skip


def test_leaky_relu_has_three_graphs_of_which_one_is_empty() -> None:
    """A6: three graphs, one of them empty, two continuations."""
    f = ml.compile(leaky)
    with ml.compile.watch() as seen:
        f(ml.tensor(1.0)), f(ml.tensor(-1.0))
    first, second = capture_scene(seen)["panels"][1]["captures"]
    assert [p["head"] for p in first["pieces"]] == ["graph_0(x)", "no op: no graph"]
    assert [len(p["rows"]) for p in (*first["pieces"], *second["pieces"])] == [1, 0, 1]
    assert first["pieces"][0]["cut"]["runs"] == "bool(gt)"


def test_a_second_side_of_an_if_goes_on_from_the_guard_that_failed() -> None:
    f = ml.compile(leaky)
    with ml.compile.watch() as seen:
        f(ml.tensor(1.0)), f(ml.tensor(-1.0))
    scene = capture_scene(seen)
    say = [step["say"] for step in scene["steps"]]
    assert "Another call. Guard failed: `bool(gt)`: True, now False; compiling again." in say
    assert (
        say[-1]
        == "1 graph. A call for which the guards hold runs `graph_0`, `bool(gt)` and `graph_1`, and no bytecode."
    )
    failed = [row for row in scene["panels"][2]["rows"] if "died" in row]
    assert [(row["subject"], row["says"], row["now"]) for row in failed] == [("bool(gt)", "True", "True, now False")]


@pytest.mark.parametrize("args", [(ml.ones(3),), (ml.ones(2, 2),)])
def test_ids_graphs_and_breaks_are_those_of_the_explanation(args: Any) -> None:
    def f(x: ml.Tensor) -> ml.Tensor:
        y = (x + 1).relu()
        if y.sum() > 0:
            y = y * 2
        print("seen")
        return y.exp()

    compiled = ml.compile(f)
    with ml.compile.watch() as seen:
        compiled(*args)
    told, scene = Explanation.of(compiled).to_dict(), capture_scene(seen)
    drawn = [p for c in scene["panels"][1]["captures"] for p in c["pieces"]]
    assert [b["reason"] for b in told["breaks"]] == [p["cut"]["reason"] for p in drawn if p["cut"]]
    for region in told["regions"]:
        nodes = [n["name"] for n in told["graphs"][region["captured"]]["nodes"] if n["kind"] == "call"]
        piece = next(p for p in drawn if p["id"] == region["id"])
        assert [r["id"] for r in piece["rows"] if not r.get("unneeded")] == [f"{region['id']}/{n}" for n in nodes]


def test_everything_has_come_at_the_end_and_nothing_before_its_time() -> None:
    scene = ml.widgets.Capture().scene
    last = scene["steps"][-1]["at"]
    seen: set[str] = set()
    times: dict[str, int] = {}
    for p in [p for c in scene["panels"][1]["captures"] for p in c["pieces"]]:
        times |= {p["id"]: p["at"], **{r["id"]: r["at"] for r in p["rows"]}}
        times |= {p["cut"]["id"]: p["cut"]["at"]} if p["cut"] else {}
    times |= {g["id"]: g["born"] for g in scene["panels"][2]["rows"]}
    for step in scene["steps"]:
        for id in step["focus"]:
            if id in times:
                assert times[id] <= step["at"], (id, step["say"])
                seen.add(id)
    assert all(at <= last for at in times.values())
    assert {id for id in times if "/" in id or id[0] == "b"} <= seen


def test_line_instruction_and_node_are_linked() -> None:
    scene = ml.widgets.Capture().scene
    rows = [r for code in scene["panels"][0]["codes"] for r in code["rows"]]
    binary = next(r["id"] for r in rows if r["name"] == "BINARY_OP")
    assert {"l2", "g1/add", "g3/add"} <= set(scene["links"][binary])
    assert {binary, "g1/add"} <= set(scene["links"]["l2"])
    assert {"l3", "b1"} & set(scene["links"]["b1"]) == {"l3"}


def test_what_nothing_needs_is_shown_as_left_out() -> None:
    def wasteful(x: ml.Tensor) -> ml.Tensor:
        _ = x.exp()
        return x + 1

    (piece,) = pieces(ml.widgets.Capture(wasteful, ml.ones(2)))
    assert [(r["id"], r.get("unneeded", False)) for r in piece["rows"]] == [("g1/exp", True), ("g1/add", False)]


def test_a_function_of_the_readers_is_gone_into_and_a_module_is_gone_through() -> None:
    def scaled(x: ml.Tensor) -> ml.Tensor:
        return x * 2

    def f(x: ml.Tensor, layer: ml.nn.Module) -> ml.Tensor:
        return scaled(layer(x))

    view = ml.widgets.Capture(f, ml.ones(2, 3), ml.nn.Linear(3, 2))
    say = sentences(view)
    name = scaled.__qualname__
    assert any(s.startswith(f"`{name}` can be looked into: its instructions are next") for s in say)
    assert any("It went through `Hooked.__call__`" in s for s in say)
    assert [code["name"] for code in view.scene["panels"][0]["codes"]] == [f.__qualname__, name]


def test_a_long_function_is_told_by_what_happens() -> None:
    def deep(x: ml.Tensor) -> ml.Tensor:
        for _ in range(ALL):
            x = x + 1
        return x

    scene = ml.widgets.Capture(deep, ml.ones(2)).scene
    assert len(scene["steps"]) == ALL + 4  # the question, the beginning, every op, the return, and what is left
    assert all("enters the graph" in step["say"] for step in scene["steps"][2 : 2 + ALL])


def test_an_error_of_the_readers_is_told() -> None:
    def picky(x: ml.Tensor) -> ml.Tensor:
        raise ValueError("too much")

    assert any("raises ValueError: too much" in s for s in sentences(ml.widgets.Capture(picky, ml.ones(2))))


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3,), "Capture got a int."),
        ((abs, ml.ones(2)), "Capture found no capture"),
    ],
)
def test_what_cannot_be_shown_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        ml.widgets.Capture(*given)
    assert str(error.value).startswith(message)
    assert "Did you mean" in str(error.value)


def recorded() -> ml.Recording:
    """Two calls of a function that breaks."""

    def middle(x: ml.Tensor) -> ml.Tensor:
        y = x + 1
        print("middle")
        return y * 2

    f = ml.compile(middle)
    with ml.record() as rec:
        f(ml.ones(3)), f(ml.ones(3)), f(ml.ones(5))
    return rec


def test_a_recording_tells_captures_graphs_breaks_and_the_kernels_in_their_place() -> None:
    scene = ml.widgets.Capture(recorded()).scene
    say = [step["say"] for step in scene["steps"]]
    assert say[1:] == [
        "`middle` is captured: its ops run one by one, and are written down.",
        "`graph_0` is there: 1 op, `add`.",
        "`graph_1` is there: 1 op, `mul`.",
        "Graph break: print() writes to the screen. Python runs there, in every call.",
        "The guards hold: one kernel runs `graph_0`, in place of its ops.",
        "The guards hold: one kernel runs `graph_1`, in place of its ops.",
        "Guard failed: x: shape (3,), now (5,); `middle` is captured again.",
        "`graph_2` is there: 1 op, `add`.",
        "`graph_3` is there: 1 op, `mul`.",
        "Graph break: print() writes to the screen. Python runs there, in every call.",
    ]
    first, second = scene["panels"][0]["captures"]
    assert [p["id"] for p in (*first["pieces"], *second["pieces"])] == ["g1", "g2", "g3", "g4"]
    assert [p["cut"]["id"] if p["cut"] else None for p in first["pieces"]] == ["b1", None]


def test_it_stands_on_the_clock_of_the_recording_with_the_ids_of_its_other_views() -> None:
    rec = recorded()
    scene = ml.widgets.Capture(rec).scene
    times = [step["at"] for step in scene["steps"]]
    assert times == sorted(times)
    assert times[-1] < len(rec.events)
    both = (ml.widgets.Tape(rec) | ml.widgets.Capture(rec)).scene
    assert [panel["kind"] for panel in both["panels"]] == ["pieces"]
    lines = {line["id"] for line in scene["source"]}
    assert set(scene["links"]["g1/add"]) & lines
    assert set(scene["links"]["g2/mul"]) & lines


def test_a_compiled_function_that_has_run_tells_its_program() -> None:
    f = ml.compile(leaky)
    f(ml.tensor(1.0)), f(ml.tensor(-1.0))
    scene = ml.widgets.Capture(f).scene
    say = [step["say"] for step in scene["steps"]]
    assert say[0].endswith(
        "has become 3 graphs (1 of them empty), with 1 break and 3 guards: what runs if the guards hold."
    )
    assert any(s.startswith("Graph break: Python decides by an entry of a tensor.") for s in say)
    paths = scene["panels"][0]["captures"]
    assert len(paths) == 2
    assert [len(p["rows"]) for path in paths for p in path["pieces"]] == [1, 1]
    told = Explanation.of(f).to_dict()
    assert [row["id"] for row in scene["panels"][1]["rows"]] == [guard["id"] for guard in told["guards"]]
    assert ml.widgets.Capture(Explanation.of(f)).scene == scene


def test_a_recording_without_captures_is_refused() -> None:
    with ml.record() as rec:
        _ = ml.ones(2) * 2
    with pytest.raises(RecordingError, match="without a capture"):
        ml.widgets.Capture(rec)
