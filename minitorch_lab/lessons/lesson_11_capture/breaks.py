"""Breaks for readers: the pieces of a compiled function, and the checks of what a reader foretells and repairs."""

from __future__ import annotations

import io
import linecache
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from math import isnan
from typing import Any

from ...autograd.anomaly import Place
from ...compiler.capture.api import compile
from ...compiler.capture.bytecode.report import pieces, report
from ...core.array import xp
from ...errors import CaptureError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import alike, described, shown
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .rewriting.listing import listing

__all__ = ["bytecode", "check_graphs", "check_whole", "told"]


def bytecode(fn: Any) -> str:
    """The instructions of a function, one per line: the same on every version of Python.

    Example:
        >>> print(bytecode(lambda x: x * 2))
         0 LOAD_FAST             x
         2 LOAD_CONST            2
         4 BINARY_OP             *
         6 RETURN_VALUE
    """
    return listing(fn.__code__)


def told(compiled: Any) -> str:
    """The graphs of a compiled function, and why each begins where it does.

    Example:
        >>> import minitorch_lab as ml
        >>> f = ml.compile(lambda x: x * x.sum().item())
        >>> _ = f(ml.ones(2))
        >>> print(told(f))
        graph_0(x: f32[2]):
            sum: f32[] = sum(x, axis=(0,), keepdims=False)
            return (sum,)
        --- item() gives an entry of a tensor to Python (line 1: f = ml.compile(lambda x: x * x.sum().item()))
        graph_1(x: f32[2], v2: float32 number):
            mul: f32[2] = mul(x, v2)
            return (mul,)
    """
    lines: list[str] = []
    for piece in pieces(compiled):
        if piece.after:
            lines.append(f"--- {piece.after}{on(piece.place)}")
        lines.append(str(piece.graph) if piece.graph.calls else "an empty graph")
    return "\n".join(lines)


def on(place: Place | None) -> str:
    """The line, without the name of the file: that of a cell says nothing."""
    return f" (line {place.line}: {linecache.getline(*place).strip()})" if place else ""


# ---- how many graphs ------------------------------------------------------------------------------------------------

INPUTS = ([1.0, 2.0], [-1.0, -2.0])
BELIEFS = {
    "prints": "print() writes to the screen now, so all before it has to have run, and the rest comes after it.",
    "decides": "the question is one graph, and each of the two ways another: both inputs were tried.",
    "unrolls": "range(3) is known before the function runs. The loop is gone through while capturing, and leaves six "
               "ops in a row. Lists are Python's, and no tensor is asked for a number.",
    "measures": "a shape is known without a single entry. It is guarded, and the if is decided while capturing.",
    "asks": "item() hands an entry to Python: the graph up to there has to run first.",
    "draws": "random.random() is C: it cannot be looked into, and gives another number in every call. It runs between "
             "two graphs.",
    "helped": "a function that is called is gone through as if it stood here, and its print() breaks as any other.",
    "chooses": "ml.where is an op, and the condition stays a tensor: Python is not asked.",
}  # fmt: skip


@answering
def check_graphs(functions: Sequence[Callable[..., Any]], graphs: dict[str, Any]) -> Verdict:
    """Check how many graphs the reader expects of each function, against what capture makes of it."""
    if not isinstance(functions, list | tuple) or not all(map(callable, functions)):
        return not_yet(f"the first thing that you gave is {described(functions)}. Leave the list of functions.")
    said = {name: n for name, n in graphs.items() if n is not None}
    if not said:
        return unwritten("put a number in place of None, for as many functions as you like.")
    right = 0
    for fn in functions:
        name = fn.__name__
        if name not in said:
            continue
        count = graphs_of(fn)
        if not alike(said[name], count):
            because = BELIEFS.get(name, "lesson.told shows where it breaks, after a call of the compiled function.")
            return not_yet(f"{name}: you say {shown(said[name])}, and it is {count}. {because}")
        right += 1
    if right < len(functions):
        return not_yet(f"right so far. {len(functions) - right} are still open.")
    return done(f"{right} functions. A graph ends where Python must know a number, or does something that shows.")


def graphs_of(fn: Callable[..., Any]) -> int:
    """How many graphs `fn` becomes, over inputs of both signs."""
    compiled = compile(fn)
    with redirect_stdout(io.StringIO()):
        for x in INPUTS:
            compiled(tensor(x))
    count: int = report(compiled)["graphs"]
    return count


# ---- a function made whole ------------------------------------------------------------------------------------------

POINTS = ([0.5, -0.25], [4.0, -2.0], [1.0, -8.0], [1.0, 1.0], [0.0, 0.0])


def damped(x: list[float], largest: float | None = None) -> list[float]:
    """What the exercise asks for."""
    top = max(map(abs, x)) if largest is None else largest
    return [v / top * 2 if top > 1 else v * 2 for v in x]


THOUGHTS: list[tuple[Callable[[list[float]], Any], str]] = [
    (lambda x: [v / max(map(abs, x)) * 2 if any(x) else float("nan") for v in x],
     "you always divide. Where the largest is not above 1, x stays as it is."),
    (lambda x: [max(-1.0, min(1.0, v)) * 2 for v in x],
     "you cut off each entry for itself at ±1. All are divided by the largest."),
    (lambda x: damped(x, max(x)), "you take the largest entry. It is the largest in size, with abs()."),
    (lambda x: [v * 2 for v in x], "you never divide."),
    (lambda x: [v / 2 for v in damped(x)], "the factor 2 at the end is lost."),
    (lambda x: damped(damped(x)), "you damp twice."),
    (lambda x: [v * 2 if max(map(abs, x)) > 1 else (v / max(map(abs, x)) * 2 if any(x) else float("nan")) for v in x],
     "the sides are swapped: ml.where(condition, a, b) gives a where the condition holds."),
]  # fmt: skip


@answering
def check_whole(fn: Callable[[Tensor], Any]) -> Verdict:
    """Check that `fn` is the damped function, as one graph, with the gradients that it had."""
    with xp.errstate(all="ignore"):
        return judged(fn)


def judged(fn: Callable[[Tensor], Any]) -> Verdict:
    """The values, then the rest."""
    found, error = attempt(lambda: [quietly(fn, tensor(x)) for x in POINTS])
    if error is not None or found is None:
        return stopped("your function", error or TypeError())
    if any(not isinstance(y, Tensor) for y in found):
        odd = next(y for y in found if not isinstance(y, Tensor))
        return not_yet(f"your function gives {described(odd)}. It gives the damped tensor.")
    values = [y.tolist() for y in found]
    if not all(map(near, values, map(damped, POINTS))):
        known = next((said for thought, said in THOUGHTS if all(map(near, values, map(thought, POINTS)))), None)
        x, got = next((x, y) for x, y in zip(POINTS, values, strict=True) if not near(y, damped(x)))
        return not_yet(known or f"for {x} your function gives {got}. It should be {damped(x)}.")
    return in_one_piece(fn) or same_slopes(fn)


def quietly(fn: Callable[[Tensor], Any], x: Tensor) -> Any:
    """A call of which nothing is seen."""
    with redirect_stdout(io.StringIO()):
        return fn(x)


def near(a: Any, b: Any) -> bool:
    """Equal to the rounding of float32; NaN is equal to NaN."""
    if isinstance(a, list):
        return isinstance(b, list) and len(a) == len(b) and all(map(near, a, b))
    return (isnan(a) and isnan(b)) or abs(a - b) <= 1e-5 * (1 + abs(b))


def in_one_piece(fn: Callable[[Tensor], Any]) -> Verdict | None:
    """Why `fn` is no single graph, if it is none."""
    whole = compile(fn, fullgraph=True)
    for x in POINTS:
        _, error = attempt(quietly, whole, tensor(x))
        if isinstance(error, CaptureError):
            why = str(error).partition("\n")[0].partition(": ")[2]
            if why.startswith("print"):
                return not_yet(f"the values are right, and it still breaks: {why} Let the print go.")
            text = f"the values are right, and it still breaks: {why} Let it stay a tensor, and choose with an op."
            return unwritten(text) if "item()" in why and original(fn) else not_yet(text)
        if error is not None:
            return stopped("your function, compiled,", error)
    return None


def original(fn: Callable[..., Any]) -> bool:
    """Whether `fn` still has all that the exercise begins with."""
    names = set(fn.__code__.co_names)
    return {"item", "print"} <= names


def same_slopes(fn: Callable[[Tensor], Any]) -> Verdict:
    """Compare the gradients with those of the function as it was, in which the largest is a number."""
    for x in POINTS:
        leaf = tensor(x, requires_grad=True)
        quietly(fn, leaf)[0].backward()
        got: list[float] = [] if leaf.grad is None else leaf.grad.tolist()
        top = max(map(abs, x))
        if any(map(isnan, got)):
            return not_yet(f"values right, one graph. But at {x} the gradient is NaN: ml.where computes both sides, "
                           "and 0 / 0 is one of them. Choose what to divide *by*: clamp(min=1) on the largest, for "
                           "instance.")  # fmt: skip
        if not near(got, [2 / max(top, 1.0), 0.0]):
            return not_yet(f"values right, one graph. But at {x} the gradient of the first entry is {got}: it flows "
                           "through the largest too. item() gave a mere number; a tensor is one more way for the "
                           "gradient, unless you detach() it.")  # fmt: skip
    return done("one graph, the same values, the same gradients. Nobody is asked, so nothing has to wait.")
