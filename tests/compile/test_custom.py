"""Functions and custom rules inside captured programs: their derivatives are the user's, whoever runs the graph."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.runtime.region import Region
from minitorch_lab.compiler.targets.backends import backend_of
from minitorch_lab.errors import CaptureError


class Plain(ml.autograd.Function):
    """A Function that fills its context itself: only a tape can run its backward."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 10 * ctx.saved_tensors[0]


class Two(ml.autograd.Function):
    """A Function with two results, and a backward that is not the derivative: so that nothing else can give it."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x: Any, y: Any) -> Any:
        return x * y, x + y

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(*inputs)

    @staticmethod
    def backward(ctx: Any, g: Any, h: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y + h, g * x * 100 + h


@ml.func.custom_vjp
def pulled(x: Any) -> Any:
    return x * x


pulled.defvjp(lambda x: (x * x, x), lambda x, g: (g * 30 * x,))


@ml.func.custom_jvp
def pushed(x: Any) -> Any:
    return x * x


pushed.defjvp(lambda primals, tangents: (primals[0] * primals[0], tangents[0] * primals[0] * 40))


def two(x: Any) -> Any:
    a, b = Two.apply(x, x * 1)
    return a + b


CASES = {
    "Function": (Plain.apply, 30.0),
    "two results": (two, 305.0),
    "custom_vjp": (pulled, 90.0),
    "custom_jvp": (pushed, 120.0),
}


def captures(fn: Any) -> dict[str, Any]:
    whole: Any = lambda x: fn(x) + 1.0  # noqa: E731
    graph = ml.jit.trace(whole, ml.tensor(1.0)).graph
    return {
        "jit": ml.jit(whole),
        "trace": ml.jit.trace(whole, ml.tensor(1.0)),
        "region": Region(graph, backend_of("numpy")),
    }


@pytest.mark.parametrize("how", ["jit", "trace", "region"])
@pytest.mark.parametrize("name", CASES)
def test_the_rule_is_the_users(name: str, how: str) -> None:
    fn, slope = CASES[name]
    captured = captures(fn)[how]
    x = ml.tensor(3.0, requires_grad=True)
    out = captured(x)
    out.backward()
    assert out.item() == fn(ml.tensor(3.0)).item() + 1.0
    assert x.grad is not None
    assert x.grad.item() == slope
    assert captured(ml.tensor(2.0)).item() == fn(ml.tensor(2.0)).item() + 1.0


@pytest.mark.parametrize("name", ["two results", "custom_vjp", "custom_jvp"])
def test_capture_and_transforms_in_any_order(name: str) -> None:
    fn, slope = CASES[name]
    x = ml.tensor(3.0)
    for way in (ml.func.grad(ml.jit(fn)), ml.jit(ml.func.grad(fn)), ml.jit(ml.func.grad(ml.jit(fn)))):
        assert way(x).item() == slope
    rows = ml.tensor([3.0, 3.0])
    for way in (ml.func.vmap(ml.jit(ml.func.grad(fn))), ml.jit(ml.func.vmap(ml.func.grad(fn)))):
        assert way(rows).tolist() == [slope, slope]


def test_the_graph_has_one_node_for_the_call() -> None:
    assert (
        str(ml.jit.trace(two, ml.tensor(1.0)))
        == """\
two(x: f32[]):
    mul: f32[] = mul(x, 1)
    Two: b8[] = Two(x, mul)
    part: f32[] = Two[0]
    part_1: f32[] = Two[1]
    add: f32[] = add(part, part_1)
    return add"""
    )


def test_a_function_that_overwrites_its_argument_is_not_captured() -> None:
    class Overwriting(ml.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            return x.mul_(2.0)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2.0

    with pytest.raises(CaptureError, match=r"(?s)Overwriting writes into an argument.*Return a new tensor"):
        ml.jit(lambda x: Overwriting.apply(x * 1.0))(ml.ones(2))
