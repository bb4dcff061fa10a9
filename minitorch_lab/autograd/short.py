"""The short path: while the plain imperative tape is in force, an op on plain tensors is one Python function.

It is written from the op's record (`writing.py`) when it is first called: function, method, operator and rule are one
text. It is the path that is timed against other frameworks. `inspect.getsource(ml.mul)` shows it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .. import ops
from ..core.array import is_float, is_number
from ..core.interpret import stack
from ..errors import ArgumentError
from ..ops.front import FUNCTIONS, taught
from ..ops.meant import describe_value, remedy
from ..ops.misfit import plain
from ..ops.op import OPS, Op, call_of, general
from ..tensors.tensor import Tensor, named
from .eager import Eager
from .writing import SCOPE, Author, Rewriter, fixed, keywords, promise, promise_by_count

SEQUENCES = (list, tuple, str)
NO_OPERANDS = {*SEQUENCES, dict, set, type(None)}
EAGER = Eager()
stack.start(EAGER)
top = stack.get


def operator(op: Op, x: Any, y: Any) -> Any:
    """The general case of an operator; what is no operand is left to Python, which tries the other side."""
    x, y = (a if hasattr(a, "dtype") or is_number(a) else plain(a) for a in (x, y))
    fit = all(hasattr(a, "dtype") or is_number(a) for a in (x, y))
    return top().run(op, (x, y), {}) if fit else left_to_python(op, x, y)


def left_to_python(op: Op, x: Any, y: Any) -> Any:
    """NotImplemented, so that Python asks the other operand.

    Raises:
        ArgumentError: What Python would say of it names another mistake.
    """
    behind = isinstance(y, Tensor)
    mine, other = (y, x) if behind else (x, y)
    counts = (
        op.name == "mul" and isinstance(other, SEQUENCES) and mine.numel() == 1 and not is_float(mine.dtype)
    )  # [0] * n
    if type(other) not in NO_OPERANDS or op.name in ("eq", "ne") or counts or (behind and op.name == "add"):
        return NotImplemented
    given, hint = describe_value(other), remedy(other, True)
    raise ArgumentError(f"{op.name} got {given}.", "Its inputs are tensors and numbers.", hint)


SCOPE.update(EAGER=EAGER, top=top, operator=operator)
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


def install_calls() -> None:
    """Have the call of every op written when it is first made, and the function that refuses numbers, if it has one."""
    for op in OPS.values():
        if fixed(op):
            promise(op.call, Author(op, len(op.vjp), op.name))
        elif keywords(op) is not None:
            promise_by_count(op)
    for op in ops.ELEMENTWISE:
        fn = getattr(FUNCTIONS[op.name], "__wrapped__", op.call)
        if fn is not op.call and fn.__globals__.get("op") is op:
            promise(fn, Author(op, 2, op.name, otherwise="op(*with_tensors(op, x, y))"), " by users")


def install_method(op: Op, label: str, what: str, author: type[Author], **how: Any) -> Any:
    """Give Tensor a method that is written."""
    fn = promise(call_of(op, general), author(op, len(op.vjp), label, **how))
    fn = named(fn, label, f"`ml.{op.name}`, {what}.")
    setattr(Tensor, label, fn if label.startswith("__") else taught(fn))


def install_methods() -> None:
    """Give Tensor its operators, and the methods that write."""
    for name, op in (ARITHMETIC | COMPARISON).items():
        install_method(op, f"__{name}__", "as an operator", Author, otherwise="operator(op, x, y)")
        if name in ARITHMETIC:
            install_method(op, f"__r{name}__", "as an operator", Author, otherwise="operator(op, x, y)", lead=1)
            if op is not ops.matmul:
                install_method(op, f"__i{name}__", "in place", Rewriter)
    for op in ops.ELEMENTWISE:
        if op.gives is None and not hasattr(Tensor, f"{op.name}_"):
            install_method(op, f"{op.name}_", "written into `x`", Rewriter)
    put, multiple = ops.indexing.setitem, ops.elementwise.add_scaled
    for op, count, label in ((put, 2, "_put"), (put, 3, "_put_at"), (multiple, 2, "_add_multiple")):
        setattr(Tensor, label, promise(call_of(op, general), Rewriter(op, count, label)))
    for name, method in (("__neg__", "neg"), ("__abs__", "abs"), ("__invert__", "bitwise_not")):
        setattr(Tensor, name, getattr(Tensor, method))


install_calls()
install_methods()
import_module("..tensors.inplace", __package__)  # the methods that write and follow from functions
