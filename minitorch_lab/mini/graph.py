"""A program as data.

A graph is a list of nodes in an order in which they can run. A node is an input, a number, or an op applied to earlier
nodes; its shape and dtype are known without computing anything. To run a graph is to hand its ops to whatever
interpreter is in charge, so a graph can be differentiated, batched or traced again like the function it came from.
"""

from itertools import count

import numpy as np

from .interpret import bind, explain

fresh = count()  # numbers for the names of constants, which belong to no graph


class Node:
    """One value of the program."""

    __slots__ = ("dtype", "inputs", "name", "op", "params", "shape", "value")

    def __init__(self, op, inputs, params, shape, dtype, name, value=None):
        self.op, self.inputs, self.params, self.shape, self.dtype = op, inputs, params, tuple(shape), np.dtype(dtype)
        self.name, self.value = name, value

    @property
    def is_constant(self):
        """Whether it is a number that is written into the program."""
        return self.value is not None

    @property
    def weak(self):
        """What decides dtypes: a number of Python's takes the dtype of the array that it meets."""
        return self.value if isinstance(self.value, int | float) and not hasattr(self.value, "dtype") else self.dtype

    @property
    def nbytes(self):
        """The bytes of all its entries."""
        return int(np.prod(self.shape)) * self.dtype.itemsize

    def line(self):
        """The node as a line of the program."""
        parts = [show(n) for n in self.inputs] + [f"{key}={value}" for key, value in self.params.items()]
        return f"{self.name}: {typed(self)} = {self.op.name}({', '.join(parts)})"

    def __repr__(self):
        return self.name


def typed(node):
    """f32[3, 4]: the dtype and the shape in short."""
    return f"{node.dtype.kind}{8 * node.dtype.itemsize}[{', '.join(map(str, node.shape))}]"


def show(node):
    """A number for a constant, a name for the rest."""
    return repr(np.asarray(node.value).item()) if node.is_constant else node.name


class Graph:
    """Inputs, nodes in order, outputs."""

    def __init__(self):
        self.inputs, self.nodes, self.outputs = [], [], []

    def add_input(self, shape, dtype):
        """A node for what the caller will give."""
        node = Node(None, (), {}, shape, dtype, f"x{len(self.inputs)}")
        self.inputs.append(node)
        return node

    def add_constant(self, number):
        """A node for a number: Python's, or one of NumPy's with a dtype."""
        return Node(None, (), {}, (), np.result_type(number), f"constant_{next(fresh)}", number)

    def add(self, op, inputs, params):
        """A node for `op`, with the shape and dtype that its row of the table gives."""
        inputs = tuple(inputs)
        try:
            shape = op.shape(*(n.shape for n in inputs), **params)
            dtype = op.dtype(*(n.weak for n in inputs), **params)
        except (ValueError, TypeError, IndexError) as error:
            raise explain(op, inputs, params, error) from error
        node = Node(op, inputs, params, shape, dtype, f"{op.name}_{len(self.nodes)}")
        self.nodes.append(node)
        return node

    def __str__(self):
        head = f"graph({', '.join(f'{n.name}: {typed(n)}' for n in self.inputs)}):"
        lines = [f"    {node.line()}" for node in self.nodes]
        return "\n".join([head, *lines, f"    return {', '.join(show(n) for n in self.outputs)}"])


def evaluate(graph, *args):
    """Run the graph on `args`, by the interpreter in charge. Returns a list."""
    known = dict(zip(graph.inputs, args))

    def value_of(node):
        return node.value if node.is_constant else known[node]

    for node in graph.nodes:
        known[node] = bind(node.op, *map(value_of, node.inputs), **node.params)
    return [value_of(node) for node in graph.outputs]


def copy(graph, replace=lambda new, node, inputs: None, inputs=None, outputs=None):
    """The part of `graph` from `inputs` to `outputs`, as a graph of its own.

    `replace(new, node, inputs)` may return the node that takes the place of `node` in the new graph.
    """
    inputs = graph.inputs if inputs is None else inputs
    outputs = graph.outputs if outputs is None else outputs
    new, needed = Graph(), reachable(outputs, set(inputs))
    moved = {node: new.add_input(node.shape, node.dtype) for node in inputs}
    for node in graph.nodes:
        if node in needed and node not in moved:
            there = tuple(moved.get(n, n) for n in node.inputs)
            moved[node] = replace(new, node, there) or new.add(node.op, there, node.params)
    new.outputs = [moved.get(node, node) for node in outputs]
    return new


def reachable(outputs, stop=frozenset()):
    """All nodes that `outputs` are computed from, back to those in `stop`."""
    seen, todo = set(), list(outputs)
    while todo:
        node = todo.pop()
        if node not in seen:
            seen.add(node)
            todo.extend(() if node in stop else node.inputs)
    return seen
