"""Algebra: `x * 1` is x, `a + -b` is `a - b`, two reshapes are one.

Only what holds for every number: `x + 0` stays, for -0.0 + 0 is 0.0, and `x * 0` stays, for NaN * 0 is NaN. Bits stay
as they are, but for `x ** 2`, where x * x may differ from the library's power in the last digit.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign
from typing import Any

from ...core.array import is_float, is_number
from ...ops.broadcast import expand_op
from ...ops.elementwise import add, div, mul, neg, sub
from ...ops.kinks import abs as size_of
from ...ops.movement import permute_op, reshape_op
from ..ir.fake import in_row_order
from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally
from ..ir.sizes import alike, sizes_in

EXACT = {"float16": ("float32", "float64"), "bfloat16": ("float32", "float64"), "float32": ("float64",)}


def simplify(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph with fewer or cheaper ops for the same numbers.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda x, y: ((x * 1 - -y).T.T ** 2).T, ml.ones(2, 3), ml.ones(2, 3)).graph
        >>> from .dce import dce
        >>> dce(simplify(graph))
        graph(x: f32[2, 3], y: f32[2, 3]):
            add: f32[2, 3] = add(x, y)
            mul_1: f32[2, 3] = mul(add, add)
            permute_2: f32[3, 2] = permute(mul_1, axes=(1, 0))
            return permute_2
    """
    return Simpler(graph, tally).rewritten()


class Simpler(Rewriter):
    """Tries the rules of an op in turn."""

    made_by = "simplify"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The first rule that holds. A tensor is never a number of Python's: that has no dtype of its own."""
        assert node.op is not None
        for name, rule in RULES.get(node.op.name, {}).items():
            found = rule(self, *inputs, **node.params)
            if found is not None and not (isinstance(found, Node) and found.facts.number):
                return name, found
        return None


# ---- arithmetic: each rule takes the rewriter and the inputs of the op ----------------------------------------------


def value(x: Any) -> Any:
    """The number that `x` is everywhere; None if it is no such thing."""
    if isinstance(x, Node):
        x = x.params["value"] if x.op is not None and x.op.name == "full" else None
    return x if is_number(x) and not sizes_in(x) else None


def by_one(r: Rewriter, x: Any, y: Any) -> Any:
    """x * 1, 1 * x."""
    return x if value(y) == 1 else y if value(x) == 1 else None


def by_minus_one(r: Rewriter, x: Any, y: Any) -> Any:
    """x * -1, -1 * x."""
    return r.emit(neg, x) if value(y) == -1 else r.emit(neg, y) if value(x) == -1 else None


def signs(op: Any) -> Callable[..., Any]:
    """(-x) * (-y) and (-x) / (-y): the signs cancel."""
    return lambda r, x, y: r.emit(op, x.inputs[0], y.inputs[0]) if r.made(x, "neg") and r.made(y, "neg") else None


def over_one(r: Rewriter, x: Any, y: Any) -> Any:
    """x / 1."""
    return x if value(y) == 1 else None


def plus_nothing(r: Rewriter, x: Any, y: Any) -> Any:
    """x + -0.0; of whole numbers x + 0."""
    return x if nothing(x, y, -1.0) else y if nothing(y, x, -1.0) else None


def minus_nothing(r: Rewriter, x: Any, y: Any) -> Any:
    """x - 0."""
    return x if nothing(x, y, 1.0) else None


def nothing(x: Any, y: Any, sign: float) -> bool:
    """Whether `y` is the zero, of this sign if `x` holds floats, that changes nothing."""
    return value(y) == 0 and isinstance(x, Node) and (not is_float(x.dtype) or copysign(1.0, value(y)) == sign)


def plus_minus(r: Rewriter, x: Any, y: Any) -> Any:
    """x + -y and -x + y."""
    if r.made(y, "neg"):
        return r.emit(sub, x, y.inputs[0])
    return r.emit(sub, y, x.inputs[0]) if r.made(x, "neg") else None


def minus_minus(r: Rewriter, x: Any, y: Any) -> Any:
    """x - -y."""
    return r.emit(add, x, y.inputs[0]) if r.made(y, "neg") else None


def to_the_one(r: Rewriter, x: Any, y: Any) -> Any:
    """x ** 1."""
    return x if is_number(y) and value(y) == 1 else None


def to_the_two(r: Rewriter, x: Any, y: Any) -> Any:
    """x ** 2."""
    return r.emit(mul, x, x) if is_number(y) and value(y) == 2 else None


def twice(name: str) -> Callable[..., Any]:
    """The second of two ops that undo each other."""
    return lambda r, x: x.inputs[0] if r.made(x, name) else None


def again(name: str) -> Callable[..., Any]:
    """The second of two ops of which one does."""
    return lambda r, x: x if r.made(x, name) else None


def size_of_minus(r: Rewriter, x: Any) -> Any:
    """|-x|."""
    return r.emit(size_of, x.inputs[0]) if r.made(x, "neg") else None


def same_choice(r: Rewriter, c: Any, x: Any, y: Any) -> Any:
    """Where both are one value."""
    return x if x is y and isinstance(x, Node) else None


def same_operands(r: Rewriter, x: Any, y: Any) -> Any:
    """The larger, or smaller, of x and x."""
    return x if x is y and isinstance(x, Node) else None


# ---- movement -------------------------------------------------------------------------------------------------------


def same_dtype(r: Rewriter, x: Any, *, dtype: Any) -> Any:
    """A cast to the dtype that it has."""
    return x if x.dtype == dtype else None


def there_and_back(r: Rewriter, x: Any, *, dtype: Any) -> Any:
    """A cast to a wider dtype and back."""
    if not r.made(x, "cast"):
        return None
    first = x.inputs[0]
    return first if first.dtype == dtype and x.dtype.name in EXACT.get(dtype.name, ()) else None


def same_device(r: Rewriter, x: Any, *, device: str) -> Any:
    """A transfer to where it is."""
    return x if x.device == device else None


def same_shape(r: Rewriter, x: Any, *, shape: Any) -> Any:
    """A reshape, or a stretch, to the shape that it has."""
    return x if alike(x.shape, shape) else None


def of_the_same(name: str, op: Any) -> Callable[..., Any]:
    """The second of two reshapes, or stretches."""

    def rule(r: Rewriter, x: Any, *, shape: Any) -> Any:
        if not r.made(x, name):
            return None
        source = x.inputs[0]
        return source if alike(source.shape, shape) else r.emit(op, source, shape=shape)

    return rule


def in_place_already(r: Rewriter, x: Any, *, axes: Any) -> Any:
    """A permutation that moves nothing."""
    return x if tuple(axes) == tuple(range(len(axes))) else None


def composed(r: Rewriter, x: Any, *, axes: Any) -> Any:
    """A permutation of a permutation."""
    if not r.made(x, "permute"):
        return None
    both = tuple(x.params["axes"][a] for a in axes)
    source = x.inputs[0]
    return source if both == tuple(range(len(both))) else r.emit(permute_op, source, axes=both)


def in_order_already(r: Rewriter, x: Any) -> Any:
    """A copy, into row order, of what lies in it."""
    return x if in_row_order(x) else None


def whole(r: Rewriter, x: Any, *arrays: Any, index: Any) -> Any:
    """All of it."""
    return x if all(part is ... or part == slice(None) for part in index) and not arrays else None


def one_piece(r: Rewriter, *parts: Any, axis: int) -> Any:
    """One piece, joined with nothing."""
    return parts[0] if len(parts) == 1 else None


def no_frame(r: Rewriter, x: Any, *, widths: Any, value: float) -> Any:
    """A frame of no width."""
    return x if not any(a or b for a, b in widths) else None


RULES: dict[str, dict[str, Callable[..., Any]]] = {
    "mul": {"x * 1": by_one, "x * -1": by_minus_one, "-x * -y": signs(mul)},
    "div": {"x / 1": over_one, "-x / -y": signs(div)},
    "add": {"x + -0.0": plus_nothing, "x + -y": plus_minus},
    "sub": {"x - 0": minus_nothing, "x - -y": minus_minus},
    "neg": {"--x": twice("neg")},
    "abs": {"||x||": again("abs"), "|-x|": size_of_minus},
    "relu": {"relu of relu": again("relu")},
    "pow": {"x ** 1": to_the_one, "x ** 2": to_the_two},
    "where": {"where of one value": same_choice},
    "maximum": {"maximum of x and x": same_operands},
    "minimum": {"minimum of x and x": same_operands},
    "cast": {"cast to the same dtype": same_dtype, "cast there and back": there_and_back},
    "transfer": {"transfer to the same device": same_device},
    "reshape": {"reshape to the same shape": same_shape, "reshape of reshape": of_the_same("reshape", reshape_op)},
    "expand": {"expand to the same shape": same_shape, "expand of expand": of_the_same("expand", expand_op)},
    "permute": {"identity permute": in_place_already, "permute of permute": composed},
    "detach": {"detach of detach": again("detach")},
    "clone": {"copy": in_order_already},
    "contiguous": {"copy in row order": in_order_already},
    "getitem": {"all of x": whole},
    "cat": {"cat of one": one_piece},
    "pad": {"pad by nothing": no_frame},
}
