"""A course as the grader needs it: a folder with the lessons, their judges, their solutions and a secret."""

from __future__ import annotations

import hashlib
import json
import math
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ..errors import ArgumentError
from .allowance import Purse, Times
from .judge_source import Check, Exercise, Judge, code_of, judge_of, source_of
from .limits import Limits
from .package import student_package
from .seek import Wanted, wanted_of

SCHEMA = "minitorch-lab/course/1"


@dataclass(frozen=True, slots=True)
class LessonFiles:
    """The three notebooks of a lesson: what students get, the judge, and the lesson solved."""

    lesson: Path
    judge: Path
    reference: Path


@dataclass(frozen=True)
class Lesson:
    """A lesson of a course: its notebooks, what its judge says of exercises and checks, and what solving it takes.

    `time`: how many times as long as usual a submission may take.
    """

    name: str
    folder: Path = field(repr=False)
    limits: Limits
    judge: Judge = field(repr=False)
    times: Times | None = None
    time: float = 1.0

    @property
    def purse(self) -> Purse:
        """The time that a submission has; without end where nobody knows what the solved lesson takes."""
        return self.times.purse.enlarged(self.time) if self.times else Purse(math.inf, {})

    @property
    def exercises(self) -> tuple[Exercise, ...]:
        """The exercises, in the order of the judge."""
        return self.judge.exercises

    @property
    def checks(self) -> tuple[Check, ...]:
        """The checks, in the order of the judge."""
        return self.judge.checks

    @property
    def points(self) -> float:
        """What there is to earn."""
        return sum(check.points for check in self.checks)

    @property
    def judge_path(self) -> Path:
        """The judge notebook."""
        return self.folder / "judges" / f"{self.name}.ipynb"

    @property
    def reference_path(self) -> Path:
        """The lesson solved."""
        return self.folder / "reference" / f"{self.name}.ipynb"

    @cached_property
    def notebook(self) -> dict[str, Any]:
        """The notebook that students get, as JSON."""
        return notebook_at(self.folder / "lessons" / f"{self.name}.ipynb")

    @cached_property
    def solved(self) -> dict[str, Any]:
        """The lesson solved, as JSON."""
        return notebook_at(self.reference_path)

    @cached_property
    def handed_out(self) -> frozenset[str]:
        """The sources of its code cells, without the blanks around them."""
        return frozenset(source.strip() for source in code_of(self.notebook))

    @cached_property
    def wanted(self) -> dict[str, Wanted]:
        """Its exercises, as they are looked for in a notebook."""
        return wanted_of(self.notebook, {each.name: each.cells for each in self.exercises})

    @cached_property
    def words(self) -> frozenset[str]:
        """The words in its cells: students have them all."""
        return frozenset(word for cell in self.notebook["cells"] for word in re.findall(r"[^\W\d]\w*", source_of(cell)))


@dataclass(frozen=True)
class Course:
    """A course folder, read and checked.

    Example:
        >>> Course.load("no-such-course")
        Traceback (most recent call last):
        minitorch_lab.errors.ArgumentError: no-such-course is no course: it has no course.json.
          A course is a folder with course.json, secret, lessons/, judges/, reference/ and package/.
          Make one with minitorch-lab release.
    """

    path: Path
    name: str
    lessons: dict[str, Lesson]

    @property
    def secret(self) -> bytes:
        """What the drawn inputs are derived from."""
        return bytes.fromhex((self.path / "secret").read_text("ascii").strip())

    @property
    def package(self) -> Path:
        """The folder that holds the students' view of the package."""
        return self.path / "package"

    @cached_property
    def digest(self) -> str:
        """SHA-256 over every file of the course but the secret and what Python compiles, as hex."""
        total = hashlib.sha256()
        for path in sorted(self.path.rglob("*")):
            if path.is_file() and path.name != "secret" and path.suffix != ".pyc":
                name = path.relative_to(self.path).as_posix()
                total.update(f"{name}\0{hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
        return total.hexdigest()

    @classmethod
    def load(cls, path: Path | str) -> Course:
        """Read a course.

        Raises:
            ArgumentError: Something is missing from the folder, or a judge does not say what it must.
        """
        folder = Path(path)
        if not (folder / "course.json").is_file():
            raise ArgumentError(
                f"{path} is no course: it has no course.json.",
                "A course is a folder with course.json, secret, lessons/, judges/, reference/ and package/.",
                "Make one with minitorch-lab release.",
            )
        said = json.loads((folder / "course.json").read_text("utf-8"))
        if said.get("schema") != SCHEMA:
            raise ArgumentError(
                f"{path} is a course with the schema {said.get('schema')!r}.",
                f"This version reads {SCHEMA!r}.",
                "Make it anew with minitorch-lab release.",
            )
        limits = Limits().changed(said.get("limits", {}))
        require(folder, ["secret", "package/minitorch_lab/__init__.py"])
        lessons: dict[str, Lesson] = {}
        for name, each in said["lessons"].items():
            time, own = time_of(each.get("time", said.get("time", 1.0))), limits.changed(each.get("limits", {}))
            lessons[name] = read_lesson(folder, name, own.enlarged(time), each.get("times"), time)
        return cls(folder.resolve(), said["name"], lessons)

    @classmethod
    def create(
        cls, path: Path | str, name: str, lessons: Mapping[str, LessonFiles], limits: Limits, time: float = 1.0
    ) -> Course:
        """Write a course into a new folder, with a new secret, and read it back.

        Args:
            path: The folder: missing, or empty.
            name: What the course is called.
            lessons: The three notebooks of each lesson, by its name.
            limits: What an exercise may use, unless its lesson says otherwise in course.json.
            time: How many times as long as usual a submission may take; the same holds of it.

        Raises:
            ArgumentError: The folder holds something, or a judge does not say what it must.
        """
        folder, time = Path(path), time_of(time)
        if folder.exists() and any(folder.iterdir()):
            raise ArgumentError(
                f"A course was to be written into {path}, which is not empty.",
                "A course is made in a folder of its own, so that nothing of an older one stays.",
                f"Did you mean {Path(path).with_name(Path(path).name + '-2')}?",
            )
        folder.mkdir(parents=True, exist_ok=True)
        for lesson, each in lessons.items():
            for room, source in (("lessons", each.lesson), ("judges", each.judge), ("reference", each.reference)):
                (folder / room).mkdir(exist_ok=True, mode=0o755 if room == "lessons" else 0o700)
                shutil.copyfile(source, folder / room / f"{lesson}.ipynb")
        student_package(folder / "package")
        write_secret(folder / "secret")
        usual = asdict(Limits())  # as long as the solved lesson says: of the times only what was asked for is noted
        bounds = {key: n for key, n in asdict(limits).items() if key not in ("wall", "call") or n != usual[key]}
        said = {"schema": SCHEMA, "name": name, "time": time, "limits": bounds}
        said["lessons"] = {each: {} for each in lessons}
        (folder / "course.json").write_text(json.dumps(said, indent=1) + "\n", "utf-8")
        return cls.load(folder)


def write_times(course: Course, lesson: str, times: Times) -> Course:
    """Note in a course what a solved lesson took, and return the course with it."""
    path = course.path / "course.json"
    said = json.loads(path.read_text("utf-8"))
    said["lessons"][lesson]["times"] = times.record()
    path.write_text(json.dumps(said, indent=1) + "\n", "utf-8")
    return Course.load(course.path)


def time_of(given: Any) -> float:
    """How many times as long as usual a submission may take, as a teacher has written it."""
    if isinstance(given, bool) or not isinstance(given, int | float) or not 0 < given < math.inf:
        raise ArgumentError(
            f"The time of the course is {given!r}.",
            "It says how many times as long as usual a submission may take, so it is a number above 0.",
            'Did you mean "time": 2?',
        )
    return float(given)


def write_secret(path: Path) -> None:
    """Write a new secret that nobody else can read."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secrets.token_hex(32) + "\n")


def require(folder: Path, names: list[str]) -> None:
    """Refuse a course that lacks one of these files."""
    for name in names:
        if not (folder / name).is_file():
            raise ArgumentError(
                f"The course {folder} has no {name}.",
                "A course is a folder with course.json, secret, lessons/, judges/, reference/ and package/.",
                "Make it anew with minitorch-lab release.",
            )


def read_lesson(
    folder: Path, name: str, limits: Limits, times: dict[str, Any] | None = None, time: float = 1.0
) -> Lesson:
    """Read one lesson of a course."""
    require(folder, [f"{room}/{name}.ipynb" for room in ("lessons", "judges", "reference")])
    judge, lesson = (notebook_at(folder / room / f"{name}.ipynb") for room in ("judges", "lessons"))
    took = Times(**times) if times else None
    return Lesson(name, folder.resolve(), limits, judge_of(name, judge, lesson), took, time)


def notebook_at(path: Path) -> dict[str, Any]:
    """Read one of the course's own notebooks."""
    try:
        notebook = json.loads(path.read_text("utf-8"))
        notebook["cells"]
    except (ValueError, KeyError, TypeError) as cause:
        raise ArgumentError(
            f"{path} is no notebook.",
            "The notebooks of a course have the format 4.5, in which every cell has an id.",
            "Open it in JupyterLab and save it again.",
        ) from cause
    return notebook
