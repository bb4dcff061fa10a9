"""vmap: a function of one example becomes a function of a batch. After JAX's `vmap`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..autograd.custom import Call, Flat
from ..core.interpret import interpreting
from ..errors import ArgumentError, ShapeError
from ..ops import FUNCTIONS
from ..ops.batching import size_of
from ..ops.broadcast import expand_op
from ..ops.front import taught
from ..ops.misfit import check_callable
from ..ops.movement import permute_op
from ..ops.op import Op
from ..ops.random import Generator
from ..tensors.tensor import Tensor
from .boxing import Box, Boxing, as_tensor
from .mapped import Mapped
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


class Info(NamedTuple):
    """What a Function's own rule for a batch is told about it."""

    batch_size: int
    randomness: str


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

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Map the call, and hand it to the level below."""
        assert self.below is not None
        call.enter(self.name)
        values = self.opened(tuple(args))
        batched = [self.mine(a) and a.batched for a in args]
        with interpreting(self.below):
            if not any(batched):
                return [self.box(x) if isinstance(x, Tensor) else x for x in self.below.custom(call, values)]
            rule = call.batching(self.name)
            if rule is None:
                outs = self.below.custom(Mapped(call, batched, self.twin_level), values)
            else:
                outs = by_hand(call, rule, self.randomness, batched, values)
        return [self.box(x, True) if isinstance(x, Tensor) else x for x in outs]

    def twin_level(self) -> Vmap:
        """Another level for the same examples."""
        v = Vmap()
        v.size, v.randomness = self.size, self.randomness
        return v

    def become(self, x: Batched, new: Batched) -> None:
        """Take over the value."""
        x.value, x.batched = new.value, new.batched


def by_hand(call: Call, rule: Any, randomness: str, batched: list[bool], values: Flat) -> list[Any]:
    """What the user's own rule for a batch gives, with the batch in front."""
    size = size_of(list(values), batched)
    places = tuple(0 if b else None for b in batched)
    result, dims = rule(Info(size, randomness), places, *values)
    call.single = not isinstance(result, tuple)
    outs, dims = ([result], [dims]) if call.single else (list(result), dims)
    pairs = zip(outs, dims, strict=True)
    return [expand_op(x, shape=(size, *x.shape)) if d is None else to_front(x, d) for x, d in pairs]


@taught
def vmap(
    func: Callable[..., Any],
    in_axes: Any = 0,
    out_axes: Any = 0,
    randomness: str = "error",
    chunk_size: int | None = None,
) -> Callable[..., Any]:
    """The function that runs `func` for every example of a batch at once.

    Args:
        func: A function of single examples. Arguments and result may be nested in tuples, lists and dicts.
        in_axes: Which axis of each argument counts the examples; None for an argument that all share. One value for
            all, or one per argument, nested like it.
        out_axes: Where the batch stands in the result; None for what is the same for all. Keyword arguments are mapped
            along axis 0.
        randomness: Whether the examples draw "different" random numbers or the "same" ones; "error" refuses to draw.
        chunk_size: How many examples are run at once: all if None.

    Raises:
        ShapeError: The arguments have batches of different sizes, or none has one.
        ArgumentError: `func` decides by the value of a tensor, or draws random numbers without `randomness`.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.arange(6).float().reshape(3, 2)
        >>> ml.func.vmap(lambda row: (row * row).sum())(x)
        tensor([ 1., 13., 41.])
    """
    check_callable("vmap", func)
    if randomness not in ("error", "different", "same"):
        raise ArgumentError(
            f"vmap got randomness={randomness!r}.",
            'It is "error", "different" or "same".',
            'Did you mean randomness="different"?',
        )

    def mapped(*args: Any, **kwargs: Any) -> Any:
        flat, build = flatten([list(args), kwargs])
        axes = broadcast_prefix(list(in_axes) if isinstance(in_axes, tuple) else in_axes, list(args))
        axes += [0] * (len(flat) - len(axes))  # keywords count the examples along axis 0
        tensors = [as_tensor(x) for x in flat]
        size = batch_size(tensors, axes)
        if chunk_size is not None and chunk_size < size:
            return in_chunks(mapped, tensors, axes, build, chunk_size, out_axes)
        v = Vmap()
        v.size, v.randomness = size, randomness
        boxes = [
            v.box(x if axis is None else to_front(x, axis), axis is not None)
            for x, axis in zip(tensors, axes, strict=True)
        ]
        with interpreting(v):
            given, named = build(boxes)
            result = func(*given, **named)
            outs, rebuild = flatten(result)
            outs = [v.own(out) for out in outs]
        places = broadcast_prefix(out_axes, result)
        return rebuild([from_front(out, size, place) for out, place in zip(outs, places, strict=True)])

    return mapped


def in_chunks(
    mapped: Callable[..., Any], tensors: list[Any], axes: list[Any], build: Any, chunk_size: int, out_axes: Any
) -> Any:
    """The results of `mapped` for some examples after the others, put together again."""
    cuts = [(None,) * 0 if axis is None else x.split(chunk_size, axis) for x, axis in zip(tensors, axes, strict=True)]
    count = max(map(len, cuts))
    results: list[Any] = []
    for k in range(count):
        given, named = build([cut[k] if cut else x for cut, x in zip(cuts, tensors, strict=True)])
        results.append(mapped(*given, **named))
    parts = [flatten(result)[0] for result in results]
    places = broadcast_prefix(out_axes, results[0])
    outs = [
        column[0] if place is None else FUNCTIONS["cat"](list(column), place)
        for column, place in zip(zip(*parts, strict=True), places, strict=True)
    ]
    return flatten(results[0])[1](outs)


def batch_size(tensors: list[Any], axes: list[Any]) -> int:
    """How many examples there are.

    Raises:
        ShapeError: The batches have different sizes, there is none, or an argument has no such axis.
    """
    mapped = [(x, axis) for x, axis in zip(tensors, axes, strict=True) if axis is not None]
    for x, axis in mapped:
        check_axis("in_axes", axis, "an argument", tuple(x.shape))
    sizes = [x.shape[axis] for x, axis in mapped]
    if sizes and all(n == sizes[0] for n in sizes):
        return sizes[0]
    shapes = ", ".join(str(tuple(x.shape)) for x in tensors)
    raise ShapeError(
        f"vmap got arguments of the shapes {shapes} with in_axes {axes}.",
        "At least one argument has a batch axis, and all batches have the same size.",
        "Did you mean in_axes=None for what all examples share?",
    )


def check_axis(name: str, axis: int, what: str, shape: tuple[int, ...]) -> None:
    """Refuse an axis that there is none of.

    Raises:
        ShapeError: `shape` has no such axis.
    """
    n = len(shape)
    if not -n <= axis < n:
        raise ShapeError(
            f"vmap got {name}={axis} for {what} of shape {shape}.",
            f"Its axes are 0 to {n - 1}, or -{n} to -1 counted from the end." if n else "It has no axis to map.",
            f"Did you mean {name}={n - 1}?" if n else "Give it a batch axis; None stands for what all examples share.",
        )


def to_front(x: Any, axis: int) -> Any:
    """`x` with the batch on axis 0."""
    n = len(x.shape)
    axis %= n
    return x if axis == 0 else permute_op(x, axes=(axis, *(i for i in range(n) if i != axis)))


def from_front(out: Batched, size: int, place: int | None) -> Any:
    """The result with the batch at `place`; what does not depend on the example is repeated, or None keeps one of it.

    Raises:
        ShapeError: `place` is None, and the result does depend on the example; or the result has no such axis.
    """
    if place is None and out.batched:
        raise ShapeError(
            f"vmap got out_axes=None for a result of shape {out.shape} that differs from example to example.",
            "None keeps one result for all examples, so it must not depend on what is mapped.",
            "Did you mean out_axes=0?",
        )
    if place is None:
        return out.value
    value = out.value if out.batched else expand_op(out.value, shape=(size, *out.value.shape))
    n = len(value.shape)
    check_axis("out_axes", place, "a result", (size, *out.shape))
    if place % n == 0:
        return value
    order = [*range(1, n)]
    order.insert(place % n, 0)
    return permute_op(value, axes=tuple(order))
