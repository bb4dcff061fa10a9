"""A device that runs streams of work beside its host, event by event: what CUDA does, as far as time goes.

The model of the machine, all of which is stated here:

- The host hands work over in order; each hand-over takes it `dispatch` seconds, and it goes on at once.
- A stream runs its work in order, never before it was handed over. Streams know nothing of each other, but for events.
- The device has one engine for kernels and one for copies in each direction. An engine does one thing at a time, and
  takes what could begin first; of two that could, what was handed over first.
- A kernel takes as long as the roofline says: max(operations / peak, bytes / bandwidth). A copy takes
  bytes / bandwidth of the link.

Kernels that would share the device are not modelled: each is taken to fill it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple

from .checks import check_amounts
from .machine import A100, Machine
from .transfer import LADDER, transfer_time

KERNEL, TO_DEVICE, TO_HOST = "kernel", "copy to the device", "copy to the host"


class Mark:
    """A place in a stream. `time` is when the stream came by, in seconds; None until it has."""

    def __init__(self) -> None:
        self.time: float | None = None


@dataclass(slots=True)
class Item:
    """What stands in a queue: work for an engine, a mark to be set, or a mark to be waited for."""

    issued: float
    number: int = 0
    engine: str = ""
    seconds: float = 0.0
    name: str = ""
    sets: Mark | None = None
    awaits: Mark | None = None


@dataclass(eq=False)
class Queue:
    """The work of one stream. `ready` is when all that has left it was done, in seconds."""

    name: str
    items: deque[Item] = field(default_factory=deque[Item])
    ready: float = 0.0


class Span(NamedTuple):
    """Something that an engine did for a stream, from `start` to `end` in seconds."""

    stream: str
    engine: str
    name: str
    start: float
    end: float


class Simulator:
    """A host, a device, and the clock of both.

    Args:
        machine: How fast kernels are, and what a hand-over costs the host.
        link: Bytes per second between host and device, each way.

    Attributes:
        now: The time of the host in seconds.
        spans: What the engines did, in the order in which it began.

    Example:
        >>> device = Simulator(Machine("round", peak=1e12, bandwidth=1e12), link=1e9)
        >>> copies, kernels = device.queue("copies"), device.queue("kernels")
        >>> device.copy(copies, nbytes=3e6), device.launch(kernels, flops=5e9)
        (0.003, 0.005)
        >>> device.synchronize()
        0.005
    """

    def __init__(self, machine: Machine = A100, link: float = LADDER["PCIe 4.0 x16"]) -> None:
        check_amounts("Simulator", positive=("link",), link=link)
        self.machine, self.link, self.now = machine, link, 0.0
        self.queues: list[Queue] = []
        self.free = {KERNEL: 0.0, TO_DEVICE: 0.0, TO_HOST: 0.0}  # from when on an engine has nothing to do
        self.spans: list[Span] = []
        self.handed = 0  # how much work was handed over

    # ---- what the host hands over -----------------------------------------------------------------------------------
    def queue(self, name: str) -> Queue:
        """A new stream."""
        self.queues.append(Queue(name))
        return self.queues[-1]

    def launch(self, queue: Queue, *, flops: float = 0.0, nbytes: float = 0.0, name: str = KERNEL) -> float:
        """Hand a kernel over; return the seconds that it will take the device.

        Args:
            queue: The stream.
            flops: Its operations.
            nbytes: The bytes that it reads and writes.
            name: What it is called in `spans`.
        """
        check_amounts("launch", flops=flops, nbytes=nbytes)
        seconds = max(flops / self.machine.peak, nbytes / self.machine.bandwidth)
        return self.hand_over(queue, Item(self.now, engine=KERNEL, seconds=seconds, name=name))

    def copy(
        self, queue: Queue, nbytes: float, *, to_host: bool = False, pinned: bool = True, name: str = "copy"
    ) -> float:
        """Hand a copy over; return the seconds that it will take the link.

        The host waits for the copy if its own memory is not pinned: a copy engine cannot read what may be moved.

        Args:
            queue: The stream.
            nbytes: How much is copied.
            to_host: Its direction.
            pinned: Whether the host's memory is pinned.
            name: What it is called in `spans`.
        """
        engine = TO_HOST if to_host else TO_DEVICE
        item = Item(self.now, engine=engine, seconds=transfer_time(nbytes, self.link), name=name)
        seconds = self.hand_over(queue, item)
        if not pinned:
            self.synchronize(queue)
        return seconds

    def hand_over(self, queue: Queue, item: Item) -> float:
        """Put an item at the end of a stream."""
        self.now += self.machine.dispatch
        self.handed += 1
        item.issued, item.number = self.now, self.handed
        queue.items.append(item)
        return item.seconds

    def record(self, queue: Queue) -> Mark:
        """A mark that is set when the stream has done all that stands before it."""
        mark = Mark()
        queue.items.append(Item(self.now, sets=mark))
        return mark

    def wait(self, queue: Queue, mark: Mark) -> None:
        """Have a stream go on only when the mark is set. The host does not wait."""
        queue.items.append(Item(self.now, awaits=mark))

    # ---- what the host waits for ------------------------------------------------------------------------------------
    def synchronize(self, queue: Queue | None = None) -> float:
        """Have the host wait for a stream, or for the whole device; return the time then, in seconds."""
        queues = self.queues if queue is None else [queue]
        self.run(lambda: not any(q.items for q in queues))
        self.now = max(self.now, *(q.ready for q in queues)) if queues else self.now
        return self.now

    def reach(self, mark: Mark) -> float:
        """Have the host wait for a mark; return the time then, in seconds."""
        self.run(lambda: mark.time is not None)
        self.now = max(self.now, mark.time or 0.0)
        return self.now

    def is_set(self, mark: Mark) -> bool:
        """Whether a mark is set by now."""
        self.run(lambda: False, until=self.now)
        return mark.time is not None and mark.time <= self.now

    def is_idle(self, queue: Queue) -> bool:
        """Whether a stream has done by now all that it was handed."""
        self.run(lambda: False, until=self.now)
        return not queue.items and queue.ready <= self.now

    # ---- the device -------------------------------------------------------------------------------------------------
    def run(self, enough: Callable[[], bool], until: float = inf) -> None:
        """Let the engines work until it is enough, on what begins up to a time.

        What begins first is done first. The host hands over nothing meanwhile, so nothing that it will hand over could
        have begun before.
        """
        while True:
            self.pass_marks()
            heads = [(self.start(q.items[0], q), q.items[0].number, i) for i, q in enumerate(self.queues) if runs(q)]
            if enough() or not heads or min(heads)[0] > until:
                return
            start, _, number = min(heads)
            queue = self.queues[number]
            item = queue.items.popleft()
            queue.ready = self.free[item.engine] = start + item.seconds
            self.spans.append(Span(queue.name, item.engine, item.name, start, queue.ready))

    def start(self, item: Item, queue: Queue) -> float:
        """When the first item of a stream can begin."""
        return max(item.issued, queue.ready, self.free[item.engine])

    def pass_marks(self) -> None:
        """Take all marks that stand first in their streams: set them, or pass those that are set."""
        moved = True
        while moved:
            moved = False
            for queue in self.queues:
                while queue.items and not runs(queue):
                    item, mark = queue.items[0], queue.items[0].awaits
                    if mark is not None and mark.time is None:
                        break
                    at = 0.0 if mark is None or mark.time is None else mark.time
                    queue.ready, moved = max(queue.ready, item.issued, at), True
                    if item.sets is not None:
                        item.sets.time = queue.ready
                    queue.items.popleft()


def runs(queue: Queue) -> bool:
    """Whether what stands first in a stream is work for an engine."""
    return bool(queue.items) and bool(queue.items[0].engine)
