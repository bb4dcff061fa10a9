"""What issue 7 asks of a class, measured: 60 in two minutes, 360 with a killed scheduler, 100 gradings of one.

Example: python -m tests.grade.class_of 60
"""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import statistics
import sys
import threading
import time
from collections import Counter
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from minitorch_lab.grade import Course, grade_one, probe
from minitorch_lab.grade.class_run import grade_class
from minitorch_lab.grade.cluster import Cluster, local
from minitorch_lab.grade.release import release
from tests.grade.answers import hand_in, right, rounds, starters

LESSON = "03_backward"


def class_of(size: int, folder: Path) -> Path:
    """A folder of students: six of ten answers are right, three are typical errors, one is unwritten."""
    rng = random.Random(size)
    good, bad, none = right(LESSON), rounds("wrong", LESSON), starters(LESSON)
    for k in range(size):
        answers: dict[str, str] = {}
        for cell in good:
            wrong = [each[cell] for each in bad if cell in each]
            answers[cell] = rng.choices([good[cell], rng.choice(wrong), none[cell]], [6, 3, 1])[0]
        hand_in(LESSON, answers, folder / f"student{k:03}" / f"{LESSON}.ipynb", by=f"student {k}")
    return folder


def scores(folder: Path) -> dict[str, Any]:
    """The results of a class, by student, as they are published."""
    said = json.loads((folder / "results.json").read_text("utf-8"))
    return {each["student"]: each["result"] for each in said["submissions"]}


def seconds(folder: Path) -> list[float]:
    """How long each submission took, from the journal."""
    return [json.loads(line)["record"]["seconds"] for line in (folder / "journal.jsonl").read_text().splitlines()]


def cpu() -> float:
    """Seconds of CPU that this process and all that it has started and ended have used."""
    return sum(os.times()[:4])


def timed(course: Course, students: Path, out: Path, connect: Any) -> float:
    """Grade a class; the seconds it takes, report included."""
    start = time.monotonic()
    grade_class([students], course, LESSON, out, probe(), connect)
    return time.monotonic() - start


def sixty(course: Course, place: Path, size: int) -> None:
    """Issue 7, line 1."""
    students = class_of(size, place / "submitted")
    before = cpu()
    took = timed(course, students, place / "results", partial(local, 2))
    print(f"CPU: {(cpu() - before) / size:.2f} s per submission, all processes together")
    each = seconds(place / "results")
    print(f"{size} submissions with two workers: {took:.1f} s, median {statistics.median(each):.2f} s each")
    print(f"statuses {dict(Counter(r['status'] for r in scores(place / 'results').values()))}")


def killed(course: Course, place: Path, size: int) -> None:
    """Issue 7, line 3."""
    students = class_of(size, place / "submitted")
    calm = timed(course, students, place / "calm", partial(local, 3))
    journal, after = place / "disturbed/journal.jsonl", int(random.uniform(0.2, 0.8) * size)
    pids: list[int] = []

    def kill(pid: int) -> None:
        while not journal.exists() or len(journal.read_text().splitlines()) < after:
            time.sleep(0.1)
        os.kill(pid, signal.SIGKILL)
        print(f"the scheduler was killed after {after} records")

    @contextmanager
    def disturbed() -> Generator[Cluster]:
        with local(3) as cluster:
            if not pids and cluster.pid is not None:
                pids.append(cluster.pid)
                threading.Thread(target=kill, args=pids, daemon=True).start()
            yield cluster

    took = timed(course, students, place / "disturbed", disturbed)
    lines = [json.loads(line)["key"] for line in journal.read_text().splitlines()]
    same = scores(place / "calm") == scores(place / "disturbed")
    print(f"{size} undisturbed {calm:.0f} s, with the scheduler killed {took:.0f} s")
    print(f"{len(lines)} records, {len(set(lines))} different, results equal: {same}")
    if not same or len(lines) != size or len(set(lines)) != size:
        sys.exit("!! These are not the results of an undisturbed run.")


def again(course: Course, place: Path, times: int) -> None:
    """Issue 7, line 4: three at a time, so that there is load."""
    students = class_of(1, place / "submitted")
    grade = partial(grade_one, students / "student000" / f"{LESSON}.ipynb", course, lesson=LESSON, isolation=probe())
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(lambda _: json.dumps(grade().record(), sort_keys=True), range(times)))
    score = json.loads(found[0])["score"]
    print(f"{times} gradings of one submission: {len(set(found))} different records, score {score}")
    if len(set(found)) != 1:
        sys.exit("!! Grading is not the same every time.")


TRIALS = {"60": sixty, "360": killed, "100": again}


def main(name: str, size: int) -> None:
    place = Path(mkdtemp(prefix="class-of-"))
    try:
        TRIALS[name](release([LESSON], place / "course"), place, size)
    finally:
        shutil.rmtree(place)


if __name__ == "__main__":
    main(sys.argv[1], int((sys.argv[2:] or sys.argv[1:])[0]))
