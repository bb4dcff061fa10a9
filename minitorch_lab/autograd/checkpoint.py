"""Checkpointing: save the input of a piece of the forward pass, and compute the rest again when the walk needs it.

After Chen, Xu, Zhang and Guestrin, "Training deep nets with sublinear memory cost" (2016): of n layers cut into √n
segments, memory holds √n inputs and the inside of one segment, for one more forward pass. What somebody keeps anyway
is not computed again, and the second run stops as soon as nothing is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from itertools import accumulate, pairwise
from math import isqrt
from typing import Any

from ..core.interpret import During, autocast_mode, grad_enabled, grad_mode, interpreting, stack
from ..errors import ArgumentError, GradientError
from ..ops.front import taught
from ..ops.random import DEFAULT
from ..tensors.tensor import Tensor, tracked
from .dropped import Dropped, Numbered
from .eager import Eager
from .node import Node, Saved
from .saved import Pack, Packing, Parcel, Unpack
from .tape import save


class Dropping(Packing):
    """Saved-tensors hooks that say who saves."""

    def __init__(self, under: Eager, pack: Pack, unpack: Unpack, numbered: Numbered) -> None:
        super().__init__(under, pack, unpack)
        self.numbered = numbered

    def made(self, node: Node) -> None:
        """Pack what `node` saved, in its name."""
        self.numbered.by = node.name()
        super().made(node)
        self.numbered.by = "checkpoint"


class Enough(BaseException):
    """Ends a second run when nothing is missing any more. No Exception, so that the user's code does not catch it."""


class Frame:
    """One checkpointed call: its arguments, notes on what its nodes saved, and, while a walk is inside it, that itself.

    Its two hooks are those of `saved_tensors_hooks`: `pack` keeps a number, `unpack` runs the function again.
    """

    def __init__(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], dice: Any) -> None:
        tape: Any = stack.get()
        self.fn, self.tape, self.dice = fn, tape, dice
        self.outer = tape if isinstance(tape, Packing) else None
        self.args = [self.keep(a) for a in args]
        self.kwargs = {name: self.keep(a) for name, a in kwargs.items()}
        self.saved, self.lowered = Numbered(), autocast_mode.get()
        self.held: dict[int, Any] = {}  # arrays that are not to be dropped
        self.found: dict[int, tuple[Tensor, int]] = {}

    def run(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The first run."""
        with interpreting(Dropping(self.tape, self.pack, self.unpack, self.saved)):
            return self.fn(*args, **kwargs)

    def hold(self, x: Any) -> None:
        """Do not drop `x`: the caller knows that it stays in memory anyway."""
        number = self.saved.number_of(x.value) if isinstance(x, Tensor) else None
        if number is not None:
            self.held[number] = x.value

    # ---- arguments ------------------------------------------------------------------------------------------------
    def keep(self, a: Any) -> Any:
        """An argument, with its version; inside another checkpoint it is that one's to keep."""
        if not isinstance(a, Tensor):
            return a
        kept = save(a, tracked(a))
        return self.outer.parcel(kept) if self.outer is not None else kept

    def given(self, a: Any) -> Any:
        """An argument as the function got it.

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

    # ---- hooks ----------------------------------------------------------------------------------------------------
    def pack(self, x: Tensor) -> int:
        """Drop `x`, and keep its number."""
        return self.saved.number(x)

    def unpack(self, number: int) -> Tensor:
        """The tensor with this number, computed again if it is not there.

        Raises:
            GradientError: The function wrote over it in place.
        """
        note = self.saved.notes[number]
        if not note.left:  # another walk over the same graph
            self.found.clear()
            for other in self.saved.notes:
                other.left = other.parcels
        if number not in self.found and (value := note.alive()) is not None:
            self.found[number] = Tensor(value), 0
        elif number not in self.found:
            self.recompute()
        x, version = self.found[number]
        note.left -= 1
        if not note.left:
            del self.found[number]
            self.held.pop(number, None)
        if x._version != version:  # pyright: ignore[reportPrivateUsage]
            raise overwritten(note)
        return x

    def recompute(self) -> None:
        """Run the function again with the same random numbers, until nothing is missing.

        Raises:
            GradientError: It did something else than the first time.
        """
        notes, again, missing = self.saved.notes, Numbered(), set[int]()
        for number, note in enumerate(notes):
            if note.left and number not in self.found:
                if (value := note.alive()) is None:
                    missing.add(number)
                else:
                    self.found[number] = Tensor(value), 0

        def take(x: Tensor) -> None:
            number = again.number(x)
            if again.notes[number].fact != notes[number].fact:
                raise different(notes[number], again.notes[number])
            if number in missing:
                missing.remove(number)
                self.found[number] = x, x._version  # pyright: ignore[reportPrivateUsage]
            if not missing:
                raise Enough

        args, kwargs = [self.given(a) for a in self.args], {k: self.given(a) for k, a in self.kwargs.items()}
        hooks = Dropping(self.tape, take, refuse, again)
        modes = grad_enabled(True), During(autocast_mode, self.lowered)
        with suppress(Enough), same_dice(self.dice), modes[0], modes[1], interpreting(hooks):
            self.fn(*args, **kwargs)
        if missing:
            raise GradientError(
                f"A checkpointed function saved {len(notes)} tensors, and {len(again.notes)} when it ran again.",
                "checkpoint() runs the function a second time, which must do what the first did.",
                "Take what changes (a counter, a random choice of Python's) out of it, or pass it as an argument.",
            )


def different(first: Dropped, again: Dropped) -> GradientError:
    """The error of a second run that goes another way."""
    return GradientError(
        f"When a checkpointed function ran again, {again.fact}, where {first.fact} the first time.",
        "checkpoint() runs the function a second time, which must do what the first did.",
        "Take what changes (a counter, a random choice of Python's) out of it, or pass it as an argument.",
    )


def overwritten(note: Dropped) -> GradientError:
    """The error of a function that writes over what the walk needs."""
    return GradientError(
        f"A checkpointed function wrote in place over what it had saved: {note.fact}.",
        "A tensor that an op keeps for its gradient must not be written in place before backward().",
        "Did you mean the op without the underscore (y = y + 1)? Or write to y.clone().",
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
    """Draw from the default generator as from `state` on, and leave no trace in it. None: draw as it comes."""
    now = DEFAULT.get_state()
    DEFAULT.set_state(now if state is None else state)
    try:
        yield
    finally:
        if state is not None:
            DEFAULT.set_state(now)


def framed(
    fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], dice: Any
) -> tuple[Any, Frame | None]:
    """`fn(*args, **kwargs)` with a frame around it, if there is a tape that could keep anything."""
    if not grad_mode.get() or not isinstance(stack.get(), Eager):
        return fn(*args, **kwargs), None
    frame = Frame(fn, args, kwargs, dice)
    return frame.run(args, kwargs), frame


@taught
def checkpoint(
    fn: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
    **kwargs: Any,
) -> Any:
    """`fn(*args, **kwargs)`, of which the tape keeps only the arguments; the walk runs `fn` again for the rest.

    The gradients are the same to the last bit. `fn` may return anything, and checkpoints may be nested. The second run
    ends as soon as all that the walk needs is there, and does not take place if somebody has kept it all. Without
    gradients, and inside a transform such as `func.grad`, this is a plain call. It is PyTorch's `use_reentrant=False`.

    Args:
        fn: A function that does the same each time it is called with the same arguments.
        args: Its arguments. Tensors that `fn` takes from elsewhere, such as parameters, must keep their values.
        use_reentrant: False, as in PyTorch, if it is given.
        preserve_rng_state: Draw the same random numbers from the default generator the second time.
        kwargs: Its keyword arguments.

    Raises:
        ArgumentError: `use_reentrant=True` was given.
        GradientError: During the walk: an argument or a parameter was written in place, or `fn` did something else.

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
    check_one_way("checkpoint", use_reentrant)
    return framed(fn, args, kwargs, DEFAULT.get_state() if preserve_rng_state else None)[0]


@taught
def check_one_way(name: str, use_reentrant: bool | None) -> None:
    """Refuse the way of checkpointing that is not here.

    Raises:
        ArgumentError: It is asked for.
    """
    if use_reentrant:
        raise ArgumentError(
            f"{name} got use_reentrant={use_reentrant}.",
            "There is one way here, that of saved-tensors hooks, which PyTorch calls use_reentrant=False.",
            "Leave it out.",
        )


def checkpoint_sequential(
    functions: Sequence[Callable[[Any], Any]],
    segments: int | Sequence[int] | None = None,
    input: Any = None,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
) -> Any:
    """The functions, one after the other, cut into segments of which all but the last are checkpointed.

    What a segment returns is what the next one starts from, so it is there anyway, and is not computed again: of n
    functions with one saved result each, n - (segments - 1) - (length of the last segment) run twice.

    Args:
        functions: Functions of one tensor, for example a `Sequential`.
        segments: How many, or the length of each; √n of n functions if left out, where memory is smallest.
        input: The argument of the first function.
        use_reentrant: False, as in PyTorch, if it is given.
        preserve_rng_state: Draw the same random numbers from the default generator the second time.

    Raises:
        ArgumentError: There are fewer functions than segments, or none; or the lengths are not those of the functions;
            or `use_reentrant=True` was given.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor(0.5, requires_grad=True)
        >>> ml.autograd.checkpoint_sequential([ml.exp, ml.sin, ml.exp, ml.sin], 2, x).backward()
        >>> x.grad
        tensor(0.3159)
    """
    check_one_way("checkpoint_sequential", use_reentrant)
    layers = list(functions)
    cuts = [0, *accumulate(lengths_of(segments, len(layers)))]
    for start, end in pairwise(cuts[:-1]):
        dice = DEFAULT.get_state() if preserve_rng_state else None
        input, frame = framed(chain(layers[start:end]), (input,), {}, dice)
        if frame is not None:
            frame.hold(input)
    return chain(layers[cuts[-2] :])(input)


def lengths_of(segments: int | Sequence[int] | None, n: int) -> list[int]:
    """The lengths of the segments of `n` functions.

    Raises:
        ArgumentError: They are no way to cut `n` functions.
    """
    if segments is not None and not isinstance(segments, int):
        lengths = list(segments)
        if sum(lengths) != n or not lengths or min(lengths) < 1:
            raise ArgumentError(
                f"checkpoint_sequential got segments of the lengths {lengths} for {n} functions.",
                "Every segment runs at least one function, and every function is in one segment.",
                f"The lengths must add up to {n}; here they make {sum(lengths)}.",
            )
        return lengths
    count = isqrt(n - 1) + 1 if segments is None and n else segments
    if not count or not 1 <= count <= n:
        raise ArgumentError(
            f"checkpoint_sequential got {segments} segments for {n} functions.",
            "Every segment runs at least one function.",
            f"Did you mean segments={max(1, isqrt(n))}?",
        )
    # rounded up, so that the last segment, which stands on top of all the inputs kept, is a short one
    cuts = [-(-n * i // count) for i in range(count + 1)]
    return [end - start for start, end in pairwise(cuts)]


def chain(layers: list[Callable[[Any], Any]]) -> Callable[[Any], Any]:
    """One layer after the other, as one function."""

    def run(x: Any) -> Any:
        for layer in layers:
            x = layer(x)
        return x

    return run
