"""One instruction on values of which only the facts are known: what it gives, or why it cannot be told.

Nothing of the user's runs here, and nothing that acts: operators on tensors and plain numbers, methods of tensors, and
functions of this package. Ops among them become nodes of the graph. Everything else is a break.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import Any

from ....autograd.anomaly import Place
from ....compiler.ir.symbolic import Captured, Capturing
from ....core.interpret import grad_enabled, interpreting
from ....tensors.tensor import Tensor
from .instructions import Step
from .listing import OPERATORS, comparison
from .values import TOOLS, Null, Unknown, captured_in, constant, holds, method_of, plain

PACKAGE = __name__.partition(".")[0]
FACTS = ("shape", "ndim", "dtype", "device")  # what is known of a tensor before it is computed
ASKED = ("size", "dim", "numel")  # methods that tell them
PURE = (len, abs, min, max, int, float)
COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "**": operator.pow, "@": operator.matmul, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
UNARY: dict[str, Any] = {
    "UNARY_NEGATIVE": operator.neg, "UNARY_POSITIVE": operator.pos, "UNARY_INVERT": operator.invert,
    "UNARY_NOT": operator.not_, "BINARY_SUBSCR": operator.getitem,
}  # fmt: skip


class Undone(Exception):  # noqa: N818  (it is no error: the machine takes it as "break here")
    """An instruction is left for the run. The text says why."""


class Recorder(Capturing):
    """Capture of one piece of a function: the graph so far, and what can be told of one more instruction."""

    def inplace(self, op: Any, x: Any, args: tuple[Any, ...], params: dict[str, Any]) -> Any:
        """Left for the run: the tensor may be known elsewhere under another name."""
        raise Undone("a write in place")

    def told(self, step: Step, values: list[Any], place: Place) -> Any:
        """What `step` gives for `values`; the nodes that it makes are in the graph then, and only then.

        Raises:
            Undone: It cannot be told, or it would do more than compute, or it fails.
        """
        nodes, names, outside = len(self.graph.nodes), dict(self.graph.names), dict(self.outside)
        try:
            with interpreting(self), grad_enabled(True):
                out = ruled(step, values)
        except Exception as error:  # whatever it is, the run will do it again, and raise it at the user's line
            del self.graph.nodes[nodes:]
            self.graph.names, self.outside = names, outside
            raise error if isinstance(error, Undone) else Undone(str(error).partition("\n")[0]) from None
        for node in self.graph.nodes[nodes:]:
            node.line = place
        return out


# ---- one rule for each instruction ----------------------------------------------------------------------------------
def ruled(step: Step, values: list[Any]) -> Any:
    """What an instruction gives, by its rule below."""
    if any(holds(value, Unknown) for value in values):
        raise Undone("a value that only the run will tell")
    return RULES[step.op](step, values)


def computed(f: Callable[..., Any], values: list[Any]) -> Any:
    """`f` of values on which it does nothing but compute."""
    if not all(map(plain, values)):
        raise Undone("an operator on an object of another package")
    return f(*values)


def binary(step: Step, values: list[Any]) -> Any:
    """`x * y`; `x *= y` is the same for numbers, and a write for tensors and lists."""
    symbol: str = OPERATORS[step.arg]
    if symbol not in BINARY and isinstance(values[0], (Tensor, list)):
        raise Undone("a write in place")
    return computed(BINARY[symbol.removesuffix("=")], values)


def same(step: Step, values: list[Any]) -> bool:
    """`x is None`. Of two tensors nothing is said: one could be given for both."""
    if not any(value is None for value in values):
        raise Undone("the identity of a value")
    return (values[0] is values[1]) != bool(step.arg)


def contained(step: Step, values: list[Any]) -> bool:
    """`x in y`, for plain values."""
    if not all(map(constant, values)):
        raise Undone("a comparison with what a container holds")
    return (values[0] in values[1]) != bool(step.arg)


def extended(step: Step, values: list[Any]) -> list[Any]:
    """`[1, 2, 3]` as Python builds it: an empty list, and a tuple to fill it from."""
    if not isinstance(values[1], tuple):
        raise Undone("a star in a list")
    return [*values[0], *values[1]]


def unpacked(step: Step, values: list[Any]) -> list[Any]:
    """`a, b = ...`, from a tuple or a list, or from a tensor along its first axis."""
    source = values[0]
    if isinstance(source, Captured) and source.shape and source.shape[0] == step.arg:
        return [source[i] for i in range(step.arg)]
    if type(source) not in (tuple, list) or len(source) != step.arg:
        raise Undone("an unpacking")
    return list(source)


def attribute(step: Step, values: list[Any]) -> Any:
    """A function of a module; a method of a tensor, or a fact."""
    owner, name = values[0], step.arg
    if isinstance(owner, Captured):
        found = getattr(owner, name)
        if name in FACTS or isinstance(found, Captured) or method_of(found) is owner:
            return found
    elif isinstance(owner, ModuleType):
        found = getattr(owner, name)
        if isinstance(found, TOOLS) or constant(found):
            return found
    raise Undone(f"the attribute {name}")


def call(step: Step, values: list[Any]) -> Any:
    """`f(x, y, key=z)`: a method of a tensor, or a function of this package that is given one."""
    names = step.arg[1] if step.op == "CALL_KW" else ()
    f, *args = [value for value in values if not isinstance(value, Null)]
    named = dict(zip(names, args[len(args) - len(names) :], strict=True))
    args = args[: len(args) - len(names)]
    name = getattr(f, "__name__", type(f).__name__)
    if not known(f, [*args, *named.values()]):
        raise Undone(f"a call of {name}, into which this machine does not look")
    if name.endswith("_"):
        raise Undone("a write in place")
    out = f(*args, **named)
    if not (plain(out) and captured_in([out])) and not (constant(out) and (name in ASKED or f in PURE)):
        raise Undone(f"a call of {name}, which gives no tensor")
    return out


def known(f: Any, args: list[Any]) -> bool:
    """Whether it is known what calling `f` does: nothing but compute."""
    if not all(map(plain, args)):
        return False
    ours = isinstance(f, FunctionType) and f.__module__.partition(".")[0] == PACKAGE and bool(captured_in(args))
    return ours or method_of(f) is not None or any(f is pure for pure in PURE)


def left(step: Step, values: list[Any]) -> Any:
    """Text and writes are for the run."""
    raise Undone(LEFT[step.op])


LEFT = {
    "STORE_SUBSCR": "a write in place",
    **dict.fromkeys(
        ("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE", "BUILD_STRING"), "the text of a value"
    ),
}
RULES: dict[str, Callable[[Step, list[Any]], Any]] = {
    **{op: lambda step, values: computed(UNARY[step.op], values) for op in UNARY},
    "BINARY_OP": binary,
    "COMPARE_OP": lambda step, values: computed(COMPARE[comparison(step)], values),
    "BINARY_SLICE": lambda step, values: computed(lambda x, a, b: x[a:b], values),
    "IS_OP": same,
    "CONTAINS_OP": contained,
    "BUILD_TUPLE": lambda step, values: tuple(values),
    "BUILD_LIST": lambda step, values: list(values),
    "BUILD_SLICE": lambda step, values: slice(*values),
    "LIST_EXTEND": extended,
    "UNPACK_SEQUENCE": unpacked,
    "LOAD_ATTR": attribute,
    "CALL": call,
    "CALL_KW": call,
    **dict.fromkeys(LEFT, left),
}
