"""The laws of element types: what must hold for every op in every dtype. Each raises AssertionError."""

from __future__ import annotations

from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.compiler.ir.fake import facts_of, foretold
from minitorch_lab.core.array import is_float
from minitorch_lab.errors import DTypeError
from minitorch_lab.ops.op import Op

from . import laws

# How far a result may be from the exact one: relative, and relative to the largest entry (at least 1),
# for what is the small rest of larger numbers.
#   float16    10 bits of mantissa: one rounding is 2**-11 at most; a rule reads outputs that were rounded before, and
#              what stretched is rounded before and after it is summed, so gradients get four of them
#   bfloat16   7 bits: the same with 2**-8
#   float32    23 bits: one rounding is 2**-24, and an op makes many
#   float64    52 bits: likewise
VALUE = {
    "float16": (1.01 * 2**-11, 2e-6),
    "bfloat16": (1.01 * 2**-8, 2e-6),
    "float32": (2e-5, 2e-6),
    "float64": (1e-9, 1e-12),
}
GRADIENT = {
    "float16": (2**-9, 2**-10),
    "bfloat16": (2**-6, 2**-7),
    "float32": (1e-4, 1e-5),
    "float64": (1e-9, 1e-12),
}
FLOATS = ("float16", "bfloat16", "float32", "float64")
NARROW = ("float16", "bfloat16")
WHOLE = ("int8", "int16", "int32", "int64", "uint8", "bool")

NO_TRUTH_VALUES = {
    "add_scaled", "sub", "neg", "abs", "relu", "clamp", "clamp_between", "matmul",
    "linear", "floor", "ceil", "trunc", "round", "floor_divide", "remainder", "fmod",
}  # fmt: skip
# factorizations, which PyTorch refuses in two bytes as well
NO_NARROW = {
    "solve", "solve_triangular", "inv", "det", "det_sign", "logabsdet", "cholesky", "eigh", "qr", "svd",
    "completion", "pinv",
}  # fmt: skip

# ops that have no value for whole numbers: taught errors
NO_WHOLE = {
    "mean",
    "weights",
    "probabilities",
    "var",
    "std",
    "standardize",
    "cross_entropy",
    "norm",
    "power_norm",
    "linear",
} | NO_NARROW
# ops for whole numbers of which PyTorch's CPU has no kernel; ours give float32
NO_KERNEL = {
    "softplus", "silu", "gelu", "gelu_slope", "hardswish", "softmax", "log_softmax", "mse_loss", "fold", "hypot",
    "logaddexp", "logaddexp2", "logcumsumexp",
}  # fmt: skip
# The same, for truth values; ours count False as 0, and shift whole numbers alone.
NO_BOOL_KERNEL = {"argmax", "argmin", "searchsorted", "median", "bitwise_left_shift", "bitwise_right_shift"}


def close(got: Any, want: Any, tolerance: tuple[float, float], note: str = "") -> None:
    """Whether an array of any dtype is near enough to one of float64."""
    got = np.asarray(got)
    got = got.astype("float64") if is_float(got.dtype) else got
    scale = max(1.0, float(np.abs(want).max(initial=0.0)))
    np.testing.assert_allclose(got, want, rtol=tolerance[0], atol=tolerance[1] * scale, err_msg=note)


def exact(args: list[Any]) -> list[Any]:
    """The same numbers in float64."""
    return [a.astype("float64") if isinstance(a, np.ndarray) and is_float(a.dtype) else a for a in args]


def told(op: Op, args: list[Any], params: dict[str, Any]) -> Any:
    """The dtype that a capture foretells."""
    return foretold(op, tuple(facts_of(a) if isinstance(a, np.ndarray) else a for a in args), params).dtype


def cotangent(like: np.ndarray, dtype: str) -> np.ndarray:
    """Normal deviates of the shape of `like`, as `dtype` holds them."""
    return np.random.default_rng(7).normal(size=like.shape).astype(dtype)


def rounds_once(op: Op, args: list[Any], params: dict[str, Any], dtype: str) -> None:
    """The value is the exact one, rounded once; the gradients are near the exact ones; both have the dtype."""
    narrow = laws.inputs(tuple(args), dtype)
    got, want = laws.value(op, narrow, params), laws.value(op, exact(narrow), params)
    close(got, want, VALUE[dtype])
    assert got.dtype == told(op, narrow, params)
    assert not is_float(got.dtype) or got.dtype == dtype or op.name == "cast"
    if not laws.moving(op, narrow):
        return
    u = cotangent(got, dtype).astype(got.dtype)
    grads = laws.gradients(op, narrow, params, u), laws.gradients(op, exact(narrow), params, u.astype("float64"))
    for i, (a, b) in enumerate(zip(*grads, strict=True)):
        assert a.dtype == dtype
        close(a, b, GRADIENT[dtype], f"input {i}")


def rounds_twice(op: Op, args: list[Any], params: dict[str, Any], dtype: str) -> None:
    """The walk with create_graph and the jvp: near what float64 gives, and of the dtype."""
    found = []
    for given in (narrow := laws.inputs(tuple(args), dtype), exact(narrow)):
        live, leaves = laws.moving(op, given), laws.tensors(op, given, True)
        out = op(*leaves, **params)
        out.backward(ml.tensor(cotangent(out.detach().value, dtype).astype(out.dtype)), create_graph=True)
        firsts = [leaves[i].grad for i in live]
        for i in live:
            leaves[i].grad = None
        total = sum(((g * g).sum() for g in firsts), ml.tensor(0.0, dtype=given[live[0]].dtype))
        if total.requires_grad:
            total.backward()
        seconds = [np.zeros_like(given[i]) if leaves[i].grad is None else leaves[i].grad.value for i in live]
        found.append([*(g.detach().value for g in firsts), *seconds, tangent(op, given, params, dtype)])
    for a, b in zip(*found, strict=True):
        assert a.dtype == dtype or op.name == "cast"
        close(a, b, (8 * GRADIENT[dtype][0], 16 * GRADIENT[dtype][1]))


def tangent(op: Op, args: list[Any], params: dict[str, Any], dtype: str) -> np.ndarray:
    """The jvp of `op` along fixed tangents, which `dtype` holds exactly."""
    live = laws.moving(op, args)
    ts = [ml.tensor(cotangent(args[i], dtype).astype(args[i].dtype)) for i in live]

    def whole(*xs: Any) -> Any:
        return op(
            *(xs[live.index(i)] if i in live else a for i, a in enumerate(laws.tensors(op, args, False))), **params
        )

    return np.asarray(ml.func.jvp(whole, [ml.tensor(args[i]) for i in live], ts)[1].value)


# ---- whole numbers --------------------------------------------------------------------------------------------------


def counted(a: Any, dtype: str) -> Any:
    """A sample's real input as small whole numbers from 0 up; indices and truth values stay."""
    a = laws.plain(a)
    if isinstance(a, np.ndarray) and a.dtype.kind == "f":
        return np.abs(np.rint(3 * np.where(np.isfinite(a), a, 0.0))).astype("int64").astype(dtype)
    if isinstance(a, np.ndarray):
        return a
    return a if isinstance(a, int) else int(abs(a)) + 1


def whole_samples(op: Op, args: Any, params: dict[str, Any], dtype: str) -> tuple[list[Any], dict[str, Any]]:
    """A sample in whole numbers, its parameters too."""
    return [counted(a, dtype) for a in args], {
        k: int(abs(v)) + 1 if isinstance(v, float) and k != "eps" else v for k, v in params.items()
    }


def only_floats(op: Op, args: Any, params: dict[str, Any]) -> bool:
    """Whether the op refuses whole numbers, with a taught error."""
    given, fixed = whole_samples(op, args, params, "int64")
    try:
        laws.value(op, given, fixed)
    except DTypeError:
        return True
    return False


def refused(op: Op, args: Any, params: dict[str, Any], dtype: str) -> bool:
    """Whether the op means nothing for this dtype: what refuses int64 refuses all whole numbers."""
    two = op.name == "pow" and all(isinstance(laws.plain(a), np.ndarray) for a in args)
    return (dtype == "bool" and (op.name in NO_TRUTH_VALUES or two)) or only_floats(op, args, params)


def counts(op: Op, args: Any, params: dict[str, Any], dtype: str) -> None:
    """In short whole numbers an op gives what it gives in int64, wrapped around; where it gives floats, float32."""
    given, fixed = whole_samples(op, args, params, dtype)
    got = laws.value(op, given, fixed)
    assert got.dtype == told(op, given, fixed)
    wide = "float32" if is_float(got.dtype) and op.name != "cast" else "int64"
    real = [getattr(laws.plain(a), "dtype", 0) is not np.dtype(bool) for a in args]  # a condition stays one
    pairs = zip(given, real, strict=True)
    widened = [a.astype(wide) if r and getattr(a, "dtype", None) == dtype else a for a, r in pairs]
    want = laws.value(op, widened, fixed)
    if is_float(got.dtype):
        assert got.dtype == want.dtype == (fixed["dtype"] if op.name == "cast" else "float32")
        np.testing.assert_allclose(got, want, rtol=1e-6)
        return
    np.testing.assert_array_equal(got, want.astype(got.dtype))
