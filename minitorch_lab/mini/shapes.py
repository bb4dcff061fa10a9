"""Which shapes fit together, and what comes of them?

The shape of a result is known before anything is computed, so a mistake can be named before anything is done. Each rule
takes shapes and the parameters of its op, and either returns a shape or refuses.
"""

from math import prod

import numpy as np

from .errors import teach


def refuse(misfit):
    """Say in a shape rule what does not fit; the row's `rule` is the sentence for it."""
    if misfit:
        raise teach("misfit")


def reshape_shape(x, shape):
    """A reshape loses no entry and makes up none."""
    refuse(prod(x) != prod(shape) or min(shape, default=0) < 0)
    return tuple(shape)


def expand_shape(x, shape):
    """An expansion keeps every axis, or stretches one of size 1; new axes come first."""
    refuse(np.broadcast_shapes(x, shape) != tuple(shape))
    return tuple(shape)


def permute_shape(x, axes):
    """Every axis appears once."""
    refuse(sorted(axes) != list(range(len(x))))
    return tuple(x[a] for a in axes)


def crop_shape(x, bounds):
    """A crop stays within the tensor: NumPy would quietly give less."""
    refuse(len(x) != len(bounds) or not all(0 <= a <= b <= n for n, (a, b) in zip(x, bounds)))
    return tuple(stop - start for start, stop in bounds)


def pad_shape(x, widths):
    """Two widths for every axis, none negative."""
    refuse(len(x) != len(widths) or min((w for pair in widths for w in pair), default=0) < 0)
    return tuple(n + before + after for n, (before, after) in zip(x, widths))


def matmul_shape(x, y):
    """Matrices stand on the last two axes; those before are broadcast."""
    refuse(len(x) < 2 or len(y) < 2 or x[-1] != y[-2])
    return (*np.broadcast_shapes(x[:-2], y[:-2]), x[-2], y[-1])


def broadcast_shape(*shapes, **_):
    """Counted from the last axis, sizes are equal, or 1 and stretched."""
    return np.broadcast_shapes(*shapes)


def size_of(shape):
    """How many entries a shape has."""
    return prod(shape)
