"""Captured and compiled functions in a recording: a graph op by op, a region as one node, no capturing."""

from __future__ import annotations

import pytest

from minitorch_lab.recording import events as ev
from minitorch_lab.widgets import Backward, Tape
from tests.widgets.runs import run

F = """\
def f(x):
    return (x * 2).sin() + x
x = ml.tensor(3.0, requires_grad=True)
"""
REGION = """\
from minitorch_lab.compiler.targets.backends import backend_of
from minitorch_lab.compiler.runtime.region import Region
region = Region(ml.jit.trace(f, ml.tensor(1.0)).graph, backend_of("numpy"))
"""
RUN = """\
with record() as rec:
    y = {call}
    y.backward()
"""
GRAPHS = {
    "jit, captured inside": RUN.replace("{call}", "ml.jit(f)(x)"),
    "jit, captured before": "g = ml.jit(f)\ng(x)\n" + RUN.replace("{call}", "g(x)"),
    "trace": "g = ml.jit.trace(f, ml.tensor(1.0))\n" + RUN.replace("{call}", "g(x)"),
}

COMPILED = {
    "inside": RUN.replace("{call}", "ml.compile(f)(x)"),
    "before": "g = ml.compile(f)\ng(x)\ng(x.detach())\n" + RUN.replace("{call}", "g(x)"),
}


def told(text: str, view: type[Tape] | type[Backward]) -> list[str]:
    return [line.partition(". ")[2] for line in view(run(F + text)).transcript()]


@pytest.mark.parametrize("how", GRAPHS)
def test_a_graph_shows_its_ops(how: str) -> None:
    assert told(GRAPHS[how], Tape)[2:] == [
        "`mul` makes x × 2 = 3 × 2 = 6 and keeps 2: it is the derivative by the other input.",
        "`sin` makes sin(x × 2) = sin(6) = −0.2794 and keeps its input: "
        "the derivative of sin is cos of the same input.",
        "`add` makes y = −0.2794 + 3 = 2.721 and keeps nothing: its derivative is 1, whatever came in.",
        "`add` is read: it kept nothing.",
        "`sin` is read: its rule uses x × 2, which it kept. Its pin drops.",
        "`mul` is read: its rule uses 2, which it kept. Its pin drops.",
        "`y.backward()` ran the nodes in reverse order: `add`, `sin`, `mul`. "
        "What they kept is freed; `x.grad` is 2.92.",
    ]
    assert "`x` now holds 1 + 1.92 = 2.92: the second arrival is added." in told(GRAPHS[how], Backward)


@pytest.mark.parametrize("when", COMPILED)
def test_a_function_compiled_from_its_bytecode(when: str) -> None:
    for view in (Tape, Backward):
        steps = told(COMPILED[when], view)
        assert "x.grad` is 2.92" in steps[-1]
        assert not [line for line in steps if "t1" in line or "x0" in line], "names of generated code"


def test_a_graph_of_a_gradient_is_recorded_as_what_it_computes() -> None:
    names = [op.op for op in run(F + "with record() as rec:\n    ml.jit(ml.func.grad(f))(x.detach())\n").each(ev.Op)]
    assert names == ["detach", "mul", "sin", "add", "full", "cos", "mul", "mul", "add"]


@pytest.mark.parametrize("before", ["", "region(x).backward()\nx.grad = None\n"])
def test_a_region_is_one_node(before: str) -> None:
    steps = told(REGION + before + RUN.replace("{call}", "region(x) * 2"), Backward)
    assert steps[2].startswith("`Compiled_f` makes ")
    assert steps[-2:] == [
        "`Compiled_f` sends 5.841 to `x`: so says its backward kernel. The tray fills.",
        "backward() is over: `x.grad` is 5.841. Move x by a little, and y moves 5.841 times as much.",
    ]


def test_a_region_with_several_results() -> None:
    text = REGION.replace("trace(f,", "trace(lambda x: ((x * 2).sin(), x.exp()),")
    steps = told(text + RUN.replace("y = {call}", "a, b = region(x)\n    y = a * b"), Tape)
    assert "`[0]` of both results is a: −0.2794." in steps
    assert steps[-1].endswith("What they kept is freed; `x.grad` is 32.96.")


def test_a_region_without_gradients_only_gives_its_result() -> None:
    steps = told(REGION + "with record() as rec:\n    y = region(x.detach())\n    z = y * 2\n", Tape)
    assert "`mul` makes z = 2.721 × 2 = 5.441. The tape records nothing: no input wants a gradient." in steps
