"""The check of the reader's order of requests: what is free must stay in one piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..values import plain, shown
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .trace import Request, allocator_of

MIB = 1 << 20
ROOM = 64  # MiB
Wish = tuple[str, int, int]  # a name, MiB, and the step after which it is given back
Order = Callable[[list[Wish]], Any]
WISHES: dict[str, list[Wish]] = {
    "weights between their scratch": [
        ("w1", 6, 9), ("scratch1", 4, 1), ("w2", 8, 9), ("scratch2", 6, 1), ("w3", 4, 9), ("scratch3", 8, 1)
    ],
    "three lifetimes": [("a", 4, 1), ("b", 8, 3), ("c", 4, 2), ("d", 8, 1), ("e", 6, 3), ("f", 4, 2)],
    "the longest comes last": [("a", 12, 1), ("b", 10, 2), ("c", 6, 3), ("d", 4, 4)],
    "small ones stay": [("a", 20, 1), ("b", 2, 9), ("c", 20, 2), ("d", 2, 9)],
    "all go together": [("a", 6, 1), ("b", 8, 1), ("c", 4, 1)],
}  # fmt: skip


def pieces(wishes: Sequence[Wish], order: Sequence[str]) -> list[tuple[int, int, int]]:
    """Step, free MiB and the largest free piece, after every step after which something is given back.

    Example:
        >>> pieces([("a", 8, 1), ("b", 8, 2)], ["a", "b"])
        [(1, 56, 48), (2, 64, 64)]
    """
    allocator, sizes = allocator_of(ROOM * MIB), {name: n for name, n, _ in wishes}
    allocator.free(allocator.allocate(ROOM * MIB))  # one segment, as one piece
    at = {name: allocator.allocate(sizes[name] * MIB) for name in order}
    found: list[tuple[int, int, int]] = []
    for step in sorted({until for _, _, until in wishes}):
        for name, _, until in wishes:
            if until == step:
                allocator.free(at[name])
        free = allocator.free_sizes()
        found.append((step, sum(free) // MIB, free[0] // MIB))
    return found


def requests_in(wishes: Sequence[Wish], order: Sequence[str], steps: int) -> list[Request]:
    """The requests of a program that makes everything in this order, and gives back what ends within some steps."""
    sizes, ends = {name: n for name, n, _ in wishes}, {name: until for name, _, until in wishes}
    made = [Request("allocate", name, sizes[name] * MIB, "", None) for name in order]
    return made + [Request("free", name, sizes[name] * MIB, "", None) for name in order if ends[name] <= steps]


def layout(wishes: Sequence[Wish], order: Any, steps: int = 0) -> str:
    """The segment of 64 MiB after some steps, if everything is made in this order: a character for every 2 MiB.

    Example:
        >>> print(layout([("a", 8, 1), ("b", 8, 2)], ["a", "b"], steps=1))
        after step 1  ····bbbb························  56 MiB free, the largest piece 48
    """
    problem = misnamed(wishes, order := plain(order))
    if problem is not None:
        return f"no picture: {problem}"
    allocator, at, sizes = allocator_of(ROOM * MIB), dict[str, int](), {name: n for name, n, _ in wishes}
    allocator.free(allocator.allocate(ROOM * MIB))
    for each in requests_in(wishes, order, steps):
        if each.kind == "allocate":
            at[each.name] = allocator.allocate(each.nbytes)
        else:
            allocator.free(at.pop(each.name))
    cells = ["·"] * (ROOM // 2)
    for name, begin in at.items():
        first, count = begin // (2 * MIB), sizes[name] // 2
        cells[first : first + count] = name[0] * count
    free = [n // MIB for n in allocator.free_sizes()]
    return f"after step {steps}  {''.join(cells)}  {sum(free)} MiB free, the largest piece {max(free, default=0)}"


def misnamed(wishes: Sequence[Wish], order: Any) -> str | None:
    """Whether an answer is no order of these names."""
    if not isinstance(order, list):
        return f"your function gives {shown(order)}. It is a list of names."
    names = [name for name, _, _ in wishes]
    for each in order:
        if isinstance(each, list):
            return f"your list holds {shown(each)}. It holds names alone."
        if each not in names:
            return f"you name {each!r:.20}, and nothing has that name."
    if len(order) < len(names):
        return f"your list has {len(order)} names, and {len(names)} things are asked for. Every one is made."
    return "a name is on your list twice." if len(set(order)) < len(order) or len(order) > len(names) else None


@answering
def check_order(order: Order) -> Verdict:
    """Check the reader's order: after every step the house's allocator has to have all that is free in one piece."""
    answers: dict[str, Any] = {}
    for name, wishes in WISHES.items():
        found, error = attempt(order, list(wishes))
        if error is not None:
            return stopped("your function", error)
        answers[name] = plain(found)
    if all(answers[name] == [each for each, _, _ in wishes] for name, wishes in WISHES.items()):
        return unwritten("everything is made in the order in which it comes.")
    for name, wishes in WISHES.items():
        if (problem := misnamed(wishes, answers[name])) is not None:
            return not_yet(problem)
        for step, free, largest in pieces(wishes, answers[name]):
            if largest < free:
                said = f"After step {step} {free} MiB are free, and the largest piece has {largest}: {name}."
                return not_yet(f"{torn(wishes, answers[name])} {said}")
    return done("whatever goes, goes from the top: all that is free is one piece, and one request may have all of it.")


def torn(wishes: Sequence[Wish], order: list[str]) -> str:
    """Why what is free is not in one piece."""
    ends, sizes = {name: until for name, _, until in wishes}, {name: n for name, n, _ in wishes}
    until, size = [ends[name] for name in order], [sizes[name] for name in order]
    if until == sorted(until):
        return "you make first what goes first. Then the hole is below what stays, and the rest of the room above it."
    if len(set(size)) > 1 and size in (sorted(size), sorted(size, reverse=True)):
        return "you sort by size. How large something is does not matter here; how long it stays does."
    if until[0] == max(until):
        return "what stays longest is first, but further up something short-lived lies between what stays longer."
    return "something that goes early lies below something that stays."
