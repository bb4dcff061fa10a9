"""Ops that move entries about: new shapes, new orders, copies. Most give views, which share memory with their input.

A view op also says how a write comes back: `put(base, new)` is the base with the view's new value in its place.
"""

from __future__ import annotations

from typing import Any

from ..core.array import (
    DType,
    Shape,
    as_dtype,
    bfloat16,
    bool_,
    check_device,
    converted,
    entries,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    memory_of,
    solid,
    to_device,
    uint8,
    xp,
)
from ..errors import ArgumentError, ShapeError
from .axes import WHOLE, Dim, dims_of, numel, one_dim
from .batching import as_it_is, axis_moved, keeping
from .families import distinct, linear, same_shape
from .front import METHODS, method, method_alone, taught
from .meant import describe_value, remedy
from .op import Op, Sample
from .prose import MOVES, Prose
from .refit import order_of_all
from .word import LITTLE, Word

# ---- reshape ------------------------------------------------------------------------------------------------------


def flat(size: tuple[Any, ...]) -> tuple[Any, ...]:
    """Sizes given one by one or as one sequence."""
    return tuple(size[0]) if len(size) == 1 and isinstance(size[0], (tuple, list)) else size


def reshaped(shape: Shape, *, shape_: Shape, name: str = "reshape") -> Shape:
    """The new shape, which must hold the same number of entries."""
    if numel(shape) != numel(shape_):
        raise ShapeError(
            f"{name} cannot turn {shape} into {shape_}.",
            f"The number of entries must stay: {numel(shape)} against {numel(shape_)}.",
            f"Did you mean {name}({worked_out(shape, shape_)})? One size may be -1: it is then worked out.",
        )
    return shape_


def worked_out(shape: Shape, wanted: Shape) -> str:
    """The wanted shape with one size left open, so that it holds what `shape` does: the first that could be."""
    for place in range(len(wanted) if len(wanted) > 1 else 0):
        rest = numel((*wanted[:place], *wanted[place + 1 :]))
        if rest and numel(shape) % rest == 0:
            return ", ".join(map(str, (*wanted[:place], -1, *wanted[place + 1 :])))
    return "-1"


def length(n: Any, name: str) -> int:
    """A length as Python's own number, or as the symbol that it is under capture.

    Raises:
        ArgumentError: It is a string, which `int` would read.
    """
    if isinstance(n, int):
        return n
    if isinstance(n, str):
        hint = remedy(n, False) or f"{name} takes lengths."
        raise ArgumentError(f"{name} got {describe_value(n)} as a length.", "Lengths are whole numbers.", hint)
    return int(n)


def solved(shape: Shape, size: tuple[Any, ...], name: str = "reshape") -> Shape:
    """`size` with its -1 worked out.

    Raises:
        ShapeError: Several sizes are -1, or none would fit.
    """
    if size.count(-1) > 1:
        raise ShapeError(f"{name} got {size}.", "At most one size may be -1.", "Write the other sizes out.")
    if -1 in size:
        return worked_in(shape, size, name)
    return size if WHOLE.issuperset(map(type, size)) else tuple([length(n, name) for n in size])


def worked_in(shape: Shape, size: tuple[Any, ...], name: str) -> Shape:
    """`size` with a length in place of its -1.

    Raises:
        ShapeError: None would fit.
    """
    at = size.index(-1)
    known = numel(size[:at] + size[at + 1 :])
    if not known or numel(shape) % known:
        raise ShapeError(
            f"{name} cannot turn {shape} into {size}.",
            f"{numel(shape)} entries do not split into rows of {known}.",
            "Choose sizes whose product divides the number of entries.",
        )
    found = [length(n, name) for n in size]
    found[at] = numel(shape) // known
    return tuple(found)


def twelve(*ways: dict[str, Any], empty: dict[str, Any] | None = None) -> Any:
    """Samples: a (3, 4) tensor, each of the `ways`, and an empty (0, 4) one."""

    def samples(rng: Any) -> list[Sample]:
        (x,), _ = distinct(rng)[0]
        cases: list[Sample] = [((x,), way) for way in ways]
        return cases if empty is None else [*cases, ((x[:0],), empty)]

    return samples


reshape_op = linear(
    "reshape",
    lambda x, shape: solid(x).reshape(shape),
    shape=lambda s, *, shape: reshaped(s, shape_=shape),
    vjp=lambda g, x_shape, *, shape: reshape_op(g, shape=x_shape),
    samples=twelve({"shape": (2, 6)}, {"shape": (12,)}, empty={"shape": (2, 0)}),
    put=lambda base, new, *, shape: reshape_op(new, shape=base.shape),
    batch=keeping("shape"),
    prose=Prose(
        why={"x_shape": "the same numbers go back in the old shape"}, wholes=("the same numbers in the old shape",)
    ),
)


@method
def reshape(x: Any, *shape: Any) -> Any:
    """The entries of `x`, in order, in another shape; one size may be -1. A view if the strides allow it, else a copy.

    Raises:
        ShapeError: The number of entries would change.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.arange(6).reshape(2, -1)
        tensor([[0, 1, 2],
                [3, 4, 5]])
    """
    return reshape_op(x, shape=solved(x.shape, flat(shape)))


@method
def view(x: Any, *shape: Any) -> Any:
    """As `reshape`, and never a copy.

    Raises:
        ShapeError: The number of entries would change, or the strides allow no view.
    """
    if shape and isinstance(shape[0], xp.dtype):
        raise ArgumentError(
            f"view got the dtype {shape[0]}.",
            "A view here has another shape and the same dtype; PyTorch's view(dtype) reads the bytes anew.",
            f"Did you mean x.to(ml.{shape[0]})? Or ml.from_numpy(x.numpy().view({str(shape[0])!r})), for the bytes.",
        )
    size = solved(x.shape, flat(shape), "view")
    if -1 not in shape:
        reshaped(x.shape, shape_=size, name="view")
    known = not x.is_contiguous() and entries(x) is not None  # in a capture nothing has memory yet
    if known and memory_of(xp.reshape(x.value, size)) is not memory_of(x.value):
        raise ShapeError(
            f"view cannot show a tensor of shape {tuple(x.shape)} and strides {x.stride()} as {size}.",
            "A view keeps the memory; these entries do not lie at even steps in the new shape.",
            f"Did you mean x.reshape{size}? It copies when it must.",
        )
    return reshape_op(x, shape=size)


@method
def flatten(x: Any, start_dim: int = 0, end_dim: int = -1) -> Any:
    """The axes from `start_dim` to `end_dim` joined into one; by default all of them.

    Raises:
        ShapeError: No such dim, or the two in the wrong order.
    """
    if not x.shape:
        return reshape_op(x, shape=(1,))
    n = len(x.shape)
    first, last = one_dim("flatten", start_dim, n, place="start_dim"), one_dim("flatten", end_dim, n, place="end_dim")
    if first > last:
        raise ShapeError(
            f"flatten got start_dim={start_dim} and end_dim={end_dim}.",
            "The first dim must not come after the last.",
            f"Did you mean flatten({end_dim}, {start_dim})?",
        )
    joined = numel(x.shape[first : last + 1])
    return reshape_op(x, shape=(*x.shape[:first], joined, *x.shape[last + 1 :]))


@method
def unsqueeze(x: Any, dim: int) -> Any:
    """A view with an axis of length 1 inserted at `dim`."""
    at = one_dim("unsqueeze", dim, len(x.shape) + 1, "a result")
    return reshape_op(x, shape=(*x.shape[:at], 1, *x.shape[at:]))


@method
def squeeze(x: Any, dim: Dim = None) -> Any:
    """A view without its axes of length 1, or without those of `dim` whose length is 1."""
    drop = dims_of("squeeze", dim, len(x.shape)) if dim != () else ()
    return reshape_op(x, shape=tuple([n for i, n in enumerate(x.shape) if n != 1 or i not in drop]))


# ---- order of axes ------------------------------------------------------------------------------------------------


def inverse(axes: tuple[int, ...]) -> tuple[int, ...]:
    """The permutation that undoes `axes`."""
    return tuple(axes.index(i) for i in range(len(axes)))


permute_op = linear(
    "permute",
    lambda x, axes: solid(x).transpose(axes),
    shape=lambda s, *, axes: tuple(s[a] for a in axes),
    vjp=lambda g, *, axes: permute_op(g, axes=inverse(axes)),
    samples=lambda rng: [((rng.normal(size=s),), {"axes": (2, 0, 1)}) for s in ((2, 3, 4), (2, 0, 4))],
    put=lambda base, new, *, axes: permute_op(new, axes=inverse(axes)),
    batch=keeping("axes"),
    prose=Prose(why={"": MOVES}, wholes=("the same numbers, axes put back",)),
)


@method
def permute(x: Any, *dims: Any) -> Any:
    """A view with the axes in the order `dims`.

    Raises:
        ShapeError: `dims` does not name every axis once.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.zeros(1, 2, 3, 4).permute(0, 2, 3, 1).stride()
        (24, 4, 1, 12)
    """
    n = len(x.shape)
    order = tuple([d % n if isinstance(d, int) and -n <= d < n else d for d in flat(dims)])
    if not len(order) == n or set(order) != set(range(n)):
        raise ShapeError(
            f"permute got the dims {flat(dims)} for a tensor with {n} axes.",
            "Every axis must be named exactly once.",
            f"Did you mean permute{order_of_all(flat(dims), n)}?" if n else "A single number has no axes.",
        )
    return permute_op(x, axes=order)


@method
def transpose(x: Any, dim0: int, dim1: int) -> Any:
    """A view with two axes swapped."""
    n = len(x.shape)
    axes = list(range(n))
    i, j = (one_dim("transpose", dim, n, place=place) for dim, place in ((dim0, "dim0"), (dim1, "dim1")))
    if axes:
        axes[i], axes[j] = j, i
    return permute_op(x, axes=tuple(axes))


def matrix_transpose(x: Any) -> Any:
    """A view with the last two axes swapped.

    Raises:
        ShapeError: There are fewer than two.
    """
    n = len(x.shape)
    if n < 2:
        raise ShapeError(
            f"mT of a tensor of shape {tuple(x.shape)}.",
            "It swaps the last two axes.",
            "Did you mean x.T?",
        )
    return permute_op(x, axes=(*range(n - 2), n - 1, n - 2))


flip_op = linear(
    "flip",
    lambda x, axis: x[tuple([slice(None, None, -1 if k in axis else 1) for k in range(x.ndim)])].copy(),
    shape=same_shape,
    vjp=lambda g, *, axis: flip_op(g, axis=axis),
    samples=twelve({"axis": (0,)}, {"axis": (0, 1)}, empty={"axis": (1,)}),
    batch=axis_moved,
    moves=True,
    prose=Prose(why={"": MOVES}),
)


@method
def flip(x: Any, dims: Any) -> Any:
    """A copy with the entries along `dims` in reverse order."""
    dims = dims if isinstance(dims, (tuple, list)) else (dims,)
    return flip_op(x, axis=dims_of("flip", dims, len(x.shape), "dims") if dims else ())


def no_tangent(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> None:
    """The jvp of detach: nothing moves."""


# ---- copies, and the same memory under another history ------------------------------------------------------------

clone = linear(
    "clone",
    lambda x: solid(x).copy("K"),
    shape=same_shape,
    vjp=lambda g: g,
    samples=twelve({}, empty={}),
    doc=("A copy in memory of its own, through which gradients flow.", "ml.clone(ml.tensor([1.0]))", "tensor([1.])"),
    batch=as_it_is,
    moves=True,
    prose=Prose(why={"": MOVES}, wholes=("the same numbers",), passes=("A copy passes a gradient through unchanged.",)),
)
in_row_order = linear(
    "contiguous",
    lambda x: solid(x).copy(),
    shape=same_shape,
    vjp=lambda g: g,
    samples=twelve({}, empty={}),
    batch=as_it_is,
    moves=True,
    prose=Prose(why={"": MOVES}, wholes=("the same numbers, laid out as before",)),
)
detach = Op(
    name="detach",
    impl=lambda x: x,
    shape=same_shape,
    vjp=(None,),
    samples=twelve({}, empty={}),
    put=lambda base, new: new,
    doc=(
        "The same memory without the history: gradients stop here.",
        "ml.detach(ml.tensor([1.0], requires_grad=True))",
        "tensor([1.])",
    ),
    batch=as_it_is,
    jvp=no_tangent,
)
cast = linear(
    "cast",
    lambda x, dtype: converted(solid(x), dtype),
    shape=lambda s, *, dtype: s,
    vjp=lambda g, x_dtype, *, dtype: cast(g, dtype=x_dtype),
    samples=twelve({"dtype": xp.dtype("float64")}, empty={"dtype": xp.dtype("float64")}),
    batch=as_it_is,
    gives="dtype",
    word=Word(frozenset(), c="({type}){0}", cost=LITTLE),  # kernels cast by a rule of their own
    moves=True,
    prose=Prose(why={"x_dtype": "the gradient only has to get its old dtype back"}),
)
transfer = linear(
    "transfer",
    lambda x, device: to_device(x, device),
    shape=lambda s, *, device: s,
    vjp=lambda g, x_device, *, device: transfer(g, device=x_device),
    samples=twelve({"device": "cpu"}, empty={"device": "cpu"}),
    batch=as_it_is,
)


@method
def contiguous(x: Any) -> Any:
    """`x` itself if its entries lie in row order without gaps, else a copy that does."""
    return x if x.is_contiguous() else in_row_order(x)


DEVICES = ("cpu", "cuda", "gpu", "mps", "xpu", "tpu")  # that people name; which of them is there, is seen later


def asked(target: tuple[Any, ...], dtype: Any, device: Any) -> tuple[Any, Any]:
    """The dtype and the device that the arguments of `to` name: by themselves, or as those of another tensor."""
    for t in target:
        if hasattr(t, "requires_grad"):
            dtype, device = t.dtype, t.device
        elif isinstance(t, bool):  # non_blocking, by its place
            continue
        elif isinstance(t, str) and t.partition(":")[0].lower() in DEVICES:
            device = t
        else:
            dtype = t
    return dtype, device


@method
def to(x: Any, *target: Any, dtype: Any = None, device: Any = None, copy: bool = False) -> Any:
    """`x` with another dtype, on another device, or as another tensor is. Where nothing changes it is `x` itself.

    With `copy` it is new memory all the same.

    Raises:
        DTypeError: There is no such dtype.
        DeviceError: There is no such device here.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.ones(2)
        >>> x.to("cpu") is x, x.to(ml.float64).dtype
        (True, dtype('float64'))
    """
    given, (dtype, device) = x, asked(target, dtype, device)
    copy = copy or [t for t in target if isinstance(t, bool)][1:] == [True]  # after non_blocking, by its place
    if device is not None and check_device(device) != x.device:
        x = transfer(x, device=check_device(device))
    if dtype is not None and x.dtype != (wanted := as_dtype(dtype)):
        return cast(x, dtype=wanted)
    return clone(x) if copy and x is given else x


@method
def cpu(x: Any) -> Any:
    """`x` in the memory of the CPU; `x` itself if it is there already."""
    return to(x, device="cpu")


@method_alone
def cuda(x: Any) -> Any:
    """`x` in the memory of the GPU; `x` itself if it is there already.

    Raises:
        DeviceError: There is no GPU, or CuPy is not installed.
    """
    return to(x, device="cuda")


def type_of(x: Any, dtype: Any = None) -> Any:
    """`x` in `dtype`, as `to`; without one, the name of the dtype that it has.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.ones(2).type(), ml.ones(2).type(ml.int8).dtype
        ('float32', dtype('int8'))
    """
    return x.dtype.name if dtype is None else to(x, dtype)


METHODS["type"] = taught(type_of)


def cast_method(name: str, dtype: DType) -> None:
    """Give tensors `x.<name>()`: `x` in `dtype`."""

    def changed(x: Any) -> Any:
        return to(x, dtype)

    changed.__name__, changed.__doc__ = name, f"`x` in {dtype.name}; `x` itself if it is already."
    METHODS[name] = taught(changed)


for spoken, meant in (
    ("half", float16),
    ("bfloat16", bfloat16),
    ("float", float32),
    ("double", float64),
    ("char", int8),
    ("short", int16),
    ("int", int32),
    ("long", int64),
    ("byte", uint8),
    ("bool", bool_),
):
    cast_method(spoken, meant)
