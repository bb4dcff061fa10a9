"""The recorder: it does what the machine asks, and writes down what a later call must do again.

An operation on constants is a constant; one on tensors goes into the graph; a read is guarded; a write waits behind
the graph; anything unknown ends the graph. Where an interrupted call is replayed, what it has done is not done again.
"""

from __future__ import annotations

import operator
from abc import ABCMeta
from types import FunctionType, MethodType
from typing import Any

from ....autograd.modes import is_grad_enabled
from ....core.array import int64
from ....core.interpret import grad_mode, stack
from ....func.trees import flatten
from ....ops.indexing import one_hot_op
from ....tensors.tensor import Tensor
from ...ir.sizes import Size
from . import door, sound
from .containers import ASKED_OF_KIND, KEYED, MAPPINGS, SEQUENCES, SETS, WRITE, kind_of, overrides
from .engine import ASKED, OPERATORS, runs_ops, untaught, walked
from .halts import Refused
from .known import (
    BY_KEY,
    HARMLESS,
    HASHING,
    KINDS,
    KNOWN,
    LABELLED,
    LENGTHY,
    MADE,
    METHODS_IN_C,
    PURE,
    SETTLED,
    SPREAD,
    UNKNOWN_INT,
    given,
    hashes,
    name_of,
    reason,
)
from .lookup import MISSING, goes_first, held, hook
from .names import ATOMS, GiveUp, Kept, constant
from .reads import changing
from .transforms import Transforms
from .tree import MODE, Identity, Int, Leaf
from .watching import watching
from .writes import BUILD


class Recorder(Transforms):
    """A world that writes down what it is asked."""

    again: tuple[tuple[str, Any], ...] | None = None  # what an unknown call may have changed, if there was one

    def begin(self, arguments: dict[str, Any]) -> None:
        """Settle the arguments of the call, in place."""
        watching(self)
        self.guard(MODE, grad_mode.get(), ())
        for name, v in arguments.items():
            arguments[name] = self.settle(name, v, renew=True)

    def do(self, f: Any, *args: Any, **kwargs: Any) -> Any:
        """The door."""
        if not self.off:
            try:
                return self.decide(f, args, kwargs)
            except GiveUp as why:
                self.stop(str(why))
        if self.astray:
            raise self.astray
        return f(*map(self.real, args), **{k: self.real(v) for k, v in kwargs.items()})

    # ---- deciding ---------------------------------------------------------------------------------------------------
    def decide(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Do one thing that the machine asks for."""
        if (out := self.transform(f, args, kwargs)) is not NotImplemented:
            return out
        if self.unknown(f) or self.breaks_again():
            return self.barrier(f, args, kwargs)
        made = args[0] if f is object.__new__ else f
        if issubclass(type(made), type) and held(made, "__del__") is not MISSING:
            raise GiveUp(f"a {made.__name__} says when it dies")
        if isinstance(f, METHODS_IN_C):
            f = ASKED_OF_KIND.get(f, f) if args and isinstance(args[0], f.__objclass__) else f
        elif args and f is operator.getitem and overrides(type(args[0]), ("__getitem__",)):
            return self.barrier(f, args, kwargs)
        if any(type(a) is Size for a in args) or (f in LENGTHY and any(type(a) in (tuple, Int) for a in args)):
            out = self.on_sizes(f, args)
            if out is not NotImplemented:
                return out
        try:
            ours = f in KNOWN
        except TypeError:  # an unhashable callable is nobody we know
            return self.barrier(f, args, kwargs)
        if ours and not (args and isinstance(args[0], Tensor)) and not (len(args) > 1 and isinstance(args[1], Tensor)):
            kwargs = {k: self.concrete(v) for k, v in kwargs.items()}
            args = self.known_ints(f, args)
        args = self.with_keys(f, args) if ours else args
        if f is door.load_global:  # NotImplemented is a global too
            return self.read_global(*args)
        for part in (self.names_and_attributes, self.tensors, self.objects, self.values):
            out = part(f, args, kwargs)
            if out is not NotImplemented:
                return out
        return self.barrier(f, args, kwargs)

    def known_ints(self, f: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The arguments, ints asked for where they may not stay unknown."""
        if f is operator.setitem:
            return (args[0], self.concrete(args[1]), args[2])
        return args if f in UNKNOWN_INT else tuple(map(self.concrete, args))

    def names_and_attributes(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Globals and attributes."""
        if f is door.store_global:
            return self.write_global(*args)
        if f is getattr and len(args) == 2:
            return self.of_tensor(*args) if isinstance(args[0], Tensor) else self.read_attribute(*args)
        if f is setattr and isinstance(args[0], Tensor):
            return self.write_gradient(*args) if args[1] == "grad" else NotImplemented
        if f is delattr or f is object.__delattr__:
            return self.delete_attribute(*args)
        if f is setattr or f is door.plain_setattr:
            return self.write_attribute(*args, plain=f is not setattr)
        if f is door.write_own:
            return (
                NotImplemented if goes_first(held(type(args[0]), args[1])) else self.write_attribute(*args, plain=True)
            )
        if f is door.has_own:
            return self.has_own(*args)
        if f is door.own:
            return self.own(*args)
        if f is door.own_names:
            return self.own_names(*args)
        if f is door.entries:
            raise GiveUp("the entries of an object are changed as those of a dict")
        if f is door.super_attr:
            return self.of_super(*args)
        return self.imported(*args) if f is door.import_module else NotImplemented

    def tensors(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The engine."""
        if f is is_grad_enabled:
            return grad_mode.get()
        if self.changes_mode(f, args):
            return self.mode_call(f, args, kwargs)
        if f is Tensor.backward:
            return self.walk(args, kwargs)
        first = args[0] if args else None
        if isinstance(first, Tensor):
            name = name_of(f)
            if f in (len, type, callable) or (name in ASKED and f is getattr(type(first), name, None)):
                return self.fact(self.lengthy("__len__" if f is len else name, first, f(*args, **kwargs), *args[1:]))
        if untaught(f) is LABELLED:
            self.guard_labels(*args, **kwargs)
        if untaught(f) is SPREAD and isinstance(first, Tensor) and first.dtype == int64:
            classes = self.concrete(args[1] if len(args) > 1 else kwargs.get("num_classes", -1))
            if type(classes) is int and classes >= 0 and self.fitting(first, classes):
                return self.engine_call(one_hot_op, (first,), {"num_classes": classes})
        on = args[:1] if f in (operator.getitem, operator.setitem) else args
        if (f in OPERATORS and any(isinstance(a, Tensor) for a in on)) or runs_ops(f):
            return self.engine_call(f, args, kwargs)
        return NotImplemented

    def objects(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """New objects, containers, identity."""
        if f in HASHING and any(map(hashes, args[:: 2 if f is door.make_dict else 1])):
            return NotImplemented
        if self.confuses(f, args):
            return self.barrier(f, args, kwargs)
        if f is door.as_python:
            return self.build(args[0], args[1:], {})
        if f in BUILD or (isinstance(f, type) and issubclass(f, BaseException) and f.__module__ == "builtins"):
            return self.build(f, args, kwargs)
        if f is door.is_:
            return self.same(*args)
        if f is MethodType and getattr(type(args[1]), name_of(args[0]), None) is args[0]:
            return MethodType(*args)
        if f is door.make_frozenset and not any(map(self.tracked, args)):
            return frozenset(args)
        first = args[0] if args else None
        if f is id and id(first) in self.names:
            self.distinct(first, self.names[id(first)])
            return Identity(first)
        if f is id and constant(first) and not isinstance(first, (int, float, str, tuple)):
            return Identity(first)
        if f in BY_KEY and kind_of(first) in (*MAPPINGS, *SETS) and hashes(args[1]):
            return self.barrier(f, args, kwargs)
        if len(args) > 1 and f in BY_KEY and self.by_key(*args[:2]):
            if f is operator.setitem:
                return self.write_by_key(*args)
            return self.has_key(*args) if f is door.contains else self.at_key(*args)
        if f is set.pop and id(first) not in self.local:
            return self.barrier(f, args, kwargs)  # which entry that is depends on what has been in the set
        if f in WRITE and kind_of(first) is not None:
            return self.write_container(f, args, kwargs)
        sliced = f is operator.getitem and type(first) in (list, tuple) and any(type(a) is slice for a in args)
        if sliced and type(first) is tuple and constant(first) and not any(map(self.tracked, args)):
            return f(*args)
        joined = f in (operator.add, operator.mul) and any(type(a) in (list, tuple) and self.tracked(a) for a in args)
        if sliced or (joined and all(type(a) in (list, tuple, int) for a in args)):
            return self.build(f, args, kwargs)
        return NotImplemented

    def values(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """What follows from constants and guards, and arithmetic on numbers and texts."""
        first = args[0] if args else None
        if f is type and len(args) == 1:
            return type(self.real(first))
        if isinstance(f, type) and issubclass(f, type):
            raise GiveUp("a class is made in the call")
        if f in KINDS and len(args) == 2:
            return self.is_kind(f, *args)
        if f is door.keys_of and kind_of(first) in SETS and (keys := self.in_order(first)) is not NotImplemented:
            return keys
        if f in SETTLED and self.settled(f, first, args):
            return f(self.inside(first), *args[1:], **kwargs)
        if f is door.order_of and self.plain(first):
            return f(self.inside(first), *args[1:])
        if (f in PURE or f in SETTLED) and not any(isinstance(a, Tensor) for a in args):
            if not any(map(self.tracked, (*args, *kwargs.values()))):
                out = f(*args, **kwargs)
                return out if constant(out) else self.build(f, args, kwargs) if type(out) in MADE else NotImplemented
            if f in (operator.eq, operator.ne) and all(type(a) is Identity for a in args):
                return f(*args)
            if f is door.order_of and all(type(a) in (float, str, Int) for a in self.inside(first)):
                return self.perform(f, args, tag=id(first))  # of all that was written into it
            if f is bool and type(first) is float:
                name = self.ref(first, uses := set[str]())
                return self.guard(f"bool({name})", bool(first), uses)[1]
            if f in PURE and all(type(a) in (float, str, Int, Size, *ATOMS) for a in args):
                return self.perform(f, args, kwargs, renew="text", safe=f is bool)
        return NotImplemented

    def is_kind(self, f: Any, x: Any, kinds: Any) -> Any:
        """`isinstance(x, kinds)`: it follows from the type of `x`, unless a class has a way of its own to tell."""
        kinds = self.unfolded(kinds)
        flat = flatten([kinds])[0]
        if not any(hook(type(kind), "__instancecheck__") for kind in flat):
            found = f(x if f is issubclass else self.real(x), kinds)
            return self.fact(found) if issubclass(type(x), Tensor) else found
        if all(hook(type(kind), "__instancecheck__") in (None, ABCMeta.__instancecheck__) for kind in flat):
            return self.perform(f, (x, kinds))
        return NotImplemented

    def settled(self, f: Any, first: Any, args: tuple[Any, ...]) -> bool:
        """Whether the answer to a question follows from what has been guarded."""
        if f is callable:
            self.relies(type(first), "__call__")
        if f is type or f is callable:
            return True
        kind = kind_of(first)
        if kind in KEYED and len(args) > 1:
            return self.finds(self.inside(first), first, args[1])
        if kind is None or any(id(a) in self.names for a in args[1:]):
            return False
        if any(type(a) is Identity for a in args[1:]) and id(first) not in self.local:
            return False
        inside = self.inside(first)
        if kind in SEQUENCES and f is door.contains:
            return not any(map(self.tracked, inside))
        return not (f is operator.getitem and any(type(a) is slice for a in args))

    # ---- between graphs ---------------------------------------------------------------------------------------------
    def walk_between(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """`backward()`, between two graphs. Unless it runs code of the user's, only gradients are new after it."""
        if self.between(walked, args, kwargs):
            self.forget()
            self.look_again()
        for key in [k for k in self.attributes if k[1] == "grad"]:
            del self.attributes[key]

    def opaque_call(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *ran: Any) -> Any:
        """A call of the engine that no graph tells: it ends the graph, and changes nothing but tensors.

        An object of the user's among its arguments may do anything when it is asked what it stands for.
        """
        f = self.worded.get(f, f) if isinstance(f, FunctionType) else f
        given = flatten([list(args), kwargs])[0]
        if not ran and any(changing(type(x)) and not isinstance(x, Tensor) for x in given):
            return self.barrier(f, args, kwargs)
        return self.between(f, args, kwargs, *ran)

    def barrier(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """End the graph, do it for real, and look at the world afresh."""
        self.only_looks(reason(f, args))
        self.flush()
        if not any(f is known for known in HARMLESS):
            self.forget()
        top = stack.get()
        try:
            v = self.between(f, args, kwargs)
        except Exception:  # anything wilder is an interruption: nothing was recorded
            self.look_again()
            raise
        self.look_again()
        if stack.get() is not top:  # a graph would not know of it
            self.stop(f"{name_of(f) or type(f).__name__}() changes which interpreter runs the ops")
        return v

    def between(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *ran: Any) -> Any:
        """A line that ends the graph."""
        why = self.refusal or reason(f, args)
        if self.c.fullgraph and not self.reading:
            raise Refused(why, self.place())
        self.repeated = f"{self.c.prefix}{self.count + 1}" in self.done
        if not self.repeated:
            self.flush()
            self.show_mode()
        outcome = (lambda: given(ran[0])) if ran else None
        return self.perform(f, args, kwargs, renew="text", breaks=why, outcome=outcome)

    def forget(self) -> None:
        """An unknown call may change anything: what was known is asked again."""
        self.attributes = {k: v for k, v in self.attributes.items() if k[0] in self.unwritten}
        self.contents = {k: v for k, v in self.contents.items() if type(v) is tuple or k in self.unwritten}
        self.orders, self.epoch = {}, self.epoch + 1
        found = [(name, kept()) for k, name in self.names.items() if isinstance(kept := self.keep[k], Kept)]
        self.again = tuple((name, v) for name, v in found if v is not None)

    def look_again(self) -> None:
        """Ask again what tensors are, and whether gradients are on."""
        if self.again is not None:
            for name, v in self.again:
                self.ask_again(name, v)
            self.look_at_mode()
        self.again = None
        self.flush()

    # ---- the end ----------------------------------------------------------------------------------------------------
    def finish(self, kind: str, v: Any) -> None:
        """Write how the call ends."""
        uses = set[str]()
        try:
            text = self.ref(v, uses)
            if kind == "raise":
                if self.machine.waiting():  # for as long as somebody has the error, which no program can say
                    return self.stop("an error leaves, and a generator has not ended", for_good=False)
                if v.__context__ is not None:
                    self.perform(setattr, (v, "__context__", v.__context__), guarded=False, early=False)
                text = f"retraced({text}, {self.c.pool(tuple(self.machine.trail[1:]))})"
            self.flush()
            self.show_mode()
            self.append(Leaf(text=f"{kind} {text}", uses=frozenset(uses)))
            self.notes.end = self.tip[0]
            if sound.checking and not self.off:
                self.c.noted.append(self.notes)
        except GiveUp as why:
            self.stop(str(why))
