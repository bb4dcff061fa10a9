"""The check of the reader's order of rewrites: the one that saves most at each moment comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..values import plain
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Step = dict[str, float]  # microseconds of loader, data, work and overhead
Rewrite = tuple[str, str, float]  # a name, the term that it makes shorter, and how many times
Order = Callable[[Step, list[Rewrite]], Any]
ASKED: dict[str, tuple[Step, list[Rewrite]]] = {
    "bound by overhead": (
        {"loader": 50, "data": 40, "work": 10, "overhead": 160},
        [("bfloat16", "data", 2), ("better kernels", "work", 5), ("compile", "overhead", 8)],
    ),
    "bound by the loader": (
        {"loader": 900, "data": 300, "work": 200, "overhead": 100},
        [("fuse", "data", 3), ("compile", "overhead", 10), ("workers", "loader", 4), ("bfloat16", "data", 2)],
    ),
    "the loader binds again later": (
        {"loader": 400, "data": 100, "work": 600, "overhead": 100},
        [("workers", "loader", 8), ("fuse", "data", 2), ("tensor cores", "work", 6), ("compile", "overhead", 5)],
    ),
    "two for one term": (
        {"loader": 10, "data": 600, "work": 100, "overhead": 250},
        [("compile", "overhead", 5), ("bfloat16", "data", 2), ("fuse", "data", 3), ("better kernels", "work", 2)],
    ),
    "the loader is nearly as slow": (
        {"loader": 500, "data": 100, "work": 400, "overhead": 90},
        [("workers", "loader", 8), ("compile", "overhead", 5), ("tensor cores", "work", 6), ("fuse", "data", 2)],
    ),
    "a large factor of a small term": (
        {"loader": 10, "data": 500, "work": 20, "overhead": 90},
        [("tensor cores", "work", 16), ("compile", "overhead", 3), ("fuse", "data", 1.5)],
    ),
}


def time_after(step: Mapping[str, float], rewrites: Sequence[Rewrite], made: Sequence[str] = ()) -> float:
    """What a step takes after some rewrites: the iron law's three terms, or the loader where that is longer.

    Example:
        >>> step = {"loader": 900, "data": 300, "work": 200, "overhead": 100}
        >>> time_after(step, []), time_after(step, [("workers", "loader", 4)], ["workers"])
        (900, 600)
    """
    now = dict(step)
    for name, term, times in rewrites:
        if name in made:
            now[term] = now[term] / times
    return max(now["loader"], now["data"] + now["work"] + now["overhead"])


def misnamed(rewrites: Sequence[Rewrite], order: Any) -> str | None:
    """Whether an answer is no order of these rewrites.

    Example:
        >>> misnamed([("fuse", "data", 3)], ["fuse"]), misnamed([("fuse", "data", 3)], [])
        (None, 'your list has 0 names, and there are 1 rewrites. Every one is made, sooner or later.')
    """
    if not isinstance(order, list):
        return f"your function gives {order!r:.60}. It is a list of names."
    for each in order:
        if isinstance(each, list | dict):
            return f"your list holds {each!r:.50}. It holds names alone."
        if each not in [name for name, _, _ in rewrites]:
            return f"you name {each!r:.20}, and no rewrite has that name."
    if len(set(order)) < len(order):
        return "a name is on your list twice."
    if len(order) < len(rewrites):
        many = f"your list has {len(order)} names, and there are {len(rewrites)} rewrites"
        return f"{many}. Every one is made, sooner or later."
    return None


def first_fault(step: Step, rewrites: Sequence[Rewrite], order: Sequence[str]) -> tuple[int, str, float, float] | None:
    """The first place where another rewrite would save more: its number, the better one, and what both save.

    Example:
        >>> step, rewrites = ASKED["bound by overhead"]
        >>> first_fault(step, rewrites, ["bfloat16", "compile", "better kernels"])
        (0, 'compile', 140.0, 20.0)
    """
    for n, name in enumerate(order):
        made = list(order[:n])
        now = time_after(step, rewrites, made)
        saved = {each: now - time_after(step, rewrites, [*made, each]) for each in order[n:]}
        best = max(saved, key=lambda each: saved[each])
        if saved[best] > saved[name] + 1e-6:
            return n, best, saved[best], saved[name]
    return None


@answering
def check_order(order: Order) -> Verdict:
    """Check the reader's order on six steps, by what each rewrite saves when it is made."""
    answers: dict[str, Any] = {}
    for name, (step, rewrites) in ASKED.items():
        found, error = attempt(order, dict(step), list(rewrites))
        if error is not None:
            return stopped("your function", error)
        answers[name] = plain(found)
    if all(answers[name] == [each for each, _, _ in rewrites] for name, (_, rewrites) in ASKED.items()):
        return unwritten("the rewrites are made in the order in which they come.")
    for name, (step, rewrites) in ASKED.items():
        if (problem := misnamed(rewrites, answers[name])) is not None:
            return not_yet(problem)
        if (fault := first_fault(step, rewrites, answers[name])) is not None:
            return not_yet(f"{thought(step, rewrites, answers[name], fault[0])} {said(name, answers[name], *fault)}")
    return done("the largest saving is found again after every rewrite, because each changes what the next can save.")


def said(name: str, order: Sequence[str], n: int, best: str, most: float, saved: float) -> str:
    """What would have saved more, and where."""
    when = f"after {', '.join(order[:n])}" if n else "at first"
    return f"{name}, {when}: {order[n]} saves {saved:.0f} µs, and {best} saves {most:.0f} µs."


def thought(step: Step, rewrites: Sequence[Rewrite], order: Sequence[str], n: int) -> str:
    """The thought that leads to another order."""
    factors, terms = {name: times for name, _, times in rewrites}, {name: term for name, term, _ in rewrites}
    parts = {name: step[term] * (1 - 1 / times) for name, term, times in rewrites}
    falling = [factors[name] for name in order]
    if terms[order[n]] != "loader" and time_after(step, rewrites, order[:n]) == loader_after(step, rewrites, order[:n]):
        return "the loader sets the pace there, so whatever makes the rest faster saves nothing until it is mended."
    if terms[order[n]] == "loader":
        return "nothing waits for the loader there: the step itself is slower, and the loader saves nothing yet."
    if falling == sorted(falling, reverse=True):
        return "you sort by the factor. A large factor of a small term saves little."
    if list(order) == sorted(order, key=lambda each: -parts[each]):
        return "you compare what they save of the first step. Each rewrite makes another step of it: compare again."
    return "each time, make the rewrite that saves the most of what the step takes now."


def loader_after(step: Step, rewrites: Sequence[Rewrite], made: Sequence[str]) -> float:
    """What the loader takes after some rewrites."""
    return time_after({**step, "data": 0.0, "work": 0.0, "overhead": 0.0}, rewrites, made)
