"""What makes a captured program a sound one: it asks for all that it has read, and does all that it has done.

The recorder keeps a list of both while it captures (`tree.Notes`). Here the text of the program is read again, without
its tree: along the way to the end of a call stand all its questions, and in order all that it does to the world.
Checked after every capture of the tests that switch it on. Which objects were two is not looked at here.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from ....errors import CaptureError
from .predicate import NEW
from .source import Source
from .tree import Guard, Line, Node, Notes, Segment, leading

Question = tuple[str, tuple[str, ...]]
checking = False  # whether captures are checked


def verify_program(source: Source) -> None:
    """Make sure that a program has what its captures have noted.

    Raises:
        CaptureError: It lacks something: the text names it.
    """
    if not checking:
        return
    program: Any = ast.parse("\n".join(source.lines)).body[0]
    for notes in source.c.noted:
        way = list(leading_to(program.body, source.ends[notes.end]))
        missing = unasked(notes, way, source) or undone(notes, way, source)
        if missing:
            raise CaptureError(
                f"The program of {source.c.__name__} lacks {missing}.",
                "What a capture has read is asked for in every call, and what it has done is done in every call.",
                "This is a fault of the compiler's own, not of the function: run it without ml.compile meanwhile.",
            )


def leading_to(body: list[ast.stmt], number: int) -> Iterator[ast.stmt]:
    """The statements that a call runs on its way to a line of the program."""
    for step in body:
        assert step.end_lineno is not None
        yield step
        if step.lineno <= number <= step.end_lineno:
            if isinstance(step, ast.If):
                yield from leading_to(step.body, number)
            return


# ---- what was read --------------------------------------------------------------------------------------------------
def unasked(notes: Notes, way: list[ast.stmt], source: Source) -> str:
    """A question that does not stand on the way; nothing if all do."""
    known = {name: answers for answers, name in source.c.wording.tables.items()}
    asked = {question for step in way for question in passed(step, way, source.lines)}
    rows = [(given[1:], known[given[0]]) for _, given in asked if given and given[0] in known]
    facts = {fact for row in rows for fact in zip(*row, strict=True)}
    for guard, key in notes.reads:
        if NEW.fullmatch(guard.subject) or (guard.subject.strip("()"), key) in facts:
            continue
        if not asked.issuperset(questions(source.c.wording.test(guard.subject, key))):
            return f"the question {guard.subject!r} ({guard.place})"
    return ""


def passed(step: ast.stmt, way: list[ast.stmt], lines: list[str]) -> tuple[Question, ...]:
    """The questions to which a call has answered yes when it has come past a statement, or into it."""
    if not isinstance(step, ast.If):
        return ()
    if step.body[0] in way:
        return questions(source_of(step.test, lines))
    return questions(source_of(step.test.operand, lines)) if isinstance(step.test, ast.UnaryOp) else ()


def source_of(test: ast.expr, lines: list[str]) -> str:
    """The text of an expression of the program."""
    assert test.end_lineno is not None
    first, *rest = lines[test.lineno - 1 : test.end_lineno]
    if not rest:
        return first[test.col_offset : test.end_col_offset]
    return "\n".join([first[test.col_offset :], *rest[:-1], rest[-1][: test.end_col_offset]])


class Unnamed(ast.NodeTransformer):
    """Writes a test without the names that it gives on the way."""

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.expr:
        """A read inside a test has the name that it gives; what is for this test alone is written out."""
        self.generic_visit(node)
        return node.value if node.target.id.startswith("_") else ast.Name(node.target.id)


@lru_cache(maxsize=4096)
def questions(test: str) -> tuple[Question, ...]:
    """The questions that a test puts together by `and`; of one that is a call, also the arguments."""
    pending, found = [ast.parse(f"({test})", mode="eval").body], list[Question]()
    while pending:
        part = pending.pop()
        if isinstance(part, ast.BoolOp) and isinstance(part.op, ast.And):
            pending += part.values
            continue
        plain = Unnamed().visit(part)
        given = tuple(map(ast.unparse, plain.args)) if isinstance(plain, ast.Call) else ()
        found.append((ast.unparse(plain), given))
    return tuple(found)


# ---- what was done --------------------------------------------------------------------------------------------------
def undone(notes: Notes, way: list[ast.stmt], source: Source) -> str:
    """An effect that does not stand on the way, in its place; nothing if all do.

    Lines keep their order, and so do ops: lines wait until the graph has run, where nobody can see that.
    """
    texts = {step.lineno: text_of(step, source.lines) for step in way}
    standing = {line for line, number in source.starts.items() if texts.get(number) == line.text}
    at = 0
    for line in (effect for effect in notes.effects if isinstance(effect, Line)):
        found = source.starts[line] if line in standing else None
        if not unseen(line, standing, notes) if found is None else found < at:
            return f"`{line.text}`"
        at = found or at
    graphs = {graph.name: {*graph.nodes} for _, graph in source.segments}
    acting = [graphs.get(called(text), set[Any]()) for text in texts.values()]
    at = 0
    for op in (effect for effect in notes.effects if not isinstance(effect, Line)):
        found = next((i for i in range(at, len(acting)) if op in acting[i]), None)
        if found is None:
            return f"the op {op.name!r}, which acts"
        at = found
    return ""


def text_of(step: ast.stmt, lines: list[str]) -> str:
    """A statement of the program; of an `if`, what it asks."""
    end = step.test.end_lineno if isinstance(step, ast.If) else step.end_lineno
    return "\n".join(line.strip() for line in lines[step.lineno - 1 : end])


def called(text: str) -> str:
    """The graph that a line of the program calls."""
    found = re.search(r"\b(graph_\d+)\(", text)
    return found[1] if found else ""


def unseen(line: Line, standing: set[Line], notes: Notes) -> bool:
    """Whether nobody can see that a line is missing: what comes after it says nothing of the object that it serves.

    Or another line gives the same gradient another value before anybody looks.
    """
    way = [step for step, _ in leading(notes.end)]
    steps = [step for step in way if not isinstance(step, Line) or step in standing]
    if line.replaced:
        target = line.text.partition(" = ")[0].replace(".node.", ".")
        return any(getattr(step, "text", "").replace(".node.", ".").startswith(target) for step in steps)
    names = reaching(line.owner, steps)
    later = {*way[: way.index(line)]}
    return "" not in names and not any(mentions(step, names) for step in steps if step in later)


def reaching(owner: str, steps: list[Node]) -> set[str]:
    """The objects through which one can be seen: what holds it, and what holds that; "" is the world."""
    names, before = {owner}, 0
    while before < len(names) and "" not in names:
        before = len(names)
        names |= {s.owner for s in steps if isinstance(s, Line) and not s.safe and mentions(s, names)}
    return names


def mentions(step: Node, names: set[str]) -> bool:
    """Whether a step names one of these objects."""
    if isinstance(step, Segment):
        return not names.isdisjoint(step.inputs)
    text = step.subject if isinstance(step, Guard) else getattr(step, "text", "")
    return not names.isdisjoint(re.findall(r"\w+", text))
