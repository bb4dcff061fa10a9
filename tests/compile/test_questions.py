"""The guards that machine code answers: it says what Python says, of everything that a guard asks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode.guards import ON_CPU, answer
from minitorch_lab.compiler.capture.bytecode.guards import test as written
from minitorch_lab.compiler.capture.bytecode.shapes import ANY, patterned
from minitorch_lab.compiler.capture.bytecode.walks import plain_leaves
from minitorch_lab.compiler.targets.backends import BACKENDS
from minitorch_lab.compiler.targets.llvm.layout import slot
from minitorch_lab.compiler.targets.llvm.questions import questions
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.core.array import device_of
from minitorch_lab.ops.loss import labels_fit
from minitorch_lab.tensors.tensor import Tensor
from tests.compile.fuzz import agree
from tests.compile.in_parts import wrong_among

known: Any = questions()
SCOPE = {"ndarray": np.ndarray, "device_of": device_of, "ON_CPU": ON_CPU}


def in_python(key: Any, x: Any) -> bool:
    """What the guard says when Python asks."""
    space: dict[str, Any] = SCOPE | {"x": x}

    def ref(v: Any) -> str:
        space[f"c_{id(v)}"] = v
        return f"c_{id(v)}"

    text = written("x", key, ref)
    return bool(eval(text, space))


def in_machine_code(key: Any, x: Any) -> bool:
    _, kind, dtype, shape, strides, _, grad = key
    return known.fits(known.table([(kind, dtype, shape, strides, grad)]), x)


class Own(Tensor):
    """A subclass, which no guard of a plain tensor fits."""

    __slots__ = ()


@st.composite
def tensors(draw: Any) -> Tensor:
    shape = draw(st.lists(st.integers(0, 4), min_size=1, max_size=4))
    dtype = draw(st.sampled_from([np.float32, np.float64, np.int64]))
    array = np.zeros([n * draw(st.sampled_from([1, 2])) for n in shape], dtype)
    array = array[tuple(slice(n) for n in shape)].transpose(draw(st.permutations(range(len(shape)))))
    if draw(st.booleans()):
        array = np.broadcast_to(array, (draw(st.integers(0, 3)), *array.shape))
    x = draw(st.sampled_from([Tensor, Own, ml.nn.Parameter]))
    made: Tensor = Tensor(array) if x is ml.nn.Parameter and dtype == np.int64 else Tensor.__new__(x)
    made.value, made.node, made.storage = array, None, None
    return made.requires_grad_() if dtype != np.int64 and draw(st.booleans()) else made


@settings(deadline=None, max_examples=300)
@given(tensors(), tensors(), st.data())
def test_a_guard_of_a_tensor_has_one_answer(x: Tensor, y: Tensor, data: Any) -> None:
    lengths = tuple(data.draw(st.sampled_from([n, ANY])) if n > 1 else n for n in x.shape)
    for key in (answer(x), patterned(x, lengths)):
        assert in_machine_code(key, x) is in_python(key, x) is True
        assert in_machine_code(key, y) is in_python(key, y)


def test_each_fact_is_asked() -> None:
    x = ml.zeros(4, 3)
    key = answer(x)
    others = [
        ml.zeros(4, 3, dtype=ml.float64), ml.zeros(3, 4), ml.zeros(4), ml.zeros(3, 4).T, ml.tensor(1.0), 3, None,
        ml.zeros(4, 3).requires_grad_(), ml.zeros(8, 3)[::2], ml.nn.Parameter(ml.zeros(4, 3)),
        ml.zeros(4, 1).expand(4, 3),
    ]  # fmt: skip
    assert in_machine_code(key, x)
    for y in others:
        assert not in_machine_code(key, y), y
    opened = patterned(x, (ANY, 3))
    assert in_machine_code(opened, ml.zeros(9, 3))
    assert not in_machine_code(opened, ml.zeros(1, 3))


def test_several_at_once() -> None:
    xs = [ml.zeros(2), ml.zeros(3, 4), ml.zeros(5)]
    facts = [(k, d, s, t, g) for _, k, d, s, t, _, g in map(answer, xs)]
    table = known.table(facts)
    assert known.fits(table, *xs)
    for i in range(3):
        assert not known.fits(table, *xs[:i], ml.zeros(7), *xs[i + 1 :])


@settings(deadline=None)
@given(st.lists(st.integers(-3, 12), max_size=20), st.integers(1, 10), st.integers(1, 3))
def test_labels(numbers: list[int], classes: int, step: int) -> None:
    found = ml.tensor(numbers, dtype=ml.int64)[::step]
    quick = known.labels(found, classes)
    assert quick is labels_fit(found, classes) or (step > 1 and not quick)  # else Python is asked again


def test_labels_of_another_dtype_are_left_to_python() -> None:
    assert not known.labels(ml.tensor([0.0]), 4)
    assert not known.labels(ml.tensor([0], dtype=ml.int32), 4)


def test_leaves() -> None:
    a, b = ml.ones(2, requires_grad=True), ml.ones(3, requires_grad=True)
    hooked, filled, deep = (ml.ones(2, requires_grad=True) for _ in range(3))
    hooked.register_hook(lambda g: g)
    filled.grad = ml.ones(2)
    deep.grad = ml.ones(2, requires_grad=True) * 2
    for tensors_ in ([a], [a, b], [a, b, filled], [a, hooked], [a * 2], [ml.ones(2)], [a, deep], [deep], []):
        assert known.leaves(*tensors_) is plain_leaves(*tensors_), tensors_


def test_apart_and_owned() -> None:
    a, b, c = [0], [1], [2]
    assert known.apart(2, a, b, c, c)
    assert not known.apart(3, a, b, c, c)
    assert not known.apart(1, a, b, a)
    x, y = np.zeros(3), np.zeros(3)
    assert known.owned(1, x, y, y)
    assert not known.owned(2, x, y, y)
    assert not known.owned(1, x, y[:2])
    assert not known.owned(1, x[:2], y)
    assert known.owned(1, x, np.float32(1), y)  # a number has memory of its own


def test_the_program_asks_together_and_says_what() -> None:
    w = ml.nn.Parameter(ml.ones(3))
    f = ml.compile(lambda x, y: x * w + y, backend="llvm")
    for _ in range(2):
        f(ml.ones(2, 3), ml.ones(3))
    rows = f.text.splitlines()
    at = next(i for i, row in enumerate(rows) if "fits(facts, x, y, v1 := " in row)
    assert rows[at - 1].strip() == "# x float32(2, 3); y float32(3,); v1 float32(3,)"
    f(ml.ones(2, 3), ml.ones(2, 3))
    assert "y: shape (3,), now (2, 3)" in f.recompiles[-1]
    assert f(ml.ones(2, 3), ml.ones(2, 3)).tolist() == [[2.0] * 3] * 2


def asking(monkeypatch: pytest.MonkeyPatch, ask: Any) -> None:
    """Let the back end llvm ask in another way."""
    monkeypatch.setitem(BACKENDS, "llvm", replace(BACKENDS["llvm"], questions=ask))


def test_an_interpreter_with_other_objects_is_asked_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    class Plain:
        first = 3

    class Slots:
        __slots__ = ("first",)

    assert slot(Slots, "first") == object.__basicsize__
    assert slot(Plain, "__dict__") is None
    monkeypatch.setattr("minitorch_lab.compiler.targets.llvm.questions.slot", lambda *_: None)
    assert questions.__wrapped__() is None
    asking(monkeypatch, questions.__wrapped__)
    f = ml.compile(lambda x: x * 2, backend="llvm")
    for _ in range(2):
        assert f(ml.ones(2)).tolist() == [2.0, 2.0]
    assert "fits" not in f.text


def test_questions_are_compiled_when_a_guard_asks_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    asking(monkeypatch, lambda: asked.append(1) or known)
    f = ml.compile(lambda x: x * 2, backend="llvm")
    assert not asked
    f(ml.ones(2))
    assert asked


@pytest.mark.parametrize("asked", [{"mode": "max-autotune"}, {"options": {"threads": 2}}])
def test_guards_are_quick_in_every_mode(asked: dict[str, Any]) -> None:
    f = ml.compile(lambda x: x * 2, backend="llvm", **asked)
    for _ in range(2):
        assert f(ml.ones(2)).tolist() == [2.0, 2.0]
    assert "fits" in f.text


def test_an_object_without_entries_fits_nothing() -> None:
    x, empty = ml.ones(2), Tensor.__new__(Tensor)
    assert not in_machine_code(answer(x), empty)
    assert not known.labels(empty, 3)
    assert not known.leaves(empty)


def test_arrays_that_overlap_are_updated_one_op_after_the_other() -> None:
    base = np.arange(6, dtype=np.float32)

    def f(x: Tensor, y: Tensor) -> Tensor:
        with ml.no_grad():
            x.add_(y)
        return x * 2

    quick = ml.compile(f, backend="llvm")
    for shift in (0, 1):  # the second time `x` and `y` share memory
        ours, theirs = base.copy(), base.copy()
        pairs = [(a[:4], a[2:]) if shift else (a[:4].copy(), a[2:].copy()) for a in (ours, theirs)]
        with ml.no_grad():
            got = quick(*map(ml.from_numpy, pairs[0]))
            want = f(*map(ml.from_numpy, pairs[1]))
        assert got.tolist() == want.tolist()
        assert pairs[0][0].tolist() == pairs[1][0].tolist()


def test_random_programs_with_quick_guards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The kernels are NumPy's, so that results can be compared bit for bit; the guards are those of machine code."""
    monkeypatch.setattr(compile_numpy, "questions", questions, raising=False)
    assert wrong_among(agree, range(40_000, 40_040)) == []


def test_a_tuple_that_several_objects_hold_is_known_as_one_in_the_first_capture() -> None:
    class Layer:
        def __init__(self, shape: tuple[int, ...]) -> None:
            self.shape = shape

    def f(x: Any, p: Layer, q: Layer) -> Any:
        return x * (1 if p.shape is q.shape else 2) * p.shape[0] * q.shape[1]

    shared, x = (3, 4), ml.ones(2)
    one, two, apart = Layer(shared), Layer(shared), Layer((int("3"), 4))
    g = ml.compile(f)
    for _ in range(3):
        assert g(x, one, two).tolist() == f(x, one, two).tolist() == [12.0, 12.0]
    assert g.captures == 1
    for _ in range(2):
        assert g(x, one, apart).tolist() == f(x, one, apart).tolist() == [24.0, 24.0]
    assert g.captures == 2
