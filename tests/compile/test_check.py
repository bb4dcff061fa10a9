"""`check=True`: one call leaves the world as one call does, and planted faults are found, with the op and the line."""

from __future__ import annotations

import random
from collections import OrderedDict, deque
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.autodiff import walked
from minitorch_lab.compiler.runtime.checking.regions import of_nodes, renamed
from minitorch_lab.compiler.runtime.checking.world import Memory
from minitorch_lab.errors import ArgumentError, MismatchError
from minitorch_lab.ops.op import OPS
from tests.compile.captured.observe import PROGRAMS, observe

count = 0
LOG: list[float] = []


class Shared:
    calls = 0
    seen: ClassVar[list[int]] = []


def wrong_op(name: str, other: str) -> Any:
    """A pass that takes one op for another."""

    def confuse(graph: Any) -> Any:
        swap: dict[Any, Any] = {}
        for n in graph.nodes[:-1]:
            op = OPS[other] if n.op is OPS[name] else n.op
            swap[n] = replace(n, inputs=renamed(n.inputs, swap), op=op)
        return of_nodes(graph, [*swap.values()], renamed(graph.returned, swap))

    return confuse


@pytest.fixture
def vanishing_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fault of part 7, A1: a number in a sum passes for a tangent that vanishes."""

    def sole_term(node: Any, zero: Any) -> Any:
        if node.op not in (walked.ADD, walked.SUB):
            return None
        terms = [i for i in node.feeds if i not in zero]
        fits = len(terms) == 1 and (terms[0].shape, terms[0].dtype) == (node.shape, node.dtype)
        return terms[0] if fits else None

    monkeypatch.setattr(walked, "sole_term", sole_term)


def long(x: Any, w: Any, s: Any) -> Any:
    h = x
    for _ in range(4):
        h = ml.relu(h @ w + s) * 0.5 + ml.cos(h)
    h = ml.sin(h).reshape(-1)  # the line of the fault
    h = h[None] * 2 + ml.exp(-h[:, None])
    return h.mean(), h.sum(0)


def several(x: Any, w: Any) -> Any:
    u = ml.relu(x @ w) * 3
    v = ml.tanh(u - u.mean(-1, keepdim=True))  # the line of the fault
    return (ml.softmax(v, dim=-1) * u).sum(), v


def failing(f: Any, *args: Any) -> MismatchError:
    """The error of one of three calls."""
    for _ in range(3):
        try:
            f(*args)
        except MismatchError as error:
            return error
    raise AssertionError("compiled is eager")


# ---- nothing wrong --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_checked_step_is_done_once(backend: str) -> None:
    def losses(wrap: Any) -> list[Any]:
        global count
        ml.manual_seed(0)
        random.seed(0)
        count, Shared.calls = 0, 0
        LOG.clear()
        Shared.seen.clear()
        model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Dropout(0.5), nn.BatchNorm1d(4), nn.Linear(4, 1))
        optimizer, queue, named = ml.optim.Adam(model.parameters(), lr=0.1), deque([0], 3), OrderedDict(b=1, a=2)

        def step(x: Any, kept: dict[str, Any]) -> Any:
            global count
            count += 1
            optimizer.zero_grad()
            loss = (model(x) ** 2).mean()
            loss.backward()
            optimizer.step()
            LOG.append(loss.item())
            queue.append(count)
            named.move_to_end("b")
            Shared.calls += 1
            Shared.seen.append(count)
            kept["last"] = loss.detach() * random.random()
            return loss

        run, kept = wrap(step), dict[str, Any]()
        found = [run(ml.randn(5, 3), kept).item() for _ in range(3)]
        state = {k: v.tolist() for k, v in model.state_dict().items()}
        return [found, state, count, [*LOG], [*queue], [*named], Shared.calls, [*Shared.seen], kept["last"].item(),
                ml.get_rng_state(), random.random()]  # fmt: skip

    checked = losses(lambda f: ml.compile(f, check=True, backend=backend))
    unchecked = losses(lambda f: ml.compile(f, backend=backend))
    assert checked == unchecked
    for a, b in zip(checked[0], losses(lambda f: f)[0], strict=True):
        assert a == pytest.approx(b, rel=1e-5)


def test_what_is_printed_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    def f(x: Any) -> Any:
        print("here")
        return x * 2

    checked = ml.compile(f, check=2)
    for _ in range(3):
        checked(ml.ones(2))
    assert capsys.readouterr().out == "here\n" * 3


def test_errors_come_as_they_are_and_what_was_done_before_stays() -> None:
    def f(x: Any, xs: list[Any]) -> Any:
        xs.append(1)
        return x.reshape(5)

    checked, xs = ml.compile(f, check=True), list[int]()
    for n in (1, 2, 3):
        with pytest.raises(ml.errors.ShapeError, match="reshape"):
            checked(ml.ones(2), xs)
        assert xs == [1] * n


def test_histories_stay_walkable_and_writes_are_noticed_once() -> None:
    x = ml.ones(3, requires_grad=True)
    outer = (x * 2).exp()
    f = ml.compile(lambda y, buffer: (y * 3, buffer.add_(1)), check=True)
    buffer = ml.zeros(2)
    for n in (1, 2, 3):
        out, _ = f(outer, buffer)
        assert (buffer.tolist(), buffer._version) == ([n, n], n)
    out.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 6 * np.exp(2.0) * np.ones(3), rtol=1e-5)


def test_the_first_calls_only_and_modules_and_sizes_left_open() -> None:
    model = ml.compile(nn.Linear(2, 2), check=2, dynamic=True)
    for n in (3, 4, 5):
        model(ml.ones(n, 2)).sum().backward()
    assert model._compiled.beside.calls == 2
    assert isinstance(model, nn.Linear)


def test_what_can_be_gone_through_once_is_not_checked() -> None:
    f = ml.compile(lambda it, x: x * next(it), check=True)
    with pytest.warns(UserWarning, match="is not checked: it can reach a list_iterator"):
        assert f(iter([2.0, 3.0]), ml.ones(1)).tolist() == [2.0]


def test_the_world_is_put_back() -> None:
    xs, d, x = [1, [2]], {"a": 1}, ml.ones(3)
    view = x[1:]
    memory = Memory(xs, d, x, view)
    xs[1].append(3)
    xs.append(4)
    d["b"], d["a"] = 2, 0
    view.mul_(5)
    memory.put_back()
    assert (xs, d, x.tolist(), view.tolist(), x._version) == ([1, [2]], {"a": 1}, [1.0] * 3, [1.0] * 2, 0)


@pytest.mark.parametrize("name", list(PROGRAMS)[::4])
def test_programs_of_all_kinds_let_see_the_same(name: str) -> None:
    def checked(f: Any = None, **settings: Any) -> Any:
        return ml.compile(f, **{**settings, "check": True})

    def eager(f: Any = None, **_: Any) -> Any:
        return (lambda g: g) if f is None else f

    assert observe(name, checked) == observe(name, eager)


# ---- planted faults -------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_wrong_value_is_found_with_its_op_and_line(backend: str) -> None:
    passes = {"passes": [wrong_op("sin", "cos")]}
    error = failing(ml.compile(long, check=True, backend=backend, options=passes), *given(long))
    assert (error.kind, error.node.op.name, error.call) == ("result", "sin", 2)
    assert "h = ml.sin(h).reshape(-1)  # the line of the fault" in str(error)
    assert str(error).startswith("long, compiled, differs from eager in its checked call 2: the result[0] is ")


@pytest.mark.usefixtures("vanishing_numbers")
def test_a_wrong_gradient_of_one_of_two_results_is_found() -> None:
    error = failing(ml.compile(several, check=True), *given(several))
    assert (error.kind, error.node.op.name) == ("gradient", "tanh")
    assert "v = ml.tanh(u - u.mean(-1, keepdim=True))  # the line of the fault" in str(error)


def test_a_lost_effect_is_found() -> None:
    class Box:
        n = 0

    box = Box()

    def f(x: Any) -> Any:
        box.n += 1
        return x * 2

    checked = ml.compile(f, check=True)
    checked(ml.ones(2))
    checked(ml.ones(2))
    checked._compiled.runs(lambda x: x * 2)  # a program that forgets the box
    error = failing(checked, ml.ones(2))
    assert (error.kind, error.graph) == ("effect", None)
    assert "box.n is " in str(error)


def test_an_error_of_a_kernel_is_found() -> None:
    def broken(graph: Any) -> Any:
        if any(n.op is OPS["exp"] for n in graph.nodes):
            raise ZeroDivisionError("no exp here")
        return graph

    options = {"passes": [broken]}
    error = failing(ml.compile(long, check=True, options=options), *given(long))
    assert (error.kind, error.node.op.name) == ("error", "exp")
    found = ml.compile.minify(long, *given(long), options=options)
    assert "ml.exp(" in found.source


# ---- shrunk ---------------------------------------------------------------------------------------------------------
def given(f: Any) -> tuple[Any, ...]:
    ml.manual_seed(0)
    if f is several:
        return ml.randn(3, 4, requires_grad=True), ml.randn(4, 5, requires_grad=True)
    return ml.randn(4, 6), ml.randn(6, 6, requires_grad=True), ml.randn(6)


def body(source: str) -> list[str]:
    """The lines of the function."""
    return source[source.index("def f") :].splitlines()[1:]


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_wrong_value_is_one_line_that_still_fails(backend: str) -> None:
    options = {"passes": [wrong_op("sin", "cos")]}
    found = ml.compile.minify(long, *given(long), backend=backend, options=options)
    assert found.source == "import minitorch_lab as ml\n\ndef f(a):\n    v1 = ml.sin(a)\n    return v1"
    assert [x.tolist() for x in found.args] in ([[1.0]], [[[1.0]]])
    with pytest.raises(MismatchError, match="sin"):
        found.call()
    space: dict[str, Any] = {}
    exec(found.source, space)
    failing(ml.compile(space["f"], check=True, backend=backend, options=options), *found.args)
    assert repr(found).startswith(found.source)


@pytest.mark.usefixtures("vanishing_numbers")
def test_a_wrong_gradient_is_a_few_lines_with_the_op(monkeypatch: pytest.MonkeyPatch) -> None:
    found = ml.compile.minify(several, *given(several))
    lines = body(found.source)
    assert len(lines) <= 5
    assert any("ml.tanh(" in line for line in lines)
    with pytest.raises(MismatchError, match="gradient"):
        found.call()
    monkeypatch.undo()
    found.call()  # with the fault mended it is right


def test_what_is_right_is_not_shrunk() -> None:
    with pytest.raises(ArgumentError) as told:
        ml.compile.minify(lambda x: x * 2, ml.ones(2))
    assert "which does compiled what it does eagerly" in str(told.value)
