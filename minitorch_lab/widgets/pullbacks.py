"""In words, how a node makes the partial adjoint for one input: the gradient from above times a derivative."""

from __future__ import annotations

import re
from collections.abc import Sequence
from string import Formatter
from typing import NamedTuple

from ..ops.op import OPS
from ..recording import events as ev
from ..recording.values import Value
from .formulas import compiled, prose, reason
from .model import Model, atom, edge_id, pin_id
from .numbers import describe_numbers, number, several, short, small, spread
from .story import Json

SAVED = re.compile(r"the saved \{(\w+)\}")  # a derivative that is what was saved


class Pull(NamedTuple):
    """One partial adjoint, told: `how` for the edge ("1 × 3"), `because` for the sentence, `why` for a wrong guess.

    `above` and `times` are its factors, the second where it is one number; `by` are the pins of what was saved for it.
    """

    how: str
    because: str
    why: str
    times: str | None = None
    above: str = ""
    by: Sequence[str] = ()

    def event(self, op: ev.Op, i: int, value: Value) -> Json:
        """It travels back along the edge of input `i`."""
        sent: Json = {"type": "send", "edge": edge_id(op, i), "value": short(value), "how": self.how}
        factors = {"above": self.above, "times": self.times, "by": list(self.by)}
        return sent | {name: factor for name, factor in factors.items() if factor}


def pull_of(model: Model, op: ev.Op, i: int, above: Value, sent: Value) -> Pull:
    """How `op` makes the partial adjoint `sent` of its input `i` from the gradient `above`."""
    by = read_by(model, op, i, above.scalar is not None and sent.scalar is not None)
    return _told(model, op, i, above, sent)._replace(above=short(above), by=by)


def read_by(model: Model, op: ev.Op, i: int, numbers: bool) -> list[str]:
    """The pins of what the rule for input `i` reads, as far as its words name it; all of them where there are none."""
    told = prose(op.op).slope(i) if numbers else prose(op.op).whole(i)
    named = {field for _, field, _, _ in Formatter().parse(told)}
    silent = not told and not prose(op.op).passing(i)
    pins = [pin_id(op, str(s.tensor)) for s in model.tensors_kept(op) if silent or s.name in named]
    return list(dict.fromkeys(pins))


def _told(model: Model, op: ev.Op, i: int, above: Value, sent: Value) -> Pull:
    kept = {s.name: atom(model.name(s.tensor)) if s.tensor is not None else str(s.fact) for s in model.kept(op)}
    held = {s.name: model.value(s.tensor).scalar for s in model.kept(op) if s.tensor is not None}
    if compiled(op.op):
        return Pull(
            describe_numbers(sent), "so says its backward kernel.", "It is what that kernel returns for this input."
        )
    if any(s.name == "ctx" for s in model.kept(op)):
        return Pull(
            describe_numbers(sent), "so says your own backward.", "It is what your backward returns for this input."
        )
    if op.op not in OPS:
        return own_rule(above.scalar, sent)
    if above.scalar is not None and sent.scalar is not None:
        saved = SAVED.fullmatch(prose(op.op).slope(i))
        factor = held.get(saved[1]) if saved else None
        return scalar(op.op, i, kept, factor, above.scalar, sent.scalar)
    return whole(op.op, i, kept, above, sent)


def own_rule(g: float | None, sent: Value) -> Pull:
    """A rule of the reader's own: what it sends, seen as a factor of what came from above."""
    why = "It is what your own rule returns for this input."
    if not g or sent.scalar is None:
        return Pull(describe_numbers(sent), "so says your own rule.", why)
    factor = bracketed(number(sent.scalar / g))
    return Pull(f"{number(g)} × {factor}", f"{number(g)} (from above) × {factor}, says your own rule.", why, factor)


def scalar(op: str, i: int, kept: dict[str, str], saved: float | None, g: float, sent: float) -> Pull:
    """A number sent on: g (from above) × the derivative. `kept` names what was saved, `saved` is it if it is that."""
    kept_is_it = saved is not None and abs(g * saved - sent) <= 1e-3 * abs(sent)  # not where `.data` has overwritten it
    factor = saved if kept_is_it else sent / g if g else saved
    if factor is None:
        return Pull(f"{number(g)} × …", "0 (from above) times any derivative.", "Zero from above stays zero.")
    times = bracketed(number(factor))
    how, product = f"{number(g)} × {times}", f"{number(g)} (from above) × {times}"
    if through := prose(op).passing(i):
        return Pull(how, f"{product}. {through}", _why_through(op, g, sent), times)
    phrase = prose(op).slope(i) or f"the derivative of {op} here"
    named = phrase.format_map(_Names(kept))
    return Pull(how, f"{product} ({named}).", _why_scalar(op, i, kept, named, factor, g), times)


def slope(op: str, i: int, names: list[str]) -> str:
    """The derivative of `op` by its input `i`, in words; "" where there are none. `names` are those of its inputs.

    Example:
        >>> slope("sin", 0, ["v"]), slope("mul", 0, ["a", "b"]), slope("erf", 0, ["v"])
        ('cos of v', 'b', '')
    """
    return prose(op).slope(i).replace("the saved ", "").format_map(_Names(zip("xyz", names, strict=False)))


def sentence(op: str, name: str, value: Value, pull: Pull) -> tuple[str, str, str]:
    """The sentence of a send in three parts, of which the second is the value.

    Example:
        >>> sentence("exp", "v1", Value((), "float32", 2.0, 2.0, 2.0, (2.0,)), Pull("", "1 (from above) × 2.", ""))
        ('`exp` sends ', '2', ' to `v1`: 1 (from above) × 2.')
    """
    if small(value):
        return f"`{op}` sends ", describe_numbers(value), f" to `{name}`: {pull.because}"
    if several(value):
        return f"`{op}` sends ", "what came from above", f" to `{name}`: {pull.because}"
    return f"`{op}` sends `{name}` a gradient of shape ", f"{value.shape}, {spread(value)}", f": {pull.because}"


def dropping(model: Model, op: ev.Op) -> str:
    """What becomes of the pins of `op` when its node has run."""
    count = len(model.tensors_kept(op))
    return "" if count == 0 else " Its pin drops." if count == 1 else " Its pins drop."


def whole(op: str, i: int, kept: dict[str, str], above: Value, sent: Value) -> Pull:
    """A tensor sent on."""
    told = (prose(op).whole(i) or by_its_derivative(op, i)).format_map(_Names(kept))
    if sent.shape != above.shape and op in OPS and OPS[op].entrywise:
        told += ", summed over the axes along which it was stretched"
    return Pull(describe_numbers(sent), told + ".", f"It is {told}.")


def by_its_derivative(op: str, i: int) -> str:
    """What input `i` gets of a tensor from above, where the record of `op` has no words of its own for that.

    Example:
        >>> by_its_derivative("sin", 0), by_its_derivative("tan", 0)
        ('what came from above × (cos of {x})', 'what came from above × the derivative of tan, entry by entry')
        >>> by_its_derivative("flip", 0), by_its_derivative("maximum", 1)
        ('the same numbers, put back in their places', 'what came from above; the gradient goes to the larger one')
    """
    record = OPS[op]
    if told := prose(op).slope(i):
        return f"what came from above × ({told.replace('the saved ', '')})"
    if op == "cat":
        return "its own part of what came from above"
    if record.moves:
        return "the same numbers, put back in their places"
    rule = record.vjp[min(i, len(record.vjp) - 1)]
    if rule is not None and (why := reason(op, frozenset(rule.wants))):
        return f"what came from above; {why}"
    return f"what came from above × the derivative of {op}" + ", entry by entry" * record.entrywise


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
