"""Convolutions in one or two dimensions, as one matrix product over sliding windows (im2col).

K. Chellapilla, S. Puri and P. Simard, High Performance Convolutional Neural Networks for Document Processing, 2006.
The windows are a strided view; laid out as columns they are copied once, and the rest is a product of matrices. Nothing
here is an op of its own, so gradients of any order, jvp and vmap follow from the parts.
"""

from __future__ import annotations

from difflib import get_close_matches
from math import prod
from typing import Any

from ..core.array import Shape
from ..errors import ArgumentError, DTypeError, ShapeError
from .elementwise import add
from .front import taught
from .indexing import getitem_op
from .join import Pairs, pad_op
from .linalg import as_parameters, matmul
from .meant import shown
from .movement import in_row_order, permute_op, reshape_op
from .precision import runs_in
from .refit import as_batch
from .window import Ints, fold_op, span, window_op


def per_axis(name: str, value: Any, n: int, least: int) -> Ints:
    """A setting for each of `n` axes; one number stands for all.

    Raises:
        ArgumentError: It is not one whole number, or `n` of them, of at least `least`.
    """
    found = tuple(value) if isinstance(value, (tuple, list)) else (value,) * n
    if len(found) != n or any(not isinstance(v, int) or v < least for v in found):
        raise ArgumentError(
            f"A window over {n} {'axis' if n == 1 else 'axes'} got {name}={shown(value)}.",
            f"{name} is a whole number of at least {least}, or a tuple with one for each of the {n}.",
            f"Did you mean {name}={nearest_setting(value, n, least)}?",
        )
    return found


def nearest_setting(value: Any, n: int, least: int) -> Any:
    """The whole number, or the tuple of them, that comes nearest to what was given."""
    if isinstance(value, (tuple, list)):
        whole = [v for v in value if isinstance(v, int) and v >= least]
        return tuple(whole[:n]) if len(whole) >= n else max(1, least)
    return max(int(value) if str(value).replace(".0", "").isdigit() else 1, least)


def framed(x: Any, pairs: Pairs, value: float) -> Any:
    """`x` with so many entries of `value` before and after its last axes."""
    if not any(map(any, pairs)):
        return x
    return pad_op(x, widths=(*((0, 0),) * (len(x.shape) - len(pairs)), *pairs), value=value)


def known_padding(padding: Any, n: int) -> Any:
    """A padding as one number for each of `n` axes, or as its name.

    Raises:
        ArgumentError: It is neither whole numbers nor "valid" nor "same".
    """
    if not isinstance(padding, str):
        return per_axis("padding", padding, n, 0)
    if padding not in ("same", "valid"):
        near = next(iter(get_close_matches(padding.lower(), ("same", "valid"), 1)), "same")
        raise ArgumentError(
            f"A convolution got padding={padding!r}.",
            'padding is "same" (as many places as entries), "valid" (none), or whole numbers of at least 0.',
            f"Did you mean padding={int(padding) if padding.isdecimal() else repr(near)}?",
        )
    return padding


def borders(padding: Any, n: int, reach: Ints, step: Ints) -> Pairs:
    """How much is put before and after each axis, for windows that reach over `reach` entries.

    Raises:
        ArgumentError: It is neither whole numbers nor "valid" (none) nor "same" (as many places as entries).
    """
    if padding == "valid":
        return ((0, 0),) * n
    found = known_padding(padding, n)
    if found != "same":
        return tuple((p, p) for p in found)
    if any(s != 1 for s in step):
        raise ArgumentError(
            f'A convolution got padding="same" and stride={step}.',
            "There are as many places as entries only if the window moves by 1.",
            f"Did you mean padding={tuple((r - 1) // 2 for r in reach)}?",
        )
    return tuple(((r - 1) // 2, r // 2) for r in reach)


def last_axes(x: Any, n: int) -> Ints:
    """The numbers of the last `n` axes."""
    return tuple(range(len(x.shape) - n, len(x.shape)))


def check(name: str, x: Shape, w: Shape, n: int, groups: int, channels: int) -> None:
    """Refuse an input and a weight that do not fit; `channels` is how many the weight expects.

    Raises:
        ShapeError: Wrong ranks, or wrong numbers of channels or groups.
    """
    if len(w) != n + 2 or len(x) not in (n + 1, n + 2):
        lengths = ("length", "height, width", "depth, height, width")[n - 1]
        raise ShapeError(
            f"{name} got an input of shape {x} and a weight of shape {w}.",
            f"It takes an input (batch, channels, {lengths}) and a weight with {n + 2} axes.",
            as_batch(x, n, channels) if len(w) == n + 2 else f"Give the weight {n + 2} axes.",
        )
    if x[-n - 1] != channels or groups < 1 or channels % groups or w[0] % groups:
        raise ShapeError(
            f"{name} got an input of shape {x} with {counted(x[-n - 1])}, a weight of shape {w} and groups={groups}.",
            f"This weight takes {counted(channels)}, and groups divides the channels on both sides.",
            channels_hint(x, n, channels),
        )


def counted(channels: int) -> str:
    """So many channels, in words."""
    return f"{channels} channel{'s' * (channels != 1)}"


def channels_hint(x: Shape, n: int, channels: int) -> str:
    """How to bring an input of shape `x` to so many channels, before its last `n` axes."""
    if channels in x[-n:]:
        batch = len(x) - n - 1
        last = max(i for i, length in enumerate(x) if length == channels)
        order = (*range(batch), last, *(i for i in range(batch, len(x)) if i != last))
        behind = ("the length", "height and width", "the rest")[n - 1]
        return f"Did you mean x.permute{order}? Channels come before {behind}."
    if len(x) == n + 1 and channels == 1:
        return "Did you mean x.unsqueeze(1)? It adds an axis for one channel."
    return f"Did you mean in_channels={x[-n - 1]}, or another input?"


def with_bias(out: Any, bias: Any, n: int) -> Any:
    """Add one number to each channel.

    Raises:
        ShapeError: There is not one for each.
        DTypeError: They have another dtype.
    """
    if bias is None:
        return out
    if bias.dtype != out.dtype:
        raise DTypeError(
            f"A convolution of {out.dtype} got a bias of {bias.dtype}.",
            "Input, weight and bias have one dtype.",
            f"Did you mean bias.to(ml.{out.dtype})?",
        )
    if tuple(bias.shape) != (out.shape[1],):
        raise ShapeError(
            f"A convolution with {out.shape[1]} channels going out got a bias of shape {tuple(bias.shape)}.",
            f"The bias has one number for each of them: shape {(out.shape[1],)}.",
            "Did you mean bias=None?",
        )
    return add(out, reshape_op(bias, shape=(*bias.shape, *(1,) * n)))


def columns(x: Any, groups: int, n: int) -> Any:
    """Windows (batch, channels, *places, *kernel) as (groups, channels/groups · kernel, batch · places)."""
    batch, channels, *rest = x.shape
    places, kernel = rest[:n], rest[n:]
    split = reshape_op(x, shape=(batch, groups, channels // groups, *rest))
    order = (1, 2, *range(3 + n, 3 + 2 * n), 0, *range(3, 3 + n))
    rows = channels // groups * prod(kernel)
    return reshape_op(permute_op(split, axes=order), shape=(groups, rows, batch * prod(places)))


def convolved(name: str, x: Any, w: Any, bias: Any, n: int, settings: tuple[Any, Any, Any, int]) -> Any:
    """A convolution over the last `n` axes: settings are stride, padding, dilation and groups."""
    stride, padding, dilation, groups = settings
    check(name, tuple(x.shape), tuple(w.shape), n, groups, w.shape[1] * groups)
    as_parameters(name)(x, w, *(() if bias is None else (bias,)))
    if len(x.shape) == n + 1:
        return convolved(name, reshape_op(x, shape=(1, *x.shape)), w, bias, n, settings)[0]
    step, every = per_axis("stride", stride, n, 1), per_axis("dilation", dilation, n, 1)
    kernel = tuple(w.shape[2:])
    x = framed(x, borders(padding, n, tuple(map(span, kernel, every)), step), 0.0)
    seen = window_op(x, axis=last_axes(x, n), size=kernel, step=step, dilation=every)
    places = tuple(seen.shape[2 : 2 + n])
    batch, out = x.shape[0], w.shape[0]
    filters = reshape_op(w, shape=(groups, out // groups, w.shape[1] * prod(kernel)))
    product = matmul(filters, columns(seen, groups, n))
    apart = permute_op(reshape_op(product, shape=(out, batch, *places)), axes=(1, 0, *range(2, 2 + n)))
    return with_bias(in_row_order(apart), bias, n)


def spread(name: str, x: Any, w: Any, bias: Any, n: int, settings: tuple[Any, ...]) -> Any:
    """A transposed convolution: settings are stride, padding, output_padding, groups and dilation."""
    stride, padding, output_padding, groups, dilation = settings
    check(name, tuple(x.shape), tuple(w.shape), n, groups, w.shape[0])
    as_parameters(name)(x, w, *(() if bias is None else (bias,)))
    if len(x.shape) == n + 1:
        return spread(name, reshape_op(x, shape=(1, *x.shape)), w, bias, n, settings)[0]
    step, every = per_axis("stride", stride, n, 1), per_axis("dilation", dilation, n, 1)
    crop, extra = per_axis("padding", padding, n, 0), per_axis("output_padding", output_padding, n, 0)
    batch, channels, *places = x.shape
    inner, kernel = w.shape[1], tuple(w.shape[2:])
    flat = permute_op(x, axes=(1, 0, *range(2, 2 + n)))
    flat = reshape_op(flat, shape=(groups, channels // groups, batch * prod(places)))
    filters = reshape_op(w, shape=(groups, channels // groups, inner * prod(kernel)))
    product = reshape_op(
        matmul(permute_op(filters, axes=(0, 2, 1)), flat), shape=(groups * inner, *kernel, batch, *places)
    )
    windows = permute_op(product, axes=(1 + n, 0, *range(2 + n, 2 + 2 * n), *range(1, 1 + n)))
    whole = [s * (m - 1) + span(k, d) for m, s, k, d in zip(places, step, kernel, every, strict=True)]
    shape = (batch, groups * inner, *whole)
    out = fold_op(windows, axis=last_axes(x, n), size=kernel, step=step, dilation=every, shape=shape)
    return with_bias(cropped(out, crop, extra), bias, n)


def cropped(x: Any, crop: Ints, extra: Ints) -> Any:
    """`x` with `extra` zeros at the end of its last axes, then without `crop` entries at both ends.

    Raises:
        ShapeError: Nothing would be left.
    """
    lead = len(x.shape) - len(crop)
    if any(extra):
        x = pad_op(x, widths=(*((0, 0),) * lead, *((0, e) for e in extra)), value=0.0)
    if not any(crop):
        return x
    lengths = tuple(x.shape[lead:])
    if any(m <= 2 * c for m, c in zip(lengths, crop, strict=True)):
        raise ShapeError(
            f"A transposed convolution of lengths {lengths} got padding {crop}.",
            "Its padding is taken away at both ends, and something must be left.",
            "Did you mean padding=0?",
        )
    inside = tuple(slice(c, m - c) for m, c in zip(lengths, crop, strict=True))
    return in_row_order(getitem_op(x, index=(*(slice(None),) * lead, *inside)))


@taught
@runs_in("low")
def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide `weight` along the last axis of `input` and take the inner product at each place.

    Shape:
        input (batch, in, length) or (in, length), weight (out, in/groups, kernel), bias (out,); the result is
        (batch, out, places) with places = (length + 2·padding - dilation·(kernel - 1) - 1) // stride + 1.
        The padding may be "valid", which is 0, or "same" for as many places as entries.

    Raises:
        ShapeError: The shapes do not fit, or the kernel is longer than the padded input.
        ArgumentError: A setting is no whole number, or too small.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([[1.0, 2.0, 4.0, 7.0]])
        >>> conv1d(x, ml.tensor([[[-1.0, 1.0]]])).tolist()  # differences of neighbours
        [[1.0, 2.0, 3.0]]
    """
    return convolved("conv1d", input, weight, bias, 1, (stride, padding, dilation, groups))


@taught
@runs_in("low")
def conv2d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Slide `weight` over the last two axes of `input` and take the inner product at each place.

    Shape:
        input (batch, in, height, width) or (in, height, width), weight (out, in/groups, kernel, kernel), bias (out,);
        the result is (batch, out, places, places), with the places of `conv1d` along each axis.

    Raises:
        ShapeError: The shapes do not fit, or the kernel is larger than the padded input.
        ArgumentError: A setting is no whole number, or too small.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> conv2d(ml.ones(1, 1, 3, 3), ml.ones(1, 1, 3, 3), padding=1)[0, 0].tolist()
        [[4.0, 6.0, 4.0], [6.0, 9.0, 6.0], [4.0, 6.0, 4.0]]
    """
    return convolved("conv2d", input, weight, bias, 2, (stride, padding, dilation, groups))


@taught
@runs_in("low")
def conv_transpose1d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of `conv1d`: every entry of `input` lays down a multiple of `weight`, `stride` apart.

    Shape:
        input (batch, in, length), weight (in, out/groups, kernel), bias (out,); the result is (batch, out, places) with
        places = (length - 1)·stride - 2·padding + dilation·(kernel - 1) + output_padding + 1.

    Raises:
        ShapeError: The shapes do not fit, or the padding takes everything away.
        ArgumentError: A setting is no whole number, or too small.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> conv_transpose1d(ml.tensor([[1.0, 2.0]]), ml.tensor([[[1.0, 1.0]]]), stride=2).tolist()
        [[1.0, 1.0, 2.0, 2.0]]
    """
    return spread("conv_transpose1d", input, weight, bias, 1, (stride, padding, output_padding, groups, dilation))


@taught
@runs_in("low")
def conv_transpose2d(
    input: Any,
    weight: Any,
    bias: Any = None,
    stride: Any = 1,
    padding: Any = 0,
    output_padding: Any = 0,
    groups: int = 1,
    dilation: Any = 1,
) -> Any:
    """The transpose of `conv2d`: every entry of `input` lays down a multiple of `weight`, `stride` apart.

    Shape:
        input (batch, in, height, width), weight (in, out/groups, kernel, kernel), bias (out,); the result is
        (batch, out, places, places), with the places of `conv_transpose1d` along each axis.

    Raises:
        ShapeError: The shapes do not fit, or the padding takes everything away.
        ArgumentError: A setting is no whole number, or too small.
        DTypeError: The dtypes differ.

    Example:
        >>> import minitorch_lab as ml
        >>> conv_transpose2d(ml.ones(1, 1, 2, 2), ml.ones(1, 1, 2, 2)).tolist()
        [[[[1.0, 2.0, 1.0], [2.0, 4.0, 2.0], [1.0, 2.0, 1.0]]]]
    """
    return spread("conv_transpose2d", input, weight, bias, 2, (stride, padding, output_padding, groups, dilation))
