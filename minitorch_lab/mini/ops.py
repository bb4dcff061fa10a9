"""One table of primitive ops. All that is known of an op stands in its row, and nowhere else.

A row says how NumPy computes the op, its derivative, its shape, what a batch axis does to it, and how C writes it.
The derivative is a vector-Jacobian product written with ops, so it can be differentiated again. Its parameters say
what the tape has to keep: `x`, `y` and `out` are kept, of `x_shape` only the shape, and what begins with `_` is not
needed. Broadcasting is not the rules' business: the walk sums a cotangent to the shape of its input.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from math import pi

import numpy as np

from .interpret import bind
from .shapes import (
    broadcast_shape,
    crop_shape,
    expand_shape,
    matmul_shape,
    pad_shape,
    permute_shape,
    refuse,
    reshape_shape,
)

OPS = {}


@dataclass(eq=False)
class Op:
    """A row of the table. Calling it runs it, by whatever interpreter is in charge."""

    name: str
    impl: Callable  # (*arrays, **params) -> array
    shape: Callable  # (*shapes, **params) -> shape
    dtype: Callable  # (*dtypes or Python numbers, **params) -> dtype
    batch: Callable  # (op, args, batched, **params) -> result; axis 0 of what is batched counts the examples
    vjp: Callable | None  # (g, out, *inputs, **params) -> for each input a cotangent, or None
    rule: str = "Shapes must fit."  # what is said when the shapes do not
    c: str | None = None  # a C expression; ops that have one are computed element by element
    costly: bool = False  # not computed a second time to save memory

    def __post_init__(self):
        OPS[self.name] = self
        rule = inspect.signature(self.vjp).parameters.values() if self.vjp else ()
        self.keeps = [p.name for p in rule if p.kind is p.POSITIONAL_OR_KEYWORD][1:]  # out, then the inputs

    def __call__(self, *args, **params):
        return bind(self, *args, **params)

    def kept(self, out, args):
        """What the rule wants to know of `out` and `args`; None in place of the rest."""
        return [
            None if k[0] == "_" else shape_of(a) if k.endswith("_shape") else a
            for k, a in zip(self.keeps, (out, *args))
        ]


def shape_of(x):
    """The shape of whatever an op may take: Python's numbers have none."""
    return getattr(x, "shape", ())


# ---- elementwise ----------------------------------------------------------------------------------------------------
def align(args, batched, rank):
    """Put axes of size 1 behind the batch axis, so that broadcasting pairs the other axes as it did without it."""
    for x, has in zip(args, batched):
        missing = rank + 1 - len(shape_of(x))
        yield reshape(x, shape=(x.shape[0],) + (1,) * missing + x.shape[1:]) if has and missing else x


def batch_aligned(op, args, batched, **params):
    """Give every argument the same number of axes; then the op works for all examples as it does for one."""
    rank = max(len(shape_of(x)) - has for x, has in zip(args, batched))
    return op(*align(args, batched, rank), **params)


def elementwise(name, impl, c, vjp):
    """A row for an op that works entry by entry. Its dtype is asked of NumPy, with one entry."""

    def dtype(*types, **params):
        return impl(*(np.ones((), t) if isinstance(t, np.dtype) else t for t in types), **params).dtype

    rule = "Counted from the last axis, sizes must be equal, or one of them 1."
    return Op(name, impl, broadcast_shape, dtype, batch_aligned, vjp, rule, c)


def mask_greater(x, y):
    """1 where x > y, else 0, in the dtype of x and y: a mask is there to be multiplied."""
    return np.greater(x, y).astype(np.result_type(x, y))


def halve_ties(g, _out, x, y):
    """The larger input gets the cotangent; of two equal ones, each gets half."""
    share = 0.5 * (1.0 + greater(x, y) - greater(y, x))
    return g * share, g * (1.0 - share)


def power_rule(g, _out, x, *, exponent):
    """n xⁿ⁻¹; and 0 for x⁰, which is 1 everywhere, also at 0."""
    return (g * exponent * power(x, exponent=exponent - 1) if exponent else g * 0.0,)


add = elementwise("add", np.add, "({0} + {1})", lambda g, _out, _x, _y: (g, g))
sub = elementwise("sub", np.subtract, "({0} - {1})", lambda g, _out, _x, _y: (g, -g))
mul = elementwise("mul", np.multiply, "({0} * {1})", lambda g, _out, x, y: (g * y, g * x))
div = elementwise("div", np.divide, "({0} / {1})", lambda g, out, _x, y: (g / y, -(g * out / y)))
neg = elementwise("neg", np.negative, "(-{0})", lambda g, _out, _x: (-g,))
exp = elementwise("exp", np.exp, "exp({0})", lambda g, out, _x: (g * out,))
log = elementwise("log", np.log, "log({0})", lambda g, _out, x: (g / x,))
tanh = elementwise("tanh", np.tanh, "tanh({0})", lambda g, out, _x: (g * (1.0 - out * out),))
sin = elementwise("sin", np.sin, "sin({0})", lambda g, _out, x: (g * sin(x + pi / 2),))
power = elementwise("power", lambda x, exponent: np.power(x, exponent), "pow({0}, {exponent!r})", power_rule)
greater = elementwise("greater", mask_greater, "({0} > {1})", None)
detach = elementwise("detach", np.asarray, "{0}", None)  # the same numbers, as if they were given
relu = elementwise(
    "relu", lambda x: np.maximum(x, 0), "({0} < 0 ? 0 : {0})", lambda g, out, _x: (g * greater(out, 0.0),)
)
maximum = elementwise("maximum", np.maximum, "({0} > {1} || {0} != {0} ? {0} : {1})", halve_ties)


# ---- reductions: the axes stay, with size 1 -------------------------------------------------------------------------
def reduction(name, ufunc, vjp):
    """A row for an op that makes one number of all those along some axes."""

    def shape(x, axes):
        refuse(ufunc.identity is None and any(x[a] == 0 for a in axes))
        return tuple(1 if a in axes else n for a, n in enumerate(x))

    return Op(
        name,
        lambda x, axes: ufunc.reduce(x, axis=axes, keepdims=True),
        shape,
        lambda x, axes: ufunc.reduce(np.ones(1, x)).dtype,
        lambda op, args, batched, axes: op(*args, axes=tuple(a + 1 for a in axes)),
        vjp,
        "Nothing has no maximum: an axis to reduce by one must have at least one entry.",
        costly=True,
    )


def share_among_ties(g, out, x, *, axes):
    """A maximum that stands several times passes equal parts on."""
    largest = 1.0 - greater(out, x)
    return (g * largest / reduce_sum(largest, axes=axes),)


reduce_sum = reduction("sum", np.add, lambda g, _out, x_shape, *, axes: (expand(g, shape=x_shape),))
reduce_max = reduction("max", np.maximum, share_among_ties)


# ---- movement: NumPy answers with views where it can ----------------------------------------------------------------
def same_dtype(x, *_, **__):
    """The dtype of the first input: entries are moved, not computed."""
    return x if isinstance(x, np.dtype) else np.result_type(x)


def movement(name, impl, shape, batch, vjp, rule):
    """A row for an op that puts the same numbers in other places."""
    return Op(name, impl, shape, same_dtype, batch, vjp, rule)


def batch_shape(op, args, batched, shape):
    """The batch axis stays in front of the new shape."""
    (x,) = align(args, batched, len(shape)) if op is expand else args
    return op(x, shape=(x.shape[0], *shape))


reshape = movement(
    "reshape",
    lambda x, shape: np.reshape(x, shape),
    reshape_shape,
    batch_shape,
    lambda g, _out, x_shape, *, shape: (reshape(g, shape=x_shape),),
    "The number of entries stays the same.",
)
expand = movement(
    "expand",
    lambda x, shape: np.broadcast_to(x, shape),
    expand_shape,
    batch_shape,
    lambda g, _out, _x, *, shape: (g,),  # the walk sums it to the shape of x, as after any broadcast
    "Only axes of size 1 are stretched, and new axes come first.",
)
permute = movement(
    "permute",
    lambda x, axes: np.transpose(x, axes),
    permute_shape,
    lambda op, args, batched, axes: op(*args, axes=(0, *(a + 1 for a in axes))),
    lambda g, _out, _x, *, axes: (permute(g, axes=tuple(axes.index(a) for a in range(len(axes)))),),
    "Every axis is named once, counted from 0.",
)
crop = movement(
    "crop",
    lambda x, bounds: x[tuple(slice(*bound) for bound in bounds)],
    crop_shape,
    lambda op, args, batched, bounds: op(*args, bounds=((0, args[0].shape[0]), *bounds)),
    lambda g, _out, x_shape, *, bounds: (pad(g, widths=tuple((a, n - b) for n, (a, b) in zip(x_shape, bounds))),),
    "There is a start and a stop for every axis, with 0 <= start <= stop <= size.",
)
pad = movement(
    "pad",
    lambda x, widths: np.pad(x, widths) if len(widths) else x,
    pad_shape,
    lambda op, args, batched, widths: op(*args, widths=((0, 0), *widths)),
    lambda g, _out, x_shape, *, widths: (crop(g, bounds=tuple((a, a + n) for n, (a, _) in zip(x_shape, widths))),),
    "There are two widths for every axis, before and after, and none is negative.",
)


# ---- products and rows ----------------------------------------------------------------------------------------------
def transpose(x):
    """Swap the last two axes."""
    rank = len(x.shape)
    return permute(x, axes=(*range(rank - 2), rank - 1, rank - 2))


def batch_rows(op, args, batched, lead=0, **params):
    """Every example has a table and an index of its own: one more leading axis for both."""
    size = next(x.shape[0] for x, has in zip(args, batched) if has)
    if lead == 0 and op is take and not batched[0]:
        return op(*args)  # all look into one table
    own = [x if has else expand(x, shape=(size, *shape_of(x))) for x, has in zip(args, batched)]
    return op(*own, lead=lead + 1, **params)


def place_of(index, lead):
    """The key that finds rows: `lead` axes go along with those of the index."""
    index = np.asarray(index)
    along = [np.arange(n).reshape(-1, *(1,) * (index.ndim - a - 1)) for a, n in enumerate(index.shape[:lead])]
    return (*along, index)


def add_rows(values, index, rows, lead=0):
    """Add values to the rows of a table of zeros; a row that is named twice gets both."""
    index = np.asarray(index)
    out = np.zeros((*index.shape[:lead], rows, *values.shape[index.ndim :]), values.dtype)
    np.add.at(out, place_of(index, lead), values)
    return out


matmul = Op(
    "matmul",
    np.matmul,
    matmul_shape,
    lambda x, y: np.result_type(x, y),
    batch_aligned,
    lambda g, _out, x, y: (matmul(g, transpose(y)), matmul(transpose(x), g)),
    "Both have two axes or more, and the last size of the left is the second-to-last of the right.",
    costly=True,
)
take = Op(  # rows of a table
    "take",
    lambda table, index, lead=0: table[place_of(index, lead)],
    lambda table, index, lead=0: (*index, *table[lead + 1 :]),
    same_dtype,
    batch_rows,
    lambda g, _out, x_shape, index, *, lead=0: (put(g, index, rows=x_shape[lead], lead=lead), None),
    "The index holds integers, from 0 to the number of rows - 1.",
    costly=True,
)
put = Op(  # the transpose of take: add rows into a table of zeros
    "put",
    add_rows,
    lambda values, index, rows, lead=0: (*index[:lead], rows, *values[len(index) :]),
    same_dtype,
    batch_rows,
    lambda g, _out, _values, index, *, rows, lead=0: (take(g, index, lead=lead), None),
    "There is a row for every entry of the index.",
    costly=True,
)


# ---- small programs of ops ------------------------------------------------------------------------------------------
def unbroadcast(g, shape):
    """Sum a cotangent over the axes that broadcasting has added or stretched."""
    if shape_of(g) == tuple(shape):
        return g
    added = len(g.shape) - len(shape)
    axes = tuple(a for a, n in enumerate(g.shape) if a < added or shape[a - added] != n)
    return reshape(reduce_sum(g, axes=axes), shape=tuple(shape))


def full_like(x, number):
    """One number everywhere, in the shape and dtype of `x`."""
    dtype = np.dtype(getattr(x, "dtype", None) or np.result_type(x))
    return expand(dtype.type(number), shape=shape_of(x))
