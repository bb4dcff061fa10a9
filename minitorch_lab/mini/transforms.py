"""Functions of functions: grad, jvp and vmap, each an interpreter that is put on the stack for one call.

`grad` puts a fresh tape there. `jvp` carries a tangent beside every value. `vmap` gives every value an axis that the
function does not see. Since each asks the interpreter below it for everything, they nest in any order.
"""

import numpy as np

from . import ops
from .errors import teach
from .interpret import NUMBERS, Interpreter, bind, interpreting
from .shapes import size_of
from .tape import Tape, require_floats
from .tensor import Value


def check_result(what, out, hint="Return a tensor, computed with mini's ops."):
    """Refuse a result that is no value at all."""
    if not isinstance(out, (Value, *NUMBERS)):
        raise teach("one_result", what=what, thing=type(out).__name__, hint=hint)
    return out


# ---- reverse mode ---------------------------------------------------------------------------------------------------
def vjp(f, *primals):
    """f(*primals), and the function from a cotangent of it to those of the primals."""
    for x in primals:
        require_floats(x, "whole_primal")
    tape = Tape()
    with interpreting(tape):
        leaves = [tape.leaf(x) for x in primals]
        out = check_result("vjp", f(*leaves))

    def pull_back(seed):
        if ops.shape_of(seed) != ops.shape_of(out):
            raise teach("seed", shape=ops.shape_of(out), seed=f"of shape {ops.shape_of(seed)}")
        seed = ops.reshape(seed, shape=ops.shape_of(seed))  # an array becomes a value
        parts = tape.gradients(out, seed, leaves) if tape.owns(out) else [None] * len(leaves)
        return tuple(ops.full_like(x, 0) if g is None else g for x, g in zip(primals, parts))

    return tape.strip(out), pull_back


def value_and_grad(f, argnums=0):
    """The function that returns f's value, one number, and its gradient by one argument or by several."""
    wanted = (argnums,) if isinstance(argnums, int) else tuple(argnums)

    def value_and_gradient(*args):
        if not all(0 <= k < len(args) for k in wanted):
            raise teach("argnums", argnums=argnums, count=len(args))

        def of_wanted(*some):
            chosen = dict(zip(wanted, some))
            return f(*(chosen.get(k, x) for k, x in enumerate(args)))

        value, pull_back = vjp(of_wanted, *(args[k] for k in wanted))
        if ops.shape_of(value) != ():
            hint = "Did you mean the sum or the mean of it? For all its entries, use jacrev."
            raise teach("one_result", what="grad", thing=f"shape {ops.shape_of(value)}", hint=hint)
        gradients = pull_back(ops.full_like(value, 1))
        return value, gradients[0] if isinstance(argnums, int) else gradients

    return value_and_gradient


def grad(f, argnums=0):
    """The function that returns the gradient of f.

    >>> from minitorch_lab.mini import grad, tensor
    >>> grad(lambda x: x**3)(tensor(2.0))
    tensor(12.)
    """
    return lambda *args: value_and_grad(f, argnums)(*args)[1]


# ---- forward mode ---------------------------------------------------------------------------------------------------
class Dual(Value):
    """A value and how it moves."""

    def __init__(self, primal, tangent, forward):
        self.primal, self.tangent, self.forward = primal, tangent, forward

    shape = property(lambda self: ops.shape_of(self.primal))
    dtype = property(lambda self: self.primal.dtype)

    def number(self, kind):
        """The number without its movement."""
        return kind(self.primal)


class Forward(Interpreter):
    """Computes the tangent of each op beside its value."""

    def owns(self, x):
        """Whether `x` is a dual number of this interpreter."""
        return isinstance(x, Dual) and x.forward is self

    def run(self, op, args, params):
        """Compute below, twice: the value, and how it moves."""
        primals = [x.primal if self.owns(x) else x for x in args]
        tangents = [x.tangent if self.owns(x) else None for x in args]
        out = bind(op, *primals, **params)
        if not self.recording or op.vjp is None or all(t is None for t in tangents):
            return out
        return Dual(out, push_forward(op, out, primals, tangents, params), self)


def push_forward(op, out, primals, tangents, params):
    """The tangent of `out`, by transposing twice.

    The rule of an op is linear in the cotangent u. The transpose of u -> Jᵀu is J, which is what pushes tangents
    forward: so no op needs a second rule. What u itself is does not matter, and the compiler removes it.
    """
    tape, zero = Tape(), ops.full_like(out, 0)
    with interpreting(tape):
        u = tape.leaf(zero)
        parts = op.vjp(u, *op.kept(out, primals), **params)
        pairs = [
            (ops.unbroadcast(part, ops.shape_of(x)), tangent)
            for part, x, tangent in zip(parts, primals, tangents)
            if tangent is not None and part is not None
        ]
    total = None
    for part, tangent in pairs:
        (pushed,) = tape.gradients(part, tangent, [u])
        total = pushed if total is None else total + pushed
    return zero if total is None else total


def jvp(f, primals, tangents):
    """f(*primals), and how it moves when the primals move along `tangents`.

    >>> from minitorch_lab.mini import jvp, tensor
    >>> jvp(lambda x: x**3, (tensor(2.0),), (tensor(1.0),))
    (tensor(8.), tensor(12.))
    """
    shapes = {"primals": [ops.shape_of(x) for x in primals], "tangents": [ops.shape_of(t) for t in tangents]}
    if shapes["primals"] != shapes["tangents"]:
        raise teach("tangents", **shapes)
    for x in primals:
        require_floats(x, "whole_primal")
    with interpreting(Forward()) as forward:
        out = check_result("jvp", f(*(Dual(x, t, forward) for x, t in zip(primals, tangents))))
    return (out.primal, out.tangent) if forward.owns(out) else (out, ops.full_like(out, 0))


# ---- many examples at once ------------------------------------------------------------------------------------------
class Batched(Value):
    """A value for every example. Axis 0 counts the examples; the function does not see it."""

    def __init__(self, value, vmap):
        self.value, self.vmap = value, vmap

    shape = property(lambda self: self.value.shape[1:])
    dtype = property(lambda self: self.value.dtype)


class Vmap(Interpreter):
    """Runs the program of one example on all of them."""

    def owns(self, x):
        """Whether `x` is a batch of this interpreter."""
        return isinstance(x, Batched) and x.vmap is self

    def run(self, op, args, params):
        """Let the op's row say what the batch axis does."""
        batched = [self.owns(x) for x in args]
        if not any(batched):
            return bind(op, *args, **params)
        values = [x.value if has else x for x, has in zip(args, batched)]
        return Batched(op.batch(op, values, batched, **params), self)


def vmap(f, in_axes=0):
    """The function that applies f to every example along `in_axes`; None: the same argument for all of them.

    >>> from minitorch_lab.mini import tensor, vmap
    >>> vmap(lambda row: row.sum())(tensor([[1.0, 2.0], [3.0, 4.0]]))
    tensor([3., 7.])
    """

    def mapped(*args):
        axes = in_axes if isinstance(in_axes, tuple) else (in_axes,) * len(args)
        size = count_examples(args, axes)
        with interpreting(Vmap()) as examples:
            out = f(*(x if axis is None else Batched(move_to_front(x, axis), examples) for x, axis in zip(args, axes)))
        parts = [check_result("vmap", y) for y in (out if isinstance(out, tuple) else (out,))]
        whole = tuple(y.value if examples.owns(y) else ops.expand(y, shape=(size, *ops.shape_of(y))) for y in parts)
        return whole if isinstance(out, tuple) else whole[0]

    return mapped


def count_examples(args, axes):
    """How many examples the arguments hold: they must agree."""
    shapes = [(ops.shape_of(x), axis) for x, axis in zip(args, axes) if axis is not None]
    sizes = {
        shape[axis] if -len(shape) <= axis < len(shape) else f"no axis {axis} in {shape}" for shape, axis in shapes
    }
    if len(axes) != len(args) or len(sizes) != 1 or isinstance(next(iter(sizes)), str):
        raise teach("examples", found=" and ".join(map(str, sizes)) or "no")
    return sizes.pop()


def move_to_front(x, axis):
    """The axis that counts the examples comes first."""
    rank = len(ops.shape_of(x))
    rest = [a for a in range(rank) if a != axis % rank]
    return ops.permute(x, axes=(axis % rank, *rest)) if axis % rank else x


def jacrev(f):
    """The Jacobian of f, one row per entry of its result, by one walk for all rows."""

    def jacobian(x):
        out, pull_back = vjp(f, x)
        rows = np.eye(size_of(out.shape), dtype=out.dtype).reshape(-1, *out.shape)
        return vmap(lambda seed: pull_back(seed)[0])(rows).reshape(*out.shape, *x.shape)

    return jacobian


def jacfwd(f):
    """The Jacobian of f, one column per entry of its argument."""

    def jacobian(x):
        columns = np.eye(size_of(x.shape), dtype=x.dtype).reshape(-1, *x.shape)
        out = vmap(lambda tangent: jvp(f, (x,), (tangent,))[1])(columns)
        return out.permute(*range(1, out.ndim), 0).reshape(*out.shape[1:], *x.shape)

    return jacobian
