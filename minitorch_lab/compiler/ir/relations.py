"""What is known of sizes: relations between expressions, what follows from them, and what an answer relies on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from .expressions import Expression, number, reduced, symbol


@dataclass(frozen=True, slots=True)
class Relation:
    """`difference == 0`, or else `difference >= 0`."""

    equal: bool
    difference: Expression

    def holds(self, values: Mapping[str, int]) -> bool:
        """Whether it does for given symbols."""
        found = self.difference.at(values)
        return found == 0 if self.equal else found >= 0

    def __str__(self) -> str:
        """What is added on the left; what is taken off, and the number alone, on the right."""
        start = sum(n for factors, n in self.difference.terms if not factors)
        added = Expression(tuple((f, n) for f, n in self.difference.terms if n > 0 and f))
        taken = Expression(tuple((f, -n) for f, n in self.difference.terms if n < 0 and f))
        if not added.terms:
            return f"{taken} {'==' if self.equal else '<='} {start}"
        return f"{added} {'==' if self.equal else '>='} {taken - number(start)}"


def equal(a: Expression, b: Expression) -> Relation:
    """`a == b`."""
    found = reduced(a - b)
    found = number(1) if found is None else found
    return Relation(True, -found if found.terms and found.terms[0][1] < 0 else found)


def at_least(a: Expression, b: Expression) -> Relation:
    """`a >= b`."""
    return Relation(False, a - b)


def otherwise(relation: Relation) -> Relation:
    """What holds where `a >= b` does not."""
    return Relation(False, -relation.difference - number(1))


class Relations:
    """Symbols, the numbers that they stand for in the call at hand, and the relations that answers rely on."""

    def __init__(self) -> None:
        self.hints: dict[str, int] = {}
        self.given: dict[str, int] = {}  # what a symbol is never below, by what it stands for
        self.bounds: dict[str, int] = {}  # and by what is known
        self.known: dict[Relation, bool] = {}
        self.replaced: dict[str, Expression] = {}
        self.relations: list[tuple[Relation, bool]] = []

    def decide(self, relation: Relation) -> bool:
        """Whether a relation holds; if that does not follow from what is known, it is noted that it was asked."""
        relation = Relation(relation.equal, relation.difference.replaced(self.replaced))
        found = self.follows(relation)
        if found is None:
            found = relation.holds(self.hints)
            said = relation if found or relation.equal else otherwise(relation)
            self.note(said, found or not relation.equal)
            self.learn(relation, found)
        return found

    def follows(self, relation: Relation) -> bool | None:
        """What is known of a relation."""
        difference, least = relation.difference, self.bounds.get
        if difference.constant is not None:
            return relation.holds({})
        if relation in self.known:
            return self.known[relation]
        above, below = difference.least(least), (-difference).least(least)
        if relation.equal:
            return False if (above or 0) > 0 or (below or 0) > 0 else None
        return True if above is not None and above >= 0 else False if (below or 0) > 0 else None

    def learn(self, relation: Relation, holds: bool) -> None:
        """Rely on an answer from now on."""
        self.known[relation] = holds
        difference = relation.difference.replaced(self.replaced)
        if relation.equal and holds:
            self.replace(difference)
        if not relation.equal:
            bound = difference if holds else -difference - number(1)
            head, *rest = bound.terms or [((), 0)]
            if len(head[0]) == 1 and isinstance(head[0][0], str) and head[1] == 1 and all(not f for f, _ in rest):
                name, start = head[0][0], -sum(n for _, n in rest)
                self.bounds[name] = max(start, self.bounds.get(name, start))

    def replace(self, difference: Expression) -> None:
        """Let a symbol be what it must be for the difference to be 0: the last one of those that stand alone."""
        alone = [(f[0], n) for f, n in difference.terms if len(f) == 1 and isinstance(f[0], str) and abs(n) == 1]
        for name, n in reversed(alone):
            rest = difference - symbol(name) * number(n)
            if name not in rest.symbols:
                new = {name: rest if n < 0 else -rest}
                self.replaced = {k: e.replaced(new) for k, e in self.replaced.items()} | new
                return

    def note(self, relation: Relation, holds: bool) -> None:
        """Told of everything that an answer relies on."""
        self.relations.append((relation, holds))

    def exact(self, expression: Expression) -> int:
        """The number itself: from now on it is relied on."""
        found = expression.at(self.hints)
        self.decide(equal(expression, number(found)))
        return found

    def fix(self, symbols: Iterable[str]) -> None:
        """Rely on the numbers of some symbols."""
        for name in sorted(symbols):
            self.exact(symbol(name))
