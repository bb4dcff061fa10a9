"""A program as one LLVM module: a function per kernel, and for each run of kernels one that Python calls."""

from __future__ import annotations

from math import prod
from typing import Any

from .interpreter import answer, outer, word
from .kernels import Printer
from .layout import DATA, FIT, FLAGS, TYPE
from .runs import Call, Run, Turns
from .table import Table
from .target import Target
from .types import F64, I1, I8, I32, I64, POINTER, TYPES, ir, is_float


class Module:
    """Writes the module of a program.

    Args:
        name: What it is called.
        runs: What Python calls.
        target: The processor.
        dtypes: The dtype of every buffer.
        table: What is told of lengths, if some are not numbers.

    Attributes:
        text: LLVM's assembly.
    """

    def __init__(self, name: str, runs: list[Run], target: Target, dtypes: dict[str, str], table: Table | None) -> None:
        self.module: Any = ir.Module(name)
        self.printer = Printer(self.module, target, dtypes, table)
        self.made: dict[str, Any] = {}
        for function in (function for run in runs for function in run.functions):
            self.entry(function)
        self.text = str(self.module)

    def function(self, call: Call) -> Any:
        """The function of a kernel. Kernels that differ only in their buffers share one."""
        if call.text not in self.made:
            self.made[call.text] = self.printer.kernel(call.kernel, call.kernel.name, list(call.at), call.owner)
        return self.made[call.text]

    def entry(self, run: Run) -> None:
        """The function that Python calls: it looks at the arrays, and runs the kernels if they lie as they should."""
        fn = ir.Function(self.module, ir.FunctionType(POINTER, [POINTER, POINTER, I64]), run.name)
        kind, objects, _ = fn.args
        b = ir.IRBuilder(fn.append_basic_block("entry"))
        count = len(run.arrays) + len(run.numbers) + run.arena + run.table
        given = [b.load(word(b, objects, 8 * i), typ=POINTER) for i in range(count)]
        numbers = [given.pop(len(run.arrays)) for _ in run.numbers]
        fits = ir.Constant(I1, 1)
        for x in given:
            own = b.load(word(b, x, TYPE), typ=POINTER)
            fits = b.and_(fits, b.icmp_unsigned("==", own, kind))
        with b.if_then(b.not_(fits), likely=False):
            answer(b, self.module, False)
        flags = [b.and_(b.load(word(b, x, FLAGS), typ=I32), ir.Constant(I32, FIT)) for x in given]
        fits = ir.Constant(I1, 1)
        for f in flags:
            fits = b.and_(fits, b.icmp_unsigned("==", f, ir.Constant(I32, FIT)))
        with b.if_then(b.not_(fits), likely=False):
            answer(b, self.module, False)
        data = [b.load(word(b, x, DATA), typ=POINTER) for x in given]
        for (dtype, byte), number in zip(run.numbers.values(), numbers, strict=True):
            self.taken(b, number, dtype, self.in_arena(b, run, data, byte))
        if numbers:  # one that does not fit has left an error
            nothing = ir.Constant(POINTER, None)
            error = b.call(outer(self.module, "PyErr_Occurred", POINTER, []), [])
            with b.if_then(b.icmp_unsigned("!=", error, nothing), likely=False):
                b.ret(nothing)
        thread = b.call(outer(self.module, "PyEval_SaveThread", POINTER, []), []) if run.busy else None
        for call in run.calls:
            if isinstance(call, Turns):
                self.turns(b, call, data)
            else:
                self.call(b, call, data, [], run)
        if run.busy:
            b.call(outer(self.module, "PyEval_RestoreThread", ir.VoidType(), [POINTER]), [thread])
        answer(b, self.module, True)

    def turns(self, b: Any, turns: Turns, data: list[Any]) -> None:
        """Kernels one after the other, again for each slice."""
        before, head, after = b.block, b.append_basic_block("slice"), b.append_basic_block("slices_end")
        b.branch(head)
        b.position_at_end(head)
        number = b.phi(I64)
        number.add_incoming(ir.Constant(I64, 0), before)
        index, left = list[Any](), number
        for n in reversed(turns.extents):
            index.insert(0, b.urem(left, ir.Constant(I64, n)))
            left = b.udiv(left, ir.Constant(I64, n))
        for call in turns.calls:
            self.call(b, call, data, index, None)
        following = b.add(number, ir.Constant(I64, 1))
        number.add_incoming(following, b.block)
        b.cbranch(b.icmp_unsigned("<", following, ir.Constant(I64, prod(turns.extents))), head, after)
        b.position_at_end(after)

    def in_arena(self, b: Any, run: Run | None, data: list[Any], byte: int) -> Any:
        """The address of a byte of the arena, or of that which stands at this position of the table of lengths."""
        if run is None or not run.table:
            return word(b, data[-1], byte)
        return b.gep(data[-2], [b.load(word(b, data[-1], 8 * byte), typ=I64)], source_etype=I8, inbounds=True)

    def call(self, b: Any, call: Call, data: list[Any], index: list[Any], run: Run | None) -> None:
        """A kernel, on memory that lies where the slice of this index does."""
        given = list[Any]()
        for buffer, place in call.at.items():
            at = data[place.number] if place.inside == "array" else self.in_arena(b, run, data, place.number)
            for i, step in zip(index, call.moves.get(buffer, ()), strict=False):
                at = b.gep(at, [b.mul(i, ir.Constant(I64, step))], source_etype=I8)
            given.append(at)
        told = [data[-1]] if run is not None and run.table else []
        b.call(self.function(call), [*given, ir.Constant(I64, call.piece), *told])

    def taken(self, b: Any, number: Any, dtype: str, at: Any) -> None:
        """Put one of Python's numbers where kernels look for it."""
        t = TYPES[dtype]
        whole = not is_float(t)
        result, c = (I64, "PyLong_AsLongLong") if whole else (F64, "PyFloat_AsDouble")
        value = b.call(outer(self.module, c, result, [POINTER]), [number])
        if t != result:
            value = b.trunc(value, t) if whole else b.fptrunc(value, t)
        b.store(value, at)
