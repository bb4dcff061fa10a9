"""Compiled functions in a recording: captures, graphs, breaks, passes, cuts, kernels and their runs, all linked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim
from minitorch_lab.recording import compiler_events as ce
from minitorch_lab.recording import events as ev
from tests.compile.explain_samples import leaky, print_break, trained

FIRST = 17  # the line of `return` in `trained`


def twice(compiled: Any, *args: Any) -> ml.Recording:
    with ml.record() as rec:
        for _ in range(2):
            compiled(*args)
    return rec


def kinds(rec: ml.Recording) -> list[str]:
    """The compiler's events and the ops, passes left out."""
    shown = (*ce.COMPILER, ev.Op)
    return [type(e).__name__ for e in rec if isinstance(e, shown) and not isinstance(e, ce.Pass)]


def test_the_first_call_runs_op_by_op_and_the_second_as_kernels(capsys: pytest.CaptureFixture[str]) -> None:
    rec = twice(ml.compile(print_break), ml.ones(2))
    assert capsys.readouterr().out == "middle\n" * 2
    assert kinds(rec) == [
        *("Compiled", "Capture", "Op", "Op", "Op", "Region", "Region", "Break"),
        *("Kernel", "Op", "Launch", "Kernel", "Op", "Launch"),
    ]
    (compiled,), (capture,) = rec.each(ce.Compiled), rec.each(ce.Capture)
    assert (compiled.id, compiled.name, compiled.mode, compiled.backend, compiled.line) == (
        "f1", "print_break", "default", "numpy", "l4",
    )  # fmt: skip
    assert (capture.function, capture.number, capture.why) == ("f1", 1, "")
    (found,) = rec.each(ce.Break)
    assert found[1:] == ("b1", "f1", "print() writes to the screen", "l6", "g1", ("g2",))
    assert [r.id for r in rec.each(ce.Region)] == ["g1", "g2"]
    assert rec.each(ce.Region)[0].nodes == (
        ("mul", "mul: f32[2] = mul(x, 1)", "l5"),
        ("add", "add: f32[2] = add(mul, 1)", "l5"),
        ("output", "return (add,)", None),
    )
    assert [p[2:6] for p in rec.each(ce.Pass) if p.done] == [("values", "simplify", {"x * 1": 1}, (4, 3))]
    assert all((p.before == "") == (not p.done) for p in rec.each(ce.Pass))


def test_the_ops_of_a_capture_stand_on_the_reader_s_lines() -> None:
    rec = twice(ml.compile(print_break), ml.ones(2))
    ops = rec.each(ev.Op)
    assert [(o.op, o.line) for o in ops] == [
        ("mul", "l5"), ("add", "l5"), ("mul", "l7"), ("Compiled_graph_0", "l5"), ("Compiled_graph_1", "l7"),
    ]  # fmt: skip
    assert rec.names[ops[1].output].name == "y"  # the machine's variables have the names of the reader's


def test_lines_nodes_and_kernels_are_linked() -> None:
    x, w = ml.ones(2, 3), ml.ones(3, 3, requires_grad=True)
    compiled = ml.compile(trained)
    compiled(x, w)
    with ml.record() as rec:
        compiled(x, w).backward()
    kernels = {k.id: k for k in rec.each(ce.Kernel)}
    ran = {launch.by: kernels[launch.kernel] for launch in rec.each(ce.Launch)}
    (op,), (step, _) = rec.each(ev.Op), rec.each(ev.Step)
    assert [(by, k.stage, k.backend, k.region) for by, k in ran.items()] == [
        (op.id, "forward", "numpy", "g1"),
        (step.node, "backward", "numpy", "g1"),
    ]
    (region,) = rec.each(ce.Region)
    lines = {line for _, _, line in region.nodes if line}
    assert lines == {f"l{FIRST}"} == {op.line}
    assert {(node, line) for _, node, line in ran[op.id].rows if line} >= {("matmul", op.line), ("sum", op.line)}
    assert {line for _, node, line in ran[step.node].rows if node} == lines
    assert [row for source in rec.each(ev.Source) for row in source.rows if row[0] == op.line] == [
        (op.line, FIRST, "    return (x @ w * 1).relu().sum()")
    ]
    (cut,) = rec.each(ce.Partition)
    assert cut.nbytes == cut.default == sum(nbytes for _, nbytes in cut.saved)


def test_a_guard_that_failed_says_why() -> None:
    compiled, x = ml.compile(lambda x: x * 2), ml.ones(3)
    compiled(ml.ones(2))
    with ml.record() as rec:
        compiled(x)
        compiled(x)
    (capture,) = rec.each(ce.Capture)
    assert (capture.number, capture.why) == (2, "x: shape (2,), now (3,)")
    assert kinds(rec) == ["Compiled", "Region", "Capture", "Op", "Region", "Kernel", "Op", "Launch"]


def test_a_region_without_gradients_is_a_node_too() -> None:
    compiled, x = ml.compile(leaky), ml.tensor([-2.0])
    compiled(x)
    with ml.record() as rec:
        y = compiled(x)
    assert y.tolist() == pytest.approx([-0.2])
    assert [(o.op, o.node, o.line) for o in rec.each(ev.Op)] == [
        ("Compiled_graph_0", None, "l11"), ("Compiled_graph_1", None, "l13"),
    ]  # fmt: skip
    assert [k.stage for k in rec.each(ce.Kernel)] == ["values", "values"]


def test_a_recorded_call_gives_what_an_unrecorded_one_gives() -> None:
    def make() -> tuple[Any, Any]:
        ml.manual_seed(0)
        net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
        opt = optim.SGD(net.parameters(), lr=0.1, momentum=0.9)

        def step(x: Any) -> Any:
            opt.zero_grad()
            loss = net(x).square().sum()
            loss.backward()
            opt.step()
            return loss

        return net, ml.compile(step)

    (net, step), (twin, other) = make(), make()
    x = ml.randn(2, 3)
    for _ in range(3):
        with ml.record() as rec:
            seen = step(x)
        assert seen.item() == other(x).item()
        assert rec.complete
    for p, q in zip(net.parameters(), twin.parameters(), strict=True):
        assert p.tolist() == q.tolist()
    assert [launch.by for launch in rec.each(ce.Launch)] == [
        op.id for op in rec.each(ev.Op) if op.op[:9] == "Compiled_"
    ]
    assert rec.each(ce.Launch)


@pytest.mark.parametrize("grad", [True, False])
def test_sizes_that_are_left_open_are_one_region(grad: bool, tmp_path: Path) -> None:
    w, xs = ml.ones(2, 2, requires_grad=grad), [ml.ones(n, 2) for n in (2, 3, 4)]
    compiled = ml.compile(lambda x: (x @ w).relu().sum(), dynamic=True)
    compiled(xs[0])
    with ml.record() as rec:
        got = [compiled(x).item() for x in xs]
    assert got == [x.shape[0] * 4.0 for x in xs]
    assert len(rec.each(ce.Launch)) == 3
    assert len(rec.each(ce.Region)) == 1
    assert len({launch.kernel for launch in rec.each(ce.Launch)}) == 1
    assert [k.stage for k in rec.each(ce.Kernel)] == (["forward", "backward"] if grad else ["values"])
    rec.save(tmp_path / "rec.json")
    assert ml.Recording.load(tmp_path / "rec.json").events == rec.events


def test_the_same_run_has_the_same_id_and_survives_a_file(tmp_path: Path) -> None:
    x, w = ml.ones(2, 3), ml.ones(3, 3, requires_grad=True)
    one, two = (twice(ml.compile(trained), x, w) for _ in range(2))
    assert one.id == two.id
    one.save(tmp_path / "one.json")
    assert ml.Recording.load(tmp_path / "one.json").events == one.events


def test_after_a_recording_nobody_is_told() -> None:
    compiled, x = ml.compile(leaky), ml.tensor([-1.0])
    rec = twice(compiled, x)
    count = len(rec)
    compiled(ml.tensor([1.0, 2.0]))
    assert len(rec) == count
    with ml.record() as rec, ml.autograd.detect_anomaly():
        compiled(x)  # another tape is above: the function runs uncompiled
    assert {o.op for o in rec.each(ev.Op)} == {"sum", "gt", "mul"}


def test_what_is_fused_is_told_with_its_lines(tmp_path: Path) -> None:
    x, w = ml.ones(2, 3), ml.ones(3, 3)
    compiled = ml.compile(trained, backend="llvm")
    compiled(x, w)
    with ml.record() as rec:
        compiled(x, w)
    (kernel,), groups = rec.each(ce.Kernel), rec.each(ce.Group)
    assert [(g.id, g.kernel, g.nodes, g.nbytes, g.flops) for g in groups] == [
        (f"{kernel.id}/matmul_0", kernel.id, ("matmul", "relu"), 84, 42),
        (f"{kernel.id}/rows_1", kernel.id, ("sum",), 44, 5),
    ]
    assert groups[0].reasons == ("epilogue of the tile: matmul f32[2, 3] → relu stays in registers, 2 × 24 bytes less",)
    assert [(text.strip(), node, line) for text, node, line in groups[0].rows if node] == [
        ("matmul += x[k + 3*m] * w[3*k + n] for k in 3", "matmul", f"l{FIRST}"),
        ("relu_t[3*m + n] = relu(matmul)", "relu", f"l{FIRST}"),
    ]
    rec.save(tmp_path / "rec.json")
    assert ml.Recording.load(tmp_path / "rec.json").each(ce.Group) == groups
