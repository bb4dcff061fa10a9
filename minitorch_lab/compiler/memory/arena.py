"""Arenas: the memory that compiled kernels work in. Kernels that run in turn, as forward and backward do, share one.

A call takes a block from the pool and puts it back, so calls that run at the same time, in several threads, have a
block each. What a call returns never lies in an arena.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar

from ...core.array import Array, DType, Shape, block
from ...errors import OutOfMemoryError
from .plan import Plan, timeline

Value = tuple[Shape, DType, int]  # the shape, the dtype and the offset of a temporary
Views = tuple[Array, ...]


class Held:
    """A block of memory, and the temporaries of every kernel that has used it, as views of it."""

    __slots__ = ("memory", "shown")

    def __init__(self) -> None:
        self.memory: Array | None = None
        self.shown: dict[int, Views] = {}


class Arena:
    """The blocks of kernels that run in turn: each as large as the largest of their plans.

    Attributes:
        size: Bytes of a block.
        pool: The blocks that nobody works in now.
        pools: Those on a GPU, by the stream that has worked in them: the next on it waits for what runs there still.
    """

    def __init__(self) -> None:
        self.size, self.pool, self.kernels = 0, list[Held](), 0
        self.pools: dict[int, list[Held]] = defaultdict(list)

    def join(
        self, name: str, plan: Plan, values: Sequence[Value], device: str = "cpu"
    ) -> tuple[int, Callable[[Held], Views]]:
        """One kernel more: its number, and the function that shows its temporaries in a block.

        That function raises OutOfMemoryError where the block cannot be had.
        """
        key = self.kernels
        self.kernels, self.size = key + 1, max(self.size, plan.size)

        def show(held: Held) -> Views:
            if held.memory is None or held.memory.nbytes < plan.size:
                held.shown.clear()
                held.memory = allocated(name, plan, self.size, device)
            held.shown[key] = views = tuple(seen(held.memory, *value) for value in values)
            return views

        return key, show

    def __repr__(self) -> str:
        """Sizes."""
        return f"Arena({self.size} bytes for {self.kernels} kernels, {len(self.pool)} free)"


def seen(memory: Array, shape: Shape, dtype: DType, offset: int) -> Array:
    """The part of `memory` that a value has, as that value."""
    count = 1
    for n in shape:
        count *= n
    return memory[offset : offset + count * dtype.itemsize].view(dtype).reshape(shape)


def allocated(name: str, plan: Plan, size: int, device: str = "cpu") -> Array:
    """A block.

    Raises:
        OutOfMemoryError: The machine does not give that much.
    """
    try:
        return block(size, plan.alignment, device)
    except MemoryError as error:
        step = plan.busiest
        alive = sorted((x for x in plan.lives if x.first <= step <= x.last), key=lambda x: -x.nbytes)
        what = ", ".join(f"{x} ({x.nbytes:,})" for x in alive[:3])
        raise OutOfMemoryError(
            f"The arena of {name} needs {size:,} bytes, and the machine does not give that much.",
            f"{max(timeline(plan.lives)):,} bytes are alive at once at {plan.steps[step]}, the largest of them {what}.",
            "Did you mean a smaller batch? Or checkpoint(...) around parts of the forward pass.",
        ) from error


shared: ContextVar[Arena | None] = ContextVar("shared", default=None)


def current() -> Arena:
    """The arena for what is compiled now: one of its own, or the one of `one_arena()`."""
    return shared.get() or Arena()


@contextmanager
def one_arena(arena: Arena | None = None) -> Generator[Arena]:
    """What is compiled inside runs in turn, so it shares one arena: the given one, or a new one.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
        >>> graph = ml.jit.trace(lambda a: (a + 1).exp().sum(), ml.ones(100)).graph
        >>> with one_arena() as arena:
        ...     forward, backward = compile_numpy(graph), compile_numpy(graph)
        >>> arena
        Arena(448 bytes for 2 kernels, 0 free)
    """
    found = arena or Arena()
    token = shared.set(found)
    try:
        yield found
    finally:
        shared.reset(token)
