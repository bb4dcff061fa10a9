"""The checks of the exercises about whole Jacobians, and about second derivatives along one direction."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd import functional
from ...core.array import float64
from ...errors import ShapeError
from ...func import grad, hessian, jacfwd, jacrev, jvp
from ...ops import FUNCTIONS
from ...tensors.factories import linspace, tensor
from ...tensors.tensor import Tensor
from ..counting import counted
from ..own import own_op
from ..unaided import unaided
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

stack: Callable[..., Any] = FUNCTIONS["stack"]
Build = Callable[[Callable[[Any], Any], Any], Any]


def three_of_two(x: Any) -> Any:
    """Three numbers made of two. There is one sine in it, so the sines tell how often it was run."""
    return stack([x[0] * x[1], x[0].sin(), x[1] * x[1]])


POINT = tensor([2.0, 5.0])
WANTED = [[5.0, 2.0], [-0.4161, 0.0], [0.0, 10.0]]


def close(a: Any, b: Any, tolerance: float = 1e-4) -> bool:
    """Whether two tensors have one shape and, to rounding, the same entries."""
    if not isinstance(a, Tensor) or tuple(a.shape) != tuple(b.shape):
        return False
    return (a - b).abs().max().item() <= tolerance * (1.0 + b.abs().max().item())


# ---- by columns, by rows --------------------------------------------------------------------------------------------


WHOLE = (jacfwd, jacrev, functional.jacobian)


@answering
@unaided(*WHOLE, instead="One jvp for each direction in ml.eye(len(x)), and ml.stack.")
def check_columns(columns: Build) -> Verdict:
    """Check `columns(f, x)`: the Jacobian, one forward pass per input."""
    made, error = attempt(columns, three_of_two, POINT)
    if isinstance(error, ShapeError) and "tangent" in str(error):
        return not_yet("a tangent has the shape of the input: it says how the *inputs* move. One pass per input.")
    if error is not None:
        return stopped("columns(f, x)", error)
    if (said := flaw_of(made, "columns")) is not None:
        return said
    if "walked" in (ways := ways_of(columns, three_of_two, POINT)):
        return not_yet("right, but you walked back, once per *output*: those are rows, laid together. Forward mode "
                       "needs no walk: jvp, once per input.")  # fmt: skip
    if not ways:
        return not_yet(ESTIMATED)
    if (said := elsewhere(columns)) is not None:
        return said
    passes = counted(columns, three_of_two, POINT).ops["sin"]
    laid = " (Yours lie on top of each other, in one run, as those of jacfwd do.)" if passes == 1 else ""
    return done(f"two inputs, two passes, two columns. It would be two for a million outputs.{laid}")


ESTIMATED = "no op was asked for its derivative: this is an estimate from small steps. jvp and vjp take none."


def two_of_three(x: Any) -> Any:
    """Two numbers made of three."""
    return stack([x[0] * x[1] * x[2], x[2].sin() - x[0]])


def one_of_four(x: Any) -> Any:
    """One number made of four, and beside it nothing."""
    return (x * x).sum().reshape(1)


def elsewhere(build: Build) -> Verdict | None:
    """What is wrong with Jacobians that have another shape; None if nothing is."""
    for f, x in ((two_of_three, tensor([0.5, -1.0, 2.0])), (one_of_four, tensor([1.0, -2.0, 0.5, 3.0]))):
        wanted = jacfwd(f)(x)
        made, error = attempt(build, f, x)
        if error is not None or not close(made, wanted):
            n, m = wanted.shape
            return not_yet(
                f"right for two inputs and three outputs. With {m} and {n} it should give {wanted.tolist()}. How many "
                "there are is not yours to know: len() asks."
            )
    return None


def ways_of(derive: Callable[..., Any], f: Callable[[Any], Any], *given: Any) -> frozenset[str]:
    """How something is derived: which of its two rules an op on top of `f` is asked for."""
    ways: set[str] = set()

    def rule(g: Any) -> Any:
        ways.add("walked")
        return g * 2

    def push(dx: Any, x: Any) -> Any:
        ways.add("pushed")
        return dx * 2

    double = own_op("doubled", lambda x: x * 2, rule, push=push)
    derive(lambda x: double(f(x)), *given)
    return frozenset(ways)


@answering
@unaided(*WHOLE, instead="One vjp, and pull once for each row of ml.eye(len(value)).")
def check_rows(rows: Build) -> Verdict:
    """Check `rows(f, x)`: the Jacobian, one walk back per output."""
    made, error = attempt(rows, three_of_two, POINT)
    if error is not None:
        return rows_stopped(error)
    if (said := flaw_of(made, "rows")) is not None:
        return said
    if "pushed" in (ways := ways_of(rows, three_of_two, POINT)):
        return not_yet("right, but you went forward, once per *input*: those are columns, laid together. Reverse mode "
                       "walks back: vjp, and pull once per output.")  # fmt: skip
    if not ways:
        return not_yet(ESTIMATED)
    runs = counted(rows, three_of_two, POINT).ops["sin"]
    if runs > 1:
        return not_yet(f"right, but f itself ran {runs} times. The walks can share one run: call vjp once, pull often.")
    return elsewhere(rows) or done("one run of f, three walks, three rows. It would be three for a million inputs.")


def rows_stopped(error: Exception) -> Verdict:
    """The reader's rows ended with an exception."""
    text = str(error)
    if "tuple" in text and ("stack" in text or "shape" in text or "Tensor" in text):
        return not_yet("pull returns a tuple, one cotangent per argument of f. There is one argument: take pull(g)[0].")
    if isinstance(error, ShapeError):
        return not_yet("a cotangent has the shape of the *output*: it says which output is asked. Here it has 3.")
    return stopped("rows(f, x)", error)


def flaw_of(made: Any, name: str) -> Verdict | None:
    """What is wrong with a Jacobian of `three_of_two`; None if nothing is."""
    wanted = tensor(WANTED)
    if isinstance(made, tuple | list):
        return not_yet(f"{name} returns a {type(made).__name__} of {len(made)}. Put the parts together with ml.stack.")
    if not isinstance(made, Tensor):
        return not_yet(f"{name} returns {described(made)}. It should be a tensor of shape (3, 2).")
    if close(made, wanted):
        return None
    if close(made, wanted.sum(dim=1)):
        return unwritten("one pass, with both inputs moving at once: what comes out is the sum of the columns.")
    if close(made, wanted.sum(dim=0)):
        return unwritten("one walk, asking all outputs at once: what comes out is the sum of the rows.")
    if close(made, wanted.T):
        lie = "columns lie there as rows" if name == "columns" else "rows stand there as columns"
        return not_yet(f"the shape is (2, 3): your {lie}. Outputs go down, inputs go across: which dim does stack add?")
    value = three_of_two(POINT)
    if any(close(made, stack([value] * n, dim=d)) for n in (2, 3) for d in (0, 1)):
        return not_yet("these are the values of f. jvp and vjp return a pair; the derivative is in its second part.")
    shape = tuple(made.shape)
    told = "the shape should be (3, 2), outputs by inputs" if shape != (3, 2) else f"it should be {wanted.tolist()}"
    return not_yet(f"{name} gives {made.tolist()}: {told}.")


# ---- second derivatives along one direction -------------------------------------------------------------------------


def bowl(x: Any) -> Any:
    """A number made of many, whose second derivatives are all different from 0."""
    square = (x * x).sum()
    return square * square + x.sin().sum()


N = 32
X = linspace(-0.5, 0.7, N, dtype=float64)
V = linspace(1.0, -0.4, N, dtype=float64)
EXACT = 1e-9  # a difference quotient does not come this close
Product = Callable[[Callable[[Any], Any], Any, Any], Any]


@answering
@unaided(functional.hvp, functional.vhp, instead="What moves is x, and what you want to see moving is the gradient.")
def check_hvp(hvp: Product) -> Verdict:
    """Check `hvp(f, x, v)`: how the gradient of `f` moves when x moves along v."""
    made, error = attempt(hvp, bowl, X, V)
    if error is not None:
        return hvp_stopped(error)
    right = hessian(bowl)(X) @ V
    if close(made, right, EXACT):
        return paid(counted(hvp, bowl, X, V).work / counted(bowl, X).work, WAYS.get(ways_of(hvp, bowl, X, V), ""))
    if close(made, grad(bowl)(X) * V, EXACT):
        return unwritten("your hvp multiplies the gradient by v. Nothing in it says how the gradient changes.")
    if close(made, right, 0.02):
        return not_yet("close, and no more than that: this is an estimate from a small step. Forward mode takes none.")
    return not_yet(mistaken(made, X, V))


def hvp_stopped(error: Exception) -> Verdict:
    """The reader's hvp ended with an exception."""
    if "grad of a function whose result is" in str(error):
        return not_yet("grad(grad(f)) asks for the gradient of a vector. A vector has none. It moves along one way: "
                       "jvp of grad(f), or grad of (grad(f)(x) * v).sum().")  # fmt: skip
    return stopped("hvp(f, x, v)", error)


def mistaken(made: Any, x: Any, v: Any) -> str:
    """The thought that leads to `made`."""
    g = grad(bowl)
    across = grad(lambda z: g(z).sum())(x)
    if isinstance(made, tuple) and len(made) == 1:
        return "hvp returns a tuple of one: pull gives one cotangent per argument. Take its first part, pull(v)[0]."
    if isinstance(made, tuple):
        return "jvp returns a pair: the gradient, and how it moves. You want the second part."
    known = [
        (
            jvp(bowl, (x,), (v,))[1],
            "this is one number: how f moves along v. You want how its *gradient* moves.",
        ),
        (g(x), "this is the gradient at x. Of the pair that jvp returns, take the second part."),
        (g(v), "this is the gradient at the point v. v is no point: it is the way in which x moves."),
        (across * v, "you added up each row of the Hessian and then multiplied by v. v belongs inside: H · v."),
        (hessian(bowl)(x), "this is the whole Hessian. You want its product with v, which never needs the matrix."),
        (hessian(bowl)(v) @ x, "x and v have changed places: x is where you are, and v is the way in which x moves."),
        (g(x + v) - g(x), "this is a difference over the whole length of v. The derivative is for a small step."),
    ]
    for wrong, said in known:
        if close(made, wrong, EXACT):
            return said
    return f"hvp gives {described(made)}. It should be the Hessian times v: one number per entry of x."


WAYS = {
    frozenset({"walked", "pushed"}): "This is forward over reverse.",
    frozenset({"walked"}): "This is reverse over reverse: a walk back over the walk back, with a tape of a tape. "
    "Forward over reverse, jvp of grad(f), needs none.",
    frozenset({"pushed"}): "This is reverse over forward: a walk back over the pass that pushes v. Forward over "
    "reverse, jvp of grad(f), needs no tape.",
}  # fmt: skip


def paid(times: float, way: str) -> Verdict:
    """The numbers are right; what did they cost, in runs of f, and which mode stands over which?"""
    whole = counted(jacfwd(grad(bowl)), X).work / counted(bowl, X).work
    if times > whole / 2:
        return not_yet(f"right, at the price of {times:.0f} runs of f: you built all {N} columns of the Hessian "
                       "and multiplied them away. One direction is one pass.")  # fmt: skip
    return done(f"at the price of {times:.0f} runs of f; the whole Hessian costs {whole:.0f}. {way}".strip())
