"""What course systems call the things that they hand over, and which of them are one student's."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from itertools import takewhile
from typing import NamedTuple

from .submitters import LISTED

MOODLE = re.compile(r"((.+?)_(\d+))_assignsubmission_[a-z]+(?:_(.*))?", re.DOTALL)  # a folder, or a file without one
BLACKBOARD = re.compile(r"(.+?)_attempt_(\d{4}(?:-\d\d){5})(?:_(.+)|\.txt)", re.DOTALL)  # a file, or what was typed
CANVAS = re.compile(r"([^\W\d_]+)_(?:LATE_)?(\d+)_(\d+)_(.+)", re.DOTALL)
BESIDE = re.compile(r"([^\W\d_]+)_(?:LATE_)?(\d+)_(?:text|link)\.html")  # what was typed into Canvas: no file's id
LONG = 3, 5  # digits of a user's and a file's id that are Canvas's, whatever else lies in the folder
SURE = 5  # digits of a user's id that is no year and no room: then two files of one name are one student's, too
COPIES = 2  # of a lesson that a student may have, on the average of a class, before a name is taken for the teacher's
NUMBERED = re.compile(r"(.+?)(?: ?\((\d+)\)|-(\d+))", re.IGNORECASE)  # how browsers and Canvas call a newer one


class Named(NamedTuple):
    """Whose something is that a course system has named.

    Args:
        student: The name or login of a person.
        account: The number that the system has for them, such as "Canvas 12345"; "" where it is their login.
        full: A name that nobody else in the folder has.
    """

    student: str
    account: str
    full: str


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
    return canvas.name if canvas else (moodle and moodle[4]) or (blackboard and blackboard[3]) or name


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


def uploads(names: Iterable[str]) -> dict[Uploaded, str]:
    """What there is of Canvas's in a folder, with the names: its ids are long, or the folder as a whole is its.

    A folder is Canvas's as a whole where most of it is called so, each file has an id of its own, and each user one
    name and one id.
    """
    names = [name for name in names if not BESIDE.fullmatch(name)]
    found = {each: name for name in names if (each := uploaded(name))}
    users = {each.user for each in found}
    alone = len({each.file for each in found}) == len(found)
    whole = len(users) > 1 and alone and len({number for _, number in users}) == len(users)
    if whole and 2 * len(found) > len(names):
        return found
    return {each: name for each, name in found.items() if is_long(each)}


def is_long(upload: Uploaded) -> bool:
    """Whether ids are so long that they are Canvas's."""
    user, file = LONG
    return len(upload.user[1]) >= user and len(str(upload.file)) >= file


def people(names: Iterable[str], lessons: Collection[str]) -> dict[str, Named]:
    """The names under which a course system has put things, with the student that each is of.

    Moodle has a folder for files and one for what was typed, Blackboard a name and a time before each file. Canvas has
    all files of a class beside each other; those of a user are one student's where the assignment's file is among
    them, or where the folder is clearly Canvas's.

    Args:
        names: What lies in one folder.
        lessons: What the notebooks of the course are called, without the ending.

    Example:
        >>> found = people(["ada_12345_67890_03_backward.ipynb", "ada_12345_67891_notes.pdf"], ["03_backward"])
        >>> {each[:2] for each in found.values()}
        {('ada', 'Canvas 12345')}
        >>> people(["ws25_2025_101_ada.ipynb", "ws25_2025_102_bob.ipynb"], ["03_backward"])
        {}
    """
    names = sorted(names)
    found: dict[str, Named] = {}
    attempts = {name: each[1] for name in names if (each := BLACKBOARD.fullmatch(name)) and not MOODLE.fullmatch(name)}
    logins = logins_of({*attempts.values()})
    found |= {name: Named(logins[user], "", user) for name, user in attempts.items()}
    for name in names:
        if each := MOODLE.fullmatch(name):
            found[name] = Named(each[2], f"Moodle {each[3]}", f"{each[2]} ({each[3]})")
    for (user, number), held in of_canvas(names, lessons).items():
        found |= dict.fromkeys(held, Named(user, f"Canvas {number}", f"{user} ({number})"))
    often = Counter(student for student, _ in {(each.student, each.full) for each in found.values()})
    return {name: each._replace(student=each.full) if often[each.student] > 1 else each for name, each in found.items()}


def logins_of(users: Collection[str]) -> dict[str, str]:
    """The logins in what Blackboard has put before a time: the assignment, which all have in common, and the login.

    Example:
        >>> logins_of(["Lesson 3_a_bell", "Lesson 3_jdoe"]), logins_of(["My_work_jdoe"])
        ({'Lesson 3_a_bell': 'a_bell', 'Lesson 3_jdoe': 'jdoe'}, {'My_work_jdoe': 'jdoe'})
    """
    users = sorted(users)  # what the first and the last begin with, all do
    alike = takewhile(lambda pair: pair[0] == pair[1], zip(users[0], users[-1], strict=False)) if users[1:] else ()
    common = "".join(one for one, _ in alike).rfind("_") + 1
    return {user: user[common:] if common else user.rpartition("_")[2] for user in users}


def is_download(names: Iterable[str]) -> bool:
    """Whether names are those that a course system gives to what a whole class has handed in.

    Example:
        >>> is_download(["Ada L_7_assignsubmission_file_"]), is_download(["submission_metadata.yml", "submission_7"])
        (True, True)
        >>> is_download(["ada_12345_67890_w.ipynb", "bob_12346_67891_w.ipynb"]), is_download(["ada.ipynb", "bob.ipynb"])
        (True, False)
    """
    names = [*names]
    users = {found.user for found in uploads(names)}
    return (
        LISTED in names or len(users) > 1 or any(MOODLE.fullmatch(name) or BLACKBOARD.fullmatch(name) for name in names)
    )


def same_user(student: str, students: Iterable[str]) -> list[str]:
    """Those of these names that have the same user of Canvas's, where they are few: one may have handed in twice.

    Example:
        >>> same_user("ada_7_1_w", ["ada_7_1_w", "ada_7_2_w", "bob_8_3_w"])
        ['ada_7_2_w']
    """
    mine = uploaded(student)
    if mine is None:
        return []
    found = [each for each in students if each != student and (other := uploaded(each)) and other.user == mine.user]
    return found if len(found) < COPIES else []


def of_canvas(names: Iterable[str], lessons: Collection[str]) -> dict[tuple[str, str], list[str]]:
    """What is each user's in a folder of Canvas's: the oldest file first, and last what was typed.

    A teacher may call files alike: term, year, number, lesson. There one "user" would have the lesson of a whole class.
    """
    names = [*names]
    called = uploads(names)
    files: dict[tuple[str, str], list[Uploaded]] = {}
    for each in called:
        files.setdefault(each.user, []).append(each)
    typed: dict[tuple[str, str], list[str]] = defaultdict(list)
    for name in names:
        if text := BESIDE.fullmatch(name):
            typed[text[1], text[2]].append(name)
    theirs = {user: [each for each in held if unnumbered(each.name)[0] in lessons] for user, held in files.items()}
    handing_in = [user for user, held in theirs.items() if held]
    if sum(map(len, theirs.values())) > COPIES * len(handing_in):
        return {}
    sure = len(handing_in) > 1
    clear = len({each.user for each in called if is_long(each)}) > 1
    ids = Counter(number for _, number in {*files, *typed})  # one that has two names is none of Canvas's

    def is_one(user: tuple[str, str], held: list[Uploaded]) -> bool:
        own = len({each.name for each in held}) == len(held) or (sure and len(user[1]) >= SURE)
        return ids[user[1]] == 1 and (own if theirs.get(user) or sure else clear and len(held) == 1)

    return {
        user: [*(called[each] for each in sorted(files.get(user, []), key=lambda each: each.file)), *typed[user]]
        for user in [*files, *(user for user in typed if user not in files and sure)]
        if is_one(user, files.get(user, []))
    }
