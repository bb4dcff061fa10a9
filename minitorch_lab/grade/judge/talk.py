"""The judge's side of the conversation with a student's process. Nothing that comes back is believed."""

from __future__ import annotations

import builtins
import json
import math
import os
import secrets
import select
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any

from ... import errors
from ...errors import MinitorchError
from ..inside import wire
from ..limits import Limits

SETUP = 30.0  # seconds for the lesson's own cells
STEP = 1 << 20  # bytes read at once
SMALL, LARGE, LARGER = 1 << 16, 1 << 22, 16  # bytes of an answer besides what is expected, and how often that
STARVED = 0.05  # seconds without a processor for which it is worth to wait on
AGAIN = 0.1  # seconds between two interrupts
OUTER = 10  # times the limit: longer than that nobody waits, however busy the machine is
KINDS, LONGEST = 20, 100  # classes of an error that the worker names, and the characters of a name
LINES = 10_000  # that a cell has at most, for what is told of it
LOCAL = ("__", "_repr_", "_ipython_")  # attributes that Python and Jupyter ask for, and no judge


def is_error(thing: Any) -> bool:
    """Say whether something is a class of errors."""
    return isinstance(thing, type) and issubclass(thing, BaseException)


KNOWN = {name for room in (builtins, errors) for name, each in vars(room).items() if is_error(each)}


class Refused(MinitorchError):  # noqa: N818 - it says what happened
    """The student's process did not answer: its code raised an error, or it went over a limit.

    Args:
        kinds: The names of the classes of the error that its code raised, the nearest first.
        limit: The limit, one of `LIMITS`, after which there are no more answers.
        line: The line of the student's cell in which the error arose, where one is told.

    Attributes:
        undefined: The name that was asked for, where the cells define nothing of it.
    """

    undefined: str | None = None

    def __init__(self, kinds: tuple[str, ...] = (), limit: str | None = None, line: int | None = None) -> None:
        super().__init__(f"The submission gave no value: {limit or (kinds or ('',))[0]}.", "An answer was asked for.")
        self.kinds, self.limit, self.line = kinds, limit, line

    @property
    def told(self) -> dict[str, Any]:
        """What a verdict says of it: the class of the error, the nearest that is no student's own, and the line."""
        if self.undefined is not None:
            return {"undefined": self.undefined}
        known = next((kind for kind in self.kinds if kind in KNOWN), None)
        return {} if known is None else {"ended": self.kinds[0], "raised": known, "line": self.line}


class Broken(MinitorchError):  # noqa: N818 - it says what happened
    """Something that the grader itself is at fault for."""


class Keeping:
    """The keeper, as the judge sees it."""

    def __init__(self, keeper: socket.socket) -> None:
        self.keeper = keeper

    def open(self) -> tuple[int, int]:
        """Return two pipes to a fresh process: one to ask by, one that answers come from."""
        self.keeper.send(b'{"do": "open"}')
        said, pipes, _, _ = socket.recv_fds(self.keeper, 1 << 16, 2)
        if len(pipes) != 2:
            raise Broken(f"The keeper gave no process: {said.decode() or 'it has gone'}.", "It must give one.")
        for pipe in pipes:
            os.set_blocking(pipe, False)
        return pipes[0], pipes[1]

    def spent(self) -> tuple[float, float]:
        """Return the seconds for which the exercise's processes have run, and for which they waited for a processor."""
        spent = self.told(b'{"do": "spent"}')
        return spent["cpu"], spent["waited"]

    def allow(self, seconds: float) -> None:
        """Say for how many seconds more the exercise's processes may run, all together."""
        self.keeper.send(json.dumps({"do": "allow", "seconds": seconds}).encode())
        self.keeper.recv(1 << 16)  # no question before the answer to the last one: the socket does not part them

    def interrupt(self) -> str:
        """Interrupt the exercise's cells, and return which limit that is."""
        return self.told(b'{"do": "interrupt"}')["limit"]

    def close(self) -> tuple[str | None, bool]:
        """End the process and all that it started.

        Returns:
            The limit that it went over, and whether it had taken much memory.
        """
        said = self.told(b'{"do": "close"}')
        return said["limit"], said["grown"]

    def told(self, question: bytes) -> dict[str, Any]:
        """Return the keeper's answer."""
        self.keeper.send(question)
        said = self.keeper.recv(1 << 16)
        if not said:
            raise Broken("The keeper has gone.", "It must outlive the judge.")
        return json.loads(said)


class Talk:
    """One exercise's conversation: questions with numbers, answers by a deadline, and an end.

    A deadline is one in the time that the exercise's processes spend. For what they wait for a processor, since the
    machine is busy with something else, it moves: an honest slow answer is not slower than it is. `OUTER` bounds that.
    Nor does the clock run while nothing is asked: what the judge itself does between two questions is its own affair.

    Args:
        keeping: The keeper.
        limits: What the exercise may use. Its time begins when the setup has run.
        setup: The lesson's cells that run before the student's, as pairs of id and source.
        tell: Called with every limit after which there are no more answers, whoever asked.
        seconds: How long the exercise may take. Without it, as long as the limits say.

    Raises:
        Broken: There is no process, or the setup does not run in it.
    """

    def __init__(
        self,
        keeping: Keeping,
        limits: Limits,
        setup: Sequence[tuple[str, str]] = (),
        tell: Callable[[str], None] = lambda limit: None,
        seconds: float | None = None,
    ) -> None:
        self.keeping, self.limits = keeping, limits
        self.tell: Callable[[str], None] = lambda limit: None  # what stops the lesson's own cells is no limit
        self.nonce, self.number = secrets.token_hex(16), 0
        self.over: str | None = None
        self.patience, self.stopped = math.inf, ""  # when cells are interrupted, and the limit that this was
        self.asks, self.answers = keeping.open()
        self.closed, self.grown = False, False
        self.most, self.asked, self.granted, self.before = 0, 0, 0.0, 0.0
        self.begin(SETUP)
        try:
            self.ask(SETUP, do="run", sources=list(setup))
        except Refused as refused:
            raise Broken(
                f"The setup did not run: {refused.limit or refused.kinds}.", "It is the lesson's."
            ) from refused
        self.before, self.granted = keeping.spent()
        self.begin(limits.wall if seconds is None else min(seconds, limits.wall))
        keeping.allow(self.budget)
        self.tell = tell

    def begin(self, seconds: float) -> None:
        """Set the deadline for all that follows."""
        self.budget, self.begun = seconds, time.monotonic()
        self.deadline = self.until = self.begun + seconds
        self.rests = self.begun

    @property
    def seconds(self) -> float:
        """What the exercise has taken of its budget: while it was asked, what it did, or else waited for itself."""
        if not self.closed:
            cpu, waited = self.keeping.spent()
            asked = self.budget - (self.deadline - min(self.rests, time.monotonic()))
            self.taken = min(self.budget, max(cpu - self.before, asked - max(0.0, waited - self.granted)))
        return self.taken

    def expect(self, size: int) -> None:
        """Say about how many bytes the answers have that follow: one that is many times larger is none."""
        self.most = SMALL + LARGER * size

    def ask(self, seconds: float | None = None, keep: float | None = None, /, **question: Any) -> Any:
        """Ask the student's process, and return its answer.

        Args:
            seconds: How long it may take; without it, as long as a call may.
            keep: For cells: what is to be left of the budget. They are interrupted then, and what they have made stays.
            question: What to do, as `worker.py` names it, and with what.

        Raises:
            Refused: There is no answer.
        """
        if self.over is not None:
            raise Refused(limit=self.over)
        self.number += 1
        now = time.monotonic()
        self.deadline += now - self.rests
        self.rests = math.inf
        self.until = min(now + (self.limits.call if seconds is None else seconds), self.deadline)
        self.patience = math.inf if keep is None else self.deadline - keep
        try:
            self.send(wire.frame(self.nonce, self.number, question, reference_of))
            message = self.receive()
        except wire.Malformed:
            raise self.ended("message") from None
        except TimeoutError:
            raise self.ended("time" if self.until == self.deadline else "call") from None
        except OSError:
            raise self.ended("ended") from None
        finally:
            self.rests = time.monotonic()
        if (message.nonce, message.number) != (self.nonce, self.number) or type(message.body) is not dict:
            raise self.ended("message")
        if message.body.keys() == {"value"}:
            return message.body["value"]
        raise self.refused(message.body.get("raised"), message.body.get("line"))

    def refused(self, kinds: Any, line: Any = None) -> Refused:
        """Return the error for a call that raised one."""
        if type(kinds) is not list or not 0 < len(kinds) <= KINDS or not all(map(is_name, kinds)):
            return self.ended("message")
        return Refused(tuple(kinds), line=line if type(line) is int and 0 < line <= LINES else None)

    def ended(self, why: str) -> Refused:
        """End the conversation, and return the error that says why."""
        limit = self.close()
        self.over = limit or ("grown" if why in ("time", "call") and self.grown else why)
        self.tell(self.over)
        return Refused(limit=self.over)

    def close(self) -> str | None:
        """End the student's process, and return the limit that it went over, if the keeper saw one."""
        if self.closed:
            return None
        self.taken = self.seconds
        self.closed, self.over = True, self.over or "ended"
        os.close(self.asks)
        os.close(self.answers)
        limit, self.grown = self.keeping.close()
        return limit

    # ---- frames -----------------------------------------------------------------------------------------------------

    def send(self, data: bytes) -> None:
        """Write a frame."""
        self.asked = max(self.asked, len(data))
        left = memoryview(data)
        while left:
            self.wait([], [self.asks])
            left = left[os.write(self.asks, left[:STEP]) :]

    def receive(self) -> wire.Message:
        """Read a frame, and look at its lengths before its content."""
        most = self.most or LARGE + LARGER * self.asked  # what is asked about little has no large answer
        text, raw = wire.lengths(self.exactly(wire.HEADER.size), min(most, self.limits.message))
        return wire.read(self.exactly(text), self.exactly(raw), self.handle)

    def exactly(self, count: int) -> bytearray:
        """Read `count` bytes."""
        got = bytearray()
        while len(got) < count:
            self.wait([self.answers], [])
            part = os.read(self.answers, min(count - len(got), STEP))
            if not part:
                raise EOF
            got += part
        return got

    def wait(self, readable: list[int], writable: list[int]) -> None:
        """Wait for a pipe, and no longer than until the deadline, wherever that moves."""
        while not ready(readable, writable, min(self.until, self.patience)):
            try:
                grant = self.grant()
            except TimeoutError:
                if self.until <= self.patience:
                    raise
                self.stopped = self.keeping.interrupt()
                self.patience += AGAIN
            else:
                self.deadline, self.until, self.patience = (
                    each + grant for each in (self.deadline, self.until, self.patience)
                )

    def grant(self) -> float:
        """Return by how many seconds the deadline moves: those for which there was no processor since the last time.

        Raises:
            TimeoutError: There was one: the time is over.
        """
        cpu, waited = self.keeping.spent()
        grant, self.granted = waited - self.granted, max(waited, self.granted)
        if grant < STARVED or cpu - self.before > self.budget or time.monotonic() > self.begun + OUTER * self.budget:
            raise LATE
        return grant

    def handle(self, reference: wire.Reference) -> Handle:
        """Return what stands here for a thing that stayed there."""
        return Handle(self, reference)


def is_name(kind: Any) -> bool:
    """Say whether something may be the name of a class, as the worker gives it."""
    return type(kind) is str and len(kind) <= LONGEST


EOF = ConnectionResetError("the pipe is closed")


def ready(readable: list[int], writable: list[int], until: float) -> bool:
    """Wait for a pipe, and say whether it is ready: by the deadline, or when this process comes to look later."""
    poll = select.poll()
    for pipe in readable:
        poll.register(pipe, select.POLLIN)
    for pipe in writable:
        poll.register(pipe, select.POLLOUT)
    return bool(poll.poll(max(0.0, until - time.monotonic()) * 1000))


LATE = TimeoutError("the deadline is over")


def reference_of(thing: Any) -> wire.Reference:
    """Return the reference of a handle; nothing else that is no value may be in a question."""
    if isinstance(thing, Handle):
        return object.__getattribute__(thing, "_reference")
    raise Broken(
        f"A question to the submission holds a {type(thing).__name__}.",
        "Numbers, strings, arrays, lists, tuples, dicts with string keys and handles cross; functions do not.",
        "Did you mean s.code('def f(x): ...').f?",
    )


class Handle:
    """Stands for a thing that stayed in the student's process: its attributes, calls and items are asked for there.

    It is never true or false and equal to nothing: what such a thing would answer is the student's to say.
    """

    __slots__ = ("_reference", "_talk")
    _talk: Talk
    _reference: wire.Reference

    def __init__(self, talk: Talk, reference: wire.Reference) -> None:
        object.__setattr__(self, "_talk", talk)
        object.__setattr__(self, "_reference", reference)

    def __getattr__(self, name: str) -> Any:
        if name.startswith(LOCAL):
            raise AttributeError(name)
        return self._talk.ask(do="attr", of=self, name=name)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the thing, there."""
        return self._talk.ask(do="call", of=self, args=list(args), kwargs=kwargs)

    def __getitem__(self, key: Any) -> Any:
        return self._talk.ask(do="item", of=self, key=key)

    def __repr__(self) -> str:
        return "<a thing in the submission>"

    def no_value(self, *_: Any, **__: Any) -> Any:
        """Refuse to be taken for a value."""
        raise Refused(("NotAValue",))

    __bool__ = __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = __len__ = __iter__ = no_value
    __contains__ = __array__ = __float__ = __int__ = __index__ = __setattr__ = no_value
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __abs__ = __neg__ = no_value
    __hash__ = object.__hash__
