"""The report as pages of HTML: one per student, of the feedback alone, and one for the class."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import Any

from ..core.words import plural
from .analysis import histogram, items, misconceptions, part, summary
from .gradebook import Entry, file_names, number, points_of
from .pieces import KINDS, Piece
from .put import clear, put
from .reading import PROBLEMS
from .result import LIMITS, ExerciseResult

STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1b1b1b;
       background: #fff }
table { border-collapse: collapse; width: 100%; margin: 1rem 0 }
th, td { text-align: left; vertical-align: top; padding: .3rem .6rem; border-bottom: 1px solid #ccc }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums }
.bar { display: inline-block; height: .8rem; background: #0072b2 }
.room { display: inline-block; width: 8rem; line-height: 0; background: #e6e6e6 }
.share { white-space: nowrap }
.open { color: #a33c00 }
@media (prefers-color-scheme: dark) {
  body { color: #e8e8e8; background: #161616 } th, td { border-color: #444 } .room { background: #333 }
  .bar { background: #56b4e9 } .open { color: #ffb27a } a { color: #9ecbff }
}
"""


def write_report(course: str, entries: Sequence[Entry], folder: Path, pieces: Sequence[Piece] = ()) -> None:
    """Write index.html and a page per student and lesson into a folder, in the place of an earlier report."""
    names = file_names(entries)
    clear(folder / "students", ".html")
    for e in entries:
        shown = e.result.feedback() | {"score": e.earned}
        put(folder / "students" / f"{names[e.key]}.html", student_page(e.student, shown, e.by_hand))
    put(folder / "index.html", class_page(course, entries, names, pieces))


def page(title: str, body: str) -> str:
    """A whole page; the browser is told to run and to load nothing."""
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f'<meta name="viewport" content="width=device-width">\n<title>{escape(title)}</title>\n'
        f"<style>{STYLE}</style>\n</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of cells that are HTML already. A head that ends in # is of numbers."""
    heads = list(heads)
    kinds = [' class="number"' if head.endswith("#") else "" for head in heads]
    titles = [escape(head.rstrip("#")) for head in heads]
    top = "".join(f'<th scope="col"{kind}>{title}</th>' for title, kind in zip(titles, kinds, strict=True))
    body = "".join(
        "<tr>" + "".join(f"<td{kind}>{cell}</td>" for cell, kind in zip(row, kinds, strict=True)) + "</tr>\n"
        for row in rows
    )
    return f"<table>\n<thead><tr>{top}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>"


# ---- a student's page -----------------------------------------------------------------------------------------------


def student_page(student: str, feedback: dict[str, Any], by_hand: str = "") -> str:
    """What one student sees: titles, points, the hints of the checks that failed, and the limit that was hit.

    `by_hand` is what is said of a score that the teacher has set.

    Example:
        >>> said = {"lesson": "03", "status": "graded", "score": 0.0, "points": 2.0, "problem": None, "exercises": []}
        >>> "<script>" in student_page("<script>", said)
        False
    """
    score = feedback["score"]
    failed = "no score yet: the grader failed, and will be run again"
    missing = "no score: there was nothing that could be read and graded" if feedback["problem"] else failed
    earned = missing if score is None else (
        f"{number(score)} of {points_of(feedback['points'])}"
    )  # fmt: skip
    parts = [
        f"<h1>{escape(feedback['lesson'] or 'Submission')}: <bdi>{escape(student)}</bdi></h1>",
        f"<p><b>{earned}</b>{f' ({escape(by_hand)})' * bool(by_hand)}</p>",
    ]
    if feedback["problem"]:
        parts.append(f'<p class="open">{escape(feedback["problem"])}</p>')
    rows = [
        (escape(e["name"]), escape(c["title"]), f"{number(c['score'])} of {number(c['points'])}", advice(e, c))
        for e in feedback["exercises"]
        for c in e["checks"]
    ]
    parts.append(table(["Exercise", "Check", "Points#", "Look at"], rows) if rows else "")
    parts += [f"<p>{escape(e['name'])}: {escape(e['found'])}.</p>" for e in feedback["exercises"] if e["found"]]
    return page(f"{feedback['lesson']}: {student}", "\n".join(parts))


def advice(exercise: dict[str, Any], check: dict[str, Any]) -> str:
    """What is said of a check that failed: the limit that its exercise hit, and the hint."""
    if check["score"] == check["points"]:
        return ""
    said = filter(None, (exercise["limit"], exercise["error"]))
    return "".join(f'<span class="open">{escape(each)}</span><br>' for each in said) + escape(sentence(check["hint"]))


# ---- the page of the class ------------------------------------------------------------------------------------------


def class_page(
    course: str, entries: Sequence[Entry], names: dict[tuple[str, str], str], pieces: Sequence[Piece] = ()
) -> str:
    """What the teacher sees: the scores, how hard each check was, what was believed, and who needs a look."""
    said = summary(entries)
    levels = Counter(e.result.isolation.level for e in entries)
    isolation = " and ".join(level if len(levels) == 1 else f"{level} for {n}" for level, n in levels.items())
    head = (
        f"<h1>{escape(course)}</h1>\n<p>{plural(len(entries), 'submission')}, mean {said['mean']:.0%}, "
        f"median {said['median']:.0%} of the points"
        + (f'; <span class="open">{said["faults"]} without a score: the grader failed</span>' if said["faults"] else "")
        + f". Isolation: {isolation}.</p>"
    )
    parts = [head, scores(entries), difficulty(entries), beliefs(entries), doubts(entries, names)]
    return page(course, "\n".join([*parts, students(entries, names), everything(pieces)]))


def bar(share: float) -> str:
    """A bar of this length, from 0 to 1, with the number in words beside it."""
    room = f'<span class="room"><span class="bar" style="width:{share * 8:.2f}rem"></span></span>'
    return f'<span class="share">{room} {share:.0%}</span>'


def scores(entries: Sequence[Entry]) -> str:
    """How the scores are spread."""
    counts = histogram(entries)
    most = max(*counts, 1)
    rows = [
        (f"{10 * k} to {10 * (k + 1)} %", f'<span class="bar" style="width:{20 * n / most:.2f}rem"></span> {n}')
        for k, n in enumerate(counts)
    ]
    return "<h2>Scores</h2>\n" + table(["Share of the points", "Students"], rows)


def difficulty(entries: Sequence[Entry]) -> str:
    """How many passed each check."""
    rows = [
        (escape(i.lesson), escape(i.exercise), escape(i.title), number(i.points), bar(i.share)) for i in items(entries)
    ]
    return "<h2>How hard each check was</h2>\n" + table(["Lesson", "Exercise", "Check", "Points#", "Passed by"], rows)


def beliefs(entries: Sequence[Entry]) -> str:
    """Which wrong answers with a name were given most often, in the words of the hints."""
    rows = [
        (str(count), escape(item.exercise), escape(sentence(hint))) for hint, item, count in misconceptions(entries)
    ]
    return "<h2>Common misconceptions</h2>\n" + table(["Students#", "Exercise", "What they were told"], rows)


def sentence(hint: str) -> str:
    """A hint as it stands alone: where it begins with a word, that has a capital.

    Example:
        >>> sentence("you overwrote instead of adding"), sentence("x.grad is None")
        ('You overwrote instead of adding', 'x.grad is None')
    """
    return hint[:1].upper() + hint[1:] if hint.partition(" ")[0].isalpha() else hint


def doubts(entries: Sequence[Entry], names: dict[tuple[str, str], str]) -> str:
    """Who was stopped, or could not be read, or met a fault of the grader; and folded, what has changed no score."""
    rows = [(link(e, names), "<br>".join(map(escape, pressing(e)))) for e in by_need(entries)]
    calm = [(link(e, names), "<br>".join(map(escape, harmless(e)))) for e in entries if any(harmless(e))]
    seen = "<h2>Who needs a look</h2>\n" + table(["Student", "Why"], rows) if rows else ""
    told = f"{plural(len(calm), 'note')} of what has cost no points"
    folded = f"<details><summary>{told}</summary>\n{table(['Student', 'What'], calm)}</details>" if calm else ""
    return "\n".join(filter(None, [seen, folded]))


def by_need(entries: Sequence[Entry]) -> list[Entry]:
    """Those who need a look, first whose score a look may change: who has none, who lost points, who won them oddly."""
    told = [e for e in entries if any(pressing(e))]
    return sorted(told, key=need)


def need(entry: Entry) -> int:
    """Where somebody stands among those who need a look: the lower, the more a look may change their score."""
    r = entry.result
    if entry.earned is None:
        return 0
    stopped = any(e.score < e.points and (e.limit or e.found) for e in r.exercises)
    return 1 if stopped or entry.refused or r.problem else 2 if entry.earned < r.points else 3


def notes(entry: Entry) -> Iterator[str]:
    """What the teacher should know besides the score: first what may change it."""
    yield from pressing(entry)
    yield from harmless(entry)


def pressing(entry: Entry) -> Iterator[str]:
    """What may change a score, once somebody has looked."""
    r = entry.result
    if entry.refused or r.problem:
        yield sentence(entry.refused) or PROBLEMS[r.problem or ""]
    if r.fault:
        yield f"The grader failed: {r.fault}"
    if entry.note and r.score != r.points:
        yield sentence(entry.note)
    for each in r.exercises:
        if each.limit and r.status == "graded":
            yield f"{each.name}: {LIMITS[each.limit]}{f' ({each.ended})' if each.ended else ''}"
    yield from finds(each for each in r.exercises if each.score < each.points)
    for each in r.exercises:
        if each.means:
            yield f"{each.name}: its answer uses {', '.join(each.means)}. Is that the exercise itself?"


def harmless(entry: Entry) -> Iterator[str]:
    """What has cost no points: how the cells of right answers were found, or which of two notebooks counts."""
    r = entry.result
    if entry.note and r.score == r.points:
        yield sentence(entry.note)
    yield from finds(each for each in r.exercises if each.score == each.points)


def finds(exercises: Iterable[ExerciseResult]) -> Iterator[str]:
    """How cells were found, once for the exercises of which it is true."""
    found: dict[str, list[str]] = {}
    for each in exercises:
        found.setdefault(each.found, []).append(each.name)
    yield from (f"{', '.join(names)}: {said}." for said, names in found.items() if said)


def students(entries: Sequence[Entry], names: dict[tuple[str, str], str]) -> str:
    """Everybody, by name."""
    rows: list[tuple[str, ...]] = []
    for e in entries:
        r = e.result
        earned = "none" if e.earned is None else f"{number(e.earned)} of {number(r.points)}"
        status = escape("; ".join(filter(None, [r.status, e.by_hand])))
        rows.append((link(e, names), status, earned, bar(part(e)) if e.earned is not None else ""))
    return "<h2>Students</h2>\n" + table(["Student", "Status", "Score#", "Share"], rows)


def everything(pieces: Sequence[Piece]) -> str:
    """What was handed in, counted by what became of it, and each thing that was not graded."""
    if not pieces:
        return ""
    counts = Counter(piece.kind for piece in pieces)
    rows = [(escape(words[1]), str(counts[kind])) for kind, words in KINDS.items() if counts[kind]]
    others = [
        (f"<bdi>{escape(piece.path)}</bdi>", escape(KINDS[piece.kind][0]), escape(piece.why))
        for piece in pieces
        if piece.kind != "graded"
    ]
    listed = table(["Where", "What it is", "Why"], others) if others else ""
    counted = table(["What became of it", "How many#"], [*rows, ("together", str(len(pieces)))])
    return f"<h2>Everything that was handed in</h2>\n{counted}\n{listed}"


def link(entry: Entry, names: dict[tuple[str, str], str]) -> str:
    """A student's name, leading to their page; one that is written from right to left turns nothing else around."""
    return f'<a href="students/{names[entry.key]}.html"><bdi>{escape(entry.student)}</bdi></a>'


# ---- the console ----------------------------------------------------------------------------------------------------

MOST_LINES = 40  # who needs a look, on a console; the report has them all


def accounts(pieces: Sequence[Piece], entries: Sequence[Entry]) -> Iterator[str]:
    """What a console says of a class: what became of everything that was handed in, and who needs a look."""
    counts = Counter(piece.kind for piece in pieces)
    told = [plural(counts[kind], *words) for kind, words in KINDS.items() if counts[kind]]
    yield f"Handed in: {len(pieces)}. {'; '.join(told)}."
    looks = [f"{printable(e.student)}: {printable(' / '.join(pressing(e)))}" for e in by_need(entries)]
    yield from (f"Needs a look: {line}" for line in looks[:MOST_LINES])
    if len(looks) > MOST_LINES:
        yield f"… and {len(looks) - MOST_LINES} more, in the report."
    if calm := sum(any(harmless(e)) for e in entries):
        yield f"Notes of what has cost no points: {calm}, in the report."


def printable(text: str) -> str:
    r"""A text that a terminal shows and does not obey: names come from students.

    Example:
        >>> printable("ada\x1b[2J Zoë")
        'ada\\x1b[2J Zoë'
    """
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
