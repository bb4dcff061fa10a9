"""What capture must know of the engine: which of its functions are ops, which are questions, and which it never enters.

The code of the engine is not interpreted. It runs for real, under a layer that writes its ops into the graph.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from types import FunctionType
from typing import Any
from weakref import ref

from ....autograd.autocast import autocast
from ....autograd.calls import operands
from ....autograd.custom import Call, Flat
from ....autograd.eager import Eager, elsewhere, fitted, met
from ....autograd.modes import GradMode, enable_grad, no_grad, set_grad_enabled
from ....autograd.walk import Rules
from ....core.array import NUMBERS, DType, is_number, xp
from ....core.interpret import Interpreter, autocast_mode, grad_mode
from ....ops.front import taught
from ....ops.indexing import one_hot
from ....ops.op import INPUTS, Op, as_given
from ....ops.precision import run_in_block
from ....ops.template import concrete
from ....tensors.inplace import RESHAPING
from ....tensors.tensor import Tensor, tracked
from ...ir.fake import facts_of
from ...ir.graph import Graph, Node
from ...runtime.call import RegionCall
from ..walking import Walking
from .outcome import agrees, by_default
from .tree import Int
from .unread import Unread, named

PACKAGE = "minitorch_lab"
ENTERED = {
    "nn",
    "optim",
    "train",
    "data",
    "errors",
}  # rooms above the engine, interpreted like the user's code
PROCESS = {
    "asyncio",
    "concurrent",
    "importlib",
    "inspect",
    "logging",
    "multiprocessing",
    "random",
    "selectors",
    "signal",
    "socket",
    "subprocess",
    "tempfile",
    "threading",
    "traceback",
    "unittest",
}  # modules of Python's about the process, its threads and its random numbers: they are called, and never entered
RECORDED = {
    "ops",
    "tensors.tensor",
    "tensors.factories",
    "tensors.facts",
    "tensors.inplace",
    "tensors.like",
    "tensors.random",
    "tensors.linalg",
    "autograd.short",
    "nn.functional",
}  # rooms whose functions run ops
RUNNING = {f for name, f in vars(operator).items() if name.strip("_") == "call"}  # it runs any code
OPERATORS = {f for f in vars(operator).values() if callable(f) and not isinstance(f, type)} - RUNNING
# Questions of which the answer is the same for all tensors of one shape, dtype, device and requires_grad.
FACTS = {"shape", "dtype", "device", "ndim", "nbytes", "itemsize", "requires_grad"}
ASKED = {"size", "dim", "numel", "stride", "is_contiguous", "__len__"}
READS = {
    "item", "tolist", "numpy", "__array__", "__bool__", "__int__", "__float__", "__index__", "__repr__", "__format__",
}  # fmt: skip
# Changes of a tensor that are no writes of numbers, and walks: they happen between graphs.
CHANGES = {
    "backward", "requires_grad_", "retain_grad", "register_hook", "untyped_storage", "data_ptr", "_version", "detach_",
    *(f"{name}_" for name in RESHAPING),
}  # fmt: skip
MODES = {no_grad, enable_grad, set_grad_enabled, GradMode, autocast}
BEGIN = GradMode(True).begin.__code__
NUMBERS[Int] = NUMBERS[int]  # inside a captured call, an int that has a name is a number as any
HANDING_ON = {Tensor.add_, Tensor.sub_, Tensor.__setitem__}  # they hand a number on, and do nothing else with it
TAUGHT = taught(lambda: None).__code__
MIXED = xp.dtype("object")  # the dtype of a number that meets several


def room(f: Any) -> str | None:
    """The room of the package that a function's code stands in; None for the user's."""
    module: str = f.__globals__.get("__name__", "") if isinstance(f, FunctionType) else ""
    return module.removeprefix(f"{PACKAGE}.") if module.partition(".")[0] == PACKAGE else None


def stands_in(where: str, rooms: set[str]) -> bool:
    """Whether a module is one of these rooms, or in one of them."""
    return where in rooms or (bool(where) and stands_in(where.rpartition(".")[0], rooms))


def mode_begun(f: Any) -> bool | None:
    """The gradient mode of which a function begins a block; None for other functions."""
    return f.__closure__[0].cell_contents if getattr(f, "__code__", None) is BEGIN else None


def decorated(f: Any) -> Any:
    """What begins a block around each call of a function that is decorated by `@no_grad()` or its like, if one is."""
    if room(f) != "autograd.scope" or "begin" not in f.__code__.co_freevars:
        return None
    return f.__closure__[f.__code__.co_freevars.index("begin")].cell_contents


def entered_room(module: str) -> bool:
    """Whether a module is interpreted, and may be changed by its user."""
    where = module.partition(".")
    return where[0] != PACKAGE or where[2].partition(".")[0] in ENTERED


def entered(f: Any) -> bool:
    """Whether a function is interpreted: those of the user's are, and of the package those above the engine."""
    where = room(f)
    if where is None:
        return str(getattr(f, "__module__", "")).partition(".")[0] not in PROCESS
    if stands_in(where, ENTERED) or where.startswith("compiler.capture.bytecode.inp"):
        return not stands_in(where, RECORDED)
    begin = decorated(f)
    return where == "autograd.scope" and bool(f.__closure__) and (begin is None or mode_begun(begin) is not None)


def runs_ops(f: Any) -> bool:
    """Whether a function of the engine runs ops, and returns."""
    if isinstance(f, Op):
        return True
    where = room(f) or ""
    if where == "core.array":
        return True
    return stands_in(where, RECORDED) and f.__name__ not in READS | CHANGES


def only_checks(f: Any) -> bool:
    """Whether a function of the engine that runs no op looks at shapes and dtypes, and nothing else."""
    where = room(f) or ""
    return where == "core.array" or (where.partition(".")[0] == "ops" and where != "ops.random")


def untaught(f: Any) -> Any:
    """The function that answers right calls; the one around it only words the errors of wrong ones."""
    while isinstance(f, FunctionType) and f.__code__ is TAUGHT:
        f = vars(f)["__wrapped__"]
    return f


def hands_on(f: Any) -> bool:
    """Whether a number among the arguments is an operand of an op, and nothing else."""
    written = getattr(f, "__globals__", {}).get("op")  # the call of an op
    return isinstance(f, Op) or f in OPERATORS or f in HANDING_ON or isinstance(written, Op)


ENTRIES = [f for name in READS if isinstance(f := getattr(Tensor, name), FunctionType)]
READING = {f.__code__ for f in (*ENTRIES, concrete, untaught(one_hot))}


class Writing(Walking):
    """A layer on the imperative tape that writes what runs into `graph`.

    `faithful` becomes False when a call did what a graph does not tell: a shape that depends on entries, a tensor
    made from Python's numbers, a question to an entry.
    """

    keeps_checks = True

    def __init__(self, under: Eager, name_of: Callable[[Any], str | None], place: Callable[[], Any]) -> None:
        super().__init__(under)
        self.counts_writes = under.counts_writes
        self.name_of, self.place = name_of, place
        self.nodes: dict[int, tuple[Any, Node]] = {}  # by the identity of a tensor or number, or of a tensor's value
        self.noted: list[tuple[int, Any]] = []  # what the call that runs has noted there, and what stood there before
        self.faithful = True
        self.asked = False  # whether an entry was read
        self.by_default = False  # whether a dtype followed from `set_default_dtype`
        self.fixed = False  # whether all numbers among the arguments are asked for
        self.loose = frozenset[int]()  # the numbers among the arguments that nobody asks for, by their identity
        self.walking = False
        self.facts: Callable[[Any], Any] = lambda x: None  # what is known of a tensor besides what it shows
        self.begin()

    def begin(self) -> None:
        """A new graph."""
        self.graph, self.inputs = Graph(), dict[str, Node]()
        self.met: dict[Node, DType] = {}  # what numbers have met
        self.outer: dict[Any, str] = {}  # the tape's nodes of arguments as they came, and the names of those
        self.numbers: dict[Any, dict[str, Any]] = {}  # what the tape's nodes have saved of numbers that have names
        self.nodes.clear()

    def remember(self, x: Any, node: Node) -> None:
        """Let `node` stand for `x`, for as long as `x` lives."""
        self.note(x, node)
        if isinstance(x, Tensor):
            self.note(x.value, node)  # a walk meets values that were saved

    def note(self, x: Any, node: Node) -> None:
        """Find `node` under the identity of `x`, for as long as that lives."""
        key = id(x)
        kept = ref(x, lambda _: self.nodes.pop(key, None)) if isinstance(x, (Tensor, xp.ndarray)) else x
        self.noted.append((key, self.nodes.get(key)))
        self.nodes[key] = kept, node

    def node_of(self, x: Any) -> Node | None:
        """The node that stands for `x`."""
        found = self.nodes.get(id(x))
        return None if found is None else found[1]

    def known(self, x: Any) -> Any:
        """The node of an operand; what comes from outside becomes an argument, if the program has a name for it."""
        node, name = self.node_of(x), self.name_of(x)
        if node is None and name is None and isinstance(x, Tensor):
            node = self.node_of(x.value)
        if node is not None:
            return node
        if name is None:
            return self.unnamed(x)
        told = facts_of(x if isinstance(x, Tensor) else Tensor(xp.asarray(x)))
        facts = self.facts(x) or (told if isinstance(x, Tensor) else replace(told, number=True))
        node = Node("placeholder", self.graph.unique(name), facts)
        self.graph.nodes.insert(len(self.inputs), node)
        self.inputs[name] = node
        if isinstance(x, Tensor) and (history := tracked(x)) is not None:
            self.outer[history] = name
        self.remember(x, node)
        return node

    def operands(self, args: tuple[Any, ...], met: DType | None = None) -> tuple[Any, ...]:
        """The nodes of operands. A number takes the dtype in which they meet, if it meets no other."""
        inputs = tuple(map(self.known, args))
        met = met or next((i.dtype for i in inputs if isinstance(i, Node) and not i.facts.number), None)
        for node in inputs:
            if isinstance(node, Node) and node.facts.number and met is not None:
                same = self.met.setdefault(node, met) == met
                node.facts = replace(node.facts, dtype=met if same else MIXED)
        return inputs

    def unnamed(self, x: Any) -> Any:
        """An operand that the program has no name for: a number; or what a rule or function made of shapes alone.

        Of arguments only tensors are arrays, and who reads their entries is watched.
        """
        if is_number(x):
            return x
        if self.walking or (self.fixed and not self.asked and not isinstance(x, Tensor)):
            held = x if isinstance(x, Tensor) else Tensor(x)
            self.remember(held, self.graph.get_attr(held, facts_of(held)))
            return self.node_of(held)
        self.faithful = False
        return x

    def drive(self, seeds: dict[Any, Any], rules: Rules, ground: Interpreter, create: bool) -> None:
        """Walk: the values that it meets are known, or it would not be a part of the graph."""
        self.walking = True
        for node, numbers in self.numbers.items():
            if node.saved is not None:
                node.saved = node.saved | numbers
        try:
            super().drive(seeds, rules, ground, create)
        finally:
            self.walking = False
            for node, numbers in self.numbers.items():
                if node.saved is not None:
                    node.saved |= {name: unwrapped(x) for name, x in numbers.items()}

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op`, and write it down. The casts that bring its inputs together come first, as ops of their own."""
        args = tuple(map(named, args))
        if op.operands is not None and any(type(x) is Unread or id(x) in self.loose for x in params.values()):
            out = op.operands(*args, **params)
            if out is not None:
                return out
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given:
            given, args = args, met(op, args, self)
            if any(type(a) is Int and b is not a for a, b in zip(given, args, strict=True)):
                self.faithful = False  # the number that was made of it would be a constant
        inputs = self.operands(args, None if op.casts is as_given else op.casts(*args))
        out = self.under.run(op, tuple(map(unwrapped, args)), params)
        self.by_default |= by_default(args, out)
        if self.faithful and not agrees(op, args, params, out):
            self.faithful = False
        if self.faithful:
            node = self.graph.call(op, inputs, params, facts_of(out), grad=grad_mode.get(), line=self.place())
            self.remember(out, node)
            self.keep_numbers(out, args)
        return out

    def keep_numbers(self, out: Tensor, args: tuple[Any, ...]) -> None:
        """Note which numbers with names the node of `out` has saved: it keeps their values."""
        saved: Any = out.node and out.node.saved
        found = {name: args[i] for name, i in INPUTS.items() if saved and name in saved and i < len(args)}
        found = {name: x for name, x in found.items() if not isinstance(x, Tensor) and self.name_of(x) is not None}
        if found:
            self.numbers[out.node] = found

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write, and write that down: from then on the new node stands for `x`."""
        args = operands(op, tuple(map(named, args)))
        if (dtype := elsewhere(op, x, args)) is not None:
            return self.rounded(op, x, args, params, dtype)
        args = fitted(op, x, args, self)
        inputs = self.operands((x, *args))
        self.under.inplace(op, x, tuple(map(unwrapped, args)), params)
        if self.faithful:
            self.remember(x, self.graph.write(op, inputs, params, grad=grad_mode.get(), line=self.place()))
            self.keep_numbers(x, (x, *args))
        return x

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Rules of the user's are no part of a graph."""
        self.faithful = False
        return super().custom(call, args)

    def require(self, x: Tensor, on: bool) -> Tensor:
        """A change that no graph tells."""
        self.faithful = False
        return super().require(x, on)

    @contextmanager
    def attempt(self) -> Generator[None]:
        """Run a call of the engine. What it wrote is taken back if it was not faithful."""
        inputs, length = dict(self.inputs), len(self.graph.nodes)
        self.faithful, self.asked, self.by_default, self.noted = True, False, False, []
        profile = sys.getprofile()
        sys.setprofile(self.watch)
        try:
            yield
        except BaseException:
            self.faithful = False
            raise
        finally:
            profiled_by(profile)
            if not self.faithful:
                self.take_back(inputs, length)

    def take_back(self, inputs: dict[str, Node], length: int) -> None:
        """Let the graph be what it was when it had these arguments, and so many nodes."""
        nodes, more = self.graph.nodes, len(self.inputs) - len(inputs)
        self.graph.nodes = nodes[: len(inputs)] + nodes[len(self.inputs) : length + more]
        self.inputs = inputs
        for key, before in reversed(self.noted):
            self.nodes.pop(key, None)
            if before is not None and (not isinstance(before[0], ref) or before[0]() is not None):
                self.nodes[key] = before

    def written_since(self, arguments: int, length: int) -> list[Node]:
        """The nodes besides arguments that have come since there were so many of both."""
        return self.graph.nodes[length + len(self.inputs) - arguments :]

    def watch(self, frame: Any, event: str, _: Any) -> None:
        """Told of every Python function that is called meanwhile: one that reads entries is not faithful."""
        if event == "call" and frame.f_code in READING:
            self.faithful, self.asked = False, True


def profiled_by(profile: Any) -> None:
    """Let who profiled this thread go on. For `cProfile` there is its profiler, and no function to be called."""
    if profile is None or callable(profile):
        sys.setprofile(profile)
    else:
        profile.enable()


def walked(root: Tensor, *args: Any, **kwargs: Any) -> bool:
    """`root.backward()`, and whether code of the user's may have run in it: a hook, or a Function of theirs."""
    theirs = False
    pending, seen = [tracked(root)], set[Any]()
    while pending and not theirs:
        node = pending.pop()
        if node is not None and node not in seen:
            seen.add(node)
            custom = getattr(node.op, "call", None)
            theirs = node.hooks is not None or (custom is not None and not isinstance(custom, RegionCall))
            pending += node.edges if node.op is not None else ()
    root.backward(*args, **kwargs)
    return theirs


def unwrapped(x: Any) -> Any:
    """A number as the engine knows it."""
    return int(x) if type(x) is Int else x
