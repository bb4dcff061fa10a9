"""Who is who: the lists that course systems export, and which of their rows a student of a batch is."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from unicodedata import category, normalize

from ..core.words import plural
from ..errors import ArgumentError

IDENTIFYING = ("SIS Login ID", "SIS User ID", "ID", "Student", "Identifier", "Email address", "ID number", "Full name",
               "Username")  # fmt: skip
MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_.*", re.DOTALL)  # how Moodle calls the folder of a submission
CANVAS = re.compile(r"[^_]+_(?:LATE_)?(\d+)_\d+(?:_.*)?", re.DOTALL)  # how Canvas calls the file of one


@dataclass(frozen=True, slots=True)
class Roster:
    """A table of students as a course system has exported it.

    Args:
        heads: The names of its columns.
        rows: One per student, as wide as the heads.
        points: Canvas's row "Points Possible", [] where there is none.
    """

    heads: list[str]
    rows: list[list[str]]
    points: list[str]

    def row_of(self, student: str) -> list[str] | None:
        """The row of a student, by login, id, e-mail or name, in this order; None where no row is theirs.

        Where none of these is theirs as it stands, a login counts for its e-mail, and leading zeros for none.

        Raises:
            ArgumentError: Several rows are.
        """
        heads = [head for head in IDENTIFYING if head in self.heads]
        for head in heads:  # a login as it stands is nobody else's, however alike another one is
            exact = [row for row in self.rows if row[self.heads.index(head)] == student]
            if len(exact) == 1:
                return exact[0]
        for same in (key, person):
            for head in heads:
                at = self.heads.index(head)
                theirs = {same(name) for name in names_of(student, head)}
                found = [row for row in self.rows if same(row[at]) in theirs - {""}]
                if len(found) > 1:
                    raise ArgumentError(
                        f"{student} may be {plural(len(found), 'student')} of the list: they have the same {head}.",
                        "A score is entered where it is clear whose it is.",
                        "Name the student's folder after their login, id or e-mail.",
                    )
                if found:
                    return found[0]
        return None


def read_roster(text: str, needed: Sequence[str]) -> Roster:
    r"""Read a list.

    Raises:
        ArgumentError: It lacks a column.

    Example:
        >>> roster = read_roster("Student,ID,Section\nPoints Possible,,\n\"Lovelace, Ada\",7,A\n", ["ID"])
        >>> roster.row_of("Ada Lovelace"), roster.row_of("lovelaceada_7_99_work")
        (['Lovelace, Ada', '7', 'A'], ['Lovelace, Ada', '7', 'A'])
    """
    lines = [line for line in csv.reader(io.StringIO(text.removeprefix("\ufeff"))) if any(line)]
    heads = lines[0] if lines else []
    if missing := [name for name in needed if name not in heads]:
        raise ArgumentError(
            f"The list has no column {missing[0]!r}; it has {', '.join(heads[:8]) or 'none'}.",
            f"It needs {', '.join(needed)}.",
            "Export it from the course system, and give it as it is.",
        )
    wide = [[*line, *[""] * (len(heads) - len(line))] for line in lines[1:]]
    points = next((line for line in wide if line[0].strip() == "Points Possible"), [])
    return Roster(heads, [line for line in wide if line is not points], points)


def names_of(student: str, head: str) -> set[str]:
    """What a student of a batch may be called in a column."""
    moodle, canvas = MOODLE.fullmatch(student), CANVAS.fullmatch(student)
    if head == "Identifier":
        return {key(f"Participant {moodle[2]}")} if moodle else {key(student)}
    if head == "ID" and canvas:
        return {key(canvas[1]), key(student)}
    if head in ("Full name", "Student"):
        return {key(moodle[1] if moodle else student)}
    return {key(student)}


def person(name: str) -> str:
    """A name by which one person may be there twice: however it is written, an e-mail is its login, and 007 is 7.

    Example:
        >>> {person(name) for name in ("Ada", "ada ", "ADA@uni.example", "\u200bada", "ａｄａ")}, person("0071")
        ({'ada'}, '71')
    """
    seen = "".join(each for each in normalize("NFKC", name) if category(each) not in ("Cf", "Cc"))
    parts = key(key(seen).partition("@")[0] or seen).replace("_", " ").replace(".", " ").split()
    return " ".join(part.lstrip("0") or part for part in parts)


def key(name: str) -> str:
    """A name as it is compared: "Lovelace, Ada" is "Ada Lovelace".

    Example:
        >>> key("Lovelace, Ada") == key(" ada lovelace")
        True
    """
    last, comma, first = name.partition(",")
    return " ".join(normalize("NFKC", f"{first} {last}" if comma else name).casefold().split())
