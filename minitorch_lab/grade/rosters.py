"""Who is who: the lists that course systems export, and which of their rows a student of a batch is."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from unicodedata import category, normalize

from ..core.words import plural
from ..errors import ArgumentError
from .tables import columns, read_table

IDENTIFYING = ("SIS Login ID", "SIS User ID", "ID", "Student", "Identifier", "Email address", "ID number", "Full name",
               "Username")  # fmt: skip
NAMES = ("Student", "Full name")
MOODLE = re.compile(r"(.+)_(\d+)_assignsubmission_.*", re.DOTALL)  # how Moodle calls the folder of a submission
CANVAS = re.compile(r"[^_]+_(?:LATE_)?(\d+)_\d+(?:_.*)?", re.DOTALL)  # how Canvas calls the file of one


@dataclass(frozen=True, slots=True)
class Roster:
    """A table of students as a course system has exported it.

    Args:
        heads: The names of its columns.
        rows: One per student, as wide as the heads.
        points: Canvas's row "Points Possible", [] where there is none.
        mark: What stands between the cells.
        known: What columns mean, with what they are called here: in which language the list may be.
    """

    heads: list[str]
    rows: list[list[str]]
    points: list[str]
    mark: str = ","
    known: Mapping[str, str] = field(default_factory=dict[str, str])

    def called(self, column: str) -> str | None:
        """What a column is called in this list; None where there is none."""
        return self.known.get(column, column if column in self.heads else None)

    def cell(self, row: Sequence[str], column: str) -> str:
        """What a row has in a column, "" where there is no such column; a full name may be in two."""
        head = self.called(column)
        if head is None and column == "Full name":
            return f"{self.cell(row, 'First name')} {self.cell(row, 'Last name')}".strip()
        return "" if head is None else row[self.heads.index(head)].strip()

    def row_of(self, student: str, account: str = "") -> list[str] | None:
        """The row of a student, by account, login, id, e-mail or name, in this order; None where no row is theirs.

        Where none of these is theirs as it stands, a login counts for its e-mail, leading zeros for none, and a name
        without blanks for one with them.

        Raises:
            ArgumentError: Several rows are.
        """
        if theirs := [row for row in self.rows if account and self.is_account(row, account)]:
            return theirs[0]
        for head in IDENTIFYING:  # a login as it stands is nobody else's, however alike another one is
            exact = [row for row in self.rows if self.cell(row, head) == student]
            if len(exact) == 1:
                return exact[0]
        for same in (lambda name: {key(name)}, lambda name: {person(name)}, spellings):
            for head in IDENTIFYING if same is not spellings else NAMES:
                theirs = {each for name in names_of(student, head) for each in same(name)} - {""}
                found = [row for row in self.rows if theirs & same(self.cell(row, head))]
                if len(found) > 1:
                    raise ArgumentError(
                        f"{student} may be {plural(len(found), 'student')} of the list: they have the same {head}.",
                        "A score is entered where it is clear whose it is.",
                        "Name the student's folder after their login, id or e-mail.",
                    )
                if found:
                    return found[0]
        return None

    def is_account(self, row: Sequence[str], account: str) -> bool:
        """Whether a row is that of an account, such as "Canvas 12345" or "Moodle 7"."""
        system, _, number = account.partition(" ")
        if system == "Moodle":  # "Participant 7", "Teilnehmer/in7"
            return (re.findall(r"\d+", self.cell(row, "Identifier")) or [""])[-1] == number
        return system == "Canvas" and "ID" in self.heads and row[self.heads.index("ID")].strip() == number


def read_roster(text: str, needed: Sequence[str], said: Mapping[str, str] | None = None) -> Roster:
    r"""Read a list, in whatever language of those that are known, and with whatever stands between its cells.

    Args:
        text: The list.
        needed: The columns that it must have.
        said: Columns with what they are called in this list, where that is not known.

    Raises:
        ArgumentError: It lacks a column.

    Example:
        >>> roster = read_roster("Student;ID;Section\nPoints Possible;;\n\"Lovelace, Ada\";7;A\n", ["ID"])
        >>> roster.row_of("Ada Lovelace"), roster.row_of("lovelaceada", "Canvas 7")
        (['Lovelace, Ada', '7', 'A'], ['Lovelace, Ada', '7', 'A'])
    """
    heads, rows, mark = read_table(text)
    own = {name: name for name in needed if name in heads and name not in (said or {})}
    known = own | {name: head for name, head in columns(heads, said or {}).items() if head not in own}
    if missing := [name for name in needed if name not in known]:
        raise ArgumentError(
            f"The list has no column {missing[0]!r}; it has {', '.join(heads[:12]) or 'none'}.",
            f"It needs {', '.join(needed)}: in English, and if it is Moodle's, in German, French or Spanish too.",
            f"In another language, say which one it is: --column '{missing[0]}=NAME'. Or is the list of another "
            "course system?",
        )
    points = next((line for line in rows if line[0].strip() == "Points Possible"), [])
    return Roster(heads, [line for line in rows if line is not points], points, mark, known)


def names_of(student: str, head: str) -> set[str]:
    """What a student of a batch may be called in a column."""
    moodle, canvas = MOODLE.fullmatch(student), CANVAS.fullmatch(student)
    if head == "Identifier":
        return {f"Participant {moodle[2]}"} if moodle else {student}
    if head == "ID" and canvas:
        return {canvas[1], student}
    if head in NAMES:
        return {moodle[1] if moodle else student}
    return {student}


def who_is(name: str, students: Mapping[str, str]) -> str | None:
    """The student that a name means: who is called so, or the only one who may be written so; None where nobody is.

    Args:
        name: A name, login, e-mail or number.
        students: Names of students, with their accounts in a course system.

    Example:
        >>> who_is("Ada Lovelace", {"lovelaceada": "Canvas 7"}), who_is("7", {"lovelaceada": "Canvas 7"})
        ('lovelaceada', 'lovelaceada')
        >>> who_is("ADA", {"ada": "", "Ada": ""}) is None
        True
    """
    if name in students:
        return name
    for same in (lambda name: {person(name)}, spellings):
        mine = same(name) - {""}
        found = [
            each for each, account in students.items() if mine & {*same(each), person(account.partition(" ")[2])} - {""}
        ]
        if found:
            return found[0] if len(found) == 1 else None
    return None


def person(name: str) -> str:
    """A name by which one person may be there twice: however it is written, an e-mail is its login, and 007 is 7.

    Example:
        >>> {person(name) for name in ("Ada", "ada ", "ADA@uni.example", "\u200bada", "ａｄａ")}, person("0071")
        ({'ada'}, '71')
    """
    seen = "".join(each for each in normalize("NFKC", name) if category(each) not in ("Cf", "Cc"))
    parts = key(key(seen).partition("@")[0] or seen).replace("_", " ").replace(".", " ").split()
    return " ".join(part.lstrip("0") or part for part in parts)


def spellings(name: str) -> set[str]:
    """A name as course systems write it together, whichever of its words they put first.

    Example:
        >>> sorted(spellings("Ada Lovelace")), sorted(spellings("Lovelace, Ada")) == sorted(spellings("Ada Lovelace"))
        (['adalovelace', 'lovelaceada'], True)
    """
    words = ["".join(filter(str.isalnum, word)) for word in re.split(r"[\s_.\-]+", person(name))]
    words = [word for word in words if word]
    return {"".join(words[k:] + words[:k]) for k in range(len(words))}


def key(name: str) -> str:
    """A name as it is compared: "Lovelace, Ada" is "Ada Lovelace".

    Example:
        >>> key("Lovelace, Ada") == key(" ada lovelace")
        True
    """
    last, comma, first = name.partition(",")
    return " ".join(normalize("NFKC", f"{first} {last}" if comma else name).casefold().split())
