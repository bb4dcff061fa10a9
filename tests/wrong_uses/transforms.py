"""Wrong uses of transforms and captures."""

from __future__ import annotations

import minitorch_lab as ml
from minitorch_lab import errors

from .use import Use, leaf

func = ml.func


def short_rule() -> None:
    """A custom_vjp whose bwd forgets an argument."""
    f = func.custom_vjp(lambda x, y: x * y)
    f.defvjp(lambda x, y: (x * y, y), lambda y, g: (g * y,))
    func.grad(lambda x: f(x, x).sum())(ml.ones(2))


def forward_through_reverse() -> None:
    """The jvp of a function whose rule is a vjp."""
    f = func.custom_vjp(lambda x: x * x)
    f.defvjp(lambda x: (x * x, x), lambda x, g: (2 * x * g,))
    func.jvp(f, (ml.ones(2),), (ml.ones(2),))


TRANSFORMS: dict[str, Use] = {
    "a custom_vjp whose bwd gives too few cotangents": (
        short_rule,
        errors.ArgumentError,
        """\
The bwd of <lambda> returned 1 values for 2 arguments.
  bwd returns a tuple with one cotangent per argument, None where it is zero.
  Did you mean (g * 2,), with a comma?""",
    ),
    "jvp of a custom_vjp function": (
        forward_through_reverse,
        errors.GradientError,
        """\
jvp of <lambda>, which has a custom_vjp rule.
  That rule pulls cotangents back; forward mode pushes tangents, and one does not follow from the other.
  Did you mean custom_jvp? It serves both modes.""",
    ),
    "a .grad of another dtype": (
        lambda: setattr(leaf(2), "grad", ml.ones(2, dtype=ml.float64)),
        errors.DTypeError,
        """\
A gradient of dtype float64 for a tensor of dtype float32.
  A gradient is added up in the dtype of its tensor.
  Did you mean g.to(ml.float32)?""",
    ),
    "a .grad of another shape": (
        lambda: setattr(leaf(2), "grad", ml.ones(3)),
        errors.ShapeError,
        """\
A gradient of shape (3,) for a tensor of shape (2,).
  The two shapes must be equal.
  Did you mean None? It forgets the gradient.""",
    ),
    "grad of an integer output": (
        lambda: func.grad(lambda x: x.argmax())(ml.ones(3)),
        errors.GradientError,
        """\
grad of a function whose result is of dtype int64.
  Whole numbers and truth values change in jumps, so they have no derivative.
  Did you mean a smooth stand-in, such as softmax for argmax?""",
    ),
    "grad by an integer input": (
        lambda: func.grad(lambda x: x.sum())(ml.arange(3)),
        errors.GradientError,
        """\
A derivative by a tensor of dtype int64.
  Only floats can change by a little.
  Did you mean x.float()? Or leave it out with argnums.""",
    ),
    "grad of a vector": (
        lambda: func.grad(lambda x: x * 2)(ml.ones(3)),
        errors.GradientError,
        """\
grad of a function whose result is (3,).
  A gradient is that of one number.
  Did you mean f(x).sum()? Or ml.func.jacrev for all outputs.""",
    ),
    "a tangent of another shape": (
        lambda: func.jvp(lambda x: x * 2, (ml.ones(2),), (ml.ones(3),)),
        errors.ShapeError,
        """\
jvp got a tangent of shape (3,) for a primal of shape (2,).
  A tangent says how each entry moves, so the shapes are equal.
  Did you mean ml.ones_like(x)?""",
    ),
    "vmap over mismatched axes": (
        lambda: func.vmap(lambda x, y: x + y)(ml.ones(3, 2), ml.ones(4, 2)),
        errors.ShapeError,
        """\
vmap got arguments of the shapes (3, 2), (4, 2) with in_axes [0, 0].
  At least one argument has a batch axis, and all batches have the same size.
  Did you mean in_axes=None for what all examples share?""",
    ),
    "vmap over an axis that is not there": (
        lambda: func.vmap(lambda x: x, in_axes=2)(ml.ones(3, 2)),
        errors.ShapeError,
        """\
vmap got in_axes=2 for an argument of shape (3, 2).
  Its axes are 0 to 1, or -2 to -1 counted from the end.
  Did you mean in_axes=1?""",
    ),
    "nested vmap with out_axes beyond the result": (
        lambda: func.vmap(func.vmap(lambda x: x * 2, out_axes=1))(ml.ones(3, 2)),
        errors.ShapeError,
        """\
vmap got out_axes=1 for a result of shape (2,).
  Its axes are 0 to 0, or -1 to -1 counted from the end.
  Did you mean out_axes=0?""",
    ),
    "a branch under vmap": (
        lambda: func.vmap(lambda x: x if x > 0 else -x)(ml.ones(3)),
        errors.ArgumentError,
        """\
A Python number, or a branch, from a tensor inside vmap.
  All examples run the same lines, so a decision cannot depend on one of them.
  Did you mean ml.where(condition, a, b)?""",
    ),
    "a mask that differs from example to example": (
        lambda: func.vmap(lambda x: x[x > 0])(ml.ones(3, 2)),
        errors.ArgumentError,
        """\
An index by a mask inside vmap.
  The shape of its result depends on the entries, so the examples would not fit together.
  Did you mean ml.where(condition, a, b)? It keeps the shape.""",
    ),
    "random numbers under vmap": (
        lambda: func.vmap(lambda x: x + ml.rand(2))(ml.ones(3, 2)),
        errors.ArgumentError,
        """\
Random numbers (uniform) inside vmap.
  It is not said whether all examples get the same numbers.
  Did you mean vmap(f, randomness="different"), or "same"? Or draw them outside and pass them in.""",
    ),
    "item under jit": (
        lambda: ml.jit(lambda x: x * x.sum().item())(ml.ones(2)),
        errors.CaptureError,
        """\
item() of a tensor that is being captured.
  Capture runs the function once without numbers, so nothing may depend on an entry.
  Did you mean ml.where(condition, a, b)? Or ml.compile, which breaks the graph there.""",
    ),
}
