"""The checks of 05 on what is kept, and on a walk over a walk: typical wrong answers are told what they believed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_05_internals as lesson
from tests.notebooks.solutions import s05_autograd_internals as right

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")  # infinity is part of this lesson

# ---- a detector of silent writes ------------------------------------------------------------------------------------


def noted(note: Callable[[ml.Tensor], Any], nodes: Callable[[Any], list[Any]] = lesson.order_of) -> Callable[..., Any]:
    def remember(root: Any) -> dict[Any, Any]:
        return {
            (node, name): note(kept)
            for node in nodes(root)
            for name, kept in node.saved_tensors.items()
            if isinstance(kept, ml.Tensor)
        }

    return remember


def tensors_and_all(root: Any) -> dict[Any, Any]:
    return {(n, name): kept.clone() for n in lesson.order_of(root) for name, kept in n.saved_tensors.items()}


def by_version(root: Any, memory: Any) -> list[str]:
    return [f"{n.name()} {name}" for (n, name), then in memory.items() if n.saved_tensors[name]._version != then]


def everything(root: Any, memory: Any) -> list[str]:
    return [f"{node.name()} {name}" for node, name in memory]


def twisted(root: Any, memory: Any) -> list[str]:
    return [memory[(name, node)] for node, name in memory]


def only_exp(root: Any, memory: Any) -> list[str]:
    return [line for line in right.spoiled(root, memory) if not line.startswith("Mul")]


def copied(t: ml.Tensor) -> ml.Tensor:
    return t.detach().clone()


@pytest.mark.parametrize(
    ("remember", "spoiled", "told"),
    [
        (noted(lambda t: t), right.spoiled, "it is the same memory, so you compare it with itself"),
        (noted(lambda t: t.detach()), right.spoiled, "detach() and .data share the memory"),
        (noted(lambda t: t._version), by_version, "You compare versions, and .data raises none"),
        (noted(copied, lambda root: [root]), right.spoiled, "missed pow, one node further down"),
        (tensors_and_all, right.spoiled, "a node keeps numbers and shapes too"),
        (noted(copied), everything, "a false alarm. In y = x.exp().sin()"),
        (noted(copied), lambda root, memory: [], "you remember something, and spoiled() finds no difference"),
        (noted(copied), only_exp, "in y = h * h, then h.detach() *= 100, you found nothing."),
        (noted(copied), twisted, "Use the same pairs (node, name) both times"),
        (noted(copied), lambda root, memory: "ExpBackward out", "returns a list of lines"),
        (noted(copied), lambda root, memory: 1 / 0, "your detector stops with ZeroDivisionError"),
    ],
)
def test_detectors_with_holes(remember: Callable[..., Any], spoiled: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_spoiled(remember, spoiled)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_a_detector_that_remembers_nothing_is_the_starter() -> None:
    assert lesson.check_spoiled(lambda root: {}, lambda root, memory: []).state == "not written yet"


def test_the_figures_of_silent_writes() -> None:
    for build, memory_of, wrong in (
        (lambda x: x.exp(), lambda x, h, y: y.data, 271.83),
        (lambda x: x * 2, lambda x, h, y: h.data, 800.0),
    ):
        x = ml.tensor([1.0], requires_grad=True)
        h = build(x)
        y = h**2 if wrong == 800.0 else h
        memory = memory_of(x, h, y)
        memory *= 100
        y.backward()
        assert x.grad.item() == pytest.approx(wrong, rel=1e-4)


# ---- parcels --------------------------------------------------------------------------------------------------------


def half(t: ml.Tensor) -> Any:
    return t.numpy().astype("float16")


def full(parcel: Any) -> ml.Tensor:
    return ml.tensor(parcel.astype("float32"))


def scaled(t: ml.Tensor) -> Any:
    largest = t.abs().max().item()
    return largest, (t / largest).numpy().astype("float16")


@pytest.mark.parametrize(
    ("pack", "unpack", "told"),
    [
        (half, full, "100000 came back as infinity: float16 ends at 65504"),
        (scaled, right.unpack, "a tensor of zeros came back as NaN"),
        (lambda t: t.numpy().astype("int16"), full, "your parcels hold whole numbers"),
        (lambda t: t.numpy().astype("int8"), full, "your parcels hold whole numbers"),
        (lambda t: t.double(), lambda parcel: parcel, "x.to(ml.float32)? In NumPy it is .astype('float32')."),
        (lambda t: t.double(), lambda parcel: parcel.float(), "a parcel weighs 8000"),
        (lambda t: t.tolist(), ml.tensor, "Python's numbers and lists are larger than arrays"),
        (lambda t: right.pack(t.flatten()), right.unpack, "Keep the shape in what pack returns."),
        (right.pack, lambda parcel: parcel[1], "Return a tensor from unpack. ml.tensor(...) makes one."),
        (lambda t: (t * 3).clone(), lambda parcel: parcel, "unpack gives back what pack got, to three digits"),
        (lambda t: 1 / 0, lambda parcel: parcel, "your pair of hooks stops with ZeroDivisionError"),
    ],
)
def test_packing(pack: Callable[..., Any], unpack: Callable[..., Any], told: str) -> None:
    verdict = lesson.check_packing(pack, unpack)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_parcels_of_full_weight_are_the_starter() -> None:
    assert lesson.check_packing(lambda t: t, lambda parcel: parcel).state == "not written yet"
    assert lesson.check_packing(lambda t: t.clone(), lambda parcel: parcel).state == "not written yet"


def test_parcels_are_weighed_by_what_they_hold() -> None:
    halves = ml.tensor([1.0, 2.0]).numpy().astype("float16")
    assert lesson.weigh({"entries": halves, "largest": 2.0}) == 4 + 8
    assert lesson.weigh(halves.tobytes()) == 4
    x = ml.randn(1000).requires_grad_()
    assert lesson.kept_bytes((x.sin() * x).sum()) == 8000
    assert lesson.kept_bytes((x.sin() * x.exp()).sum()) == 3 * 4000


# ---- Newton's step --------------------------------------------------------------------------------------------------

Step = Callable[[Callable[[ml.Tensor], ml.Tensor], ml.Tensor], Any]


def derivatives(f: Any, x: ml.Tensor) -> tuple[ml.Tensor, ml.Tensor]:
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    return slope.detach(), ml.autograd.grad(slope, x)[0]


def by(formula: Callable[..., Any]) -> Step:
    return lambda f, x: formula(x.detach(), *derivatives(f, x))


def added(f: Any, x: ml.Tensor) -> ml.Tensor:
    f(x).backward(create_graph=True)
    slope = x.grad
    slope.backward()
    return (x - slope / x.grad).detach()


def one_tensor(f: Any, x: ml.Tensor) -> ml.Tensor:
    f(x).backward(create_graph=True)
    x.grad.backward()
    return (x - x.grad / x.grad).detach()


def emptied(f: Any, x: ml.Tensor) -> ml.Tensor:
    f(x).backward(create_graph=True)
    slope, x.grad = x.grad, None
    slope.backward()
    return (x - slope / x.grad).detach()


def without_history(f: Any, x: ml.Tensor) -> Any:
    f(x).backward()
    slope, x.grad = x.grad, None
    slope.backward()


def with_retain(f: Any, x: ml.Tensor) -> Any:
    (slope,) = ml.autograd.grad(f(x), x, retain_graph=True)
    return ml.autograd.grad(slope, x)


def tuples(f: Any, x: ml.Tensor) -> Any:
    slope = ml.autograd.grad(f(x), x, create_graph=True)
    return x - slope / 2


def attached(f: Any, x: ml.Tensor) -> Any:
    slope, bend = derivatives(f, x)
    return x - slope / bend


@pytest.mark.parametrize(
    ("step", "told"),
    [
        (by(lambda x, f1, f2: x + f1 / f2), "you added the quotient"),
        (by(lambda x, f1, f2: x - f2 / f1), "the quotient is upside down"),
        (by(lambda x, f1, f2: x - f1), "the second derivative is missing"),
        (by(lambda x, f1, f2: x - f1 * f2), "you multiplied by f″"),
        (by(lambda x, f1, f2: f1 / f2), "this is the length of the step"),
        (by(lambda x, f1, f2: x - f1 / f2 / 2), "on (x − 3)², from x = 1, it leads to 2. x − f′ / f″ is 3."),
        (added, "the second walk added f″ to the f′ still in x.grad"),
        (one_tensor, "you went by exactly 1"),
        (without_history, "The first walk needs create_graph=True."),
        (with_retain, "The first walk needs create_graph=True."),
        (tuples, "autograd.grad returns a tuple"),
        (attached, "the new x has a history"),
        (lambda f, x: None, "newton() returns nothing"),
        (lambda f, x: 1 / 0, "newton() stops with ZeroDivisionError"),
    ],
)
def test_newton(step: Step, told: str) -> None:
    verdict = lesson.check_newton(step)
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_newton_with_trays_is_right_too_and_standing_still_is_the_starter() -> None:
    assert lesson.check_newton(emptied).done
    assert lesson.check_newton(lambda f, x: x).state == "not written yet"


def test_a_parcel_that_keeps_the_tensor_elsewhere_saves_nothing() -> None:
    store: list[ml.Tensor] = []

    def pack(t: ml.Tensor) -> int:
        store.append(t)
        return len(store) - 1

    verdict = lesson.check_packing(pack, lambda parcel: store[parcel])
    assert "what was packed is still held somewhere" in verdict.text
