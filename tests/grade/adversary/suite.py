"""Every case at an isolation level, and what is counted: forged points, leaks, hangs, false zeros and what was left."""

from __future__ import annotations

import os
import time
from collections import Counter
from dataclasses import dataclass, field

from minitorch_lab.grade import Isolation, probe
from minitorch_lab.grade.inside import landlock, seccomp
from minitorch_lab.grade.run import REST, START
from minitorch_lab.grade.sandbox import find_bubblewrap
from tests.grade.adversary.case import Case
from tests.grade.adversary.exhausting import EXHAUSTING
from tests.grade.adversary.forging import FORGING
from tests.grade.adversary.hanging import HANGING
from tests.grade.adversary.honest import HONEST
from tests.grade.adversary.messages import MESSAGES
from tests.grade.adversary.reading import READING
from tests.grade.adversary.trials import SLOTS, World, complaints, leaks, tried

CASES = [*FORGING, *MESSAGES, *READING, *HANGING, *EXHAUSTING, *HONEST]
ROOT = os.getuid() == 0

KERNEL = ([*["landlock"] * bool(landlock.abi()), *["seccomp"] * seccomp.available()]) or None
LEVELS: dict[str, list[str]] = {"weak": []}
if KERNEL:
    LEVELS["kernel"] = KERNEL
if os.path.exists(find_bubblewrap()):
    LEVELS["bubblewrap"] = [*(KERNEL or []), "bubblewrap"]


def possible(case: Case, isolation: Isolation) -> bool:
    """Whether a case can be tried: a weak isolation does not keep it from files outside, nor from its own user."""
    if isolation.level == "strong":
        return True
    return case.holds != "writes" and (case.holds != "signals" or "user" in isolation.layers)


def groups(isolation: Isolation) -> list[list[Case]]:
    """The cases that are possible, in groups that share a submission. Those that wait for a limit are spread."""
    chosen = sorted((case for case in CASES if possible(case, isolation)), key=lambda case: case.limit == ())
    count = -(-len(chosen) // SLOTS)
    return [chosen[first::count] for first in range(count)]


@dataclass
class Score:
    """What is counted at one level."""

    cases: int = 0
    wrong: list[str] = field(default_factory=list[str])
    seconds: float = 0.0

    def add(self, cases: int, wrong: list[str], seconds: float) -> None:
        """Add a group."""
        self.cases, self.seconds, self.wrong = self.cases + cases, self.seconds + seconds, self.wrong + wrong

    def row(self) -> str:
        """The counts, in words."""
        kinds = ("forged", "a leak", "a hang", "false zero", "left", "outside", "found", "limit was", "honest exercise")
        counts = Counter(next((kind for kind in kinds if kind in text), "other") for text in self.wrong)
        told = ", ".join(f"{kind}: {counts[kind]}" for kind in kinds)
        return f"{self.cases} cases in {self.seconds:.0f} s; {told}; other: {counts['other']}"


def wrongs(world: World, group: list[Case], isolation: Isolation) -> list[str]:
    """Try a group, and return everything that went otherwise than it must."""
    before, start = world.outside(), time.monotonic()
    result = tried(world, group, isolation)
    strong = isolation.level == "strong"
    found = [text for slot, case in enumerate(group) for text in complaints(case, slot, result, strong)]
    after = world.outside()
    found += [f"outside changed: {name}" for name in {*before, *after} if before.get(name, 0) != after.get(name, 0)]
    found += [f"left: {name}" for name in world.left()]
    found += [f"a leak: {canary}" for canary in leaks(result, strong)]
    found += ["the grader was ended"] * (world.grader.poll() is not None)
    most = START + REST + 2 * SLOTS * (world.course.lessons["trials"].limits.wall + 3)
    found += ["a hang"] * (time.monotonic() - start > most)
    return [f"{text} (in a group of {[case.name for case in group]})" for text in found]


def scored(world: World, name: str, part: int, parts: int) -> Score:
    """Try the groups of a level, or one part of them."""
    isolation, score = probe(LEVELS[name]), Score()
    for group in groups(isolation)[part::parts]:
        start = time.monotonic()
        wrong = wrongs(world, group, isolation)
        score.add(len(group), wrong, time.monotonic() - start)
    return score
