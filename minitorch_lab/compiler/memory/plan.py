"""The memory plan: where in one arena every temporary lies, when it is known how long each is needed.

A life is a stretch of steps in which some bytes are needed. Two lives that have a step in common need bytes of their
own; others may share. What lives at the busiest step is a bound that no plan can be below. To meet it in general is
hard (dynamic storage allocation, Garey and Johnson, problem SR2), so a few greedy orders are tried and the best is
taken; training steps nearly always meet the bound.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ...errors import PlanError

ALIGNMENT = 64  # bytes: a cache line, and the widest vector there is


@dataclass(frozen=True, slots=True)
class Life:
    """Some bytes, from the step that writes them first to the step that reads them last, both included.

    Values that take over each other's memory in place are one life, and have its `names`.
    """

    nbytes: int
    first: int
    last: int
    names: tuple[str, ...] = ()

    def meets(self, other: Life) -> bool:
        """Whether there is a step at which both are needed."""
        return self.first <= other.last and other.first <= self.last

    def __str__(self) -> str:
        """`mul → add`."""
        return " → ".join(self.names) or f"{self.nbytes} bytes"


Planner = Callable[[Sequence[Life]], Sequence[int]]  # the offset of every life, in bytes


@dataclass(frozen=True, slots=True)
class Plan:
    """Lives, and their offsets in the arena. `steps` names the steps; `alignment` is what offsets are multiples of."""

    lives: tuple[Life, ...]
    offsets: tuple[int, ...]
    steps: tuple[str, ...] = ()
    alignment: int = 1

    @property
    def size(self) -> int:
        """Bytes of the arena."""
        return max((at + life.nbytes for at, life in zip(self.offsets, self.lives, strict=True)), default=0)

    @property
    def bound(self) -> int:
        """Bytes that are alive at the busiest step: no plan for these lives can do with less."""
        return max(timeline(self.lives), default=0)

    @property
    def unshared(self) -> int:
        """Bytes if every life had memory of its own."""
        return sum(life.nbytes for life in self.lives)

    @property
    def busiest(self) -> int:
        """The first step at which `bound` bytes are alive."""
        live = timeline(self.lives)
        return live.index(max(live)) if live else 0

    def at(self, name: str) -> int:
        """Where the value of this name lies."""
        return next(at for at, life in zip(self.offsets, self.lives, strict=True) if name in life.names)

    def __str__(self) -> str:
        """A table in the order of the steps, under a line that compares the arena with its bound."""
        if not self.lives:
            return "arena: 0 bytes, nothing is kept"
        busiest = self.steps[self.busiest] if self.steps else f"step {self.busiest}"
        head = (
            f"arena: {self.size:,} bytes, {self.size / self.bound:.2f} × the {self.bound:,} alive at {busiest}; "
            f"{self.unshared:,} without sharing"
        )
        rows = [("offset", "bytes", "steps", "values")]
        for at, life in sorted(zip(self.offsets, self.lives, strict=True), key=lambda pair: (pair[1].first, pair[0])):
            rows.append((f"{at:,}", f"{life.nbytes:,}", f"{life.first}–{life.last}", str(life)))
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        lines = ["  ".join([*(c.rjust(w) for c, w in zip(row, widths, strict=False)), row[3]]) for row in rows]
        return "\n".join([head, *lines])


def timeline(lives: Sequence[Life]) -> list[int]:
    """The bytes that are alive at every step.

    Example:
        >>> timeline([Life(8, 0, 2), Life(4, 1, 1), Life(4, 2, 3)])
        [8, 12, 12, 4]
    """
    change = [0] * (max((life.last for life in lives), default=-1) + 2)
    for life in lives:
        change[life.first] += life.nbytes
        change[life.last + 1] -= life.nbytes
    return list(accumulate(change))[:-1]


def planned(
    lives: Sequence[Life], planner: Planner | None = None, alignment: int = ALIGNMENT, steps: Sequence[str] = ()
) -> Plan:
    """A plan for these lives, checked.

    Args:
        lives: What needs memory, and when.
        planner: A function from lives to their offsets; `best_of_orders` if left out.
        alignment: Bytes that every offset is a multiple of. The lives are rounded up to it.
        steps: The names of the steps, for those who read the plan.

    Raises:
        PlanError: Two lives that meet share bytes, or an offset is no multiple of `alignment`.

    Example:
        >>> print(planned([Life(64, 0, 1, ("a",)), Life(64, 1, 2, ("b",)), Life(128, 2, 3, ("c",))]))
        arena: 192 bytes, 1.00 × the 192 alive at step 2; 256 without sharing
        offset  bytes  steps  values
             0     64    0–1  a
           128     64    1–2  b
             0    128    2–3  c
    """
    whole = tuple(Life(-(-x.nbytes // alignment) * alignment, x.first, x.last, x.names) for x in lives)
    plan = Plan(whole, tuple((planner or best_of_orders)(whole)), tuple(steps), alignment)
    check(plan)
    return plan


def check(plan: Plan) -> None:
    """Refuse a plan that would spoil a value.

    Raises:
        PlanError: There are not as many offsets as lives, or one is negative or out of line, or two lives that meet
            share bytes.
    """
    if len(plan.offsets) != len(plan.lives):
        raise PlanError(
            f"A plan of {len(plan.offsets)} offsets for {len(plan.lives)} lives.",
            "Every life needs one place, for as long as it lasts.",
            "Did you mean to give one offset for each life, in the order of the lives?",
        )
    placed = list(zip(plan.offsets, plan.lives, strict=True))
    for at, life in placed:
        if at < 0 or at % plan.alignment:
            raise PlanError(
                f"{life} lies at byte {at}.",
                f"Offsets are multiples of {plan.alignment}, from 0 up.",
                f"Did you mean {max(0, -(-at // plan.alignment) * plan.alignment)}?",
            )
    for i, (at, life) in enumerate(placed):
        for other_at, other in placed[:i]:
            if life.meets(other) and at < other_at + other.nbytes and other_at < at + life.nbytes:
                raise overlapping(at, life, other_at, other)


def overlapping(at: int, life: Life, other_at: int, other: Life) -> PlanError:
    """The error of two lives that meet and share bytes."""
    return PlanError(
        f"{other} lies at bytes {other_at}–{other_at + other.nbytes} and {life} at {at}–{at + life.nbytes}.",
        f"Both are needed from step {max(life.first, other.first)} to step {min(life.last, other.last)}, "
        "so writing one spoils the other.",
        f"Did you mean to put {life} at byte {other_at + other.nbytes}?",
    )


# ---- planners -------------------------------------------------------------------------------------------------------


def best_of_orders(lives: Sequence[Life]) -> list[int]:
    """The best of what `placed` gives for a few orders: large ones first, long ones first, as they come.

    Example:
        >>> best_of_orders([Life(4, 0, 1), Life(4, 1, 2), Life(8, 2, 3)])
        [0, 8, 0]
    """
    bound = max(timeline(lives), default=0)
    best: list[int] = []
    smallest: float = float("inf")
    for key in ORDERS:
        offsets = placed(lives, sorted(range(len(lives)), key=lambda i: key(lives[i])))
        size = max((at + life.nbytes for at, life in zip(offsets, lives, strict=True)), default=0)
        if size < smallest:
            best, smallest = offsets, size
        if size == bound:
            break
    return best


ORDERS: tuple[Callable[[Life], tuple[int, ...]], ...] = (
    lambda x: (-x.nbytes, x.first),
    lambda x: (x.first - x.last, -x.nbytes),
    lambda x: ((x.first - x.last) * x.nbytes, x.first),
    lambda x: (x.first, -x.nbytes),
    lambda x: (-x.last, -x.nbytes),
)


def placed(lives: Sequence[Life], order: Sequence[int]) -> list[int]:
    """Offsets of the lives, given one after the other the smallest hole that they fit into; else room on top.

    A hole lies between bytes that are taken at some step of the life.
    """
    offsets: dict[int, int] = {}
    for i in order:
        life, meeting = lives[i], sorted((offsets[j], lives[j].nbytes) for j in offsets if lives[i].meets(lives[j]))
        top, hole, found = 0, float("inf"), -1
        for at, nbytes in meeting:
            if life.nbytes <= at - top < hole:
                hole, found = at - top, top
            top = max(top, at + nbytes)
        offsets[i] = top if found < 0 else found
    return [offsets[i] for i in range(len(lives))]
