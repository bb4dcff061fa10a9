"""The checks of lesson 07 about who runs an op: levels, an interpreter, and a batching rule of the reader's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.array import xp
from ...core.interpret import Interpreter, interpreting
from ...errors import GradientError, ShapeError
from ...func import grad, vmap
from ...ops.op import OPS, Op, rule
from ...tensors.factories import linspace, ones, tensor
from ...tensors.tensor import Tensor
from ..floors import without_floor
from ..mentioned import mentioned
from ..own import unlisted
from ..values import alike, described, settled, shown
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten

# ---- levels ---------------------------------------------------------------------------------------------------------

Slope = Callable[[Callable[[Any], Any], Any], Any]


def mixed(slope: Slope) -> Any:
    """d/dx of x · d/dy (x + y), at 1: the inner slope is 1, so this is the slope of x."""
    return slope(lambda x: x * slope(lambda y: x + y, 1.0), 1.0)


def product(slope: Slope) -> Any:
    """d/dx of x · d/dy (x · y), at 3: the inner slope is x, so this is the slope of x²."""
    return slope(lambda x: x * slope(lambda y: x * y, 2.0), 3.0)


def twice(slope: Slope) -> Any:
    """The second derivative of x³ at 3."""
    return slope(lambda x: slope(lambda y: y * y * y, x), 3.0)


def once(slope: Slope) -> Any:
    """The derivative of 2 + 5x² at 3."""
    return slope(lambda x: 2.0 + 5.0 * x * x, 3.0)


NESTED = {"mixed": (mixed, 1.0), "product": (product, 6.0), "twice": (twice, 18.0), "once": (once, 30.0)}


@answering
def check_levels(slope: Slope) -> Verdict:
    """Check the reader's `parts` through the `slope_of` that stands on it."""
    found: dict[str, Any] = {}
    for name, (program, _) in NESTED.items():
        found[name], error = attempt(program, slope)
        if error is not None:
            return levels_stopped(error)
    for name, given in found.items():
        if not isinstance(settled(given), int | float):
            return not_yet(f"{called(name)} comes out as {described(given)}. It should be a number.")
    found = {name: settled(given) for name, given in found.items()}
    if found["mixed"] == 2.0 and found["once"] == 30.0 and found["product"] != 3.0:
        told = "the slope of x + y by y is still 2: x moves along inside, and it should stand still there."
        if "level" not in mentioned(getattr(slope, "__globals__", {}).get("parts", slope)):
            return unwritten(told)
        return not_yet(f"{told} Your parts asks for the level, and takes a Dual of an outer level apart as well. It is "
                       "one of *this* level only if the two are equal.")  # fmt: skip
    if all(alike(found[name], right) for name, (_, right) in NESTED.items()):
        return done("1, 6 and 18: each transform sees its own slopes only. In the engine every box has a level, too.")
    if (found["once"], found["product"]) == (30.0, 3.0):
        return not_yet("you took a Dual of another level apart, and its slope was lost. A constant is passed on whole: "
                       "(x, 0.0).")  # fmt: skip
    wrong = next(name for name, (_, right) in NESTED.items() if found[name] != right)
    return not_yet(f"{called(wrong)} comes out as {shown(found[wrong])}. It should be {NESTED[wrong][1]:g}.")


def called(name: str) -> str:
    """What one of the programs asks for, in words."""
    return " ".join((NESTED[name][0].__doc__ or "").split()).split(":")[0].rstrip(".")


def levels_stopped(error: Exception) -> Verdict:
    """The reader's parts ended with an exception."""
    if isinstance(error, RecursionError):
        return not_yet("everything is a constant now, so that a product only asks for the same product again. What "
                       "belongs to *this* level is taken apart.")  # fmt: skip
    if isinstance(error, AttributeError) and "level" in str(error):
        return not_yet("a plain number has no level. Ask first whether it is a Dual.")
    if isinstance(error, TypeError) and ("unpack" in str(error) or "NoneType" in str(error)):
        return not_yet("parts returns a pair in every case: the value, and the slope as this level sees it.")
    return stopped("slope_of", error)


# ---- an interpreter -------------------------------------------------------------------------------------------------


def wave(x: Any) -> Any:
    """Two sines, a product and a sum."""
    return (x.sin() * x.sin()).sum()


FLOORLESS = (
    "your __init__ does not call super().__init__(), which notes the floor below: self.below is None, and there is "
    "nobody "
    "to pass an op on to."
)


@answering
def check_tally(kind: Callable[[], Any]) -> Verdict:
    """Check the reader's interpreter, which counts the ops by name in `counts` and passes them on."""
    tally, error = attempt(kind)
    if error is not None:
        return stopped("Tally()", error)
    if not isinstance(tally, Interpreter):
        return not_yet(f"you gave something that makes {described(tally)}. Give the class Tally, a lesson.Floor.")
    if without_floor(tally):
        return not_yet(FLOORLESS)
    x = tensor([1.0, 2.0], requires_grad=True)
    y, error = attempt(under, tally, wave, x)
    if error is not None:
        first, _ = attempt(lambda: kind().run(OPS["sin"], (x,), {}))
        if first is None or isinstance(first, Tensor):
            return tally_stopped(error)
        return not_yet(f"run returns {described(first)}, so the next op gets that. Return what the floor below gives.")
    if y is None:
        return not_yet("run returns nothing, so no op has a result. Return what the floor below returns.")
    if not isinstance(y, Tensor) or y.grad_fn is None:
        return not_yet("you computed the result yourself. The floors below never heard of the op: no tape. "
                       "Pass it on: self.below.run(op, args, params).")  # fmt: skip
    if not abs(y.item() - wave(x).item()) <= 1e-5:
        return not_yet(f"the result has changed: {y.item():.4g} instead of {wave(x).item():.4g}. Pass on what came in.")
    return counts_of(kind, getattr(tally, "counts", None))


def under(interpreter: Any, fn: Callable[..., Any], *args: Any) -> Any:
    """`fn(*args)` with `interpreter` on top of the stack."""
    with interpreting(interpreter):
        return fn(*args)


def tally_stopped(error: Exception) -> Verdict:
    """The reader's interpreter ended with an exception."""
    if isinstance(error, RecursionError):
        return not_yet("your run asks whoever is on top of the stack, and that is your interpreter again, without end. "
                       "Ask self.below.")  # fmt: skip
    if isinstance(error, KeyError):
        return not_yet("you add to a count that is not there yet. At first there is none: counts.get(op.name, 0).")
    if isinstance(error, TypeError) and "run()" in str(error):
        return not_yet("run takes three things: the op, the tuple of its arguments, the dict of its parameters. Pass "
                       "them on as they came: run(op, args, params).")  # fmt: skip
    if "NoneType" in str(error):
        return not_yet("run returns nothing, so the next op got None. Return what the floor below returns.")
    return stopped("an op under your interpreter", error)


def counts_of(kind: Callable[[], Any], counts: Any) -> Verdict:
    """Whether the counts are right, alone and under transforms."""
    right = {"sin": 2, "mul": 1, "sum": 1}
    if counts is None or counts == {}:
        return unwritten("the ops are passed on and nothing is counted.")
    if not isinstance(counts, dict):
        return not_yet(f"counts is {described(counts)}. Make it a dict: how often, by the name of the op.")
    if all(isinstance(name, Op) for name in counts):
        return not_yet("your keys are the ops themselves. Use op.name: a name can be read, and printed.")
    if {str(k): 1 for k in counts} == counts and set(counts) == set(right):
        return not_yet("every op is counted once, however often it runs: there are two sines. Add 1 to what is there.")
    if dict(counts) != right:
        return not_yet(f"for (x.sin() * x.sin()).sum() you count {dict(counts)}. It should be {right}.")
    if kind().counts:
        return not_yet("your counts are right, and a new interpreter begins with them: counts belongs to the class. "
                       "Make it in __init__, one for each: self.counts = {}.")  # fmt: skip
    with interpreting(below := kind()):
        under(kind(), wave, tensor([1.0, 2.0]))
    if dict(below.counts) != right:
        return not_yet(
            f"your counts are right, and the floor below was asked for {dict(below.counts)}. Pass on each op, once."
        )
    few, many = (kind() for _ in range(2))
    under(few, vmap(grad(wave)), ones(1, 3))
    under(many, vmap(grad(wave)), ones(500, 3))
    return done(
        f"and a gradient below it: vmap(grad(f)) hands down {sum(few.counts.values())} ops for 1 example, and "
        f"{sum(many.counts.values())} for 500. That is all there is to the speed of vmap."
    )


# ---- a batching rule ------------------------------------------------------------------------------------------------

Batch = Callable[[Any, Any], Any]


def own_dot(batch: Batch) -> Op:
    """Make the op dot, Σ xᵢ yᵢ of two vectors, which takes a batch as `batch` says.

    Args:
        batch: `batch(x, y)`, where x or y or both have the examples on axis 0; the result has them there, too.

    Example:
        >>> dot = own_dot(lambda x, y: (x * y).sum(dim=-1))
        >>> vmap(dot)(ones(4, 3), ones(4, 3))
        tensor([3., 3., 3., 3.])
    """
    return unlisted(
        Op(
            name="dot",
            impl=lambda x, y: xp.asarray(xp.vdot(x, y)),
            shape=lambda x, y: (),
            vjp=(rule(lambda g, y: g * y), rule(lambda g, x: g * x)),
            samples=lambda rng: [((rng.normal(size=3), rng.normal(size=3)), {})],
            batch=lambda op, args, batched, params: batched_by(batch, args, batched),
        )
    )


def batched_by(batch: Batch, args: list[Any], batched: list[bool]) -> Any:
    """What the reader's rule gives, held to have the examples in front.

    Raises:
        GradientError: The rule returned nothing.
        ShapeError: The result has not one number per example.
    """
    out = batch(*args)
    n = next(a.shape[0] for a, b in zip(args, batched, strict=True) if b)
    if out is None:
        raise GradientError("The batching rule of dot returned None.", "A rule returns the results of all examples.",
                            "Did you forget the return?")  # fmt: skip
    if not hasattr(out, "shape"):
        raise GradientError(f"The batching rule of dot returned {described(out)}.", "A rule returns the results of all "
                            "examples, as one array or tensor.", "Did you mean (x * y).sum(...)?")  # fmt: skip
    if tuple(out.shape) != (n,):
        raise ShapeError(
            f"The batching rule of dot returned something of shape {tuple(out.shape)}.",
            f"There are {n} examples, and the dot product of each is one number: the shape is ({n},).",
            "Which axes are added up, and which one counts the examples?",
        )
    return out


FEW, MORE = linspace(-1.0, 1.0, 12).reshape(4, 3), linspace(0.5, 2.0, 12).reshape(4, 3)
ONE = tensor([1.0, -2.0, 3.0])


@answering
def check_batch(op: Op) -> Verdict:
    """Check the reader's batching rule of dot, with one batch, with two, mapped twice, and differentiated."""
    by_hand = [sum(a * b for a, b in zip(x, y, strict=True)) for x, y in zip(FEW.tolist(), MORE.tolist(), strict=True)]
    both, error = attempt(vmap(op), FEW, MORE)
    if error is not None:
        return batch_stopped(error)
    if not isinstance(both, Tensor) or tuple(both.shape) != (4,):
        return not_yet(f"for a batch of four pairs you give {described(both)}. It should be a tensor of four numbers.")
    if not near(both, by_hand):
        return not_yet(f"for a batch of four pairs you give {rounded(both)}. It should be {rounded(tensor(by_hand))}.")
    for axes, args in (((0, None), (FEW, ONE)), ((None, 0), (ONE, FEW))):
        shared, error = attempt(vmap(op, in_axes=axes), *args)
        if error is not None or not near(shared, (FEW * ONE).sum(dim=1).tolist()):
            return not_yet("right when both have a batch. But one of the two may be shared, and then it has one axis "
                           "less: count the axes from the end, dim=-1.")  # fmt: skip
    pairs, error = attempt(vmap(vmap(op, in_axes=(None, 0)), in_axes=(0, None)), FEW, MORE)
    if error is not None or not near(pairs.reshape(16), (FEW @ MORE.T).reshape(16).tolist()):
        return not_yet("right for one vmap, and not for two. Make the rule of ops: then it can be batched again.")
    slopes, error = attempt(grad(lambda x: vmap(op)(x, MORE).sum()), FEW)
    if error is not None or not near(slopes.reshape(12), MORE.reshape(12).tolist()):
        return not_yet("the values are right, and the gradients are not. Make the rule of ops only.")
    return done("one batch, two, all 16 pairs by vmap over vmap, and gradients: dot is an op like any other.")


def near(made: Any, wanted: Any) -> bool:
    """Whether a tensor holds these numbers."""
    found = made.tolist() if isinstance(made, Tensor) else []
    return len(found) == len(wanted) and all(abs(a - b) < 1e-4 for a, b in zip(found, wanted, strict=True))


def rounded(x: Any) -> list[float]:
    """The entries, as one prints them."""
    return [round(v, 3) for v in x.tolist()]


def batch_stopped(error: Exception) -> Verdict:
    """The reader's batching rule ended with an exception, or gave the wrong shape."""
    text = str(error)
    if "something of shape ()" in text:
        return unwritten("the sum runs over everything, so that the examples are added into one number.")
    if "something of shape (3,)" in text:
        return not_yet("you added up the wrong axis: axis 0 counts the examples, and they stay apart.")
    if "something of shape (4, 4)" in text:
        return not_yet("this is every example with every other one. Only the pairs belong together: x[i] with y[i].")
    if "something of shape (4, 3)" in text:
        return not_yet("the products are there, and they are not added up.")
    if isinstance(error, GradientError | ShapeError):
        return not_yet(describe_error(error))
    return stopped("your batching rule", error)
