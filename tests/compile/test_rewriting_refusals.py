"""What rewriting refuses, word for word, and what it takes for granted."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, CaptureError
from minitorch_lab.lessons.lesson_11_capture.rewriting import rewrite


# ---- what it refuses ------------------------------------------------------------------------------------------------
def loop(x: Any) -> Any:
    for _ in range(3):
        x = x * 2
    return x


def while_loop(x: Any) -> Any:
    while x.sum() < 10:
        x = x * 2
    return x


def tries(x: Any) -> Any:
    try:
        return x * 2
    except ValueError:
        return x


def withs(x: Any) -> Any:
    with nullcontext():
        return x * 2


def generates(x: Any) -> Any:
    yield x


def inner(x: Any) -> Any:
    def twice(z: Any) -> Any:
        return z * x

    return twice(x)


def comprehends(x: Any) -> Any:
    return [x * i for i in (1, 2)]


def stars(*x: Any) -> Any:
    return x


def raises(x: Any) -> Any:
    if not x.shape:
        raise ValueError(x)
    return x


def imports(x: Any) -> Any:
    import math

    return x * math.pi


def as_dict(x: Any) -> Any:
    return {"x": x}


async def waits(x: Any) -> Any:
    return x


REFUSED = [
    (loop, "a loop"), (while_loop, "a loop"), (tries, "try"), (withs, "with"), (generates, "yield or async"),
    (inner, "a function or class defined inside"), (comprehends, "a "), (stars, "a star among the parameters"),
    (raises, "raise"), (imports, "an import"), (as_dict, "a dict"), (waits, "yield or async"),
]  # fmt: skip


@pytest.mark.parametrize(("fn", "what"), REFUSED, ids=lambda x: getattr(x, "__name__", ""))
def test_refused_before_anything_runs(fn: Any, what: str) -> None:
    with pytest.raises(CaptureError) as caught:
        rewrite(fn, ml.ones(2))
    assert str(caught.value).startswith(f"rewrite() cannot take {what}")
    assert f"in {fn.__name__} (test_rewriting_refusals.py, line" in str(caught.value)


def test_the_whole_text_of_a_refusal() -> None:
    with pytest.raises(CaptureError) as caught:
        rewrite(loop, ml.ones(2))
    line = loop.__code__.co_firstlineno + 1
    assert str(caught.value) == (
        f"rewrite() cannot take a loop in loop (test_rewriting_refusals.py, line {line}: for _ in range(3):).\n"
        "  This is TorchDynamo's way in small, for the lesson: it copies bytecode, where a mistake takes Python down "
        "and a break inside try or with cannot be resumed.\n"
        "  Did you mean ml.compile? It goes another way, replay, and takes these too."
    )


@pytest.mark.parametrize("thing", [print, ml.nn.Linear(2, 2), ml.tensor([1.0]).sum])
def test_only_functions(thing: Any) -> None:
    with pytest.raises(CaptureError, match="It rewrites the bytecode of one plain function of tensors"):
        rewrite(thing, ml.ones(2))


def test_the_examples_must_fit() -> None:
    with pytest.raises(ArgumentError, match="missing a required argument: 'x'"):
        rewrite(scaled)


def test_too_many_breaks() -> None:
    text = "def f(x):\n" + "    x = x * 2 if x.sum() > 0 else -x\n" * 8 + "    return x"
    names: dict[str, Any] = {}
    exec(text, names)
    with pytest.raises(CaptureError, match="breaks into more than 64 pieces"):
        rewrite(names["f"], ml.ones(2))


# ---- what is taken for granted --------------------------------------------------------------------------------------
factor: Any = 3.0


def scaled(x: Any, n: int = 2, *, plus: float = 1.0) -> Any:
    if n > 1:
        return x * n * factor + plus
    return x


def test_plain_values_are_constants_and_are_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    machine = rewrite(scaled, ml.ones(2))
    assert len(machine.graphs) == 1
    assert machine(ml.ones(2)).tolist() == [7.0, 7.0]
    for args, text in [
        ((ml.ones(3),), r"x = f32\[2\] on cpu and got f32\[3\] on cpu"),
        ((ml.ones(2, dtype=ml.float64),), r"x = f32\[2\] on cpu and got f64\[2\] on cpu"),
        ((ml.ones(4)[::2],), r"and got f32\[2\] on cpu with strides \(8,\)"),
        (([1.0, 2.0],), r"x = f32\[2\] on cpu and got something else"),
        ((ml.ones(2), True), "n = 2 and got True"),
    ]:
        with pytest.raises(CaptureError, match=text):
            machine(*args)
    monkeypatch.setattr(sys.modules[__name__], "factor", 4.0)
    with pytest.raises(CaptureError, match="factor is not what it was when scaled was captured"):
        machine(ml.ones(2))


def test_variables_of_the_enclosing_function_and_globals_are_shared() -> None:
    w = ml.tensor([1.0, 2.0], requires_grad=True)

    def f(x: Any) -> Any:
        if x.sum() > 0:
            return x * w
        return x

    machine = rewrite(f, ml.ones(2))
    machine(ml.ones(2)).sum().backward()
    assert w.grad is not None
    assert w.grad.tolist() == [1.0, 1.0]
    assert "__compiled_fn_0" not in globals()


def changes(x: Any) -> Any:
    print("now", change())
    return x * factor


def change() -> None:
    global factor
    factor = factor + 1.0


def test_a_global_is_read_again_after_foreign_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.modules[__name__], "factor", 3.0)
    machine = rewrite(changes, ml.ones(1))
    assert machine(ml.ones(1)).tolist() == [4.0]
    assert machine(ml.ones(1)).tolist() == [5.0]


def countdown(x: Any, n: int) -> Any:
    if n == 0:
        return x
    return countdown(x * 2, n - 1)


def test_recursion_calls_the_users_function() -> None:
    machine = rewrite(countdown, ml.ones(1), 3)
    assert machine(ml.ones(1), 3).tolist() == [8.0]
    assert machine.final(ml.ones(1), 3).tolist() == [8.0]


def branching(x: Any) -> Any:
    y = x * x
    if x.shape[0] > 1:
        print(end="")
    return (y * x).sum()


def test_transforms_and_modes_go_through() -> None:
    machine = rewrite(branching, ml.ones(2))
    assert ml.func.grad(machine)(ml.tensor([1.0, 2.0])).tolist() == [3.0, 12.0]
    assert ml.func.vmap(machine)(ml.tensor([[1.0, 2.0]])).tolist() == [9.0]
    with ml.no_grad():
        assert not machine(ml.ones(2).requires_grad_()).requires_grad
