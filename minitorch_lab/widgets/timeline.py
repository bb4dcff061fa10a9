"""The view "Timeline": how long Python needed around every kernel, and how long the kernels ran."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import RecordingError
from ..recording import events as ev
from ..recording.compiler_events import Capture, Compiled, Kernel, Launch
from ..recording.recording import Recording
from .frame import Json, framed
from .linking import Links
from .model import Model, taped
from .moments import Moment, grouped, moments_of
from .numbers import listed, span
from .parts import Parts, part_of
from .scene import source

QUESTION = "Who keeps us waiting: Python or the kernels?"


def timeline_scene(recording: Recording, question: str = QUESTION) -> Json:
    """The scene of the view "Timeline".

    Raises:
        RecordingError: The recording is still running, or it holds no times.
    """
    model = taped(recording)
    moments = moments_of(model)
    runs = [moment for moment in moments if moment.ran is not None and not nested(moment)]
    if not runs:
        raise RecordingError(
            "Timeline got a recording without times.",
            "The view shows how long every op of a recording took.",
            "Put the lines that compute inside `with ml.record() as rec:`; older recordings have to be made again.",
        )
    at = moments[0].n - 1
    steps: list[Json] = [{"phase": "start", "say": f"{question} {shares(runs)}", "at": at}]
    parts = Parts(model)
    for group in grouped(moments, units=parts.units):
        steps.append(make_step(group, parts))
    steps.append(closing(recording, runs, steps[-1]))
    links, details = Links(), {row["id"]: f"line {row['no']} · {row['text'].strip()}" for row in source(model)}
    for moment in runs:
        op = moment.op
        links.star(run_id(moment), [op.id, op.line, op.output] if op is not None else [])
        links.pair(op.id if op is not None else None, moment.line)
        details[run_id(moment)] = describe_run(moment)
    launched(links, recording, model)
    return framed(
        "timeline",
        question,
        steps,
        [panel_of(runs, parts) | capturing(recording)],
        recording=recording.id,
        source=source(model),
        links=links.json(),
        details=details,
        folds=parts.json(),
    )


def launched(links: Links, recording: Recording, model: Model) -> None:
    """A kernel of the compiler lights up with the run in which it was launched, and with the lines that it computes."""
    lines = {kernel.id: [line for _, _, line in kernel.rows if line] for kernel in recording.each(Kernel)}
    for launch in recording.each(Launch):
        op = model.op.get(launch.by) or model.op_of.get(launch.by)
        links.star(launch.kernel, [f"r:{launch.by}", op.id if op is not None else None, *lines.get(launch.kernel, [])])


def nested(moment: Moment) -> bool:
    """Whether its time is part of another's: an op that a rule or a hook runs while the walk is at a node."""
    return moment.op is not None and moment.op.during is not None and moment.id == moment.op.id


def run_id(moment: Moment) -> str:
    """The id of the bars of a moment."""
    return f"r:{moment.id}"


def times(runs: Sequence[Moment]) -> tuple[int, int, int]:
    """ns of Python, of kernels, and of both together."""
    rans = [moment.ran for moment in runs if moment.ran is not None]
    return sum(r.python for r in rans), sum(r.kernel for r in rans), sum(r.together for r in rans)


def shares(runs: Sequence[Moment]) -> str:
    """Who needed how much, of what can be told apart; and the term of the iron law that it is."""
    python, kernel, together = times(runs)
    if not python + kernel:
        return f"All of it, {span(together)}, cannot be told apart."
    share = round(100 * python / (python + kernel))
    return f"{share} % of the time of these ops is Python: overhead, the term that a compiler makes small."


def make_step(group: Sequence[Moment], parts: Parts) -> Json:
    """One step: what ran, and how long."""
    python, kernel, together = times([moment for moment in group if not nested(moment)])
    ran = [moment for moment in group if moment.op is not None]
    first = group[0]
    who = f"{len(ran)} ops of {parts.describe_common(ran)} take" if len(ran) > 1 else f"{upper(first.what)} takes"
    if python + kernel:
        more = f", {span(python)} of it Python and {span(kernel)} the kernel"
    else:
        more = ", Python and NumPy together" if together else ""
    say = f"{who} {span(python + kernel + together)}{more}."
    if not python + kernel + together:
        say = f"{upper(first.what)}: its time was not taken."
    focus = [run_id(moment) for moment in group if moment.ran is not None][:6]
    line = next((moment.line for moment in reversed(group) if moment.line is not None), None)
    ops = [moment.op.id for moment in ran if moment.op is not None][:6]
    return {"phase": first.phase, "say": say, "line": line, "focus": focus + ops, "at": group[-1].until}


def upper(what: str) -> str:
    """A subject at the beginning of a sentence."""
    return what if what.startswith("`") else what[:1].upper() + what[1:]


def closing(recording: Recording, runs: Sequence[Moment], before: Json) -> Json:
    """All together."""
    python, kernel, together = times(runs)
    both = f", and {span(together)} that cannot be told apart" if together else ""
    say = f"In all: {span(python)} of Python, {span(kernel)} of kernels{both}. {shares(runs)}"
    if captured := capturing(recording).get("captured"):
        say += (
            f" {captured} captured meanwhile: the ops ran one by one, and what the compiler needs is not counted here."
        )
    return {"phase": before["phase"], "say": say, "at": max(len(recording.events) - 1, before["at"])}


def capturing(recording: Recording) -> Json:
    """Which functions were captured, as a panel holds it: "`f` is"; nothing where none was."""
    names = {one.id: f"`{one.name}`" for one in recording.each(Compiled)}
    found = list(dict.fromkeys(names[one.function] for one in recording.each(Capture)))
    return {"captured": f"{listed(found)} {'is' if len(found) == 1 else 'are'}"} if found else {}


def describe_run(moment: Moment) -> str:
    """The facts about one run."""
    ran = moment.ran or ev.Ran(0, "", 0, 0, 0)
    if ran.together:
        return f"{moment.what.replace('`', '')} · {span(ran.together)}, Python and kernels together · {moment.phase}"
    what = moment.what.replace("`", "")
    return f"{what} · Python {span(ran.python)} · kernel {span(ran.kernel)} · {moment.phase}"


def panel_of(runs: Sequence[Moment], parts: Parts) -> Json:
    """The panel: every run with its times in ns, in the order in which they ran."""
    return {
        "kind": "timeline",
        "id": "timeline",
        "label": "Python and kernels",
        "runs": [
            {
                "id": run_id(moment),
                "label": (moment.op.op if moment.op is not None else moment.what.strip("`"))
                + "′" * (moment.id[0] == "n"),
                "at": moment.until,
                "python": moment.ran.python,
                "kernel": moment.ran.kernel,
                "together": moment.ran.together,
            }
            | part_of(parts.hold(run_id(moment), [moment.id, moment.op.id if moment.op is not None else None]))
            for moment in runs
            if moment.ran is not None
        ],
    }
