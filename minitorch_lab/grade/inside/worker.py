"""The student's process: runs the cells of one exercise, and answers the judge's questions.

`main` is a nursery. It imports the package, and what the lesson's setup imports, once; it goes behind the walls,
imports there what the student's cells import, and then forks a fresh process for each exercise that the keeper opens:
two pipes come over its socket, one for the questions and one for the answers.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from types import FrameType, ModuleType
from typing import Any

from . import cells, wire
from .confine import Walls, confine
from .helpers import Other, asked_for

PACKAGE = "minitorch_lab"
USUAL = ["import minitorch_lab.nn", "from minitorch_lab.widgets import Tape"]  # most exercises show a view
IMPORTING, IMPORTED = 5.0, 20.0  # seconds of a processor, and by the clock, for what the student's cells import
QUESTIONS = 64 << 20  # bytes: questions come from the judge, which is trusted


def main() -> None:
    """Serve the keeper, whose socket is standard input, until it closes that."""
    keeper = socket.socket(fileno=os.dup(0))
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    given = json.loads(sys.argv[1])
    warm([*USUAL, *given["imports"]])
    confine(Walls(**given["walls"]))
    warm_for(given["wanted"])
    keeper.send(b"r")
    while True:
        said, pipes, _, _ = socket.recv_fds(keeper, 1, 2)
        if not said:
            os._exit(0)
        bury_the_dead()
        if os.fork() == 0:
            keeper.close()
            Worker(*pipes).serve()
        for pipe in pipes:
            os.close(pipe)
        keeper.send(b"f")


def bury_the_dead() -> None:
    """Take note of the exercises that have ended: what they took counts among what the grading took."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def warm(imports: Sequence[str]) -> None:
    """Import once what each exercise will. The setup itself still runs in each, and tells what cannot be imported."""
    for statement in imports:
        with suppress(Exception):
            exec(statement, {})


class Stopped(KeyboardInterrupt):
    """The time of the cells is over, and what they have made by now is kept. The judge knows it by its name."""


def stop(*_: Any) -> None:
    """Stop what runs. It is the answer to a signal."""
    raise Stopped


def warm_for(imports: Sequence[str]) -> None:
    """The same for what the student's cells import, of what is installed: behind the walls, and for so long only.

    So a large library costs a submission its time once, and no exercise any of its own.
    """
    timers = {signal.ITIMER_PROF: (signal.SIGPROF, IMPORTING), signal.ITIMER_REAL: (signal.SIGALRM, IMPORTED)}
    before = {number: signal.signal(number, stop) for number, _ in timers.values()}
    try:
        for timer, (_, seconds) in timers.items():
            signal.setitimer(timer, seconds)
        for statement in imports:
            with suppress(Exception, SystemExit):
                exec(statement, {})
    except Stopped:
        pass
    finally:
        for timer, (number, _) in timers.items():
            signal.setitimer(timer, 0)
            signal.signal(number, before[number])


class Undefined(NameError):  # noqa: N818 - it says what happened
    """What is asked for has no definition in the cells. The judge knows it by its name."""


class Worker:
    """Answers the questions about one exercise."""

    def __init__(self, questions: int, answers: int) -> None:
        self.questions, self.answers = questions, answers
        self.space = cells.new_space()
        self.things: list[Any] = []
        self.places: set[str] = set()
        self.beside: set[str] = set()  # the same of the notebook's other cells
        self.doing: dict[str, Callable[..., Any]] = {
            "run": self.run,
            "prepare": self.prepare,
            "get": self.get,
            "code": self.code,
            "names": self.names,
            "attr": lambda of, name: getattr(of, name),
            "item": lambda of, key: of[key],
            "call": lambda of, args, kwargs: of(*args, **kwargs),
        }

    def serve(self) -> None:
        """Answer until there are no more questions."""
        signal.signal(signal.SIGINT, self.interrupted)
        while True:
            asked = self.receive()
            question: dict[str, Any] = asked.body
            try:
                answer = {"value": self.doing[question.pop("do")](**question)}
                sent = wire.frame(asked.nonce, asked.number, answer, self.refer)
            except BaseException as error:  # whatever the student's code does, the answer says so
                kinds = [kind.__name__[:100] for kind in type(error).__mro__]
                raised = {"raised": kinds[:20], "line": self.line_of(error)}
                sent = wire.frame(asked.nonce, asked.number, raised, self.refer)
            self.send(sent)

    # ---- what the judge asks for ------------------------------------------------------------------------------------

    def run(self, sources: list[tuple[str, str]]) -> None:
        """Run cells, given as pairs of id and source, all of them, as somebody who goes on below an error would."""
        errors: list[BaseException] = []
        for name, source in sources:
            self.places.add(f"<{name}>")
            try:
                cells.run(source, name, self.space)
            except BaseException as error:
                errors.append(error)
        if errors:
            raise errors[0]

    def interrupted(self, _: int, frame: FrameType | None) -> None:
        """Stop a cell that runs when the signal comes; nothing else is stopped by it."""
        while frame is not None:
            if frame.f_code.co_filename in self.places or frame.f_code.co_filename in self.beside:
                raise Stopped
            frame = frame.f_back

    def prepare(self, sources: list[tuple[str, str]], others: list[tuple[str, bool, bool]]) -> None:
        """Run what these cells ask of the others of their notebook. What fails there is missed, or it is not."""
        answer = [source for _, source in sources]
        for number, text in enumerate(asked_for(answer, [Other(*each) for each in others], self.space)):
            self.beside.add(f"<other cells {number}>")
            with suppress(Exception, SystemExit, KeyboardInterrupt):
                cells.run(text, f"other cells {number}", self.space)

    def line_of(self, error: BaseException) -> int | None:
        """The line of a student's cell in which an error arose, as far as it is known."""
        if isinstance(error, SyntaxError) and error.filename in self.places:
            return error.lineno
        at, line = error.__traceback__, None
        while at is not None:
            line = at.tb_lineno if at.tb_frame.f_code.co_filename in self.places else line
            at = at.tb_next
        return line

    def get(self, name: str) -> Any:
        """What the cells called `name`; the package itself is always there."""
        if name not in self.space and name != "ml":
            raise Undefined(name)
        return self.space[name] if name in self.space else import_module(PACKAGE)

    def code(self, source: str) -> Any:
        """Run the judge's own helpers in a namespace of their own, and return it."""
        helpers = ModuleType("helpers")
        vars(helpers)["ml"] = import_module(PACKAGE)
        cells.run(source, "helpers", vars(helpers))
        return helpers

    def names(self) -> list[str]:
        """What the cells defined."""
        return sorted(name for name in self.space if not name.startswith("_"))

    # ---- frames -----------------------------------------------------------------------------------------------------

    def refer(self, thing: Any) -> wire.Reference:
        """Keep a thing that does not cross, and return what stands for it."""
        self.things.append(thing)
        return wire.Reference(len(self.things) - 1, type(thing).__name__[:100])

    def find(self, reference: wire.Reference) -> Any:
        """The thing that a reference stands for."""
        return self.things[reference.number]

    def receive(self) -> wire.Message:
        """Read the next question."""
        text, raw = wire.lengths(self.exactly(wire.HEADER.size), QUESTIONS)
        return wire.read(self.exactly(text), self.exactly(raw), self.find)

    def exactly(self, count: int) -> bytes:
        """Read `count` bytes; the process ends when the judge has gone."""
        got = bytearray()
        while len(got) < count:
            part = os.read(self.questions, count - len(got))
            if not part:
                os._exit(0)
            got += part
        return bytes(got)

    def send(self, sent: bytes) -> None:
        """Write an answer."""
        while sent:
            sent = sent[os.write(self.answers, sent) :]
