"""What mini records: the views of the laboratory draw it, and what they say is what mini computed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import mini
from minitorch_lab.mini import ops
from minitorch_lab.mini.errors import MiniError
from minitorch_lab.mini.tape import Tape, tape
from minitorch_lab.recording import compiler_events as compiled
from minitorch_lab.recording import events as ev
from minitorch_lab.recording.recording import Recording

X = np.array([[1.0, 2.0], [3.0, 4.0]], np.float32)
VIEWS = ("Tape", "Backward", "Memory", "Timeline")
PROGRAMS: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "mul": lambda x, y: x * y,
    "div": lambda x, y: x / y,
    "neg": lambda x, _: -x,
    "exp": lambda x, _: x.exp(),
    "log": lambda x, _: x.log(),
    "tanh": lambda x, _: x.tanh(),
    "sin": lambda x, _: x.sin(),
    "power": lambda x, _: x**3,
    "greater": lambda x, y: x * (x > y),
    "detach": lambda x, _: x * x.detach(),
    "relu": lambda x, _: (x - 2.5).relu(),
    "maximum": lambda x, y: ops.maximum(x, y),
    "sum": lambda x, _: x.sum(axis=0),
    "max": lambda x, _: x.max(axis=1),
    "reshape": lambda x, _: x.reshape(4),
    "expand": lambda x, _: x.reshape(2, 2, 1).expand(2, 2, 3),
    "permute": lambda x, _: x.T,
    "crop": lambda x, _: x[0:1, 1:],
    "pad": lambda x, _: ops.pad(x, widths=((1, 1), (0, 0))),
    "matmul": lambda x, y: x @ y,
    "take": lambda x, _: x[[0, 0, 1]],
    "stretched": lambda x, y: x + y[0] * 2.0,
    "square of itself": lambda x, _: (x @ x).tanh() * x,
}


def recorded(f: Callable[[Any, Any], Any]) -> tuple[Recording, Any]:
    """A recording of the gradient of the sum of `f`, and the leaf."""
    x, y = (mini.tensor(a, requires_grad=True) for a in (X, X[::-1].copy()))
    with mini.record() as rec:
        f(x, y).sum().backward()
    return rec, x


def test_every_op_with_a_derivative_is_tried() -> None:
    assert {name for name, op in ops.OPS.items() if op.vjp} - {"put"} <= set(PROGRAMS)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_views_draw_every_op(name: str) -> None:
    rec, _ = recorded(PROGRAMS[name])
    for view in VIEWS:
        assert len(getattr(ml.widgets, view)(rec).transcript()) > 2


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_walk_that_is_told_gives_the_differences(name: str) -> None:
    rec, x = recorded(PROGRAMS[name])
    told = next(e for e in rec.each(ev.Accumulate) if e.new.shape == X.shape).new
    found = np.array(told.data, np.float64).reshape(X.shape)
    assert x.grad.numpy().ravel().tolist() == [*found.ravel()]
    if name == "detach":
        return  # half of the product counts as given, which no difference can tell
    y = X[::-1].astype(np.float64)
    for at in np.ndindex(X.shape):
        step = np.zeros(X.shape)
        step[at] = 1e-6
        ends = [float(PROGRAMS[name](mini.tensor(X + s), mini.tensor(y)).sum()) for s in (step, -step)]
        assert found[at] == pytest.approx((ends[0] - ends[1]) / 2e-6, rel=1e-4, abs=1e-4)


def test_a_value_that_two_edges_lead_to_under_a_root_that_is_divided() -> None:
    """Such a walk is drawn in the wrong order as well, for which its rules run again: from the seed as it was."""
    x = mini.tensor(X, requires_grad=True)
    with mini.record() as rec:
        error = x - 1.0
        (error * error).mean().backward()
    assert rec.each(ev.Begin)[0].seed.dtype == "float32"
    assert ml.widgets.Backward(rec).transcript()[-1].endswith("`x.grad` is [[0, 0.5], [1, 1.5]].")


def test_a_network_from_the_outside(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    first, last = mini.nn.Linear(4, 8, rng), mini.nn.Linear(8, 2, rng)
    x = mini.tensor(rng.normal(size=(5, 4)).astype(np.float32))
    with mini.record() as rec:
        loss = (last(first(x).tanh()) ** 2).mean()
        loss.backward()
    rec.save(tmp_path / "net.rec.gz")
    again = Recording.load(tmp_path / "net.rec.gz")
    assert [again.names[e.id].name for e in again.each(ev.Tensor) if e.id in again.names][:1] == ["x"]
    for view in VIEWS:
        assert getattr(ml.widgets, view)(again).transcript() == getattr(ml.widgets, view)(rec).transcript()
    parameters = sum(e.nbytes for e in rec.each(ev.Birth) if e.category == "parameter")
    assert parameters == 4 * (4 * 8 + 8 + 8 * 2 + 2)
    alive = {e.id for e in rec.each(ev.Birth)} - {e.id for e in rec.each(ev.Death)}
    assert {e.id for e in rec.each(ev.Birth) if e.category == "parameter"} <= alive


def test_a_walk_that_is_differentiated_in_turn() -> None:
    x = mini.tensor([1.0, 2.0], requires_grad=True)
    with mini.record() as rec:
        (x * x * x).sum().backward(create_graph=True)
        slope, x.grad = x.grad, None
        (slope * slope).sum().backward()
    assert x.grad.numpy().tolist() == [36.0, 288.0]  # (3 x²)² has the derivative 36 x³
    assert len(rec.each(ev.Begin)) == 2
    assert ml.widgets.Backward(rec).transcript()[-1].endswith("`x.grad` is [36, 288].")


def test_what_stops_a_walk_is_told() -> None:
    x = mini.tensor([1.0, 2.0], requires_grad=True)
    with mini.record() as rec:
        y = (x * x).sum()
        y.backward()
        with pytest.raises(MiniError):
            y.backward()
    assert [e.error is None for e in rec.each(ev.End)] == [True, False]
    assert "refuses" in ml.widgets.Backward(rec).transcript()[-1]


def test_afterwards_the_tape_is_the_plain_one_again() -> None:
    with pytest.raises(ZeroDivisionError), mini.record() as rec:
        raise ZeroDivisionError
    assert type(tape) is Tape
    assert "Walk" not in vars(tape)
    (mini.tensor([1.0], requires_grad=True) * 2.0).sum().backward()
    assert rec.complete
    assert len(rec) == 0


def test_one_recording_at_a_time() -> None:
    with mini.record() as rec:
        with pytest.raises(MiniError, match="One recording is made at a time"), mini.record():
            pass
        mini.tensor([1.0]) + 1.0
    assert [e.op for e in rec.each(ev.Op)] == ["add"]


# ---- compiled functions ----------------------------------------------------------------------------------------------
def compiled_loss() -> tuple[Recording, Any, tuple[Any, ...]]:
    """A recording of two calls of a compiled loss and their walks, the compiled function, and what it was given."""
    rng = np.random.default_rng(0)
    x = mini.tensor(rng.normal(size=(64, 3)), dtype="float32")
    w, v = (mini.tensor(rng.normal(size=s), requires_grad=True, dtype="float32") for s in ((3, 5), (5, 2)))

    def loss(w: Any, v: Any) -> Any:
        error = (x @ w + 0.1).tanh() @ v - 1.0
        return (error * error).sum(-1).mean()

    fast = mini.compile(loss)
    with mini.record() as rec:
        for _ in range(2):
            fast(w, v).backward()
    return rec, fast, (loss, w, v)


def test_a_compiled_function_is_one_op_whose_gradient_is_that_of_the_function() -> None:
    rec, _, (loss, *parameters) = compiled_loss()
    assert [op.op for op in rec.each(ev.Op)] == ["Compiled_region"] * 2
    told = rec.each(ev.Accumulate)
    for parameter, wanted in zip(parameters, mini.grad(loss, (0, 1))(*parameters), strict=True):
        shown = next(one.new for one in told if one.new.shape == wanted.shape)
        np.testing.assert_allclose(np.reshape(shown.data or (), wanted.shape), wanted.numpy(), rtol=1e-5)
        np.testing.assert_allclose(parameter.grad.numpy(), 2 * wanted.numpy(), rtol=1e-5)
    kept = [save for save in rec.each(ev.Save) if save.node == rec.each(ev.Op)[0].node]
    assert [save.name for save in kept] == ["ctx"] * 5
    assert [save.fact for save in kept if save.tensor is None] == [
        "a tensor of shape (64, 5)",
        "a tensor of shape (64, 2)",
    ]


def test_the_kernels_and_the_arena_of_a_recording_are_those_of_the_programs() -> None:
    rec, fast, _ = compiled_loss()
    (region,) = fast.regions.values()
    (programs,) = region.pairs.values()
    kernels, arenas, groups = rec.each(compiled.Kernel), rec.each(compiled.Arena), rec.each(compiled.Group)
    assert [kernel.stage for kernel in kernels] == ["forward", "backward"]  # told once, though both ran twice
    assert [launch.kernel for launch in rec.each(compiled.Launch)] == ["e1", "e2", "e1", "e2"]
    for kernel, arena, program in zip(kernels, arenas, programs, strict=True):
        assert "\n".join(text for text, _, _ in kernel.rows) == program.text
        mine = [group for group in groups if group.kernel == kernel.id]
        computed = [n.name for _, _, group in program.steps for n in group.nodes]
        assert [name for group in mine for name in group.nodes] == computed
        assert [name for name, _ in arena.steps] == [group.id.partition("/")[2] for group in mine]
        assert (arena.nbytes, arena.bound) == (program.arena_bytes, program.bound)
        ends = [offset + nbytes for _, nbytes, offset, *_ in arena.lives]
        assert max(ends) == arena.nbytes
        for k, one in enumerate(arena.lives):
            for other in arena.lives[:k]:
                together = one[3] <= other[4] and other[3] <= one[4]
                apart = one[2] + one[1] <= other[2] or other[2] + other[1] <= one[2]
                assert apart or not together, "two that are alive at once lie in the same bytes"


def test_what_shares_a_loop_says_why_and_what_it_moves() -> None:
    rec, _, _ = compiled_loss()
    group = next(one for one in rec.each(compiled.Group) if one.nodes[-1].startswith("tanh"))
    assert group.reasons == ("the same loop: add_1 → tanh_2 stays in a register",)
    assert group.nbytes == 2 * 64 * 5 * 4  # the product is read and the tanh written; the number 0.1 stands in the code
    assert group.flops == 2 * 64 * 5
    product = rec.each(compiled.Group)[0]
    assert product.flops == 2 * 64 * 3 * 5
    assert "numpy.matmul" in product.rows[0][0]


def test_all_views_draw_a_compiled_function(tmp_path: Path) -> None:
    rec, _, _ = compiled_loss()
    rec.save(tmp_path / "net.rec.gz")
    again = Recording.load(tmp_path / "net.rec.gz")
    told = {view: getattr(ml.widgets, view)(rec).transcript() for view in (*VIEWS, "Fusion", "Arena")}
    assert told == {view: getattr(ml.widgets, view)(again).transcript() for view in told}
    assert any("`add_1` and `tanh_2` are one launch (the same loop)" in line for line in told["Fusion"])
    assert "one arena serves all" not in told["Arena"][-1]  # each program of mini has its own
    assert any("What they kept is freed" in line for line in told["Tape"])


def test_without_a_gradient_the_program_of_values_runs() -> None:
    double = mini.compile(lambda x: (x * 2.0).exp(), target="numpy")
    with mini.record() as rec, mini.no_grad():
        double(mini.tensor(X))
    (kernel,) = rec.each(compiled.Kernel)
    assert (kernel.stage, kernel.backend) == ("values", "mini numpy")
    assert rec.each(compiled.Launch)[0].by == rec.each(ev.Op)[0].id
    assert "op by op" in "".join(ml.widgets.Fusion(rec).transcript())
