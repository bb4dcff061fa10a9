"""Normalisation: entries are moved and scaled to mean 0 and variance 1, over axes that differ from norm to norm."""

from __future__ import annotations

from math import gcd, prod
from typing import Any

from ..core.array import Array, Shape, float_limits, is_float, solid, xp
from ..errors import ArgumentError, DTypeError, ShapeError
from .axes import entries
from .batching import axis_moved
from .broadcast import sum_op
from .elementwise import add, div, mul, sqrt
from .families import only_floats, same_shape
from .front import taught
from .movement import reshape_op
from .narrow import rounded_once
from .op import Op, Sample, rule
from .precision import runs_in
from .prose import Prose
from .reduce import mean_op, var_op

Axes = tuple[int, ...]


def standardize_impl(x: Array, axis: Axes, eps: float) -> Array:
    """(x - mean) / √(variance + eps)."""
    weight = x.dtype.type(1.0 / max(entries(x.shape, axis), 1))
    centred = solid(x - xp.add.reduce(x, axis, keepdims=True) * weight)
    spread = xp.add.reduce(centred * centred, axis, keepdims=True) * weight
    return xp.divide(centred, xp.sqrt(spread + x.dtype.type(eps)), out=centred)


def standardize_pull(g: Any, x: Any, out: Any, *, axis: Axes, eps: float) -> Any:
    """(g - mean(g) - out · mean(g · out)) / √(variance + eps): the part of g along 1 and along `out` does not count."""
    if not prod(x.shape):
        return g
    size = sqrt(var_op(x, axis=axis, keepdims=True, correction=0) + eps)
    along = mean_op(g * out, axis=axis, keepdims=True)
    return (g - mean_op(g, axis=axis, keepdims=True) - out * along) / size


def standardize_jvp(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
    """The Jacobian is symmetric, so the jvp is the vjp."""
    return None if tangents[0] is None else standardize_pull(tangents[0], args[0], out, **params)


def standardize_program(x: Any, *, axis: Axes, eps: float) -> Any:
    """The same in ops."""
    weight = 1.0 / max(entries(x.shape, axis), 1)
    centred = x - sum_op(x, axis=axis, keepdims=True) * weight
    return centred / sqrt(sum_op(centred * centred, axis=axis, keepdims=True) * weight + eps)


def rows(rng: Any) -> list[Sample]:
    """Samples: one axis, several, none of the entries."""
    return [
        ((rng.normal(size=(3, 4)),), {"axis": (1,), "eps": 1e-5}),
        ((rng.normal(size=(2, 3, 4)),), {"axis": (0, 2), "eps": 0.1}),
        ((rng.normal(size=(0, 4)),), {"axis": (1,), "eps": 1e-5}),
    ]


standardize_op = Op(
    name="standardize",
    impl=standardize_impl,
    shape=same_shape,
    vjp=(rule(standardize_pull),),
    samples=rows,
    casts=only_floats("standardize"),
    autocast="full",
    jvp=standardize_jvp,
    batch=axis_moved,
    program=standardize_program,
    prose=Prose(
        why={"out x": "the spread is computed again from the input, the direction is the result"},
        wholes=("what came from above without its mean and its part along {out}, / the spread of {x}",),
    ),
)


def check_floats(name: str, x: Any) -> None:
    """Refuse an input of whole numbers.

    Raises:
        DTypeError: It holds no floats.
    """
    if not is_float(x.dtype):
        raise DTypeError(
            f"{name} got an input of dtype {x.dtype}.",
            "What has mean 0 and variance 1 is not whole: the input holds floats.",
            "Did you mean x.float()?",
        )


def affine(x: Any, weight: Any, bias: Any) -> Any:
    """x · weight + bias, either of which may be None."""
    scaled = x if weight is None else mul(x, weight)
    return scaled if bias is None else add(scaled, bias)


def normalized_axes(name: str, shape: Shape, normalized_shape: Any) -> Axes:
    """The last axes, whose lengths must be `normalized_shape`.

    Raises:
        ShapeError: They are not.
    """
    wanted = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
    n = len(wanted)
    if not n or shape[-n:] != wanted:
        raise ShapeError(
            f"{name} got an input of shape {shape} and normalized_shape={wanted}.",
            "normalized_shape names the lengths of the last axes, at least of one.",
            f"Did you mean normalized_shape={shape[-max(n, 1) :]}?" if shape else "Give the input an axis.",
        )
    return tuple(range(len(shape) - n, len(shape)))


@taught
@runs_in("full")
@rounded_once
def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Each example with mean 0 and variance 1 over its last axes, then times `weight` plus `bias`.

    Shape:
        input (..., *normalized_shape), weight and bias of `normalized_shape`; the result is like the input.
        (J. Ba, J. Kiros and G. Hinton, Layer Normalization, 2016.)

    Raises:
        ShapeError: The last axes are not `normalized_shape`.
        DTypeError: The input does not hold floats.

    Example:
        >>> import minitorch_lab as ml
        >>> layer_norm(ml.tensor([1.0, 2.0, 3.0]), 3, eps=0.0)
        tensor([-1.2247,  0.0000,  1.2247])
    """
    check_floats("layer_norm", input)
    axis = normalized_axes("layer_norm", tuple(input.shape), normalized_shape)
    return affine(standardize_op(input, axis=axis, eps=eps), weight, bias)


@taught
@runs_in("full")
@rounded_once
def rms_norm(input: Any, normalized_shape: Any, weight: Any = None, eps: float | None = None) -> Any:
    """Each example divided by its root mean square over the last axes, then times `weight`.

    Shape:
        input (..., *normalized_shape), weight of `normalized_shape`; the result is like the input. Without `eps` it is
        the spacing of the dtype at 1. (B. Zhang and R. Sennrich, Root Mean Square Layer Normalization, 2019.)

    Raises:
        ShapeError: The last axes are not `normalized_shape`.
        DTypeError: The input does not hold floats.

    Example:
        >>> import minitorch_lab as ml
        >>> rms_norm(ml.tensor([3.0, 4.0]), 2)
        tensor([0.8485, 1.1314])
    """
    check_floats("rms_norm", input)
    axis = normalized_axes("rms_norm", tuple(input.shape), normalized_shape)
    square = mean_op(mul(input, input), axis=axis, keepdims=True)
    tiny = float(float_limits(input.dtype).eps) if eps is None else eps
    return affine(div(input, sqrt(add(square, tiny))), weight, None)


def along_channels(v: Any, ndim: int) -> Any:
    """One number per channel, shaped to meet an input (batch, channels, ...)."""
    return None if v is None else reshape_op(v, shape=(*v.shape, *(1,) * (ndim - 2)))


@taught
@runs_in("full")
@rounded_once
def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Each group of channels of each example with mean 0 and variance 1, then times `weight` plus `bias` by channel.

    Shape:
        input (batch, channels, ...), weight and bias (channels,); the result is like the input.
        (Y. Wu and K. He, Group Normalization, 2018.)

    Raises:
        ShapeError: There is no axis of channels, or `num_groups` does not divide it.
        DTypeError: The input does not hold floats.

    Example:
        >>> import minitorch_lab as ml
        >>> group_norm(ml.tensor([[1.0, 3.0, 10.0, 30.0]]), 2, eps=0.0).tolist()
        [[-1.0, 1.0, -1.0, 1.0]]
    """
    check_floats("group_norm", input)
    shape = tuple(input.shape)
    if len(shape) < 2 or num_groups < 1 or shape[1] % num_groups:
        raise ShapeError(
            f"group_norm got an input of shape {shape} and num_groups={num_groups}.",
            "Axis 1 counts the channels, and num_groups divides it.",
            f"Did you mean num_groups={gcd(max(num_groups, 1), shape[1])}? It divides {shape[1]}."
            if len(shape) > 1 and (weight is None or tuple(weight.shape) == shape[1:2])
            else "Compare axis 1 with num_channels, for which the layer was made.",
        )
    split = reshape_op(input, shape=(shape[0], num_groups, prod(shape[1:]) // num_groups))
    even = reshape_op(standardize_op(split, axis=(2,), eps=eps), shape=shape)
    return affine(even, along_channels(weight, len(shape)), along_channels(bias, len(shape)))


def channel_axes(name: str, shape: Shape) -> Axes:
    """All axes but that of the channels.

    Raises:
        ShapeError: There is no axis of channels.
    """
    if len(shape) < 2:
        raise ShapeError(
            f"{name} got an input of shape {shape}.",
            "It takes (batch, channels, ...).",
            f"Did you mean x.{'unsqueeze(0)' if shape else 'reshape(1, 1)'}?",
        )
    return (0, *range(2, len(shape)))


@taught
@rounded_once
def batch_standardize(input: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    """Each channel with mean 0 and variance 1 over the batch and all places: batch normalisation in training.

    Shape:
        input (batch, channels, ...), weight and bias (channels,); the result is like the input.
        (S. Ioffe and C. Szegedy, Batch Normalization, 2015.)

    Raises:
        ShapeError: There is no axis of channels.
        ArgumentError: There is one entry per channel: its variance means nothing.

    Example:
        >>> import minitorch_lab as ml
        >>> batch_standardize(ml.tensor([[1.0], [3.0]]), eps=0.0).tolist()
        [[-1.0], [1.0]]
    """
    check_floats("batch_norm", input)
    shape = tuple(input.shape)
    axis = channel_axes("batch_norm", shape)
    if entries(shape, axis) == 1:
        raise ArgumentError(
            f"batch_norm got an input of shape {shape} in training.",
            "The variance of a channel needs more than one entry per channel.",
            "Did you mean model.eval(), or a larger batch?",
        )
    even = standardize_op(input, axis=axis, eps=eps)
    return affine(even, along_channels(weight, len(shape)), along_channels(bias, len(shape)))
