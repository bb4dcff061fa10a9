"""What course systems call the things that they hand over, and which of them are one student's."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import NamedTuple

from .submitters import LISTED

MOODLE = re.compile(r"(.+?_\d+)_assignsubmission_[a-z]+(?:_(.*))?", re.DOTALL)  # a folder, or a file without one
BLACKBOARD = re.compile(r"(.+?)_attempt_(\d{4}(?:-\d\d){5})(?:_(.+)|\.txt)", re.DOTALL)  # a file, or what was typed
CANVAS = re.compile(r"([^\W\d_]+)_(?:LATE_)?(\d{3,})_(\d{5,})_(.+)", re.DOTALL)
BESIDE = re.compile(r"([^\W\d_]+)_(?:LATE_)?(\d{3,})_(?:text|link)\.html")  # what was typed into Canvas: no file's id
SURE = 5  # digits of a user's id that is no year and no room: then two files of one name are one student's, too
COPIES = 2  # of a lesson that a student may have, on the average of a class, before a name is taken for the teacher's
NUMBERED = re.compile(r"(.+?)(?: ?\((\d+)\)|-(\d+))", re.IGNORECASE)  # how browsers and Canvas call a newer one


class Uploaded(NamedTuple):
    """A name of Canvas's: whose it is (name and id), the id of the file, which grows, and the student's own name."""

    user: tuple[str, str]
    file: int
    name: str


def uploaded(name: str) -> Uploaded | None:
    """What a name says if it is one of Canvas's; None where it is none.

    Canvas writes the user's name in small letters without anything between them, its own ids, and the file's name.

    Example:
        >>> uploaded("adalovelace_LATE_12345_67890_03_backward.ipynb")
        Uploaded(user=('adalovelace', '12345'), file=67890, name='03_backward.ipynb')
        >>> uploaded("ws25_2025_101_ada.ipynb") is None
        True
    """
    found = CANVAS.fullmatch(name)
    if found is None or found[1] != found[1].lower():
        return None
    return Uploaded((found[1], found[2]), int(found[3]), found[4])


def own_name(name: str) -> str:
    """What a student has called a file, without what a course system has put before it.

    Example:
        >>> own_name("ada_12345_67890_w.ipynb"), own_name("Ada L_7_assignsubmission_file_w.ipynb"), own_name("w.ipynb")
        ('w.ipynb', 'w.ipynb', 'w.ipynb')
    """
    canvas, moodle, blackboard = uploaded(name), MOODLE.fullmatch(name), BLACKBOARD.fullmatch(name)
    return canvas.name if canvas else (moodle and moodle[2]) or (blackboard and blackboard[3]) or name


def unnumbered(name: str) -> tuple[str, int]:
    """The stem of a file's name without its number, and the number: Canvas's id, Blackboard's time, or a browser's.

    Example:
        >>> unnumbered("work (2).ipynb"), unnumbered("work.ipynb"), unnumbered("ada_12345_67890_work-1.ipynb")
        (('work', 2), ('work', 0), ('work', 67890))
    """
    canvas = uploaded(name)
    stem = own_name(name).rpartition(".")[0] or own_name(name)
    found = NUMBERED.fullmatch(stem)
    number = int(found[2] or found[3]) if found else 0
    attempt = BLACKBOARD.fullmatch(name)
    number = canvas.file if canvas else int(attempt[2].replace("-", "")) if attempt else number
    return (found[1] if found else stem), number


def split(names: Iterable[str], lessons: Collection[str]) -> dict[str, str]:
    """The names under which a course system has put several things of one student, with the first of them.

    Moodle has a folder for files and one for what was typed, Blackboard a name and a time before each file. Canvas has
    all files of a class beside each other; those of a user are one student's where the assignment's file is among
    them, or where the folder is clearly Canvas's.

    Args:
        names: What lies in one folder.
        lessons: What the notebooks of the course are called, without the ending.

    Example:
        >>> split(["ada_12345_67890_03_backward.ipynb", "ada_12345_67891_notes.pdf"], ["03_backward"])
        {'ada_12345_67891_notes.pdf': 'ada_12345_67890_03_backward.ipynb'}
        >>> split(["ws25_2025_101_ada.ipynb", "ws25_2025_102_bob.ipynb"], ["03_backward"])
        {}
    """
    names = sorted(names)
    groups: dict[object, list[str]] = defaultdict(list)
    for name in names:
        if found := MOODLE.fullmatch(name) or BLACKBOARD.fullmatch(name):
            groups[found[1]].append(name)
    groups |= of_canvas(names, lessons)
    return {name: group[0] for group in groups.values() for name in group[1:]}


def is_download(names: Iterable[str]) -> bool:
    """Whether names are those that a course system gives to what a whole class has handed in.

    Example:
        >>> is_download(["Ada L_7_assignsubmission_file_"]), is_download(["submission_metadata.yml", "submission_7"])
        (True, True)
        >>> is_download(["ada_12345_67890_w.ipynb", "bob_12346_67891_w.ipynb"]), is_download(["ada.ipynb", "bob.ipynb"])
        (True, False)
    """
    names = [*names]
    users = {found.user for found in map(uploaded, names) if found}
    return (
        LISTED in names or len(users) > 1 or any(MOODLE.fullmatch(name) or BLACKBOARD.fullmatch(name) for name in names)
    )


def of_canvas(names: Iterable[str], lessons: Collection[str]) -> dict[object, list[str]]:
    """What is each user's in a folder of Canvas's: the oldest file first, and last what was typed.

    A teacher may call files alike: term, year, number, lesson. There one "user" would have the lesson of a whole class.
    """
    files: dict[tuple[str, str], list[Uploaded]] = defaultdict(list)
    called: dict[Uploaded, str] = {}
    typed: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        if found := uploaded(name):
            files[found.user].append(found)
            called[found] = name
        elif text := BESIDE.fullmatch(name):
            typed[text[1], text[2]].append(name)
    theirs = {user: [each for each in held if unnumbered(each.name)[0] in lessons] for user, held in files.items()}
    handing_in = [user for user, held in theirs.items() if held]
    if sum(map(len, theirs.values())) > COPIES * len(handing_in):
        return {}
    sure = len(handing_in) > 1
    ids = Counter(number for _, number in files)  # one that has two names is none of Canvas's
    return {
        user: [*(called[each] for each in sorted(held, key=lambda each: each.file)), *typed[user]]
        for user, held in files.items()
        if (theirs[user] or sure)
        and ids[user[1]] == 1
        and (len({each.name for each in held}) == len(held) or (sure and len(user[1]) >= SURE))
    }
