"""Write down what runs, then walk it backwards.

The tape computes each op through the interpreter below it, and leaves a node behind: the op, the nodes of its inputs
and what the op's rule will need. A walk visits the nodes in reverse order, so that all parts of a cotangent have
arrived before it is passed on. The rules are written with ops: run them on the tape itself (`create_graph`) and the
gradient can be differentiated again.
"""

import numpy as np

from . import ops
from .errors import teach
from .interpret import Interpreter, below, bind, stack
from .tensor import Tensor, Value


class TapeNode:
    """One op that ran, or a leaf, which has no op and collects a gradient."""

    __slots__ = ("__weakref__", "edges", "grad", "hooks", "op", "params", "saved", "shape")

    def __init__(self, shape, op=None, params=None, edges=(), saved=()):
        self.op, self.params, self.edges, self.saved, self.shape = op, params, edges, saved, shape
        self.grad, self.hooks = None, []

    def pull_back(self, g, tape, again):
        """The rule: from the cotangent of the output to those of the inputs. On the tape if it is to run `again`."""
        if self.saved is None:
            raise teach("freed", op=self.op.name)
        out, *inputs = self.saved
        if again:
            out = None if out is None else Tensor(out, self, tape)
        else:
            inputs = map(tape.strip, inputs)
        return self.op.vjp(g, out, *inputs, **self.params)


class Walk:
    """One way back over the tape. Its methods are what a recording overrides."""

    def __init__(self, tape, root, seed, again=False):
        self.tape, self.root, self.again = tape, root, again
        self.arrived = {root: seed}

    def reach(self, node):
        """All parts have arrived at `node`: let its hooks see their sum."""
        g = self.arrived[node]
        for hook in node.hooks:
            replaced = hook(g)
            g = g if replaced is None else replaced
        self.arrived[node] = g
        return g

    def send(self, node, edge, part):
        """Pass a part of a cotangent along edge number `edge`; parts that meet are added."""
        to = node.edges[edge]
        part = ops.unbroadcast(part, to.shape)
        self.arrived[to] = self.arrived[to] + part if to in self.arrived else part

    def run(self, keep=()):
        """Visit every node behind the root; return what arrived at the leaves and at those in `keep`."""
        for node in sort_nodes(self.root):
            if node not in self.arrived:  # rules send nothing to an index
                continue
            g = self.reach(node)
            if node.op is None:
                continue
            for edge, part in enumerate(node.pull_back(g, self.tape, self.again)):
                if part is not None and node.edges[edge] is not None:
                    self.send(node, edge, part)
            if node not in keep:
                del self.arrived[node]
        return self.arrived


def sort_nodes(root):
    """The nodes behind `root`, each before those it sends to. No recursion: a tape is deeper than Python's stack."""
    seen, order, todo = set(), [], [(root, False)]
    while todo:
        node, finished = todo.pop()
        if finished:
            order.append(node)
        elif node not in seen:
            seen.add(node)
            todo.append((node, True))
            todo.extend((edge, False) for edge in node.edges if edge is not None)
    return reversed(order)


class Tape(Interpreter):
    """Records the ops whose inputs want a gradient."""

    Walk = Walk

    def leaf(self, value):
        """A value that a walk of this tape may arrive at."""
        return Tensor(value, TapeNode(ops.shape_of(value)), self)

    def owns(self, x):
        """Whether `x` is a tensor of this tape."""
        return isinstance(x, Tensor) and x.tape is self

    def strip(self, x):
        """The value below this tape."""
        return x.value if self.owns(x) else x

    def run(self, op, args, params):
        """Compute below, and record."""
        out = bind(op, *map(self.strip, args), **params)
        return self.record(op, args, params, out)

    def run_region(self, region, tensors):
        """Let a compiled region run. To the tape it is one op."""
        return region.run(tensors)

    def record(self, op, args, params, out):
        """Wrap `out`, with a node if a gradient can flow through it."""
        edges = tuple(x.node if self.owns(x) else None for x in args)
        if not self.recording or op.vjp is None or not any(edges):
            return Tensor(out, None, self)
        node = TapeNode(ops.shape_of(out), op, params, edges)
        node.saved = op.kept(out, args)  # `out` without its node, which would hold itself alive
        return Tensor(out, node, self)

    def gradients(self, root, seed, targets):
        """Cotangents of `targets`, as values below this tape. None where `root` does not depend on one."""
        if root.node is None:
            return [None for _ in targets]
        nodes = [x.node for x in targets]
        arrived = self.Walk(self, root.node, seed).run(keep=nodes)
        return [arrived.get(node) for node in nodes]

    def backward(self, root, seed, retain_graph, create_graph):
        """Walk from `root`, and add what arrives at the leaves to their `grad`."""
        if root.node is None:
            raise teach("not_recorded")
        seed = self.make_seed(root, seed)
        if create_graph:
            arrived = self.Walk(self, root.node, Tensor(seed, None, self), again=True).run()
        else:
            with below(self):
                arrived = self.Walk(self, root.node, seed).run()
        for node, g in arrived.items():
            if node.op is None:
                g = g if create_graph else Tensor(g, None, self)
                node.grad = g if node.grad is None else node.grad + g
        if not (retain_graph or create_graph):
            for node in sort_nodes(root.node):
                node.saved = None

    def make_seed(self, root, seed):
        """The cotangent that a walk begins with: 1 for one number, else what the caller gives."""
        shape = root.shape if seed is None else ops.shape_of(seed)
        if shape != root.shape or (seed is None and shape != ()):
            raise teach("seed", shape=root.shape, seed="missing" if seed is None else f"of shape {shape}")
        return np.ones(shape, root.dtype) if seed is None else np.asarray(self.strip(seed), root.dtype)


tape = Tape()  # the one that is always there
stack.append(tape)


def require_floats(x, key):
    """Only floats have derivatives."""
    dtype = np.dtype(getattr(x, "dtype", None) or np.result_type(x))
    if dtype.kind != "f":
        raise teach(key, dtype=dtype)


def tensor(data, requires_grad=False, dtype=None):
    """A tensor of a number, nested lists or an array, which is copied. Python's floats become float32.

    >>> tensor([1.0, 2.0]) * 3.0
    tensor([3., 6.])
    """
    try:
        if isinstance(data, Value):
            raise teach("data", thing=data)
        value = np.array(data, dtype)
    except (ValueError, TypeError) as error:
        raise teach("data", thing=data) from error
    if value.dtype.kind not in "biuf":
        raise teach("data", thing=data)
    if dtype is None and not hasattr(data, "dtype") and value.dtype == np.float64:
        value = value.astype(np.float32)
    if requires_grad:
        require_floats(value, "whole_leaf")
    return tape.leaf(value) if requires_grad else Tensor(value, None, tape)
