"""A program as one LLVM module: a function per kernel, and for each run of kernels one that Python calls."""

from __future__ import annotations

from typing import Any

from .interpreter import answer, outer, word
from .kernels import Printer
from .layout import DATA, FIT, FLAGS, TYPE
from .runs import Call, Run
from .target import Target
from .types import F64, I1, I32, I64, POINTER, TYPES, ir, is_float


class Module:
    """Writes the module of a program.

    Args:
        name: What it is called.
        runs: What Python calls.
        target: The processor.
        dtypes: The dtype of every buffer.

    Attributes:
        text: LLVM's assembly.
    """

    def __init__(self, name: str, runs: list[Run], target: Target, dtypes: dict[str, str]) -> None:
        self.module: Any = ir.Module(name)
        self.printer = Printer(self.module, target, dtypes)
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
        functions = [self.function(call) for call in run.calls]
        fn = ir.Function(self.module, ir.FunctionType(POINTER, [POINTER, POINTER, I64]), run.name)
        kind, objects, _ = fn.args
        b = ir.IRBuilder(fn.append_basic_block("entry"))
        count = len(run.arrays) + len(run.numbers) + run.arena
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
            self.taken(b, number, dtype, word(b, data[-1], byte))
        if numbers:  # one that does not fit has left an error
            nothing = ir.Constant(POINTER, None)
            error = b.call(outer(self.module, "PyErr_Occurred", POINTER, []), [])
            with b.if_then(b.icmp_unsigned("!=", error, nothing), likely=False):
                b.ret(nothing)
        thread = b.call(outer(self.module, "PyEval_SaveThread", POINTER, []), []) if run.busy else None
        for function, call in zip(functions, run.calls, strict=True):
            at = call.at.values()
            given = [data[p.number] if p.inside == "array" else word(b, data[-1], p.number) for p in at]
            b.call(function, [*given, ir.Constant(I64, call.piece)])
        if run.busy:
            b.call(outer(self.module, "PyEval_RestoreThread", ir.VoidType(), [POINTER]), [thread])
        answer(b, self.module, True)

    def taken(self, b: Any, number: Any, dtype: str, at: Any) -> None:
        """Put one of Python's numbers where kernels look for it."""
        t = TYPES[dtype]
        whole = not is_float(t)
        result, c = (I64, "PyLong_AsLongLong") if whole else (F64, "PyFloat_AsDouble")
        value = b.call(outer(self.module, c, result, [POINTER]), [number])
        if t != result:
            value = b.trunc(value, t) if whole else b.fptrunc(value, t)
        b.store(value, at)
