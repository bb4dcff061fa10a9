"""vmap: a function of one example becomes a function of a batch. After JAX's `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..errors import ArgumentError, ShapeError
from ..interpret import interpreting
from ..ops.broadcast import expand_op
from ..ops.front import taught
from ..ops.movement import permute_op
from ..ops.op import Op
from ..ops.random import Generator
from .boxing import Box, Boxing, as_tensor
from .trees import broadcast_prefix, flatten


class Batched(Box):
    """One example of a batch, with the batch on axis 0 of its value. `batched` is False for what all examples share."""

    __slots__ = ("batched",)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of one example."""
        shape = tuple(self.value.shape)
        return shape[1:] if self.batched else shape

    def item(self) -> Any:
        """Refused where the examples could differ."""
        if not self.batched:
            return self.value.item()
        raise ArgumentError(
            "A Python number, or a branch, from a tensor inside vmap.",
            "All examples run the same lines, so a decision cannot depend on one of them.",
            "Did you mean ml.where(condition, a, b)?",
        )

    tolist = item


class Vmap(Boxing):
    """Runs an op for all examples at once, by the op's batching rule."""

    name = "vmap"
    size, randomness = 1, "error"  # how many examples there are, and whether they draw the same random numbers

    def box(self, value: Any, batched: bool = False) -> Batched:
        """A tensor of this level."""
        out = Batched(value)
        out.batched, out.level, out.link = batched, self.level, None
        return out

    def apply(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Batched:
        """Compute below: batched if an input is, once for all if none is."""
        assert self.below is not None
        if isinstance(params.get("generator"), Generator) and not args:
            return self.draw(op, params)
        values = self.opened(args)
        batched = [self.mine(a) and a.batched for a in args]
        with interpreting(self.below):
            if not any(batched):
                return self.box(op(*values, **params))
            assert op.batch is not None
            return self.box(op.batch(op, values, batched, params), True)

    def draw(self, op: Op, params: dict[str, Any]) -> Batched:
        """Random numbers: those of the examples one after the other, or one draw for all.

        Raises:
            ArgumentError: It is not said which.
        """
        assert self.below is not None
        if self.randomness == "error":
            raise ArgumentError(
                f"Random numbers ({op.name}) inside vmap.",
                "It is not said whether all examples get the same numbers.",
                'Did you mean vmap(f, randomness="different"), or "same"? Or draw them outside and pass them in.',
            )
        different = self.randomness == "different"
        shape = (self.size, *params["shape"]) if different else params["shape"]
        with interpreting(self.below):
            return self.box(op(**{**params, "shape": shape}), different)

    def become(self, x: Batched, new: Batched) -> None:
        """Take over the value."""
        x.value, x.batched = new.value, new.batched


@taught
def vmap(
    func: Callable[..., Any], in_axes: Any = 0, out_axes: Any = 0, randomness: str = "error"
) -> Callable[..., Any]:
    """The function that runs `func` for every example of a batch at once.

    Args:
        func: A function of single examples. Arguments and result may be nested in tuples, lists and dicts.
        in_axes: Which axis of each argument counts the examples; None for an argument that all share. One value for
            all, or one per argument, nested like it.
        out_axes: Where the batch stands in the result.
        randomness: Whether the examples draw "different" random numbers or the "same" ones; "error" refuses to draw.

    Raises:
        ShapeError: The arguments have batches of different sizes, or none has one.
        ArgumentError: `func` decides by the value of a tensor, or draws random numbers without `randomness`.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.arange(6).float().reshape(3, 2)
        >>> ml.func.vmap(lambda row: (row * row).sum())(x)
        tensor([ 1., 13., 41.])
    """
    if randomness not in ("error", "different", "same"):
        raise ArgumentError(
            f"vmap got randomness={randomness!r}.",
            'It is "error", "different" or "same".',
            'Did you mean randomness="different"?',
        )

    def mapped(*args: Any) -> Any:
        flat, build = flatten(list(args))
        axes = broadcast_prefix(list(in_axes) if isinstance(in_axes, tuple) else in_axes, list(args))
        tensors = [as_tensor(x) for x in flat]
        size = batch_size(tensors, axes)
        v = Vmap()
        v.size, v.randomness = size, randomness
        boxes = [
            v.box(x if axis is None else to_front(x, axis), axis is not None)
            for x, axis in zip(tensors, axes, strict=True)
        ]
        with interpreting(v):
            result = func(*build(boxes))
            outs, rebuild = flatten(result)
            outs = [v.own(out) for out in outs]
        places = broadcast_prefix(out_axes, result)
        return rebuild([from_front(out, size, place) for out, place in zip(outs, places, strict=True)])

    return mapped


def batch_size(tensors: list[Any], axes: list[Any]) -> int:
    """How many examples there are."""
    sizes: set[Any] = {
        x.shape[axis] if -len(x.shape) <= axis < len(x.shape) else None
        for x, axis in zip(tensors, axes, strict=True)
        if axis is not None
    }
    if len(sizes) == 1 and None not in sizes:
        return sizes.pop()
    shapes = ", ".join(str(tuple(x.shape)) for x in tensors)
    raise ShapeError(
        f"vmap got arguments of the shapes {shapes} with in_axes {axes}.",
        "At least one argument has a batch axis, and all batches have the same size.",
        "Did you mean in_axes=None for what all examples share?",
    )


def to_front(x: Any, axis: int) -> Any:
    """`x` with the batch on axis 0."""
    n = len(x.shape)
    axis %= n
    return x if axis == 0 else permute_op(x, axes=(axis, *(i for i in range(n) if i != axis)))


def from_front(out: Batched, size: int, place: int) -> Any:
    """The result with the batch at `place`; what does not depend on the example is repeated."""
    value = out.value if out.batched else expand_op(out.value, shape=(size, *out.value.shape))
    n = len(value.shape)
    if place % n == 0:
        return value
    order = [*range(1, n)]
    order.insert(place % n, 0)
    return permute_op(value, axes=tuple(order))
