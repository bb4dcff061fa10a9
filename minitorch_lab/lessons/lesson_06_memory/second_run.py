"""A checkpoint of the reader's own: what happens in the second run is theirs, and the engine walks through it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...autograd import Function
from ...tensors.random import randn
from ...tensors.tensor import Tensor
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .deep import ROWS, WIDTH, tower

RunAgain = Callable[[Any, Tensor, Tensor], Any]


def checkpoint_by(run_again: RunAgain) -> Callable[[Callable[[Tensor], Tensor], Tensor], Tensor]:
    """A checkpoint whose backward is the reader's.

    Its forward runs `fn(x)` unrecorded and keeps x. Its backward calls `run_again(fn, x, g)`, which leaves the
    gradients of the weights in `fn` where they belong, and returns that of x.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.ones(1, requires_grad=True)
        >>> checkpoint_by(lambda fn, x, g: g * 3)(lambda x: x * 3, x).backward()
        >>> x.grad
        tensor([3.])
    """

    class OwnCheckpoint(Function):
        """One node for all of `fn`."""

        @staticmethod
        def forward(*args: Any) -> Tensor:
            ctx, fn, x = args
            ctx.fn = fn
            ctx.save_for_backward(x)
            return fn(x)

        @staticmethod
        def backward(ctx: Any, *grad_outputs: Any) -> Any:
            return None, run_again(ctx.fn, ctx.saved_tensors[0], grad_outputs[0])

    return lambda fn, x: OwnCheckpoint.apply(fn, x)


class Run:
    """A network with a checkpoint in the middle, and a way around it: what comes before is read twice."""

    def __init__(self) -> None:
        self.before, self.inside, self.x, self.weight = tower(1), tower(6), randn(ROWS, WIDTH), randn(ROWS, WIDTH)
        self.right = self.gradients(lambda fn, h: fn(h))
        self.around = self.gradients(lambda fn, h: h.detach())[:2]  # of what comes before, by the way around alone

    def loss(self, through: Callable[[Any, Tensor], Tensor]) -> Tensor:
        """A number, with `through(inside, h)` in the middle."""
        h = self.before(self.x)
        return (through(self.inside, h) * self.weight).sum() + (h * h).sum()

    def gradients(self, through: Callable[[Any, Tensor], Tensor]) -> list[Any]:
        """The gradients of all weights: first those of what comes before."""
        weights = [*self.before.parameters(), *self.inside.parameters()]
        for p in weights:
            p.grad = None
        self.loss(through).backward()
        return [p.grad for p in weights]


@answering
def check_run_again(run_again: RunAgain) -> Verdict:
    """Check the reader's second run inside a network: gradients bit for bit, those of the weights included."""
    run = Run()
    given, error = attempt(run.gradients, checkpoint_by(run_again))
    if error is not None:
        return run_stopped(error)
    below, inside = given[:2], given[2:]
    if any(g is None for g in inside):
        return weights_forgotten(below, run)
    if same(given, run.right):
        return done(
            "the gradients are the same to the last bit, and between the two runs only x was kept: a checkpoint."
        )
    if not same(inside, run.right[2:]):
        return not_yet("the weights inside got other gradients. Does your walk start with g, and not with ones?")
    if same(below, run.around):
        return not_yet(nothing_for_x(run_again))
    if all(close(g, r * 2 - a) for g, r, a in zip(below, run.right, run.around, strict=False)):
        return not_yet(
            "the layers below got everything twice: your walk went on past x, and then the engine went there too. Cut "
            "the history of x: x.detach().requires_grad_()."
        )
    return not_yet("the weights inside are right, but what you return for x is not its gradient. It is in x.grad.")


def nothing_for_x(run_again: RunAgain) -> str:
    """Why no gradient of x came back: because there is none, or because it is not returned."""
    asked: list[bool] = []

    def looking(x: Tensor) -> Tensor:
        asked.append(x.requires_grad)
        return x * 2

    x = randn(ROWS, WIDTH, requires_grad=True)
    attempt(lambda: checkpoint_by(run_again)(looking, x * 1).sum().backward())
    if asked[1:] and not asked[-1]:
        return (
            "x.grad is None, so nothing came back for x: the x that fn runs on asks for no gradient. detach() gives "
            "a leaf "
            "that asks for none; x.detach().requires_grad_() gives one that does."
        )
    return "nothing came back for x, so the layers below got nothing through fn. Return the gradient of x."


def run_stopped(error: Exception) -> Verdict:
    """The walk through the reader's checkpoint ended with an exception."""
    text = str(error)
    if "depends on nothing" in text:
        return not_yet(
            "your second run left no tape. Inside a backward pass nothing is recorded, so switch it on: with "
            "ml.enable_grad(). And x must be a leaf that asks for a gradient."
        )
    if "from a tensor of shape" in text:
        return not_yet("fn(x) is no single number, so its walk must start with something: with g, from above.")
    if "nothing left to compute with" in text:
        return not_yet(
            "your walk went on past x into the layers below, and used up what they had kept. Then the engine came "
            "there and found nothing. Cut the history of x: x.detach().requires_grad_()."
        )
    return stopped("your second run", error)


def weights_forgotten(below: Sequence[Any], run: Run) -> Verdict:
    """The weights inside got nothing."""
    if same(below, run.around):
        return not_yet(
            "the walk ended at your checkpoint: no weight got anything through it, neither inside nor below."
        )
    if same(below, run.right[:2]):
        return not_yet(
            "the gradient of x is right, but the weights inside fn got nothing. autograd.grad only returns; backward() "
            "adds to .grad."
        )
    return unwritten("g is still sent on as it is, as if fn did nothing. Run fn again, and walk back through it.")


def close(a: Tensor, b: Tensor) -> bool:
    """Whether two gradients agree up to rounding."""
    return float((a - b).abs().amax()) <= 1e-4 * float(b.abs().amax())


def same(given: Sequence[Any], right: Sequence[Any]) -> bool:
    """Whether two lists of gradients agree bit for bit."""
    return all(bool((a == b).all()) for a, b in zip(given, right, strict=True))
