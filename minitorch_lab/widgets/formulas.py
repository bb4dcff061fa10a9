"""How each op is written down, and in words what it keeps for its rule and why. Other ops are told generically."""

from __future__ import annotations

from .numbers import listed

INFIX = {
    "add": "{0} + {1}",
    "sub": "{0} − {1}",
    "mul": "{0} × {1}",
    "div": "{0} / {1}",
    "pow": "{0} ** {1}",
    "matmul": "{0} @ {1}",
    "neg": "−{0}",
    "linear": "{0} @ {1}ᵀ + {2}",
    "setitem": "{0} with {1} put in",
}

POWERS = dict(zip("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹", strict=True))

Wants = frozenset[str]


def _set(*names: str) -> Wants:
    return frozenset(names)


MOVES = "numbers only change places, and the gradient goes back the same way"
SUMS = "every number that was summed gets the same gradient"
LARGER = "the gradient goes to the larger one"

WHY: dict[tuple[str, Wants], str] = {
    ("add", _set()): "its derivative is 1, whatever came in",
    ("sub", _set()): "its derivatives are 1 and −1, whatever came in",
    ("neg", _set()): "its derivative is −1, whatever came in",
    ("mul", _set("x", "y")): "each is the other's derivative",
    ("mul", _set("x")): "it is the derivative by the other input",
    ("mul", _set("y")): "it is the derivative by the other input",
    ("div", _set("y")): "the derivative by the numerator is 1 / the denominator",
    ("div", _set("x", "y")): "the derivative by the denominator is −numerator / denominator²",
    ("exp", _set("out")): "the derivative of exp is exp",
    ("log", _set("x")): "the derivative of log is 1 / input",
    ("log1p", _set("x")): "the derivative is 1 / (1 + input)",
    ("expm1", _set("out")): "the derivative is result + 1",
    ("sqrt", _set("out")): "the derivative is 1 / (2 × result)",
    ("sin", _set("x")): "the derivative of sin is cos of the same input",
    ("cos", _set("x")): "the derivative of cos is −sin of the same input",
    ("tanh", _set("out")): "the derivative is 1 − result²",
    ("sigmoid", _set("out")): "the derivative is result × (1 − result)",
    ("relu", _set("out")): "where the result is 0, no gradient passes",
    ("abs", _set("x")): "the derivative is the sign of the input",
    ("pow", _set("x", "y")): "the derivative of xⁿ is n × xⁿ⁻¹",
    ("pow", _set("x", "y", "out")): "the derivatives are n × xⁿ⁻¹ and xⁿ × log x",
    ("matmul", _set("x", "y")): "each, transposed, is the other's derivative",
    ("matmul", _set("x")): "its transpose makes the gradient of the other input",
    ("matmul", _set("y")): "its transpose makes the gradient of the other input",
    ("linear", _set("x", "y")): "each makes the gradient of the other",
    ("linear", _set("x")): "the gradient of the weight is made with it",
    ("linear", _set("y")): "the gradient of the input is made with it",
    ("sum", _set("x_shape")): SUMS,
    ("mean", _set("x_shape")): "every number gets the same share of the gradient",
    ("maximum", _set("x", "y")): LARGER,
    ("amax", _set("x", "out")): "the gradient goes to where the maximum was",
    ("amin", _set("x", "out")): "the gradient goes to where the minimum was",
    ("minimum", _set("x", "y")): "the gradient goes to the smaller one",
    ("clamp", _set("x")): "where it was outside the bounds, no gradient passes",
    ("where", _set("x")): "the gradient goes to the branch that was chosen",
    ("softplus", _set("x")): "the derivative is sigmoid of the same input",
    ("gelu", _set("x")): "the derivative is Φ(x) + x φ(x)",
    ("logsumexp", _set("x", "out")): "the derivative is exp(input − result): softmax",
    ("mse_loss", _set("x", "y")): "its gradient is 2 × (input − target), shared out",
    ("var", _set("x")): "its gradient is 2 × (input − mean), shared out",
    ("expand", _set("x_shape")): "what was repeated is summed on the way back",
    ("getitem", _set("*")): "the gradient goes back to where it was taken from",
    ("gather", _set("*")): "the gradient goes back to where it was taken from",
    ("cat", _set("shapes")): "each input gets its part of the gradient",
    ("log_softmax", _set("out")): "its derivative is written with exp(result)",
    ("softmax", _set("out")): "its derivative is written with the result",
    ("cross_entropy", _set("x", "*")): "its gradient is softmax(scores) − targets",
    ("window", _set("x_shape")): "each window's gradient is added where the window was taken from",
    ("fold", _set()): "every window gets the gradient of its place",
    ("standardize", _set("x", "out")): "the spread is computed again from the input, the direction is the result",
    ("pad", _set("x_shape")): "what was added around it gets no gradient",
    ("reshape", _set("x_shape")): "the same numbers go back in the old shape",
    ("cumsum", _set()): "each entry gets the gradients of all sums that it is in",
    ("tril", _set()): "what was cut away gets no gradient",
    ("triu", _set()): "what was cut away gets no gradient",
    ("scatter", _set("*")): "the gradient is read where the values were put",
    ("scatter_add", _set("*")): "the gradient is read where the values were added",
    ("additem", _set("*")): "the gradient is read where the values were added",
    ("erf", _set("x")): "the derivative is 2/√π × exp(−x²)",
    ("cast", _set("x_dtype")): "the gradient only has to get its old dtype back",
    **{(op, _set()): MOVES for op in ("permute", "flip", "clone", "contiguous")},
}

SPECIAL = {
    ("linear", "y"): "its weight",
    ("pow", "y"): "the exponent",
    ("cross_entropy", "x"): "the scores",
    ("cross_entropy", "*"): "the targets",
}
NOUNS = {
    "ctx": "what your forward saved",
    "x": "its input",
    "y": "its second input",
    "z": "its third input",
    "out": "its own result",
    "*": "its index",
}


def formula(op: str, operands: list[str]) -> str:
    """`op` applied to operands, as one writes it: 2 × 3, exp(0.6931).

    Example:
        >>> formula("mul", ["2", "−3"]), formula("exp", ["0.6931"]), formula("pow", ["2", "3"])
        ('2 × (−3)', 'exp(0.6931)', '2³')
    """
    if op == "pow" and len(operands) == 2 and operands[1] in POWERS:
        return f"{_bracketed(operands[0])}{POWERS[operands[1]]}"
    template = INFIX.get(op)
    if template is None or template.count("{") != len(operands):
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
    why = "its backward kernel asks for it" if compiled(op) and kept else WHY.get((op, kept)) or _generic(kept)
    if op == "mul" and labels.get("x") == labels.get("y"):
        return f"keeps {labels['x']}: each of the two factors is the derivative by the other"
    return f"keeps {_what(op, kept, labels)}: {why}"


def _what(op: str, kept: Wants, labels: dict[str, str]) -> str:
    held = [name for name in ("x", "y", "z", "out", "*", "ctx") if name in kept]
    if not held:
        return f"no numbers, only {listed([_fact(name) for name in sorted(kept)])}" if kept else "nothing"
    if held == ["x", "y"] and (op, "y") not in SPECIAL:
        return "both inputs"
    if len(held) == 1 and held[0] in ("x", "y") and op in INFIX and op != "neg":
        return labels.get(held[0], NOUNS[held[0]])
    nouns = NOUNS | {"ctx": "what its forward kernel hands on"} if compiled(op) else NOUNS
    return listed([SPECIAL.get((op, name), nouns[name]) for name in held])


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
