"""The view "Memory": what is alive after every op and every node, what the peak consists of, and which line made it."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import RecordingError
from ..recording.recording import Recording
from .frame import Json, framed
from .holdings import SEED, Holding, alive, composition, holdings, owners, peak
from .linking import Links
from .model import Model, taped
from .moments import Moment, grouped, moments_of
from .numbers import listed, plural, shape
from .parts import Parts, part_of
from .scene import source
from .story import ask_value

QUESTION = "Where do the bytes of a training step go?"
PLURAL = {  # stacked in this order: what stays below, what comes and goes on top
    "parameter": "parameters",
    "optimizer state": "optimizer state",
    "input": "inputs",
    "activation": "activations",
    "gradient": "gradients",
    "temporary": "temporaries",
}


def memory_scene(recording: Recording, question: str = QUESTION) -> Json:
    """The scene of the view "Memory".

    Raises:
        RecordingError: The recording is still running, or no memory was seen in it.

    Example:
        >>> from minitorch_lab.widgets.example import memory_example
        >>> scene = memory_scene(memory_example())
        >>> scene["panels"][0]["peak"]["bytes"]
        1795672
    """
    model = taped(recording)
    moments = moments_of(model)
    found = holdings(model, moments)
    if not found:
        raise RecordingError(
            "Memory got a recording in which no memory was seen.",
            "The view shows the births and deaths of what tensors hold while the block runs.",
            "Put the lines that compute inside `with ml.record() as rec:`; older recordings have to be made again.",
        )
    steps = [opening(question, moments, found)]
    top, parts = peak(found), Parts(model)
    since = steps[0]["at"]
    for group in grouped(moments, units=parts.units):
        steps.append(make_step(model, group, found, top, parts, since))
    steps.append(closing(recording, steps[-1], found, top))
    links, details = link_blocks(found, model)
    return framed(
        "memory",
        question,
        steps,
        [panel_of(found, top, ticks_of(moments, parts), parts)],
        recording=recording.id,
        source=source(model),
        links=links,
        details=details,
        folds=parts.json(),
    )


# ---- the story -------------------------------------------------------------------------------------------


def opening(question: str, moments: Sequence[Moment], found: Sequence[Holding]) -> Json:
    """What is there before anything runs."""
    at = moments[0].n - 1 if moments else 0
    before = alive(found, at)
    there = f"{spelled(before)} are there before the first op." if before else "Nothing is there before the first op."
    if later := sum(one.birth.nbytes for one in found if one.birth.category == "input" and one.born > at):
        there += (
            f" {'Another ' * bool(before)}{exact(later)} of inputs count from the op that is the first to read them."
        )
    return {"phase": "start", "say": f"{question} {there}", "at": at, "focus": [one.birth.id for one in before[:6]]}


def make_step(
    model: Model, group: Sequence[Moment], found: Sequence[Holding], top: tuple[int, int], parts: Parts, since: int
) -> Json:
    """One step: what was born, what died, what is alive. What was there until event `since` was told before."""
    born = [one for one in found if one.moment in group and one.birth.nbytes]
    gone = {id for moment in group for id in moment.deaths}
    died = [one for one in found if one.birth.id in gone and one not in born and one.birth.nbytes]
    first, last = group[0], group[-1]
    seeds = [one for one in born if one.name == SEED]
    made = first_read(group, found, since) + started(seeds)
    made += makes(model, group, [one for one in born if one not in seeds], parts)
    freed = f" {list_blocks(died)} {'is' if len(died) == 1 else 'are'} released." if died else ""
    brief = sum(one.birth.nbytes for one in born if one.birth.id in gone)
    now = sum(one.birth.nbytes for one in alive(found, last.until))
    at, most = top
    if brief or not first.n <= at <= last.until:  # it begins a sentence
        freed = freed[:2].upper() + freed[2:] if died and died[0].name == SEED else freed
    freed = f" {exact(brief)} of that is gone again at once.{freed}" if brief else freed
    if first.n <= at <= last.until:
        head = f"{made} Here is the peak: "
        kind, n = max(composition(alive(found, at)), key=lambda part: part[1])
        then = f" Then{freed}" if freed else ""
        say = f"{head}{most:,} B, {round(100 * n / most)} % of it {PLURAL[kind]}.{then} Alive: {exact(now)}."
    else:
        head = ""
        say = f"{made}{freed} Alive: {exact(now)}."
    ran = [moment.op.id for moment in group if moment.op is not None]
    focus = ([one.birth.id for one in born[:6]] or [one.birth.id for one in died[:3]]) + ran[:6]
    step: Json = {
        "phase": first.phase,
        "say": say,
        "line": next((moment.line for moment in reversed(group) if moment.line is not None), None),
        "focus": focus,
        "at": last.until,
    }
    if head:
        why = f"At this moment {spelled(alive(found, at))} are alive."
        ask_value(step, head, f"{most:,}", why)
    return step


def first_read(group: Sequence[Moment], found: Sequence[Holding], since: int) -> str:
    """The inputs that count from here on: nobody has read them before."""
    opens, until = group[0].opens, group[-1].until
    met = [one for one in found if one.birth.category == "input" and max(opens, since + 1) <= one.born <= until]
    if not met:
        return ""
    count = "counts" if len(met) == 1 else "count"
    return f"Now {list_blocks(met)} {count}, {exact(sum(one.birth.nbytes for one in met))} of input. "


def started(seeds: Sequence[Holding]) -> str:
    """A walk has begun."""
    return f"The walk starts from its seed, {exact(sum(one.birth.nbytes for one in seeds))}. " if seeds else ""


def exact(count: int) -> str:
    """Bytes in full: what is read here can be added up.

    Example:
        >>> exact(802816)
        '802,816 B'
    """
    return f"{count:,} B"


def makes(model: Model, group: Sequence[Moment], born: Sequence[Holding], parts: Parts) -> str:
    """The subject of a step and what it made."""
    ran = [moment for moment in group if moment.op is not None]
    many, who = len(ran) > 1, subject(group[0], ran, parts)
    if not born:
        return f"{who} {'need' if many else 'needs'} no new memory{why_none(model, ran)}."
    kinds = composition(born)
    if len(born) == 1:
        one = born[0]
        keeps = f": {why_kept(model, one)}" if one.birth.category == "activation" and why_kept(model, one) else ""
        return (
            f"{who} {'make' if many else 'makes'} {one.name}, {exact(one.birth.nbytes)} of {one.birth.category}{keeps}."
        )
    told = listed([f"{exact(n)} of {kind}" for kind, n in kinds])
    return f"{who} {'make' if many else 'makes'} {plural(len(born), 'block')}: {told}."


def subject(first: Moment, ran: Sequence[Moment], parts: Parts) -> str:
    """`add`, The rule of `add`, or several ops of one line."""
    if len(ran) <= 1:
        return first.what if first.what.startswith("`") else first.what[:1].upper() + first.what[1:]
    names = list(dict.fromkeys(moment.op.op for moment in ran if moment.op is not None))
    what = "rules" if first.phase == "backward" else "ops"
    some = listed([f"`{name}`" for name in names[:3]])
    return f"{len(ran)} {what} of {parts.describe_common(ran)} ({some}{', …' * (len(names) > 3)})"


def why_none(model: Model, ran: Sequence[Moment]) -> str:
    """Why ops made nothing: they look at memory that is there, or write into it."""
    outputs = [moment.op.output for moment in ran if moment.op is not None and moment.phase != "backward"]
    if outputs and all(output in model.writes for output in outputs):
        return ": they write in place" if len(outputs) > 1 else ": it writes in place"
    if outputs and all(model.tensors[output].base is not None for output in outputs):
        return ": they are views" if len(outputs) > 1 else ": it makes a view"
    return ""


def why_kept(model: Model, one: Holding) -> str:
    """Which ops keep an activation for the walk."""
    keepers = [
        op.op for op in model.ops for save in model.tensors_kept(op) if save.tensor == one.tensor and not save.dropped
    ]
    names = listed([f"`{name}`" for name in dict.fromkeys(keepers)])
    return f"backward of {names} will need it" if keepers else ""


def closing(recording: Recording, before: Json, found: Sequence[Holding], top: tuple[int, int]) -> Json:
    """What stays, and what the peak was."""
    end = max(len(recording.events) - 1, before["at"])
    left = alive(found, end)
    say = f"At the end {spelled(left)} stay. The peak was {exact(top[1])}."
    return {"phase": before["phase"], "say": say, "at": end, "focus": []}


def spelled(found: Sequence[Holding]) -> str:
    """814,120 B of parameters and 100,608 B of inputs."""
    return listed([f"{exact(n)} of {PLURAL[kind]}" for kind, n in composition(found)])


def list_blocks(found: Sequence[Holding]) -> str:
    """A few blocks by name, more by number."""
    if len(found) <= 3:
        return listed([one.name for one in found])
    return f"{plural(len(found), 'block')} of {exact(sum(one.birth.nbytes for one in found))}"


# ---- the picture -----------------------------------------------------------------------------------------


def ticks_of(moments: Sequence[Moment], parts: Parts) -> list[Json]:
    """What stands above the columns: the op that ran, with a prime where it is its rule."""
    return [
        {"at": moment.until, "op": moment.op.id, "label": moment.op.op + "′" * (moment.phase == "backward")}
        | part_of(parts.of.get(moment.op.id))
        for moment in moments
        if moment.op is not None
    ]


def panel_of(found: Sequence[Holding], top: tuple[int, int], ticks: Sequence[Json], parts: Parts) -> Json:
    """The panel: every block, its groups, the peak in words."""
    kinds = [name for name in PLURAL if any(one.birth.category == name for one in found)]
    names = owners(found)
    at, most = top
    return {
        "kind": "memory",
        "id": "memory",
        "label": "Memory",
        "ticks": list(ticks),
        "blocks": [
            {
                "id": one.birth.id,
                "name": one.name,
                "bytes": one.birth.nbytes,
                "group": kinds.index(one.birth.category),
                "owner": names.index(one.owner) if one.owner in names else len(names) - 1,
                "born": one.born,
                "died": one.died,
            }
            | part_of(parts.hold(one.birth.id, [one.birth.leaf, one.tensor, one.op.id if one.op is not None else None]))
            for one in found
            if one.birth.nbytes
        ],
        "groups": [{"id": f"g:{name}", "label": PLURAL[name], "role": name} for name in kinds],
        "owners": [{"id": f"w:{name}", "label": name, "role": f"owner {k % 6}"} for k, name in enumerate(names)],
        "peak": {"at": at, "bytes": most, "say": f"Peak {exact(most)} = {spelled(alive(found, at))}."},
    }


def link_blocks(found: Sequence[Holding], model: Model) -> tuple[dict[str, list[str]], dict[str, str]]:
    """A block lights up with its line, its op and its tensor; its facts."""
    links, details = Links(), {row["id"]: f"line {row['no']} · {row['text'].strip()}" for row in source(model)}
    for op in model.ops:
        links.pair(op.id, op.line)
        details[op.id] = f"{op.op} · makes {model.name(op.output)}"
    for one in found:
        id, op = one.birth.id, one.op
        line = one.birth.line or (op.line if op is not None else model.line(one.tensor) if one.tensor else None)
        links.star(id, [line, op.id if op is not None else None, one.tensor, one.birth.leaf])
        details[id] = describe_block(one)
    return links.json(), details


def describe_block(one: Holding) -> str:
    """The facts about a block."""
    birth, made = one.birth, "there before the recording"
    if one.moment is not None:
        made = f"made by {one.moment.what.replace('`', '')}, {birth.phase}"
    elif birth.category == "input":
        made = "given from outside"
    end = "alive at the end" if one.death is None else f"released in the {one.death.phase}"
    parts = [f"`{one.name}`", birth.category, exact(birth.nbytes), f"shape {shape(birth.shape)}", made, end]
    return " · ".join([*parts, f"owner {one.owner}"])
