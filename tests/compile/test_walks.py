"""`backward()` inside a compiled function, and backward walks through what compiled functions return."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim
from minitorch_lab.errors import GradientError, ShapeError
from tests.compile.fuzz import agree


def both(f: Any, calls: Any) -> Any:
    """What `calls` sees of `f`, compiled and eager."""
    return calls(ml.compile(f)), calls(f)


def message(f: Any) -> str:
    with pytest.raises(GradientError) as caught:
        f()
    return str(caught.value)


# ---- a training step is one graph -----------------------------------------------------------------------------------
def trainer(compile: Any, make: Any = lambda ps: optim.SGD(ps, lr=0.1)) -> Any:
    ml.manual_seed(0)
    model = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 2))
    optimizer = make(model.parameters())

    @compile
    def step(x, y):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        return loss

    batch = ml.randn(5, 3), ml.tensor([0, 1, 1, 0, 1])
    return step, model, [step(*batch) for _ in range(4)]


def test_a_training_step_is_one_graph_with_its_backward_and_its_update() -> None:
    step, _, _ = trainer(lambda f: ml.compile(f, fullgraph=True))
    assert step.breaks == []
    names = [n.name for n in step.graphs[-1].calls]
    assert names[:4] == ["linear", "relu", "linear_1", "cross_entropy"]
    assert [n for n in names if n.startswith("matmul")] == ["matmul", "matmul_1", "matmul_2"]
    assert names[-2:] == ["mul_5", "sub__3"]


def test_the_guards_of_a_training_step_fit_on_a_screen() -> None:
    step, _, _ = trainer(ml.compile)
    lines = step.text.splitlines()
    first = lines[: next(i for i, line in enumerate(lines) if "return miss(" in line) + 1]
    assert len(first) < 50
    assert max(map(len, lines)) <= 130


def test_a_tuple_that_is_asked_for_as_a_whole_is_not_asked_for_its_entries() -> None:
    class Layer:
        ways = ("double", "add", 3)

    layer = Layer()

    @ml.compile
    def f(x: ml.Tensor) -> ml.Tensor:
        first, _, count = layer.ways
        return x * count if "double" in layer.ways and first == layer.ways[0] else x

    for _ in range(3):
        assert f(ml.ones(2)).tolist() == [3.0, 3.0]
    assert f.text.count("'double'") == 1
    assert "len(" not in f.text
    layer.ways = ("add", "double", 4)
    assert [f(ml.ones(2)).tolist() for _ in range(2)] == [[4.0, 4.0]] * 2


@pytest.mark.parametrize("name", ["SGD", "Adam", "AdamW"])
def test_what_a_step_leaves_behind_is_what_eager_leaves(name: str) -> None:
    seen = []
    for compile in (ml.compile, lambda f: f):
        _, model, losses = trainer(compile, lambda ps: getattr(optim, name)(ps, lr=0.1))
        seen.append([[x.tolist() for x in losses], [(p.tolist(), p.grad.tolist()) for p in model.parameters()]])
        seen[-1].append([(x.requires_grad, str(x.grad_fn)) for x in losses])
    assert seen[0] == seen[1]


def test_a_loss_that_was_walked_inside_cannot_be_walked_again() -> None:
    _, _, losses = trainer(ml.compile)
    _, _, eager = trainer(lambda f: f)
    assert message(losses[-1].backward) == message(eager[-1].backward)


def test_what_depends_on_a_walked_value_of_any_shape_cannot_be_walked_either() -> None:
    def calls(f: Any) -> str:
        w = ml.tensor([1.0, 2.0], requires_grad=True)
        for _ in range(2):
            y = f(w)
        return message((y * 2).sum().backward)

    def f(w):
        y = w * w
        y.sum().backward()
        return y

    ours, theirs = both(f, calls)
    assert ours == theirs


def test_gradients_add_up_and_walks_follow_each_other() -> None:
    def calls(f: Any) -> Any:
        w = ml.tensor([1.0, 2.0], requires_grad=True)
        return [(f(w).item(), w.grad.tolist()) for _ in range(4)]

    def f(w):
        a = (w * w).sum()
        a.backward()
        b = w.exp().sum()
        b.backward(retain_graph=True)
        b.backward()
        return a.detach() + b.detach()

    ours, theirs = both(f, calls)
    assert ours == theirs


def test_a_hook_that_comes_later_is_run() -> None:
    def calls(f: Any) -> Any:
        w, seen = ml.tensor([1.0, 2.0], requires_grad=True), []
        for i in range(4):
            if i == 2:
                w.register_hook(lambda g: (seen.append(g.tolist()), g * 10)[1])
            w.grad = None
            f(w)
            seen.append(w.grad.tolist())
        return seen

    def f(w):
        (w * w).sum().backward()

    ours, theirs = both(f, calls)
    assert ours == theirs
    assert [20.0, 40.0] in ours


def test_a_walk_that_leaves_the_graph_runs_between_two() -> None:
    w = ml.tensor([1.0, 2.0], requires_grad=True)

    def f(x):
        x.sum().backward()
        return x.detach() * 2

    compiled = ml.compile(f)
    assert [compiled(w * w).tolist() for _ in range(3)] == [[2.0, 8.0]] * 3
    assert w.grad.tolist() == [6.0, 12.0]
    assert ["backward" in line.breaks for line in compiled.breaks] == [True]


def test_parameters_that_share_memory_are_updated_as_eagerly() -> None:
    def calls(f: Any) -> Any:
        a = ml.tensor([1.0, 2.0, 3.0])
        f(a, ml.tensor([1.0, 1.0, 1.0]))
        f(a, ml.tensor([1.0, 1.0, 1.0]))
        f(a[:2], a[1:])
        return a.tolist()

    def f(a, b):
        a.mul_(2.0)
        b.add_(1.0)

    ours, theirs = both(f, calls)
    assert ours == theirs


def test_what_is_written_is_noticed_by_who_saved_it() -> None:
    def calls(f: Any) -> str:
        w = ml.tensor([1.0, 2.0], requires_grad=True)
        f(w)
        loss = (w * w).sum()
        f(w)
        return message(loss.backward)

    def f(w):
        with ml.no_grad():
            w.sub_(1.0)

    ours, theirs = both(f, calls)
    assert ours == theirs


def test_two_arguments_may_change_places() -> None:
    def f(a, b):
        old = a * 1
        a.copy_(b)
        b.copy_(old)

    compiled = ml.compile(f)
    a, b = ml.tensor([1.0]), ml.tensor([2.0])
    for _ in range(3):
        compiled(a, b)
    assert (a.item(), b.item()) == (2.0, 1.0)


# ---- walks from some of the results ---------------------------------------------------------------------------------
def twice(x):
    return x * x, x.log(), x + 1


@pytest.mark.filterwarnings("ignore:divide by zero")
def test_a_walk_from_one_result_computes_nothing_of_the_others() -> None:
    def calls(f: Any) -> Any:
        x = ml.tensor([0.0, 2.0], requires_grad=True)
        for _ in range(3):
            x.grad = None
            f(x)[0].sum().backward()
        return x.grad.tolist()

    ours, theirs = both(twice, calls)
    assert ours == theirs == [0.0, 4.0]


def test_a_walk_frees_what_it_used_and_no_more() -> None:
    def calls(f: Any) -> Any:
        x = ml.tensor([1.0, 2.0], requires_grad=True)
        for _ in range(3):
            square, log, more = f(x)
        x.grad = None
        square.sum().backward()
        log.sum().backward()
        more.sum().backward()
        more.sum().backward()
        text = message(square.sum().backward)
        return x.grad.tolist(), text.partition("Backward ")[2]

    ours, theirs = both(twice, calls)
    assert ours == theirs


def test_a_gradient_arrives_where_a_path_leads() -> None:
    def calls(f: Any) -> Any:
        a, b = (ml.tensor([1.0], requires_grad=True) for _ in range(2))
        for _ in range(3):
            a.grad = b.grad = None
            f(a, b)[0].backward()
        return a.grad.tolist(), b.grad

    ours, theirs = both(lambda a, b: (a * 2, a * b), calls)
    assert ours == theirs == ([2.0], None)


def test_what_one_result_saved_may_be_written_if_another_is_walked() -> None:
    def calls(f: Any) -> Any:
        w, x = (ml.tensor([3.0], requires_grad=True) for _ in range(2))
        for _ in range(3):
            x.grad = None
            y, z = f(x, w)
        with ml.no_grad():
            w.mul_(2.0)
        y.backward()
        return x.grad.tolist(), message(z.backward).partition("saved ")[0].partition("Backward")[2]

    ours, theirs = both(lambda x, w: (x * 2, x * w), calls)
    assert ours == theirs


def test_a_gradient_with_terms_from_two_graphs_adds_up_those_of_each_first() -> None:
    def f(x, w):
        y = x * 2
        y = x[0:1] + y
        print(end="")  # between two graphs
        (w * (x + y)).sum().backward()

    def gradient(f: Any) -> list[float]:
        x = ml.tensor([-3.0, 2.0], requires_grad=True)
        f(x, ml.tensor([-4.1, -4.2]))
        return x.grad.tolist()

    direct, chosen, doubled = np.float32(-4.1), np.float32(-4.1) + np.float32(-4.2), 2 * np.float32(-4.1)
    assert gradient(f)[0] == (direct + chosen) + doubled
    compiled = ml.compile(f)
    gradient(compiled)  # the call that is interpreted, op by op
    assert gradient(compiled)[0] == direct + (chosen + doubled) != (direct + chosen) + doubled


# ---- objects that are one, or two -----------------------------------------------------------------------------------
class Held:
    def __init__(self, t: Any) -> None:
        self.t = t


@pytest.mark.parametrize("longer", ["one", "two"])
@pytest.mark.parametrize("first", [True, False])
def test_two_objects_may_be_one_in_another_call_whichever_path_is_longer(longer: str, first: bool) -> None:
    def f(a, b):
        if (a is b) == (longer == "one"):
            a.t = a.t + b.t
            b.t = a.t * b.t
            return a.t - b.t
        return a.t

    seen = []
    for compile in (ml.compile, lambda f: f):
        g, values = compile(f), []
        for same in (first, not first, first, not first):
            a, b = Held(ml.tensor([1.0])), Held(ml.tensor([3.0]))
            values.append((g(a, a if same else b).tolist(), a.t.tolist(), b.t.tolist()))
        seen.append(values)
    assert seen[0] == seen[1]


# ---- memory ---------------------------------------------------------------------------------------------------------
def test_gradients_lie_in_memory_of_their_own() -> None:
    def outside(a, b):
        return ((a + b) * 2).sum()

    def inside(a, b):
        ((a + b) * 2).sum().backward()
        return a.detach()

    for f in (outside, inside):
        g = ml.compile(f)
        for _ in range(4):
            a, b = (ml.tensor([1.0, 2.0], requires_grad=True) for _ in range(2))
            out = g(a, b)
            if f is outside:
                out.backward()
            a.grad.add_(1.0)
            assert (a.grad.tolist(), b.grad.tolist()) == ([3.0, 3.0], [2.0, 2.0])


def test_the_cotangent_that_was_given_is_not_the_gradient() -> None:
    g = ml.compile(lambda a: a + 0)
    for _ in range(3):
        a, seed = ml.tensor([1.0, 2.0], requires_grad=True), ml.tensor([1.0, 1.0])
        g(a).backward(seed)
        seed.add_(5.0)
        assert a.grad.tolist() == [1.0, 1.0]


# ---- labels ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("shift", [0, 1])
def test_labels_that_name_no_class_are_refused_in_every_call(backend: str, shift: int) -> None:
    f = ml.compile(lambda x, y: nn.functional.cross_entropy(x, y + shift), backend=backend)
    x, good = ml.ones(3, 4), ml.tensor([0, 1, 2])
    eager = f.__wrapped__(x, good).item()
    for _ in range(3):
        assert f(x, good).item() == pytest.approx(eager)
    for bad in ([0, 1, 7], [-1 - shift, 0, 0]):
        for _ in range(2):
            with pytest.raises(ShapeError, match=r"A class is at least 0 and at most 3\."):
                f(x, ml.tensor(bad))
    assert f(x, good).item() == pytest.approx(eager)


# ---- numbers ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_an_int_that_varies_among_whole_numbers_is_no_constant(backend: str) -> None:
    def f(x: Any, n: int) -> Any:
        return x * 1.5 + n, x.long() + n, x.long().where(x > 1, n), x.to(ml.int8) + n

    g = ml.compile(f, backend=backend)
    x = ml.tensor([1.0, 2.0])
    for n in (3, 4, -7, 300, 2**70):
        assert [y.tolist() for y in g(x, n)] == [y.tolist() for y in f(x, n)]


# ---- random programs that once differed -----------------------------------------------------------------------------
@pytest.mark.parametrize("seed", [119, 301, 469, 575, 741, 905, 3487, 50135, 50155, 50186])
def test_a_program_that_once_differed(seed: int) -> None:
    """A walk into an earlier graph (469, 741) or past a view (575), a mode left on (905), objects that were one."""
    assert agree(seed)
    assert ml.is_grad_enabled()
