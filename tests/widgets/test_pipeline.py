"""The view "Pipeline": its lines at every time are those of the graph after that pass, its counts add up."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.passes.pipeline import Step, optimize
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets.compiler_views import steps_of
from minitorch_lab.widgets.pipeline import NO_GRAD


def gelu(x: ml.Tensor) -> ml.Tensor:
    return 0.5 * x * (1 + (0.7979 * (x + 0.0447 * x**3)).tanh())


def log_of(f: Any, *args: Any, passes: Any = None) -> list[Step]:
    """What the passes did to a traced function."""
    log: list[Step] = []
    optimize(ml.jit.trace(f, *args).graph, passes, log=log)
    return log


def lines(graph: Graph) -> list[str]:
    """A graph as the view says it."""
    head = [f"{n.name}: {n.facts}" for n in graph.placeholders]
    return [*head, *(line.strip().removesuffix(NO_GRAD) for line in str(graph).splitlines()[1:])]


def alive(panel: Any, at: int) -> list[str]:
    """The lines of a view after a pass."""
    rows = [row for row in panel["rows"] if row["born"] <= at and row.get("died", at + 1) > at]
    return [[t["text"] for t in row["texts"] if t["at"] <= at][-1] for row in rows]


def pairs() -> ml.nn.Module:
    return ml.nn.Sequential(ml.nn.Conv2d(3, 4, 3), ml.nn.BatchNorm2d(4), ml.nn.ReLU()).eval()


LOGS = {
    "gelu": lambda: log_of(lambda x: gelu(x * 1) + gelu(x / 1), ml.ones(8)),
    "layers": lambda: log_of(pairs(), ml.ones(1, 3, 6, 6), passes=["freeze", "conv_bn", "simplify", "fold", "dce"]),
    "transposes": lambda: log_of(lambda x: x.T.relu().T + x.T.T, ml.ones(2, 3), passes=["layout", "simplify", "dce"]),
    "core": lambda: log_of(lambda x: ml.nn.functional.softmax(x, 0), ml.ones(3), passes=["decompose", "cse", "dce"]),
}


@pytest.mark.parametrize("name", LOGS)
def test_the_lines_after_every_pass_are_those_of_its_graph(name: str) -> None:
    log = LOGS[name]()
    scene = ml.widgets.Pipeline(log).scene
    panel = scene["panels"][0]
    assert alive(panel, 0) == lines(log[0].before)
    assert [stage["name"] for stage in panel["stages"]] == [step.name for step in log]
    for stage, step in zip(panel["stages"], log, strict=True):
        assert sorted(alive(panel, stage["at"])) == sorted(lines(step.after)), stage["name"]


@pytest.mark.parametrize("name", LOGS)
def test_counts_are_those_of_the_lines(name: str) -> None:
    log = LOGS[name]()
    for stage, step in zip(ml.widgets.Pipeline(log).scene["panels"][0]["stages"], log, strict=True):
        before, after = ({n.name: n for n in g.nodes if n.kind != "output"} for g in (step.before, step.after))
        assert stage["removed"] + stage["renamed"] == len(before.keys() - after.keys())
        assert stage["added"] + stage["renamed"] == len(after.keys() - before.keys())
        assert stage["after"]["ops"] == len(step.after.calls)


def test_the_worked_example_shares_a_product() -> None:
    say = [step["say"] for step in ml.widgets.Pipeline().scene["steps"]]
    assert say[1] == (
        "`simplify` removes 1 line and changes 1 line: x * 1, once. "
        "Iron law, op by op: overhead −1 kernel, data −8\u2009KiB, work −1,024 operations."
    )
    assert say[2] == "`conv_bn`, `layout`, `simplify` and `fold` find nothing to do."
    assert say[3].startswith("`cse` removes 2 lines and changes 1 line: repeated, twice.")
    assert say[-1].startswith("7 → 4 ops, 68\u2009KiB → 40\u2009KiB moved.")


def test_a_pass_of_the_readers_that_only_renames() -> None:
    def rename(graph: Graph) -> Graph:
        new = Graph(graph.name)
        twin: dict[Any, Any] = {n: new.placeholder(n.name, n.facts) for n in graph.placeholders}
        for n in graph.calls:
            assert n.op is not None
            twin[n] = new.call(n.op, tuple(twin.get(i, i) for i in n.inputs), n.params, n.facts)
            twin[n].name = f"my_{n.name}"
        new.output(twin[graph.returned])
        return new

    scene = ml.widgets.Pipeline(log_of(lambda x: x * 2, ml.ones(3), passes=[rename])).scene
    (stage,) = scene["panels"][0]["stages"]
    assert {k: stage[k] for k in ("removed", "added", "renamed")} == {"removed": 0, "added": 0, "renamed": 1}
    assert "renames 1 line" in scene["steps"][1]["say"]
    row = next(row for row in scene["panels"][0]["rows"] if "from" in row)
    assert row["from"] == "g1/mul"


def test_a_function_that_wants_gradients_shows_the_joint_graph() -> None:
    w = ml.ones(3, 3).requires_grad_()
    scene = ml.widgets.Pipeline(lambda x, w: (x @ w).tanh(), ml.ones(3, 3), w).scene
    first = [row["texts"][0]["text"] for row in scene["panels"][0]["rows"]]
    assert any("tangents_1" in text for text in first)
    assert "matmul: f32[3, 3] = matmul(x, w)" in first


def test_pass_and_line_and_source_are_linked() -> None:
    scene = ml.widgets.Pipeline().scene
    simplify = scene["panels"][0]["stages"][0]["id"]
    assert set(scene["links"][simplify]) == {"g1/mul", "g1/mul_1"}
    assert "l2" in scene["links"]["g1/mul"]


def test_the_passes_are_those_that_the_compiler_ran() -> None:
    f = ml.compile(gelu)
    for _ in range(2):
        f(ml.ones(4))
    steps, id, words = steps_of(f, ())
    assert (id, words["x"]) == ("g1", "x")
    region = getattr(f._compiled.space["graph_0"], "region", f._compiled.space["graph_0"])
    assert steps is region.values.steps


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3,), "Pipeline got a int."),
        (([],), "Pipeline found no passes."),
        ((ml.compile(gelu),), "Pipeline found no compiled graph"),
    ],
)
def test_what_cannot_be_shown_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        ml.widgets.Pipeline(*given)
    assert str(error.value).startswith(message)
    assert "Did you mean" in str(error.value)
