"""The short path: while the plain imperative tape is in force, an operator on plain tensors is one Python call.

It does what `Eager.run` does, without the general case: no views, no dtypes to be reconciled, no parameters. A few
identity checks send everything else there. It is the path that is timed against other frameworks, which is why it
exists.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import ops
from ..array import DType, float32, float64, is_number
from ..interpret import grad_mode, stack
from ..ops.misfit import plain
from ..ops.op import Op
from ..tensor import Tensor, named
from .calls import explained
from .eager import Eager
from .node import NOTHING, Node, next_order
from .tape import save

EAGER = Eager()
stack.start(EAGER)
top, grad_on = stack.get, grad_mode.get
new_tensor, new_node = Tensor.__new__, Node.__new__


def settled(p: DType, q: DType) -> bool:
    """Whether operands of these dtypes have nothing to be reconciled. It is asked where one of them is not float32."""
    return p is float64 and q is float64


def short_unary(op: Op) -> Callable[[Tensor], Tensor]:
    """`x.<op>()`."""
    impl, keeps, flat, of_out = op.impl, op.keeps[1], op.vjp[0] is None, op.keeps[1] == ("out",)

    def method(x: Tensor) -> Tensor:
        if type(x) is not Tensor or top() is not EAGER:
            return top().run(op, (x,), {})
        value = x.value
        if value.dtype is not float32 and not settled(value.dtype, value.dtype):
            return EAGER.run(op, (x,), {})
        out = new_tensor(Tensor)
        try:
            out.value = value = impl(value)
        except Exception as error:
            raise explained(op, (x,), {}, error) from None
        out.storage, edge = None, x.node
        if edge is None or flat or not grad_on():
            out.node = None
            return out
        out.node = node = new_node(Node)
        node.op, node.edges, node.params, node.hooks = op, (edge,), NOTHING, None
        node.shape, node.order = value.shape, next_order()
        if of_out:
            node.saved = {"out": save(out, None)}
        else:
            node.saved = {k: saved_as(k, x, None, out) for k in keeps} if keeps else NOTHING
        return out

    return named(method, op.name, f"`ml.{op.name}`, as a method.")


def short_binary(op: Op, name: str) -> Callable[[Tensor, Any], Tensor]:
    """`x <operator> y`."""
    impl, keeps, flat, lean = op.impl, op.keeps, not any(op.vjp), not any(op.keeps)

    def method(x: Tensor, y: Any) -> Tensor:
        if type(y) is not Tensor or type(x) is not Tensor or top() is not EAGER:
            return operator(op, x, y)
        a, b = x.value, y.value
        if (a.dtype is not float32 or b.dtype is not float32) and not settled(a.dtype, b.dtype):
            return EAGER.run(op, (x, y), {})
        out = new_tensor(Tensor)
        try:
            out.value = value = impl(a, b)
        except Exception as error:
            raise explained(op, (x, y), {}, error) from None
        out.storage, p, q = None, x.node, y.node
        if (p is None and q is None) or flat or not grad_on():
            out.node = None
            return out
        out.node = node = new_node(Node)
        node.op, node.edges, node.params, node.hooks = op, (p, q), NOTHING, None
        node.shape, node.order = value.shape, next_order()
        if lean:
            node.saved = NOTHING
        else:
            node.saved = {k: saved_as(k, x, y, out) for k in keeps[(p is not None) + 2 * (q is not None)]}
        return out

    return named(method, name, f"`ml.{op.name}`, as an operator.")


def saved_as(name: str, x: Tensor, y: Any, out: Tensor) -> Any:
    """What a rule's parameter stands for."""
    if name == "x":
        return save(x, x.node)
    if name == "y":
        return save(y, y.node)
    return save(out, None) if name == "out" else (x if name == "x_shape" else y).value.shape


def operator(op: Op, x: Any, y: Any) -> Any:
    """The general case of an operator; what is no operand is left to Python, which tries the other side."""
    if isinstance(y, Tensor) or is_number(y) or hasattr(y, "dtype"):
        return top().run(op, (x, y), {})
    return top().run(op, (x, plain(y)), {}) if isinstance(y, (int, float)) else NotImplemented


def reflected(op: Op, name: str) -> Callable[[Tensor, Any], Tensor]:
    """`y <operator> x`, where `y` is no tensor."""

    def method(x: Tensor, y: Any) -> Tensor:
        return operator_reversed(op, x, y)

    return named(method, name, f"`ml.{op.name}`, as an operator.")


def operator_reversed(op: Op, x: Tensor, y: Any) -> Any:
    """`op(y, x)`."""
    if is_number(y) or hasattr(y, "dtype"):
        return top().run(op, (y, x), {})
    return top().run(op, (plain(y), x), {}) if isinstance(y, (int, float)) else NotImplemented


def augmented(op: Op, name: str) -> Callable[[Tensor, Any], Tensor]:
    """`x <operator>= y`: in place."""

    def method(x: Tensor, y: Any) -> Tensor:
        return top().inplace(op, x, (y,), {})

    return named(method, name, f"`ml.{op.name}`, in place.")


ARITHMETIC = {
    "add": ops.elementwise.add,
    "sub": ops.elementwise.sub,
    "mul": ops.elementwise.mul,
    "truediv": ops.elementwise.div,
    "pow": ops.elementwise.pow,
    "mod": ops.rounding.remainder,
    "floordiv": ops.rounding.floor_divide,
    "matmul": ops.matmul,
    "and": ops.bitwise.bitwise_and,
    "or": ops.bitwise.bitwise_or,
    "xor": ops.bitwise.bitwise_xor,
    "lshift": ops.bitwise.bitwise_left_shift,
    "rshift": ops.bitwise.bitwise_right_shift,
}
COMPARISON = {n: getattr(ops.compare, n) for n in ("eq", "ne", "lt", "le", "gt", "ge")}


def install() -> None:
    """Give Tensor its operators and the short form of its entry-by-entry methods."""
    for name, op in ARITHMETIC.items():
        setattr(Tensor, f"__{name}__", short_binary(op, f"__{name}__"))
        setattr(Tensor, f"__r{name}__", reflected(op, f"__r{name}__"))
        if name != "matmul":
            setattr(Tensor, f"__i{name}__", augmented(op, f"__i{name}__"))
    for name, op in COMPARISON.items():
        setattr(Tensor, f"__{name}__", short_binary(op, f"__{name}__"))
    for op in ops.ELEMENTWISE:
        if len(op.vjp) == 1:
            setattr(Tensor, op.name, short_unary(op))
    for name, method in (("__neg__", "neg"), ("__abs__", "abs"), ("__invert__", "bitwise_not")):
        setattr(Tensor, name, getattr(Tensor, method))


install()
