"""Composite ops as programs of core ops: text, and values in every dtype."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.capture.jit import captured
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.ir.graph import Graph, Node
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.compiler.passes.decompose import decompose
from minitorch_lab.compiler.passes.pipeline import optimize_joint
from minitorch_lab.core.array import float_limits, is_float
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS

# In units of the last place: what the maximum is added to is rounded once more than in NumPy's one function.
ULPS = {"logaddexp": 8, "softplus": 2}


def of_op(name: str, args: list[Any], params: dict[str, Any]) -> Graph:
    return captured(lambda *xs: OPS[name](*xs, **params), tuple(args), {})


def test_row_a9_hardsigmoid_is_two_clamps() -> None:
    graph = ml.jit.trace(lambda x: ml.nn.Hardsigmoid()(x), ml.ones(4)).graph
    assert str(graph) == ("graph(x: f32[4]):\n    hardsigmoid: f32[4] = hardsigmoid(x)\n    return hardsigmoid")
    assert str(decompose(graph)) == (
        "graph(x: f32[4]):\n"
        "    add: f32[4] = add(x, 3.0)\n"
        "    clamp: f32[4] = clamp(add, min=0.0, max=None)\n"
        "    clamp_1: f32[4] = clamp(clamp, min=None, max=6.0)\n"
        "    div: f32[4] = div(clamp_1, 6.0)\n"
        "    return div"
    )


def test_row_a9_broadcasts_and_casts_are_explicit() -> None:
    graph = captured(lambda x, n, b: (x * n + b).softmax(1), (ml.ones(2, 3), ml.arange(3), ml.ones(2, 1)), {})
    assert str(decompose(graph)) == (
        "graph(x: f32[2, 3], n: i64[3], b: f32[2, 1]):\n"
        "    cast: f32[3] = cast(n, dtype=float32)\n"
        "    expand: f32[2, 3] = expand(cast, shape=(2, 3))\n"
        "    mul: f32[2, 3] = mul(x, expand)\n"
        "    expand_1: f32[2, 3] = expand(b, shape=(2, 3))\n"
        "    add: f32[2, 3] = add(mul, expand_1)\n"
        "    amax: f32[2, 1] = amax(add, axis=(1,), keepdims=True)\n"
        "    expand_2: f32[2, 3] = expand(amax, shape=(2, 3))\n"
        "    sub: f32[2, 3] = sub(add, expand_2)\n"
        "    exp: f32[2, 3] = exp(sub)\n"
        "    sum: f32[2, 1] = sum(exp, axis=(1,), keepdims=True)\n"
        "    expand_3: f32[2, 3] = expand(sum, shape=(2, 3))\n"
        "    div: f32[2, 3] = div(exp, expand_3)\n"
        "    return div"
    )


def test_row_a9_nothing_is_written_in_place() -> None:
    def f(x: Any) -> Any:
        y = x.softmax(0)
        y += 1
        return y

    graph = decompose(captured(f, (ml.ones(3),), {}))
    assert {n.kind for n in graph.nodes} == {"placeholder", "call", "output"}


COMPOSITES = [name for name, op in OPS.items() if op.program]


def simple(node: Node) -> bool:
    """Whether a call is one of the core: a clamp with one bound is."""
    return node.op is not None and (node.op.program is None or None in (node.params.get(b, 0) for b in ("min", "max")))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("name", COMPOSITES)
def test_a_composite_gives_the_same_in_core_ops(name: str, dtype: str) -> None:
    for args, params in OPS[name].samples(np.random.default_rng(0)):
        given = [ml.tensor(np.asarray(a, dtype) if is_float(np.asarray(a).dtype) else a) for a in args]
        graph = of_op(name, given, params)
        core = decompose(graph)
        verify(core)
        assert all(map(simple, core.calls))
        for node in core.calls:
            assert node.op is not None
            if node.op.entrywise:
                assert all(feed.shape == node.shape for feed in node.feeds)
        want, got = evaluate(graph, given), evaluate(core, given)
        assert (got.shape, got.dtype) == (want.shape, want.dtype)
        digits = ULPS.get(name, 0) * float(float_limits(want.dtype).eps) if is_float(want.dtype) else 0
        np.testing.assert_allclose(got.numpy().astype("float64"), want.numpy().astype("float64"), rtol=digits)


def test_large_and_infinite_numbers() -> None:
    x = ml.tensor([[1000.0, -1000.0, 0.0], [-np.inf, 0.0, -np.inf], [-np.inf, -np.inf, -np.inf]], dtype=ml.float64)
    for fn in (lambda x: x.logsumexp(1), lambda x: x[:2].softmax(1), lambda x: x[:2].softplus(), ml.isinf):
        graph = captured(fn, (x,), {})
        with np.errstate(divide="ignore"):  # log 0, which logsumexp hides
            got = evaluate(decompose(graph), [x])
        np.testing.assert_array_equal(got.numpy(), evaluate(graph, [x]).numpy())


def test_gradients_are_those_of_the_composites_kinks_included() -> None:
    """The norm has slope 0 at 0 by its own rule; √ has none there, so the joint graph is made first."""
    both = joint(captured(lambda x: x.norm() + x.softmax(0)[0], (ml.ones(3),), {}))
    core = optimize_joint(both, ["decompose", "dce"])
    given = [ml.zeros(3), ml.tensor(1.0)]
    (_, want), (_, got) = (flatten(evaluate(j.graph, given))[0] for j in (both, core))
    np.testing.assert_allclose(got.numpy(), want.numpy(), rtol=1e-6)
    assert want.isfinite().all()
