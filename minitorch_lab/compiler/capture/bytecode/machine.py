"""A Python interpreter in Python, for the bytecode of CPython 3.11 to 3.13.

It is an ordinary stack machine with one peculiarity: it never touches the world itself. Whatever makes, reads or
changes a value goes through one door, `world.do(f, *args)`. With `Plain` behind the door this is a slow Python; with a
`Recorder` it is a capture. In form after Byterun (A. Kaptur, 500 Lines or Less, 2016).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from types import CodeType, FunctionType
from typing import Any
from weakref import WeakSet

from .calls import Calls
from .control import CONTROL
from .generators import Generator
from .halts import Astray
from .opcodes import INSTRUCTIONS, Meaning
from .traces import E, retraced
from .versions import listing

MEANINGS = INSTRUCTIONS | CONTROL
# A function that asks for its own frame must have one.
FRAME_READERS = {"exec", "eval", "locals", "dir", "globals", "breakpoint"}
BY_MODULE = {"_getframe", "currentframe"}  # as attributes too; `model.eval()` is another matter


class Frame:
    """One call: its code, its variables, its stack and the place where it stands."""

    def __init__(self, f: FunctionType, variables: dict[str, Any], cells: Sequence[Any]) -> None:
        self.code, self.globals, self.listing = f.__code__, f.__globals__, listing(f.__code__)
        self.locals = variables | dict(zip(f.__code__.co_freevars, cells, strict=True))
        self.stack: list[Any] = []
        self.ip = 0
        self.keywords: tuple[str, ...] = ()  # 3.11 and 3.12 announce a call's keywords before the call
        self.making: dict[Any, Any] = {}  # a function that is being put together
        self.handled: BaseException | None = None  # what `raise` alone raises again
        self.thrown: BaseException | None = None  # thrown into a generator
        self.state = "suspended" if f.__code__.co_flags & inspect.CO_GENERATOR else "running"

    def pop(self) -> Any:
        """The topmost value."""
        return self.stack.pop()

    def push(self, value: Any) -> None:
        """A new topmost value."""
        self.stack.append(value)

    def popn(self, n: int) -> list[Any]:
        """The topmost `n` values, the lowest first."""
        taken = self.stack[len(self.stack) - n :]
        del self.stack[len(self.stack) - n :]
        return taken

    def throw(self) -> None:
        """Raise what was thrown into a generator."""
        if self.thrown is not None:
            error, self.thrown = self.thrown, None
            raise error

    def clear(self) -> None:
        """Let go of everything: the call is over."""
        self.locals, self.handled = {}, None
        self.stack.clear()

    def handler(self) -> Any:
        """The entry of the exception table that covers the current instruction, if any."""
        offset = self.listing.instructions[self.ip].offset
        return next((e for e in self.listing.handlers if e.start <= offset < e.end), None)

    def line(self) -> int:
        """The line of the source at which the frame stands."""
        positions = self.listing.instructions[self.ip].positions
        return (positions and positions.lineno) or self.code.co_firstlineno


class Machine(Calls):
    """Runs frames. `trail` is the way an error took: the error, then code and line of each frame, innermost first."""

    def __init__(self, world: Any) -> None:
        self.world = world
        self.meanings: Mapping[str, Meaning] = MEANINGS  # others where somebody watches: see `watching.py`
        self.frames: list[Frame] = []
        self.trail: list[Any] = []
        self.generators = WeakSet[Generator]()
        self.interrupted: BaseException | None = None  # what came while a generator was closed

    def supports(self, f: FunctionType) -> bool:
        """Whether every instruction of `f` is known, and it never asks for its own frame."""
        return unsupported(f.__code__) is None

    def enter(self, f: FunctionType, variables: dict[str, Any], twin: Callable[[], Any]) -> Any:
        """Run `f`; a generator function gives a generator that has not started."""
        frame = Frame(f, variables, self.world.cells(f))
        if f.__code__.co_flags & inspect.CO_GENERATOR:
            made = Generator(self, frame, twin)
            self.generators.add(made)
            return made
        return self.run(frame)

    def run(self, frame: Frame) -> Any:
        """Run `frame` until it returns, yields or raises."""
        self.frames.append(frame)
        try:
            while frame.state == "running":
                instruction = frame.listing.instructions[frame.ip]
                try:
                    frame.throw()
                    self.go_on()
                    target = self.meanings[instruction.opname](self, frame, instruction)
                except BaseException as error:
                    target = self.unwind(frame, instruction, error)
                frame.ip = frame.ip + 1 if target is None else frame.listing.at[target]
            value = frame.pop()
        finally:
            self.frames.pop()
        if frame.state == "done":
            frame.clear()
            self.world.drop_unheld()
        return value

    def ended(self, frame: Frame) -> list[Any]:
        """Run `frame` to its end: whether it returns or raises, and what."""
        try:
            return ["return", self.run(frame)]
        except Exception as error:
            return ["raise", error]

    def leaving(self, error: E) -> E:
        """The error that ends the call, with the way that it took. The machine has it no more."""
        trail, self.trail = tuple(self.trail[1:]), []
        try:
            return retraced(error, trail, None, self.waiting())
        finally:
            del error

    def waiting(self) -> list[Generator]:
        """The generators that somebody holds and that have something to do when they are let go."""
        return [x for x in self.generators if x.waits]

    def closed(self, generator: Generator) -> None:
        """Close a generator that was let go. An error in it is nobody's, but for a refusal of the world's."""
        held = self.trail
        try:
            generator.close()
        except BaseException as error:
            if not isinstance(error, Exception):  # CPython writes an error to stderr, and goes on
                self.interrupted = error
        finally:
            self.trail = held

    def go_on(self) -> None:
        """Raise what has come while a generator was closed."""
        error, self.interrupted = self.interrupted, None
        if error is not None:
            raise error

    def unwind(self, frame: Frame, instruction: Any, error: BaseException) -> int:
        """The offset of the handler of `error`, the stack cut back for it; without one the error goes on."""
        if isinstance(error, Astray):
            frame.state = "done"
            raise error
        if frame.handled is not None and error.__context__ is None and error is not frame.handled:
            error.__context__ = frame.handled
        entry = frame.handler()
        if entry is None:
            frame.state = "done"
            if not self.trail or self.trail[0] is not error:
                self.trail = [error]
            self.trail.append((frame.code, frame.line()))
            raise error
        del frame.stack[entry.depth :]
        if entry.lasti:
            frame.push(instruction.offset)
        frame.push(error)
        return entry.target


class Capture(Machine):
    """The machine that works for a compiled function. `raised`: whether it has met an error, handled or not."""

    raised = False

    def unwind(self, frame: Frame, instruction: Any, error: BaseException) -> int:
        """Note the error, and go on as with any."""
        self.raised = self.raised or not isinstance(error, (StopIteration, GeneratorExit))
        return super().unwind(frame, instruction, error)

    def protected(self) -> bool:
        """Whether an error would be handled."""
        return self.expected > 0 or any(frame.handler() for frame in self.frames)


def unsupported(code: CodeType) -> str | None:
    """Why the machine does not run `code`; None if it does."""
    if code.co_flags & (inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR | inspect.CO_ITERABLE_COROUTINE):
        return "it is asynchronous"
    named = {i.argval for i in listing(code).instructions if i.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    readers = (FRAME_READERS & named) | (BY_MODULE & set(code.co_names))
    if readers:
        return f"it may ask for its own frame ({', '.join(sorted(readers))})"
    unknown = next((i.opname for i in listing(code).instructions if i.opname not in MEANINGS), None)
    return None if unknown is None else f"the instruction {unknown} is not known"
