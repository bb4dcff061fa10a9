"""Counting floating-point operations: a layer on the tape that sees every op, also of backward, and adds up its work.

What each op costs stands in `ops/work.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from ..autograd.eager import Eager
from ..autograd.layer import Layer, tape_in_force
from ..autograd.pullback import OnTensors
from ..core.interpret import grad_enabled, interpreting
from ..ops.op import OPS, Op
from ..ops.work import work
from ..tensors.tensor import Tensor


class FlopCounter(Layer):
    """The counts of a block.

    Attributes:
        by_op: The operations of each op, by its name.
        calls: How often each op ran.
    """

    def __init__(self, under: Eager) -> None:
        super().__init__(under)
        self.by_op: Counter[str] = Counter()
        self.calls: Counter[str] = Counter()

    @property
    def products(self) -> int:
        """FLOP in products of matrices, and in what is made of them: convolutions, linear layers, attention."""
        return sum(n for name, n in self.by_op.items() if OPS[name].work)

    @property
    def macs(self) -> int:
        """The same in multiply-accumulate steps, of two FLOP each."""
        return self.products // 2

    @property
    def total(self) -> int:
        """All operations."""
        return sum(self.by_op.values())

    def note(self, op: Op, args: tuple[Any, ...], out: Tensor) -> None:
        """Add the work of one op."""
        self.calls[op.name] += 1
        self.by_op[op.name] += work(op, [tuple(getattr(a, "shape", ())) for a in args], tuple(out.shape))

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run below, and count."""
        out = self.under.run(op, args, params)
        self.note(op, args, out)
        return out

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write below, and count."""
        self.under.inplace(op, x, args, params)
        self.note(op, (x, *args), x)
        return x

    # ---- backward: the same walk, on tensors, so that its ops come by here ------------------------------------------
    def rules(self, retain: bool, create: bool) -> OnTensors:
        """Run the rules as ops."""
        return OnTensors(self, retain)

    def backward(self, root: Tensor, gradient: Any, retain: bool, create: bool) -> None:
        """Walk the tape; recorded only if that was asked for."""
        with grad_enabled(create):
            Eager.backward(self, root, gradient, retain, create)


@contextmanager
def count_flops() -> Generator[FlopCounter]:
    """Count the operations of every op in this block, those of `backward()` included.

    Raises:
        GradientError: Inside a transform, which runs its ops itself.

    Example:
        >>> import minitorch_lab as ml
        >>> with count_flops() as count:
        ...     y = (ml.ones(2, 3) @ ml.ones(3, 4)).relu()
        >>> count.products, count.macs, count.by_op["relu"]
        (48, 24, 8)
    """
    counter = FlopCounter(tape_in_force("count_flops()"))
    with interpreting(counter):
        yield counter
