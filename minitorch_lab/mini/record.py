"""What the engine does, told as events that the views of the laboratory draw.

Nothing in the engine knows of this. For the length of a block the tape, and every walk over it, is of a class that also
takes notes: each overrides what the notes speak of, calls the original, and says what it did. The events are those of
the big package, which has the dictionary (`recording/mini_words.py`); this is the only file that needs it.

    >>> from minitorch_lab import mini
    >>> x = mini.tensor([1.0, 2.0], requires_grad=True)
    >>> with mini.record() as rec:
    ...     (x * x).sum().backward()
    >>> rec
    <Recording of 3 ops and 1 backward walk, 49 events>
"""

import inspect
import linecache
from contextlib import contextmanager
from time import perf_counter_ns
from weakref import finalize

import numpy as np

from .codegen import print_kernel
from .errors import teach
from .interpret import bind
from .ops import shape_of, unbroadcast
from .tape import Tape, Walk, sort_nodes, tape
from .tensor import Tensor, Value

CATEGORIES = {"leaf": "parameter", "op": "activation"}  # what memory serves as; all other tensors are inputs


class Notes:
    """The stream of events, and the ids of what they speak of."""

    def __init__(self):
        from minitorch_lab.recording import events, mini_words
        from minitorch_lab.recording.recording import Recording
        from minitorch_lab.recording.values import summarise

        self.kinds, self.words, self.summarise, self.recording = events, mini_words, summarise, Recording()
        self.ids, self.alive, self.counts, self.owned, self.born = {}, {}, {}, {}, []
        self.lines, self.frame, self.phase, self.quiet = {}, None, "forward", False

    def emit(self, kind, *fields):
        """Add an event."""
        self.recording.emit(getattr(self.kinds, kind), *fields)

    def new_id(self, letter):
        """t1, t2, ..."""
        self.counts[letter] = self.counts.get(letter, 0) + 1
        return f"{letter}{self.counts[letter]}"

    def name(self, letter, thing):
        """An id for a thing, which is kept: Python uses the identity of what has died again."""
        self.alive[id(thing)] = thing
        return self.ids.setdefault(id(thing), self.new_id(letter))

    def value(self, x):
        """What a reader sees of the numbers in `x`."""
        while isinstance(x, Tensor):
            x = x.value
        return self.summarise(x)

    def line(self):
        """The line of the reader's code that runs now."""
        frame = inspect.currentframe()
        while frame.f_globals.get("__package__") == __package__:
            frame = frame.f_back
        self.frame = frame
        self.lines[frame.f_lineno] = frame.f_code.co_filename
        return f"l{frame.f_lineno}"

    # ---- what there is ----
    def node(self, node):
        """The id of a node of the tape, which is told when it is new."""
        if node is None or id(node) in self.ids:
            return self.ids.get(id(node))
        op, _, numbers = self.words.translate(node.op.name, node.params) if node.op else (None, {}, ())
        edges = (*map(self.node, node.edges), *(None for _ in numbers))
        name = self.name("n", node)
        self.emit("Node", name, op, f"{op.capitalize()}Backward" if op else "AccumulateGrad", edges, tuple(node.shape))
        return name

    def tensor(self, x, how=None):
        """The id of what an op takes or gives, which is told when it is new."""
        if id(x) in self.ids and isinstance(x, Value):
            return self.ids[id(x)]
        mine = isinstance(x, Tensor)
        how = how or ("leaf" if mine and x.node else "input" if hasattr(x, "shape") else "constant")
        node, line = self.node(x.node) if mine else None, self.line()
        memory = self.memory(x.value if mine else x, CATEGORIES.get(how, "input"), line)
        name = self.name("t", x) if isinstance(x, Value) else self.new_id("t")
        self.emit("Tensor", name, how, memory, 0, self.value(x), node, None, line if how == "op" else None)
        return name

    def memory(self, array, category, line, op=None):
        """The id of the memory in which an array lies. Its birth is told now, its death when Python lets it go."""
        while isinstance(getattr(array, "base", None), np.ndarray):
            array = array.base
        if not isinstance(array, np.ndarray):
            return self.new_id("m")
        if id(array) not in self.owned:
            block, self.owned[id(array)] = self.new_id("a"), self.new_id("m")
            phase = "before" if category in ("parameter", "input") else self.phase
            facts = (block, array.nbytes, category, op, tuple(array.shape), line, phase)
            self.born.append((*facts, self.owned[id(array)]))
            finalize(array, self.release, id(array), block).atexit = False
        return self.owned[id(array)]

    def tell_births(self):
        """What was born since; of what an op has made that is told after the op."""
        for block in self.born:
            self.emit("Birth", *block)
        self.born.clear()

    def release(self, key, block):
        """Memory is let go."""
        self.owned.pop(key, None)
        self.tell_births()
        if not self.recording.complete:
            self.emit("Death", block, self.phase)

    # ---- what happens ----
    def ran(self, op, args, params, made, times):
        """An op has run: what went in, what came out, what its node keeps, and how long it took."""
        name, params, numbers = self.words.translate(op.name, params)
        inputs = tuple(map(self.tensor, (*args, *numbers)))
        self.tell_births()
        output, node, line = self.tensor(made, "op"), self.node(made.node), self.line()
        this = self.new_id("o")
        self.emit("Op", this, name, inputs, output, params, node, tape.recording, line, None)
        if node:
            for save in self.words.read_saved(name, made.node, (*args, *numbers), inputs, output):
                self.emit("Save", node, *save)
        self.emit("Ran", this, *times)
        self.tell_births()
        return this

    def launched(self, program, by, region=None, stage="backward"):
        """A program has run, as the op or in the rule of the node `by`. What it is made of is told once."""
        from minitorch_lab.recording.mini_programs import Launch, tell_program

        if id(program) not in self.ids:
            tell_program(self.recording, self.name("e", program), region.trace.name, stage, program, print_kernel)
        self.recording.emit(Launch, self.ids[id(program)], by)

    def close(self):
        """The names of the reader's variables, and the lines that ran."""
        if self.frame is not None:
            for name, x in {**self.frame.f_globals, **self.frame.f_locals}.items():
                if isinstance(x, Tensor) and id(x) in self.ids and not name.startswith("_"):
                    self.emit("Name", self.ids[id(x)], name, "")
            file = self.frame.f_code.co_filename
            rows = tuple((f"l{k}", k, linecache.getline(file, k).rstrip("\n")) for k in sorted(self.lines))
            self.emit("Source", "s1", file.replace("\\", "/").rpartition("/")[2], rows)
        self.recording.complete = True
        self.frame = None
        self.alive.clear()


class RecordingTape(Tape):
    """The tape, which also says what it does."""

    def run(self, op, args, params):
        """Compute and record; the two are timed apart. What a walk adds to the `grad` of leaves it tells itself."""
        if self.notes.quiet:
            return super().run(op, args, params)
        start = perf_counter_ns()
        out = bind(op, *map(self.strip, args), **params)
        computed = perf_counter_ns()
        made = self.record(op, args, params, np.asarray(out) if isinstance(out, np.generic) else out)
        self.notes.ran(op, args, params, made, (perf_counter_ns() - computed, computed - start, 0))
        return made

    def run_region(self, region, tensors):
        """Run it, and tell the op that it is for the tape, and the program that ran."""
        start = perf_counter_ns()
        results = super().run_region(region, tensors)
        times, node = (0, 0, perf_counter_ns() - start), results[0].node
        params = node.params if node else {}
        (by, *_) = [self.notes.ran(region, tensors, params, made, times) for made in results]
        program = region.pairs[params["wanted"]][0] if node else region.plain
        self.notes.launched(program, by, region, "forward" if node else "values")
        return results

    def backward(self, root, seed, retain_graph, create_graph):
        """Walk, and tell when it begins and ends, and what it let go."""
        notes, walk = self.notes, self.notes.new_id("w")
        if root.node is not None:
            one = notes.value(np.ones((), root.dtype) if seed is None else seed)
            at = notes.tensor(root), notes.node(root.node), one, seed is not None, retain_graph, create_graph
            notes.emit("Begin", walk, *at, notes.line())
        notes.walk, notes.phase, notes.quiet, error = walk, "backward", not create_graph, None
        try:
            super().backward(root, seed, retain_graph, create_graph)
        except Exception as raised:
            error = str(raised).partition("\n")[0]
            raise
        finally:
            notes.phase, notes.quiet = "forward", False
            for node in sort_nodes(root.node) if root.node is not None and not error else ():
                if node.op and node.saved is None:
                    notes.emit("Free", notes.node(node))
            if root.node is not None:
                notes.emit("End", walk, error)


class RecordingWalk(Walk):
    """A walk that says what it passes on."""

    def __init__(self, *args, **options):
        super().__init__(*args, **options)
        self.notes, self.parts, self.reached = tape.notes, {}, None

    def reach(self, node):
        """A node is complete; a leaf adds what arrived to its `grad`."""
        notes, g = self.notes, super().reach(node)
        notes.emit("Step", notes.walk, notes.node(node), notes.value(g))
        if node.op is None:
            old = None if node.grad is None else notes.value(node.grad)
            new = notes.value(g if node.grad is None else np.add(np.asarray(node.grad), np.asarray(g)))
            owner = next((notes.ids[k] for k, x in notes.alive.items() if getattr(x, "node", None) is node), None)
            notes.emit("Accumulate", notes.walk, notes.node(node), owner, old, new)
        self.reached = perf_counter_ns()
        return g

    def send(self, node, edge, part):
        """A part goes along an edge, and is added to what has come there before."""
        to, notes, now = node.edges[edge], self.notes, perf_counter_ns()
        if self.reached is not None:
            notes.emit("Ran", notes.node(node), 0, 0, now - self.reached)
            self.reached = None
            if "backward" in node.params:
                notes.launched(node.params["backward"], notes.node(node), node.op)
        super().send(node, edge, part)
        self.parts[to] = self.parts.get(to, 0) + 1
        plain = tape.strip(part)
        notes.memory(plain, "gradient" if to.op is None else "temporary", None, node.op.name)
        part = part if shape_of(part) == to.shape else unbroadcast(plain, to.shape)
        notes.tell_births()
        notes.emit("Send", notes.walk, notes.node(node), edge, notes.node(to), notes.value(part))
        notes.emit("Sum", notes.walk, notes.node(to), self.parts[to], notes.value(self.arrived[to]))


@contextmanager
def record():
    """Take notes of what runs in the block, for `minitorch_lab.widgets`. Yields a recording of the big package."""
    if isinstance(tape, RecordingTape):
        raise teach("recording")
    tape.__class__, tape.notes, tape.Walk = RecordingTape, Notes(), RecordingWalk
    try:
        yield tape.notes.recording
    finally:
        tape.notes.close()
        tape.__class__ = Tape
        del tape.notes, tape.Walk
