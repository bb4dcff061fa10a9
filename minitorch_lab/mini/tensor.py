"""What a program holds in its hands: a value with operators.

Every interpreter has a kind of value of its own (a tensor, a dual number, a batch, a symbol). All of them take their
operators from here, so that one function runs under any of them. `Tensor` is the kind of the tape: a value, and the
node of the tape that made it.
"""

import numpy as np

from . import ops
from .errors import teach
from .shapes import size_of


def operator(op):
    """The methods for `value op other` and for `other op value`."""
    return lambda self, other: op(self, other), lambda self, other: op(other, self)


class Value:
    """Operators and methods, written with the primitive ops. A subclass says what its `shape` and `dtype` are."""

    __slots__ = ()
    __array_ufunc__ = None  # array + value asks the value
    __hash__ = object.__hash__

    __add__, __radd__ = operator(ops.add)
    __sub__, __rsub__ = operator(ops.sub)
    __mul__, __rmul__ = operator(ops.mul)
    __truediv__, __rtruediv__ = operator(ops.div)
    __matmul__, __rmatmul__ = operator(ops.matmul)

    def __neg__(self):
        return ops.neg(self)

    def __pow__(self, exponent):
        if not isinstance(exponent, int | float):
            raise teach("exponent", thing=exponent)
        return ops.power(self, exponent=exponent)

    def __rpow__(self, base):
        raise teach("exponent", thing=self)

    def __gt__(self, other):
        return ops.greater(self, other)

    def __lt__(self, other):
        return ops.greater(other, self)

    def __eq__(self, other):
        if other is self or other is None:
            return other is self
        raise teach("equal")

    def exp(self):
        """eˣ, entry by entry."""
        return ops.exp(self)

    def log(self):
        """The natural logarithm, entry by entry."""
        return ops.log(self)

    def tanh(self):
        """The hyperbolic tangent, entry by entry."""
        return ops.tanh(self)

    def sin(self):
        """The sine, entry by entry."""
        return ops.sin(self)

    def relu(self):
        """The entry if it is positive, else 0."""
        return ops.relu(self)

    def sigmoid(self):
        """1 / (1 + e⁻ˣ), as a tanh, which does not overflow."""
        return 0.5 * (0.5 * self).tanh() + 0.5

    def detach(self):
        """The same numbers, as if they were given."""
        return ops.detach(self)

    @property
    def ndim(self):
        """The number of axes."""
        return len(self.shape)

    @property
    def T(self):
        """The last two axes swapped."""
        return ops.transpose(self)

    def reshape(self, *shape):
        """The same entries in another shape; -1 stands for whatever size is left."""
        count, known = size_of(self.shape), size_of(n for n in shape if n != -1)
        if shape.count(-1) > 1 or (-1 in shape and (known == 0 or count % known)):
            raise teach("regroup", new=shape, old=self.shape, count=count)
        return ops.reshape(self, shape=tuple(count // known if n == -1 else n for n in shape))

    def permute(self, *axes):
        """The axes in another order."""
        return ops.permute(self, axes=axes)

    def expand(self, *shape):
        """Axes of size 1 stretched to the sizes of `shape`."""
        return ops.expand(self, shape=shape)

    def sum(self, axis=None, keepdims=False):
        """The sum along one axis, several, or all."""
        return self._reduce(ops.reduce_sum, axis, keepdims)

    def max(self, axis=None, keepdims=False):
        """The largest along one axis, several, or all."""
        return self._reduce(ops.reduce_max, axis, keepdims)

    def mean(self, axis=None, keepdims=False):
        """The mean along one axis, several, or all. That of nothing is nan."""
        total = self.sum(axis, keepdims)
        count = size_of(self.shape) / max(size_of(total.shape), 1)
        return total / count if count else total * float("nan")

    def _reduce(self, op, axis, keepdims):
        axes = range(self.ndim) if axis is None else (axis,) if isinstance(axis, int) else tuple(axis)
        if len({a % self.ndim for a in axes if -self.ndim <= a < self.ndim}) != len(axes):
            facts = {"shape": self.shape, "low": -self.ndim, "high": self.ndim - 1}
            raise teach("axis", what=op.name, axis=axis, **facts)
        axes = tuple(sorted(a % self.ndim for a in axes))
        out = op(self, axes=axes)
        return out if keepdims else ops.reshape(out, shape=tuple(n for a, n in enumerate(self.shape) if a not in axes))

    def __getitem__(self, key):
        """x[2], x[:, 1:3] and x[..., 0]; an array of integers chooses rows."""
        if not isinstance(key, int | slice | tuple | type(...)):
            return self.take_rows(key)
        key = self.complete_key(key if isinstance(key, tuple) else (key,))
        spans = [slice(k % n, k % n + 1) if isinstance(k, int) else k for k, n in zip(key, self.shape)]
        bounds = [s.indices(n)[:2] for s, n in zip(spans, self.shape)]
        out = ops.crop(self, bounds=tuple((start, max(start, stop)) for start, stop in bounds))
        kept = tuple(n for k, n in zip(key, out.shape) if not isinstance(k, int))
        return ops.reshape(out, shape=kept) if len(kept) < out.ndim else out

    def complete_key(self, key):
        """The key with one entry for every axis, each an integer within bounds or a slice without a step."""
        if not all(k is ... or (isinstance(k, int | slice) and not isinstance(k, bool)) for k in key):
            raise teach("key", key=key)
        if sum(k is ... for k in key) > 1 or any(isinstance(k, slice) and k.step not in (None, 1) for k in key):
            raise teach("key", key=key)
        at = next((place for place, k in enumerate(key) if k is ...), len(key))
        rest = key[at + 1 :]
        full = key[:at] + (slice(None),) * (self.ndim - at - len(rest)) + rest
        if len(full) != self.ndim or any(isinstance(k, int) and not -n <= k < n for k, n in zip(full, self.shape)):
            raise teach("index", index=key, shape=self.shape)
        return full

    def take_rows(self, index):
        """The rows that an array of integers names."""
        index = np.asarray(index) if isinstance(index, list) else index
        if np.dtype(getattr(index, "dtype", object)).kind not in "iu":
            raise teach("key", key=index)
        return ops.take(self, index)

    def __len__(self):
        if not self.shape:
            raise teach("length")
        return self.shape[0]

    def __iter__(self):
        return (self[k] for k in range(len(self)))

    def number(self, kind):
        """The one number that this is, as `kind`, for Python's own use."""
        raise teach("number", kind=type(self).__name__)

    def numpy(self):
        """The numbers, as an array that cannot be written to."""
        raise teach("array", kind=type(self).__name__)

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.numpy(), dtype)

    def __float__(self):
        return self.number(float)

    def __int__(self):
        return self.number(int)

    def __bool__(self):
        return self.number(bool)

    def item(self):
        """The one number that this is."""
        return self.number(float)


class Tensor(Value):
    """A value on a tape. `node` is None where no gradient is wanted."""

    __slots__ = ("__weakref__", "node", "tape", "value")

    def __init__(self, value, node, tape):
        self.value, self.node, self.tape = value, node, tape

    @property
    def shape(self):
        """The size of each axis."""
        return ops.shape_of(self.value)

    @property
    def dtype(self):
        """The kind of number."""
        return self.value.dtype

    @property
    def requires_grad(self):
        """Whether a walk from here finds a leaf that wants a gradient."""
        return self.node is not None

    @property
    def grad(self):
        """What has arrived at this leaf so far."""
        return self.node.grad if self.node else None

    @grad.setter
    def grad(self, new):
        if self.node is None:
            raise teach("no_leaf")
        self.node.grad = new

    def numpy(self):
        """The numbers, as an array that cannot be written to: what the tape has saved must stay as it is."""
        if isinstance(self.value, Value):
            return self.value.numpy()
        array = np.asarray(self.value).view()
        array.flags.writeable = False
        return array

    def number(self, kind):
        """The one number that this is, as `kind`."""
        if size_of(self.shape) != 1:
            raise teach("one_number", shape=self.shape)
        return self.value.number(kind) if isinstance(self.value, Value) else kind(np.asarray(self.value).item())

    def backward(self, seed=None, retain_graph=False, create_graph=False):
        """Walk the tape back from here, and add to the `grad` of every leaf."""
        self.tape.backward(self, seed, retain_graph, create_graph)

    def register_hook(self, hook):
        """Call `hook(cotangent)` when a walk arrives here; what it returns, if anything, replaces the cotangent."""
        if self.node is None:
            raise teach("no_leaf")
        self.node.hooks.append(hook)

    def __repr__(self):
        return f"tensor({np.array2string(np.asarray(self.value), precision=4, separator=', ')})"
