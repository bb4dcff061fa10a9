"""In place: a result that is written over an argument which the caller gives up, as an optimizer updates its weights.

The result keeps a name of its own, so that a reader of the old value and one of the new never mix. It may lie where the
argument lies if its kernel reads the argument only at the entry that it then writes, and if everybody else who reads
the argument can be done before.
"""

from __future__ import annotations

from ..ir.graph import Node
from ..loops.affine import Affine
from ..loops.expr import parts
from ..loops.ir import Kernel, Loop, stores_of, values_of
from .program import Program, Step, in_order


def updated(program: Program, donate: set[str]) -> None:
    """Let results of a program lie over arguments, and order its steps for that.

    A result that is written into an argument lies there if it can. Others may lie over arguments among `donate`.
    """
    seen = {program.memory(n) for n in program.returned}
    arguments = {n.name: n for n in program.graph.placeholders}
    belongs = {n.inputs[1].name: n.inputs[0].name for n in program.writes}
    for node in program.arrays:
        asked = {belongs[node.name]} if node.name in belongs else donate - set(belongs.values())
        free = asked - seen - set(program.inplace.values())
        writer = next((s for s in program.steps if node.name in s.writes and s.kernel), None)
        if writer is None or not free or (node.name in belongs and node.name in seen):
            continue
        for name in candidates(writer, node, {n: arguments[n] for n in free if n in arguments}):
            before = [s for s in program.steps if name in s.owners and s is not writer]
            ordered = in_order(program.steps, {**program.after, writer: [*program.after.get(writer, []), *before]})
            if ordered is not None:
                program.after.setdefault(writer, []).extend(before)
                program.inplace[node.name], program.steps = name, ordered
                program.values.setdefault(name, program.values[node.name])  # one that no kernel reads was unknown
                break


def candidates(writer: Step, node: Node, arguments: dict[str, Node]) -> list[str]:
    """The arguments over which a result may lie, as far as its own kernel is concerned."""
    assert writer.kernel is not None
    through_view = {o for o, b in zip(writer.owners, writer.reads, strict=True) if o != b}
    fits = [n for n, argument in arguments.items() if same_kind(argument, node) and n not in through_view]
    return [n for n in fits if at_own_entry(writer.kernel, n, node.name)]


def same_kind(a: Node, b: Node) -> bool:
    """Whether entries of one lie as those of the other do."""
    return a.shape == b.shape and a.dtype == b.dtype


def at_own_entry(kernel: Kernel, read: str, written: str) -> bool:
    """Whether a kernel reads a buffer only at the entry at which it writes another, and not after it has."""
    stored: Affine | None = None
    for s in kernel.statements():
        if isinstance(s, Loop):
            continue
        loads = [e.attr[1] for e in parts(values_of(s)) if e.op == "load" and e.attr[0] == read]
        if loads and stored is not None:
            return False
        here = next((t.at for t in stores_of(s) if t.buffer == written), None)
        if any(at != (here or own_store(kernel, written)) for at in loads):
            return False
        stored = here or stored
    return True


def own_store(kernel: Kernel, buffer: str) -> Affine | None:
    """Where a kernel writes a buffer."""
    return next((s.at for s in kernel.stores() if s.buffer == buffer), None)
