"""Tables as course systems and spreadsheets write them: whatever stands between the cells, in whatever language."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

from ..errors import ArgumentError

MARKS = ",;\t|"  # what may stand between cells
WIDE = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)

# Moodle writes the heads of its lists in the language of whoever exports them: German, French and Spanish here.
TRANSLATED: Mapping[str, Collection[str]] = {
    "Identifier": ("ID", "Identifiant", "Identificador"),
    "Full name": ("Vollständiger Name", "Nom complet", "Nombre completo", "Nombre/Apellido(s)"),
    "First name": ("Vorname", "Prénom", "Nombre"),
    "Last name": ("Surname", "Nachname", "Nom", "Nom de famille", "Apellido(s)", "Apellidos"),
    "ID number": ("ID-Nummer", "Matrikelnummer", "Numéro d'identification", "Número de ID", "Número ID"),
    "Email address": (
        "E-Mail-Adresse", "E-Mail", "Adresse de courriel", "Courriel", "Dirección de correo", "Dirección Email",
        "Dirección de correo electrónico", "Correo electrónico",
    ),
    "Username": ("Anmeldename", "Nom d'utilisateur", "Nombre de usuario"),
    "Grade": ("Bewertung", "Note", "Calificación"),
    "Maximum Grade": ("Bestwertung", "Note maximale", "Calificación máxima", "Calificación Máxima"),
    "Grade can be changed": (
        "Bewertung kann geändert werden", "La note peut être modifiée", "La calificación puede cambiarse",
        "La calificación puede ser cambiada",
    ),
    "Last modified (grade)": (
        "Zuletzt geändert (Bewertung)", "Dernière modification (note)", "Última modificación (calificación)",
    ),
}  # fmt: skip
NO = {"no", "nein", "non"}


class Table(NamedTuple):
    """A table: the names of its columns, its rows, each as wide as these, and what stands between the cells."""

    heads: list[str]
    rows: list[list[str]]
    mark: str


def read_table(text: str) -> Table:
    r"""Read a table; what stands between its cells is what makes the most of its first line.

    Example:
        >>> read_table("Student;ID\n\"Bell; Bob\";7\n")
        Table(heads=['Student', 'ID'], rows=[['Bell; Bob', '7']], mark=';')
    """
    text = text.removeprefix("\ufeff")
    head = next((line for line in text.splitlines() if line.strip()), "")
    mark = max(MARKS, key=lambda mark: len(next(csv.reader([head], delimiter=mark), [])))
    lines = [line for line in csv.reader(io.StringIO(text, newline=""), delimiter=mark) if any(line)]
    heads = [name.strip() for name in lines[0]] if lines else []
    rows = [[*line, *[""] * (len(heads) - len(line))] for line in lines[1:]]
    return Table(heads, rows, mark)


def written(lines: Iterable[Iterable[str]], mark: str = ",") -> str:
    """Lines as a table."""
    held = io.StringIO()
    csv.writer(held, delimiter=mark, lineterminator="\n").writerows(lines)
    return held.getvalue()


def columns(heads: Collection[str], said: Mapping[str, str]) -> dict[str, str]:
    """What each known column is called in a table: as was said, by its own name, or by one of its translations.

    Args:
        heads: The names of the columns.
        said: Names of known columns, each with that of the column that it is here.

    Raises:
        ArgumentError: A column that was said is not there.

    Example:
        >>> columns(["ID", "Vollständiger Name", "Note"], {"Grade": "Note"})
        {'Grade': 'Note', 'Identifier': 'ID', 'Full name': 'Vollständiger Name'}
    """
    if lost := [name for name in said.values() if name not in heads]:
        raise ArgumentError(
            f"--column names {lost[0]!r}, and the list has {', '.join([*heads][:12]) or 'no columns'}.",
            "It says which column of the list is meant, as in --column 'Grade=Bewertung'.",
            "Write the second name as it stands in the first line of the list.",
        )
    found = dict(said)
    alike = {same(head): head for head in reversed([*heads])}
    for name, others in TRANSLATED.items():
        there = [alike[same(each)] for each in (name, *others) if same(each) in alike]
        free = [head for head in there if head not in found.values()]
        if free:
            found.setdefault(name, free[0])
    return found


def same(head: str) -> str:
    """The name of a column as it is compared: without regard to capitals, blanks and kinds of apostrophes.

    Example:
        >>> same(" Numéro d’identification ") == same("numéro d'identification")
        True
    """
    return re.sub(r"\s+", " ", head.replace("’", "'")).strip().casefold()


def text_of(path: Path) -> str:
    """The text of a file that a course system or a spreadsheet has written.

    Raises:
        ArgumentError: It is no text in Unicode.
    """
    try:
        raw = path.read_bytes()
        return raw.decode("utf-16" if raw.startswith(WIDE) else "utf-8-sig")
    except ValueError as cause:
        raise ArgumentError(
            f"{path} is no text in UTF-8.",
            "Canvas and Moodle export CSV in UTF-8; a spreadsheet may have saved it in another way.",
            "Give the file as it was exported.",
        ) from cause
