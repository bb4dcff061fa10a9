"""A compiled function, checked: every call runs eagerly as well, on the same world, and the two are compared."""

from __future__ import annotations

import warnings
from contextlib import nullcontext
from functools import partial
from typing import Any

from ....autograd.short import EAGER
from ....core.interpret import stack
from ....errors import MismatchError
from ...ir.printer import expression
from .compare import Difference, first_difference
from .outcome import Outcome, outcome
from .regions import Ran, culprit, never_ran, seen
from .world import Memory


class Checked:
    """What a call runs under `check`: eager first, the world put back, then the program, which stays done.

    Args:
        compiled: The compiled function.
        count: How many calls are checked; None for all.
    """

    def __init__(self, compiled: Any, count: int | None) -> None:
        self.compiled, self.left, self.calls = compiled, count, 0
        self.blaming = True  # whether an error names the op, which takes a search

    def __call__(self, program: Any, *args: Any, **kwargs: Any) -> Any:
        """One call. It leaves the world as a call does."""
        if stack.get() is not EAGER or self.left == 0:
            return program(*args, **kwargs)
        given = (args, kwargs)
        before = Memory(self.compiled.original, *given)
        if before.once:
            warnings.warn(
                f"A call of {self.compiled.__name__} is not checked: it can reach a "
                f"{type(before.once[0]).__name__}, which can be gone through only once.",
                stacklevel=2,
            )
            return program(*args, **kwargs)
        self.calls += 1
        if self.left is not None:
            self.left -= 1
        return self.both(program, before, given)

    def both(self, program: Any, before: Memory, given: tuple[Any, ...]) -> Any:
        """Run both, and compare.

        Raises:
            MismatchError: They differ.
        """
        (args, kwargs), roots = given, (self.compiled.original, *given)
        eager = outcome(partial(self.compiled.original, *args, **kwargs), before, roots, True)
        before.put_back()
        growing = self.compiled.captures
        with seen(self.compiled, program) if self.compiled.graphs else nullcontext([]) as ran:
            found = outcome(partial(program, *args, **kwargs), before, roots, False)
        found.after.put_back()  # walks run hooks
        difference = first_difference(eager, found, before, roots)
        if difference is not None:
            raise self.mismatch(difference, ran, found, growing < self.compiled.captures)
        if found.error is not None:
            raise found.error
        return found.value

    def mismatch(self, difference: Difference, ran: list[Ran], found: Outcome, captured: bool) -> MismatchError:
        """The error, with the graph and the op at which kernels and ops part."""
        if difference.kind == "error":
            ran = ran + [never_ran(g, self.compiled.backend) for g in self.compiled.graphs]
        blamed = ((r, node) for r in ran if (node := culprit(r, self.compiled.backend)) is not None)
        region, node = next(blamed, (None, None)) if self.blaming else (None, None)
        if region is not None and node is not None:
            line = f", at {node.line}" if node.line is not None else ""
            rule = f"The first op that differs is {node.name} = {expression(node)} of {region.graph.name}{line}."
        elif captured:
            rule = "This call was captured: no kernel has run, so what was written down of it differs."
        else:
            rule = "Each graph by itself does what its ops do: what differs is the Python between them, or a guard."
        name = self.compiled.__name__ or type(self.compiled.__wrapped__).__name__
        error = MismatchError(
            f"{name}, compiled, differs from eager in its checked call {self.calls}: {difference}.",
            rule,
            "This is a bug of the compiler. ml.compile.minify(f, *args) makes a short program of it, for a report.",
        )
        error.kind, error.call, error.graph, error.node = difference.kind, self.calls, region and region.graph, node
        error.inputs = region.inputs if region is not None else []
        error.__cause__ = found.error
        return error
