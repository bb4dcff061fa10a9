"""From a function's syntax tree to typed, single-assignment blocks: expressions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from types import ModuleType
from typing import Any

from ....errors import CaptureError
from ....tensors.tensor import Tensor
from .ir import Block, Constant, Instruction, Type, Value, type_text
from .refusals import Source
from .types import (  # fmt: skip
    ATTRIBUTES,
    INPLACE,
    METHODS,
    NAMES,
    OPERATORS,
    OUTSIDE,
    PAIRS,
    arithmetic,
    is_module_of_ours,
    returned,
    type_of,
)

MISSING = object()


class Expressions:
    """Compiles expressions into the current block."""

    def __init__(self, source: Source, names: dict[str, Any], script: Callable[[Any], Any]) -> None:
        self.source, self.names, self.script = source, names, script  # names: what stands around the function
        self.env: dict[str, Any] = {}
        self.half: dict[str, int] = {}  # variables that not every path defines, and the line that says so
        self.block = Block()
        self.used: dict[str, int] = {}

    # ---- values -----------------------------------------------------------------------------------------------------
    def fresh(self, name: str, kind: Type) -> Value:
        """A new value with a name of its own."""
        count = self.used[name] = self.used.get(name, -1) + 1
        return Value(f"{name}.{count}" if count else name, kind)

    def renamed(self, value: Any, name: str) -> Any:
        """A value that was just made takes the name of the variable that it is assigned to."""
        made = self.block.body[-1].outputs if self.block.body else []
        if made and made[0] is value and self.block.body[-1].kind == "call" and value.name not in self.env:
            value.name = self.fresh(name, value.type).name
        return value

    def emit(self, step: Instruction) -> None:
        """Append an instruction."""
        self.block.body.append(step)

    def call(self, node: ast.AST, name: str, fn: Any, inputs: list[Any], kind: Type, **keywords: Any) -> Any:
        """The result of calling `fn`."""
        outputs = [] if kind == "None" else [self.fresh(name, kind)]
        self.emit(Instruction("call", name, inputs, outputs, getattr(node, "lineno", 0), keywords, fn))
        return outputs[0] if outputs else Constant(None, "None")

    def value(self, node: ast.expr) -> Any:
        """Compile an expression."""
        compile_ = getattr(self, f"of_{type(node).__name__}", None)
        if compile_ is None:
            raise self.source.unsupported(node)
        return compile_(node)

    def truth(self, node: ast.expr) -> Any:
        """An expression as a condition: of a tensor its one entry is asked."""
        value = self.value(node)
        return value if value.type == "bool" else self.call(node, "bool", bool, [value], "bool")

    def integer(self, node: ast.expr) -> Any:
        """An expression that must be a whole number."""
        value = self.value(node)
        if value.type not in ("int", "bool"):
            raise self.source.refusal(
                node, f"a {type_text(value.type)} here", "A range counts whole numbers.", "int(...)?"
            )
        return value

    def taken(self, node: ast.AST, value: Any, i: int) -> Any:
        """One part of a tuple."""
        return self.call(node, "part", lambda parts, k: parts[k], [value, Constant(i, "int")], value.type[i])

    # ---- expressions ------------------------------------------------------------------------------------------------
    def of_Constant(self, node: ast.Constant) -> Constant:  # noqa: N802 (named after the node of the syntax tree)
        """A number, a string, None."""
        kind = type_of(node.value)
        if kind is None:
            raise self.source.refusal(node, f"the constant {node.value!r}", "Constants are numbers, strings and None.")
        return Constant(node.value, kind)

    def of_Name(self, node: ast.Name) -> Any:  # noqa: N802
        """A variable, or a constant from around the function."""
        if node.id in self.env:
            return self.env[node.id]
        if node.id in self.half:
            line = self.source.first + self.half[node.id] - 1
            rule = f"Not every way from line {line} to here defines it."
            raise self.source.refusal(node, f"the variable {node.id}", rule, f"Give {node.id} a value before.")
        return self.constant(node, self.outer(node))

    def constant(self, node: ast.expr, x: Any) -> Constant:
        """A Python value from outside as a constant."""
        kind = type_of(x)
        if kind is None or kind == "Tensor":
            what = (
                f"the {type(x).__name__} {ast.unparse(node)}" if x is not MISSING else f"the name {ast.unparse(node)}"
            )
            rule = "Of what stands around it a script takes numbers, strings, dtypes and functions."
            raise self.source.refusal(node, what, rule, "Pass it as an argument.")
        return Constant(x, kind)

    def outer(self, node: ast.expr) -> Any:
        """The Python object that a dotted name stands for around the function; MISSING for none."""
        if isinstance(node, ast.Name):
            return MISSING if node.id in self.env else self.names.get(node.id, MISSING)
        if isinstance(node, ast.Attribute):
            base = self.outer(node.value)
            return getattr(base, node.attr, MISSING) if is_module_of_ours(base) else MISSING
        return MISSING

    def of_Attribute(self, node: ast.Attribute) -> Any:  # noqa: N802
        """A fact of a tensor, or a constant of a module."""
        if (known := self.outer(node)) is not MISSING:
            return self.constant(node, known)
        value = self.value(node.value)
        if value.type != "Tensor" or node.attr not in ATTRIBUTES:
            raise self.source.refusal(
                node, f"the attribute .{node.attr} of a {type_text(value.type)}",
                f"Known of a tensor are {', '.join(ATTRIBUTES)}.")  # fmt: skip
        return self.call(node, node.attr, lambda x, name=node.attr: getattr(x, name), [value], ATTRIBUTES[node.attr])

    def of_BinOp(self, node: ast.BinOp) -> Any:  # noqa: N802
        """`a + b`."""
        return self.binary(node, type(node.op).__name__, self.value(node.left), self.value(node.right))

    def binary(self, node: ast.AST, name: str, x: Any, y: Any, inplace: bool = False) -> Any:
        """An operator of two values."""
        kind = arithmetic(name, [x.type, y.type])
        if kind is None or name not in OPERATORS:
            raise self.source.refusal(
                node, f"{name} of {type_text(x.type)} and {type_text(y.type)}", "Operators take tensors and numbers."
            )
        spelt = NAMES.get(name, name.lower())
        if inplace and name in INPLACE:
            return self.call(node, f"{spelt}_", INPLACE[name], [x, y], kind)
        return self.call(node, spelt, OPERATORS[name], [x, y], kind)

    def of_UnaryOp(self, node: ast.UnaryOp) -> Any:  # noqa: N802
        """`-a`, `not a`."""
        name = type(node.op).__name__
        x = self.truth(node.operand) if name == "Not" else self.value(node.operand)
        if name == "USub" and isinstance(x, Constant):
            return Constant(-x.value, x.type)
        if name == "UAdd":
            return x
        kind = "bool" if name == "Not" else arithmetic(name, [x.type])
        if kind is None:
            raise self.source.refusal(node, f"{name} of a {type_text(x.type)}", "Operators take tensors and numbers.")
        return self.call(node, NAMES.get(name, name.lower()), OPERATORS[name], [x], kind)

    def of_Compare(self, node: ast.Compare) -> Any:  # noqa: N802
        """`a < b`."""
        if len(node.ops) > 1:
            raise self.source.refusal(node, "a chain of comparisons", "A comparison has two sides.", "a < b and b < c?")
        return self.binary(node, type(node.ops[0]).__name__, self.value(node.left), self.value(node.comparators[0]))

    def of_BoolOp(self, node: ast.BoolOp) -> Any:  # noqa: N802
        """`a and b`: b is asked only where a does not settle it."""
        first, *rest = node.values
        value = self.truth(first)
        for part in rest:
            settled = Constant(isinstance(node.op, ast.Or), "bool")
            asked, fixed = self.branch(lambda part=part: self.truth(part)), Block(results=[settled])
            output = self.fresh("or" if settled.value else "and", "bool")
            blocks = [fixed, asked] if settled.value else [asked, fixed]
            self.emit(Instruction("if", "if", [value], [output], node.lineno, blocks=blocks))
            value = output
        return value

    def of_IfExp(self, node: ast.IfExp) -> Any:  # noqa: N802
        """`a if c else b`."""
        test = self.truth(node.test)
        blocks = [self.branch(lambda part=part: self.value(part)) for part in (node.body, node.orelse)]
        one, other = (b.results[0].type for b in blocks)
        if one != other:
            raise self.source.refusal(
                node, "this choice", f"One way it is {type_text(one)}, the other {type_text(other)}.", "Use one type."
            )
        output = self.fresh("choice", one)
        self.emit(Instruction("if", "if", [test], [output], node.lineno, blocks=blocks))
        return output

    def branch(self, compute: Callable[[], Any]) -> Block:
        """A block around one value."""
        outer, self.block = self.block, Block()
        self.block.results = [compute()]
        block, self.block = self.block, outer
        return block

    def of_Tuple(self, node: ast.Tuple) -> Any:  # noqa: N802
        """`a, b`."""
        parts = [self.value(e) for e in node.elts]
        return self.call(node, "tuple", lambda *xs: xs, parts, tuple(p.type for p in parts))

    def of_List(self, node: ast.List) -> Any:  # noqa: N802
        """`[a, b]`: only as an argument, where it is as good as a tuple."""
        parts = [self.value(e) for e in node.elts]
        return self.call(node, "list", lambda *xs: list(xs), parts, tuple(p.type for p in parts))

    # ---- indexing ---------------------------------------------------------------------------------------------------
    def of_Subscript(self, node: ast.Subscript) -> Any:  # noqa: N802
        """`x[...]`."""
        value = self.value(node.value)
        if isinstance(value.type, tuple):
            index = self.value(node.slice)
            if not isinstance(index, Constant) or not isinstance(index.value, int):
                raise self.source.refusal(
                    node, "this index", "The parts of a tuple have types of their own.", "A number?"
                )
            return self.taken(node, value, index.value)
        kind = {"Tensor": "Tensor", "ints": "int"}.get(value.type)
        if kind is None:
            raise self.source.refusal(
                node, f"an index into a {type_text(value.type)}", "Tensors and tuples have parts."
            )
        return self.call(node, "getitem", lambda x, i: x[i], [value, self.index(node.slice)], kind)

    def written(self, target: ast.Subscript, new: Any) -> None:
        """`x[...] = new`, in place."""

        def put(x: Any, i: Any, value: Any) -> None:
            x[i] = value

        self.call(target, "setitem_", put, [self.value(target.value), self.index(target.slice), new], "None")

    def index(self, node: ast.expr) -> Any:
        """An index: numbers, slices, dots, tensors, and several of them."""
        if isinstance(node, ast.Slice):
            none = Constant(None, "None")
            bounds = [none if b is None else self.value(b) for b in (node.lower, node.upper, node.step)]
            return self.call(node, "slice", slice, bounds, "slice")
        if isinstance(node, ast.Tuple):
            return self.call(node, "tuple", lambda *xs: xs, [self.index(e) for e in node.elts], "index")
        if isinstance(node, ast.Constant) and node.value is ...:
            return Constant(..., "dots")
        return self.value(node)

    # ---- calls ------------------------------------------------------------------------------------------------------
    def of_Call(self, node: ast.Call) -> Any:  # noqa: N802
        """A method of a tensor, a function of this package, another function that can be scripted."""
        if any(k.arg is None for k in node.keywords):
            raise self.source.refusal(node, "**", "Arguments are written out.")
        known = self.outer(node.func)
        if known is MISSING and isinstance(node.func, ast.Attribute):
            if isinstance(self.outer(node.func.value), ModuleType):
                raise self.unknown(node)
            return self.method(node, node.func)
        inputs, keywords = self.arguments(node)
        name = ast.unparse(node.func).rpartition(".")[2]
        kind = returned(known, inputs[0].type if inputs else None) if known is not MISSING else None
        if kind is not None:
            return self.call(node, name, known, inputs, kind, **keywords)
        if not callable(known) or isinstance(known, type) or not hasattr(known, "__code__"):
            raise self.unknown(node)
        inner = self.script(known)
        if inner is None:
            what, rule = f"a call of {name} inside {name}", "A script holds the functions that it calls inside itself."
            raise self.source.refusal(node, what, rule, "Write it as a loop: while goes on as long as you say.")
        return self.call(node, name, inner, inputs, inner.result, **keywords)

    def unknown(self, node: ast.Call) -> CaptureError:
        """The error of a call that a script does not take."""
        rule = "A script calls tensor ops, math, and functions like itself."
        what = f"a call of {ast.unparse(node.func)}"
        return self.source.refusal(node, what, rule, "Compute it outside, and pass the result in.")

    def method(self, node: ast.Call, func: ast.Attribute) -> Any:
        """A method of a tensor."""
        owner = self.value(func.value)
        name = func.attr
        if owner.type != "Tensor" or not hasattr(Tensor, name) or name in OUTSIDE:
            what = f"a call of .{name}() of a {type_text(owner.type)}"
            rule = "A script calls the methods of tensors that give tensors or numbers."
            raise self.source.refusal(node, what, rule, "Call it outside the script." if name in OUTSIDE else "")
        inputs, keywords = self.arguments(node)
        kind = METHODS.get(name, ("Tensor", "Tensor") if name in PAIRS else "Tensor")
        kind = ("int" if inputs else "ints") if name == "size" else kind
        fn = lambda x, *args, **kwargs: getattr(x, name)(*args, **kwargs)  # noqa: E731
        return self.call(node, name, fn, [owner, *inputs], kind, **keywords)

    def arguments(self, node: ast.Call) -> tuple[list[Any], dict[str, Any]]:
        """The arguments of a call."""
        return [self.value(a) for a in node.args], {str(k.arg): self.value(k.value) for k in node.keywords}
