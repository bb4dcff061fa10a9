"""Ops: calls of the engine run for real and enter the pending graph; what a graph cannot tell becomes a line instead.

The gradient mode is no line of the program: each node of a graph knows its own, and the program is brought to the
machine's mode where somebody else could see it.
"""

from __future__ import annotations

import operator
from dataclasses import replace
from functools import partial
from types import FunctionType
from typing import Any

from ....autograd.scope import Scope
from ....core.array import NUMBERS, float64, is_float
from ....core.interpret import autocast_mode, grad_mode, interpreting
from ....func.trees import flatten
from ....ops.misfit import answer
from ....ops.random import Generator
from ....tensors.factories import full, tensor
from ....tensors.tensor import Tensor
from ...ir.graph import Facts
from ...ir.graph import Node as Value
from ...ir.rewrite import acts
from ...ir.sizes import Size, hinted, mapped_sizes, sizes_in
from . import door
from .engine import MODES, OPERATORS, Writing, hands_on, only_checks, untaught
from .guards import asked
from .names import constant
from .shadow import alike, ghost, handed_on, numbers_of, shadowed, taken_over
from .tree import MODE, Guard, Int, Line, Made, Raised, Segment, leading
from .unread import Account, Unread, carried_out
from .writes import Writes

MODE_LINE = "mode is "
INDEXING = (operator.getitem, operator.setitem)
BLOCKS = {getattr(kind, end) for kind in MODES if isinstance(kind, type) for end in ("__enter__", "__exit__")}


class Ops(Writes):
    """The part of the recorder that knows tensors."""

    repeated = False  # whether the call between graphs that came last has been done by the interrupted call
    found = True  # the gradient mode in which that was interrupted

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.lowered = autocast_mode.get()  # what runs in two bytes outside of the call's own blocks
        self.layer = Writing(self.c.tape, lambda x: self.names.get(id(x)), self.place)
        self.layer.facts, self.layer.caches = self.facts, not self.lowered  # casts made before are none of its own
        self.making: list[Made] = []
        self.mark = 0  # how many nodes there were before the call that runs
        self.named: dict[str, Any] = {}  # the nodes of what the pending graph gives
        self.modes: dict[int, Any] = {}  # the blocks of modes that exist: the program does without them
        self.mode = self.mode_at(self.tip[0])  # the mode of the program where the tip is

    # ---- the pending graph ------------------------------------------------------------------------------------------
    def pending(self) -> Segment | None:
        """The graph as it stands, if a call of the engine has been made; and a new one begins."""
        if not self.making:
            return None
        graph, inputs = self.layer.graph, self.layer.inputs
        if any(n.grad for n in graph.calls) and not self.mode:
            self.set_mode(True)
        for node in graph.nodes:
            self.simplify(node)
        living = {name: self.layer.nodes[k][1] for k, name in self.names.items() if k in self.layer.nodes}
        latest = {name: node for name, node in living.items() if name in self.named}  # a write makes a new node
        segment = Segment(
            graph=graph, made=self.making, inputs=inputs, results=self.named | latest, alive=frozenset(latest),
            trail=self.trail(),
        )  # fmt: skip
        self.making, self.named = [], {}
        self.layer.begin()
        return segment

    def set_mode(self, on: bool) -> None:
        """Bring the program to a gradient mode."""
        self.mode = on
        self.append(Line(name=f"{MODE_LINE}{on}", text=f"grad_mode.set({on})"))

    # ---- calls of the engine ----------------------------------------------------------------------------------------
    def engine_call(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Run a function of the engine, as a part of the graph if it can be one.

        What is read out of containers for it has names of its own, so it is read in a replay too. A tensor that is made
        of Python's numbers is no part of a graph: they need not be asked for.
        """
        if untaught(f) is untaught(tensor) and args and type(args[0]) in (list, tuple) and self.tracked(args[0]):
            return self.opaque_call(f, args, kwargs)
        if untaught(f) is untaught(tensor) and len(args) == 1 and type(args[0]) is float and not kwargs:
            f, args = full, ((), args[0])
        if f in INDEXING and len(args) > 1:
            args = (args[0], self.tabled(args[1]), *args[2:])
        given, numbers = self.operands(f, args, kwargs)
        self.during = name = self.fresh()
        self.recall(name)
        try:
            return self.called(name, f, (args, kwargs), given, numbers)
        finally:
            self.during = ""

    def called(self, name: str, f: Any, original: tuple[Any, Any], given: Any, numbers: Any) -> Any:
        """What the call of this name gives.

        Args:
            name: The name.
            f: What is called.
            original: Its arguments.
            given: Those with what their containers hold.
            numbers: What it does with numbers that nobody has asked for.
        """
        if name in self.made:
            return self.replayed(name, original[0])
        self.text(f, *original, set())  # gives up now, if it has to
        args, kwargs = hinted(given[0]), hinted(given[1])
        if name in self.done or not self.graphable((*args, *kwargs.values())):
            self.count -= 1
            return self.opaque_call(f, *original)
        given_names = {self.names.get(id(x)) for x in flatten([list(args), kwargs])[0]}
        if any(n in self.late and n not in self.named for n in given_names):
            self.flush()
        self.room()
        self.know_numbers(f, flatten([list(args), kwargs])[0], numbers)
        out, self.mark = None, len(self.layer.graph.nodes)
        shadow, arguments = None, len(self.layer.inputs)
        try:
            with self.layer.attempt(), interpreting(self.layer):
                shadow = self.shadow(f, given)
                out = f(*args, **kwargs)
                self.layer.faithful = self.layer.faithful and self.given(out, args)
        except Exception as error:
            out = Raised(answer(f, args, kwargs, error) if isinstance(f, FunctionType) else error)
        if self.layer.faithful:
            new = self.layer.written_since(arguments, self.mark)
            if numbers is not None and numbers != numbers_of(self.layer, new):
                self.exactly(original)
            if self.layer.by_default:
                self.relies_on_default_dtype()
            self.follow(f, given, shadow and shadow[0], new)
            self.notes.effects += filter(acts, new)
            return self.entered(name, out, args)
        if only_checks(f) and not self.layer.asked and self.follows(out, args, kwargs):
            if shadow is None or not alike(shadow[1], out):  # else it has asked of sizes what it had to know
                self.rely(given)
            elif sizes_in(shadow[1]):
                out = shadow[1]
            self.making.append(Made(name, fact=(out,)))
            return self.listed(out)
        self.count -= 1
        return self.opaque_call(f, *original, out)

    def know_numbers(self, f: Any, leaves: list[Any], numbers: Any) -> None:
        """Tell the layer which numbers among the arguments of a call are asked for."""
        floats = {id(x) for x in leaves if type(x) is float and id(x) in self.names}
        self.layer.loose = frozenset() if numbers is None else frozenset(floats)
        whole = not any(type(x) is float64.type for x in leaves)
        self.layer.fixed = numbers is None and not hands_on(f) and whole

    # ---- sizes ------------------------------------------------------------------------------------------------------
    def varies(self, given: Any) -> bool:
        """Whether there are sizes among arguments, or in the shapes of tensors."""
        leaves = flatten(list(given))[0]
        return bool(sizes_in(*leaves)) or any(isinstance(x, Tensor) and self.lengths(x) for x in leaves)

    def lengths(self, x: Tensor) -> list[Any]:
        """The sizes in the shape of a tensor."""
        facts = self.facts_here(x)
        return [] if facts is None else sizes_in(facts.shape)

    def facts_here(self, x: Tensor) -> Facts | None:
        """What is known of a tensor, if there are sizes in it: from the pending graph, or from before it."""
        node = self.layer.node_of(x)
        return self.facts(x) if node is None else node.facts if sizes_in(node.facts.shape) else None

    def shadow(self, f: Any, given: Any) -> tuple[list[Value], Any] | None:
        """The nodes that a call would write, by the facts of its arguments, and what it gives; None if not known."""
        return shadowed(self.layer, f, *given) if self.varies(given) else ([], None)

    def follow(self, f: Any, given: Any, shadows: list[Value] | None, nodes: list[Value]) -> None:
        """Let new nodes have sizes where they follow from sizes; else rely on the sizes that they can depend on."""
        new = [n for n in nodes if n.kind != "placeholder"]
        if not taken_over(shadows, new):
            self.rely(given, *(feed.shape for n in new for feed in n.feeds))

    def rely(self, given: Any, *shapes: Any) -> None:
        """Rely on all sizes of the arguments of a call, and on some others."""
        tensors = [x for x in flatten(list(given))[0] if isinstance(x, Tensor)]
        self.fix(*given, *shapes, *map(self.lengths, tensors))

    def simplify(self, node: Value) -> None:
        """Write the sizes of a node by what is known: the guards that say so stand before the graph."""

        def simpler(size: Any) -> Any:
            return self.sizes.size(size.expression) if type(size) is Size else size

        node.facts = replace(
            node.facts, shape=mapped_sizes(simpler, node.shape), strides=mapped_sizes(simpler, node.strides)
        )
        node.inputs, node.params = mapped_sizes(simpler, node.inputs), mapped_sizes(simpler, node.params)

    def operands(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The arguments of an op: containers read through the mirror, numbers asked for unless they are operands."""
        if hands_on(f):
            index = f in OPERATORS and f.__name__ in ("getitem", "setitem")
            kept = tuple(self.index_of(a) if index and i == 1 else self.unfolded(a) for i, a in enumerate(args))
            if not any(is_float(a.dtype) for a in kept if isinstance(a, Tensor)):
                kept = tuple(self.concrete(a) if type(a) is Int else a for a in kept)  # they wrap by their value
        else:
            kept, named = tuple(map(self.differing, args)), {k: self.differing(v) for k, v in kwargs.items()}
            floats = {id(x) for x in flatten([list(kept), named])[0] if type(x) is float and id(x) in self.names}
            if floats and (found := self.handed_on(f, kept, named, floats)) is not None:
                return found
            kept = tuple(self.asked(a) for a in args)
        return (kept, {k: self.asked(v) for k, v in kwargs.items()}), None

    def handed_on(self, f: Any, args: Any, kwargs: Any, floats: set[int]) -> Any:
        """The arguments of a call and what it does with floats, if it hands them on or computes with them.

        What it computes is computed by the program; a replay knows what that was.
        """
        leaves = flatten([list(args), kwargs])[0]
        new = f"{self.c.prefix}{self.count + 1}" not in self.made and self.graphable(tuple(leaves))
        found = handed_on(self.layer, f, args, kwargs, floats) if new else None
        steps = self.fact(None if found is None else found[2].steps(leaves))
        if steps is None:
            return None
        if found is None:
            carried_out(steps, leaves, self.do, lambda made: None)
            return (args, kwargs), []
        numbers, (hidden, named), account = found
        carried_out(steps, leaves, self.do, partial(self.compare, account))
        taken = [(op, [(i, self.called_in_program(x)) for i, x in given]) for op, given in numbers]
        return ((hidden, named) if steps else (args, kwargs)), taken

    def compare(self, account: Account, made: list[Any]) -> None:
        """Guard what was compared before more numbers than these were computed."""
        for x, number in zip(account.made.values(), made, strict=False):
            x.number = number
        while account.asked and account.asked[0][0] <= len(made):
            _, x, sign, other, holds = account.asked.pop(0)
            name, against = map(self.called_in_program, (x, other))
            uses = {part for part in (name, against) if part}
            self.guard(f"{name} {sign} {against or repr(other)}", holds, uses, key=asked("holds", holds))

    def called_in_program(self, x: Any) -> str | None:
        """What the program calls a number that a function could not read, or that is told by name; None for others."""
        return self.names[id(x.number)] if type(x) is Unread else x if type(x) is str else None

    def differing(self, x: Any) -> Any:
        """An argument in which every number is a constant, but for floats that have differed between calls."""
        if type(x) in (list, tuple):
            return type(x)([self.differing(part) for part in self.inside(x)])
        if type(x) is float and id(x) in self.names:
            return x * 1.0 if self.steady(x) else x
        return self.asked(x)

    def exactly(self, given: Any) -> None:
        """Ask for every number in some arguments after all."""
        for x in flatten(list(given))[0]:
            self.exact(x)

    def asked(self, x: Any) -> Any:
        """An argument in which every number is a constant."""
        if type(x) in (list, tuple):
            return type(x)([self.asked(part) for part in self.inside(x)])
        if type(x) is Generator and id(x) in self.names:  # a graph draws from this one and no other
            self.guard(f"{self.names[id(x)]} is {self.c.entry(x)}", True, {self.names[id(x)]})
        return self.sized(x) if type(x) is Int else self.exact(x) if type(x) is float else x

    def index_of(self, x: Any) -> Any:
        """An index: the numbers in it decide the shape, so they are sizes or constants."""
        return tuple(map(self.index_of, self.inside(x))) if type(x) is tuple else self.asked(x)

    def tabled(self, x: Any) -> Any:
        """An index in which lists of ints that differ from call to call are tensors: nobody asks for their values."""
        if type(x) is tuple:
            held = self.inside(x)
            parts = tuple(map(self.tabled, held))
            return x if all(map(operator.is_, parts, held)) else self.build(door.make_tuple, parts, {})
        if type(x) is not list or not self.tracked(x):
            return x
        kinds = set(map(type, self.inside(x)))
        return self.opaque_call(tensor, (x,), {}) if Int in kinds and kinds <= {int, Int} else x

    def graphable(self, args: tuple[Any, ...]) -> bool:
        """Whether arguments are tensors, numbers, generators and constants; a number of a class of its own is none."""
        return all(
            isinstance(x, (Tensor, Generator)) or type(x) in (*NUMBERS, Int, float64.type) or not self.tracked(x)
            for x in flatten(list(args))[0]
        )

    def given(self, out: Any, args: tuple[Any, ...]) -> bool:
        """Whether a graph can tell what a call gave: tensors that it made, or one of the arguments."""
        if isinstance(out, (list, tuple)):
            return bool(out) and all(isinstance(x, Tensor) and self.layer.node_of(x) is not None for x in out)
        if out is None:
            return len(self.layer.graph.nodes) > self.mark
        return isinstance(out, Tensor) and (self.layer.node_of(out) is not None or any(out is a for a in args))

    def follows(self, out: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
        """Whether what a check gave follows from what is guarded: nothing, or a constant made from constants."""
        if len(self.layer.graph.nodes) > self.mark or type(out) is Raised:
            return False
        return out is None or (constant(out) and not any(isinstance(x, Tensor) for x in (*args, *kwargs.values())))

    def entered(self, name: str, out: Any, args: tuple[Any, ...]) -> Any:
        """Name what a call gave, and note how a replay finds it."""
        if isinstance(out, (list, tuple)):
            self.making.append(Made(name, fact=(type(out), len(out))))
            return self.together(type(out), [self.entered(f"{name}_{i}", part, args) for i, part in enumerate(out)])
        at = next((i for i, a in enumerate(args) if a is out), None)
        if out is None or at is not None:
            self.making.append(Made(name, argument=-1 if at is None else at))
            return out
        facts = self.facts_here(out)
        shape, strides = (tuple(out.shape), None) if facts is None else (facts.shape, facts.strides)
        self.making.append(Made(name, (shape, out.dtype, out.requires_grad), strides))
        if facts is not None:
            self.shapes[name] = shape, strides
        if id(out) in self.names:
            return out
        self.named[name] = self.layer.node_of(out)
        self.late.add(name)
        return self.track(out, name)

    def replayed(self, name: str, args: tuple[Any, ...]) -> Any:
        """What the interrupted call was given; in place of a tensor that it let go, one of the same facts."""
        made = self.made[name]
        self.ahead.discard(name)
        if made.fact is not None and len(made.fact) == 1:
            return self.listed(self.here(made.fact[0]))
        if made.argument is not None:
            return None if made.argument < 0 else args[made.argument]
        if made.fact is not None:
            kind, count = made.fact
            return self.together(kind, [self.replayed(f"{name}_{i}", args) for i in range(count)])
        assert made.like is not None
        shape, dtype, grad = made.like
        if sizes_in(shape):
            self.shapes[name] = self.here(shape), self.here(made.strides)
        found = self.log.get(name)
        return self.track(ghost(hinted(self.here(shape)), dtype, grad) if found is None else found, name)

    def together(self, kind: type, parts: list[Any]) -> Any:
        """A list or tuple of what a call gave, perhaps a named one."""
        if kind in (list, tuple):
            return self.build(door.make_list if kind is list else door.make_tuple, tuple(parts), {})
        return self.build(door.make_as, (kind, *parts), {})

    def fact(self, value: Any) -> Any:
        """The answer to a question about a tensor: in a replay the tensor may have other answers by now."""
        name = self.fresh()
        if name in self.made:
            self.ahead.discard(name)
            value = self.here(self.made[name].fact[0])
        else:
            self.making.append(Made(name, fact=(value,)))
        return self.listed(value)

    def listed(self, value: Any) -> Any:
        """A value that follows from facts: a tuple of sizes is made by the program."""
        return self.build(door.make_tuple, value, {}) if type(value) is tuple and sizes_in(value) else value

    def opaque_call(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *ran: Any) -> Any:
        """A call between graphs: see `recorder.py`."""
        raise NotImplementedError

    # ---- modes ------------------------------------------------------------------------------------------------------
    def mode_call(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Make, open or close a block of a mode: for real, and unwritten. Casts of autocast are nodes of the graph."""
        out = f(*args, **kwargs)
        if isinstance(out, Scope):
            self.modes[id(out)] = self.unwritten[id(out)] = out
        return out

    def changes_mode(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether a call has to do with a mode, and nothing else."""
        new = f in MODES and not any(callable(a) or self.tracked(a) for a in args)
        return new or (bool(args) and id(args[0]) in self.modes and f in BLOCKS)

    def mode_at(self, node: Any) -> bool:
        """The mode that the program has brought itself to at a node."""
        for step, _ in leading(node):
            if isinstance(step, Line) and step.name.startswith(MODE_LINE):
                return step.name == f"{MODE_LINE}True"
            if isinstance(step, Guard) and step.subject == MODE:
                return self.answers[MODE, step.epoch][1]
        return grad_mode.get()

    def look_at_mode(self) -> None:
        """Ask again whether gradients are on; in a replay bring the machine to the mode that the program found.

        A replay that comes to a call which nothing was asked after was interrupted just there, in the mode it left.
        """
        fresh = (MODE, self.epoch) not in self.answers
        here = self.found if fresh and self.repeated else grad_mode.get()
        grad_mode.set(self.guard(MODE, here, ())[1])
        if fresh:  # in a replay the program has gone on since, and may have changed it
            self.mode = grad_mode.get()

    def show_mode(self) -> None:
        """Bring the program to the machine's mode: somebody else may look."""
        if autocast_mode.get() != self.lowered:
            self.stop("a call inside a block of autocast, of which only graphs know")
        if self.mode != grad_mode.get():
            self.set_mode(grad_mode.get())
