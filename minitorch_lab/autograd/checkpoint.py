"""Checkpointing: save the input of a piece of the forward pass, and compute the rest again when the walk needs it.

After Chen, Xu, Zhang and Guestrin, "Training deep nets with sublinear memory cost" (2016): of n layers cut into √n
segments, memory holds √n inputs and the inside of one segment, for one more forward pass.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from math import isqrt
from typing import Any

from ..errors import ArgumentError, GradientError
from ..interpret import grad_enabled, grad_mode, interpreting, stack
from ..ops.front import taught
from ..ops.random import DEFAULT
from ..tensor import Tensor, tracked
from .eager import Eager
from .node import Saved
from .saved import Packing, Parcel, saved_tensors_hooks
from .tape import save

Facts = tuple[tuple[int, ...], Any]  # shape and dtype


class Frame:
    """One checkpointed call: its inputs, and, while a walk is inside it, what its nodes had saved.

    Its two hooks are those of `saved_tensors_hooks`: `pack` keeps a number, `unpack` runs the function again.
    """

    def __init__(self, fn: Callable[..., Any], args: tuple[Any, ...], tape: Eager) -> None:
        self.fn, self.tape = fn, tape
        self.outer = tape if isinstance(tape, Packing) else None
        self.args = [self.keep(a) for a in args]
        self.dice = DEFAULT.get_state()
        self.saved: list[Facts] = []
        self.found: dict[int, tuple[Tensor, int]] = {}

    def keep(self, a: Any) -> Any:
        """An input, with its version; inside another checkpoint it is that one's to keep."""
        if not isinstance(a, Tensor):
            return a
        kept = save(a, tracked(a))
        return self.outer.parcel(kept) if self.outer is not None else kept

    def given(self, a: Any) -> Any:
        """An input as the function got it.

        Raises:
            GradientError: It was written in place since.
        """
        kept = a.open() if isinstance(a, Parcel) else a
        if not isinstance(kept, Saved):
            return kept
        if kept.storage.version != kept.version:
            raise GradientError(
                "An input of a checkpointed function was written in place before backward().",
                "checkpoint() runs the function again from its inputs, which must be what they were.",
                "Did you mean the op without the underscore? Or pass x.clone().",
            )
        return Tensor(kept.value, kept.node, kept.storage)

    def pack(self, x: Tensor) -> int:
        """Drop `x`, and keep its number."""
        self.saved.append((tuple(x.shape), x.dtype))
        return len(self.saved) - 1

    def unpack(self, number: int) -> Tensor:
        """The tensor with this number, computed again if it is not there.

        Raises:
            GradientError: The function wrote over it in place.
        """
        if number not in self.found:
            self.recompute()
        x, version = self.found.pop(number)
        if x._version != version:  # pyright: ignore[reportPrivateUsage]
            raise GradientError(
                "A checkpointed function wrote in place over a tensor that it had saved for its gradient.",
                "A tensor that an op keeps for its gradient must not be written in place before backward().",
                "Did you mean the op without the underscore (y = y + 1)? Or write to y.clone().",
            )
        return x

    def recompute(self) -> None:
        """Run the function again with the same random numbers, and take what its nodes save.

        Raises:
            GradientError: It saved something else than the first time.
        """
        again: list[Facts] = []
        self.found.clear()

        def take(x: Tensor) -> None:
            self.found[len(again)] = x, x._version  # pyright: ignore[reportPrivateUsage]
            again.append((tuple(x.shape), x.dtype))

        args = [self.given(a) for a in self.args]
        with same_dice(self.dice), interpreting(self.tape), grad_enabled(True), saved_tensors_hooks(take, refuse):
            self.fn(*args)
        if again != self.saved:
            raise GradientError(
                f"A checkpointed function saved {len(self.saved)} tensors, and {len(again)} when it ran again."
                if len(again) != len(self.saved)
                else "A checkpointed function saved tensors of other shapes or dtypes when it ran again.",
                "checkpoint() runs the function a second time, which must do what the first did.",
                "Take what changes (a counter, a random choice of Python's) out of it, or pass it as an argument.",
            )


def refuse(packed: Any) -> Tensor:
    """Nothing walks over the graph of a second run."""
    raise GradientError(
        "A checkpointed function walked back over its own graph while it ran again.",
        "The second run only finds what was saved.",
        "Call backward() outside the checkpointed function.",
    )


@contextmanager
def same_dice(state: Any) -> Generator[None]:
    """Draw from the default generator as from `state` on, and leave no trace in it."""
    now = DEFAULT.get_state()
    DEFAULT.set_state(state)
    try:
        yield
    finally:
        DEFAULT.set_state(now)


@taught
def checkpoint(fn: Callable[..., Any], *args: Any) -> Any:
    """`fn(*args)`, of which the tape keeps only the inputs; the walk runs `fn` again for the rest.

    The gradients are the same to the last bit, random numbers of the default generator included. Checkpoints may be
    nested. Without gradients, and inside a transform such as `func.grad`, this is a plain call.

    Args:
        fn: A function that does the same each time it is called with the same arguments.
        args: Its arguments. Tensors that `fn` takes from elsewhere, such as parameters, must keep their values.

    Raises:
        GradientError: During the walk: an argument was written in place, or `fn` did not do the same again.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(0.5, requires_grad=True)
        >>> y = ml.autograd.checkpoint(lambda x: x.exp().sin().exp(), x)
        >>> y.grad_fn.name()
        'ExpBackward'
        >>> y.backward()
        >>> x.grad
        tensor(-0.3478)
    """
    tape = stack.get()
    if not grad_mode.get() or not isinstance(tape, Eager):
        return fn(*args)
    frame = Frame(fn, args, tape)
    with saved_tensors_hooks(frame.pack, frame.unpack):
        return fn(*args)


@taught
def checkpoint_sequential(
    functions: Sequence[Callable[[Any], Any]], segments: int | None = None, input: Any = None
) -> Any:
    """The functions, one after the other, cut into segments of which all but the last are checkpointed.

    Args:
        functions: Functions of one tensor, for example a `Sequential`.
        segments: How many; √n of n functions if left out, where memory is smallest.
        input: The argument of the first function.

    Raises:
        ArgumentError: There are fewer functions than segments, or none.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(0.5, requires_grad=True)
        >>> ml.autograd.checkpoint_sequential([ml.exp, ml.sin, ml.exp, ml.sin], 2, x).backward()
        >>> x.grad
        tensor(0.3159)
    """
    layers = list(functions)
    count = isqrt(len(layers) - 1) + 1 if segments is None and layers else segments
    if not count or not 1 <= count <= len(layers):
        raise ArgumentError(
            f"checkpoint_sequential got {segments} segments for {len(layers)} functions.",
            "Every segment runs at least one function.",
            f"Did you mean segments={max(1, isqrt(len(layers)))}?",
        )
    # rounded up, so that the last segment, which stands on top of all the inputs kept, is a short one
    cuts = [-(-len(layers) * i // count) for i in range(count + 1)]
    for start, end in pairwise(cuts[:-1]):
        input = checkpoint(chain(layers[start:end]), input)
    return chain(layers[cuts[-2] :])(input)


def chain(layers: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """One layer after the other, as one function."""

    def run(x: Any) -> Any:
        for layer in layers:
            x = layer(x)
        return x

    return run
