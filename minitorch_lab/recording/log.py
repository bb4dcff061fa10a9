"""Writes down what the engine's objects are: gives them ids, and emits an event when one is seen for the first time."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..autograd.custom import Call, Flat, Slots
from ..autograd.node import Node, Saved
from ..core.array import memory_of
from ..ops.op import INPUTS, Op
from ..tensors.tensor import Tensor, tracked
from . import events as ev
from .budget import hold
from .identity import Ids
from .names import distinct
from .sources import layer_running, reader_frame
from .standing import Standing
from .values import Value, summarise, unknown

MANY = unknown((), "tuple")  # several results, or their cotangents, together


class Taking(NamedTuple):
    """Taking one result of several, in the shape of an op."""

    name: str


class Log(Standing):
    """The ids of one recording, and the recording."""

    def __init__(self, cap: int) -> None:
        super().__init__()
        self.cap = cap
        self.nodes, self.memories, self.ops, self.counters = Ids("n"), Ids("m"), Ids("o"), Ids("k")
        self.versions: dict[str, int] = {}
        self.memory: dict[str, str] = {}
        self.declared: set[str] = set()
        self.of_node: dict[str, str] = {}  # node -> the tensor whose history it is
        self.renewed: set[str] = set()  # tensors as they are after a write
        self.first_use: dict[str, str] = {}
        self.inner: dict[str, str] = {}  # a tensor made in the forward of a Function -> the name of the Function
        self.run_of: dict[str, str | None] = {}  # tensor -> the transform that it belongs to
        self.walks = 0
        self.compiling: Any = None  # who watches the compiler

    # ---- tensors ------------------------------------------------------------------------------------------
    def value(self, array: Any) -> Value:
        """A summary of an array or of the array in a tensor; of what is no number, only its kind."""
        array = bare(array)
        if isinstance(array, Slots):
            return MANY
        if not isinstance(array, int | float) and not hasattr(array, "dtype"):
            return unknown((), type(array).__name__)
        return summarise(array, self.cap)

    def known(self, x: Any) -> str:
        """The id of an input of an op, which is declared if it is new or was written to unseen."""
        if not isinstance(x, Tensor):
            return self._declare(self.tensors.fresh(), "constant", self.memories.fresh(), 0, x)
        if x.level:  # a tensor of a transform: a write lets it become another, which `same` has noted
            return self.tensors.get(x) or self.fresh(x, self.how(x))
        name = self.tensors.get(x) or self.twin(x)
        if name is not None and self.versions[name] == x._version:  # pyright: ignore[reportPrivateUsage]
            return name
        new = self.fresh(x, self.how(x))
        if name is not None:
            self.renewed.add(new)
        return new

    def same(self, x: Tensor, as_what: Tensor) -> None:
        """Note that `x`, a tensor of a transform, is now what `as_what` is."""
        name = self.tensors.get(as_what)
        if name is not None:
            self.tensors.give(x, name)
            self.names.known(x)

    def twin(self, x: Tensor) -> str | None:
        """The id of the tensor that `x` is another handle of: same history, same version.

        A rule under create_graph makes such handles of what its node has saved.
        """
        node = tracked(x)
        history = self.nodes.get(node) if node is not None else None
        name = self.of_node.get(history) if history is not None else None
        if name is None or self.versions[name] != x._version:  # pyright: ignore[reportPrivateUsage]
            return None
        return self.tensors.give(x, name)

    def how(self, x: Tensor) -> str:
        """What kind of tensor this is, when no op of the recording made it."""
        node = tracked(x)
        if node is None or node.op is not None:
            return "input"
        return "parameter" if self.names.is_parameter(x) else "leaf"

    def fresh(self, x: Tensor, how: str) -> str:
        """A new id for `x` as it is now."""
        base = x.link.base if x.link is not None else None
        name = self.tensors.new(x)
        self.names.known(x)
        if self.line is not None and how != "op":
            self.first_use[name] = self.line
        return self._declare(name, how, self.memory_id(x), x._version, x, base)  # pyright: ignore[reportPrivateUsage]

    def _declare(self, name: str, how: str, memory: str, version: int, x: Any, base: Tensor | None = None) -> str:
        node = tracked(x) if isinstance(x, Tensor) else None
        history = self.node(node) if node is not None else None
        if history is not None:
            self.of_node[history] = name
        self.versions[name], self.memory[name] = version, memory
        self.run_of[name] = run = self.runs.get(x.level) if isinstance(x, Tensor) else None
        tangent = getattr(x, "tangent", None)
        moves = None if tangent is None else self.value(tangent)
        based = self.tensors.get(base) if base is not None else None
        line = self.line if how == "op" else None
        facts = (memory, version, self.value(x), history, based, line, run, batch_of(x), moves)
        self.recording.emit(ev.Tensor, name, how, *facts)
        return name

    def memory_id(self, x: Tensor) -> str:
        """The id of the memory under `x`.

        NumPy keeps a 0-d result as a number, without memory, until it is viewed or written to; so such a memory may
        have been met under another object. What a transform makes counts as memory of its own.
        """
        if x.level:
            return self.memories.fresh()
        owner = memory_of(x.value)
        known = self.memories.get(owner)
        if known is None and x.ndim == 0:
            sharing = (name for name, other in self.tensors.living().items() if memory_of(other.value) is owner)
            known = self.memory.get(next(sharing, ""))
        return self.memories.give(owner, known) if known is not None else self.memories.new(owner)

    def sharing(self, memory: str) -> list[tuple[str, Tensor]]:
        """The known tensors on this memory that still exist."""
        return [(name, x) for name, x in self.tensors.living().items() if self.memory.get(name) == memory]

    def required(self, x: Tensor) -> None:
        """A tensor that was seen before became a leaf, or is one no longer."""
        name = self.tensors.get(x)
        if name is not None:
            history = self.node(x.node) if x.node is not None else None
            if history is not None:
                self.of_node[history] = name
            self.recording.amend(name, how=self.how(x), node=history)

    def part(self, name: str, x: Tensor, node: Node) -> None:
        """A tensor that only the tape knows: what was written into the base of a view."""
        value = self.value(x) if tuple(node.shape) == x.shape else unknown(tuple(node.shape), str(x.dtype))
        self.versions[name], self.memory[name] = 0, self.memories.fresh()
        self.of_node[self.node(node)] = name
        self.recording.emit(ev.Tensor, name, "op", self.memory[name], 0, value, self.node(node), None, self.line)
        called = self.names.variables.get(x)
        if called is not None:
            self.names.given[name] = called

    def feeding(self, edge: Node | None, otherwise: str) -> str:
        """The tensor whose history is `edge`."""
        name = self.nodes.get(edge) if edge is not None else None
        return self.of_node.get(name or "", otherwise)

    # ---- nodes --------------------------------------------------------------------------------------------
    def node(self, node: Node) -> str:
        """The id of a node, which is declared if it is new."""
        name = self.nodes.get(node) or self.nodes.new(node)
        if name not in self.declared:
            self.declared.add(name)
            edges = tuple(None if edge is None else self.nodes.get(edge) or self.nodes.new(edge) for edge in node.edges)
            op = node.op.name if node.op is not None else None
            self.recording.emit(ev.Node, name, op, node.name(), edges, tuple(node.shape))
        return name

    def saves(self, node: Node, inputs: tuple[str, ...], output: str) -> None:
        """What a new node keeps."""
        assert node.op is not None
        history = self.node(node)
        for name, kept in (node.saved or {}).items():
            if name == "out" or name in INPUTS:
                tensor = output if name == "out" else inputs[INPUTS[name]]
                self._save(history, name, tensor, kept)
            elif name == "*" and kept:
                for tensor, array in zip(inputs[node.op.rest :], kept, strict=True):
                    self._save(history, name, tensor, array)
            elif name != "ctx":
                self.recording.emit(ev.Save, history, name, None, 0, kept)

    def _save(self, history: str, name: str, tensor: str, kept: Any) -> None:
        version = kept.version if isinstance(kept, Saved) else 0
        fact = kept if isinstance(kept, int | float) else None
        counter = self.counter(kept.storage) if isinstance(kept, Saved) else ""
        self.recording.emit(ev.Save, history, name, tensor, version, fact, bool(self.segments), counter)

    def counter(self, storage: Any) -> str:
        """The id of a storage as the counter of its writes: `.data` gives the same memory another one."""
        return self.counters.get(storage) or self.counters.new(storage)

    # ---- ops ----------------------------------------------------------------------------------------------
    def op(
        self, op: Op, args: tuple[Any, ...], inputs: tuple[str, ...], out: Tensor, params: dict[str, Any], grad: bool
    ) -> None:
        """An op has run and made `out`."""
        output = self.fresh(out, "op")
        self.record_op(op, inputs, output, params, out.node, grad)
        if self.inside is None:
            self.names.made(out, self.place, self.where, layer_running())

    def call(self, call: Call, args: Flat, inputs: tuple[str, ...], outs: list[Any], grad: bool) -> None:
        """A Function or its like has run: one op; of several results each is taken out of the whole by one more."""
        made = [x for x in outs if isinstance(x, Tensor)]
        node = next((x.node.function for x in made if x.node is not None), None)
        if len(outs) == 1:
            output = self.fresh(made[0], "op")
        else:
            output = self.whole(len(outs), node, self.runs.get(made[0].level) if made else None)
        self.record_op(call, inputs, output, {}, node, grad)
        names = {id(x.value): self.result(x, i, output, grad) for i, x in enumerate(outs) if isinstance(x, Tensor)}
        context = (node.saved or {}).get("ctx") if node is not None else None
        if node is not None and context is not None:
            holders = {id(a.value): name for a, name in zip(args, inputs, strict=True) if isinstance(a, Tensor)}
            self.saved_by_function(node, context, {**holders, **names})

    def whole(self, count: int, node: Node | None, run: str | None) -> str:
        """The id of several results together, which no tensor holds."""
        name = self.tensors.fresh()
        self.versions[name], self.memory[name] = 0, self.memories.fresh()
        self.names.given[name], self.run_of[name] = "both results" if count == 2 else f"all {count} results", run
        history = None
        if node is not None:
            history = self.node(node)
            self.of_node[history] = name
        self.recording.emit(ev.Tensor, name, "op", self.memory[name], 0, MANY, history, None, self.line, run)
        return name

    def result(self, x: Tensor, i: int, output: str, grad: bool) -> str:
        """The id of result `i`, which is the whole or was taken out of it."""
        name = output
        if self.tensors.get(x) != output:
            name = self.fresh(x, "op")
            self.record_op(Taking(f"[{i}]"), (output,), name, {}, x.node, grad)
        if self.inside is None:
            self.names.made(x, self.place, self.where, layer_running())
        return name

    def saved_by_function(self, node: Node, context: Any, holders: dict[int, str]) -> None:
        """What the forward of a Function saved, as far as it is an argument or a result."""
        for kept in context._kept or ():
            value = getattr(kept, "value", None)
            tensor = holders.get(id(value))
            if tensor is not None:
                self._save(self.node(node), "ctx", tensor, kept)
            elif value is not None:
                self.recording.emit(ev.Save, self.node(node), "ctx", None, 0, f"a tensor of shape {tuple(value.shape)}")

    def within(self, call: Call, first: int) -> None:
        """Note which tensors the forward of a call has made: all since `first`. Outside, their names are free."""
        for k in range(first + 1, self.tensors.made + 1):
            self.inner.setdefault(f"t{k}", call.name)

    def record_op(
        self,
        op: Op | Call | Taking,
        inputs: tuple[str, ...],
        output: str,
        params: dict[str, Any],
        node: Node | None,
        grad: bool,
    ) -> None:
        """The events of an op whose output is known."""
        history = self.node(node) if node is not None else None
        name = self.ops.fresh()
        segment = self.segments[0].id if self.segments else None
        again = self.repeating[-1].next() if self.repeating else None
        for made in self.segments:
            made.ops.append(name)
        module = self.modules.running() if self.during is None else None
        where = self.line, self.during, self.run_of.get(output), self.inside, segment, again, module
        self.recording.emit(ev.Op, name, op.name, inputs, output, dict(params), history, grad, *where)
        if node is not None:
            self.saves(node, inputs, output)

    def ran(self, python: int = 0, kernel: int = 0, together: int = 0) -> None:
        """How long the op took that was written down last."""
        self.recording.emit(ev.Ran, f"o{self.ops.made}", python, kernel, together)

    # ---- the end ------------------------------------------------------------------------------------------
    def close(self, error: BaseException | None) -> None:
        """Emit what is known only now: names, lines of leaves, the source."""
        frame = reader_frame()
        if frame is not None:
            self.names.look(frame)
        names = {t.id: self.names.resolve(t.id) for t in self.recording.each(ev.Tensor) if t.how != "constant"}
        for state, name in names.items():
            if state in self.first_use:
                line = self.sources.assigned(name, self.first_use[state])
                if line is not None:
                    self.recording.amend(state, line=line)
        if error is not None:
            self.recording.emit(ev.Error, type(error).__name__, str(error), self.sources.raised(error))
        for run in (None, *self.runs.values()):
            here = {state: name for state, name in names.items() if self.run_of.get(state) == run}
            taken = {name for state, name in here.items() if state not in self.inner}
            for state in here.keys() & self.inner.keys():
                here[state] = f"{self.inner[state]}.{here[state]}" if here[state] in taken else here[state]
            for state, name in distinct(here, self.renewed).items():
                self.recording.emit(ev.Name, state, name, self.names.texts.get(state, ""))
        for k, (title, rows) in enumerate(self.sources.listings()):
            self.recording.emit(ev.Source, f"s{k + 1}", title, rows)
        hold(self.recording)
        self.recording.complete = True


def bare(array: Any) -> Any:
    """The array in a tensor, however many transforms have wrapped it."""
    while isinstance(array, Tensor):
        array = array.value
    return Slots(map(bare, array)) if isinstance(array, Slots) else array


def batch_of(x: Any) -> tuple[int, ...]:
    """The sizes of the batch axes of a tensor, that of the outermost vmap first: so they stand in its memory."""
    sizes: list[int] = []
    while isinstance(x, Tensor):
        if getattr(x, "batched", False):
            sizes.append(x.value.shape[0])
        x = x.value
    return tuple(reversed(sizes))
