"""Wrong uses of differentiation and of tensors: each a call, to be answered with the error and the words beside it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import minitorch_lab as ml
from minitorch_lab import errors
from minitorch_lab.autograd import Function, once_differentiable

F, func = ml.nn.functional, ml.func


def leaf(*shape: int) -> ml.Tensor:
    """Ones that require a gradient."""
    return ml.ones(*shape, requires_grad=True)


class Doubling(Function):
    """A rule whose backward gives one number for a vector."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        """2x."""
        return x * 2.0

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        """The wrong shape."""
        return g.sum()


class Twice(Doubling):
    """A rule whose backward gives two gradients for one argument."""

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        """One too many."""
        return g, g


class Outside(Doubling):
    """A rule whose backward the tape cannot see."""

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, g: Any) -> Any:
        """Right, once."""
        return g * 2.0


def with_hook(hook: Callable[[Any], Any]) -> None:
    """A backward pass in which `hook` is called."""
    x = leaf(2)
    y = x * 2
    y.register_hook(hook)
    y.sum().backward()


def to_float64(g: Any) -> Any:
    """A hook."""
    return g.double()


def summed(g: Any) -> Any:
    """A hook."""
    return g.sum()


def unpacked(unpack: Callable[[Any], Any]) -> None:
    """A backward pass whose saved tensor comes back from `unpack`."""
    x = leaf(2)
    with ml.autograd.saved_tensors_hooks(lambda t: t, unpack):
        y = (x * x).sum()
    y.backward()


def second_through_once() -> None:
    """A second derivative through a rule that allows one."""
    x = leaf(2)
    (g,) = ml.autograd.grad((Outside.apply(x) ** 2).sum(), x, create_graph=True)
    g.sum().backward()


def changing_checkpoint() -> None:
    """A checkpointed function that does less when it runs again."""
    runs = []

    def f(x: Any) -> Any:
        runs.append(x)
        return (x.exp() * 2).sin() if len(runs) == 1 else x.exp()

    ml.autograd.checkpoint(f, leaf(2)).sum().backward()


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


def backward_twice() -> None:
    """Two walks over one graph."""
    y = (leaf(2) ** 2).sum()
    y.backward()
    y.backward()


def overwritten() -> None:
    """A write into what the tape keeps."""
    x = leaf(2)
    y = x.exp()
    y.add_(1.0)
    y.sum().backward()


Use = tuple[Callable[[], Any], type[Exception], str]

USES: dict[str, Use] = {
    "a vjp of the wrong shape from a custom Function": (
        lambda: Doubling.apply(leaf(2)).sum().backward(),
        errors.ShapeError,
        """\
Doubling.backward returned a gradient of shape () for argument 0.
  That argument has shape (2,), and so has its gradient.
  Did you forget to sum over an axis that was broadcast?""",
    ),
    "a custom Function with a gradient too many": (
        lambda: Twice.apply(leaf(2)).sum().backward(),
        errors.GradientError,
        """\
Twice.backward returned 2 gradients.
  forward takes 1 arguments, so backward returns 1, None where there is none.
  Return one value per argument, in the same order.""",
    ),
    "a second derivative through once_differentiable": (
        second_through_once,
        errors.GradientError,
        """\
A second derivative through a backward marked @once_differentiable.
  Its author says that it computes outside the tape, so the tape does not know how it changes.
  Take first derivatives only, or write that backward with tensors and drop the decorator.""",
    ),
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
    "a hook that returns another shape": (
        lambda: with_hook(summed),
        errors.ShapeError,
        """\
The hook summed returned a tensor of shape () for a cotangent of shape (2,).
  What a hook returns takes the place of the cotangent, so it has its shape.
  Did you sum or index where an entry by entry operation was meant?""",
    ),
    "a hook that returns another dtype": (
        lambda: with_hook(to_float64),
        errors.DTypeError,
        """\
The hook to_float64 returned a tensor of dtype float64 for a cotangent of dtype float32.
  What a hook returns takes the place of the cotangent, so it has its dtype.
  Did you mean x.to(ml.float32)?""",
    ),
    "an unpack hook that returns another dtype": (
        lambda: unpacked(to_float64),
        errors.DTypeError,
        """\
The unpack hook returned a tensor of dtype float64 for one of dtype float32.
  unpack gives back the tensor that pack was given.
  Did you mean x.to(ml.float32)?""",
    ),
    "an unpack hook that returns another shape": (
        lambda: unpacked(summed),
        errors.ShapeError,
        """\
The unpack hook returned a tensor of shape () for one of shape (2,).
  unpack gives back the tensor that pack was given.
  Keep the shape in what pack returns.""",
    ),
    "a checkpointed function that changes": (
        changing_checkpoint,
        errors.GradientError,
        """\
A checkpointed function saved 2 tensors, and 1 when it ran again.
  checkpoint() runs the function a second time, which must do what the first did.
  Take what changes (a counter, a random choice of Python's) out of it, or pass it as an argument.""",
    ),
    "backward twice": (
        backward_twice,
        errors.GradientError,
        """\
SumBackward has nothing left to compute with: an earlier backward() freed what it had saved.
  A backward pass frees the saved tensors as it goes, so the graph can be walked once.
  Did you mean backward(retain_graph=True) the first time? Or run the forward pass again.""",
    ),
    "backward from a vector": (
        lambda: (leaf(3) * 2).backward(),
        errors.GradientError,
        """\
backward() from a tensor of shape (3,).
  A gradient is that of one number; for more, say how much each entry counts.
  Did you mean x.sum().backward(), or x.backward(ml.ones_like(x))?""",
    ),
    "a write into what the tape has saved": (
        overwritten,
        errors.GradientError,
        """\
ExpBackward saved 'out' at version 0, and its memory is now at version 1.
  A tensor that an op keeps for its gradient must not be written in place before backward().
  Did you mean the op without the underscore (y = y + 1)? Or write to x.clone().""",
    ),
    "a write into a leaf": (
        lambda: leaf(2).add_(1.0),
        errors.GradientError,
        """\
add_ on a leaf that requires a gradient.
  The gradient belongs to the value that the leaf had; a write would lose it.
  Did you mean with ml.no_grad(): ..., as an optimizer does? Or y = x.clone() first.""",
    ),
    "a write into an expanded view": (
        lambda: ml.ones(3, 1).expand(3, 4).add_(1.0),
        errors.ShapeError,
        """\
add_ on a tensor of shape (3, 4) and strides (1, 0) that cannot be written.
  It was expanded (stride 0), so many of its entries are one number in memory.
  Did you mean x.clone()? Then write to the copy.""",
    ),
    "requires_grad of whole numbers": (
        lambda: ml.arange(3).requires_grad_(),
        errors.GradientError,
        """\
requires_grad on a tensor of dtype int64.
  Only floats can change by a little, so only they have gradients.
  Did you mean x.float().requires_grad_()?""",
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
  The two shapes must be equal.""",
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
    "autograd.grad by what has no part": (
        lambda: ml.autograd.grad(leaf(2).sum(), leaf(2)),
        errors.GradientError,
        """\
autograd.grad: no output depends on input 0.
  Its gradient would be 0 everywhere, which is seldom meant.
  Did you mean allow_unused=True? It gives None there.""",
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
    "DLPack of a tensor that requires a gradient": (
        lambda: leaf(2).__dlpack__(),
        errors.GradientError,
        """\
__dlpack__ of a tensor that requires a gradient.
  Another package sees the memory and no history, so the gradient would silently stop.
  Did you mean x.detach()?""",
    ),
    "deepcopy of what an op has made": (
        lambda: copy.deepcopy(leaf(2) * 2),
        errors.GradientError,
        """\
deepcopy of a tensor that an op has made.
  Its history belongs to the original.
  Did you mean x.detach().clone()?""",
    ),
    "out= where a gradient flows": (
        lambda: ml.add(leaf(2), 1.0, out=ml.ones(2)),
        errors.GradientError,
        """\
add got out=, and an input requires a gradient.
  What is written into a given tensor leaves no node on the tape, so the gradient would silently stop.
  Did you mean out = add(...)? Or call it inside ml.no_grad().""",
    ),
    "as_strided out of bounds": (
        lambda: ml.ones(6).as_strided((3, 4), (4, 1)),
        errors.ShapeError,
        """\
as_strided with size (3, 4), stride (4, 1) and storage_offset 0 reads entry 11 of a memory of 6.
  The last entry lies at storage_offset + the sum of stride[i] (size[i] - 1), which must be inside.
  Shorten the view, or its steps.""",
    ),
    "view of what lies otherwise": (
        lambda: ml.ones(2, 3).t().view(6),
        errors.ShapeError,
        """\
view cannot show a tensor of shape (3, 2) and strides (1, 3) as (6,).
  A view keeps the memory; these entries do not lie at even steps in the new shape.
  Did you mean x.reshape(6,)? It copies when it must.""",
    ),
    "a singular system": (
        lambda: ml.linalg.solve(ml.zeros(2, 2), ml.ones(2)),
        errors.LinAlgError,
        """\
solve got a tensor of shape (2, 2) that is singular.
  Its rows depend on each other, so it has no inverse.
  Did you mean A + 1e-6 * ml.eye(n)? Or look for columns that repeat each other.""",
    ),
    "a factorization in two bytes": (
        lambda: ml.linalg.inv(ml.eye(2).half()),
        errors.DTypeError,
        """\
inv got a matrix of dtype float16.
  Elimination subtracts numbers that nearly cancel, and two bytes have too few digits for that.
  Did you mean inv(x.float())? The result can go back with .to(ml.float16).""",
    ),
    "einsum with a letter from nowhere": (
        lambda: ml.einsum("ij,jk->il", ml.ones(2, 3), ml.ones(3, 4)),
        errors.ShapeError,
        """\
einsum got 'ij,jk->il' for the shapes (2, 3), (3, 4).
  A letter of the result stands there once, and in some operand too.
  For example 'ij,jk->ik'.""",
    ),
    "scatter out of range": (
        lambda: ml.zeros(3).scatter(0, ml.tensor([5]), ml.ones(1)),
        errors.ShapeError,
        """\
scatter got an index with numbers from 5 to 5.
  The axis has length 3, so they are at least 0 and at most 2.
  Compare index.min() and index.max() with the shape.""",
    ),
    "gather out of range": (
        lambda: ml.zeros(3).gather(0, ml.tensor([-1])),
        errors.ShapeError,
        """\
gather got an index with numbers from -1 to -1.
  The axis has length 3, so they are at least 0 and at most 2.
  Compare index.min() and index.max() with the shape.""",
    ),
    "one_hot of a negative label": (
        lambda: F.one_hot(ml.tensor([-1, 2]), 3),
        errors.ShapeError,
        """\
one_hot got labels from -1 to 2 and num_classes=3.
  A label is at least 0 and below num_classes.
  Did you mean num_classes=3?""",
    ),
    "cross_entropy with a float target of another shape": (
        lambda: F.cross_entropy(ml.ones(2, 3), ml.ones(2, 4)),
        errors.DTypeError,
        """\
cross_entropy got logits (2, 3) and a target (2, 4) of dtype float32.
  A target holds either classes (int64, one per row) or probabilities (floats, of the logits' shape).
  Did you mean target.long()?""",
    ),
    "load_state_dict of another size": (
        lambda: ml.nn.Linear(2, 3).load_state_dict(ml.nn.Linear(2, 4).state_dict()),
        errors.ArgumentError,
        """\
Linear cannot load this state:
    weight has shape (4, 2), here it is (3, 2).
    bias has shape (4,), here it is (3,).
  Names and shapes must be those of state_dict(). Nothing was loaded.
  Build the model with the sizes that it was saved with.""",
    ),
    "the state of no generator": (
        lambda: ml.Generator(0).set_state({"key": [1, 2, 3], "counter": 0}),
        errors.ArgumentError,
        """\
set_state got {'key': [1, 2, 3], 'counter': 0}.
  A state is what get_state() gave: {"key": [two words], "counter": n}, whole numbers from 0 up.
  Did you mean manual_seed(seed)?""",
    ),
    "truth values rounded": (
        lambda: ml.tensor([True]).round(),
        errors.DTypeError,
        """\
round got truth values.
  round is defined for numbers.
  Did you mean x itself, which is whole?""",
    ),
}
