"""A loop nest as data.

A group of nodes becomes a few kinds of statement: loops, loads, names, accumulators and stores. Nothing here knows a
language: a printer, an interpreter (below) or a reader who wants to check an index all start from this. A sum along a
row splits the row into sweeps: what reads the sum has to wait until the first sweep has passed.
"""

from dataclasses import dataclass

import numpy as np

from . import ops
from .fuse import is_row_reduction
from .graph import reachable
from .views import View


@dataclass
class Loop:
    """Run `body` for index = 0 … extent - 1."""

    index: str
    extent: int
    body: list


@dataclass
class Let:
    """Name what an op computes from named values and numbers."""

    name: str
    op: object
    args: list
    params: dict


@dataclass
class Load:
    """Name an element of a buffer."""

    name: str
    buffer: object
    at: dict  # stride of each index


@dataclass
class Start:
    """Begin to accumulate, in double precision: 0 for a sum, −∞ for a maximum."""

    name: str
    op: object


@dataclass
class Reduce:
    """Add to an accumulator, or keep the larger."""

    name: str
    op: object
    value: object


@dataclass
class Store:
    """Write an element of a buffer."""

    buffer: object
    at: dict
    value: str


@dataclass
class Kernel:
    """A loop nest with the buffers that it reads and writes, which are nodes."""

    name: str
    inputs: list
    outputs: list
    body: list


# ---- from a group to loops ------------------------------------------------------------------------------------------
class Lowering:
    """One group on its way to loops. `layout` says where a node lies: in which buffer, and in what view of it."""

    def __init__(self, group, layout):
        self.group = group
        reads = [n for n in group.inputs if not n.is_constant]
        self.buffer = {n: layout[n][0] for n in reads}
        views = {n: layout[n][1].expand(group.domain) for n in reads}
        views |= {n: View.contiguous(n.shape).expand(group.domain) for n in group.outputs}
        self.length = group.domain[-1] if group.domain else 1
        has_rows = any(is_row_reduction(n) or n.shape != group.domain for n in group.nodes)
        self.extents, merged = merge_axes(group.domain, list(views.values()), keep_last=has_rows)
        self.indices = [f"i{k}" for k in range(len(self.extents))]
        self.at = {n: self.strides(view) for n, view in zip(views, merged)}

    def strides(self, view):
        """The stride of each index; "" stands for the offset."""
        return {"": view.offset, **{i: s for i, s in zip(self.indices, view.strides) if s}}

    def is_per_row(self, node):
        """Whether there is one value for a whole row."""
        return self.length > 1 and node.shape[-1] == 1

    def kernel(self, name):
        """The loops of the group."""
        body = self.row()
        for index, extent in reversed(list(zip(self.indices[:-1], self.extents[:-1]))):
            body = [Loop(index, extent, body)]
        return Kernel(name, list(dict.fromkeys(self.buffer.values())), self.group.outputs, body)

    def row(self):
        """A sweep for every reduction and one for the outputs; what is the same for the row stands between them."""
        statements, loaded = [], set()
        for node in self.group.nodes:
            if is_row_reduction(node):
                sweep = [*self.compute(node.inputs, loaded), Reduce(node.name, node.op, label(node.inputs[0]))]
                statements += [Start(node.name, node.op), self.over_row(sweep)]
            elif self.is_per_row(node):
                statements += self.let(node, loaded)
        per_row = [n for n in self.group.outputs if self.is_per_row(n)]
        wide = [n for n in self.group.outputs if n not in per_row]
        if wide:
            statements.append(self.over_row(self.compute(wide, loaded) + [self.store(n) for n in wide]))
        return statements + [self.store(n) for n in per_row]

    def over_row(self, body):
        """A loop along the last axis."""
        return Loop(self.indices[-1], self.extents[-1], body)

    def compute(self, targets, outside):
        """Statements of one sweep: everything behind `targets` that differs from entry to entry."""
        done = {n for n in self.group.nodes if is_row_reduction(n) or self.is_per_row(n)}
        needed, loaded = reachable(targets, stop=done) - done, set(outside)
        statements = self.load(targets, loaded)
        for node in self.group.nodes:
            if node in needed:
                statements += self.let(node, loaded)
        return statements

    def let(self, node, loaded):
        """Load what a node reads, and name what it computes."""
        named = Let(node.name, node.op, [label(n) for n in node.inputs], node.params)
        return [*self.load(node.inputs, loaded), named]

    def load(self, nodes, loaded):
        """Load those of `nodes` that lie in buffers and are not loaded yet."""
        new = [n for n in dict.fromkeys(nodes) if n in self.buffer and n not in loaded]
        loaded.update(new)
        return [Load(n.name, self.buffer[n], self.at[n]) for n in new]

    def store(self, node):
        """Write a result."""
        return Store(node, self.at[node], node.name)


def label(node):
    """What a node is in a loop: a name, or a number."""
    return float(np.asarray(node.value).item()) if node.is_constant else node.name


def merge_axes(shape, views, keep_last):
    """Fewer and longer loops: two axes are one where, in every view, the outer one goes on where the inner one ends."""
    shape, strides = list(shape) or [1], [list(v.strides) or [0] for v in views]
    for a in reversed(range(len(shape) - 1)):
        if keep_last and a == len(shape) - 2:
            continue
        if all(s[a] == s[a + 1] * shape[a + 1] for s in strides):
            shape[a : a + 2] = [shape[a] * shape[a + 1]]
            for s in strides:
                del s[a]
    return shape, [View(tuple(shape), tuple(s), v.offset) for s, v in zip(strides, views)]


# ---- what loops mean ------------------------------------------------------------------------------------------------
def interpret(kernel, *arrays):
    """Run a kernel on dense arrays, statement by statement: slow, and the measure of every printer."""
    flat = [array.reshape(-1) for array in arrays]
    run(kernel.body, dict(zip([*kernel.inputs, *kernel.outputs], flat)), {}, kernel.outputs[0].dtype.type)


def run(body, buffers, names, kind):
    """Run statements; `names` holds what has a name now."""

    def place(at):
        return sum(step * names.get(index, 1) for index, step in at.items())

    for one in body:
        match one:
            case Loop(index, extent, inner):
                for names[index] in range(extent):
                    run(inner, buffers, names, kind)
            case Load(name, buffer, at):
                names[name] = buffers[buffer][place(at)]
            case Let(name, op, args, params):
                names[name] = kind(op.impl(*(names.get(a, a) for a in args), **params))
            case Start(name, op):
                names[name] = np.float64(0 if op is ops.reduce_sum else -np.inf)
            case Reduce(name, op, value):
                names[name] = (np.add if op is ops.reduce_sum else np.maximum)(names[name], names.get(value, value))
            case Store(buffer, at, value):
                buffers[buffer][place(at)] = names[value]
