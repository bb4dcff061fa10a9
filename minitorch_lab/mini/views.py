"""The same bytes, read in another order.

A view is a shape, one stride for each axis, and an offset. Transposing, expanding and cropping move no data: they are
arithmetic on these three. NumPy does it for the eager engine; the compiler does it here, where a view becomes the index
of a C array.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """Element (i, j, …) lies at offset + i·strides[0] + j·strides[1] + …, counted in elements."""

    shape: tuple
    strides: tuple
    offset: int = 0

    @staticmethod
    def contiguous(shape):
        """Row by row: neighbours on the last axis are neighbours in memory.

        >>> View.contiguous((2, 3, 4)).strides
        (12, 4, 1)
        """
        strides, step = [], 1
        for size in reversed(shape):
            strides.append(step)
            step *= size
        return View(tuple(shape), tuple(reversed(strides)))

    @property
    def is_contiguous(self):
        """Whether the elements lie in the order in which they are read, without gaps."""
        dense = View.contiguous(self.shape).strides
        return self.offset == 0 and all(n == 1 or a == b for n, a, b in zip(self.shape, self.strides, dense))

    def permute(self, axes):
        """Take the axes in another order: their strides go with them."""
        return View(tuple(self.shape[a] for a in axes), tuple(self.strides[a] for a in axes), self.offset)

    def expand(self, shape):
        """Read the one element of an axis many times: a stride of 0 goes nowhere."""
        missing = len(shape) - len(self.shape)
        strides = [0] * missing + [0 if n == 1 else s for n, s in zip(self.shape, self.strides)]
        return View(tuple(shape), tuple(strides), self.offset)

    def crop(self, bounds):
        """Keep the places from start to stop of each axis: begin further on, and stop earlier."""
        offset = self.offset + sum(start * s for (start, _), s in zip(bounds, self.strides))
        return View(tuple(stop - start for start, stop in bounds), self.strides, offset)

    def reshape(self, shape):
        """Regroup dense elements. Others cannot be regrouped without a copy: then there is no such view, but None."""
        return View.contiguous(shape) if self.is_contiguous else None
