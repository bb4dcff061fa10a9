"""What a script cannot be, said with the user's line and a caret under the place."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from ....errors import CaptureError

PYTHON = "A script keeps no Python: it holds tensors, numbers, tuples of them, and calls that are known beforehand."
REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.Import: ("an import", "Import the module at the top of the file."),
    ast.ImportFrom: ("an import", "Import the module at the top of the file."),
    ast.FunctionDef: ("a function defined inside", "Define it at the top of the file: a script may call it."),
    ast.Lambda: ("a lambda", "Define a function at the top of the file: a script may call it."),
    ast.ClassDef: ("a class", "Keep to functions of tensors and numbers."),
    ast.Try: ("try", "Test beforehand instead of catching afterwards."),
    ast.With: ("with", "Set the mode around the call of the script."),
    ast.Raise: ("raise", "Check the arguments before the script is called."),
    ast.Assert: ("assert", "Check the arguments before the script is called."),
    ast.Global: ("global", "Pass the value in, and return the new one."),
    ast.Nonlocal: ("nonlocal", "Pass the value in, and return the new one."),
    ast.Delete: ("del", "Let the name be: it costs nothing."),
    ast.Break: ("break", "Make it part of the condition: while going and ...:"),
    ast.Continue: ("continue", "Put the rest of the round under an if."),
    ast.Yield: ("yield", "Return a tensor, or a tuple."),
    ast.YieldFrom: ("yield", "Return a tensor, or a tuple."),
    ast.Await: ("await", "Call the script from the coroutine."),
    ast.JoinedStr: ("an f-string", "Print the values themselves: print(x)."),
    ast.Dict: ("a dict", "Use a tuple."),
    ast.Set: ("a set", "Use a tuple."),
    ast.ListComp: ("a comprehension", "Write the loop: for i in range(n):"),
    ast.SetComp: ("a comprehension", "Write the loop: for i in range(n):"),
    ast.DictComp: ("a comprehension", "Write the loop: for i in range(n):"),
    ast.GeneratorExp: ("a generator", "Write the loop: for i in range(n):"),
    ast.Starred: ("a star", "Write the arguments out."),
    ast.NamedExpr: ("an assignment inside an expression", "Assign on a line of its own."),
}


@dataclass(slots=True)
class Source:
    """The text of a function: what it is called, its file, its lines, and the number of the first."""

    name: str
    file: str
    lines: list[str]
    first: int

    def refusal(self, node: ast.AST, what: str, rule: str, hint: str = "") -> CaptureError:
        """The error of a place that cannot be compiled."""
        row, start = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
        same = getattr(node, "end_lineno", row) == row
        text = self.lines[row - 1]
        width = (getattr(node, "end_col_offset", start + 1) if same else len(text)) - start
        shown = f"    {text}\n    {' ' * start}{'^' * max(width, 1)}"
        place = f"{self.file}, line {self.first + row - 1}"
        return CaptureError(f"script cannot compile {what} in {self.name} ({place}):\n{shown}", rule, hint)

    def unsupported(self, node: ast.AST) -> CaptureError:
        """The error of a construct that is outside the subset."""
        what, hint = REFUSED.get(
            type(node), (f"this ({type(node).__name__})", "Keep to tensors, numbers, if, while, for.")
        )
        return self.refusal(node, what, PYTHON, hint)
