"""A program as one LLVM module: a function per kernel, and for each run of kernels one that Python calls."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ...loops.ir import Kernel
from ...loops.show import show
from ...schedule.program import Program, Step
from .kernels import Printer
from .target import Target
from .tiles import PANEL, panel_bytes
from .types import F64, I1, I8, I32, I64, POINTER, TYPES, ir, is_float

HEAD = object.__basicsize__  # what an object starts with: its count and, in the last word, its type
DATA, FLAGS = HEAD, HEAD + 48  # where NumPy's arrays have the address of their entries, and their flags
FIT = 0x0101  # C-contiguous and aligned
WORTH_RELEASING = 1 << 18  # bytes; below, taking the lock of the interpreter again costs more than it gives


@dataclass(eq=False, slots=True)
class Run:
    """Kernels that one call runs. It is given arrays, then Python's numbers, then the arena, if one is needed."""

    name: str
    steps: list[Step]
    arrays: list[str] = field(default_factory=list[str])
    numbers: list[str] = field(default_factory=list[str])


def runs(program: Program) -> list[Run]:
    """The stretches of kernels between the nodes that NumPy runs."""
    out: list[Run] = []
    for before, step in zip([None, *program.steps], program.steps, strict=False):
        if step.kernel is None:
            continue
        if before is None or before.kernel is None:
            out.append(Run(f"run{len(out)}_op", []))
        out[-1].steps.append(step)
    for run in out:
        touched = dict.fromkeys(program.storage(b) for s in run.steps for b in (*s.reads, *s.writes))
        run.arrays = [b for b in touched if b not in program.temporaries]
        run.numbers = [n.name for n in program.numbers if n.name in touched]
    return out


class Module:
    """Writes the module of a program.

    Args:
        program: The kernels.
        target: The processor.
        places: The byte of the arena at which each temporary, row and panel begins.

    Attributes:
        text: LLVM's assembly.
        runs: What Python calls.
    """

    def __init__(self, program: Program, target: Target, places: dict[str, int]) -> None:
        self.program, self.target, self.places = program, target, places
        self.module: Any = ir.Module(program.graph.name)
        dtypes = {name: v.dtype for name, v in program.values.items()} | {PANEL: "f32"}
        self.dtypes = dtypes | dict.fromkeys(program.scratch, "f32")
        self.printer = Printer(self.module, target, self.dtypes)
        self.made: dict[Any, Any] = {}
        self.runs = runs(program)
        for run in self.runs:
            self.entry(run)
        self.text = str(self.module)

    def function(self, kernel: Kernel) -> tuple[Any, list[str]]:
        """The function of a kernel, and the buffers it takes. Kernels that differ only in their buffers share one."""
        buffers = [*kernel.buffers(), *([PANEL] if panel_bytes(kernel, self.target) else [])]
        owner = {b: self.program.storage(b) for b in buffers}
        own = list(dict.fromkeys(owner.values()))
        number = {b: f"B{own.index(owner[b])}" for b in buffers}
        key = shape_of(kernel, number), tuple(self.dtypes[b] for b in own)
        if key not in self.made:
            self.made[key] = self.printer.kernel(kernel, kernel.name, own, owner)
        return self.made[key], own

    def entry(self, run: Run) -> None:
        """The function that Python calls: it looks at the arrays, and runs the kernels if they lie as they should."""
        calls = [(s, *self.function(s.kernel)) for s in run.steps if s.kernel is not None]
        fn = ir.Function(self.module, ir.FunctionType(POINTER, [POINTER, POINTER, I64]), run.name)
        kind, objects, _ = fn.args
        b = ir.IRBuilder(fn.append_basic_block("entry"))
        count = len(run.arrays) + len(run.numbers) + bool(self.places)
        given = [b.load(word(b, objects, 8 * i), typ=POINTER) for i in range(count)]
        numbers = [given.pop(len(run.arrays)) for _ in run.numbers]
        fits = ir.Constant(I1, 1)
        for x in given:
            own = b.load(word(b, x, HEAD - 8), typ=POINTER)
            fits = b.and_(fits, b.icmp_unsigned("==", own, kind))
        with b.if_then(b.not_(fits), likely=False):
            b.ret(self.truth(b, False))
        flags = [b.and_(b.load(word(b, x, FLAGS), typ=I32), ir.Constant(I32, FIT)) for x in given]
        fits = ir.Constant(I1, 1)
        for f in flags:
            fits = b.and_(fits, b.icmp_unsigned("==", f, ir.Constant(I32, FIT)))
        with b.if_then(b.not_(fits), likely=False):
            b.ret(self.truth(b, False))
        data = [b.load(word(b, x, DATA), typ=POINTER) for x in given]
        at = dict(zip(run.arrays, data, strict=False))
        for name, number in zip(run.numbers, numbers, strict=True):
            self.taken(b, number, name, data[-1])
        if numbers:  # one that does not fit has left an error
            nothing = ir.Constant(POINTER, None)
            error = b.call(self.outer("PyErr_Occurred", POINTER, []), [])
            with b.if_then(b.icmp_unsigned("!=", error, nothing), likely=False):
                b.ret(nothing)
        busy = sum(self.program.values[n].nbytes for n in run.arrays) > WORTH_RELEASING
        thread = b.call(self.outer("PyEval_SaveThread", POINTER, []), []) if busy else None
        for step, function, buffers in calls:
            assert step.kernel is not None
            b.call(function, [at[n] if n in at else word(b, data[-1], self.place(step.kernel, n)) for n in buffers])
        if busy:
            b.call(self.outer("PyEval_RestoreThread", ir.VoidType(), [POINTER]), [thread])
        b.ret(self.truth(b, True))

    def taken(self, b: Any, number: Any, name: str, arena: Any) -> None:
        """Put one of Python's numbers where kernels look for it."""
        t = TYPES[self.dtypes[name]]
        whole = not is_float(t)
        result, c = (I64, "PyLong_AsLongLong") if whole else (F64, "PyFloat_AsDouble")
        value = b.call(self.outer(c, result, [POINTER]), [number])
        if t != result:
            value = b.trunc(value, t) if whole else b.fptrunc(value, t)
        b.store(value, word(b, arena, self.places[name]))

    def place(self, kernel: Kernel, buffer: str) -> int:
        """Where a buffer begins in the arena."""
        return self.places[f"{PANEL} of {kernel.name}" if buffer == PANEL else buffer]

    def truth(self, b: Any, yes: bool) -> Any:
        """`True` or `False`, as Python has them."""
        return b.call(self.outer("PyBool_FromLong", POINTER, [I64]), [ir.Constant(I64, int(yes))])

    def outer(self, name: str, result: Any, arguments: list[Any]) -> Any:
        """A function of the interpreter."""
        return self.module.globals.get(name) or ir.Function(self.module, ir.FunctionType(result, arguments), name)


def word(b: Any, p: Any, offset: int) -> Any:
    """The address some bytes further."""
    return b.gep(p, [ir.Constant(I64, offset)], source_etype=I8, inbounds=True) if offset else p


def shape_of(kernel: Kernel, number: dict[str, str]) -> str:
    """The kernel as text, with numbers for the names of buffers and of results of reductions."""
    text = show(Kernel("", kernel.body))
    text = re.sub(r"(\w+)\[", lambda m: f"{number.get(m[1], m[1])}[", text)
    return re.sub(r"\b([cr])\d+(_\d+)?\b", r"\1\2", text)
