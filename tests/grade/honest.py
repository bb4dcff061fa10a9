"""Honest styles: the same right answer as different people write it down."""

from __future__ import annotations

import ast
from collections.abc import Callable

Style = Callable[[str], str]


def functions(source: str) -> list[ast.FunctionDef]:
    """The functions that an answer defines."""
    return [statement for statement in ast.parse(source).body if isinstance(statement, ast.FunctionDef)]


def answered_as(kind: str) -> Style:
    """What functions return, and what answers hold, turned into another type of the same value."""

    def styled(source: str) -> str:
        tree = ast.parse(source)
        lines = [TURNED]
        for statement in tree.body:
            if isinstance(statement, ast.FunctionDef) and kind != "words":  # a name of a node is no word
                lines.append(f"{statement.name} = _returning({statement.name}, {kind!r})")
            elif isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Dict):
                name = ast.unparse(statement.targets[0])
                lines.append(f"{name} = _turned({name}, {kind!r})")
        return f"{source}\n\n{chr(10).join(lines)}\n"

    return styled


TURNED = """
def _turned(value, kind):
    import numpy as np

    if isinstance(value, dict):
        return {key: _turned(part, kind) for key, part in value.items()}
    if isinstance(value, (list, tuple)):
        parts = [_turned(part, kind) for part in value]
        numbers = all(isinstance(part, (bool, int, float)) for part in value)
        if kind == "array" and numbers and parts:
            return np.array(parts)
        return parts if kind == "list" else tuple(parts) if kind == "tuple" else type(value)(parts)
    if isinstance(value, bool):
        return {"numpy": np.bool_(value), "0 and 1": int(value), "array": np.bool_(value)}.get(kind, value)
    if isinstance(value, int):
        return {"numpy": np.int64(value), "float": float(value)}.get(kind, value)
    if isinstance(value, float):
        return np.float64(value) if kind == "numpy" else value
    if isinstance(value, str) and kind == "words":
        return f" {value.capitalize()} "
    return value


def _returning(function, kind):
    from functools import wraps

    @wraps(function)
    def styled(*args, **kwargs):
        return _turned(function(*args, **kwargs), kind)

    return styled
"""


def as_class(source: str) -> str:
    """Every function as an object with `__call__`."""
    wrapped = [f"class _{f.name.title()}:\n    def __call__(self, *args):\n        return _{f.name}(*args)\n\n\n"
               f"_{f.name} = {f.name}\n{f.name} = _{f.name.title()}()\n" for f in functions(source)]  # fmt: skip
    return "\n\n".join([source, *wrapped])


def through_helper(source: str) -> str:
    """Every function does its work in a helper of the same cell."""
    tree = ast.parse(source)
    lines: list[str] = []
    for function in tree.body:
        if isinstance(function, ast.FunctionDef):
            names = ", ".join(each.arg for each in function.args.args)
            arguments = ast.unparse(function.args)
            lines.append(
                f"_work_of_{function.name} = {function.name}\n\n\n"
                f"def {function.name}({arguments}):\n    return _work_of_{function.name}({names})\n"
            )
    return "\n\n".join([source, *lines])


def annotated(source: str) -> str:
    """Arguments and results with annotations."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = node.returns or ast.Constant("object")
            for each in node.args.args:
                each.annotation = each.annotation or ast.Constant("object")
    return ast.unparse(ast.fix_missing_locations(tree))


def documented(source: str) -> str:
    """A docstring with an example that would fail, and comments."""
    tree = ast.parse(source)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        said = f"My {function.name}.\n\n    >>> {function.name}()\n    42\n    "
        function.body.insert(0, ast.Expr(ast.Constant(said)))
    return f'# My own answer, with \'quotes\' and """more""".\n{ast.unparse(ast.fix_missing_locations(tree))}'


def printing(source: str) -> str:
    """Prints in every function and beside them."""
    tree = ast.parse(source)
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        function.body.insert(0, ast.parse("print('here')").body[0])
    return f"print('begin')\n{ast.unparse(ast.fix_missing_locations(tree))}\nprint('end')\n"


def with_lambdas(source: str) -> str:
    """Functions of one expression as lambdas."""
    tree = ast.parse(source)
    for k, function in enumerate(tree.body):
        match function:
            case ast.FunctionDef(name, arguments, [ast.Return(ast.expr() as value)], []):
                tree.body[k] = ast.Assign([ast.Name(name, ast.Store())], ast.Lambda(arguments, value))
            case _:
                pass
    return ast.unparse(ast.fix_missing_locations(tree))


def in_steps(source: str) -> str:
    """Every result is given a name before it is returned."""

    class Steps(ast.NodeTransformer):
        def visit_Return(self, node: ast.Return) -> list[ast.stmt] | ast.Return:
            if node.value is None:
                return node
            made = ast.Assign([ast.Name("_result", ast.Store())], node.value)
            return [made, ast.Return(ast.Name("_result", ast.Load()))]

    return ast.unparse(ast.fix_missing_locations(Steps().visit(ast.parse(source))))


def around(source: str) -> str:
    """All that people write around an answer, at once."""
    return through_helper(annotated(documented(printing(in_steps(source)))))


STYLES: dict[str, Style] = {
    **{f"as {kind}": answered_as(kind) for kind in ("numpy", "list", "tuple", "array", "0 and 1", "float", "words")},
    "a class with __call__": as_class,
    "all that is written around it": around,
    "lambdas": with_lambdas,
}
