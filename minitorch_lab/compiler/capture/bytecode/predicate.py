"""One predicate for the guards that stand in a row. What is read for a guard is named inside it, where it is read."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any, cast

from .guards import Answer
from .tree import Guard, Line, Node, leading
from .wording import Wording

WIDTH = 112  # of a line of the predicate
READ = re.compile(r"(\w+) = (.+)")
NEW = re.compile(r"id\((\w+)\) in _seen")
MET = "seen "
Test = Callable[[str, Answer], str]  # the expression of a guard: that a subject has an answer


class Objects:
    """The objects from outside that a path has met: they were different ones, and must be again.

    Only objects of one type can be one and the same, so only those are compared.
    """

    def __init__(self, before: Objects | None = None) -> None:
        self.kinds: dict[str, type] = {} if before is None else dict(before.kinds)
        self.met: list[str] = [] if before is None else list(before.met)
        self.again: set[str] = set() if before is None else set(before.again)

    def beside(self, guard: Guard, key: Answer) -> Objects:
        """The same for a branch that begins with an answer."""
        found = Objects(self)
        found.learn(guard, key)
        return found

    def learn(self, guard: Guard, key: Answer) -> None:
        """Note the type that a guard tells, or that an object was met before."""
        if key[1] is True and (name := NEW.fullmatch(guard.subject)) is not None:
            self.again.add(name[1])
        if key[0] in ("type", "tensor"):
            self.kinds[guard.subject] = cast(type, key[1])
        if key[0] == "keys" and guard.subject.isidentifier():
            self.kinds[guard.subject] = tuple

    def meets(self, line: Line) -> bool:
        """Whether a line notes that an object was met: nothing of it stands in the program."""
        if line.name.startswith(MET):
            self.met.append(line.name.removeprefix(MET))
        return line.name.startswith(MET)

    def alike(self, name: str) -> list[str]:
        """The objects met so far that `name` could be. One that has another name already is met under that."""
        kind = self.kinds.get(name)
        others = [n for n in self.met if n != name and n not in self.again]
        return [n for n in others if kind is None or self.kinds.get(n, kind) is kind]

    def test(self, guard: Guard, key: Answer, test: Test) -> str:
        """The test of a guard."""
        name = NEW.fullmatch(guard.subject)
        if name is None:
            return test(guard.subject, key)
        alike = self.alike(name[1])
        if key[1]:
            return f"({' or '.join(f'{name[1]} is {n}' for n in alike)})" if alike else "False"
        return " and ".join(f"{name[1]} is not {n}" for n in alike) or "True"


@dataclass(slots=True)
class Together:
    """Guards of tensors in a row, asked at once."""

    asked: list[tuple[str, Answer]] = field(default_factory=list[Any])

    def text(self, wording: Wording) -> tuple[str, str]:
        """Their test, and the facts in words."""
        subjects, keys = zip(*self.asked, strict=True)
        return wording.together(list(subjects), list(keys))


class Predicate:
    """The tests of a run of guards, joined by `and`."""

    def __init__(self, wording: Wording, objects: Objects) -> None:
        self.wording, self.test, self.objects = wording, wording.test, objects
        self.asked: list[tuple[Guard, Answer]] = []
        self.reads: list[Line] = []  # what is read in the tests, in order
        self.parts: list[str | Together] = []
        self.new: list[str] = []  # the objects that must be others than all met before them
        self.pending: list[Line] = []  # reads that no guard has named yet

    def takes(self, line: Line) -> bool:
        """Whether a line is a read that cannot fail: it waits for its guard."""
        return line.safe and READ.fullmatch(line.text) is not None

    def fits(self, guard: Guard, key: Answer) -> bool:
        """Whether a guard can join: all that was read since the last one is named in its test."""
        if not self.pending:
            return True
        text = self.objects.test(guard, key, self.test)
        return len(self.pending) == 1 and self.pending[0].name in re.findall(r"\w+", text)

    def join(self, guard: Guard, key: Answer) -> None:
        """Add the test of a guard."""
        self.asked.append((guard, key))
        self.objects.learn(guard, key)
        name = NEW.fullmatch(guard.subject)
        if name is not None and not key[1]:
            self.new.append(name[1])
            return
        joins = self.wording.joins(key)
        text = guard.subject if joins else self.objects.test(guard, key, self.test)
        for line in self.pending:
            text = named(text, line)
        self.reads += self.pending
        self.pending.clear()
        if not joins:
            self.parts += text.split(" and ") if key[0] == "tensor" else [text]
            return
        last = self.parts[-1] if self.parts else None
        if not isinstance(last, Together):
            self.parts.append(last := Together())
        last.asked.append((text, key))

    def apart(self) -> list[str]:
        """The tests that new objects are none of those met before, nor each other."""
        groups: dict[tuple[str, ...], None] = {}
        for i, name in enumerate(self.new):
            met = [n for n in self.objects.alike(name) if n not in self.new[i:]]
            if met:
                groups = {g: None for g in groups if not set(g) <= {*met, name}}
                groups[(*met, name)] = None
        asked = [part for names in groups for part in self.wording.apart(names)]
        return [fill(part, WIDTH, subsequent_indent="    ") for part in asked]  # names alone: no text is broken

    def text(self, otherwise: Callable[[], str]) -> list[str]:
        """The statement: `otherwise` is what to do where a test fails."""
        rows, row = list[str](), ""
        for part in [*self.parts, *self.apart()]:
            if isinstance(part, Together):
                part, comment = part.text(self.wording)
                rows += [row, f"# {comment}"] if row else [f"# {comment}"]
                row = f"and {part}" if row else part
                continue
            longer = f"{row} and {part}" if row else part
            if row and len(longer) > WIDTH:
                rows.append(row)
                row = f"and {part}"
            else:
                row = longer
        if not row:
            return []
        if not rows and "\n" not in row:
            return [f"if not ({row}): {otherwise()}"]
        return ["if not (", *(f"    {line}" for r in (*rows, row) for line in r.splitlines()), f"): {otherwise()}"]

    def failed(self, space: dict[str, Any], log: dict[str, Any]) -> Node:
        """The guard that failed, in a call whose values are in `log`; or the read that did."""
        missing = next((line for line in self.reads if line.name not in log), None)
        for guard, key in self.asked:
            if missing is not None and missing.name in guard.uses:
                return missing
            if not self.holds(guard, key, space, log):
                return guard
        return self.asked[-1][0]  # another thread has changed something since

    def holds(self, guard: Guard, key: Answer, space: dict[str, Any], log: dict[str, Any]) -> bool:
        """Whether a guard has its answer; one that cannot even be asked has another."""
        name = NEW.fullmatch(guard.subject)
        try:
            if name is not None:
                return (id(log[name[1]]) in met(guard, log)) is key[1]
            return bool(eval(self.test(guard.subject, key), space, log))
        except Exception:
            return False


def met(node: Node, log: dict[str, Any]) -> set[int]:
    """The objects that were met on the way to a node, by identity."""
    names = [step.name for step, _ in leading(*node.parent or ()) if isinstance(step, Line)]
    return {id(log[name.removeprefix(MET)]) for name in names if name.startswith(MET)}


def named(text: str, line: Line) -> str:
    """A test in which what `line` reads is read and named at its first place."""
    read = READ.fullmatch(line.text)
    assert read is not None
    name, walrus = read[1], f"{read[1]} := {read[2]}"
    first = re.search(rf"\b{name}\b", text)
    assert first is not None
    before, after = text[: first.start()], text[first.end() :]
    inside = before.endswith("(") and after.startswith(")")
    return f"{before}{walrus}{after}" if inside else f"{before}({walrus}){after}"
