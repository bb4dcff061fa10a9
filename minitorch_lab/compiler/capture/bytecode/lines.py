"""Lines: doing something for real and writing it down, and settling what came of it by a guard.

A read is written before the pending graph and a write after it; so graphs grow long, and order is kept where it can be
seen: what needs a value of the pending graph, or could see a write that waits, makes the graph end first.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from keyword import iskeyword
from types import BuiltinFunctionType, FunctionType, MethodDescriptorType
from typing import Any

from ....core.array import NUMBERS, default_dtype
from ....tensors.tensor import Tensor
from ...ir.sizes import Size
from .door import own
from .guards import Answer, asked, pinned, steadily, varying
from .lookup import held
from .names import GiveUp, Names, constant, renewed
from .tree import Guard, Int, Line, Node, Raised, Segment

TEXT: dict[Any, str] = {
    own: "vars({})[{}]",    operator.getitem: "{}[{}]", operator.setitem: "{}[{}] = {}", operator.delitem: "del {}[{}]",
    operator.mul: "{} * {}", operator.add: "{} + {}", operator.sub: "{} - {}", operator.truediv: "{} / {}",
    operator.pow: "{} ** {}", operator.neg: "-{}", operator.gt: "{} > {}",
    operator.lt: "{} < {}", operator.ge: "{} >= {}", operator.le: "{} <= {}", operator.eq: "{} == {}",
    list.append: "{}.append({})", list.clear: "{}.clear()", list.pop: "{}.pop({})",
}  # fmt: skip
STATEMENTS = (setattr, operator.setitem, operator.delitem)
FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodDescriptorType)  # what has a hash of its own
READS = (getattr, own, operator.getitem)


class Lines(Names):
    """The part of the recorder that writes lines and guards."""

    contents: dict[int, Any]  # what containers hold, by identity

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.reads: list[tuple[Node, Any]] = []  # waiting to be written before the graph
        self.after: list[Line] = []  # and after it
        self.during = ""  # the call of the engine that is being made
        self.repeated_line = ""  # the line that a replay has come to, if that is known before it is done
        self.late: set[str] = set()  # names that exist only once the graph has run
        self.written: set[Any] = set()  # attribute names, ids of containers, and their keys, that waiting lines write

    def pending(self) -> Segment | None:
        """The graph as it stands, if it holds anything; and a new one begins: see `ops.py`."""
        raise NotImplementedError

    def flush(self) -> None:
        """Write down everything that waits."""
        for node, key in self.reads:
            self.append(node, key)
        segment = self.pending()
        if segment is not None:
            self.append(segment)
        for line in self.after:
            self.append(line)
        self.reads, self.after, self.late, self.written = [], [], set(), set()

    def early(self, node: Line | Guard, tag: Any = None, key: Any = None) -> None:
        """Write before the pending graph, unless the node needs or could see something that comes after it."""
        if node.uses & self.late or self.waits(tag):
            self.flush()
        self.reads.append((node, key))

    def waits(self, tag: Any) -> bool:
        """Whether a line that waits writes what is to be read: an attribute, a container, or one key of it."""
        if type(tag) is tuple:
            return tag in self.written or tag[0] in self.written
        return tag in self.written or (tag,) in self.written

    # ---- guards -----------------------------------------------------------------------------------------------------
    def guard(
        self, subject: str, v: Any, uses: Any, tag: Any = None, key: Answer | None = None, relation: Any = None
    ) -> Answer:
        """Ask once; the answer on this path."""
        if (subject, self.epoch) not in self.answers:
            found = self.c.answer(self.trail()[:1] or subject, subject, v) if key is None else key
            if key is None and subject.isidentifier() and (self.trail()[:1] or subject) in self.c.varying:
                found = varying(v, found)  # other values have come to this line already
            self.answers[subject, self.epoch] = found
            asked = Guard(
                subject=subject, uses=frozenset(uses), epoch=self.epoch, place=self.place(), trail=self.trail()[:1],
                relation=relation, during=self.during if relation is not None else "",
            )  # fmt: skip
            self.notes.reads.append((asked, found))
            self.early(asked, tag, found)
        return self.answers[subject, self.epoch]

    def relies_on_default_dtype(self) -> None:
        """Guard what `set_default_dtype` has set."""
        default = self.c.named(default_dtype().name, default_dtype())
        self.guard(f"{self.c.named('NUMBERS', NUMBERS)}[{self.c.pool(float)}] is {default}", True, ())

    def distinct(self, v: Any, name: str, tag: Any = None) -> None:
        """Two objects now must be two objects then."""
        self.guard(f"id({name}) in _seen", False, {name}, tag)
        line = f"seen {name}"
        if line not in self.done:
            self.done[line] = ""
            self.early(Line(name=line, uses=frozenset({name})), tag)

    def settle(self, name: str, v: Any, renew: Any = False, tag: Any = None) -> Any:
        """Give a value that came from outside its name, and guard what we will rely on."""
        if renew:
            v = renewed(v) if type(v) in (float, complex) or renew == "text" else v
        other = self.names.get(id(v))
        if other and other != name and (type(v) in (FunctionType, tuple) or not constant(v) or v != v):
            self.guard(f"{name} is {other}", True, {name, other}, tag)
            return v
        key = self.guard(name, v, {name}, tag)
        if key == ("any", int):
            return self.track(Int(v), name)
        if type(v) is Raised:
            return v
        varies = type(v) in (float, complex) or (renew == "text" and type(v) is str and len(v) > 1)
        if varies or not pinned(key):
            self.track(v, name)
            if isinstance(v, Tensor):
                self.measure(name, v, key, tag)
            elif not varies:
                self.distinct(v, name, tag)
        if key[0] == "keys":
            self.contents[id(v)] = v  # asked for as a whole, so none of its entries is asked for
        return v

    def measure(self, name: str, x: Tensor, key: Answer, tag: Any) -> None:
        """Give names to the lengths that a guard has left open: see `lengths.py`."""
        raise NotImplementedError

    def concrete(self, v: Any) -> Any:
        """Ask for the value of an int after all."""
        if type(v) is Size:
            return int(v)
        if type(v) is not Int:
            return v
        name = self.names[id(v)]
        return self.guard(f"int({name})", int(v), {name})[1]

    def exact(self, v: Any) -> Any:
        """Ask for the value of any number after all."""
        if type(v) is not float or id(v) not in self.names:
            return self.concrete(v)
        name = self.names[id(v)]
        self.guard(f"+{name}", v, {name}, key=("float", v, str(v)))
        return v * 1.0

    def steady(self, v: Any) -> bool:
        """Ask for the value of a number too, but not where it has differed between calls. Whether it is known now."""
        name, kind = self.names[id(v)], float if type(v) is float else int
        varies = (self.trail()[:1] or steadily(name)) in self.c.varying
        key = ("any", kind) if varies else asked("float", v) if kind is float else ("equals", int(v))
        return self.guard(steadily(name), v, {name}, key=key)[0] != "any"

    def repeats(self, f: Any, *args: Any) -> bool:
        """Whether a replay comes to what was done by one line, and not by code that the machine entered.

        A class may have changed since: what that says by now is no answer to what was done then.
        """
        name = f"{self.c.prefix}{self.count + 1}"
        done = self.done.get(name, "").removeprefix("try: ").partition("\n")[0].removeprefix(f"{name} = ")
        asked = args[:1] if f in (getattr, setattr, delattr) else args
        parts = [self.names.get(id(a)) or (self.c.pool(a) if constant(a) else "") for a in asked if done]
        if not done or not all(parts) or any(isinstance(a, Tensor) for a in args):
            return False
        if f is setattr:
            same = done.startswith((f"{parts[0]}.{args[1]} = ", f"setattr({parts[0]}, {args[1]!r}, "))
        elif f is getattr or f is delattr:
            same = done in (f"{parts[0]}.{args[1]}", f"del {parts[0]}.{args[1]}", f"delattr({parts[0]}, {args[1]!r})")
        else:
            same = done == (TEXT[f].format(*parts) if f in TEXT else f"{self.c.pool(f)}({', '.join(parts)})")
        self.repeated_line = name if same else ""
        return same

    def breaks_again(self) -> bool:
        """Whether that line is one that ended a graph: it was left to Python, which it need not be by now."""
        name = f"{self.c.prefix}{self.count + 1}"
        return name in self.broke and name == self.repeated_line

    def had(self, x: Any, name: str, entries: dict[str, Any]) -> bool:
        """Whether an object has an entry of its own; in a replay, whether it had one when this was asked."""
        if id(x) in self.names:
            subject = self.names[id(x)]
            if (before := self.answers.get((f"{name!r} in {subject}.__dict__", self.epoch))) is not None:
                return before[1]
            if self.repeats(getattr, x, name):
                return True
        return name in entries

    # ---- lines ------------------------------------------------------------------------------------------------------
    def text(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], uses: set[str]) -> str:
        """`f(*args, **kwargs)` as the user would write it."""
        if f is setattr and spelled(args[1]):
            return f"{self.ref(args[0], uses)}.{args[1]} = {self.ref(args[2], uses)}"
        if f in (getattr, delattr) and len(args) == 2 and spelled(args[1]):
            return ("del " if f is delattr else "") + f"{self.ref(args[0], uses)}.{args[1]}"
        parts = [self.ref(a, uses) for a in args]
        past = isinstance(f, MethodDescriptorType) and held(type(args[0]), f.__name__) is not f  # its class
        if isinstance(f, FUNCTIONS) and not past and f in TEXT and not kwargs and len(parts) == TEXT[f].count("{}"):
            return TEXT[f].format(*[f"({p})" if p[:1] == "-" else p for p in parts])
        callee = self.ref(f, uses) if callable(f) or id(f) in self.names else self.c.entry(f)
        return f"{callee}({', '.join(parts + [f'{k}={self.ref(v, uses)}' for k, v in kwargs.items()])})"

    def as_call(self, f: Any, args: tuple[Any, ...], uses: set[str]) -> str:
        """A statement whose outcome is asked for, as a call; of other functions nothing."""
        if f is setattr or f is delattr:
            x, name, *value = args
            parts = [self.ref(x, uses), repr(name), *(self.ref(v, uses) for v in value)]
            return f"{f.__name__}({', '.join(parts)})"
        if isinstance(f, FUNCTIONS) and f in STATEMENTS:
            return f"{self.c.pool(f)}({', '.join(self.ref(a, uses) for a in args)})"
        return ""

    def perform(
        self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any] | None = None, *, early: bool = True,
        tag: Any = None, guarded: bool = True, renew: Any = True, owner: str = "", safe: bool = False,
        breaks: str = "", outcome: Callable[[], Any] | None = None,
    ) -> Any:  # fmt: skip
        """Do it (or find that the interrupted call did), write the line, settle the result.

        Args:
            f: What is called.
            args: On what.
            kwargs: And with which keywords.
            early: Written before the pending graph, or after it.
            tag: What the line reads: an attribute's name, or the id of a container.
            guarded: Whether the result comes from outside.
            renew: Whether floats (or "text" as well) get an object of their own.
            owner: The local object that the line only serves; "me" is its own result.
            safe: It cannot raise.
            breaks: Why the graph ends here.
            outcome: Gives the result, where it has been done already.
        """
        if breaks or not early:
            self.only_looks(breaks or "the function of a transform changes what it has not made itself")
        kwargs = kwargs or {}
        name, uses = self.fresh(), set[str]()
        statement = not guarded and (f in STATEMENTS or f is delattr)
        text = self.as_call(f, args, uses) if guarded and not kwargs else ""
        text = text or self.text(f, args, kwargs, uses)
        do = outcome or (lambda: self.real(f)(*map(self.real, args), **{k: self.real(v) for k, v in kwargs.items()}))
        if name in self.done:
            self.same_line(name, text)
            v = self.log.get(name)
            if name not in self.log and not statement:
                v = do()  # a line was dropped that only served itself
        else:
            if outcome is None:
                self.room()
            v = self.attempt(do)
            safe = safe and type(v) is not Raised
            whole = text if statement else f"{name} = {text}"
            if not safe and not statement and (type(v) is Raised or self.machine.protected()):
                whole = f"try: {whole}\nexcept Exception as error: {name} = Raised(error)"
            elif type(v) is Raised:
                raise v.error
            self.write(
                Line(name=name, text=whole, uses=frozenset(uses), breaks=breaks, place=self.place(),
                     trail=self.trail(), owner=name if owner == "me" else owner, safe=safe and early,
                     acts=bool(breaks) or not early),
                early, tag,
            )  # fmt: skip
        self.note_counter(f, args, name, v)
        if guarded:
            v = self.settle(name, v, renew, tag)
        elif self.tracked(v) and id(v) not in self.names:
            self.track(v, name)
        return self.outcome(v, name)

    def note_counter(self, f: Any, args: tuple[Any, ...], name: str, v: Any) -> None:
        """Note where ints differ from call to call: one that follows from such a one, or whose place is written.

        What is written into an object of this call is gone with it.
        """
        named = len(args) > 1 and type(args[1]) is str
        owner, place, last = [args[i] for i in (0, 1, -1)] if named else (None, None, None)
        if f in STATEMENTS and type(last) in (int, Int) and id(owner) not in self.local:
            self.c.counted.add(place)
        follows = place in self.c.counted if f in READS else any(type(a) is Int for a in args)
        if type(v) is int and follows:
            self.c.varying.add(self.trail()[:1] or name)

    def same_line(self, name: str, text: str) -> None:
        """A replay must not come to another line than the one that ran, as it does if the world has changed under it.

        Raises:
            Astray: That one has done something, or another that is still to come.
            GiveUp: It has only looked: the call goes on from here.
        """
        if text in self.done[name].replace(".node.grad = ", ".grad = "):
            self.ahead.discard(name)
            return
        why = f"`{self.done[name]}` ran, and now it would be `{text}`"
        if self.ahead:
            self.lose_way(why)
        raise GiveUp(why)

    def attempt(self, do: Callable[[], Any]) -> Any:
        """What comes of it, an error included."""
        try:
            return do()
        except Exception as error:
            return Raised(error)

    def write(self, line: Line, early: bool, tag: Any) -> None:
        """Enter a line before the pending graph, or after it. What a read or a sum gives is settled by guards."""
        if line.acts and line.owner != line.name:
            self.notes.effects.append(line)
        if early:
            self.early(line, tag)
        else:
            self.after.append(line)
            self.late.add(line.name)

    def outcome(self, v: Any, name: str) -> Any:
        """A result, or the error that it stands for."""
        if type(v) is not Raised:
            return v
        error = v.error
        if id(error) not in self.names:
            n = self.fresh()
            if n not in self.done:
                self.early(Line(name=n, text=f"{n} = {name}.error", uses=frozenset({name})))
            self.track(error, n)
        raise error

    def adopt(self, error: BaseException) -> str:
        """An error that the machine itself raised is made anew by the program."""
        name, uses = self.fresh(), set[str]()
        if name not in self.done:
            text = f"{name} = {self.c.pool(type(error))}({', '.join([self.ref(a, uses) for a in error.args])})"
            self.after.append(Line(name=name, text=text, uses=frozenset(uses), owner=name))
            self.late.add(name)
        self.track(error, name)
        return name


def spelled(name: Any) -> bool:
    """Whether an attribute of this name can be written behind a dot."""
    return type(name) is str and name.isidentifier() and not iskeyword(name)
