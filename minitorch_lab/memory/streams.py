"""Streams and events as PyTorch has them: CUDA's where there is a GPU, and a simulated device's elsewhere.

On the simulated device ops compute at once, on the CPU, and their results are what they always are; only the time is
that of the device (`costmodel/simulator.py` states the model).
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from math import nan
from typing import Any

from ..autograd.eager import Eager
from ..autograd.layer import tape_in_force
from ..core.array import cuda
from ..core.interpret import interpreting, stack
from ..costmodel.flops import FlopCounter
from ..costmodel.machine import A100, Machine
from ..costmodel.simulator import Mark, Queue, Simulator
from ..costmodel.transfer import LADDER
from ..errors import ArgumentError, DeviceError
from ..ops.op import Op
from ..ops.work import work
from ..tensors.tensor import Tensor


class Device:
    """What `simulated_device` gives: a device with its default stream, on which ops run unless another is in force.

    Attributes:
        simulator: Its clock and its engines; `simulator.spans` is the timeline, in seconds.
    """

    def __init__(self, machine: Machine, link: float) -> None:
        self.simulator = Simulator(machine, link)
        self.current: list[Queue] = [self.simulator.queue("default stream")]

    @property
    def queue(self) -> Queue:
        """The stream in force."""
        return self.current[-1]

    def upload(self, x: Tensor, *, pinned: bool = True) -> Tensor:
        """`x`, as if it had been copied to the device: the copy takes its time on the stream in force.

        Args:
            x: A tensor.
            pinned: Whether it lies in pinned memory; if not, the host waits.
        """
        self.simulator.copy(self.queue, x.nbytes, pinned=pinned, name="upload")
        return x

    def download(self, x: Tensor, *, pinned: bool = True) -> Tensor:
        """`x`, as if it had been copied to the host."""
        self.simulator.copy(self.queue, x.nbytes, to_host=True, pinned=pinned, name="download")
        return x

    def synchronize(self) -> float:
        """Have the host wait for all streams; return the time then, in seconds."""
        return self.simulator.synchronize()


class Launching(FlopCounter):
    """The tape with a device beside it: every op is a kernel that is handed over to the stream in force."""

    def __init__(self, under: Eager, device: Device) -> None:
        super().__init__(under)
        self.simulated = device

    def note(self, op: Op, args: tuple[Any, ...], out: Tensor) -> None:
        """Hand the op over, unless it only looks at memory in another way."""
        super().note(op, args, out)
        read = [a for a in args if isinstance(a, Tensor)]
        if op.put is not None:
            return
        flops = work(op, [tuple(getattr(a, "shape", ())) for a in args], tuple(out.shape))
        nbytes = sum(x.nbytes for x in read) + out.nbytes
        self.simulated.simulator.launch(self.simulated.queue, flops=flops, nbytes=nbytes, name=op.name)


@contextmanager
def simulated_device(machine: Machine = A100, link: float = LADDER["PCIe 4.0 x16"]) -> Generator[Device]:
    """Let every op of the block take its time on a simulated device, while the CPU computes it.

    `ml.Stream` and `ml.Event` are the device's in the block.

    Args:
        machine: Its peak in FLOP/s, its bandwidth in B/s, and what a hand-over costs the host in seconds.
        link: Bytes per second between host and device, each way.

    Raises:
        GradientError: Inside a transform, which runs its ops itself.

    Example:
        >>> import minitorch_lab as ml
        >>> batch = ml.ones(1000, 1000)
        >>> with ml.memory.simulated_device(link=15.8e9) as device:
        ...     with ml.Stream():
        ...         following = device.upload(batch)
        ...     loss = (batch @ batch).sum()
        ...     seconds = device.synchronize()
        >>> f"{1e3 * seconds:.2f} ms: that of the copy, which the kernels hide behind"
        '0.26 ms: that of the copy, which the kernels hide behind'
    """
    device = Device(machine, link)
    with interpreting(Launching(tape_in_force("simulated_device()"), device)):
        yield device


def in_force(what: str) -> Device | None:
    """The simulated device of the innermost block; None stands for CUDA.

    Raises:
        DeviceError: There is neither.
    """
    layer: Any = stack.get()
    while layer is not None:
        if (device := getattr(layer, "simulated", None)) is not None:
            return device
        layer = getattr(layer, "under", None)
    try:
        cuda()
    except DeviceError:
        raise DeviceError(
            f"{what} was made, and there is neither a GPU nor a simulated device.",
            "On a CPU ops run one after the other, in the order of the program.",
            "Did you mean to run this in a block of ml.memory.simulated_device()?",
        ) from None
    return None


class Stream:
    """A queue of work for a device. Work in one stream runs in order; streams run side by side.

    In a `with` block ops go to this stream. On the simulated device they are handed over to it; on CUDA it is CuPy's.

    Args:
        device: The device; there is one.
        priority: Taken as in PyTorch, and has no effect on the simulated device.

    Raises:
        DeviceError: There is neither a GPU nor a simulated device.

    Example:
        >>> import minitorch_lab as ml
        >>> with ml.memory.simulated_device() as device:
        ...     first, second, done = ml.Stream(), ml.Stream(), ml.Event()
        ...     with first:
        ...         x = device.upload(ml.ones(1000, 1000))
        ...         done.record()
        ...     with second:
        ...         done.wait()  # second waits for first, and the host does not
        ...         y = x * 2
        ...     first.query(), done.query()
        (False, False)
    """

    def __init__(self, device: Any = None, priority: int = 0) -> None:
        self.device = in_force("A Stream")
        self.made: Any = None
        if self.device is None:
            self.made = cuda().cuda.Stream(non_blocking=True)
        else:
            self.queue = self.device.simulator.queue(f"stream {len(self.device.simulator.queues)}")

    def __enter__(self) -> Stream:
        """Ops go to this stream."""
        if self.device is None:
            self.made.__enter__()
        else:
            self.device.current.append(self.queue)
        return self

    def __exit__(self, *error: object) -> None:
        """They go to the one before again."""
        if self.device is None:
            self.made.__exit__(*error)
        else:
            self.device.current.pop()

    def query(self) -> bool:
        """Whether all of its work is done by now."""
        return bool(self.made.done) if self.device is None else self.device.simulator.is_idle(self.queue)

    def synchronize(self) -> None:
        """Have the host wait until all of its work is done."""
        if self.device is None:
            self.made.synchronize()
        else:
            self.device.simulator.synchronize(self.queue)

    def record_event(self, event: Event | None = None) -> Event:
        """An event (or the one that is given) that happens when the work so far is done."""
        event = Event() if event is None else event
        event.record(self)
        return event

    def wait_event(self, event: Event) -> None:
        """Have later work in this stream wait for an event. One that was never recorded is not waited for."""
        event.wait(self)

    def wait_stream(self, stream: Stream) -> None:
        """Have later work in this stream wait for all that the other one was handed until now."""
        self.wait_event(stream.record_event())


class Event:
    """A place in a stream, which other streams and the host can wait for.

    Args:
        device: The device; there is one.
        enable_timing: Whether `elapsed_time` will be asked.

    Raises:
        DeviceError: There is neither a GPU nor a simulated device.

    Example:
        >>> import minitorch_lab as ml
        >>> batch = ml.ones(1000, 1000)
        >>> with ml.memory.simulated_device(link=32e9) as device:
        ...     start, end = ml.Event(enable_timing=True), ml.Event(enable_timing=True)
        ...     start.record()
        ...     x = device.upload(batch)
        ...     end.record()
        ...     end.synchronize()
        ...     f"{start.elapsed_time(end):.3f} ms"  # 4 MB at 32 GB/s, and 5 µs until it begins
        '0.130 ms'
    """

    def __init__(self, device: Any = None, enable_timing: bool = False) -> None:
        self.device, self.enable_timing = in_force("An Event"), enable_timing
        self.mark: Mark | None = None
        self.made: Any = cuda().cuda.Event(disable_timing=not enable_timing) if self.device is None else None
        self.recorded = False

    def record(self, stream: Stream | None = None) -> None:
        """Let it happen when the work so far is done: of a stream, or of the one in force."""
        self.recorded = True
        if self.device is None:
            self.made.record(*([] if stream is None else [stream.made]))
        else:
            self.mark = self.device.simulator.record(self.device.queue if stream is None else stream.queue)

    def wait(self, stream: Stream | None = None) -> None:
        """Have later work wait for it: in a stream, or in the one in force. The host does not wait."""
        if self.device is None:
            target = cuda().cuda.get_current_stream() if stream is None else stream.made
            target.wait_event(self.made)
        elif self.mark is not None:
            self.device.simulator.wait(self.device.queue if stream is None else stream.queue, self.mark)

    def query(self) -> bool:
        """Whether it has happened by now. One that was never recorded counts as happened."""
        if self.device is None:
            return bool(self.made.done)
        return self.mark is None or self.device.simulator.is_set(self.mark)

    def synchronize(self) -> None:
        """Have the host wait for it."""
        if self.device is None:
            self.made.synchronize()
        elif self.mark is not None:
            self.device.simulator.reach(self.mark)

    def elapsed_time(self, end_event: Event) -> float:
        """Milliseconds from this event to another one.

        Raises:
            ArgumentError: One was not made for it, was never recorded, or has not happened yet.
        """
        for name, event in (("first", self), ("second", end_event)):
            if (why := event.unknown()) is not None:
                raise ArgumentError(
                    f"elapsed_time was asked, and the {name} event {why[0]}.",
                    "The time between two events is known when both have happened.",
                    why[1],
                )
        if self.device is None:
            return float(cuda().cuda.get_elapsed_time(self.made, end_event.made))
        return 1e3 * (end_event.happened - self.happened)

    @property
    def happened(self) -> float:
        """When it happened on the simulated device, in seconds; nan if it has not."""
        return nan if self.mark is None or self.mark.time is None else self.mark.time

    def unknown(self) -> tuple[str, str] | None:
        """Why nobody can say when it happened, and what to do about it; None if that can be said."""
        if not self.enable_timing:
            return "was made without enable_timing=True", "Did you mean ml.Event(enable_timing=True)?"
        if not self.recorded:
            return "was never recorded", "Call record() on both events before elapsed_time()."
        if not self.query():
            return "has not happened yet", "Call synchronize() on it before elapsed_time()."
        return None
