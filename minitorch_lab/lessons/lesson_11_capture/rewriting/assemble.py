"""Steps put together into a real code object: bytes, tables of constants and names, stack depth, lines.

A mistake here is not an error but a crash of the interpreter, which trusts its bytecode. So nothing is guessed: jumps
are measured, and the depth of the stack is what `dis.stack_effect` adds up to.
"""

from __future__ import annotations

import dis
import opcode
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from .instructions import FASTS, VERSION, Step

UNIT = 2  # bytes of an instruction, and of an entry of the cache that may follow it
CACHES: Any = getattr(opcode, "_inline_cache_entries")  # noqa: B009
NO_COLUMNS, NO_LINE = 13, 15  # kinds of entries of a line table


@dataclass(slots=True)
class Raw:
    """An instruction as this Python has it; a jump's `arg` is measured once all the sizes are known."""

    op: str
    arg: int
    line: int | None
    target: Step | None = None

    @property
    def units(self) -> int:
        """Its size: one unit, one more for every further byte of the argument, and the cache."""
        return len(self.bytes_of_arg) + self.cache

    @property
    def bytes_of_arg(self) -> bytes:
        """The argument, the high byte first."""
        return self.arg.to_bytes(max(1, (self.arg.bit_length() + 7) // 8), "big")

    @property
    def cache(self) -> int:
        """How many units this Python keeps free behind it."""
        return CACHES[dis.opmap[self.op]] if isinstance(CACHES, list) else CACHES.get(self.op, 0)

    def code(self) -> bytes:
        """The bytes: `EXTENDED_ARG` before it for all of the argument but its last byte."""
        *high, low = self.bytes_of_arg
        extended = b"".join(bytes([dis.EXTENDED_ARG, part]) for part in high)
        return extended + bytes([dis.opmap[self.op], low]) + bytes(UNIT * self.cache)

    def effect(self, jump: bool) -> int:
        """How much higher the stack is afterwards."""
        number = dis.opmap[self.op]
        return dis.stack_effect(number, self.arg if number >= dis.HAVE_ARGUMENT else None, jump=jump)


@dataclass(slots=True)
class Tables:
    """What instructions refer to by number: constants, names, local variables, and those of the enclosing function."""

    locals: list[str]
    free: tuple[str, ...]
    consts: list[Any] = field(default_factory=list[Any])
    names: list[str] = field(default_factory=list[str])

    def const(self, value: Any) -> int:
        """The number of a constant: `1`, `1.0` and `True` are equal and not the same, so identity decides."""
        return number(value, self.consts)

    def name(self, text: str) -> int:
        """The number of a global or an attribute."""
        return number(text, self.names)

    def local(self, text: str) -> int:
        """The number of a local variable."""
        return number(text, self.locals)

    def cell(self, text: str) -> int:
        """The number of a variable of the enclosing function: they come after the local ones."""
        return len(self.locals) + self.free.index(text)


def number(x: Any, table: list[Any]) -> int:
    """The place of `x` in a table; at the end, if it is new. Texts are compared, other things must be the same."""
    for i, other in enumerate(table):
        if other is x or (type(x) is str and type(other) is str and other == x):
            return i
    table.append(x)
    return len(table) - 1


def assemble(steps: list[Step], like: CodeType, name: str, params: Iterable[str] | None = None) -> CodeType:
    """A code object that runs `steps`.

    Args:
        steps: The last one of every path returns; jumps go forward.
        like: The user's code object: the file, the first line, the enclosing function's variables are its.
        name: What it is called.
        params: Its parameters; those of `like` if left out.

    Example:
        >>> def f(a):
        ...     return a
        >>> three = assemble([Step("LOAD_CONST", 3), Step("RETURN_VALUE")], f.__code__, "three")
        >>> f.__code__ = three
        >>> f(1)
        3
    """
    own = like.co_varnames[: like.co_argcount + like.co_kwonlyargcount] if params is None else tuple(params)
    tables = Tables(list(own), like.co_freevars)
    for step in steps:
        if step.op in FASTS:  # all of them first: the numbers of the enclosing function's come after the last
            tables.local(step.arg)
    raws, starts = lowered(steps, tables)
    measure(raws, starts)
    counts: dict[str, Any] = (
        {} if params is None else {"co_argcount": len(own), "co_posonlyargcount": 0, "co_kwonlyargcount": 0}
    )
    return like.replace(
        co_code=b"".join(raw.code() for raw in raws),
        co_consts=tuple(tables.consts),
        co_names=tuple(tables.names),
        co_varnames=tuple(tables.locals),
        co_nlocals=len(tables.locals),
        co_stacksize=depth(raws, starts),
        co_linetable=lines(raws, like.co_firstlineno),
        co_exceptiontable=b"",
        co_name=name,
        co_qualname=name,
        **counts,
    )


# ---- steps to instructions ------------------------------------------------------------------------------------------
def lowered(steps: list[Step], tables: Tables) -> tuple[list[Raw], dict[Step, int]]:
    """The instructions, and for every step the index of its first one."""
    free = [Raw("COPY_FREE_VARS", len(tables.free), None)] if tables.free else []
    raws = [*free, Raw("RESUME", 0, steps[0].line)]
    starts: dict[Step, int] = {}
    for step in steps:
        starts[step] = len(raws)
        raws += [Raw(op, arg, step.line, step.target) for op, arg in spelt_here(step, tables)]
    return raws, starts


def spelt_here(step: Step, tables: Tables) -> list[tuple[str, int]]:
    """The instructions that this Python has for a step."""
    op, arg = step.op, step.arg
    if op in FASTS:
        return [(op, tables.local(arg))]
    if op in SPELT:
        return SPELT[op](arg, tables)
    if op.startswith("POP_JUMP"):
        name = op.replace("POP_JUMP", "POP_JUMP_FORWARD") if VERSION == (3, 11) else op
        return [*truth(op), (name, 0)]
    return [*truth(op), (op, arg or 0)]


def truth(op: str) -> list[tuple[str, int]]:
    """In 3.13 what jumps on a value, or negates it, takes nothing but True and False."""
    asks = op in ("POP_JUMP_IF_FALSE", "POP_JUMP_IF_TRUE", "UNARY_NOT")
    return [("TO_BOOL", 0)] if asks and VERSION >= (3, 13) else []


def attribute(name: str, tables: Tables, method: bool) -> list[tuple[str, int]]:
    """An attribute; from 3.12 on the lowest bit says that it will be called."""
    index = tables.name(name)
    if VERSION == (3, 11):
        return [("LOAD_METHOD" if method else "LOAD_ATTR", index)]
    return [("LOAD_ATTR", index << 1 | method)]


def call(count: int, tables: Tables) -> list[tuple[str, int]]:
    """A call; 3.11 prepares it first."""
    return [("PRECALL", count), ("CALL", count)] if VERSION == (3, 11) else [("CALL", count)]


def call_kw(arg: tuple[int, tuple[str, ...]], tables: Tables) -> list[tuple[str, int]]:
    """A call with named arguments: their names are said beforehand, from 3.13 on as a value."""
    count, names = arg
    if VERSION >= (3, 13):
        return [("LOAD_CONST", tables.const(names)), ("CALL_KW", count)]
    return [("KW_NAMES", tables.const(names)), *call(count, tables)]


SPELT: dict[str, Any] = {
    "LOAD_CONST": lambda arg, tables: [("LOAD_CONST", tables.const(arg))],
    "LOAD_DEREF": lambda arg, tables: [("LOAD_DEREF", tables.cell(arg))],
    "LOAD_GLOBAL": lambda arg, tables: [("LOAD_GLOBAL", tables.name(arg[0]) << 1 | arg[1])],
    "LOAD_ATTR": lambda arg, tables: attribute(arg, tables, False),
    "LOAD_METHOD": lambda arg, tables: attribute(arg, tables, True),
    "CALL": call,
    "CALL_KW": call_kw,
}


# ---- sizes, depth, lines --------------------------------------------------------------------------------------------
def measure(raws: list[Raw], starts: dict[Step, int]) -> None:
    """Set the arguments of the jumps, the units to skip; until it holds, since a long jump is a longer instruction."""
    settled = False
    while not settled:
        ends: list[int] = []
        for raw in raws:
            ends.append((ends[-1] if ends else 0) + raw.units)
        settled = True
        for raw, end in zip(raws, ends, strict=True):
            if raw.target is not None:
                distance = ends[starts[raw.target] - 1] - end
                settled, raw.arg = settled and raw.arg == distance, distance


def depth(raws: list[Raw], starts: dict[Step, int]) -> int:
    """The highest that the stack gets on any path."""
    at = {0: 0}  # before every instruction that is reached
    highest = 0
    for i, raw in enumerate(raws):
        if i not in at:
            continue  # behind a jump and nobody's target
        if raw.target is not None:
            at[starts[raw.target]] = at[i] + raw.effect(jump=True)
        if raw.op not in ("RETURN_VALUE", "JUMP_FORWARD"):
            at[i + 1] = at[i] + raw.effect(jump=False)
        highest = max(highest, at[i], *(at[k] for k in (i + 1,) if k in at))
    return highest


def lines(raws: list[Raw], first: int) -> bytes:
    """The line table of PEP 657, without columns: for at most eight units each, how many lines further down."""
    table, last = bytearray(), first
    for raw in raws:
        left = raw.units
        while left:
            units = min(left, 8)
            left -= units
            kind = NO_LINE if raw.line is None else NO_COLUMNS
            table.append(0x80 | kind << 3 | (units - 1))
            if raw.line is not None:
                table += signed(raw.line - last)
                last = raw.line
    return bytes(table)


def signed(n: int) -> bytes:
    """A number in groups of six bits, the low ones first, the sign in the lowest bit."""
    n = abs(n) << 1 | (n < 0)
    groups = bytearray()
    while n >= 64:
        groups.append(64 | n & 63)
        n >>= 6
    groups.append(n)
    return bytes(groups)
