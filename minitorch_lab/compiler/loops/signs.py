"""What the form of an expression says about its sign: so that exp needs no upper bound in exp(-a²), and in softmax."""

from __future__ import annotations

from collections.abc import Mapping

from ...ops.word import WORDS
from ..ir.sizes import UNKNOWN
from .expr import Expr


def never_positive(e: Expr, largest: Mapping[str, Expr]) -> bool:
    """Whether an expression is 0 or below, or NaN, whatever is in memory.

    It is one from which the largest of its row is taken, or a product: there every factor of unknown sign must be in it
    an even number of times.

    Args:
        e: The expression.
        largest: For each result of a reduction that is the largest of some values, their expression.

    Example:
        >>> from .affine import Affine
        >>> from .expr import Exprs
        >>> make = Exprs().make
        >>> x, top = make("load", "f32", attr=("x", Affine(()))), make("var", "f32", attr="r0")
        >>> minus = make("neg", "f32", (x,))
        >>> never_positive(make("mul", "f32", (minus, x)), {}), never_positive(minus, {})
        (True, False)
        >>> never_positive(make("sub", "f32", (x, top)), {"r0": x})
        True
    """
    if e.op == "sub" and e.args[1].op == "var":
        return largest.get(e.args[1].attr) is e.args[0]
    minus, odd, stack = False, set[Expr](), [e]
    while stack:
        x = stack.pop()
        if x.op == "const" and type(x.attr) in UNKNOWN:
            odd ^= {x}
        elif x.op == "mul" or (x.op == "div" and x.args[1].op == "const" and x.args[1].attr != 0):
            stack += x.args
        elif x.op == "neg":
            minus = not minus
            stack.append(x.args[0])
        elif x.op == "const":
            minus ^= x.attr < 0
        elif x.op not in WORDS or not WORDS[x.op].positive:
            odd ^= {x}
    return minus and not odd
