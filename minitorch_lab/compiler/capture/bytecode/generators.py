"""A generator that the machine runs: a frame that stops at each `yield`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .door import NULL, as_python
from .versions import SEND_POPS


class Generator:
    """A suspended frame. It is a real iterator too, so code outside the machine may consume it.

    `twin` makes the same iterator as Python has it; `whole()` gives it, as long as no step has been taken.
    """

    def __init__(self, machine: Any, frame: Any, twin: Callable[[], Any]) -> None:
        self.machine, self.frame, self.twin = machine, frame, twin
        self.started, self.escaped = False, NULL

    def __iter__(self) -> Generator:
        return self

    def __del__(self) -> None:
        """Nobody can ask it any more: what its `finally` and `with` blocks do is done now, as in CPython."""
        if self.waits:
            self.machine.closed(self)

    @property
    def waits(self) -> bool:
        """Whether it stands at a `yield`, perhaps inside a `finally` or `with`."""
        begun = self.started and self.escaped is NULL
        return begun and self.frame.state == "suspended" and bool(self.frame.listing.handlers)

    def __next__(self) -> Any:
        return self.send(None)

    def whole(self) -> Any:
        """Python's own iterator in place of this one: what leaves the machine has the type that it should have."""
        if self.escaped is NULL and not self.started:
            self.escaped = self.twin()
        return self if self.escaped is NULL else self.escaped

    def send(self, value: Any) -> Any:
        """Go on to the next `yield`, which `value` answers."""
        self.machine.world.goes_on(self)
        if self.escaped is not NULL:
            return next(self.escaped) if value is None else self.escaped.send(value)
        if self.frame.state == "done":
            raise StopIteration
        if self.frame.state == "running":
            raise as_python(ValueError, "generator already executing")
        if not self.started and value is not None:
            raise as_python(TypeError, "can't send non-None value to a just-started generator")
        if self.started and self.frame.thrown is None:
            self.frame.push(value)
        self.started, self.frame.state = True, "running"
        return self.go_on()

    def go_on(self) -> Any:
        """Run to the next `yield`."""
        try:
            result = self.machine.run(self.frame)
        except StopIteration as error:
            raise as_python(RuntimeError, "generator raised StopIteration") from error
        if self.frame.state == "done":
            raise StopIteration if result is None else StopIteration(result)
        return result

    def throw(self, kind: Any, value: Any = None, _: Any = None) -> Any:
        """Raise an error where the generator stands; a generator that it waits for hears of it first."""
        error = value if value is not None else kind() if isinstance(kind, type) else kind
        frame = self.frame
        if not self.started or frame.state == "done":
            frame.state = "done"
            raise error
        waits_for = self.delegate()
        if waits_for is not None:
            try:
                if isinstance(error, GeneratorExit):
                    waits_for.close()
                else:
                    return waits_for.throw(error)
            except StopIteration as stop:
                return self.delegate_ended(stop.value)
            except BaseException as other:
                error = other
        frame.ip -= 1  # as if the yield itself had raised
        frame.thrown = error
        return self.send(None)

    def delegate(self) -> Any:
        """The iterator of the `yield from` at which the frame stands, if it can be thrown into."""
        before = self.frame.listing.instructions[self.frame.ip - 2]
        return self.frame.stack[-1] if before.opname == "SEND" and hasattr(self.frame.stack[-1], "throw") else None

    def delegate_ended(self, value: Any) -> Any:
        """Go on behind the `yield from`, whose value is `value`."""
        frame = self.frame
        send = frame.listing.instructions[frame.ip - 2]
        if SEND_POPS:
            frame.pop()
        frame.push(value)
        frame.ip, frame.state = frame.listing.at[send.argval], "running"
        return self.go_on()

    def close(self) -> None:
        """Raise GeneratorExit where the generator stands.

        Raises:
            RuntimeError: It yields once more.
        """
        leaving = GeneratorExit()
        try:
            self.throw(leaving)
        except (GeneratorExit, StopIteration):
            return
        finally:
            leaving.__traceback__ = None  # the frames of the machine, which would keep what they hold alive
        raise as_python(RuntimeError, "generator ignored GeneratorExit")
