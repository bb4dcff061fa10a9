"""In words, how a node makes the partial adjoint for one input: the gradient from above times a derivative."""

from __future__ import annotations

from typing import NamedTuple

from ..ops.op import OPS
from ..record import events as ev
from ..record.values import Value
from .formulas import compiled
from .model import Model, atom
from .numbers import number, said, several, small

SAVED = {("mul", 0): "y", ("mul", 1): "x", ("exp", 0): "out"}  # the derivative is what was saved

THROUGH = {
    ("add", 0): "Adding passes a gradient through unchanged.",
    ("add", 1): "Adding passes a gradient through unchanged.",
    ("sub", 0): "Subtracting passes it on unchanged to what came first.",
    ("sub", 1): "Subtracting turns the sign for what is taken away.",
    ("neg", 0): "The sign turns.",
    ("clone", 0): "A copy passes a gradient through unchanged.",
}

DERIVATIVE = {
    ("div", 0): "1 / the saved {y}",
    ("div", 1): "−{x} / {y}²",
    ("log", 0): "1 / the saved {x}",
    ("sqrt", 0): "1 / (2 × the saved {out})",
    ("sin", 0): "cos of the saved {x}",
    ("cos", 0): "−sin of the saved {x}",
    ("tanh", 0): "1 − the saved {out}²",
    ("sigmoid", 0): "{out} × (1 − {out})",
    ("relu", 0): "1 where {out} > 0, else 0",
    ("pow", 0): "n × {x}ⁿ⁻¹",
    ("abs", 0): "the sign of {x}",
}

WHOLE = {
    ("matmul", 0): "what came from above @ {y}ᵀ",
    ("matmul", 1): "{x}ᵀ @ what came from above",
    ("linear", 0): "what came from above @ {y}",
    ("linear", 1): "what came from above, transposed, @ {x}",
    ("linear", 2): "what came from above, summed over the rows",
    ("tanh", 0): "what came from above × (1 − {out}²)",
    ("sigmoid", 0): "what came from above × {out} × (1 − {out})",
    ("log", 0): "what came from above / {x}",
    ("sin", 0): "what came from above × cos({x})",
    ("pow", 0): "what came from above × n × {x}ⁿ⁻¹",
    ("getitem", 0): "put back where it was taken from, zeros elsewhere",
    ("amax", 0): "to where the maximum was, shared by ties; 0 elsewhere",
    ("amin", 0): "to where the minimum was, shared by ties; 0 elsewhere",
    ("logsumexp", 0): "what came from above × softmax of {x}",
    ("mse_loss", 0): "2 × ({x} − {y}), shared out",
    ("setitem", 0): "what came from above, with zeros where something else was put in",
    ("setitem", 1): "what came from above, at the place where it was put in",
    ("softmax", 0): "(what came from above − its sum weighted with {out}) × {out}",
    ("log_softmax", 0): "what came from above − its sum over the row × softmax",
    ("mul", 0): "what came from above × {y}",
    ("mul", 1): "what came from above × {x}",
    ("add", 0): "passed through unchanged",
    ("add", 1): "passed through unchanged",
    ("sub", 0): "passed through unchanged",
    ("sub", 1): "with its sign turned",
    ("neg", 0): "with its sign turned",
    ("relu", 0): "passed on where {out} > 0, and 0 elsewhere",
    ("exp", 0): "what came from above × {out}",
    ("sum", 0): "the same number for every entry that was summed",
    ("mean", 0): "the same share for every entry",
    ("cross_entropy", 0): "softmax − target, averaged over the rows",
    ("reshape", 0): "the same numbers in the old shape",
    ("permute", 0): "the same numbers, axes put back",
    ("clone", 0): "the same numbers",
    ("contiguous", 0): "the same numbers, laid out as before",
    ("window", 0): "the gradients of all windows, each added where its window was taken from",
    ("fold", 0): "for every window the part of what came from above at its place",
    ("standardize", 0): "what came from above without its mean and its part along {out}, / the spread of {x}",
    ("pad", 0): "what came from above, without the border that was added",
    ("cumsum", 0): "for every entry the sum of what came from above from there on",
    ("tril", 0): "what came from above below the diagonal, and 0 elsewhere",
    ("triu", 0): "what came from above over the diagonal, and 0 elsewhere",
}


class Pull(NamedTuple):
    """One partial adjoint, told: `how` for the edge ("1 × 3"), `because` for the sentence, `why` for a wrong guess."""

    how: str
    because: str
    why: str


def pull_of(model: Model, op: ev.Op, i: int, above: Value, sent: Value) -> Pull:
    """How `op` makes the partial adjoint `sent` of its input `i` from the gradient `above`."""
    kept = {s.name: atom(model.name(s.tensor)) if s.tensor is not None else str(s.fact) for s in model.kept(op)}
    held = {s.name: model.value(s.tensor).scalar for s in model.kept(op) if s.tensor is not None}
    if compiled(op.op):
        return Pull(said(sent), "so says its backward kernel.", "It is what that kernel returns for this input.")
    if any(s.name == "ctx" for s in model.kept(op)):
        return Pull(said(sent), "so says your own backward.", "It is what your backward returns for this input.")
    if op.op not in OPS:
        return own_rule(above.scalar, sent)
    if above.scalar is not None and sent.scalar is not None:
        factor = held.get(SAVED.get((op.op, i), ""))
        return scalar(op.op, i, kept, factor, above.scalar, sent.scalar)
    return whole(op.op, i, kept, above, sent)


def own_rule(g: float | None, sent: Value) -> Pull:
    """A rule of the reader's own: what it sends, seen as a factor of what came from above."""
    why = "It is what your own rule returns for this input."
    if not g or sent.scalar is None:
        return Pull(said(sent), "so says your own rule.", why)
    factor = bracketed(number(sent.scalar / g))
    return Pull(f"{number(g)} × {factor}", f"{number(g)} (from above) × {factor}, says your own rule.", why)


def scalar(op: str, i: int, kept: dict[str, str], saved: float | None, g: float, sent: float) -> Pull:
    """A number sent on: g (from above) × the derivative. `kept` names what was saved, `saved` is it if it is that."""
    kept_is_it = saved is not None and abs(g * saved - sent) <= 1e-3 * abs(sent)  # not where `.data` has overwritten it
    factor = saved if kept_is_it else sent / g if g else saved
    if factor is None:
        return Pull(f"{number(g)} × …", "0 (from above) times any derivative.", "Zero from above stays zero.")
    how = f"{number(g)} × {bracketed(number(factor))}"
    product = f"{number(g)} (from above) × {bracketed(number(factor))}"
    if (op, i) in THROUGH:
        return Pull(how, f"{product}. {THROUGH[op, i]}", _why_through(op, g, sent))
    phrase = (
        f"the saved {{{SAVED[op, i]}}}" if (op, i) in SAVED else DERIVATIVE.get((op, i), f"the derivative of {op} here")
    )
    named = phrase.format_map(_Names(kept))
    return Pull(how, f"{product} ({named}).", _why_scalar(op, i, kept, named, factor, g))


def slope(op: str, i: int, names: list[str]) -> str:
    """The derivative of `op` by its input `i`, in words; "" where there are none. `names` are those of its inputs.

    Example:
        >>> slope("sin", 0, ["v"]), slope("mul", 0, ["a", "b"]), slope("erf", 0, ["v"])
        ('cos of v', 'b', '')
    """
    phrase = f"{{{SAVED[op, i]}}}" if (op, i) in SAVED else DERIVATIVE.get((op, i), "")
    return phrase.replace("the saved ", "").format_map(_Names(zip("xyz", names, strict=False)))


def sentence(op: str, name: str, value: Value, pull: Pull) -> tuple[str, str, str]:
    """The sentence of a send in three parts, of which the second is the value.

    Example:
        >>> sentence("exp", "v1", Value((), "float32", 2.0, 2.0, 2.0, (2.0,)), Pull("", "1 (from above) × 2.", ""))
        ('`exp` sends ', '2', ' to `v1`: 1 (from above) × 2.')
    """
    if small(value):
        return f"`{op}` sends ", said(value), f" to `{name}`: {pull.because}"
    if several(value):
        return f"`{op}` sends ", "what came from above", f" to `{name}`: {pull.because}"
    span = f"{value.shape}, between {number(value.low)} and {number(value.high)}"
    return f"`{op}` sends `{name}` a gradient of shape ", span, f": {pull.because}"


def dropping(model: Model, op: ev.Op) -> str:
    """What becomes of the pins of `op` when its node has run."""
    count = len(model.tensors_kept(op))
    return "" if count == 0 else " Its pin drops." if count == 1 else " Its pins drop."


def whole(op: str, i: int, kept: dict[str, str], above: Value, sent: Value) -> Pull:
    """A tensor sent on."""
    default = (
        "its own part of what came from above" if op == "cat" else f"what came from above, through the rule of {op}"
    )
    told = WHOLE.get((op, i), default).format_map(_Names(kept))
    if sent.shape != above.shape and op in ("add", "sub", "mul", "div"):
        told += ", summed over the axes along which it was stretched"
    return Pull(said(sent), told + ".", f"It is {told}.")


class _Names(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return {"x": "input", "y": "second input", "out": "result"}.get(key, key)


def bracketed(text: str) -> str:
    """A negative number as it stands behind an operator: (−3)."""
    return f"({text})" if text.startswith("−") else text


def _why_through(op: str, g: float, sent: float) -> str:
    if sent == g:
        what = "a sum by each of its terms" if op == "add" else f"{op} by its first input"
        return f"The derivative of {what} is 1, so {number(g)} goes through unchanged."
    return f"The derivative is −1, so {number(g)} arrives with its sign turned."


def _why_scalar(op: str, i: int, kept: dict[str, str], named: str, factor: float, g: float) -> str:
    if op == "mul":
        other = _Names(kept)["xy"[1 - i]]
        return (
            f"The derivative of a product by one input is the other input, {other}, not the input itself. "
            f"It was saved: {number(factor)}. Times the {number(g)} from above."
        )
    return (
        f"The derivative of {op} here is {number(factor)} ({named}). "
        f"Times the {number(g)} from above: the chain rule multiplies."
    )
