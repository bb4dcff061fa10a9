"""A batch over Dask: killed workers, a killed scheduler, a job that always fails; 360 records, none twice."""

from __future__ import annotations

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import psutil
import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade.batch import grade_all
from minitorch_lab.grade.cluster import Certificates, Cluster, joined, local
from minitorch_lab.grade.journal import Journal, Record
from tests.grade.over_dask import OVER_DASK

pytestmark = [
    *OVER_DASK,
    # Dask warns of what it finds when one of its processes is killed, and killing them is what these tests do.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@dataclass(frozen=True)
class Quick:
    """Stands for the grader: a score that follows from the bytes, and some that go wrong."""

    seconds: float = 0.01

    def __call__(self, content: bytes) -> Record:
        time.sleep(self.seconds)
        if content.startswith(b"kill"):
            os.kill(os.getpid(), signal.SIGKILL)
        if content.startswith(b"raise"):
            raise OSError("disk full")
        return {"status": "graded", "score": sha256(content).digest()[0]}

    def fault(self, content: bytes, error: BaseException | None) -> Record:
        return {"status": "fault", "fault": type(error).__name__}


def work(n: int) -> dict[str, bytes]:
    return {f"k{k}": f"notebook {k}".encode() for k in range(n)}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


@contextmanager
def disturbed(workers: int, disturb: Callable[[Cluster], None]) -> Generator[Cluster]:
    """A cluster to which something happens while it works."""
    with local(workers) as cluster:
        threading.Thread(target=disturb, args=(cluster,), daemon=True).start()
        yield cluster


def test_360_with_three_workers_and_the_scheduler_killed_once(tmp_path: Path) -> None:
    killed: list[int | None] = []

    def kill(cluster: Cluster) -> None:
        if not killed:
            killed.append(cluster.pid)
            time.sleep(random.Random(7).uniform(0.3, 0.9))
            os.kill(cluster.pid or 0, signal.SIGKILL)

    ticks: list[None] = []
    with Journal(tmp_path / "j") as journal:
        grade_all(work(360), Quick(), journal, lambda: disturbed(3, kill), lambda: ticks.append(None))
    found = {line["key"]: line["record"] for line in lines(tmp_path / "j")}
    assert len(killed) == 1
    assert len(lines(tmp_path / "j")) == len(found) == len(ticks) == 360
    assert found == {key: Quick(0)(content) for key, content in work(360).items()}
    with Journal(tmp_path / "j") as journal:  # and again: nothing is left to do, so that no cluster is started
        grade_all(work(360), Quick(), journal, refuse, lambda: ticks.append(None))
    assert len(lines(tmp_path / "j")) == 360
    assert len(ticks) == 720


def refuse() -> Any:
    raise AssertionError("no cluster was to be started")


def test_a_submission_that_takes_its_worker_along_is_a_fault_and_stops_nobody(tmp_path: Path) -> None:
    given = work(20) | {"bad": b"kill", "sad": b"raise"}
    with Journal(tmp_path / "j") as journal:
        grade_all(given, Quick(), journal, lambda: local(2), lambda: None)
        assert journal["bad"] == {"status": "fault", "fault": "KilledWorker"}
        assert journal["sad"] == {"status": "fault", "fault": "OSError"}
    assert Counter(line["record"]["status"] for line in lines(tmp_path / "j")) == {"graded": 20, "fault": 2}


def test_killed_workers_are_replaced(tmp_path: Path) -> None:
    def kill(cluster: Cluster) -> None:
        for _ in range(2):
            time.sleep(0.4)
            pids = [w["pid"] for w in cluster.client.run(lambda: {"pid": os.getpid()}).values()]
            os.kill(pids[0], signal.SIGKILL)

    with Journal(tmp_path / "j") as journal:
        grade_all(work(100), Quick(0.03), journal, lambda: disturbed(3, kill), lambda: None)
    assert [line["record"]["status"] for line in lines(tmp_path / "j")] == ["graded"] * 100


def test_a_scheduler_that_has_lost_all_its_workers_is_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minitorch_lab.grade.cluster.PATIENCE", 3.0)
    started: list[Cluster] = []

    def retire(cluster: Cluster) -> None:
        started.append(cluster)
        if len(started) == 1:
            time.sleep(0.3)
            cluster.client.retire_workers(list(cluster.client.nthreads()))

    with Journal(tmp_path / "j") as journal:
        grade_all(work(40), Quick(0.2), journal, lambda: disturbed(2, retire), lambda: None)
    assert len(started) == 2
    assert [line["record"]["status"] for line in lines(tmp_path / "j")] == ["graded"] * 40


def test_schedulers_that_always_die_are_told(tmp_path: Path) -> None:
    def kill(cluster: Cluster) -> None:
        os.kill(cluster.pid or 0, signal.SIGKILL)

    with Journal(tmp_path / "j") as journal, pytest.raises(ArgumentError) as caught:
        grade_all({"a": b"a"}, Quick(5), journal, lambda: disturbed(1, kill), lambda: None)
    assert str(caught.value).endswith("Run the same command again: it goes on where it stopped.")


KILLED = """
import psutil, sys, time
from minitorch_lab.grade.cluster import local
if __name__ == "__main__":
    with local(2) as cluster:
        busy = [cluster.client.submit(time.sleep, 100, pure=False) for _ in range(2)]
        while len(cluster.client.processing()) < 2: time.sleep(0.1)
        print(*[each.pid for each in psutil.Process().children(recursive=True)], flush=True)
        time.sleep(100)
"""


def test_who_is_killed_leaves_no_scheduler_and_no_worker_behind(tmp_path: Path) -> None:
    script = tmp_path / "killed.py"
    script.write_text(KILLED)
    env = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    with subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, env=env) as grader:
        assert grader.stdout is not None
        mine = [psutil.Process(int(pid)) for pid in grader.stdout.readline().split()]
        grader.kill()
    assert len(mine) >= 3
    assert psutil.wait_procs(mine, timeout=10)[1] == []


def test_tls_on_the_loopback_without_a_dashboard_and_nothing_left() -> None:
    with local(1) as cluster:
        known = cluster.client.scheduler_info()
        assert known["address"].startswith("tls://127.0.0.1:")
        processes = [psutil.Process(cluster.pid), *psutil.Process(cluster.pid).children(recursive=True)]
        ends = {c.laddr for p in processes for c in p.net_connections() if c.status == "LISTEN"}
        assert {end.ip for end in ends} == {"127.0.0.1"}
        assert {told(end.port, page) for end in ends for page in PAGES} <= {"404", "no HTTP"}
        assert {told(known["services"]["dashboard"], page) for page in PAGES} == {"404"}
    gone, alive = psutil.wait_procs(processes, timeout=5)
    assert alive == []
    assert len(gone) == len(processes)


PAGES = ("/", "/status", "/health", "/info/main/workers.html", "/metrics", "/json/counts.json")


def told(port: int, page: str) -> str:
    """The status with which a port answers to a browser."""
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        asked.request("GET", page)
        return str(asked.getresponse().status)
    except (OSError, http.client.HTTPException):
        return "no HTTP"
    finally:
        asked.close()


def test_a_cluster_without_tls_or_that_is_not_there() -> None:
    papers = Certificates("ca.pem", "cert.pem", "key.pem")
    with pytest.raises(ArgumentError) as caught, joined("tcp://host:8786", papers):
        pass
    assert str(caught.value).splitlines()[1] == (
        "  Submissions and scores travel encrypted only: the address starts with tls://."
    )
    absent = pytest.raises(ArgumentError, match=r"No scheduler answers at tls://127\.0\.0\.1:9")
    with absent, joined("tls://127.0.0.1:9", papers):
        pass
