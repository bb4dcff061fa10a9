"""A graph that has become a function.

Everything behind the graph meets here: groups are fused, buffers get a place in one arena, kernels are printed and
compiled, and a short Python function calls one after the other. What the caller receives is allocated anew in each
call; all else lies in the arena, which the program keeps.
"""

import numpy as np

from .codegen import COMPILER, HEAD, compile_c, load_kernel, load_python, print_call, print_kernel
from .errors import teach
from .fuse import VIEWS, Fuser
from .graph import typed
from .loops import Lowering, interpret
from .plan import ALIGNMENT, find_lives, lower_bound, place
from .views import View

TARGETS = ("c", "loops", "numpy")  # compiled kernels; kernels run statement by statement; one NumPy call an op


class Program:
    """Call it with arrays, one for each input of the graph; it returns a tuple of arrays."""

    def __init__(self, graph, target="c"):
        if target not in TARGETS:
            raise teach("target", target=target, targets=", ".join(TARGETS))
        self.graph, self.fuser = graph, Fuser(graph)
        self.target = "numpy" if target == "c" and COMPILER is None else target
        self.layout = {n: (n, View.contiguous(n.shape)) for n in graph.inputs}
        self.groups = self.fuser.groups()
        self.last_reader = {n: node for group in self.groups for node in group.nodes for n in node.inputs}
        self.steps, self.lines, self.kernels, self.names = [], [], [], {}
        self.add_constants()
        for group in self.groups:
            self.add(group)
        returned = {self.layout[n][0] for n in graph.outputs}
        self.lives = [one for one in find_lives([step[:2] for step in self.steps]) if one.node not in returned]
        self.arena_bytes, self.bound = place(self.lives), lower_bound(self.lives)
        self.text = self.print_function(returned)
        self.c_text = HEAD + "\n".join(map(print_kernel, self.kernels))
        self.function = self.load()

    def __call__(self, *arrays):
        arrays = [np.asarray(array, order="C") for array in arrays]
        given = [(array.shape, array.dtype) for array in arrays]
        if given != [(n.shape, n.dtype) for n in self.graph.inputs]:
            wanted = ", ".join(map(typed, self.graph.inputs))
            shapes = ", ".join(f"{dtype}{list(shape)}" for shape, dtype in given)
            raise teach("shapes", op="A program", shapes=shapes, params="", rule=f"It was compiled for {wanted}.")
        return self.function(*arrays)

    # ---- from groups to lines ----
    def add_constants(self):
        """Every number of the graph is a name in the text, and a buffer of one entry for the kernels."""
        for n in [n for node in self.graph.nodes for n in node.inputs] + self.graph.outputs:
            if n.is_constant:
                self.names[n.name] = n.value
                self.layout[n] = (n, View.contiguous(()))

    def add(self, group):
        """Lines for one group, and where its results lie."""
        (node, *_) = group.nodes
        view = self.view_of(node) if node.op in VIEWS else None
        if view is not None:
            self.layout[node] = (self.layout[node.inputs[0]][0], view)
            self.lines.append(print_call(node, into_buffer=False))
            return
        self.layout |= {n: (n, View.contiguous(n.shape)) for n in group.outputs}
        self.steps.append((group.outputs, [self.layout[n][0] for n in group.inputs], group))
        if group.is_loop and self.target != "numpy":
            self.add_kernel(group)
        elif self.target == "numpy":
            for n in group.nodes:
                self.lines += [print_call(n, into_buffer=False), *self.forget_after(n)]
        else:
            self.lines += [print_call(n, into_buffer=True) for n in group.nodes]

    def add_kernel(self, group):
        """A kernel for a group that is a loop, and the line that calls it."""
        kernel = Lowering(group, self.layout).kernel(f"kernel_{len(self.kernels)}")
        for n in kernel.inputs:
            if n.is_constant:
                self.names[n.name] = np.asarray(n.value, n.dtype)
        self.kernels.append(kernel)
        self.lines.append(f"{kernel.name}({', '.join(n.name for n in [*kernel.inputs, *kernel.outputs])})")

    def view_of(self, node):
        """The view that a movement op makes; None if the entries have to be copied."""
        (value,) = node.params.values()
        return getattr(self.layout[node.inputs[0]][1], node.op.name)(value)

    def forget_after(self, node):
        """A line that lets go of what is read here for the last time, so that its memory is used again."""
        kept = {*self.graph.inputs, *self.graph.outputs}
        last = [n for n in dict.fromkeys(node.inputs) if not n.is_constant and n not in kept]
        names = [n.name for n in last if self.last_reader[n] is node]
        return [f"del {', '.join(names)}"] if names else []

    # ---- from lines to a function ----
    def print_function(self, returned):
        """The Python text."""
        written = [n for writes, _, _ in self.steps for n in writes if n in returned]
        head = [f"{n} = numpy.empty({n.shape}, {str(n.dtype)!r})" for n in written if self.target != "numpy"]
        result = "".join(f"{n.name}, " for n in self.graph.outputs)
        body = [*head, *self.lines, f"return ({result})"]
        return "\n    ".join([f"def program({', '.join(n.name for n in self.graph.inputs)}):", *body])

    def load(self):
        """Compile the texts; give the arena its bytes and every temporary its place in them."""
        if self.target != "numpy":
            arena = np.empty(self.arena_bytes + ALIGNMENT, np.uint8)
            start = -arena.ctypes.data % ALIGNMENT
            for one in self.lives:
                at = slice(start + one.offset, start + one.offset + one.node.nbytes)
                self.names[one.node.name] = arena[at].view(one.node.dtype).reshape(one.node.shape)
        library = compile_c(self.c_text) if self.target == "c" and self.kernels else None
        for kernel in self.kernels:
            self.names[kernel.name] = load_kernel(kernel, library) if library else bind_kernel(kernel)
        return load_python(self.text, self.names)

    def explain(self):
        """The program in words and text."""
        fused = sum(len(g.nodes) for g in self.groups if g.is_loop)
        launches = f"{len(self.kernels)} kernels for {fused} ops"
        unshared = sum(one.nbytes for one in self.lives)
        memory = f"arena {self.arena_bytes:,} bytes, at least {self.bound:,}, without sharing {unshared:,}"
        return "\n".join([str(self.graph), launches, memory, self.fuser.explain(), self.text, self.c_text])


def bind_kernel(kernel):
    """A kernel as a Python function that runs it statement by statement."""
    return lambda *arrays: interpret(kernel, *arrays)
