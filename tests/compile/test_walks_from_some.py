"""A walk from some results of a region: for every subset of them it gives what eager gives, bit for bit."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import grad
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.autodiff.partition import default_partition
from minitorch_lab.compiler.autodiff.walked import walk_from
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.passes.functionalise import functionalise
from minitorch_lab.compiler.passes.pipeline import optimize_joint
from minitorch_lab.core.array import is_float
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS
from tests.ops import laws


def subsets(count: int) -> list[tuple[int, ...]]:
    """Every subset with at least one member."""
    return [some for n in range(1, count + 1) for some in combinations(range(count), n)]


def check_walks(fn: Any, arrays: list[Any], cuts: Any = (default_partition,)) -> None:
    """Hold the walk from every subset of the results of `fn` against eager's, bit for bit."""
    traced = ml.jit.trace(fn, *map(ml.tensor, arrays)).graph
    both = optimize_joint(joint(functionalise(traced).graph))
    for parts in [cut(both) for cut in cuts]:
        given = evaluate(parts.forward, [ml.tensor(a) for a in arrays])
        saved = given[len(given) - len(parts.saved) :]
        rng = np.random.default_rng(1)
        cotangents = [ml.tensor(rng.normal(size=t.shape).astype(t.dtype)) for t in both.tangents]
        for asked in subsets(len(both.tangents)):
            walk = walk_from(parts.backward, len(parts.saved), asked)
            found = evaluate(walk.graph, [*(saved[i] for i in walk.saved), *(cotangents[k] for k in asked)])
            ours = dict(zip((both.wanted[k] for k in walk.gradients), found, strict=True))
            theirs = eager_walk(fn, arrays, [both.moving[k] for k in asked], [cotangents[k] for k in asked])
            for i, want in theirs.items():
                np.testing.assert_array_equal(ours[i].numpy(), want.numpy(), strict=True)


def eager_walk(fn: Any, arrays: list[Any], asked: list[int], cotangents: list[Any]) -> dict[int, Any]:
    """The gradients that reach the arguments when eager walks from the results `asked`."""
    leaves = [ml.tensor(a, requires_grad=is_float(a.dtype)) for a in arrays]
    outs = flatten(fn(*leaves))[0]
    floats = {i: x for i, x in enumerate(leaves) if x.requires_grad}
    found = grad([outs[i] for i in asked], list(floats.values()), cotangents, allow_unused=True)
    return {i: g for i, g in zip(floats, found, strict=True) if g is not None}


def samples() -> list[Any]:
    """Every op with every one of its samples of which a derivative can be taken."""
    return [
        pytest.param(op, laws.inputs(args), params, id=f"{op.name}-{k}")
        for op in OPS.values()
        if op.name not in laws.RANDOM
        for k, (args, params) in enumerate(op.samples(np.random.default_rng(0)))
        if laws.moving(op, laws.inputs(args))
    ]


@pytest.mark.parametrize(("op", "args", "params"), samples())
def test_walks_from_any_results_through_any_op(op: Any, args: list[Any], params: dict[str, Any]) -> None:
    arrays = [i for i, a in enumerate(args) if isinstance(a, np.ndarray)]
    live = [arrays.index(i) for i in laws.moving(op, args)]

    def f(*tensors: Any) -> Any:
        given = list(args)
        for i, x in zip(arrays, tensors, strict=True):
            given[i] = x
        out = op(*given, **params)
        return out.sum(), out, tensors[live[-1]] * out.mean()

    check_walks(f, [args[i] for i in arrays])
