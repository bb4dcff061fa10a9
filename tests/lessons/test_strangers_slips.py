"""Slips of strangers: what a check used to take for right, or for another slip, is told as what it is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError
from minitorch_lab.func import grad, jvp, vjp
from minitorch_lab.lessons import lesson_01_strides as strides
from minitorch_lab.lessons import lesson_02_tape as tape
from minitorch_lab.lessons import lesson_03_backward as back
from minitorch_lab.lessons import lesson_04_modes as modes
from minitorch_lab.lessons import lesson_05_internals as internals
from minitorch_lab.lessons import lesson_07_transforms as transforms
from minitorch_lab.lessons import lesson_10_models as models
from minitorch_lab.lessons import lesson_11_capture as capture
from minitorch_lab.lessons import lesson_12_partition as partition
from minitorch_lab.lessons import lesson_14_fusion as fusion


def remembering(node: Any, seen: list[Any] = []) -> list[str]:  # noqa: B006 - the slip
    if node is None or node in seen:
        return []
    seen.append(node)
    return [node.name(), *(name for edge, _ in node.next_functions for name in remembering(edge))]


def through_numpy(w: Any, lr: float) -> None:
    entries = w.detach().numpy()
    entries -= lr * w.grad.numpy()


def refused_by_numpy(w: Any, lr: float) -> None:
    entries = w.numpy()
    entries -= lr * w.grad.numpy()


def along_every_way(root: Any, order: Any) -> dict[Any, float]:
    held: dict[Any, float] = {}

    def visit(node: Any, g: float) -> None:
        held[node] = held.get(node, 0) + g
        for (edge, _), part in zip(node.next_functions, back.pull(node, g), strict=False):
            if edge is not None:
                visit(edge, part)

    visit(root, 1.0)
    return held


def walked(root: Any, order: Any) -> dict[Any, float]:
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, back.pull(node, held[node]), strict=False):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return held


def leaves_alone(root: Any, order: Any) -> dict[Any, float]:
    return {node: g for node, g in walked(root, order).items() if not node.next_functions}


class Short:
    """A Dual whose two numbers are called otherwise."""

    def __init__(self, v: float, d: float) -> None:
        self.v, self.d = v, d

    def __mul__(self, other: Short) -> Short:
        return Short(self.v * other.v, self.d * other.v + self.v * other.d)

    def sin(self) -> Short:
        return Short(math.sin(self.v), self.d * math.cos(self.v))


def cube(rule: Callable[..., Any]) -> Any:
    return back.own_op("my_cube", lambda x: x**3, rule)


class Shared(transforms.Floor):
    """An interpreter whose counts are the class's."""

    counts: dict[str, int] = {}  # noqa: RUF012 - the slip

    def run(self, op: Any, args: Any, params: Any) -> Any:
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        return super().run(op, args, params)


def cut(params: Any, grads: Any, lr: Any) -> Any:
    return transforms.tree_map(lambda w, g: (w - lr * g).detach(), params, grads)


def uncalled(x: Any, seen: Any) -> bool:
    same = x.shape == seen.shape and x.dtype == seen.dtype and x.stride == seen.stride and x.device == seen.device
    return type(x) is seen.type and same and x.requires_grad == seen.requires_grad


def summed(shape: Any, dtype: Any, axes: Any, keepdims: bool) -> Any:
    out = ml.zeros(*shape, dtype=dtype).sum(axes, keepdim=keepdims)
    return out.shape, out.dtype


SLIPS: dict[str, tuple[Callable[[], Any], str]] = {
    "a default that remembers": (lambda: tape.check_graph(remembering), "A default such as seen=[] is made once"),
    "numbers through numpy": (lambda: tape.check_update(through_numpy), "written through .data or .numpy()"),
    "numpy that refuses": (lambda: tape.check_update(refused_by_numpy), "is not handed to NumPy"),
    "every way": (lambda: back.check_walk(along_every_way), "256 ways from the root ran 256 times"),
    "leaves alone": (lambda: back.check_walk(leaves_alone), "MulBackward is not in your dict"),
    "other names": (lambda: modes.check_dual(Short), "your class has no attribute 'value'"),
    "a tuple of pull": (lambda: modes.check_hvp(lambda f, x, v: vjp(grad(f), x)[1](v)), "pull(v)[0]"),
    "places changed": (lambda: modes.check_hvp(lambda f, x, v: jvp(grad(f), (v,), (x,))[1]), "x and v have changed"),
    "no g": (lambda: back.check_cube(cube(lambda x: 3 * x**2)), "your rule has no g"),
    "a tuple": (lambda: back.check_cube(cube(lambda g, x: (g * 3 * x**2,))), "comma make a tuple"),
    "a tensor": (lambda: back.check_cube(cube(lambda g, x: ml.tensor(3.0))), "a new tensor knows nothing of it"),
    "a sum logged": (
        lambda: internals.check_watch(
            lambda root, log: [
                node.register_prehook(lambda g, node=node: log.append((node.name(), abs(g[0].sum().item()))))
                for node in internals.order_of(root)
            ]
        ),
        "the largest absolute value",
    ),
    "lr cut off": (lambda: transforms.check_step(cut), "the way from lr to the result is cut"),
    "counts of the class": (lambda: transforms.check_tally(Shared), "counts belongs to the class"),
    "brackets forgotten": (lambda: capture.check_guard(uncalled), "x.stride is the method"),
    "a sum that runs": (lambda: partition.check_foretelling(summed), "to see what comes out"),
    "a list of lines": (lambda: fusion.check_emit(lambda *a: ["x"]), 'Join the lines: "\\n".join(lines).'),  # pyright: ignore
    "no text": (lambda: fusion.check_emit(lambda *a: None), "Did you forget the return?"),  # pyright: ignore
    "a list for a dict": (lambda: strides.check_copies([True]), "you gave a list, and a dict is asked for"),  # pyright: ignore
}


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_is_told_as_what_it_is(slip: str) -> None:
    asked, told = SLIPS[slip]
    verdict = asked()
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_an_op_with_two_inputs_wants_two_rules() -> None:
    with pytest.raises(ArgumentError, match="got 1 rule, and <lambda>"):
        back.own_op("my_ratio", lambda x, y: x / y, lambda g, x, y: g / y)


def test_a_rule_may_answer_a_single_number_with_a_number() -> None:
    x = ml.tensor(2.0, requires_grad=True)
    cube(lambda g, x: float(g) * 3 * float(x) ** 2)(x).backward()
    assert x.grad is not None
    assert x.grad.item() == 12.0


def test_a_choice_is_told_what_it_costs() -> None:
    factor = models.check_mended(lambda x: x * ml.where(x.sum() > 0, 2.0, 3.0))
    both = models.check_mended(lambda x: ml.where(x.sum() > 0, x * 2.0, x * 3.0))
    assert "both products" not in factor.text
    assert "both products" in both.text
    assert factor.done
    assert both.done


def tame_again(x, limit: float, steps: int = 0):  # pyright: ignore
    if x.abs().max() < limit:  # pyright: ignore
        return x, steps  # pyright: ignore
    return tame_again(x / 2, limit, steps + 1)  # pyright: ignore


def test_a_loop_written_as_a_call_of_itself_is_refused_by_name() -> None:
    verdict = models.check_tame(tame_again)
    assert verdict.state == "not yet"
    assert "script still refuses a call of tame_again inside tame_again" in verdict.text
