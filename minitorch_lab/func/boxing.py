"""Tensors of a running transform, and writing in place where no memory may be touched.

Under a transform a tensor is a box around a value of the level below. A write in place is functional: it makes a new
value and lets the tensor *become* it; a write through a view is first *put* into its base, and other views are made
again when they are next asked. So a function that fills a buffer can be differentiated and mapped like any other.
"""

from __future__ import annotations

from typing import Any

from ..autograd.calls import met
from ..core.array import (
    Array,
    DType,
    address,
    are_numbers,
    device_of,
    device_under,
    float32,
    float64,
    ground,
    memory_of,
    must_copy,
    view_as,
    without_memory,
)
from ..core.device import device
from ..core.interpret import Interpreter, autocast_mode, grad_enabled, grad_mode, interpreting, next_level, stack
from ..errors import ArgumentError, CaptureError, GradientError, ShapeError
from ..ops.axes import numel, one_dim
from ..ops.factory import full
from ..ops.movement import detach
from ..ops.op import Op, as_given
from ..ops.precision import run_in_block
from ..tensors.factories import tensor
from ..tensors.tensor import Link, Tensor, View, check_truth, storage_of, tracked
from .trees import mapped


class Box(View):
    """A tensor of a running transform. Its value is a tensor, or an array, of the level below.

    `lies` is set before the first write: the strides that its memory has, whatever the values written have. `unsure`
    is set where nobody can tell whether it shares memory with another box.
    """

    __slots__ = ("level", "lies", "unsure")

    @property
    def dtype(self) -> DType:
        """The type of the entries."""
        return self.value.dtype

    @property
    def device(self) -> device:
        """Where the memory lies."""
        return device(device_under(self))

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    def numel(self) -> int:
        """The number of entries."""
        return numel(self.shape)

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Inside a transform every value counts as laid out in row order."""
        return True

    def stride(self, dim: int | None = None) -> Any:
        """The strides that the tensor would have in eager execution."""
        lies = known_ghost(self)
        steps = tuple(step // lies.itemsize for step in lies.strides)
        return steps if dim is None else steps[one_dim("stride", dim, len(steps))]

    def storage_offset(self) -> int:
        """The offset that it would have there."""
        lies, root = known_ghost(self), self
        while root.link is not None and root.link.op.name != "as_strided":
            root = root.link.base
        start = root.link.params["offset"] if root.link is not None else 0
        return start + (address(lies) - address(memory_of(lies))) // lies.itemsize

    def item(self) -> Any:
        """The only entry, as a Python number: allowed where the transform computes with concrete values."""
        return self.value.item()

    def tolist(self) -> Any:
        """The entries as nested lists of Python numbers."""
        return self.value.tolist()

    def numpy(self, *, force: bool = False) -> Array:
        """Refused: an array would leave the transform."""
        raise GradientError(
            "numpy() of a tensor inside a transform.",
            "An array has no place for what the transform tracks, which would silently stop.",
            "Stay with tensors inside the function; take the array from its result.",
        )

    @property
    def data(self) -> Any:
        """As `detach()`: a transform touches no memory that could be shown without a version counter."""
        return detach(self)

    @data.setter
    def data(self, other: Tensor) -> None:
        """Refused: there is no memory to exchange."""
        raise GradientError(
            "data of a tensor inside a transform set to another.",
            "A transform touches no memory, and a tensor in it is what was computed.",
            "Did you mean x.copy_(other)?",
        )

    def describe(self) -> str:
        """What is inside, and whose it is: memory and versions belong to eager execution."""
        return repr(self)

    def __copy__(self) -> Tensor:
        """Refused, as `numpy()` is."""
        return self.__reduce_ex__(2)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """Refused: a copy or a pickle would leave the transform."""
        raise GradientError(
            "A copy or a pickle of a tensor inside a transform.",
            "What the transform tracks cannot be taken along.",
            "Did you mean x.clone()?",
        )

    def __bool__(self) -> bool:
        """The truth of a single number."""
        return bool(check_truth(self).item())

    def __repr__(self) -> str:
        """What is inside, and whose it is."""
        return f"{type(self).__name__}(level={self.level}, {self.value!r})"


def as_tensor(x: Any) -> Any:
    """Numbers and arrays as tensors; tensors as they are. What a rule has made on a GPU is shown, not transferred."""
    if isinstance(x, Tensor):
        return x
    return Tensor(x) if device_of(x) == "cuda" else tensor(x)


def zeros(x: Any) -> Any:
    """Zeros of the shape, dtype and device of `x`, at the level in force."""
    return full(shape=tuple(x.shape), value=0.0, dtype=x.dtype).to(device=x.device)


class Boxing(Interpreter):
    """An interpreter whose values are boxes of its level."""

    name = "transform"

    def __init__(self) -> None:
        self.level, self.below = next_level(), stack.get()

    # ---- what a subclass decides ------------------------------------------------------------------------------------
    def box(self, value: Any) -> Any:
        """A constant of this level around `value`."""
        raise NotImplementedError

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """The box of `op(*args)`."""
        raise NotImplementedError

    def become(self, x: Any, new: Any) -> None:
        """Let `x` hold what `new` holds."""
        raise NotImplementedError

    # ---- running ----------------------------------------------------------------------------------------------------
    def mine(self, a: Any) -> bool:
        """Whether `a` belongs to this transform."""
        return isinstance(a, Tensor) and a.level == self.level

    def own(self, a: Any) -> Any:
        """`a` as a box of this level; what comes from below is a constant here."""
        if self.mine(a):
            tracked(a)
            return a
        return self.box(as_tensor(a))

    def opened(self, args: tuple[Any, ...]) -> list[Any]:
        """What the level below computes with."""
        return [self.own(a).value if self.mine(a) else a for a in args]

    def without(self, tree: Any) -> Any:
        """What a function returns besides its result, out of this level; what is no tensor stays as it is."""
        return mapped(lambda x: self.own(x).value if isinstance(x, Tensor) else x, tree)

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Run `op` at this level. A view of a tensor from outside stays outside, so that writes to it reach there."""
        assert self.below is not None
        if op.put is not None and isinstance(args[0], Tensor) and not any(map(self.mine, args)):
            return self.below.run(op, args, params)
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given and not (all(map(self.mine, args)) and alike_boxes(args)):
            args = met(op, args, self)
        return self.linked(self.apply(op, args, params), op, args, params)

    def linked(self, out: Any, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Note that `out` is a view of the first argument, if it is."""
        if op.put is not None and len(args) == 1 and self.mine(args[0]):
            x = args[0]
            shared = shares(op, x, params)
            if shared is None:
                out.unsure = x.unsure = True
            elif shared:
                out.link, out.storage = Link(x, op, params), storage_of(x)
        return out

    # ---- writing ----------------------------------------------------------------------------------------------------
    def inplace(self, op: Op, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Let `x` become `op(x, *args)`.

        Raises:
            ArgumentError: `x` was made outside, and something of this transform would leak into it.
            ShapeError: The result has another shape.
        """
        assert self.below is not None
        if not self.mine(x):
            if any(map(self.mine, args)):
                raise ArgumentError(
                    f"{op.name}_ would write a value of {self.name} into a tensor made outside it.",
                    "The tensor outlives the transform, and the value does not.",
                    "Make the buffer inside the function, or return the value.",
                )
            return self.below.inplace(op, x, args, params)
        tracked(x)
        new = self.run(op, (self.twin(x), *args), params)
        if tuple(new.shape) != tuple(x.shape):
            raise ShapeError(
                f"{op.name}_ would write a result of shape {tuple(new.shape)} into a tensor of shape {tuple(x.shape)}.",
                "A write in place keeps the shape.",
                f"Did you mean x = x.{op.name}(y)?",
            )
        self.write(x, new)
        return x

    def write(self, x: Any, new: Any) -> None:
        """Put `new` where `x` is.

        Raises:
            CaptureError: It is not known what else lies there.
        """
        if getattr(x, "unsure", False):
            raise CaptureError(
                "A write, during capture, to a tensor that was reshaped while its memory lay in an unknown order.",
                "Whether the reshape shares memory, so that both change, cannot be told without running it.",
                "Did you mean x.contiguous() before the reshape, or x.clone() before the write?",
            )
        storage_of(x).version += 1
        if x.link is None:
            x.lies = strides_of(x)
            self.become(x, new)
            return
        base, op, params = x.link.base, x.link.op, x.link.params
        tracked(base)
        with grad_enabled(grad_mode.get() and op is not detach), interpreting(self):  # detach shares no history
            self.write(base, op.put(base, new, **params))
        self.become(x, new)
        x.link.seen = x.storage.version

    def twin(self, x: Any) -> Any:
        """Another tensor with what `x` holds now, so that what is saved of it outlives the write."""
        twin = self.box(x.value)
        with grad_enabled(True):
            self.become(twin, x)
        return twin

    def remake(self, x: Any) -> None:
        """Make a view again from its base, also under no_grad: its history is asked for late."""
        with grad_enabled(x.link.op is not detach), interpreting(self):
            self.become(x, self.run(x.link.op, (x.link.base,), x.link.params))

    def require(self, x: Any, on: bool) -> Any:
        """Refused: inside a transform only its arguments are differentiated."""
        raise GradientError(
            f"requires_grad_() on a tensor inside {self.name}.",
            "A transform differentiates by the arguments of its function.",
            "Pass the tensor as an argument, with argnums.",
        )

    def rules(self, retain: bool, create: bool) -> Any:
        """Refused, as `backward` is: `autograd.grad` would walk the tape."""
        raise GradientError(
            f"autograd.grad inside {self.name}.",
            "Its tape belongs to the transform, which walks it when the function returns.",
            "Did you mean ml.func.grad? It may stand inside another one.",
        )

    def backward(self, root: Any, gradient: Any, retain: bool, create: bool) -> None:
        """Refused: the tape of a transform is walked by the transform."""
        raise GradientError(
            f"backward() from a tensor inside {self.name}.",
            "Its tape belongs to the transform, which walks it when the function returns.",
            "Use ml.func.grad or ml.func.vjp inside, or call backward() outside.",
        )


def alike_boxes(args: tuple[Any, ...]) -> bool:
    """Whether all are of float32, or all of float64."""
    return len({a.dtype for a in args}) == 1 and args[0].dtype in (float32, float64)


def shares(op: Op, x: Any, params: dict[str, Any]) -> bool | None:
    """Whether eager execution would give a view here: a reshape may have to copy, which only the strides can tell."""
    if op.name != "reshape":
        return True
    ghost = ghost_of(x)
    return (in_rows(x) or None) if ghost is None else not must_copy(ghost, params["shape"])


def in_rows(x: Any) -> bool:
    """Whether a box is known to lie in row order where its lengths are symbols: then a reshape need not copy."""
    if x.link is not None:
        return x.link.op.name in ("reshape", "detach") and in_rows(x.link.base)
    strides, step = strides_of(x), x.dtype.itemsize
    if strides is None:
        return False
    for n, stride in zip(x.shape[::-1], strides[::-1], strict=True):
        if stride != step:
            return False
        step *= n
    return True


def ghost_of(x: Any) -> Array | None:
    """An array without memory that lies as `x` would lie in eager execution; None where a capture cannot tell."""
    if x.link is None:
        strides = strides_of(x)
        if strides is None or not are_numbers((*x.shape, *strides)):
            return None
        return without_memory(tuple(x.shape), strides, x.dtype)
    base, op, params = ghost_of(x.link.base), x.link.op, x.link.params
    if base is None:
        return None
    if op.name == "as_strided":
        return without_memory(params["size"], tuple(step * base.itemsize for step in params["stride"]), x.dtype)
    return view_as(base, params["shape"]) if op.name == "reshape" else op.impl(base, **params)


def known_ghost(x: Any) -> Array:
    """The same, where it must be known.

    Raises:
        CaptureError: A capture cannot tell.
    """
    ghost = ghost_of(x)
    if ghost is None:
        raise CaptureError(
            f"The strides of a tensor of shape {tuple(x.shape)} are asked for, and a capture cannot tell them.",
            "NumPy chooses how a result lies when its inputs do not lie in row order.",
            "Did you mean x.contiguous() first?",
        )
    return ghost


def strides_of(x: Any) -> tuple[int, ...] | None:
    """The strides in bytes of the memory that a box without a base stands for; None where a capture cannot tell."""
    if hasattr(x, "lies"):
        return x.lies
    bottom = ground(x)
    return None if bottom.strides is None else tuple(bottom.strides)[len(bottom.shape) - len(x.shape) :]
