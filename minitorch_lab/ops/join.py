"""Ops that put tensors together: side by side, on a new axis, or into a wider frame."""

from __future__ import annotations

from typing import Any

from ..array import Shape, xp
from ..errors import ArgumentError, ShapeError
from .axes import one_dim
from .batching import each_spread, framed
from .families import linear, promoted
from .front import FUNCTIONS, function
from .indexing import getitem_op
from .movement import unsqueeze
from .op import Op, Sample, rule


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
                "Did you mean stack? It joins equal shapes on a new axis."
                if first == other[1:]
                else "Compare the other dims.",
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
    if any(not p.shape for p in parts):
        raise ShapeError(
            "cat got a 0-d tensor.", "Numbers have no axis to be joined along.", "Did you mean stack? It makes an axis."
        )
    parts = tuple(p for p in parts if tuple(p.shape) != (0,)) or parts
    return cat_op(*parts, axis=one_dim("cat", dim, len(parts[0].shape)))


FUNCTIONS["concatenate"] = FUNCTIONS["concat"] = cat


@function
def stack(tensors: Any, dim: int = 0) -> Any:
    """Tensors of one shape, side by side on a new axis at `dim`.

    Raises:
        ShapeError: Their shapes differ, or there are none.
    """
    parts = sequence("stack", tensors)
    if len({tuple(p.shape) for p in parts}) > 1:
        raise ShapeError(
            f"stack got the shapes {', '.join(str(tuple(p.shape)) for p in parts)}.",
            "All shapes must be equal: the new axis counts the tensors.",
            "Did you mean cat? It joins along an axis that is there.",
        )
    at = one_dim("stack", dim, len(parts[0].shape) + 1)
    return cat_op(*(unsqueeze(p, at) for p in parts), axis=at)


def pad_jvp(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
    """The frame does not move: it is 0 around the tangent."""
    return None if tangents[0] is None else op(tangents[0], **{**params, "value": 0.0})


pad_op = linear(
    "pad",
    lambda x, widths, value: xp.pad(x, widths, constant_values=value),
    shape=lambda s, *, widths, value: tuple(n + a + b for n, (a, b) in zip(s, widths, strict=True)),
    vjp=lambda g, x_shape, *, widths, value: getitem_op(
        g, index=tuple(slice(a, a + n) for (a, _), n in zip(widths, x_shape, strict=True))
    ),
    samples=lambda rng: [((rng.normal(size=s),), {"widths": ((0, 0), (1, 2)), "value": 0.5}) for s in ((3, 4), (0, 4))],
    batch=framed,
    jvp=pad_jvp,
)


@function
def pad(x: Any, pad: Any, value: float = 0.0) -> Any:
    """`x` in a frame of `value`. `pad` names pairs (before, after) from the last axis to the first, as in PyTorch.

    Raises:
        ShapeError: Widths that are odd in number, too many, or negative.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.pad(ml.ones(2), (1, 2))
        tensor([0., 1., 1., 0., 0.])
    """
    flat = tuple(pad)
    if len(flat) % 2 or len(flat) > 2 * len(x.shape) or any(n < 0 for n in flat):
        raise ShapeError(
            f"pad got {flat} for a tensor with {len(x.shape)} axes.",
            "It takes pairs (before, after) of lengths, last axis first, at most one pair per axis.",
            f"Did you mean pad(x, {(*flat[:1], *flat[:1])})?" if len(flat) == 1 else "",
        )
    pairs = [(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)][::-1]
    return pad_op(x, widths=((0, 0),) * (len(x.shape) - len(pairs)) + tuple(pairs), value=value)
