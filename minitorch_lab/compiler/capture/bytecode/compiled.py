"""A compiled function: it calls its program, and lets it grow where the program meets an answer it has not seen."""

from __future__ import annotations

import builtins
import inspect
import keyword
import re
import threading
import warnings
from collections.abc import Callable
from functools import partial
from itertools import count
from math import copysign
from types import CodeType, FunctionType
from typing import Any

from ....autograd.anomaly import Place
from ....autograd.inference import unrecorded
from ....autograd.short import EAGER
from ....core.array import device_of, xp
from ....core.interpret import grad_mode, stack
from ....ops.loss import labels_fit
from ....tensors.tensor import Tensor, View
from ...ir.graph import Graph
from ...runtime.notices import listening
from ...targets.backends import backend_of
from ...targets.texts import shown_as
from . import sound
from .guards import ON_CPU, Answer, answer, asked, told, varies, varying
from .halts import Astray, Refused, lost, refused
from .known import NAMED, literal, spelled
from .machine import Capture, Frame, unsupported
from .predicate import Predicate, met
from .recorder import Recorder
from .repeats import repeatable
from .shapes import ANY, patterned
from .signatures import UNSET, bound, free_prefix, known_of, names_of_parameters, parameters_of, peeled, within
from .source import Source
from .traces import located, retraced, with_errors_located
from .tree import Guard, Line, Node, Notes, Raised, Segment, restore_mode, unread
from .undisturbed import undisturbed
from .walks import plain_leaves, spend
from .wording import Wording

Backend = Callable[[Graph], Callable[..., Any]]
RECOMPILES = 8  # answers that one guard may have, as in PyTorch
CAPTURES = 64  # calls that may be captured in all
SHORT = 100  # characters of a tuple that is written out
LONGEST = 30_000  # values with names in one path through the program: some sixty layers of a transformer with AdamW
NAMESPACE = {
    "Raised": Raised, "retraced": retraced, "ON_CPU": ON_CPU, "ndarray": xp.ndarray, "device_of": device_of,
    "copysign": copysign, "grad_mode": grad_mode, "top": stack.get, "TAPE": EAGER, "plain_leaves": plain_leaves,
    "spend": spend, "labels_fit": labels_fit, "UNSET": UNSET,
}  # fmt: skip
WORDS = "program miss failing resume eager function CODE DEFAULTS KWDEFAULTS default _seen _a error"
RESERVED = {*NAMESPACE, *WORDS.split(" ")}
number = count(1).__next__


class Compiled:
    """The program of a function under `ml.compile`, and how it grows.

    Attributes:
        text: The program: one Python function for all paths that calls have taken, with its guards.
        graphs: The graphs that it calls, in order.
        breaks: Why graphs end, and on which line.
        recompiles: What each capture after the first was for: the guard that failed, what it had seen, what came.
        reason: Why the function stays eager, if it does.
    """

    def __init__(
        self, f: Callable[..., Any], backend: Backend, fullgraph: bool = False, dynamic: bool | None = None
    ) -> None:
        self.original, self.blocks = bound(f), list[Any]()  # what runs uncompiled; and decorators around it
        self.function, self.me = peeled(f, self.blocks)
        self.backend, self.fullgraph, self.dynamic = backend, fullgraph, dynamic
        self.settings: dict[str, Any] = {}  # as they were given to `compile`
        self.again: Any = None  # compiles a copy under the same settings
        self.busy, self.depth = threading.RLock(), 0
        self.closed = False
        self.root = Node()
        self.captures = 0
        self.graphs: list[Graph] = []
        self.of_segment: dict[Any, Graph] = {}
        self.breaks: list[Line] = []
        self.recompiles: list[str] = []
        self.noted: list[Notes] = []  # what captures have noted, where they are checked
        self.varying: set[Any] = set()  # the lines to which values come that differ from call to call
        self.counted: set[Any] = set()  # names of attributes, and keys, at which the function writes ints
        self.seen_shapes: dict[Any, Any] = {}  # of tensors from outside: None where a length differs
        self.reason = ""
        self.built: dict[Any, Callable[..., Any]] = {}  # what the backend made of a graph
        self.pooled: dict[int, str] = {}
        self.alike: dict[Any, Any] = {}  # one of the tuples of constants that are equal, each made anew perhaps
        self.filename = f"<compiled {getattr(f, '__name__', 'function')} {number()}>"
        self.space: dict[str, Any] = dict(NAMESPACE)
        self.parameters = names_of_parameters(self.function)
        self.prefix = free_prefix(self.parameters, ("v", "w", "val_", "value_"))
        self.length_prefix = free_prefix(self.parameters, ("s", "size_", "length_"))
        self.wording = Wording(self.pool, backend_of(backend).asked, self.named)
        self.text = ""
        self.__name__ = None if self.me and self.me[0] is f else getattr(f, "__name__", None)
        self.__wrapped__ = f
        self.run_by: type | None = None  # the class of the callable that runs the program
        self.beside: Any = None  # what runs the program and eager side by side, under `check`
        why = self.refusal()
        if why:
            self.stay_eager(why)
        else:
            self.write_program()

    @property
    def tape(self) -> Any:
        """The tape on which a capture runs the ops."""
        heard = listening()
        return heard.tape if heard is not None else stack.get() if unrecorded() else EAGER

    def called_as(self, cls: Any) -> None:
        """Make the program the `__call__` of a class: a call then enters it, with no function between."""
        self.run_by = cls
        self.runs(self.program)

    def runs(self, program: Callable[..., Any]) -> None:
        """Make `program` what a call runs."""
        self.program = program
        if self.run_by is not None:
            called: Any = partial(program, *self.me) if self.me else program
            called = within(self.blocks, called)
            called = called if self.beside is None else partial(self.beside, called)
            self.run_by.__call__ = staticmethod(called)  # pyright: ignore[reportAttributeAccessIssue]

    def elsewhere(self, *args: Any, **kwargs: Any) -> Any:
        """A call that the program is not for: another tape than the plain one runs the ops, or the function changed.

        The tape of a recording runs the program all the same, and so does inference mode; under any other the function
        itself is called.
        """
        heard = listening()
        if heard is not None:
            heard.entered(self)
        return (self.function if heard is None and not unrecorded() else self.watched)(*args, **kwargs)

    def refusal(self) -> str | None:
        """Why the function cannot be captured at all."""
        if not isinstance(self.function, FunctionType):
            return "it is not written in Python"
        if self.function.__code__.co_flags & inspect.CO_GENERATOR:
            return "it is a generator"
        taken = RESERVED & self.parameters
        return f"a parameter is called {min(taken)}" if taken else unsupported(self.function.__code__)

    # ---- growing ----------------------------------------------------------------------------------------------------
    @undisturbed
    def miss(self, node: Node | Predicate, log: dict[str, Any], error: Exception | None = None) -> Any:
        """An unseen answer: go through the call again, taking from `log` what it has done already.

        One thread at a time writes down what it does. Another that comes meanwhile does not wait, since the first may
        be waiting for it: its call goes on unwritten. `error` is what the question has raised, if it has.
        """
        writing = self.busy.acquire(blocking=False)
        self.depth += writing
        try:
            if isinstance(node, Predicate):
                node = node.failed(self.space, log)
            if error is not None and isinstance(node, Line):
                node = unread(node, log, error)
            key = self.new_answer(node, log)
            found = restore_mode(node, key)
            self.captures += writing
            if (heard := listening()) is not None:
                heard.capturing(self, "" if key is None else self.recompiles[-1])
            recorder = Recorder(self, node, key, log)
            recorder.reading, recorder.found = not writing, found
            machine = recorder.machine = Capture(recorder)
            self.run(machine, recorder, log)
        except Refused as refusal:
            raise refused(self.__name__, *refusal.args) from None
        finally:
            if writing:
                self.depth -= 1
                if not self.depth:
                    self.write_program()
                self.busy.release()
            if (heard := listening()) is not None:
                heard.captured(self)
        return self.ended(recorder)

    @undisturbed
    def repeat(self, segment: Segment, error: Exception, log: dict[str, Any]) -> Any:
        """A graph has failed: go through the call again up to it, and go on with the ops themselves.

        They say what is wrong in their own words, inside the user's own handlers. If they find nothing wrong, it was
        the compiler's own fault, and its error is not to be hidden.
        """
        node, key = segment.parent or (self.root, None)
        found, recorder = restore_mode(node, key), Recorder(self, node, key, log)
        recorder.reading, recorder.found, recorder.machine = True, found, Capture(recorder)
        self.run(recorder.machine, recorder, log)
        return self.ended(recorder, error)

    def ended(self, recorder: Recorder, error: Exception | None = None) -> Any:
        """What a call gives that the machine has run. If it has met no error, the one that was met before stands."""
        kind, out = recorder.ending[0], recorder.real(recorder.ending.pop())
        recorder.release()
        if kind == "raise":
            try:
                raise recorder.machine.leaving(out)
            finally:
                del out, error
        if error is not None and not recorder.machine.raised:
            raise error
        return out

    def failing(self, source: Source, error: Exception) -> Callable[[], Any] | None:
        """How a call goes on in which the program has raised an error: a question that raises has a new answer."""
        step: Any = error.__traceback__
        node = source.asking.get(step.tb_lineno)
        inside = step.tb_next and step.tb_next.tb_frame.f_code.co_filename == __file__  # in the capture itself
        segment = source.calls.get(step.tb_lineno)
        if segment is not None and repeatable(segment):
            return partial(self.repeat, segment, error, step.tb_frame.f_locals | {})
        if node is None or inside or isinstance(error, (RecursionError, MemoryError)):
            located(self.filename, source.trails, error)
            return None
        return partial(self.miss, node, step.tb_frame.f_locals | {}, error)

    def run(self, machine: Capture, recorder: Recorder, log: dict[str, Any]) -> None:
        """Run the call to its end. One that cannot go on after what it has done ends here; later ones run eagerly."""
        arguments = {name: log[name] for name in inspect.signature(self.function, follow_wrapped=False).parameters}
        recorder.begin(arguments)
        mode = grad_mode.get()
        try:
            recorder.ending = machine.ended(Frame(self.function, arguments, self.function.__closure__ or ()))
        except Astray as astray:
            grad_mode.set(mode)
            self.stay_eager(f"a call could not be gone through again: {astray.args[0]}", astray.args[1])
            raise lost(self.__name__, *astray.args) from None
        if not recorder.off:
            recorder.finish(*recorder.ending)

    def new_answer(self, node: Node, log: dict[str, Any]) -> Answer | None:
        """The answer that a guard got, and its entry in the list of recompilations."""
        if not isinstance(node, Guard):
            return None
        try:
            v = eval(node.subject, self.space, log | {"_seen": met(node, log)})
        except Exception as error:  # what was asked is not there any more
            v = Raised(error)
        seen = list(node.children)
        kind = next((k[0] for k in seen if k[0] in ("float", "size", "holds")), None)
        key = self.answer(node.trail or node.subject, node.subject, v) if kind is None else asked(kind, v)
        if varies(node.subject, v, key, seen):
            key = varying(v, key)
            self.varying.add(node.trail or node.subject)
        text = told(node.subject, seen, answer(v) if key[0] == "tensor" else key)
        text += f" ({node.place})" if node.place else ""
        self.recompiles.append(text)
        if len(seen) >= RECOMPILES or self.captures >= CAPTURES:
            self.storm(text)
        return key

    def answer(self, where: Any, subject: str, v: Any) -> Answer:
        """The facts that a guard asks for; of a tensor, lengths that differ from call to call are left open."""
        if type(v) not in (Tensor, View) or self.dynamic is False:  # parameters keep their shapes
            return answer(v)
        shape = v.value.shape
        if self.dynamic:
            lengths = tuple(ANY if n > 1 else n for n in shape)
        else:
            key = where, subject, len(shape)
            seen = tuple(m if m == n else ANY for m, n in zip(self.seen_shapes.get(key, shape), shape, strict=True))
            self.seen_shapes[key] = seen
            lengths = tuple(n if m is not ANY or n < 2 else ANY for m, n in zip(seen, shape, strict=True))
        return patterned(v, lengths) if ANY in lengths else answer(v)

    def storm(self, text: str) -> None:
        """Too many captures: no more of them."""
        if not self.closed:
            self.closed = True
            self.stay_eager(f"it was captured {self.captures} times; the last guard that failed: {text}")
            warnings.warn(
                f"{self.__name__} was captured {self.captures} times, and runs eagerly from now on. "
                f"The guard that failed last: {text}. A value that differs from call to call should be a tensor.",
                stacklevel=4,
            )

    def grew(self, node: Node) -> None:
        """Told of each new step."""
        if isinstance(node, Line) and node.breaks:
            self.breaks.append(node)

    def too_long(self, count: int) -> bool:
        """Whether a path with so many values may grow no more."""
        return count > LONGEST

    def stay_eager(self, reason: str, place: Place | None = None) -> None:
        """Run the function itself from now on."""
        self.reason = self.reason or reason + (f" ({place})" if place else "")
        if self.fullgraph and not self.closed:
            self.runs(self.refuse)
        else:
            self.runs(self.function)

    def refuse(self, *_: Any, **__: Any) -> Any:
        """What a call gives under `fullgraph` if the function cannot be captured.

        Raises:
            CaptureError: Always.
        """
        raise refused(self.__name__, self.reason)

    # ---- the program ------------------------------------------------------------------------------------------------
    def pool(self, v: Any) -> str:
        """The text of a constant: a literal, or a name in the program's space."""
        if literal(v) and (type(v) is not tuple or len(repr(v)) <= SHORT):
            return repr(v)
        if isinstance(v, NAMED) and getattr(builtins, v.__name__, None) is v:
            return v.__name__
        if type(v) in (tuple, frozenset):
            v = self.alike.setdefault(spelled(v), v)
        return self.entry(v)

    def entry(self, v: Any) -> str:
        """The name of an object in the program's space."""
        return self.pooled[id(v)] if id(v) in self.pooled else self.named(self.unique(v), v)

    def named(self, name: str, v: Any) -> str:
        """The name of an object in the program's space, for which this one would be right."""
        if id(v) not in self.pooled:
            self.pooled[id(v)] = self.free(name)
            self.space[self.pooled[id(v)]] = v
        return self.pooled[id(v)]

    def unique(self, v: Any) -> str:
        """A readable name for an object."""
        name = v.__name__ if isinstance(v, NAMED) else f"a_{type(v).__name__}"
        if type(v) is dict and "__name__" in v:
            name = f"globals_of_{v['__name__'].rpartition('.')[2]}"
        return self.free(str(v) if isinstance(v, xp.dtype) else re.sub(r"\W+", "_", name).strip("_") or "an_object")

    def free(self, base: str) -> str:
        """A name like this one that nothing has yet."""
        taken = {*self.space, *vars(builtins), *RESERVED, *self.parameters}
        if base not in taken and not keyword.iskeyword(base) and not re.fullmatch(r"[a-z]\d+|graph_\d+", base):
            return base
        return next(f"{base}_{i}" for i in range(2, 10**6) if f"{base}_{i}" not in taken)

    def write_program(self) -> None:
        """Write the program anew."""
        if self.reason:
            return
        source = Source(self)
        self.text = text = source.program(*parameters_of(self.function))
        self.graphs = [graph for _, graph in source.segments]
        sound.verify_program(source)
        self.of_segment = dict(source.segments)
        told: dict[str, Any] = {}  # the graphs as they run on a tape that is told
        for segment, graph in source.segments:
            key = (segment, tuple(graph.returned), graph.first)
            if key not in self.built:
                self.built[key] = self.backend(graph)
            run = self.space[graph.name] = self.built[key]
            told[graph.name] = getattr(run, "slow", run)
        self.space["eager"], self.space["function"] = self.elsewhere, self.function
        self.space |= known_of(self.function)
        space = self.space | {
            "miss": lambda n, log, misses=source.misses: self.miss(misses[n], log),
            "failing": partial(self.failing, source),
        }
        shown_as(self.filename, text, self)
        code = compile(with_errors_located(text), self.filename, "exec")
        self.watched = self.defined(code, space | told | {"top": lambda: EAGER, "eager": self.function})
        self.runs(self.defined(code, space))

    def defined(self, code: CodeType, space: dict[str, Any]) -> Any:
        """The function that the code of the program defines, with the defaults of the user's."""
        exec(code, space)
        program = space["program"]
        program.__defaults__ = tuple(UNSET for _ in self.function.__defaults__ or ())
        program.__kwdefaults__ = dict.fromkeys(self.function.__kwdefaults__ or (), UNSET)
        program.__qualname__ = self.function.__qualname__
        return program
