"""Inputs of every op, of shapes and layouts that hypothesis chooses. What values an op takes, its own samples say."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from minitorch_lab.ops.op import OPS, Op
from minitorch_lab.ops.template import HOLE, indexed

from . import laws

Drawn = tuple[list[Any], dict[str, Any]]
Draw = Callable[..., Any]

# Ops for which no shapes are generated, and why.
SKIPPED = dict.fromkeys(sorted(laws.RANDOM), "random: other numbers than PyTorch's") | {
    "completion": "takes the columns of an orthogonal matrix",
    "full": "no inputs",
    "arange": "no inputs",
    "transfer": "moves to a device: nothing depends on the shape",
}
LAYOUTS = ("row order", "column order", "gaps", "backwards")


def laid(a: np.ndarray, layout: str) -> np.ndarray:
    """The same entries, lying in memory as `layout` says."""
    if layout == "column order" or not a.ndim:
        return np.array(a, order="F")
    if layout == "gaps":
        return np.repeat(a, 2, -1)[..., ::2]
    return np.array(a[..., ::-1])[..., ::-1] if layout == "backwards" else a


# ---- what every family draws from -----------------------------------------------------------------------------------


def shape(draw: Draw, least: int = 0, most: int = 3, side: int = 0) -> tuple[int, ...]:
    """A shape of `least` to `most` axes, each at least `side` long."""
    return draw(hnp.array_shapes(min_dims=least, max_dims=most, min_side=side, max_side=4))


def rng_of(draw: Draw) -> np.random.Generator:
    """Numbers that follow from a seed which hypothesis draws: it chooses shapes, not entries."""
    return np.random.default_rng(draw(st.integers(0, 999)))


def like(op: Op, i: int, size: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Numbers of the kind that input `i` of the op has in its first sample."""
    first = laws.plain(op.samples(np.random.default_rng(0))[0][0][i])
    if first.dtype == bool:
        return rng.random(size) < 0.5
    if first.dtype.kind == "i":
        return rng.integers(first.min(), first.max() + 1, size)
    return rng.uniform(max(np.nanmin(first), -2.0), min(np.nanmax(first), 2.0), size)


def params_of(draw: Draw, op: Op) -> dict[str, Any]:
    """The parameters of one of the samples."""
    return dict(draw(st.sampled_from([params for _, params in op.samples(np.random.default_rng(0))])))


def axis_of(draw: Draw, size: tuple[int, ...]) -> int:
    """One of the axes."""
    return draw(st.integers(0, len(size) - 1))


# ---- families -------------------------------------------------------------------------------------------------------


def entrywise(draw: Draw, op: Op) -> Drawn:
    """Shapes that stretch to one another."""
    shapes = draw(hnp.mutually_broadcastable_shapes(num_shapes=len(op.vjp), min_side=0, max_side=4, max_dims=3))
    rng = rng_of(draw)
    return [like(op, i, size, rng) for i, size in enumerate(shapes.input_shapes)], params_of(draw, op)


NEVER_EMPTY = {"amax", "amin", "argmax", "argmin", "median"}  # PyTorch's median: ours is NaN of nothing


def between(draw: Draw, op: Op) -> Drawn:
    """Bounds that stretch to the entries: where the entries stretch, PyTorch has no gradient."""
    size, rng = shape(draw), rng_of(draw)
    bounds = [draw(st.sampled_from([size, size[1:], ()])) for _ in range(2)]
    return [like(op, i, s, rng) for i, s in enumerate([size, *bounds])], params_of(draw, op)


def reducing(draw: Draw, op: Op) -> Drawn:
    """Any axes of any shape, one or several; of those that have no value for nothing, shapes with entries."""
    size = shape(draw, 1, side=1 if op.name in NEVER_EMPTY else 0)
    one = op.name in ("argmax", "argmin", "softmax", "log_softmax")
    axes = [axis_of(draw, size)] if one else draw(st.sets(st.integers(0, len(size) - 1), min_size=1))
    params = params_of(draw, op) | {"axis": tuple(sorted(axes))}
    if "keepdims" in params:
        params["keepdims"] = draw(st.booleans())
    return [like(op, 0, size, rng_of(draw))], params


def along(draw: Draw, op: Op) -> Drawn:
    """One axis of any shape."""
    size, rng = shape(draw, 1), rng_of(draw)
    return [like(op, i, size, rng) for i in range(len(op.vjp))], params_of(draw, op) | {"axis": axis_of(draw, size)}


def batches(draw: Draw, count: int) -> list[tuple[int, ...]]:
    """Leading axes that stretch to one another."""
    found = draw(hnp.mutually_broadcastable_shapes(num_shapes=count, min_side=0, max_side=3, max_dims=2))
    return list(found.input_shapes)


def spread_out(a: np.ndarray) -> np.ndarray:
    """`a`, with eigenvalues and singular values that keep apart."""
    return 0.1 * a + np.eye(*a.shape[-2:]) * (1.0 + np.arange(a.shape[-1]))


def matrices(draw: Draw, op: Op) -> Drawn:
    """Square matrices that can be factored, and right-hand sides."""
    n, rng = draw(st.integers(1, 4)), rng_of(draw)
    lead, other = batches(draw, 2)
    a = spread_out(rng.normal(size=(*lead, n, n)))
    args = [a @ a.mT if op.name in ("cholesky", "eigh") else a]
    if len(op.vjp) == 2:
        args.append(rng.normal(size=(*other, n, draw(st.integers(0, 3)))))
    return args, params_of(draw, op)


def tall(draw: Draw, op: Op) -> Drawn:
    """Matrices of full rank, at least as tall as wide."""
    n, rng = draw(st.integers(1, 3)), rng_of(draw)
    return [spread_out(rng.normal(size=(*batches(draw, 1)[0], n + draw(st.integers(0, 2)), n)))], {}


def triangles(draw: Draw, op: Op) -> Drawn:
    """Matrices, and a diagonal that may lie outside."""
    return [rng_of(draw).normal(size=shape(draw, 2))], {next(iter(params_of(draw, op))): draw(st.integers(-3, 3))}


# ---- ops of a shape of their own ------------------------------------------------------------------------------------


def plain(draw: Draw, op: Op) -> Drawn:
    return [rng_of(draw).normal(size=shape(draw))], params_of(draw, op)


def filled(draw: Draw, op: Op) -> Drawn:
    return [rng_of(draw).uniform(0.1, 0.9, shape(draw, 1, side=1))], {}


def reshaped(draw: Draw, op: Op) -> Drawn:
    size = shape(draw, 1)
    return [rng_of(draw).normal(size=size)], {"shape": draw(st.permutations((*size, 1)).map(tuple))}


def permuted(draw: Draw, op: Op) -> Drawn:
    size = shape(draw)
    return [rng_of(draw).normal(size=size)], {"axes": tuple(draw(st.permutations(range(len(size)))))}


def flipped(draw: Draw, op: Op) -> Drawn:
    size = shape(draw, 1)
    return [rng_of(draw).normal(size=size)], {"axis": tuple(draw(st.sets(st.integers(0, len(size) - 1))))}


def stretched(draw: Draw, op: Op) -> Drawn:
    size, lead = shape(draw), shape(draw, 0, 2)
    return [rng_of(draw).normal(size=size)], {
        "shape": (*lead, *(draw(st.integers(0, 3)) if n == 1 else n for n in size))
    }


def strided(draw: Draw, op: Op) -> Drawn:
    n, k, step = draw(st.integers(5, 8)), draw(st.integers(1, 2)), draw(st.integers(1, 2))
    params = {"size": (2, k), "stride": (step, 1), "offset": draw(st.integers(0, 1)), "lies": ((1,), 0)}
    return [rng_of(draw).normal(size=n)], params


def part(draw: Draw, size: tuple[int, ...], rng: Any) -> tuple[tuple[Any, ...], list[Any]]:
    """A template of one index for each axis: a number, a slice forwards, or an array of places, at most one."""
    index: list[Any] = []
    arrays: list[Any] = []
    for n in size:
        kind = draw(st.sampled_from(("slice", "number", "array") if n else ("slice",)))
        if kind == "array" and not arrays:
            arrays.append(rng.integers(-n, n, shape(draw, 1, 2)))
            index.append(HOLE)
        else:
            low = draw(st.integers(0, n))
            index.append(
                draw(st.integers(-n, n - 1)) if kind == "number" else slice(low, None, draw(st.integers(1, 2)))
            )
    return tuple(index), arrays


def read(draw: Draw, op: Op) -> Drawn:
    size, rng = shape(draw, 1), rng_of(draw)
    index, arrays = part(draw, size, rng)
    return [rng.normal(size=size), *arrays], {"index": index}


def written(draw: Draw, op: Op) -> Drawn:
    size, rng = shape(draw, 1), rng_of(draw)
    index, arrays = part(draw, size, rng)
    if arrays:  # which of two writes to one place stays is open
        arrays = [np.argsort(rng.random(size[index.index(HOLE)]))[:1]]
    places = indexed(size, *(a.shape for a in arrays), index=index)
    return [rng.normal(size=size), rng.normal(size=places), *arrays], {"index": index}


def added(draw: Draw, op: Op) -> Drawn:
    size, rng = shape(draw, 1), rng_of(draw)
    index, arrays = part(draw, size, rng)
    places = indexed(size, *(a.shape for a in arrays), index=index)
    return [rng.normal(size=places), *arrays], {"index": index, "shape": size}


def gathered(draw: Draw, op: Op) -> Drawn:
    size, rng = shape(draw, 1, side=1), rng_of(draw)
    axis = axis_of(draw, size)
    places = tuple(draw(st.integers(0, 4 if a == axis else n)) for a, n in enumerate(size))
    where = rng.integers(0, size[axis], places)
    if op.name == "gather":
        return [rng.normal(size=size), where], {"axis": axis}
    if op.name == "scatter_add":
        return [rng.normal(size=places), where], {"axis": axis, "shape": size}
    once = tuple(min(n, 1) if a == axis else n for a, n in enumerate(places))
    return [rng.normal(size=size), rng.normal(size=once), rng.integers(0, size[axis], once)], {"axis": axis}


def counted(draw: Draw, op: Op) -> Drawn:
    return [rng_of(draw).integers(0, 3, shape(draw))], {"num_classes": draw(st.integers(3, 5))}


def numbered(draw: Draw, op: Op) -> Drawn:
    length = draw(st.integers(1, 5))
    return [rng_of(draw).integers(0, length, shape(draw))], {"name": "gather", "length": length}


def topped(draw: Draw, op: Op) -> Drawn:
    size = shape(draw, 1, side=1)
    axis = axis_of(draw, size)
    params = {"axis": axis, "k": draw(st.integers(0, size[axis])), "largest": draw(st.booleans())}
    return [rng_of(draw).normal(size=size)], params


def joined(draw: Draw, op: Op) -> Drawn:
    size, rng = shape(draw, 1), rng_of(draw)
    axis = axis_of(draw, size)
    lengths = draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))
    return [rng.normal(size=(*size[:axis], n, *size[axis + 1 :])) for n in lengths], {"axis": axis}


def framed(draw: Draw, op: Op) -> Drawn:
    size = shape(draw, 1)
    widths = tuple((draw(st.integers(0, 2)), draw(st.integers(0, 2))) for _ in size)
    return [rng_of(draw).normal(size=size)], {"widths": widths, "value": 0.5}


def windows(draw: Draw, op: Op) -> Drawn:
    size, step, dilation = (draw(st.integers(1, 3)) for _ in range(3))
    params = {"axis": (1,), "size": (size,), "step": (step,), "dilation": (dilation,)}
    whole = (draw(st.integers(0, 3)), dilation * (size - 1) + 1 + draw(st.integers(0, 4)))
    if op.name in ("window", "max_pool"):
        return [rng_of(draw).normal(size=whole)], params
    if op.name == "max_pool_back":
        rng = rng_of(draw)
        return [rng.normal(size=OPS["max_pool"].shape(whole, **params)), rng.normal(size=whole)], params
    return [rng_of(draw).normal(size=OPS["window"].shape(whole, **params))], {**params, "shape": whole}


def laid_diagonal(draw: Draw, op: Op) -> Drawn:
    n, m, offset = draw(st.integers(1, 4)), draw(st.integers(1, 4)), draw(st.integers(-3, 3))
    length = len(np.diagonal(np.zeros((n, m)), offset))
    lead = batches(draw, 1)[0]
    return [rng_of(draw).normal(size=(*lead, length))], {"offset": offset, "shape": (n, m)}


def multiplied(draw: Draw, op: Op) -> Drawn:
    """Matrices, batches of them, and vectors on either side."""
    rng, n = rng_of(draw), draw(st.integers(0, 4))
    lead, other = batches(draw, 2)
    left = draw(st.sampled_from([(n,), (*lead, draw(st.integers(0, 4)), n)]))
    right = draw(st.sampled_from([(n,), (*other, n, draw(st.integers(0, 4)))]))
    return [rng.normal(size=left), rng.normal(size=right)], {}


def affine(draw: Draw, op: Op) -> Drawn:
    rng, features, outs = rng_of(draw), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    args = [rng.normal(size=(*shape(draw), features)), rng.normal(size=(outs, features)), rng.normal(size=outs)]
    return args[: draw(st.integers(2, 3))], {}


def classified(draw: Draw, op: Op) -> Drawn:
    rng, n, classes = rng_of(draw), draw(st.integers(1, 4)), draw(st.integers(1, 4))
    target = rng.integers(0, classes, n)
    return [rng.normal(size=(n, classes)), target], params_of(draw, op)


def compared(draw: Draw, op: Op) -> Drawn:
    size, rng = shape(draw, side=1), rng_of(draw)
    return [rng.normal(size=size), rng.normal(size=size)], params_of(draw, op)


def looked_up(draw: Draw, op: Op) -> Drawn:
    rng, n = rng_of(draw), draw(st.integers(0, 4))
    size = shape(draw, 1)
    edges = draw(st.sampled_from([(n,), (*size[:-1], n)]))
    return [np.sort(rng.normal(size=edges), -1), rng.normal(size=size)], params_of(draw, op)


def chances(draw: Draw, op: Op) -> Drawn:
    return filled(draw, op)[0], {"name": "a draw"}


OWN: dict[str, Callable[[Draw, Op], Drawn]] = {
    "reshape": reshaped, "permute": permuted, "flip": flipped, "expand": stretched, "as_strided": strided,
    "clone": plain, "contiguous": plain, "detach": plain, "cast": plain, "getitem": read, "setitem": written,
    "additem": added, "gather": gathered, "scatter": gathered, "scatter_add": gathered, "one_hot": counted,
    "scatter_amax": gathered, "scatter_amin": gathered, "scatter_mul": gathered,
    "cat": joined, "pad": framed, "diagonal_laid": laid_diagonal, "within": numbered, "topk": topped,
    "window": windows, "fold": windows, "max_pool": windows, "max_pool_back": windows,
    "matmul": multiplied, "linear": affine, "cross_entropy": classified, "mse_loss": compared, "clamp_between": between,
    "searchsorted": looked_up, "qr": tall, "svd": tall, "pinv": tall, "solve": matrices, "solve_triangular": matrices,
    "inv": matrices, "det": matrices, "det_sign": matrices, "logabsdet": matrices, "cholesky": matrices,
    "eigh": matrices, "tril": triangles, "triu": triangles, "diagonal": triangles,
    "weights": chances, "probabilities": chances,
}  # fmt: skip


def family(op: Op) -> Callable[[Draw, Op], Drawn] | None:
    """How inputs of the op are drawn: as its own, or as those of its family, which its record shows."""
    if op.name in OWN:
        return OWN[op.name]
    if op.entrywise:
        return entrywise
    axis = op.samples(np.random.default_rng(0))[0][1].get("axis")
    return None if axis is None else reducing if isinstance(axis, tuple) else along


COVERED = [op for op in OPS.values() if op.name not in SKIPPED]


@st.composite
def drawn(draw: Draw, op: Op) -> tuple[list[Any], dict[str, Any], list[str]]:
    """Inputs of the op in float64, its parameters, and how each input lies in memory."""
    how = family(op)
    assert how is not None, f"{op.name} has no family: give it a function in OWN, or a reason in SKIPPED"
    args, params = how(draw, op)
    return args, params, [draw(st.sampled_from(LAYOUTS)) for _ in args]


def size_of(args: list[Any]) -> int:
    """How many entries the inputs have."""
    return sum(prod(np.shape(a)) for a in args)
