"""On a busy machine an honest answer is no slower than it is; and no answer costs the judge more than honest ones."""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
import tracemalloc
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import psutil
import pytest

from minitorch_lab.errors import ArgumentError
from minitorch_lab.grade import Course, Limits, cluster, grade_one, probe, run
from minitorch_lab.grade.inside import wire
from minitorch_lab.grade.judge import Submission
from minitorch_lab.grade.judge.talk import LARGE, SMALL, Refused, Talk
from minitorch_lab.grade.processes import cpu_of, waited_of
from tests.grade.course import answered, small_course
from tests.grade.notebooks import write
from tests.grade.test_core_judging import ASK, with_judge

MIB = 1 << 20


class Student:
    """Stands for the keeper and the process that it keeps: a thread here, which answers when it is told to."""

    def __init__(self, answer: Callable[[wire.Message], bytes], spent: Callable[[], tuple[float, float]]) -> None:
        self.answer, self.spent = answer, spent

    def open(self) -> tuple[int, int]:
        asked, asks = os.pipe()
        answers, answered = os.pipe()
        self.thread = threading.Thread(target=self.serve, args=(asked, answered))
        self.thread.start()
        return asks, answers

    def serve(self, asked: int, answered: int) -> None:
        with open(asked, "rb") as questions, open(answered, "wb", buffering=0) as answers:
            while header := questions.read(wire.HEADER.size):
                text, raw = wire.HEADER.unpack(header)
                message = wire.read(questions.read(text), questions.read(raw), lambda reference: None)
                try:
                    answers.write(self.answer(message))
                except BrokenPipeError:
                    return

    def allow(self, seconds: float) -> None:
        """Nobody keeps this one."""

    def interrupt(self) -> str:
        return "time"

    def close(self) -> tuple[None, bool]:
        return None, False


@pytest.fixture
def talk(request: pytest.FixtureRequest) -> Generator[Talk]:
    """A conversation with a student who gets the setup done at once, and then is as the test says."""
    answer, spent = request.param

    def answered(message: wire.Message) -> bytes:
        if message.number == 1:
            return reply(message, None)
        return answer(message)

    student = Student(answered, spent)
    made = Talk(student, Limits(call=0.2, wall=0.4))  # pyright: ignore[reportArgumentType]
    yield made
    made.close()
    student.thread.join()


def reply(message: wire.Message, value: Any) -> bytes:
    return wire.frame(message.nonce, message.number, {"value": value}, lambda thing: wire.Reference(0, ""))


def late(message: wire.Message) -> bytes:
    time.sleep(0.9)
    return reply(message, 3.0)


def never(message: wire.Message) -> bytes:
    time.sleep(1.5)
    return b""


def starved() -> tuple[float, float]:
    return 0.1, time.monotonic()


@pytest.mark.parametrize("talk", [(late, starved)], indirect=True)
def test_what_waits_for_a_processor_is_waited_for(talk: Talk) -> None:
    talk.granted = time.monotonic()
    assert talk.ask(do="get", name="x") == 3.0


IDLE: dict[str, Any] = {
    "asleep": (late, lambda: (0.1, 0.0)),
    "busy itself": (late, lambda: (9.0, time.monotonic())),
    "starved without end": (never, starved),
}


@pytest.mark.parametrize("talk", IDLE.values(), ids=IDLE.keys(), indirect=True)
def test_and_nothing_else_is_and_not_for_ever(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minitorch_lab.grade.judge.talk.OUTER", 2)
    talk.granted = time.monotonic()
    with pytest.raises(Refused) as caught:
        talk.ask(do="get", name="x")
    assert caught.value.limit in ("call", "time")


def in_time(message: wire.Message) -> bytes:
    return reply(message, 3.0)


@pytest.mark.parametrize("talk", [(in_time, lambda: (0.0, 0.0))], indirect=True)
def test_what_the_judge_takes_for_itself_is_not_the_student_s_time(talk: Talk) -> None:
    talk.begin(2.0)
    for _ in range(3):
        assert talk.ask(2.0, do="get", name="x") == 3.0
        time.sleep(0.8)
    talk.send(wire.frame(talk.nonce, talk.number + 1, {"do": "get", "name": "x"}, tuple))
    time.sleep(0.1)
    talk.until = 0.0  # a judge that had no processor comes to look when it is late, and the answer is there
    assert talk.receive().body == {"value": 3.0}


def test_a_process_that_has_no_processor_is_seen_to_wait() -> None:
    me = psutil.Process()
    if not Path("/proc/self/schedstat").exists():
        assert waited_of([me]) == 0
        return
    before = cpu_of([me]), waited_of([me])
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    assert cpu_of([me]) >= before[0] + 0.05
    assert waited_of([me]) >= 0.9 * before[1] >= 0  # other threads of this process have a part in it


# ---- what an answer may cost ----------------------------------------------------------------------------------------


def large(size: int) -> Callable[[wire.Message], bytes]:
    return lambda message: reply(message, np.zeros(size, np.int8))


def calm() -> tuple[float, float]:
    return 0.0, 0.0


@pytest.mark.parametrize("talk", [(large(31 * MIB), calm)], indirect=True)
def test_an_answer_larger_than_any_that_was_expected_is_refused_unread(talk: Talk) -> None:
    talk.begin(60.0)
    tracemalloc.start()
    with pytest.raises(Refused) as caught:
        talk.ask(60.0, do="get", name="x")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.limit == "message"
    assert most < 3 * 32 * MIB  # of which the student, who is a thread here, has two thirds


@pytest.mark.parametrize("talk", [(large(SMALL + 1000), calm)], indirect=True)
def test_a_judge_says_what_it_expects(talk: Talk) -> None:
    talk.begin(60.0)
    s = Submission(talk)
    s.expect([0.5] * 100, {"a": np.ones(3)}, "text", lambda: None)
    assert talk.ask(60.0, do="get", name="x").nbytes == SMALL + 1000
    s.expect()
    with pytest.raises(Refused):
        s.x  # noqa: B018


@pytest.mark.parametrize("talk", [(large(LARGE + MIB), calm)], indirect=True)
def test_a_large_question_may_have_a_large_answer(talk: Talk) -> None:
    talk.begin(60.0)
    assert talk.ask(60.0, do="get", name=np.zeros(MIB, np.uint8)).nbytes == LARGE + MIB


def test_reading_a_frame_takes_the_memory_of_its_arrays_and_no_more() -> None:
    sent = wire.frame("n", 1, np.zeros(32 * MIB, np.int8), lambda thing: wire.Reference(0, ""))
    text, raw = wire.HEADER.unpack(sent[:8])
    body = sent[8 + text :]
    tracemalloc.start()
    message = wire.read(sent[8 : 8 + text], body, lambda reference: None)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert message.body.nbytes == raw
    assert most < raw + MIB


def test_an_answer_that_trips_the_judge_costs_one_more_run_of_its_own_exercise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = with_judge(
        small_course(tmp_path, Limits()), tmp_path / "2", ASK + "assert s.cube_rule(1.0, 2.0) + 1 == 13"
    )
    runs: list[set[str]] = []

    def counted(course: Course, taken: Any, *given: Any) -> run.Run:
        runs.append({name for name, cells in taken.cells.items() if cells})
        return run.run_judge(course, taken, *given)

    monkeypatch.setattr("minitorch_lab.grade.one.run_judge", counted)
    path = write(tmp_path / "s.ipynb", answered(cube='def cube_rule(g, x):\n    return "12"'))
    assert grade_one(path, course, isolation=probe()).score == 0
    assert runs == [{"cube"}, {"cube"}]


# ---- how a batch begins ---------------------------------------------------------------------------------------------


def at_work(pipe: Any) -> None:
    end = time.process_time() + 0.5
    while time.process_time() < end:
        pass
    pipe.send("tls://127.0.0.1:1")


def stuck(pipe: Any) -> None:
    pipe.poll(60)


def ended(pipe: Any) -> None:
    pipe.close()


@pytest.mark.parametrize("what", [at_work, stuck, ended])
def test_a_scheduler_is_waited_for_as_long_as_it_gets_on(what: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "STUCK", 10.0 if what is at_work else 0.3)
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=what, args=(theirs,))
    process.start()
    theirs.close()
    try:
        if what is at_work:
            assert cluster.told(ours, process) == "tls://127.0.0.1:1"
        else:
            with pytest.raises(ArgumentError, match="The scheduler of the batch did not start"):
                cluster.told(ours, process)
    finally:
        process.kill()
        process.join()
        ours.close()
