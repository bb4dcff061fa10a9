"""Compiled is eager where numbers are special: both zeros with their signs, infinities, NaN, the ends of whole ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.ir.evaluate import evaluate
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.func.trees import flatten
from minitorch_lab.ops.op import OPS, Op
from tests.compile.test_llvm_backend import pure
from tests.ops import laws, specials

# How near the functions of kernels are to NumPy's.
NEAR = {"float32": 1e-5, "float64": 1e-12}
ORDER = {"amax", "amin"}  # which of several zeros is the largest depends on the order in which they are met


def kernels(graph: Any, backend: str) -> Any:
    if backend == "numpy":
        return compile_numpy(graph)
    pytest.importorskip("llvmlite")
    from minitorch_lab.compiler.targets.llvm.backend import compile_llvm

    return compile_llvm(graph)


def same(graph: Any, arrays: list[Any], backend: str, zeros: bool = True) -> None:
    want = flatten(evaluate(graph, [ml.tensor(a) for a in arrays]))[0]
    for a, b in zip(kernels(graph, backend)(*arrays), want, strict=True):
        b = b.numpy()
        wrong = specials.odd(a, b, NEAR.get(b.dtype.name, 0.0), zeros)
        k = tuple(np.argwhere(wrong)[0]) if wrong.any() else ()
        given = [x[k] for x in arrays if x.shape == b.shape]
        assert not wrong.any(), f"{given}: {np.asarray(a)[k]} for {b[k]}, {wrong.sum()} of {wrong.size}"


def graph_of(op: Op, args: list[Any], params: dict[str, Any]) -> Any:
    return pure(lambda *xs: op(*xs, **params), *map(ml.tensor, args))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64"])
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("op", specials.ENTRYWISE, ids=lambda op: op.name)
def test_entry_by_entry(op: Op, backend: str, dtype: str) -> None:
    for args, params in specials.entrywise(op, dtype):
        try:
            graph = graph_of(op, args, params)
        except ml.errors.MinitorchError:  # not for whole numbers, or not by 0
            return
        same(graph, args, backend)


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("op", [op for op in specials.ENTRYWISE if any(op.vjp)], ids=lambda op: op.name)
def test_gradients_entry_by_entry(op: Op, backend: str) -> None:
    for args, params in specials.entrywise(op, "float64", np.array(specials.NUMBERS)):
        live = laws.moving(op, args)
        graph = graph_of(op, args, params)
        both = joint(graph, tuple(live)).graph
        for u in (1.0, np.inf, np.nan):
            arrays = [*args, *(np.full(t.shape, u, t.dtype) for t in both.placeholders[len(args) :])]
            same(both, arrays, backend, zeros=False)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("op", [op for op in OPS.values() if op.reduces or op.moves], ids=lambda op: op.name)
def test_reductions_and_moves(op: Op, backend: str, dtype: str) -> None:
    if op.gives == "dtype":
        return
    for args, params in specials.with_one(op, [np.nan, np.inf, -0.0], dtype):
        arrays = [np.asarray(a) for a in args]
        if all(a.size for a in arrays):
            same(graph_of(op, arrays, params), arrays, backend, zeros=op.name not in ORDER)
