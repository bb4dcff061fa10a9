"""Decompose: composite ops become programs of a small core of ops, so that a backend has few to know.

The core is functional, and says what others leave unsaid: an input that would be stretched is expanded, one that would
be converted is cast. Run it on a joint graph: the gradients are then those of the composite ops, kinks included.
After PyTorch's Core ATen operator set.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf, nan
from typing import Any

from ...array import DType, Shape, float32
from ...ops.axes import entries, numel, reduced
from ...ops.broadcast import expand_op, sum_op
from ...ops.clamp import clamp_op
from ...ops.closeness import isfinite
from ...ops.compare import where
from ...ops.elementwise import abs as size_of
from ...ops.elementwise import erf, exp, log, log1p, maximum, minimum, relu, sqrt
from ...ops.indexing import gather_op
from ...ops.linalg import matmul
from ...ops.loss import share
from ...ops.movement import cast, clone, permute_op, reshape_op
from ...ops.narrow import narrow_dtype
from ...ops.reduce import amax_op, degrees
from ...ops.special import SQRT_HALF
from ..graph import Graph, Node
from ..rewrite import Found, Rewriter, Tally

Axes = tuple[int, ...]


def decompose(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph in core ops.

    Example:
        >>> import minitorch_lab as ml
        >>> decompose(ml.jit.trace(lambda x, w, b: ml.nn.functional.linear(x, w, b).softmax(1),
        ...                        ml.ones(4, 3), ml.ones(2, 3), ml.ones(2)).graph)
        graph(x: f32[4, 3], w: f32[2, 3], b: f32[2]):
            permute: f32[3, 2] = permute(w, axes=(1, 0))
            matmul: f32[4, 2] = matmul(x, permute)
            expand: f32[4, 2] = expand(b, shape=(4, 2))
            add: f32[4, 2] = add(matmul, expand)
            amax: f32[4, 1] = amax(add, axis=(1,), keepdims=True)
            expand_1: f32[4, 2] = expand(amax, shape=(4, 2))
            sub: f32[4, 2] = sub(add, expand_1)
            exp: f32[4, 2] = exp(sub)
            sum: f32[4, 1] = sum(exp, axis=(1,), keepdims=True)
            expand_2: f32[4, 2] = expand(sum, shape=(4, 2))
            div: f32[4, 2] = div(exp, expand_2)
            return div
    """
    return Explicit(Lowering(graph, tally).rewritten(), tally).rewritten()


class Lowering(Rewriter):
    """Runs the rules of composite ops."""

    made_by = "decompose"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The program of the op, lowered as far as it goes."""
        assert node.op is not None
        program = RULES.get(node.op.name)
        if program is None or (node.op.name == "clamp" and None in node.params.values()):
            return None
        program = in_float32(program, node.dtype) if narrow_dtype(inputs) else program
        return node.op.name, self.emit(program, *inputs, **node.params)


def in_float32(program: Callable[..., Any], dtype: DType) -> Callable[..., Any]:
    """`program` on inputs of two bytes: as the op itself, it computes in float32, and rounds once, at the end."""

    def wide(*inputs: Any, **params: Any) -> Any:
        out = program(*(cast(i, dtype=float32) if narrow_dtype((i,)) else i for i in inputs), **params)
        return cast(out, dtype=dtype) if out.dtype == float32 else out

    return wide


class Explicit(Rewriter):
    """Expands what an entry-by-entry op would stretch."""

    made_by = "decompose"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The op of inputs of one shape."""
        assert node.op is not None
        op, shape = node.op, node.shape
        if op.name not in ENTRYWISE or not any(stretched(i, shape) for i in inputs):
            return None
        even = [self.emit(expand_op, i, shape=shape) if stretched(i, shape) else i for i in inputs]
        return "expand", self.emit(op, *even, **node.params)


def stretched(x: Any, shape: Shape) -> bool:
    """Whether `x` is a tensor that has to be stretched. A number is not: it takes the dtype that it meets."""
    return isinstance(x, Node) and not x.facts.number and x.shape != shape


# ---- the core -------------------------------------------------------------------------------------------------------

ENTRYWISE = {
    "add", "sub", "mul", "div", "neg", "pow", "abs", "sign", "sqrt", "exp", "log", "log1p", "expm1", "sin", "cos",
    "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "sigmoid",
    "relu", "clamp", "maximum", "minimum", "floor", "ceil", "trunc", "round", "fmod", "remainder", "floor_divide",
    "where", "eq", "ne", "lt", "le", "gt", "ge", "logical_and", "logical_or", "logical_xor", "logical_not", "isnan",
    "isfinite", "bitwise_and", "bitwise_or", "bitwise_xor", "bitwise_not", "bitwise_left_shift", "bitwise_right_shift",
    "exp2", "log2", "log10", "hypot", "nan_to_num",
}  # fmt: skip
MOVEMENT = {
    "reshape", "permute", "expand", "flip", "clone", "contiguous", "detach", "cast", "transfer", "cat", "pad",
    "getitem", "setitem", "additem", "gather", "scatter", "scatter_add", "window", "fold", "diagonal",
    "diagonal_laid", "tril", "triu",
}  # fmt: skip
REDUCTIONS = {"sum", "prod", "amax", "amin", "argmax", "argmin", "any", "all"}
SOURCES = {"full", "arange", "uniform", "normal", "integers", "permutation", "keyed_uniform"}
OTHERS = {
    "matmul", "one_hot", "cumsum", "cumprod", "cummax", "cummin", "logcumsumexp", "argsort", "searchsorted",
    "recurrence",
}  # fmt: skip
CORE = ENTRYWISE | MOVEMENT | REDUCTIONS | SOURCES | OTHERS  # factors of matrices and the like stay as they are

# ---- composite ops as programs: two lines each, that call core ops and each other -----------------------------------


def mean(x: Any, *, axis: Axes, keepdims: bool) -> Any:
    """Σ x / n."""
    count = entries(x.shape, axis)
    return sum_op(x, axis=axis, keepdims=keepdims) * (1.0 / count if count else nan)


def var(x: Any, *, axis: Axes, keepdims: bool, correction: float) -> Any:
    """Σ (x - mean)² / (n - correction)."""
    centred = x - mean(x, axis=axis, keepdims=True)
    return sum_op(centred * centred, axis=axis, keepdims=keepdims) * degrees(x.shape, axis, correction)


def std(x: Any, *, axis: Axes, keepdims: bool, correction: float) -> Any:
    """√ of the variance."""
    return sqrt(var(x, axis=axis, keepdims=keepdims, correction=correction))


def standardize(x: Any, *, axis: Axes, eps: float) -> Any:
    """(x - mean) / √(variance + eps)."""
    weight = 1.0 / max(entries(x.shape, axis), 1)
    centred = x - sum_op(x, axis=axis, keepdims=True) * weight
    return centred / sqrt(sum_op(centred * centred, axis=axis, keepdims=True) * weight + eps)


def norm(x: Any, *, axis: Axes, keepdims: bool) -> Any:
    """√Σ x²."""
    return sqrt(sum_op(x * x, axis=axis, keepdims=keepdims))


def shifted(x: Any, axis: Axes) -> Any:
    """x - max x: exp of it cannot overflow."""
    return x - amax_op(x, axis=axis, keepdims=True)


def softmax(x: Any, *, axis: Axes) -> Any:
    """eˣ / Σ eˣ."""
    if not numel(x.shape):
        return clone(x)
    e = exp(shifted(x, axis))
    return e / sum_op(e, axis=axis, keepdims=True)


def log_softmax(x: Any, *, axis: Axes) -> Any:
    """x - log Σ eˣ."""
    if not numel(x.shape):
        return clone(x)
    moved = shifted(x, axis)
    return moved - log(sum_op(exp(moved), axis=axis, keepdims=True))


def logsumexp(x: Any, *, axis: Axes, keepdims: bool) -> Any:
    """log Σ eˣ. Where the largest entry is infinite nothing is taken away."""
    if not entries(x.shape, axis):
        return log(sum_op(exp(x), axis=axis, keepdims=keepdims))
    top = amax_op(x, axis=axis, keepdims=True)
    top = where(isfinite(top), top, 0.0)
    total = log(sum_op(exp(x - top), axis=axis, keepdims=True)) + top
    return reshape_op(total, shape=reduced(x.shape, axis=axis, keepdims=keepdims))


def summarised(losses: Any, reduction: str) -> Any:
    """The losses of a batch as one number, or as they are."""
    if reduction == "none":
        return losses
    total, count = sum_op(losses, axis=tuple(range(len(losses.shape))), keepdims=False), numel(losses.shape)
    return total * (share(reduction, count) if count or reduction == "sum" else nan)


def cross_entropy(x: Any, target: Any, *, reduction: str) -> Any:
    """log Σ eˣ - x[target], row by row."""
    moved = shifted(x, (1,)) if numel(x.shape) else x
    chosen = gather_op(moved, reshape_op(target, shape=(x.shape[0], 1)), axis=1)
    losses = log(sum_op(exp(moved), axis=(1,), keepdims=False)) - reshape_op(chosen, shape=target.shape)
    return summarised(losses, reduction)


def mse_loss(x: Any, y: Any, *, reduction: str) -> Any:
    """(x - y)²."""
    difference = x - y
    return summarised(difference * difference, reduction)


def linear(x: Any, w: Any, b: Any = None) -> Any:
    """x @ wᵀ + b."""
    out = matmul(x, permute_op(w, axes=(1, 0)))
    return out if b is None else out + b


def clamp(x: Any, *, min: float, max: float) -> Any:
    """The lower bound, then the upper one."""
    return clamp_op(clamp_op(x, min=min, max=None), min=None, max=max)


def logaddexp(x: Any, y: Any) -> Any:
    """The larger one, and log(1 + e to the minus distance) on top; the distance of two equal infinities is 0."""
    distance = where(x == y, 0.0, size_of(x - y))
    return where(x > y, x, y) + log1p(exp(-distance))


RULES: dict[str, Callable[..., Any]] = {
    "mean": mean,
    "var": var,
    "std": std,
    "standardize": standardize,
    "norm": norm,
    "softmax": softmax,
    "log_softmax": log_softmax,
    "logsumexp": logsumexp,
    "cross_entropy": cross_entropy,
    "mse_loss": mse_loss,
    "linear": linear,
    "clamp": clamp,
    "clamp_min": lambda x, y: maximum(x, y),
    "clamp_max": lambda x, y: minimum(x, y),
    "clamp_between": lambda x, y, z: minimum(maximum(x, y), z),
    "logaddexp": logaddexp,
    "softplus": lambda x: relu(x) + log1p(exp(-size_of(x))),
    "gelu": lambda x: x * ((erf(x * SQRT_HALF) + 1.0) * 0.5),
    "hardsigmoid": lambda x: clamp_op(clamp_op(x + 3.0, min=0.0, max=None), min=None, max=6.0) / 6.0,
    "add_scaled": lambda x, y, *, alpha: x + y * alpha,
    "square": lambda x: x * x,
    "reciprocal": lambda x: 1.0 / x,
    "rsqrt": lambda x: 1.0 / sqrt(x),
    "isinf": lambda x: size_of(x) == inf,
}
