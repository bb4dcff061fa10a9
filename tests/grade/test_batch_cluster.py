"""A cluster that runs already: a real scheduler and its worker, over TLS, with certificates of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner
from distributed import Security

from minitorch_lab.cli import commands
from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import Course, Isolation, Limits
from minitorch_lab.grade.class_run import Marking, this_machine
from minitorch_lab.grade.one import grader_digest
from tests.grade.course import STARTERS, answered, small_course
from tests.grade.notebooks import write
from tests.grade.over_dask import OVER_DASK

pytestmark = OVER_DASK
REPOSITORY = Path(__file__).resolve().parents[2]
Papers = tuple[Path, Path, Path]


def papers(folder: Path) -> Papers:
    """An authority, a certificate and its key, as files."""
    folder.mkdir()
    made = Security.temporary()
    texts = {"ca.pem": made.tls_ca_file, "cert.pem": made.tls_client_cert, "key.pem": made.tls_client_key}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return folder / "ca.pem", folder / "cert.pem", folder / "key.pem"


@contextmanager
def dask(folder: Path, certificates: Papers, *words: object) -> Iterator[subprocess.Popen[bytes]]:
    """A command of Dask, with certificates, ended at the end."""
    own = [f"--tls-{kind}={path}" for kind, path in zip(("ca-file", "cert", "key"), certificates, strict=True)]
    command = [sys.executable, "-m", "dask", *map(str, words), "--host=127.0.0.1", "--no-dashboard", *own]
    env = os.environ | {"PYTHONPATH": str(REPOSITORY)}
    with (folder / f"{words[0]}.log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, stdout=log, stderr=log, env=env)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Papers:
    return papers(tmp_path_factory.mktemp("certificates") / "papers")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory, certificates: Papers) -> Generator[str]:
    folder = tmp_path_factory.mktemp("dask")
    known = folder / "scheduler.json"
    with dask(folder, certificates, "scheduler", "--port=0", "--protocol=tls", f"--scheduler-file={known}"):
        until = time.monotonic() + 60
        while not known.exists() and time.monotonic() < until:
            time.sleep(0.1)
        found = json.loads(known.read_text())["address"]
        with dask(folder, certificates, "worker", found, "--nworkers=1", "--nthreads=1", "--protocol=tls"):
            yield found


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course(tmp_path_factory.mktemp("cluster"), Limits())


def graded(course: Course, folder: Path, out: str, *words: object) -> dict[str, float]:
    """The scores of a class of three, graded by the command."""
    handed_in = folder / "submitted"
    handed_in.mkdir(exist_ok=True)
    write(handed_in / "ada.ipynb", answered())
    write(handed_in / "bob.ipynb", answered(cube=STARTERS["cube"]))
    write(handed_in / "eve.ipynb", answered(**STARTERS))
    told = ["grade", handed_in, "--course", course.path, "--out", folder / out, *words]
    done = CliRunner().invoke(commands, [str(word) for word in told], catch_exceptions=False)
    assert done.exit_code == 0, done.output
    said = json.loads((folder / out / "results.json").read_text("utf-8"))
    return {each["student"]: each["result"]["score"] for each in said["submissions"]}


def test_a_class_is_graded_by_a_cluster_as_it_is_here(
    course: Course, address: str, certificates: Papers, tmp_path: Path
) -> None:
    assert address.startswith("tls://127.0.0.1:")
    there = graded(course, tmp_path, "there", "--scheduler", address, "--certificates", *certificates)
    assert there == {"ada": 10.0, "bob": 6.0, "eve": 0.0}
    assert graded(course, tmp_path, "here", "--workers", 1) == there
    assert (tmp_path / "here/results.json").read_bytes() == (tmp_path / "there/results.json").read_bytes()


def test_certificates_of_another_authority_are_not_let_in(course: Course, address: str, tmp_path: Path) -> None:
    strangers = papers(tmp_path / "strangers")
    with pytest.raises(ArgumentError, match=f"No scheduler answers at {address}"):
        graded(course, tmp_path, "refused", "--scheduler", address, "--certificates", *strangers)


# ---- workers that would grade otherwise -----------------------------------------------------------------------------

HERE = Isolation("weak", ("process",))


def marking(course: Course) -> Marking:
    return Marking(str(course.path), course.digest, None, HERE, grader_digest(), this_machine())


def test_a_worker_of_another_version_grades_nothing(course: Course) -> None:
    with pytest.raises(ArgumentError, match="has another version of the grader"):
        replace(marking(course), grader="another")(b"{}")


def test_a_worker_with_another_course_grades_nothing(course: Course) -> None:
    with pytest.raises(ArgumentError, match="A worker found another course"):
        replace(marking(course), digest="another")(b"{}")


def test_a_worker_elsewhere_looks_for_itself_how_it_isolates(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minitorch_lab.grade.class_run.probe", lambda layers: replace(HERE, reached=("files",)))
    with pytest.raises(ArgumentError, match="isolates submissions otherwise: it is weak"):
        replace(marking(course), machine="elsewhere")(b"{}")
    monkeypatch.setattr("minitorch_lab.grade.class_run.probe", lambda layers: HERE)
    assert replace(marking(course), machine="far away")(b"{}")["problem"] == "not a notebook"
