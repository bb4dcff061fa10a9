"""How each op is written down, and in words what it keeps for its rule and why. Other ops are told generically."""

from __future__ import annotations

from ..ops.op import OPS
from ..ops.prose import PLAIN, Prose
from .numbers import listed

POWERS = dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))

Wants = frozenset[str]

NOUNS = {
    "ctx": "what your forward saved",
    "x": "its input",
    "y": "its second input",
    "z": "its third input",
    "out": "its own result",
    "*": "its index",
}


def prose(op: str) -> Prose:
    """What the record of an op says in words; of the reader's own functions there is no record."""
    return OPS[op].prose if op in OPS else PLAIN


def reason(op: str, kept: Wants) -> str:
    """Why `op` keeps what it keeps, if its record says so."""
    return prose(op).why.get(" ".join(sorted(kept)), "")


def formula(op: str, operands: list[str]) -> str:
    """`op` applied to operands, as one writes it: 2 × 3, exp(0.6931).

    Example:
        >>> formula("mul", ["2", "−3"]), formula("exp", ["0.6931"]), formula("pow", ["2", "3"])
        ('2 × (−3)', 'exp(0.6931)', '2³')
    """
    if op == "pow" and len(operands) == 2 and operands[1] in POWERS:
        return f"{_bracketed(operands[0])}{POWERS[operands[1]]}"
    template = prose(op).form
    if not template or template.count("{") != len(operands):
        return f"{op}({', '.join(operands)})"
    first, *rest = operands
    return template.format(_bracketed(first) if op in ("neg", "pow") else first, *map(_bracketed, rest))


def _bracketed(text: str) -> str:
    return f"({text})" if text.startswith("−") else text


def keeps(op: str, wants: list[str], labels: dict[str, str]) -> str:
    """What `op` keeps and why, as the end of a sentence.

    `wants` are the parameter names of its rules, `labels` the names of the tensors among them.

    Example:
        >>> keeps("exp", ["out"], {"out": "v2"})
        'keeps its own result: the derivative of exp is exp'
        >>> keeps("mul", ["x", "y"], {"x": "v2", "y": "v3"})
        "keeps both inputs: each is the other's derivative"
    """
    held = frozenset(want for want in wants if want in NOUNS)
    kept = held or frozenset(wants)
    why = "its backward kernel asks for it" if compiled(op) and kept else reason(op, kept) or _generic(kept)
    if op == "mul" and labels.get("x") == labels.get("y"):
        return f"keeps {labels['x']}: each of the two factors is the derivative by the other"
    return f"keeps {_what(op, kept, labels)}: {why}"


def _what(op: str, kept: Wants, labels: dict[str, str]) -> str:
    held = [name for name in ("x", "y", "z", "out", "*", "ctx") if name in kept]
    if not held:
        return f"no numbers, only {listed([_fact(name) for name in sorted(kept)])}" if kept else "nothing"
    own = prose(op).nouns
    if held == ["x", "y"] and "y" not in own:
        return "both inputs"
    if len(held) == 1 and held[0] in ("x", "y") and prose(op).form and op != "neg":
        return labels.get(held[0], NOUNS[held[0]])
    nouns = NOUNS | {"ctx": "what its forward kernel hands on"} if compiled(op) else NOUNS
    return listed([own.get(name, nouns[name]) for name in held])


def compiled(op: str) -> bool:
    """Whether this is a compiled region: one node, whose rule is a kernel."""
    return op.startswith("Compiled_")


def _fact(name: str) -> str:
    """x_shape, y_dtype, shapes in words."""
    whose, _, what = name.partition("_")
    return f"the {what} of {NOUNS[whose]}" if whose in NOUNS else f"the {name} of its inputs"


def _generic(kept: Wants) -> str:
    if "ctx" in kept:
        return "your backward asks for it"
    if not kept:
        return "its rule needs only the gradient from above"
    if not kept & NOUNS.keys():
        return "the gradient only has to get its old form back"
    return (
        "its derivative is written with the result"
        if "out" in kept and len(kept) == 1
        else "its derivative depends on them"
        if len(kept) > 1
        else "its derivative depends on it"
    )
