"""Mutants of the course's solutions: `python -m tests.grade.mutants [LESSON …]` asks judge and check about each.

A judge in which a mutant earns points is blind there, unless the mutant is right as well: those are argued one by one
in `equivalent.md`. And what a check calls done has to earn its points.
"""

from __future__ import annotations

import ast
import copy
import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

from minitorch_lab.grade.release import judged_lessons, room
from minitorch_lab.grade.writing import split
from tests.grade.answers import placed, starters, variants
from tests.grade.in_process import checked, exercises, judged
from tests.mutants.changes import changed, mutants

ARGUED = Path(__file__).with_name("equivalent.md")
OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.FloorDiv, ast.Mod)
ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
FEWEST = 20
LIMIT = 10.0  # seconds: several times what any solution takes


class Mutant(NamedTuple):
    """One changed solution."""

    lesson: str
    exercise: str
    what: str
    source: str

    @property
    def name(self) -> str:
        """What it is called in the list of those that are right as well."""
        return f"{self.lesson[:2]} {self.exercise}: {self.what}"


def others(node: ast.expr) -> Iterator[ast.expr]:
    """Expressions that somebody may have written in the place of another."""
    match node:
        case ast.BinOp(left, operator, right):
            yield from (ast.BinOp(left, other(), right) for other in OPERATORS if not isinstance(operator, other))
            yield from (left, right)
            if not isinstance(operator, ast.Add | ast.Mult):  # which are the same both ways
                yield ast.BinOp(right, operator, left)
        case ast.Compare(left, [operator], [right]) if isinstance(operator, ORDERS):
            yield from (ast.Compare(left, [other()], [right]) for other in ORDERS if not isinstance(operator, other))
        case ast.Compare(left, [ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]) | ast.UnaryOp(operand=left):
            yield left
        case ast.BoolOp(operator, [first, *rest]):
            yield first
            yield ast.BoolOp(operator, rest) if rest[1:] else rest[0]
        case ast.Constant(bool()):
            yield ast.Constant(not node.value)
        case ast.Constant(int() | float() as number):
            yield from (ast.Constant(other) for other in (number + 1, number - 1, 0, 2 * number) if other != number)
        case ast.Call(ast.Attribute(value), arguments):
            yield value
            yield from arguments[:1]
        case ast.Call(_, [argument, *_]):
            yield argument
        case ast.Subscript(value, ast.Slice()):
            yield value
        case ast.IfExp(_, body, orelse):
            yield from (body, orelse)
        case ast.Constant(str() as word) if word.isidentifier():
            yield ast.Constant(f"{word}_")
        case ast.Tuple(parts) if len(parts) > 1 and isinstance(node.ctx, ast.Load):
            if len(parts) == 2 and not all(isinstance(part, ast.Constant) for part in parts):  # not a key, nor a set
                yield ast.Tuple(parts[::-1], ast.Load())
            yield from (ast.Tuple([*parts[:k], *parts[k + 1 :]], ast.Load()) for k, _ in enumerate(parts))
        case _:
            return


def replaced(text: str) -> Iterator[tuple[str, str]]:
    """Every text in which one expression of a function is another, with the change in words."""
    tree = ast.parse(text)
    places = [
        (field, i, node, parent, names_of(function))
        for function in ast.walk(tree) if isinstance(function, ast.FunctionDef | ast.Lambda)
        for statement in (function.body if isinstance(function.body, list) else [function.body])
        for parent in ast.walk(statement)
        for field, value in ast.iter_fields(parent)
        for i, node in enumerate(value if isinstance(value, list) else [value])
        if isinstance(node, ast.expr) and getattr(parent, "arg", "") != "strict"
    ]  # fmt: skip
    for field, i, node, parent, names in places:
        here = names if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in names else ()
        for other in [*others(node), *(ast.Name(name, ast.Load()) for name in here if name != node.id)]:
            held = getattr(parent, field)
            new = copy.deepcopy(other)
            if isinstance(held, list):
                held[i] = new
            else:
                setattr(parent, field, new)
            yield f"`{ast.unparse(node)}` → `{ast.unparse(other)}`", ast.unparse(ast.fix_missing_locations(tree))
            if isinstance(held, list):
                held[i] = node
            else:
                setattr(parent, field, node)


def names_of(function: ast.FunctionDef | ast.Lambda) -> tuple[str, ...]:
    """What a function calls its arguments."""
    return tuple(each.arg for each in function.args.args if each.arg != "self")


def answers_changed(text: str) -> Iterator[tuple[str, str]]:
    """Every text in which one part of an answer that is no function is another, or its neighbour's."""
    tree = ast.parse(text)
    dicts = [
        node for s in tree.body if isinstance(s, ast.Assign) for node in ast.walk(s.value) if isinstance(node, ast.Dict)
    ]
    places = [(node.values, k, ast.unparse(key or node)) for node in dicts for k, key in enumerate(node.keys)]
    places = [place for place in places if not isinstance(place[0][place[1]], ast.Dict)]
    given = {ast.unparse(values[k]): values[k] for values, k, _ in places}
    for values, k, key in places:
        was = values[k]
        for other in [*given.values(), *others(was)]:
            if ast.unparse(other) != ast.unparse(was):
                values[k] = other
                yield f"{key} `{ast.unparse(was)}` → `{ast.unparse(other)}`", ast.unparse(tree)
        values[k] = was


def exchanged(text: str) -> Iterator[tuple[str, str]]:
    """Every text in which two parts of an answer that is no function have changed places."""
    tree = ast.parse(text)
    dicts = [s.value for s in tree.body if isinstance(s, ast.Assign) and isinstance(s.value, ast.Dict)]
    for values, keys in ((node.values, node.keys) for node in dicts):
        for i, k in combinations(range(len(values)), 2):
            if ast.unparse(values[i]) != ast.unparse(values[k]):
                values[i], values[k] = values[k], values[i]
                yield f"{ast.unparse(keys[i] or tree)} and {ast.unparse(keys[k] or tree)} exchanged", ast.unparse(tree)
                values[i], values[k] = values[k], values[i]


def mutants_of(lesson: str, exercise: str) -> list[Mutant]:
    """All mutants of the solution of an exercise, each source once; of a short one two changes, and other answers'."""
    cell = starters(lesson)[f"{exercise}-exercise"]
    solved = split((room("solutions") / f"s{lesson}.py").read_text("utf-8"))[f"{exercise}-exercise"]
    found, argued = changes(solved, ""), reasons()

    def few() -> bool:
        return sum(f"{lesson[:2]} {exercise}: {what}" not in argued for what in found.values()) < FEWEST

    if few():
        found |= {source: what for what, source in exchanged(solved)}
    for number, other in enumerate(source for name, source in variants("strangers", lesson, "r") if name == exercise):
        if few() and any(isinstance(s, ast.FunctionDef) for s in ast.parse(other).body):
            found |= changes(other, f", by stranger {number}")
    names, made = dict[str, int](), list[Mutant]()
    for source, what in found.items():
        names[what] = names.get(what, 0) + 1
        said = what if names[what] == 1 else f"{what} ({names[what]})"
        made.append(Mutant(lesson, exercise, said, placed(cell, source)))
    return made


def changes(text: str, where: str) -> dict[str, str]:
    """All texts in which one thing of an answer is another, with the change in words."""
    plain = [(m.what.replace("`: ", "` ", 1), changed(text, m.index)) for m in mutants("", text)]
    found: dict[str, str] = {}
    for what, source in [*replaced(text), *answers_changed(text), *plain]:
        found.setdefault(source, what + where)
    usual = ast.unparse(ast.parse(text)).replace("strict=True", "strict=False")  # which is there for mistakes only
    return {source: what for source, what in found.items() if parses(source)
            and source.replace("strict=True", "strict=False") != usual}  # fmt: skip


def parses(source: str) -> bool:
    """Whether a text is Python at all: an f-string cannot hold everything."""
    try:
        ast.parse(source)
    except SyntaxError:
        return False
    return True


def apart(ask: Callable[[], Any], seconds: float = 2 * LIMIT) -> Any:
    """What a question gives in a fork of this process: nothing that the code does there is seen here."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1), os.dup2(null, 2)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        try:
            said = json.dumps(ask())
        except BaseException as error:
            said = json.dumps(f"fault: {type(error).__name__}: {error}")
        os.write(writer, said.encode()[:60_000])
        os._exit(0)
    os.close(writer)
    until = time.monotonic() + seconds
    while os.waitpid(child, os.WNOHANG)[0] == 0:
        if time.monotonic() > until:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            break
        time.sleep(0.002)
    with os.fdopen(reader, "rb") as file:
        return json.loads(file.read() or b'"Late"')


def outcome(mutant: Mutant) -> tuple[str, str]:
    """What judge and check say of a mutant."""
    answer = apart(lambda: judged(mutant.lesson, mutant.exercise, mutant.source, seconds=LIMIT))
    return answer, apart(lambda: checked(mutant.lesson, mutant.exercise, mutant.source, seconds=LIMIT))


def reasons() -> dict[str, str]:
    """The mutants that are right as well, each with the reason why: `- NAME — REASON`."""
    lines = ARGUED.read_text("utf-8").splitlines() if ARGUED.exists() else []
    return dict(line.removeprefix("- ").split(" — ", 1) for line in lines if line.startswith("- ") and " — " in line)


def main(asked: list[str]) -> int:
    known, wrong, total = reasons(), 0, 0
    for lesson in judged_lessons():
        for exercise in exercises(lesson):
            if asked and not {lesson[:2], f"{lesson[:2]}/{exercise}"} & {*asked}:
                continue
            every = mutants_of(lesson, exercise)
            survived = 0
            for mutant in every:
                answer, says = outcome(mutant)
                done = says.startswith("done")
                survived += not answer
                blind = not answer and mutant.name not in known
                if blind or (done and answer) or answer.startswith("fault"):
                    wrong += 1
                    print(f"- {mutant.name} | {answer or 'EARNS'} | {says[:100]}", flush=True)
            total += len(every)
            print(f"{lesson} {exercise}: {len(every)} mutants, {survived} earn points", flush=True)
    print(f"{total} mutants, {wrong} to look at")
    return wrong


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]) > 0)
