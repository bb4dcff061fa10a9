"""The schema of a recording, "minitorch-lab.recording/2": what each event says. One flat stream, one counter.

Every event has `n`, its place in the stream, counted from 0. Ids are short and stable, and they link the events:

    l4   line 4 of the reader's code (l4.2: of the second file)      o3   an op that ran
    t7   a tensor as it was from one write to the next               n5   a node of the tape
    m2   memory: tensors that share it share the id                  w1   a backward walk
    x1   a transform at work on a function (vjp, jvp, vmap)          c1   a checkpoint
    a6   an allocation: memory with its bytes, its birth and its death

Those of the compiler are in compiler_events.py.

A file is one JSON object, `{"schema": ..., "count": ..., "events": [...], "values": [...]}`, with one event a line,
compressed by gzip. An event is an object whose "kind" is the class name below in lower case and whose other keys are
the fields, in order; fields with a default came later, and older files lack them. Tuples are lists, and what JSON
cannot say is tagged: {"float": "nan"}, {"slice": [0, 2, null]}, {"dtype": "float32"}, {"ellipsis": true},
{"dict": {...}}, {"repr": "..."}. A `Value` is {"value": k}, number k of the values; there it is an object, and many
floats are {"bytes": "..."}, in base 64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .compiler_events import COMPILER, CompilerEvent
from .values import Value

SCHEMA = "minitorch-lab.recording/2"


class Source(NamedTuple):
    """A file or cell of the reader's: the lines worth showing. A row is (id, line number, text); a gap has id ""."""

    n: int
    id: str
    title: str
    rows: tuple[tuple[str, int, str], ...]


class Name(NamedTuple):
    """What the reader calls a tensor. `text` is the expression that made it, as typed."""

    n: int
    id: str
    name: str
    text: str


class Run(NamedTuple):
    """A transform begins to run the reader's function. `outer` is the transform that it runs inside of."""

    n: int
    id: str
    transform: str  # vjp (grad as well), jvp or vmap
    outer: str | None
    line: str | None


class Segment(NamedTuple):
    """A checkpointed call begins. It keeps the tensors `keeps`, its arguments; what its ops save is dropped.

    When a walk needs that, the function runs again: those ops say in `again` which op they repeat.
    """

    n: int
    id: str
    keeps: tuple[str, ...]
    line: str | None


class Tensor(NamedTuple):
    """A tensor is seen for the first time, or again after a write. `how`: op, leaf, parameter, input or constant.

    A tensor of a transform belongs to its `run`. The value is then that of all examples at once: `batch` holds the
    sizes of the batch axes, which come first in its shape. `tangent` says how the value moves, in forward mode.
    """

    n: int
    id: str
    how: str
    memory: str
    version: int
    value: Value
    node: str | None
    base: str | None  # the tensor that this one is a view of
    line: str | None
    run: str | None = None
    batch: tuple[int, ...] = ()
    tangent: Value | None = None


class Op(NamedTuple):
    """An op ran. `node` is None where the tape recorded nothing; `during` is the node whose rule called it, if any.

    Under a transform the reader's op belongs to its `run`; the ops with which the transform computes it come before it
    in the stream, and are `inside` that run.
    """

    n: int
    id: str
    op: str
    inputs: tuple[str, ...]
    output: str
    params: dict[str, Any]
    node: str | None
    grad: bool  # False inside no_grad()
    line: str | None
    during: str | None
    run: str | None = None
    inside: str | None = None
    segment: str | None = None  # the innermost checkpoint that it is in
    again: str | None = None
    module: str | None = None  # the path of the module that ran it, in the outermost one that ran


class Node(NamedTuple):
    """A node is on the tape. `edges` has one entry per input of the op: a node, or None where no gradient is wanted."""

    n: int
    id: str
    op: str | None  # None: a leaf, where gradients accumulate
    title: str
    edges: tuple[str | None, ...]
    shape: tuple[int, ...]  # of its cotangent


class Save(NamedTuple):
    """A node keeps something for its rule.

    `name` is the rule's parameter: x, y, out keep a tensor or a number, x_shape a fact without data. `fact` is what is
    kept where it is no tensor. `dropped`: it was, by a checkpoint.
    """

    n: int
    node: str
    name: str
    tensor: str | None
    version: int
    fact: Any
    dropped: bool = False
    counter: str = ""  # which counter it trusts to tell of writes: that of a Write, unless `.data` has parted them


class Free(NamedTuple):
    """A node lets go of everything it kept."""

    n: int
    node: str


class Write(NamedTuple):
    """Memory was overwritten in place by op `op`: tensor `old` became `new`, and the version went up to `version`.

    `old` and `new` are the same where the history of a tensor does not know of the write: an alias on the same memory.
    """

    n: int
    op: str
    memory: str
    old: str
    new: str
    version: int
    value: Value
    counter: str = ""  # the version counter that noticed


class Begin(NamedTuple):
    """A walk begins at `tensor`. `given`: the reader passed the seed.

    `call` is how it was asked for: backward, grad (`autograd.grad`), or vjp (a transform, on the tape of its `run`).
    `more` are the further roots: (tensor, node, seed).
    """

    n: int
    walk: str
    tensor: str
    node: str
    seed: Value
    given: bool
    retain: bool
    create: bool
    line: str | None
    call: str = "backward"
    run: str | None = None
    more: tuple[tuple[str, str, Value], ...] = ()


class Step(NamedTuple):
    """The walk reaches a node, whose cotangent is now complete."""

    n: int
    walk: str
    node: str
    cotangent: Value


class Send(NamedTuple):
    """A node sends a partial adjoint along its edge number `edge`, to the node `to`."""

    n: int
    walk: str
    node: str
    edge: int
    to: str
    value: Value


class Sum(NamedTuple):
    """What has arrived at a node so far: `parts` partial adjoints, which add up to `value`."""

    n: int
    walk: str
    node: str
    parts: int
    value: Value


class Hooked(NamedTuple):
    """A node has hooks when a walk begins: `before` on its cotangent, `after` on what it sends."""

    n: int
    walk: str
    node: str
    before: int
    after: int


class Hook(NamedTuple):
    """One hook saw the cotangent of a node (edge None) or what it sends along an edge, and may have replaced it.

    A hook on what is sent that replaced nothing is told once, with the first edge. `name` is the reader's, or "".
    """

    n: int
    walk: str
    node: str
    edge: int | None
    before: Value
    after: Value
    name: str = ""
    line: str | None = None


class Accumulate(NamedTuple):
    """The .grad of a leaf, or of a tensor with retain_grad(), went from `old` (None: there was none) to `new`."""

    n: int
    walk: str
    node: str
    tensor: str | None
    old: Value | None
    new: Value


class Result(NamedTuple):
    """A walk that returns gradients has the one of `tensor`. No .grad is touched."""

    n: int
    walk: str
    node: str
    tensor: str | None
    value: Value


class End(NamedTuple):
    """The walk is over. `error` is what stopped it, if something did."""

    n: int
    walk: str
    error: str | None


class Ran(NamedTuple):
    """How long that took, in ns, without what the recording itself needs. `of` is an op, or a node in a walk.

    `kernel` is the op's own implementation, `python` all that the engine does around it: checking, the tape, a new
    tensor. What cannot be told apart, a node's rule or the call of a region, is `together`. On a GPU a kernel is only
    launched in its time.
    """

    n: int
    of: str
    python: int
    kernel: int
    together: int


class Birth(NamedTuple):
    """A block of memory, which lives until its death or outlives the recording.

    `category` is what it served as in the end: parameter, gradient, activation, input, optimizer state or temporary.
    `op` made it; `line` ran then, the forward line for what a rule makes. `phase` is before (it was there when the
    recording began), forward, backward, recomputation or update. `memory` is the one that tensors share, if any do.
    `leaf` is the tensor whose gradient it is.
    """

    n: int
    id: str
    nbytes: int
    category: str
    op: str | None
    shape: tuple[int, ...]
    line: str | None
    phase: str
    memory: str | None = None
    leaf: str | None = None


class Death(NamedTuple):
    """A block of memory is released, at this moment."""

    n: int
    id: str
    phase: str


class Error(NamedTuple):
    """The recorded block was left by an exception."""

    n: int
    type: str
    message: str
    line: str | None


Event = (
    Source
    | Name
    | Run
    | Segment
    | Tensor
    | Op
    | Node
    | Save
    | Free
    | Write
    | Begin
    | Step
    | Send
    | Sum
    | Hooked
    | Hook
    | Accumulate
    | Result
    | End
    | Ran
    | Birth
    | Death
    | Error
    | CompilerEvent
)

KINDS: dict[str, type[Any]] = {
    kind.__name__.lower(): kind
    for kind in (
        *(Source, Name, Run, Segment, Tensor, Op, Node, Save, Free, Write),
        *(Begin, Step, Send, Sum, Hooked, Hook, Accumulate, Result, End, Ran, Birth, Death, Error, *COMPILER),
    )
}
