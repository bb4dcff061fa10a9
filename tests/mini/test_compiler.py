"""Guards, breaks, cuts, kernels and the arena of mini's compiler."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from minitorch_lab import mini
from minitorch_lab.data import Digits
from minitorch_lab.mini.compiler import LIMIT
from minitorch_lab.mini.cut import build_network, choose_saved, divide, fill
from minitorch_lab.mini.examples import digits, gpt
from minitorch_lab.mini.graph import evaluate
from minitorch_lab.mini.joint import split, trace_joint
from minitorch_lab.mini.optim import Adam
from minitorch_lab.mini.passes import RULES, simplify
from minitorch_lab.mini.plan import find_lives, lower_bound, place
from minitorch_lab.mini.program import Program
from minitorch_lab.mini.trace import Trace
from minitorch_lab.mini.views import View

UP, DOWN = np.ones(3), -np.ones(3)
SCALE = 2.0


def test_a_break_is_a_question() -> None:
    f = mini.compile(lambda x: x * 2.0 if x.sum() > 0 else x.tanh())
    for _ in range(2):
        np.testing.assert_array_equal(f(UP).numpy(), UP * 2)
        np.testing.assert_allclose(f(DOWN).numpy(), np.tanh(DOWN))
    assert len(f.regions) == 3
    assert f.log[1].startswith("break: Python needs the bool behind greater")


def test_guards() -> None:
    f = mini.compile(lambda x, k: x * k)
    for k in (2, 2, 2.0, True, 0.0, -0.0):
        np.testing.assert_array_equal(f(UP, k).numpy(), UP * k)
        assert f(UP, k).dtype == (mini.tensor(UP) * k).dtype
    assert len(f.regions) == 5
    assert f(np.ones(4), 2).shape == (4,)
    assert f(UP.astype("float32"), 2).dtype == "float32"


def test_what_is_read_by_name_is_guarded(monkeypatch: pytest.MonkeyPatch) -> None:
    f = mini.compile(lambda x: x * SCALE)
    assert f(UP).numpy()[0] == 2.0
    monkeypatch.setitem(globals(), "SCALE", 5.0)
    assert f(UP).numpy()[0] == 5.0


def test_an_array_from_outside_is_read_at_every_call() -> None:
    table = np.ones(3)
    f = mini.compile(lambda x: x + table)
    assert f(UP).numpy()[0] == 2.0
    table[0] = 7.0
    assert f(UP).numpy()[0] == 8.0


def test_too_many_graphs_run_as_written() -> None:
    f = mini.compile(lambda x, k: x * k, "numpy")
    for k in range(LIMIT + 3):
        assert f(UP, k).numpy()[0] == k
    assert len(f.regions) == LIMIT
    assert "runs as it was written" in f.log[-1]


@pytest.mark.parametrize("way", [lambda f: f, lambda f: mini.compile(f, "numpy")], ids=["eager", "compiled"])
def test_no_grad_inside_counts_as_given(way: Any) -> None:
    def f(x: Any) -> Any:
        with mini.no_grad():
            factor = x * x
        return (x * factor).sum()

    x = mini.tensor(3.0, requires_grad=True)
    way(f)(x).backward()
    assert x.grad.item() == 9.0
    assert mini.grad(f)(mini.tensor(3.0)).item() == 9.0
    with mini.no_grad():
        assert mini.grad(lambda x: x * x)(mini.tensor(3.0)).item() == 6.0


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_rules_are_true_down_to_the_bits(rule: Any) -> None:
    numbers = [0.0, -0.0, 1.0, -1.5, np.inf, -np.inf, np.nan, 1e-310, 3.7]
    grid = [np.array(g) for g in zip(*itertools.product(numbers, repeat=len(rule.holes)), strict=True)]
    with np.errstate(all="ignore"):
        one, two = rule.before(*map(mini.tensor, grid)).numpy(), rule.after(*map(mini.tensor, grid)).numpy()
    np.testing.assert_array_equal(one, two)
    np.testing.assert_array_equal(np.signbit(one[one == 0]), np.signbit(two[one == 0]))


def programs() -> dict[str, Any]:
    w = np.random.default_rng(3).normal(size=(4, 4))
    return {
        "chain": lambda x: (x * x).tanh().exp().sin(),
        "softmax": mini.nn.softmax,
        "norm": lambda x: (x - x.mean(-1, keepdims=True)) / ((x * x).mean(-1, keepdims=True) + 1.0) ** 0.5,
        "products": lambda x: ((x @ w).tanh() @ w.T).tanh() + x,
        "rows": lambda x: x[np.array([2, 0, 1])] * x.max(0, keepdims=True) + x.T.reshape(3, 4),
    }


@pytest.mark.parametrize("name", programs())
def test_any_cut_is_right_and_ours_is_the_narrowest(name: str) -> None:
    f, x, seed = programs()[name], np.random.default_rng(0).normal(size=(3, 4)), np.ones((3, 4))
    trace = Trace(f, [x])
    joint = simplify(trace_joint(simplify(trace.graph), [0]))
    _, expected = evaluate(joint, x, *trace.captured, seed)
    chosen = choose_saved(joint)
    for saved in (chosen, joint.inputs[:-1]):
        forward, backward = split(joint, saved)
        _, *kept = evaluate(forward, x, *trace.captured)
        np.testing.assert_allclose(evaluate(backward, *kept, seed)[0].numpy(), expected.numpy())
    early, late = divide(joint)
    cost = sum(n.nbytes for n in chosen if n.op)
    costs = [subset for size in range(4) for subset in itertools.combinations([n for n in early if n.op], size)]
    assert cost == min(sum(n.nbytes for n in s) for s in costs if is_cut(joint, early, late, s))


def is_cut(joint: Any, early: Any, late: Any, kept: tuple[Any, ...]) -> bool:
    """Whether no water passes when exactly these pipes (and all inputs) are closed: by search alone."""
    network = build_network(joint, early, late)
    for n in early:
        network[n, "in"][n, "out"] = 0 if n in kept or n.op is None else 1
    reached, todo = {"source"}, ["source"]
    for at in todo:
        for to, width in network[at].items():
            if width > 0 and to not in reached:
                reached.add(to)
                todo.append(to)
    return "sink" not in reached


def test_water_fills_the_pipes() -> None:
    network: dict[Any, dict[Any, float]] = {"source": {"a": 3, "b": 2}, "a": {"source": 0, "b": 1, "sink": 1}}
    network |= {"b": {"source": 0, "a": 0, "sink": 9}, "sink": {"a": 0, "b": 0}}
    assert fill(network) == {"source", "a"}


@pytest.mark.parametrize("name", programs())
@pytest.mark.parametrize("target", ["c", "loops", "numpy"])
def test_programs_and_their_gradients(name: str, target: str) -> None:
    f, x = programs()[name], np.random.default_rng(0).normal(size=(3, 4))
    plain, leaf = mini.tensor(x, requires_grad=True), mini.tensor(x, requires_grad=True)
    f(plain).sum().backward()
    out = mini.compile(f, target)(leaf)
    out.sum().backward()
    np.testing.assert_allclose(out.numpy(), f(plain).numpy())
    np.testing.assert_allclose(leaf.grad.numpy(), plain.grad.numpy())


@pytest.mark.parametrize("seed", range(10))
def test_the_arena_holds_what_is_alive(seed: int) -> None:
    rng = np.random.default_rng(seed)
    nodes = [type("Buffer", (), {"nbytes": int(rng.integers(1, 999))})() for _ in range(20)]
    steps = [([n], [nodes[j] for j in rng.integers(0, k, 2)] if k else []) for k, n in enumerate(nodes)]
    lives = find_lives(steps)
    size = place(lives)
    assert lower_bound(lives) <= size <= sum(life.nbytes for life in lives)
    for a, b in itertools.combinations(lives, 2):
        assert a.offset + a.nbytes <= b.offset or b.offset + b.nbytes <= a.offset or not a.overlaps(b)


def test_views_are_those_of_numpy() -> None:
    array = np.arange(24.0).reshape(2, 3, 4)
    view = View.contiguous(array.shape).permute((2, 0, 1)).crop(((1, 3), (0, 2), (1, 3)))
    moved = array.transpose(2, 0, 1)[1:3, 0:2, 1:3]
    assert view.strides == tuple(s // 8 for s in moved.strides)
    assert view.offset * 8 == moved.ctypes.data - array.ctypes.data
    assert view.reshape((8,)) is None


def test_a_chain_is_one_kernel_and_a_product_says_why_not() -> None:
    w = np.ones((4, 4))
    program = Program(simplify(Trace(lambda x: ((x * 2.0).tanh() @ w).exp(), [np.ones((3, 4))]).graph), "loops")
    assert len(program.kernels) == 2
    assert "a library computes it" in program.explain()
    assert "tanh_1" in program.fuser.explain()


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_the_tours_network_learns_to_read(compiled: bool) -> None:
    parts = [Digits(train=train) for train in (True, False)]
    (images, labels), (new, true) = [(part.images.numpy(), part.labels.numpy()) for part in parts]
    assert digits.accuracy(digits.train(images, labels, compiled=compiled), new, true) >= 0.98


def test_a_small_gpt_learns_a_text_compiled() -> None:
    text = np.array([3, 1, 4, 1, 5, 9, 2, 6, 5] * 4)
    model = gpt.GPT(words=10, length=8, width=16, heads=2, layers=1, rng=np.random.default_rng(0))
    step, optimizer = mini.compile(model.loss, "numpy"), Adam(model.parameters(), lr=0.01)
    rows = np.stack([text[k : k + 9] for k in range(9)])
    for _ in range(60):
        optimizer.zero_grad()
        loss = step(rows[:, :-1], rows[:, 1:])
        loss.backward()
        optimizer.step()
    assert loss.item() < 0.5  # guessing gives log 10 = 2.3
