"""The view "Fusion" of a recording: the kernels that ran, what is one launch in them and why, and their code.

A recording has no graphs to fuse again: for the decisions one by one there is `Fusion(compiled)`. But its lines, ops
and kernels are those of all other views of the recording.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..errors import RecordingError
from ..recording.compiler_events import Group, Kernel, Launch
from ..recording.recording import Recording
from .frame import Json, framed
from .linking import Links
from .model import Model
from .numbers import listed, plural, times
from .scene import source

QUESTION = "Which ops became one kernel, and what is its code?"
TOLD, NAMED = 12, 6  # launches of a kernel that are told one by one, and ops that a sentence names


@dataclass(frozen=True, slots=True)
class Ran:
    """A kernel, the launches that it consists of, and when it ran first."""

    kernel: Kernel
    groups: Sequence[Group]
    launch: Launch

    @property
    def choose_launches(self) -> Sequence[Group]:
        """The launches that have steps of their own: those that move most bytes, in the order in which they run."""
        most = sorted(self.groups, key=lambda group: -group.nbytes)[:TOLD]
        return [group for group in self.groups if group in most]

    def at(self, k: int) -> float:
        """The clock after step `k` of this kernel: what it does lies inside the event of its launch."""
        return self.launch.n - 1 + (k + 1) / (len(self.choose_launches) + 2)


def kernels_in(recording: Recording) -> list[Ran]:
    """The kernels that ran, in the order of their first launch."""
    kernels = {kernel.id: kernel for kernel in recording.each(Kernel)}
    groups = recording.each(Group)
    first = {launch.kernel: launch for launch in reversed(recording.each(Launch)) if launch.kernel in kernels}
    ran = sorted(first.values(), key=lambda launch: launch.n)
    return [Ran(kernels[x.kernel], [g for g in groups if g.kernel == x.kernel], x) for x in ran]


def recorded_fusion_scene(recording: Recording, question: str = QUESTION) -> Json:
    """The scene of the view "Fusion", for the kernels of a recording.

    Raises:
        RecordingError: The recording is still running, or no kernel ran in it.
    """
    model, ran = Model(recording), kernels_in(recording)
    if not ran:
        raise RecordingError(
            "Fusion got a recording in which no kernel ran.",
            "Kernels run from the second call of a compiled function on.",
            "Did you mean `f = ml.compile(f)`, and two calls of f inside `with ml.record() as rec:`?",
        )
    steps: list[Json] = [{"phase": "start", "say": f"{question} {opening(ran)}", "at": ran[0].launch.n - 1}]
    for one in ran:
        steps += make_steps(one)
    links, details = link_launches(model, ran)
    return framed(
        "fusion",
        question,
        steps,
        [listing("launches", "Launches", ran, launches), listing("code", "Generated code", ran, code)],
        recording=recording.id,
        source=source(model),
        links=links,
        details=details,
    )


# ---- the story -------------------------------------------------------------------------------------------


def opening(ran: Sequence[Ran]) -> str:
    """What ran."""
    return f"{listed([name(one) for one in ran])} ran.".replace("the ", "The ", 1)


def name(one: Ran) -> str:
    """How a sentence calls a kernel."""
    stage = "" if one.kernel.stage == "values" else f"{one.kernel.stage} "
    return f"the {stage}kernel `{one.kernel.id}`"


def make_steps(one: Ran) -> list[Json]:
    """The kernel, and then its launches."""
    kernel, groups = one.kernel, one.groups
    ops = sum(len(group.nodes) for group in groups)
    if groups:
        what = f"{plural(ops, 'op')} in {told_launches(one)}"
        moved = f", which read and write {sum(group.nbytes for group in groups):,} bytes"
    else:
        what, moved = f"op by op, as {kernel.backend} has it: nothing is fused", ""
    say = f"{name(one)} runs {what}{moved}.".replace("the ", "The ", 1)
    steps: list[Json] = [{"phase": kernel.stage, "say": say, "focus": [kernel.id], "at": one.at(0)}]
    for k, group in enumerate(one.choose_launches, start=1):
        line = next((line for _, _, line in group.rows if line), None)
        focus = [group.id, *dict.fromkeys(f"{kernel.id}:{node}" for node in group.nodes[:NAMED])]
        steps.append(
            {"phase": kernel.stage, "say": describe_launch(group), "line": line, "focus": focus, "at": one.at(k)}
        )
    return steps


def told_launches(one: Ran) -> str:
    """How many launches a kernel is."""
    return "one launch" if len(one.groups) == 1 else f"{len(one.groups)} launches"


def describe_launch(group: Group) -> str:
    """One launch in words. One that computes nothing lays numbers out in the order in which another reads them."""
    if not group.nodes:
        return f"A copy in another order is a launch of its own. It moves {group.nbytes:,} bytes."
    rest = [f"{len(group.nodes) - NAMED} more"] if len(group.nodes) > NAMED else []
    ops = listed([*(f"`{node}`" for node in group.nodes[:NAMED]), *rest])
    why = f" ({listed(rules(group))})" if rules(group) else ""
    one = "is a launch of its own" if len(group.nodes) == 1 else "are one launch"
    return f"{ops} {one}{why}. It moves {group.nbytes:,} bytes for {plural(group.flops, 'operation')}."


def rules(group: Group) -> list[str]:
    """The rules by which its ops were joined, and how often each was used."""
    counts = Counter(reason.partition(":")[0] for reason in group.reasons if ":" in reason)
    return [rule if n == 1 else f"{rule}, {times(n)}" for rule, n in counts.items()]


# ---- the pictures ----------------------------------------------------------------------------------------


def listing(id: str, label: str, ran: Sequence[Ran], rows: Callable[[Ran], list[Json]]) -> Json:
    """A listing that shows the kernel that runs."""
    stages = [{"at": 0 if k == 0 else one.at(0), "rows": rows(one)} for k, one in enumerate(ran)]
    return {"kind": "listing", "id": id, "label": label, "stages": stages}


def launches(one: Ran) -> list[Json]:
    """The launches of a kernel, a row each."""
    head = {"id": one.kernel.id, "tag": "", "text": f"{name(one)[4:].replace('`', '')}, {one.kernel.backend}"}
    rows = [
        {"id": group.id, "tag": f"K{k}", "text": f"{', '.join(group.nodes) or 'a copy'}: {group.nbytes:,} bytes"}
        for k, group in enumerate(one.groups, start=1)
    ]
    return [head, *rows]


def code(one: Ran) -> list[Json]:
    """The lines of a kernel, each with the op that it computes."""
    parts = [group.rows for group in one.groups] or [one.kernel.rows]
    return [
        {
            "id": f"{one.kernel.id}:{node}" if node else None,
            "tag": f"K{k}" if row == 0 and one.groups else "",
            "text": text,
        }
        for k, rows in enumerate(parts, start=1)
        for row, (text, node, _) in enumerate(rows)
    ]


def link_launches(model: Model, ran: Sequence[Ran]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """A line of code with its op in the kernel, the reader's line, and its launch; a kernel with the op that ran it."""
    links, details = Links(), {row["id"]: f"line {row['no']} · {row['text'].strip()}" for row in source(model)}
    for one in ran:
        kernel = one.kernel
        if one.launch.by.startswith("o"):
            links.pair(kernel.id, one.launch.by)
        details[kernel.id] = f"{name(one)[4:].replace('`', '')} · {kernel.backend} · {told_launches(one)}"
        for group in one.groups:
            links.pair(group.id, kernel.id)
            details[group.id] = " · ".join([describe_launch(group).replace("`", ""), *group.reasons])
            for node in group.nodes:
                links.pair(group.id, f"{kernel.id}:{node}")
        for rows in [group.rows for group in one.groups] or [kernel.rows]:
            for text, node, line in rows:
                if node:
                    links.star(f"{kernel.id}:{node}", [line, kernel.id])
                    details[f"{kernel.id}:{node}"] = f"`{text.strip()}` computes {node}" + (
                        f" · line {line[1:].partition('.')[0]}" if line else ""
                    )
    return links.json(), details
