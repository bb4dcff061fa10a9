"""What a call comes to: its result or error, what it prints, the world after it, and the gradients of what it leaves.

Gradients are those of later `backward()` calls: from every tensor with a history that the call left behind, from all of
them, and from all but one, by every tensor that wanted a gradient before the call.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from io import StringIO
from typing import Any

from ....autograd.gradients import grad
from ....core.array import is_float, xp
from ....tensors.tensor import Tensor
from .world import Memory, inside

ROOTS = 6  # from so many tensors walks begin at most
HISTORY = ("minitorch_lab.autograd", "minitorch_lab.tensors.storage", "minitorch_lab.compiler")


@dataclass(eq=False, slots=True)
class Outcome:
    """What came of a call. `gradients` has them by root and by tensor, or the error of a walk."""

    value: Any = None
    error: BaseException | None = None
    printed: str = ""
    after: Memory = field(default_factory=Memory)
    gradients: dict[str, list[Any]] = field(default_factory=dict[str, list[Any]])


class Twice(StringIO):
    """What is printed is kept, and printed as well."""

    def __init__(self) -> None:
        super().__init__()
        self.screen: Any = sys.stdout

    def write(self, text: str) -> int:
        """Keep and print."""
        self.screen.write(text)
        return super().write(text)


def outcome(run: Callable[[], Any], before: Memory, roots: tuple[Any, ...], silent: bool) -> Outcome:
    """Run, and see what came of it."""
    found, paper = Outcome(), StringIO() if silent else Twice()
    with redirect_stdout(paper):
        try:
            found.value = run()
        except Exception as error:
            found.error = error
    found.printed = paper.getvalue()
    found.after = Memory(found.value, *roots)
    with redirect_stdout(StringIO()):
        found.gradients = walks(found, before, roots)
    return found


def walks(found: Outcome, before: Memory, roots: tuple[Any, ...]) -> dict[str, list[Any]]:
    """The gradients of what the call left behind by what wanted some before it. The histories stay as they are."""
    starts = list(left(found, before, roots))[:ROOTS]
    wanted = [node for x, _, _ in before.held.values() if isinstance(x, Tensor) and (node := before.part(x, "node"))]
    leaves = [Tensor(xp.broadcast_to(xp.float32(0), node.shape), node) for node in dict.fromkeys(wanted)]
    chosen = [(f"result {i + 1}", [x]) for i, x in enumerate(starts)]
    if len(starts) > 1:
        chosen.append(("all results", starts))
    if len(starts) > 2:
        chosen += [(f"all results but {i + 1}", starts[:i] + starts[i + 1 :]) for i in range(len(starts))]
    return {name: walked(xs, leaves) for name, xs in chosen} if leaves else {}


def left(found: Outcome, before: Memory, roots: tuple[Any, ...]) -> Iterator[Tensor]:
    """The tensors that have a history since the call, in the order in which they are reached."""
    for x in reached(found.after, found.value, *roots):
        if isinstance(x, Tensor) and is_float(x.dtype) and (node := found.after.part(x, "node")) is not None:
            old = before.part(x, "node") if x in before else None
            if node is not old and node.op is not None:
                yield x


def reached(memory: Memory, *roots: Any) -> Iterator[Any]:
    """What is reached from roots but not by way of a history: the same in both runs."""
    seen, pending = set[int](), [*reversed(roots)]
    while pending:
        x = pending.pop()
        if x in memory and id(x) not in seen and not of_history(x):
            seen.add(id(x))
            yield x
            pending += reversed(inside(memory.of(x)))


def of_history(x: Any) -> bool:
    """Whether a thing belongs to the tape, which is another one where regions are nodes."""
    return str(type(x).__module__).startswith(HISTORY)


def walked(roots: list[Tensor], leaves: list[Tensor]) -> list[Any]:
    """What a walk brings to the leaves, or its error."""
    seeds = [Tensor(seed(x)) for x in roots]
    try:
        found = grad(roots, leaves, seeds, retain_graph=True, allow_unused=True)
    except Exception as error:
        return [type(error)]
    return [None if g is None else xp.array(g.detach().value) for g in found]


def seed(x: Tensor) -> Any:
    """A cotangent that weighs every entry differently."""
    return xp.cos(xp.arange(1, x.numel() + 1)).reshape(x.shape).astype(x.dtype)
