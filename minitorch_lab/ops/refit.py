"""How a tensor comes to the shape that is wanted: the call that does it, as an error suggests it, or words.

A suggestion is made from the shapes that were given, and it is made only if it works on them.
"""

from __future__ import annotations

from itertools import pairwise
from math import prod

from ..core.array import Shape

LETTERS = "abcd"  # what a suggestion calls the tensors of a short list


def same_as(input: Shape, target: Shape) -> str:
    """How a target comes to have the shape of the input, if its entries can be told to belong to it.

    Example:
        >>> same_as((4, 1), (4,)), same_as((2, 4), (4, 2))
        ('Did you mean target.reshape(4, 1)?', 'Did you mean target.T? It is (2, 4).')
        >>> same_as((8,), (4,))
        'Compare the batch sizes, 8 and 4.'
    """
    if input == target[::-1] and len(set(input)) > 1 and 1 not in input:
        return f"Did you mean target.T? It is {input}." if len(input) == 2 else "Compare the order of their axes."
    if prod(input) == prod(target):
        return f"Did you mean target.reshape{input}?"
    if not target or not input:
        return f"Did you mean target.expand{input}? Then all entries have one target." if input else "Take one target."
    if input[0] != target[0]:
        return f"Compare the batch sizes, {input[0]} and {target[0]}."
    rows, entry = ("input", "target") if prod(input) > prod(target) else ("target", "input")
    return f"{rows} has more numbers for each example than {entry}: both need as many."


def as_batch(x: Shape, n: int, channels: int | None = None, batch: bool = False) -> str:
    """How an input comes to have (batch, channels, …) with `n` axes behind the channels.

    Args:
        x: The shape of the input.
        n: How many axes have lengths.
        channels: How many channels there must be; None if any number will do.
        batch: Whether the axis of the batch must be there.

    Example:
        >>> as_batch((8, 8), 2, 1)
        'Did you mean x.reshape(1, 1, 8, 8)? That is a batch of one, with one channel.'
        >>> as_batch((8, 8), 2, 3), as_batch((2, 5, 3, 8, 8), 2)
        ('Give it an axis for 3 channels.', 'Did you mean x.flatten(0, 1)? It makes one batch of two axes.')
    """
    lacking = n + 2 - len(x)
    if lacking == -1 and (channels is None or x[2] == channels):
        return "Did you mean x.flatten(0, 1)? It makes one batch of two axes."
    if lacking == 1 and batch and (channels is None or x[0] == channels):
        return "Did you mean x.unsqueeze(0)? It is a batch of one."
    if lacking == 1 and batch and channels == 1:
        return "Did you mean x.unsqueeze(1)? It adds an axis for one channel."
    if lacking == 2 and channels in (None, 1):
        ones = ", ".join(map(str, (1, 1, *x)))
        return f"Did you mean x.reshape({ones})? That is a batch of one, with one channel."
    if lacking == 2:
        return f"Give it an axis for {channels} channels."
    lengths = ("length", "height, width", "depth, height, width")[n - 1] if n else ""
    places = f"batch, {channels or 'channels'}{', ' * bool(n)}{lengths}"
    return f"Compare the number of axes; x.reshape({places}) makes them."


def joinable(shapes: tuple[Shape, ...], axis: int) -> str:
    """How tensors that do not fit along `axis` could be joined with `cat`.

    Example:
        >>> joinable(((2,), (2, 2)), 0)
        'Did you mean ml.cat([a.unsqueeze(0), b])?'
        >>> joinable(((2, 3), (2, 4)), 0), joinable(((2, 3), (3, 4)), 0)
        ('Did you mean dim=1?', 'Compare the other dims.')
    """
    ranks = sorted({len(shape) for shape in shapes})
    if len(ranks) == 1:
        dims = [d for d in range(ranks[0]) if fit_along(shapes, d)]
        return f"Did you mean dim={dims[0]}?" if dims else "Compare the other dims."
    if len(shapes) <= len(LETTERS) and len(ranks) == 2 and ranks[1] == ranks[0] + 1:
        grown = tuple(s if len(s) == ranks[1] else (*s[:axis], 1, *s[axis:]) for s in shapes)
        if fit_along(grown, axis):
            parts = [
                letter if len(s) == ranks[1] else f"{letter}.unsqueeze({axis})"
                for letter, s in zip(LETTERS, shapes, strict=False)
            ]
            return f"Did you mean ml.cat([{', '.join(parts)}]{f', dim={axis}' * bool(axis)})?"
    return "Give all of them the same number of axes, with unsqueeze() or flatten()."


def fit_along(shapes: tuple[Shape, ...], axis: int) -> bool:
    """Whether shapes differ along one axis at most."""
    rests = [(*shape[:axis], *shape[axis + 1 :]) for shape in shapes]
    return all(len(a) == len(b) and ra == rb for (a, ra), (b, rb) in pairwise(zip(shapes, rests, strict=True)))


def stackable(shapes: tuple[Shape, ...]) -> str:
    """How tensors of unequal shapes could be joined, where `stack` was asked for.

    Example:
        >>> stackable(((2, 3), (2, 4))), stackable(((2,), (2, 2)))
        ('Did you mean ml.cat([a, b], dim=1)?', 'Did you mean ml.cat([a.unsqueeze(0), b])?')
    """
    ndim = max(map(len, shapes))
    known = len(shapes) <= len(LETTERS)
    if all(len(shape) == ndim for shape in shapes):
        dims = [d for d in range(ndim) if fit_along(shapes, d)]
        if dims and known:
            names = ", ".join(LETTERS[: len(shapes)])
            return f"Did you mean ml.cat([{names}]{f', dim={dims[0]}' * bool(dims[0])})?"
        return f"ml.cat along dim {dims[0]} joins them." if dims else "Cut or pad them to one shape first."
    hint = joinable(shapes, 0)
    return hint if hint.startswith("Did") else "Cut, pad or unsqueeze them to one shape first."


def order_of_all(dims: tuple[object, ...], ndim: int) -> tuple[int, ...]:
    """The order of `ndim` axes that comes nearest to `dims`: what is none or comes again is left out, the rest follows.

    Example:
        >>> order_of_all((0, 1), 3), order_of_all((2, 2, 0), 3), order_of_all((1, 2, 0), 2)
        ((0, 1, 2), (2, 0, 1), (1, 0))
    """
    known = [d % ndim for d in dims if isinstance(d, int) and -ndim <= d < ndim]
    return tuple(dict.fromkeys((*known, *range(ndim))))


def flattened(x: Shape, features: int) -> tuple[str, Shape] | None:
    """The call that gives `x` a last axis of `features` entries, and the shape that it makes; None if none does.

    Example:
        >>> flattened((5, 1, 28, 28), 784), flattened((28, 28), 784), flattened((8,), 1)
        (('x.flatten(1)', (5, 784)), ('x.flatten()', (784,)), ('x.unsqueeze(1)', (8, 1)))
    """
    for first in (*range(1, len(x) - 1), 0):
        if len(x) > 1 and prod(x[first:]) == features:
            return f"x.flatten({first or ''})", (*x[:first], features)
    if features == 1 and len(x) < 2:
        return f"x.unsqueeze({len(x)})", (*x, 1)
    return None
