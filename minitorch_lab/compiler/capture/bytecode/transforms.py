"""Calls of transformed functions, such as `ml.func.vmap(ml.func.grad(f))(x)`, as parts of the graph.

The engine's own code runs, on tensors without numbers, and the machine runs what it calls of the user's: so what that
reads is guarded as ever. The ops that come of it are then run as one call of the engine. Nothing is done meanwhile that
could be seen outside; where the function would do such a thing, the call is left to Python, between two graphs. Since
no number is computed, a replay goes through it again.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
from typing import Any

from ....core.array import int64
from ....core.interpret import grad_mode, interpreting, stack
from ....func import batch, derived, forward, reverse
from ....func.boxing import Box, Boxing, as_tensor
from ....func.stateless import HOMES, functional_call
from ....func.trees import flatten, mapped
from ....ops.random import Generator
from ....tensors.tensor import Tensor
from ...ir.evaluate import evaluate
from ...ir.fake import facts_of
from ...ir.graph import Facts, Graph, Node
from ...ir.sized import resized
from ...ir.sizes import Size, hinted
from ...ir.symbolic import Captured, Capturing
from . import door
from .containers import kind_of
from .engine import room, untaught
from .entering import Entering
from .halts import Untraced
from .lookup import MISSING
from .names import constant
from .signatures import transformed
from .tree import Int
from .writes import flat

FUNCTIONAL_CALL, VJP = untaught(functional_call), untaught(reverse.vjp)
MAKERS = {*map(untaught, (
    reverse.grad, reverse.value_and_grad, reverse.grad_and_value, batch.vmap, derived.jacrev, derived.jacfwd,
    derived.hessian,
))}  # fmt: skip
DIRECT = {FUNCTIONAL_CALL, VJP, untaught(forward.jvp)}
LIES = {"stride", "is_contiguous"}


def pulls(f: Any) -> bool:
    """Whether a function is what `vjp` gives to pull back with."""
    return room(f) == "func.reverse" and f.__qualname__.startswith("vjp.")


class Inner(Capturing):
    """Writes down what a transformed function does. What comes from outside is an argument, however it was made."""

    def __init__(self, facts: Callable[[Tensor], Facts | None]) -> None:
        super().__init__(Graph())
        self.facts = facts  # what is known of the sizes of a tensor from outside

    def own(self, a: Any) -> Captured:
        """The box of a tensor."""
        if self.mine(a):
            return Boxing.own(self, a)
        x = as_tensor(a)
        if id(x) not in self.outside:
            self.enter(x, self.graph.get_attr(x, self.facts(x) or facts_of(x)))
        return self.outside[id(x)].box


class Transforms(Entering):
    """The part of the recorder that knows transforms.

    While such a call is gone through, `inner` holds what its function has made itself.
    """

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.substitutes: dict[int, set[str]] = {}  # modules of which parameters are others for a while
        self.earlier: list[Any] = []  # the generators that there were before

    def barrier(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call between graphs: see `recorder.py`."""
        raise NotImplementedError

    def transform(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of a transformed function; NotImplemented of others."""
        if type(f) is not FunctionType:
            return NotImplemented
        within = untaught(f)
        if within in MAKERS:
            try:
                for x in (*args, *kwargs.values()):
                    self.native(x)  # what it is made with is guarded
            except Untraced:
                return self.barrier(f, args, kwargs)
            return self.build(f, args, kwargs)
        if not (transformed(f) or within in DIRECT or (id(f) in self.unwritten and pulls(f))):
            return NotImplemented
        if self.inner is not None:
            return self.adopted(self.natively(within, args, kwargs))
        found = self.traced(within, args, kwargs)
        if type(found) is str:
            self.refusal = found
            try:
                return self.barrier(f, args, kwargs)
            finally:
                self.refusal = ""
        graph, inputs, build = found
        made = self.inside(self.engine_call(self.inlined(f, graph), inputs, {})) if graph.calls else []
        return self.adopted(build(made))

    def traced(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The graph of a call, its arguments, and how the result is made of what it gives; or why there is none."""
        tracing, mode, raised = Inner(self.facts_here), grad_mode.get(), self.machine.raised
        self.inner, self.earlier, found = {}, list(self.machine.generators), None
        try:
            with interpreting(tracing):
                leaves, build = flatten(self.natively(f, args, kwargs))
                leaves = [tracing.own(x) if isinstance(x, Tensor) else x for x in leaves]
            found = self.closed(tracing, leaves, build)
        except Untraced as why:
            return str(why.args[0])
        except Exception as error:
            return f"{type(error).__name__} inside {f.__name__}(): {error}"
        else:
            return found
        finally:
            if found is None:
                for generator in set(self.machine.generators) - set(self.earlier):
                    generator.frame.state = "done"
            self.inner, self.earlier, self.machine.raised = None, [], raised
            grad_mode.set(mode)

    def closed(self, tracing: Inner, leaves: list[Any], build: Any) -> Any:
        """A trace that is over, as `traced` gives it."""
        graph = tracing.graph
        if any(entry.recorded is not None or entry.box.value is not entry.first for entry in tracing.outside.values()):
            raise Untraced("the function of a transform writes into a tensor made outside it")
        rest = [x for x in leaves if not isinstance(x, Captured)]
        if any(id(x) in (self.inner or ()) or pulls(x) or self.unwritable(x) for x in rest):
            raise Untraced("a transform gives what is no tensor")
        given = {n: n.payload for n in graph.nodes if n.kind == "get_attr" and id(n.payload) in self.names}
        made = list(dict.fromkeys(x.value for x in leaves if isinstance(x, Captured) and x.value not in given))
        if any(n.kind == "get_attr" for n in made) or (graph.calls and not made):
            raise Untraced("a transform gives the same in every call")
        for node in given:
            node.kind, node.payload = "placeholder", None
        graph.nodes = [*given, *(n for n in graph.nodes if n.kind != "placeholder")]
        graph.output(made)

        def rebuilt(new: list[Any]) -> Any:
            known = given | dict(zip(made, new, strict=True))
            return build([known[x.value] if isinstance(x, Captured) else x for x in leaves])

        return graph, tuple(given.values()), rebuilt

    def inlined(self, f: Any, graph: Graph) -> Callable[..., Any]:
        """The graph of a call as a function of the engine."""
        layer, now = self.layer, resized(graph, hinted)

        def run(*given: Tensor) -> Any:
            layer.walking = True  # what the rules have made is a constant
            try:
                return evaluate(graph if any(isinstance(x, Box) for x in given) else now, list(given))
            finally:
                layer.walking = False

        run.__name__ = f.__name__
        return run

    # ---- to the engine and back -------------------------------------------------------------------------------------
    def natively(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What the engine's function gives, which calls the machine for what it calls of the user's."""
        args, kwargs = mapped(
            self.symbolic, (tuple(map(self.native, args)), {k: self.native(v) for k, v in kwargs.items()})
        )
        if f is FUNCTIONAL_CALL:
            return self.substituted(*args, **kwargs)
        ours = id(f) in self.local or id(f) in self.unwritten
        if f in DIRECT:
            return f(self.rewired(args[0], {}, id(args[0]) in self.local), *args[1:], **kwargs)
        return (self.rewired(f, {}, ours) if transformed(f) else f)(*args, **kwargs)

    def symbolic(self, x: Any) -> Any:
        """A tensor from outside by what is known of its sizes."""
        top = stack.get()
        return top.own(x) if isinstance(top, Inner) and isinstance(x, Tensor) and self.lengths(x) else x

    def rewired(self, f: Any, known: dict[int, Any], ours: bool) -> Any:
        """What a transform has closed over, with what the machine runs in place of functions of the user's.

        `ours` says whether the transform was made in this call, from what is known.
        """
        if not transformed(f):
            return self.run_inside(f) if callable(f) else f
        if id(f) not in known:
            cells = tuple(CellType() for _ in f.__closure__)
            known[id(f)] = made = FunctionType(f.__code__, f.__globals__, f.__name__, f.__defaults__, cells)
            made.__kwdefaults__ = f.__kwdefaults__
            for i, (cell, old) in enumerate(zip(cells, f.__closure__, strict=True)):
                x = old.cell_contents
                if not ours and (id(f) in self.names or not constant(x)):  # else it is one function for all calls
                    held = self.inside(self.do(getattr, f, "__closure__"))[i]
                    x = self.native(self.do(getattr, held, "cell_contents"))
                cell.cell_contents = self.rewired(x, known, ours)
        return known[id(f)]

    def run_inside(self, f: Any) -> Callable[..., Any]:
        """`f`, run by the machine."""

        def run(*args: Any, **kwargs: Any) -> Any:
            named = {k: self.adopted(v, False) for k, v in kwargs.items()}
            return self.native(self.machine.call(f, *[self.adopted(x, False) for x in args], **named))

        return run

    def native(self, x: Any) -> Any:
        """A value of the machine's for the engine: containers as they are known, numbers asked for."""
        kind = type(x)
        if kind is dict:
            return {k: self.native(v) for k, v in self.inside(x).items()}
        if kind in (list, tuple) or (isinstance(x, tuple) and hasattr(x, "_fields")):
            parts = map(self.native, self.inside(x))
            return kind(*parts) if hasattr(x, "_fields") else kind(parts)
        if kind is Size:
            return x
        if isinstance(x, float) and id(x) in self.names and self.steady(x):
            return x * 1.0
        differs = kind is Int or (id(x) in self.names and kind in (float, str, complex))
        if differs or (hasattr(kind, "__array__") and not issubclass(kind, Tensor)):
            what = "number" if kind in (Int, float) else kind.__name__
            raise Untraced(f"a {what} that differs from call to call is handed to a transform")
        return self.asked(x) if kind is Generator else x

    def adopted(self, x: Any, fresh: bool = True) -> Any:
        """A value of the engine's for the machine. The function may write to what is `fresh`."""
        if id(x) in self.names or id(x) in self.unwritten:
            return x
        if self.inner is not None and (isinstance(x, Tensor) or pulls(x)):
            self.unwritten[id(x)] = self.inner[id(x)] = x
        if not isinstance(x, (tuple, list, dict)):
            return x
        parts = [self.adopted(v, fresh) for v in (flat(x) if type(x) is dict else x)]
        if hasattr(x, "_fields"):
            made = self.build(door.make_as, (type(x), *parts), {})
        else:
            make = {tuple: door.make_tuple, list: door.make_list, dict: door.make_dict}[type(x)]
            made = self.build(make, tuple(parts), {})
        if not fresh and self.inner is not None:
            self.inner.pop(id(made), None)
        return made

    # ---- inside -----------------------------------------------------------------------------------------------------
    def build(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A new object. One that is made inside never leaves, so that the program does without it."""
        if self.inner is None or (f is door.make_tuple and not any(map(self.tracked, args))):
            return super().build(f, args, kwargs)
        made = self.build_unwritten(f, args, kwargs)
        self.inner[id(made)] = made
        return made

    def goes_on(self, generator: Any) -> None:
        """A generator is about to go on: inside, only one that was made there."""
        if any(generator is g for g in self.earlier):
            raise Untraced("the function of a transform asks an iterator made outside it")

    def goes_without(self, x: Any, values: Any) -> bool:
        """Whether a write to an object stays out of the program: inside, all do that are done at all."""
        if self.inner is not None and id(x) not in self.inner:
            raise Untraced("the function of a transform changes what it has not made itself")
        return super().goes_without(x, values)

    def engine_call(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call of the engine; inside, whoever is in force there writes it down."""
        if self.inner is None:
            return super().engine_call(f, args, kwargs)
        args, kwargs = tuple(map(self.native, args)), {k: self.native(v) for k, v in kwargs.items()}
        if not self.graphable((*args, *kwargs.values())):
            raise Untraced("the function of a transform hands an op what is no tensor, number or constant")
        try:
            with self.layer.attempt():
                out = f(*args, **kwargs)
        except Exception as error:
            raise Untraced(f"{type(error).__name__} in {f.__name__}(): {error}") from None
        if self.layer.asked:
            raise Untraced("the function of a transform decides by an entry of a tensor")
        return self.adopted(out)

    def same(self, a: Any, b: Any) -> bool:
        """`a is b`: what a function of a transform is given may be a copy."""
        kinds = {kind_of(a), kind_of(b)}
        if self.inner is not None and a is not b and len(kinds) == 1 and kinds != {None}:
            raise Untraced("the function of a transform asks whether two containers are one")
        return super().same(a, b)

    def lengthy(self, name: str, x: Tensor, value: Any, dim: Any = None) -> Any:
        """The answer to a question about a tensor. How one lies inside is not told."""
        if isinstance(x, Box) and name in LIES:
            raise Untraced(f"the function of a transform asks for {name}()")
        return super().lengthy(name, x, value, dim)

    def fitting(self, labels: Tensor, classes: int) -> bool:
        """Whether labels name classes, guarded: inside, of the tensors that they were taken from."""
        if not isinstance(labels, Box):
            return super().fitting(labels, classes)
        inner: Any = labels
        while isinstance(inner, Box):
            inner = inner.value
        pending: list[Any] = [inner]
        while pending:
            x = pending.pop()
            x = x.payload if isinstance(x, Node) and x.kind == "get_attr" else x
            if isinstance(x, Node) and x.op is not None and x.op.moves:
                pending += x.feeds[: x.op.rest]
            elif isinstance(x, Node) or x.dtype != int64 or not super().fitting(x, classes):
                raise Untraced("the function of a transform computes its labels, or they name no classes")
        return True

    # ---- modules with other parameters ------------------------------------------------------------------------------
    def substituted(
        self, module: Any, values: Any, args: Any = (), kwargs: Any = None, *, tie_weights: bool = True,
        strict: bool = False,
    ) -> Any:  # fmt: skip
        """`functional_call`: what the module calls its parameters are these values, for the machine."""
        if strict:
            raise Untraced("functional_call() under strict")
        values = values if isinstance(values, dict) else {k: v for part in values for k, v in part.items()}
        before, known = dict[Any, Any](), dict(self.substitutes)
        try:
            for path, value in values.items():
                part, name = self.holder_of(module, path)
                before.setdefault((id(part), name), self.attributes.get((id(part), name), MISSING))
                self.attributes[id(part), name] = self.adopted(value)
                self.substitutes[id(part)] = {*self.substitutes.get(id(part), ()), name}
            return self.run_inside(module)(*(args if isinstance(args, tuple) else (args,)), **(kwargs or {}))
        finally:
            self.substitutes = known
            for key, value in before.items():
                self.attributes.pop(key)
                if value is not MISSING:
                    self.attributes[key] = value

    def holder_of(self, module: Any, path: str) -> tuple[Any, str]:
        """The module that has a parameter or buffer, and its name there."""
        *owners, name = path.split(".")
        for owner in owners:
            module = self.machine.getattr(module, owner)
        if id(module) not in self.substitutes:
            homes = [self.machine.getattr(module, home) for home in HOMES]
            if not any(self.do(door.contains, home, name) for home in homes):
                raise Untraced(f"functional_call() got {path!r}, which the module has not")
            self.machine.getattr(module, name)
        return module, name

    def read_attribute(self, x: Any, name: str) -> Any:
        """`x.name`."""
        if self.substitutes and id(x) in self.substitutes and name in (*HOMES, "__dict__"):
            raise Untraced(f"a module inside functional_call() is asked for all its parameters ({name})")
        return super().read_attribute(x, name)
