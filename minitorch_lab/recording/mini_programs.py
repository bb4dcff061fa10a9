"""Programs of mini, told as events: what shares a loop in them and why, their code, and where their temporaries lie."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from math import prod
from typing import Any

from .compiler_events import Arena, Group, Kernel, Launch
from .recording import Recording

__all__ = ["Launch", "tell_program"]

ASSIGNED = re.compile(r"\s*(?:\w+ )?(\w+) = ")
Row = tuple[str, str, str | None]


def tell_program(
    recording: Recording, name: str, region: str, stage: str, program: Any, print_kernel: Callable[[Any], str]
) -> None:
    """Add the events of a program of `minitorch_lab.mini` to a recording.

    Args:
        recording: The recording.
        name: The id of the program in it.
        region: The name of the function.
        stage: "values", "forward" or "backward".
        program: The program, of which this reads text, steps, kernels, reasons and lives.
        print_kernel: Writes a kernel as text.
    """
    text = tuple((line, "", None) for line in program.text.splitlines())
    recording.emit(Kernel, name, region, stage, f"mini {program.target}", text)
    if program.target == "numpy":  # op by op, and each into memory of its own
        return
    kernels, steps = iter(program.kernels), list[tuple[str, str | None]]()
    for _, _, group in program.steps:
        kernel = next(kernels) if group.is_loop else None
        step = kernel.name if kernel else group.nodes[0].name
        rows = kernel_rows(group, print_kernel(kernel)) if kernel else library_rows(group.nodes[0], program.text)
        moved = sum(n.nbytes for n in (*group.inputs, *group.outputs) if not n.is_constant)
        nodes, reasons = tuple(n.name for n in group.nodes), tuple(reasons_of(group, program))
        recording.emit(Group, f"{name}/{step}", name, nodes, reasons, moved, flops_of(group), tuple(rows))
        steps.append((step, None))
    if program.lives:
        unshared = sum(life.nbytes for life in program.lives)
        lives = [((x.node.name,), x.nbytes, x.offset, x.first, x.last, None) for x in program.lives]
        recording.emit(Arena, name, program.arena_bytes, program.bound, unshared, tuple(steps), tuple(lives), False)


def kernel_rows(group: Any, text: str) -> Iterator[Row]:
    """The lines of a kernel, each with the op of the group that it computes."""
    names = {node.name for node in group.nodes}
    for line in text.splitlines():
        found = ASSIGNED.match(line)
        yield line, found[1] if found and found[1] in names else "", None


def library_rows(node: Any, text: str) -> Iterator[Row]:
    """The line that calls a library for a node."""
    wanted = re.compile(rf"out={node.name}\)|\b{node.name}\[\.\.\.\] = ")
    yield from ((line.strip(), node.name, None) for line in text.splitlines() if wanted.search(line))


def reasons_of(group: Any, program: Any) -> Iterator[str]:
    """Why its ops are one loop."""
    for (one, two), reason in program.fuser.reasons.items():
        if reason == "fused" and one in group.nodes and two in group.nodes:
            yield f"the same loop: {one} → {two} stays in a register"


def flops_of(group: Any) -> int:
    """Operations: one for each entry and op, and two for each product that is added up."""
    first = group.nodes[0]
    if first.op.name == "matmul":
        return 2 * prod(first.shape) * first.inputs[0].shape[-1]
    return prod(group.domain) * len(group.nodes)
