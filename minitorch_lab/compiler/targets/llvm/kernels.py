"""Kernels as functions: the parts that write them, handed to each other, and who writes which statement."""

from __future__ import annotations

from typing import Any

from ...loops.ir import Contract, Kernel, Loop, Stmt, Store, Sweep, Tile
from .builder import Builder
from .contractions import Contractions
from .memory import Memory
from .nest import Nest
from .squares import Squares
from .sweeps import Sweeps
from .table import Table
from .target import Target
from .tiler import Tiler
from .transforms import arranged
from .transforms.kinds import Machine
from .types import I64, POINTER, ir
from .values import Values
from .words import Words


class Printer:
    """Writes kernels into a module.

    Args:
        module: The module.
        target: The processor.
        dtypes: The dtype of every buffer.
        table: What is told of lengths, if some are not numbers.
    """

    def __init__(self, module: Any, target: Target, dtypes: dict[str, str], table: Table | None = None) -> None:
        self.module, self.target, self.dtypes, self.table = module, target, dtypes, table

    def kernel(self, k: Kernel, name: str, memory: list[str], owner: dict[str, str]) -> Any:
        """The function of a kernel, with a pointer per buffer of `memory`; `owner` says which buffer lies where.

        Its last argument is the number of the piece that it computes, which matters where there are some.
        """
        fn = self.function(name, memory)
        pointer = {b: fn.args[memory.index(at)] for b, at in owner.items()}
        b = ir.IRBuilder(fn.append_basic_block("entry"))
        build = Builder(self.module, self.target, b)
        nest = Nest(build, fn.args[len(memory)], self.table, fn.args[-1])
        k = arranged(k, Machine(self.target, self.dtypes, owner))
        Statements(Values(k, Memory(build, nest, pointer, self.dtypes), Words(build))).body(k.body)
        if any(i.opname == "store" and "nontemporal" in i.metadata for block in fn.blocks for i in block.instructions):
            b.fence("seq_cst")
        b.ret_void()
        return fn

    def function(self, name: str, memory: list[str]) -> Any:
        """A function that takes a pointer per buffer that has memory, and a number; two buffers never overlap."""
        words = [I64, POINTER] if self.table else [I64]
        fn = ir.Function(self.module, ir.FunctionType(ir.VoidType(), [POINTER] * len(memory) + words), name)
        for word in ("nounwind", "noinline"):
            fn.attributes.add(word)
        fn.linkage = "internal"
        for arg, buffer in zip(fn.args, memory, strict=False):
            arg.name = buffer
            arg.add_attribute("noalias")
        return fn


class Statements:
    """Hands every statement to the part that writes it."""

    def __init__(self, values: Values) -> None:
        self.values, self.nest = values, values.nest
        self.sweeps, self.squares = Sweeps(values), Squares(values)
        self.tiler, self.contractions = Tiler(values), Contractions(values)

    def body(self, body: list[Stmt]) -> None:
        """Some statements."""
        for s in body:
            if isinstance(s, Loop) and s.way:
                self.squares.loop(s, self.sweeps.sweep)
            elif isinstance(s, Loop):
                self.nest.loop(s.axis, 0, s.extent, 1, lambda s=s: self.body(s.body))
            elif isinstance(s, Sweep):
                self.sweeps.sweep(s)
            elif isinstance(s, Tile):
                self.tiler.tile(s)
            elif isinstance(s, Contract):
                self.contractions.contraction(s)
            elif isinstance(s, Store):
                self.values.stores([s])
