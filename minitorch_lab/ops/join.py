"""Ops that put tensors together: side by side, on a new axis, or into a wider frame."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any, TypeAlias

from ..core.array import Array, Shape, beside, is_number, xp
from ..errors import ArgumentError, ShapeError
from .axes import one_dim
from .batching import each_spread, framed
from .families import linear, promoted
from .front import FUNCTIONS, function
from .indexing import getitem_op
from .movement import reshape_op
from .op import Op, Sample, rule
from .prose import Prose
from .refit import LETTERS, joinable, stackable
from .template import HOLE

Pairs: TypeAlias = tuple[tuple[int, int], ...]  # how much comes before and after each axis


def joined(*shapes: Shape, axis: int) -> Shape:
    """The lengths along `axis` add up; the others must agree."""
    first = shapes[0]
    for other in shapes[1:]:
        if len(other) != len(first) or any(
            m != n for i, (m, n) in enumerate(zip(first, other, strict=True)) if i != axis
        ):
            raise ShapeError(
                f"cat got the shapes {', '.join(map(str, shapes))} along dim {axis}.",
                "The shapes may differ along that dim only.",
                joinable(shapes, axis),
            )
    return (*first[:axis], sum(s[axis] for s in shapes), *first[axis + 1 :])


def piece(g: Any, i: int, shapes: tuple[Shape, ...], *, axis: int) -> Any:
    """The part of the cotangent that belongs to input `i`."""
    start = sum(s[axis] for s in shapes[:i])
    return getitem_op(g, index=(*(slice(None),) * axis, slice(start, start + shapes[i][axis])))


def pieces(rng: Any) -> list[Sample]:
    """Samples: two, three, one of them empty."""
    a, b, c = rng.normal(size=(3, 4)), rng.normal(size=(2, 4)), rng.normal(size=(3, 1))
    return [((a, b), {"axis": 0}), ((a, c, a * 2), {"axis": 1}), ((a, b[:0]), {"axis": 0})]


cat_op = Op(
    name="cat",
    impl=lambda *arrays, axis: xp.concatenate(arrays, axis),
    shape=joined,
    vjp=(rule(piece),),
    samples=pieces,
    casts=promoted,
    batch=each_spread,
    moves=True,
    prose=Prose(why={"shapes": "each input gets its part of the gradient"}),
)


def sequence(name: str, tensors: Any) -> tuple[Any, ...]:
    """The tensors to be joined.

    Raises:
        ShapeError: There are none.
        ArgumentError: One is no tensor.
    """
    if hasattr(tensors, "shape") or not tensors:
        raise ShapeError(
            f"{name} got {'one tensor' if hasattr(tensors, 'shape') else 'nothing'}.",
            f"{name} joins a sequence of one or more tensors.",
            f"Did you mean {name}([a, b])?",
        )
    for k, part in enumerate(tensors):
        if not hasattr(part, "shape"):
            raise ArgumentError(
                f"{name} got a {type(part).__name__} at place {k}.", f"{name} joins tensors.", "Did you mean ml.tensor?"
            )
    return tuple(tensors)


@function
def cat(tensors: Any, dim: int = 0) -> Any:
    """The tensors one after the other along `dim`; their other dims must agree. Empty vectors are passed over.

    Raises:
        ShapeError: They do not, one is a number, or there are no tensors.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.cat([ml.zeros(2), ml.ones(1)])
        tensor([0., 0., 1.])
    """
    parts = sequence("cat", tensors)
    shapes = [tuple(p.shape) for p in parts]
    if () in shapes:
        raise ShapeError(
            "cat got a 0-d tensor.",
            "Numbers have no axis to be joined along.",
            f"Did you mean ml.stack([{', '.join(LETTERS[: len(parts)])}])? It makes an axis."
            if set(shapes) == {()} and len(parts) <= len(LETTERS)
            else "Did you mean x.reshape(1) for it? That is a vector with one entry.",
        )
    if (0,) in shapes:
        parts = tuple([p for p, shape in zip(parts, shapes, strict=True) if shape != (0,)]) or parts
    return cat_op(*parts, axis=one_dim("cat", dim, len(parts[0].shape)))


FUNCTIONS["concatenate"] = FUNCTIONS["concat"] = cat


@function
def stack(tensors: Any, dim: int = 0) -> Any:
    """Tensors of one shape, side by side on a new axis at `dim`.

    Raises:
        ShapeError: Their shapes differ, or there are none.
    """
    parts = sequence("stack", tensors)
    shape, *others = [tuple(p.shape) for p in parts]
    if any(other != shape for other in others):
        raise ShapeError(
            f"stack got the shapes {', '.join(str(tuple(p.shape)) for p in parts)}.",
            "All shapes must be equal: the new axis counts the tensors.",
            stackable((shape, *others)),
        )
    at = one_dim("stack", dim, len(shape) + 1)
    return cat_op(*[reshape_op(p, shape=(*shape[:at], 1, *shape[at:])) for p in parts], axis=at)


def pad_jvp(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
    """The frame does not move: it is 0 around the tangent."""
    return None if tangents[0] is None else op(tangents[0], **{**params, "value": 0.0})


def pad_impl(x: Array, widths: Pairs, value: float) -> Array:
    """`x` in a frame. `xp.pad` would ask each side what it is made of."""
    whole = xp.full_like(x, value, shape=tuple([n + a + b for n, (a, b) in zip(x.shape, widths, strict=True)]))
    whole[tuple([slice(a, a + n) for n, (a, _) in zip(x.shape, widths, strict=True)])] = x
    return whole


pad_op = linear(
    "pad",
    pad_impl,
    shape=lambda s, *, widths, value: tuple(n + a + b for n, (a, b) in zip(s, widths, strict=True)),
    vjp=lambda g, x_shape, *, widths, value: getitem_op(
        g, index=tuple(slice(a, a + n) for (a, _), n in zip(widths, x_shape, strict=True))
    ),
    samples=lambda rng: [((rng.normal(size=s),), {"widths": ((0, 0), (1, 2)), "value": 0.5}) for s in ((3, 4), (0, 4))],
    batch=framed,
    jvp=pad_jvp,
    prose=Prose(
        why={"x_shape": "what was added around it gets no gradient"},
        wholes=("what came from above, without the border that was added",),
    ),
)


def outside(mode: str, n: int, before: int, after: int) -> Array:
    """Which entries of an axis of length `n` stand in its frame and inside it: int64 of length n + before + after."""
    if mode == "circular":  # of what is left
        first, length = max(-before, 0), n - max(-before, 0) - max(-after, 0)
        return first + xp.arange(-max(before, 0), length + max(after, 0)) % length
    places = xp.arange(-before, n + after)
    if mode == "replicate":
        return xp.clip(places, 0, n - 1)
    return n - 1 - abs(n - 1 - abs(places))


def check_frame(mode: str, shape: Shape, pairs: Pairs) -> None:
    """Refuse a frame that needs more entries than an axis has.

    Raises:
        ArgumentError: There is no such mode.
        ShapeError: An axis is too short.
    """
    spare = {"reflect": 1, "circular": 0, "replicate": -inf}
    if mode not in spare:
        raise ArgumentError(
            f"pad got mode={mode!r}.",
            'It takes "constant", "reflect", "replicate" and "circular".',
            f"Did you mean value={mode!r}?" if is_number(mode) else 'Did you mean mode="constant"?',
        )
    for axis, (n, pair) in enumerate(zip(shape, pairs, strict=True)):
        left = n + sum(min(w, 0) for w in pair) if mode == "circular" else n
        if any(pair) and (left < 1 or n + sum(pair) < 1 or max(pair) > left - spare[mode]):
            raise ShapeError(
                f'pad with mode="{mode}" got the widths {pair} for axis {axis} of length {n}.',
                "A reflected frame takes fewer entries than there are, a circular one no more than there are.",
                'Did you mean mode="replicate"? It repeats the last entry as often as it must.',
            )


@function
def pad(x: Any, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Any:
    """`x` in a frame. `pad` names pairs (before, after) from the last axis to the first; a negative width cuts off.

    Args:
        x: Any shape.
        pad: The widths.
        mode: What stands in the frame: "constant" `value`s, or entries of `x` that are mirrored at its ends without
            them ("reflect"), the last ones again ("replicate"), or those of the other end ("circular").
        value: 0 if left out.

    Raises:
        ShapeError: Widths that are odd in number or too many, or an axis that is too short for them.
        ArgumentError: There is no such mode, or a value for a mode that takes none.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.pad(ml.ones(2), (1, 2))
        tensor([0., 1., 1., 0., 0.])
        >>> ml.pad(ml.arange(4), (2, 2), mode="reflect").tolist()
        [2, 1, 0, 1, 2, 3, 2, 1]
    """
    shape, flat = tuple(x.shape), tuple(pad)
    if len(flat) % 2 or len(flat) > 2 * len(shape):
        raise ShapeError(
            f"pad got {flat} for a tensor with {len(shape)} axes.",
            "It takes pairs (before, after) of lengths, last axis first, at most one pair per axis.",
            f"Did you mean pad(x, {(*flat[:1], *flat[:1])})?" if len(flat) == 1 else "",
        )
    pairs = ((0, 0),) * (len(shape) - len(flat) // 2) + tuple(zip(flat[-2::-2], flat[::-2], strict=True))
    if mode == "constant":
        return in_constant(x, pairs, 0.0 if value is None else value)
    check_frame(mode, shape, pairs)
    if value is not None:
        raise ArgumentError(f"pad got mode={mode!r} and value={value!r}.", "Only a constant frame has a value.")
    for axis, (n, pair) in enumerate(zip(shape, pairs, strict=True)):
        if any(pair):
            x = getitem_op(x, beside(outside(mode, n, *pair), x), index=(*(slice(None),) * axis, HOLE))
    return x


def in_constant(x: Any, pairs: Pairs, value: float) -> Any:
    """`x` in a frame of one number; negative widths cut off.

    Raises:
        ShapeError: They cut off more than there is.
    """
    if any(n + a + b < 0 for n, (a, b) in zip(x.shape, pairs, strict=True)):
        raise ShapeError(
            f"pad got the widths {pairs} for the shape {tuple(x.shape)}.",
            "A negative width cuts off, and an axis has a length of 0 or more.",
            "Compare the widths with the shape.",
        )
    if any(min(pair) < 0 for pair in pairs):
        kept = (slice(max(-a, 0), n - max(-b, 0)) for n, (a, b) in zip(x.shape, pairs, strict=True))
        x = getitem_op(x, index=tuple(kept))
    return pad_op(x, widths=tuple((max(a, 0), max(b, 0)) for a, b in pairs), value=value)
