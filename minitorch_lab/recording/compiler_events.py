"""The events of the compiler, in a recording: what it captured, what it made of that, and which kernels ran.

Ids: `f1` a compiled function, `g1` one of its graphs (a region), `b1` a break, `e1` a kernel. A node of a graph is
`g1/mul`, a launch of a kernel `e1/pointwise_0`. Lines are those of the reader's code, so a line, a node and a line of
generated code are linked.
"""

from __future__ import annotations

from typing import NamedTuple


class Compiled(NamedTuple):
    """A compiled function is called, for the first time in the recording. `line`: where it is defined."""

    n: int
    id: str
    name: str
    mode: str
    backend: str
    line: str | None


class Capture(NamedTuple):
    """A capture begins, the `number`-th of the function; `why` is the guard that failed, nothing for the first.

    The ops of the call that is captured run one by one, and follow.
    """

    n: int
    function: str
    number: int
    why: str
    line: str | None


class Region(NamedTuple):
    """A graph. A row of `nodes` is (name, text, line)."""

    n: int
    id: str
    function: str | None
    name: str
    nodes: tuple[tuple[str, str, str | None], ...]
    line: str | None


class Break(NamedTuple):
    """A graph ends, since Python has to run. `before` and `after` are the regions on both sides, as far as known."""

    n: int
    id: str
    function: str
    reason: str
    line: str | None
    before: str | None
    after: tuple[str, ...]


class Pass(NamedTuple):
    """A pass ran over a graph of a region: that of its values, or the joint one.

    `before` and `after` are its text, both empty if nothing changed.
    """

    n: int
    region: str
    stage: str
    name: str
    done: dict[str, int]
    nodes: tuple[int, int]
    before: str
    after: str


class Partition(NamedTuple):
    """The joint graph of a region was cut in two. `saved` are (name, bytes); `default`: bytes if nothing is redone.

    Of sizes that are left open those at hand count.
    """

    n: int
    region: str
    saved: tuple[tuple[str, int], ...]
    recomputed: tuple[str, ...]
    nbytes: int
    default: int


class Kernel(NamedTuple):
    """Code for a region: of its values, forward or backward. A row is (text, node or nothing, line)."""

    n: int
    id: str
    region: str
    stage: str
    backend: str
    rows: tuple[tuple[str, str, str | None], ...]


class Group(NamedTuple):
    """What was fused into one launch of a kernel, and why; what it moves and does. A row is (text, node, line)."""

    n: int
    id: str
    kernel: str
    nodes: tuple[str, ...]
    reasons: tuple[str, ...]
    nbytes: int
    flops: int
    rows: tuple[tuple[str, str, str | None], ...]


class Arena(NamedTuple):
    """Where the temporaries of a kernel lie in memory that they share. `bound`: the most bytes alive at one step.

    A row of `steps` is (name, line). A row of `lives` is (values, bytes, offset, first step, last step, line): values
    that take over each other's bytes in place are one life. `unshared`: the bytes if each life had its own. `common`:
    whether kernels that run in turn lie in one arena.
    """

    n: int
    kernel: str
    nbytes: int
    bound: int
    unshared: int
    steps: tuple[tuple[str, str | None], ...]
    lives: tuple[tuple[tuple[str, ...], int, int, int, int, str | None], ...]
    common: bool = True


class Launch(NamedTuple):
    """A kernel ran: as the op `by`, or in the rule of the tape node `by`."""

    n: int
    kernel: str
    by: str


CompilerEvent = Compiled | Capture | Region | Break | Pass | Partition | Kernel | Group | Arena | Launch
COMPILER = (Compiled, Capture, Region, Break, Pass, Partition, Kernel, Group, Arena, Launch)
