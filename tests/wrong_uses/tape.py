"""Wrong uses of the tape: rules, hooks, saved tensors, leaves."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import minitorch_lab as ml
from minitorch_lab import errors
from minitorch_lab.autograd import Function, once_differentiable

from .use import Use, leaf


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


TAPE: dict[str, Use] = {
    "a vjp of the wrong shape from a custom Function": (
        lambda: Doubling.apply(leaf(2)).sum().backward(),
        errors.ShapeError,
        """\
Doubling.backward returned a gradient of shape () for argument 0.
  That argument has shape (2,), and so has its gradient.
  Did you sum, or take a mean, where there is one number for each entry? Then expand it, or leave that out.""",
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
PowBackward has nothing left to compute with: an earlier backward() freed what it had saved.
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
    "requires_grad of whole numbers": (
        lambda: ml.arange(3).requires_grad_(),
        errors.GradientError,
        """\
requires_grad on a tensor of dtype int64.
  Only floats can change by a little, so only they have gradients.
  Did you mean x.float().requires_grad_()?""",
    ),
    "autograd.grad by what has no part": (
        lambda: ml.autograd.grad(leaf(2).sum(), leaf(2)),
        errors.GradientError,
        """\
autograd.grad: no output depends on input 0.
  Its gradient would be 0 everywhere, which is seldom meant.
  Did you mean allow_unused=True? It gives None there.""",
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
}
