"""Following what an error suggests: the call in `Did you mean …?` put where the wrong one stood, and run.

A suggestion speaks of a call in its own names: `x` is the first operand, `target` the argument of that name. So a name
is bound by the signature of what was called, and what is put in depends on what the suggestion is: a setting
(`dim=1`) goes into the call, a call of the same name takes its place, an expression takes the place of its operand.
"""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Iterator
from inspect import isclass, signature
from types import ModuleType
from typing import Any

import minitorch_lab as ml

from .bank import NAMES, at_once, objects, told

MISTAKEN = (
    ast.Call, ast.BinOp, ast.BoolOp, ast.UnaryOp, ast.Compare, ast.Subscript, ast.Attribute, ast.JoinedStr
)  # fmt: skip
SUGGESTED = re.compile(r"Did you mean (.+?)\?(?:\s|$)")
FIRST = ("x", "input", "data", "logits", "labels")
SECOND = ("y", "w", "target", "other", "index", "mask", "source")
SPOKEN = {*FIRST, *SECOND, "a", "b", "c", "d"}  # names that an error has for what was given


def suggestions(text: str) -> list[str]:
    """The pieces of code that the last line of an error suggests; none if it says so in words.

    Example:
        >>> suggestions("f got 2.\\n  Did you mean x.T? It is (2, 4). Or dim=1, which is rare.")
        ['x.T']
        >>> suggestions("f got 2.\\n  Did you mean .any() or .all()?"), suggestions("f got 2.\\n  Compare the lengths.")
        (['.any()', '.all()'], [])
    """
    found = SUGGESTED.search(text.splitlines()[-1])
    if found and " and then " in found[1]:
        return []
    parts = re.split(r",? or (?=[\w.(\[]+)", found[1]) if found else []
    parts = [part.split(", which")[0].split(", without the quotation")[0].rstrip(",") for part in parts]
    return [part for part in parts if read(part) is not None]


def read(code: str) -> ast.expr | None:
    """A suggestion as an expression: a setting as a call with a keyword; None if it is no code."""
    setting = re.match(r"(\w+)=(?!=)", code)
    try:
        return ast.parse(f"_({code})" if setting else f"_{code}" if code.startswith(".") else code, mode="eval").body
    except SyntaxError:
        return None


def follow(code: str, suggestion: str, more: int = 1) -> str | None:
    """What a suggestion says to write instead of the last line of `code`, which runs; "" if none does.

    None: the suggestion has a hole, a name of what only the reader knows (`Softmax(dim)`).
    """
    *before, _ = code.splitlines()
    module = ast.parse(code)
    wanted, hole, tried = read(suggestion), False, False
    assert wanted is not None
    if unbound(wanted, {**NAMES, **dict.fromkeys(SPOKEN)}, module):
        return None
    for answer in assigned(module, wanted):
        if told(lambda answer=answer: at_once(answer, objects())) is None:
            return answer
    for at, call in enumerate(calls(module.body[-1])):
        space = names(before, code)
        bound = operands(call, space)
        for new in replacements(call, wanted, bound):
            if unbound(new, space, module):
                continue
            tried = True
            answer = with_node(module, at, new)
            error = told(lambda answer=answer: at_once(answer, objects()))
            if error is None:
                return answer
            if more and isinstance(wanted, ast.Call) and wanted.keywords:  # of two mistakes the other is told next
                for again in suggestions(str(error.error)):
                    last = follow(answer, again, more - 1)
                    if last:
                        return last
                    hole = hole or last is None
    return None if hole or not tried else ""


def names(before: list[str], code: str) -> dict[str, Any]:
    """What the last line finds."""
    space: dict[str, Any] = {**NAMES, **objects()}
    body = ast.parse(code).body[:-1]
    exec(compile(ast.Module(body, []), "<before>", "exec"), space)
    return space


def calls(statement: ast.AST) -> Iterator[ast.expr]:
    """Whatever may be the wrong call, the outermost first."""
    return (node for node in ast.walk(statement) if isinstance(node, MISTAKEN))


def value(node: ast.expr, space: dict[str, Any]) -> Any:
    """What an expression stands for; None if it cannot be had."""
    try:
        return eval(compile(ast.Expression(node), "<part>", "eval"), space)
    except Exception:
        return None


def is_module(node: ast.expr, space: dict[str, Any]) -> bool:
    """Whether an expression is a module of Python's."""
    return isinstance(value(node, space), ModuleType)


def operands(call: ast.expr, space: dict[str, Any]) -> dict[str, ast.expr]:
    """The operands of a call by the names that an error has for them."""
    given: list[ast.expr] = []
    bound: dict[str, ast.expr] = {}
    if isinstance(call, ast.Call):
        fn = value(call.func, space)
        method = isinstance(call.func, ast.Attribute) and isinstance(value(call.func.value, space), ml.Tensor)
        given = [call.func.value, *call.args] if method and isinstance(call.func, ast.Attribute) else list(call.args)
        target = fn if isclass(fn) else getattr(fn, "forward", fn)
        try:
            places = list(signature(target).parameters)
        except (TypeError, ValueError):
            places = []
        whole = method and places[:1] in (["x"], ["self"])
        bound = dict(zip(places, given if whole else call.args, strict=False))
        bound |= {k.arg: k.value for k in call.keywords if k.arg}
        parts = call.args[0].elts if call.args and isinstance(call.args[0], (ast.List, ast.Tuple)) else call.args
        bound |= dict(zip("abcd", parts, strict=False))
    elif isinstance(call, ast.BinOp):
        given = [call.left, call.right]
    elif isinstance(call, ast.Compare):
        given = [call.left, *call.comparators]
    elif isinstance(call, ast.UnaryOp):
        given = [call.operand]
    elif isinstance(call, ast.BoolOp):
        given = list(call.values)
    elif isinstance(call, ast.Subscript):
        given = [call.value, call.slice]
    elif isinstance(call, ast.JoinedStr):
        given = [part.value for part in call.values if isinstance(part, ast.FormattedValue)]
    elif isinstance(call, ast.Attribute) and not is_module(call.value, space):
        given = [call.value]
    for place, usual in enumerate((FIRST, SECOND)):
        if place < len(given):
            bound = {**dict.fromkeys(usual, given[place]), **bound}
    if len(given) == 1:  # a layer's only input, however its op calls it
        bound = {**dict.fromkeys(("index", "mask", "labels"), given[0]), **bound}
    return bound


def replacements(call: ast.expr, wanted: ast.expr, bound: dict[str, ast.expr]) -> Iterator[ast.expr]:
    """What may stand for the call once the suggestion is followed, the likeliest first."""
    filled = Filled(bound).visit(copy.deepcopy(wanted))
    missing = {n.id for n in ast.walk(wanted) if isinstance(n, ast.Name)} & SPOKEN - bound.keys()
    if missing:
        return
    if isinstance(wanted, ast.Call) and isinstance(wanted.func, ast.Name) and wanted.func.id == "_":
        yield from set_keyword(call, wanted.keywords[0], bound)
        return
    root = root_of(wanted)
    named = last_name(wanted.func) if isinstance(wanted, ast.Call) else ""
    if named and isinstance(call, ast.Call) and named == last_name(call.func):
        assert isinstance(filled, ast.Call)
        assert isinstance(wanted, ast.Call)
        if isinstance(wanted.func, ast.Name) and isinstance(call.func, ast.Attribute):
            filled.func = call.func
        yield filled
        return
    inner = wanted.func if isinstance(wanted, ast.Call) else None  # Name(...)(x) for nn.Name(x)
    if isinstance(inner, ast.Call) and isinstance(call, ast.Call) and last_name(inner.func) == last_name(call.func):
        assert isinstance(filled, ast.Call)
        assert isinstance(filled.func, ast.Call)
        filled.func.func = call.func
        yield filled
        return
    if isinstance(root, ast.Name) and root.id in bound:
        if not isinstance(call, ast.Attribute):
            yield swapped(call, bound[root.id], filled)
        if not isinstance(call, ast.Call) or is_method(call, bound):
            yield filled
    elif isinstance(root, ast.Name) and root.id == "_":
        yield Filled({"_": bound.get("x", root)}).visit(filled)
    elif named and hasattr(builtins, named):
        for operand in dict.fromkeys(bound.values()):
            yield swapped(call, operand, ast.Call(ast.Name(named, ast.Load()), [operand], []))
    elif isinstance(wanted, ast.Call) and isinstance(wanted.func, ast.Name) and "x" in bound:
        assert isinstance(filled, ast.Call)
        filled.func = ast.Attribute(bound["x"], wanted.func.id, ast.Load())
        yield filled
    else:
        yield from anywhere(call, wanted, filled, bound)


def root_of(node: ast.expr) -> ast.expr:
    """What stands in front of all dots, brackets and calls."""
    while isinstance(node, (ast.Call, ast.Attribute, ast.Subscript)):
        node = node.func if isinstance(node, ast.Call) else node.value
    return node


def anywhere(call: ast.expr, wanted: ast.expr, filled: ast.expr, bound: dict[str, ast.expr]) -> Iterator[ast.expr]:
    """A suggestion that names no operand: for the call, for one of them, or as what stands in brackets."""
    yield filled
    for operand in dict.fromkeys(bound.values()):
        yield swapped(call, operand, filled)
    if isinstance(call, ast.Subscript):
        yield ast.Subscript(call.value, wanted.elts[0] if isinstance(wanted, ast.List) else wanted, ast.Load())


def assigned(module: ast.Module, wanted: ast.expr) -> Iterator[str]:
    """For an assignment: the suggestion as its value, or, if it speaks of `x`, in its place."""
    last = module.body[-1]
    if isinstance(last, ast.Assign) and isinstance(last.targets[0], (ast.Attribute, ast.Subscript)):
        copied = copy.deepcopy(module)
        new = copied.body[-1]
        assert isinstance(new, ast.Assign)
        new.value = wanted
        yield ast.unparse(copied)
        whole = Filled({"x": last.targets[0].value}).visit(copy.deepcopy(wanted))
        yield ast.unparse(ast.Module([*module.body[:-1], ast.Expr(whole)], []))


def set_keyword(call: ast.expr, setting: ast.keyword, bound: dict[str, ast.expr]) -> Iterator[ast.expr]:
    """The call with one setting instead of what stood in its place, or instead of a keyword that it does not know."""
    if not isinstance(call, ast.Call):
        return
    new = copy.deepcopy(call)
    assert setting.arg
    kept = [k for k in new.keywords if k.arg != setting.arg]
    setting = ast.keyword(setting.arg, Filled(bound).visit(copy.deepcopy(setting.value)))
    taken = [i for i, arg in enumerate(call.args) if bound.get(setting.arg or "") is arg]
    for at in taken:
        new.args[at] = setting.value
    for left_out in (None, *range(len(kept))):
        keywords = [k for i, k in enumerate(kept) if i != left_out]
        yield ast.Call(new.func, new.args, keywords if taken else [*keywords, setting])


def is_method(call: ast.Call, bound: dict[str, ast.expr]) -> bool:
    """Whether a call is one of a method of its first operand."""
    return isinstance(call.func, ast.Attribute) and call.func.value in bound.values()


class Filled(ast.NodeTransformer):
    """Expressions for names."""

    def __init__(self, bound: dict[str, ast.expr]) -> None:
        """By name."""
        self.bound = bound

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """A function that is named without its module gets it."""
        filled, fn = self.generic_visit(node), node.func
        if isinstance(fn, ast.Name) and not hasattr(builtins, fn.id):
            home = next((room for room in ("ml", "nn", "F", "data", "optim") if fn.id in dir(NAMES[room])), None)
            assert isinstance(filled, ast.Call)
            filled.func = ast.Attribute(ast.Name(home, ast.Load()), fn.id, ast.Load()) if home else fn
        return filled

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """The expression, if there is one."""
        return copy.deepcopy(self.bound[node.id]) if node.id in self.bound else node


class Swapped(ast.NodeTransformer):
    """A node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.expr) -> None:
        """Which, and by what."""
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        """The new one in the old one's place."""
        return self.new if node is self.old else self.generic_visit(node)


def swapped(call: ast.expr, old: ast.expr, new: ast.expr) -> ast.expr:
    """A copy of the call with another operand."""
    kept: dict[int, Any] = {}
    copied = copy.deepcopy(call, kept)
    return Swapped(kept[id(old)], copy.deepcopy(new)).visit(copied)


def with_node(module: ast.Module, at: int, new: ast.expr) -> str:
    """The code of a module whose last statement has `new` for its call number `at`."""
    module = copy.deepcopy(module)
    old = list(calls(module.body[-1]))[at]
    return ast.unparse(ast.fix_missing_locations(Swapped(old, new).visit(module)))


def last_name(node: ast.expr) -> str:
    """The last part of a dotted name."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def unbound(new: ast.expr, space: dict[str, Any], module: ast.Module) -> bool:
    """Whether an expression has a name that nobody gave, or dots for what the reader knows."""
    own = {node.id for node in ast.walk(module) if isinstance(node, ast.Name)}
    own |= {last_name(node.func) for node in ast.walk(new) if isinstance(node, ast.Call)}
    inside = {node.arg for node in ast.walk(new) if isinstance(node, ast.arg)}
    inside |= {node.id for node in ast.walk(new) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    for node in ast.walk(new):
        if isinstance(node, ast.Name) and node.id not in {*space, *own, *inside} and not hasattr(builtins, node.id):
            return True
        if isinstance(node, ast.Constant) and node.value is ...:
            return True
    return False
