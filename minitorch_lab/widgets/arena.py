"""The view "Arena": where the temporaries of compiled kernels lie in the memory that they share, step by step."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import RecordingError
from ..recording.compiler_events import Arena, Kernel, Launch
from ..recording.recording import Recording
from .frame import Json, framed
from .linking import Links
from .model import Model
from .numbers import listed, number, plural
from .scene import source
from .story import ask_value

QUESTION = "How do so many temporaries fit into so few bytes?"
TOLD = 60  # with more steps than this, only those are told that bring most bytes
NAMED = 2  # values of one place that a label names


@dataclass(frozen=True, slots=True)
class Placed:
    """One kernel, its plan, and when it ran. A column is a stretch of its steps in which the same values are alive.

    Attributes:
        arena: The plan.
        kernel: The kernel that has it.
        launch: Its first launch in the recording.
        starts: The step with which each column begins.
        before: How many columns the kernels before it have.
    """

    arena: Arena
    kernel: Kernel
    launch: Launch
    starts: Sequence[int]
    before: int

    def column(self, step: int) -> int:
        """The column of a step."""
        return self.before + bisect_right(self.starts, step) - 1

    def at(self, column: int) -> float:
        """The clock at the end of a column: what a kernel does lies inside the event of its launch."""
        return self.launch.n - 1 + (column - self.before + 1) / (len(self.starts) + 1)

    def live(self, step: int) -> int:
        """Bytes that are alive at a step."""
        return sum(life[1] for life in self.arena.lives if life[3] <= step <= life[4])

    def id(self, k: int) -> str:
        """The id of the block of life `k`."""
        return f"{self.kernel.id}/a{k}"


def arena_scene(recording: Recording, question: str = QUESTION) -> Json:
    """The scene of the view "Arena".

    Raises:
        RecordingError: The recording is still running, or no kernel with temporaries ran in it.
    """
    model, placed = Model(recording), placed_in(recording)
    if not placed:
        raise RecordingError(
            "Arena got a recording in which no kernel keeps temporaries.",
            "It shows the memory plan of compiled functions that ran while the block was recorded.",
            "Did you mean `f = ml.compile(f)`, and a call of f inside `with ml.record() as rec:`?",
        )
    steps = [opening(question, placed), *make_steps(placed), closing(placed)]
    links, details = link_blocks(model, placed)
    return framed(
        "arena",
        question,
        steps,
        [panel_of(placed)],
        recording=recording.id,
        source=source(model),
        links=links,
        details=details,
    )


def placed_in(recording: Recording) -> list[Placed]:
    """The kernels that ran and have a plan, in the order of their first launch."""
    plans = {arena.kernel: arena for arena in recording.each(Arena)}
    kernels = {kernel.id: kernel for kernel in recording.each(Kernel)}
    found: dict[str, Placed] = {}
    before = 0
    for launch in recording.each(Launch):
        if launch.kernel in plans and launch.kernel not in found:
            arena = plans[launch.kernel]
            ends = max(life[4] for life in arena.lives)
            starts = {life[3] for life in arena.lives} | {life[4] + 1 for life in arena.lives if life[4] < ends}
            found[launch.kernel] = Placed(arena, kernels[launch.kernel], launch, sorted(starts), before)
            before += len(starts)
    return list(found.values())


# ---- the story -------------------------------------------------------------------------------------------


def opening(question: str, placed: Sequence[Placed]) -> Json:
    """What there is to place."""
    lives = sum(len(one.arena.lives) for one in placed)
    unshared = sum(one.arena.unshared for one in placed)
    ran = listed([stage(one) for one in placed])
    say = (
        f"{question} {plural(lives, 'place').replace('1 place', 'One place')} "
        f"{'is' if lives == 1 else 'are'} needed while {ran} {'runs' if len(placed) == 1 else 'run'}: "
        f"{unshared:,} B if each had its own. What leaves a kernel does not lie here."
    )
    return {"phase": "start", "say": say, "at": placed[0].launch.n - 1, "focus": []}


def stage(one: Placed) -> str:
    """Which kernel: forward, backward, or the one of values alone."""
    name = {"values": "the kernel"}.get(one.kernel.stage, f"the {one.kernel.stage} kernel")
    return f"{name} `{one.kernel.id}`"


def make_steps(placed: Sequence[Placed]) -> list[Json]:
    """A step for each column in which places are taken; of too many those that take most bytes."""
    found = [(one, start) for one in placed for start in one.starts if born(one, start)]
    if len(found) > TOLD:
        most = sorted(found, key=lambda pair: -sum(pair[0].arena.lives[k][1] for k in born(*pair)))[:TOLD]
        found = [pair for pair in found if pair in most]
    return [taken(one, start) for one, start in found]


def born(one: Placed, step: int) -> list[int]:
    """The lives that begin at a step."""
    return [k for k, life in enumerate(one.arena.lives) if life[3] == step]


def taken(one: Placed, step: int) -> Json:
    """Values take their places, some of them where others lay before."""
    new, lives = born(one, step), one.arena.lives
    says: list[str] = []
    for k in new[:NAMED]:
        names, nbytes, at, _, last, _ = lives[k]
        until = "in this step alone" if last == step else f"until {name_of(one, last)} has run"
        says.append(f"`{names[0]}` takes bytes {at:,} to {at + nbytes:,}, {until}{over(one, k)}.")
        if len(names) > 1:
            later = listed([f"`{n}`" for n in names[1:]][:4])
            says.append(f"{later} {'write' if len(names) > 2 else 'writes'} over it.")
    says += [f"{len(new) - NAMED} more take theirs."] if len(new) > NAMED else []
    column = one.column(step)
    return {
        "phase": one.kernel.stage,
        "say": f"{' '.join(says)} Alive: {one.live(step):,} B.",
        "line": one.arena.steps[step][1] or lives[new[0]][5],
        "focus": [one.id(k) for k in new],
        "at": one.at(column),
    }


def over(one: Placed, k: int) -> str:
    """Whose bytes a life takes over, which nobody needs any more."""
    lives = one.arena.lives
    _, nbytes, at, first, _, _ = lives[k]
    before = [x for x in lives if x[4] < first and x[2] < at + nbytes and at < x[2] + x[1]]
    if not before:
        return ""
    last = max(before, key=lambda x: x[4])
    return f": `{last[0][-1]}` lay there, and is not needed any more"


def name_of(one: Placed, step: int) -> str:
    """How a step is called."""
    name = one.arena.steps[step][0]
    return f"`{name}`" if len(name) <= 40 else f"step {step + 1}"


def closing(placed: Sequence[Placed]) -> Json:
    """The arena against its bound: the most bytes that are alive at once."""
    most = max(placed, key=lambda one: one.arena.nbytes)
    arena, unshared = most.arena, sum(one.arena.unshared for one in placed)
    step = next(s for s in most.starts if most.live(s) == arena.bound)
    common = len(placed) == 1 or all(one.arena.common for one in placed)
    together = "They run in turn, so one arena serves all. " if common and len(placed) > 1 else ""
    head = f"{together}The {'arena' if common else 'largest arena'} has "
    tight = arena.nbytes == arena.bound
    need = "just what is alive" if tight else f"{number(round(arena.nbytes / arena.bound, 3))} × what is alive"
    say = (
        f"{head}{arena.nbytes:,} B, {need} at {name_of(most, step)}: no plan can do with "
        f"less{'' if tight else ' than that'}. Without sharing: {unshared:,} B. "
        "Iron law: more fits into the memory that is near."
    )
    last = placed[-1]
    focus = [most.id(k) for k, x in enumerate(arena.lives) if x[3] <= step <= x[4]]
    end = last.at(last.before + len(last.starts) - 1)
    told: Json = {"phase": last.kernel.stage, "say": say, "at": (end + last.launch.n) / 2, "focus": focus}
    why = f"At {name_of(most, step)} {plural(len(focus), 'place')} of {arena.bound:,} B together are taken at once."
    ask_value(told, head, f"{arena.nbytes:,}", why)
    return told


# ---- the picture -----------------------------------------------------------------------------------------


def panel_of(placed: Sequence[Placed]) -> Json:
    """The panel: a rectangle for each life, columns × bytes."""
    top = max(placed, key=lambda one: one.arena.nbytes).arena
    return {
        "kind": "arena",
        "id": "arena",
        "label": "Arena",
        "bytes": top.nbytes,
        "bound": top.bound,
        "kernels": [
            {"id": one.kernel.id, "label": one.kernel.stage, "first": one.before, "count": len(one.starts)}
            for one in placed
        ],
        "columns": [{"label": one.arena.steps[s][0][:40], "live": one.live(s)} for one in placed for s in one.starts],
        "blocks": [
            {
                "id": one.id(k),
                "name": label(names),
                "bytes": nbytes,
                "offset": at,
                "first": one.column(first),
                "last": one.column(last),
            }
            for one in placed
            for k, (names, nbytes, at, first, last, _) in enumerate(one.arena.lives)
        ],
        "stages": [
            {"at": one.at(column), "column": column}
            for one in placed
            for column in range(one.before, one.before + len(one.starts))
        ],
    }


def label(names: Sequence[str]) -> str:
    """What a block is called: the values that lie there one after the other."""
    shown = [*names[:1], "…", *names[-1:]] if len(names) > NAMED else names
    return " → ".join(shown)


def link_blocks(model: Model, placed: Sequence[Placed]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """A block lights up with its line, its kernel, and the code of the values that lie in it; its facts."""
    links, details = Links(), {row["id"]: f"line {row['no']} · {row['text'].strip()}" for row in source(model)}
    for one in placed:
        arena, kernel = one.arena, one.kernel
        if one.launch.by.startswith("o"):
            links.pair(kernel.id, one.launch.by)
        details[kernel.id] = (
            f"{stage(one).replace('`', '')} · {plural(len(arena.lives), 'place')} · arena of {arena.nbytes:,} B · "
            f"{arena.bound:,} B alive at most · {arena.unshared:,} B without sharing"
        )
        for k, (names, nbytes, at, first, last, line) in enumerate(arena.lives):
            links.star(one.id(k), [line, kernel.id, *(f"{kernel.id}:{name}" for name in names)])
            stays = arena.steps[first][0] if first == last else f"{arena.steps[first][0]} to {arena.steps[last][0]}"
            details[one.id(k)] = f"`{label(names)}` · {nbytes:,} B · bytes {at:,} to {at + nbytes:,} · from {stays}" + (
                f" · line {line[1:].partition('.')[0]}" if line else ""
            )
    return links.json(), details
