"""The call of an op, as text, written from its record: arity, which inputs may be numbers, views, what is saved.

It does what `Eager.run` does for plain tensors with nothing to be reconciled: ask the kernel, wrap what it gives, leave
a node if a gradient flows. A transform, a recording, mixed dtypes, or an error: the interpreter in force has the call.
"""

from __future__ import annotations

import linecache
from inspect import Parameter, signature
from typing import Any

from ..core.array import DTYPES, bool_, float32, int64, is_narrow, on_cpu, xp
from ..core.interpret import grad_mode
from ..ops.front import with_tensors
from ..ops.misfit import plain
from ..ops.op import Op, as_given, call_of, general
from ..tensors.tensor import PLAIN, Link, Storage, Tensor, View, tracked
from .eager import as_view
from .node import NOTHING, Node, next_order
from .tape import save, shape_of

ROOM = __file__.rpartition("/")[0]
CALL = """\
def {label}({heads}):
    "The call of {name}, written from its record. What is not plain goes to the interpreter in force."
    if top() is EAGER{plain}:
        try:
            {unwrap}
            if {fits}:
                found = impl({operands})
                {made}
                return out
        except Exception:
            pass  # it is run again there, and explained
    return {otherwise}
"""
RECORD = """
{edges}
if {unrecorded}:
    out.node = None
    return out
out.node = node = new(Node)
node.op, node.edges, node.params, node.hooks = op, ({nodes},), {params}, None
node.shape, node.order = found.shape, next_order()
node.saved = {saved}"""
WRITE = """\
def {label}({heads}):
    "The call of {name}, written into its first input. What is not plain goes to the interpreter in force."
    if top() is EAGER{plain} and type(x.value) is on_cpu:
        try:
            {unwrap}
            s = x.storage
            if s is None:
                s = x.storage = Storage()
            if {fits}:
                impl({operands}, out=a)
                s.version += 1
                return x
        except Exception:
            pass  # it is run again there, and explained
    return top().inplace(op, x, {others}, {told})
"""
NEW = "out = new(Tensor)\nout.value, out.storage = found, None"
SHOW = """\
s, base = x.storage, found.base
if s is None:
    s = x.storage = Storage()
if type(s) is Storage and (found is a or (base is not None and (base is a or base is a.base))):
    {shown}
else:
    out = as_view(found, None, op, (x,), {params})"""
SHOWN = "out = new(Tensor)\nout.value, out.storage = found, s"  # memory is shared, history is not
LINKED = """\
out, link, up = new(View), new(Link), x.link
out.value, out.storage, out.link = found, s, link
link.base, link.op, link.params, link.seen = x, op, {params}, s.version
link.unwatched = not grad_on() or (up is not None and up.unwatched)"""
ARRAYS = {"x": "a", "y": "b", "z": "c"} | {f"x{i}": f"a{i}" for i in range(3, 9)}
NODES = {"x": "p", "y": "q", "z": "r"} | {f"x{i}": f"p{i}" for i in range(3, 9)}
WIDE = frozenset(d for d in DTYPES.values() if not is_narrow(d))


SCOPE: dict[str, Any] = {
    "Link": Link, "Node": Node, "NOTHING": NOTHING, "PLAIN": PLAIN, "Storage": Storage, "Tensor": Tensor,
    "View": View, "as_view": as_view, "bool_": bool_, "float32": float32, "grad_on": grad_mode.get,
    "new": object.__new__, "next_order": next_order, "on_cpu": on_cpu, "plain": plain, "save": save,
    "shape_of": shape_of, "tracked": tracked, "with_tensors": with_tensors,
}  # fmt: skip


def keywords(op: Op) -> list[str] | None:
    """The parameters of an op besides its inputs; None if they are not named, or need not be given."""
    if hasattr(op.impl, "types"):  # a function of NumPy's
        return []
    given = [p for p in signature(op.impl).parameters.values() if p.name != "out"]
    if any(p.kind is Parameter.VAR_KEYWORD for p in given):
        return None
    starred = any(p.kind is Parameter.VAR_POSITIONAL for p in given)
    own = [p for p in given if p.kind is Parameter.KEYWORD_ONLY] or ([] if starred else given[len(op.vjp) :])
    return None if any(p.default is not Parameter.empty for p in own) else [p.name for p in own]


def fixed(op: Op) -> bool:
    """Whether every call of an op has as many inputs as the op has rules, and all parameters; a draw has no inputs."""
    if keywords(op) is None:
        return False
    kinds = () if hasattr(op.impl, "types") else tuple(signature(op.impl).parameters.values())[: len(op.vjp)]
    odd = (Parameter.VAR_POSITIONAL, Parameter.KEYWORD_ONLY)
    return not any(p.kind in odd or p.default is not Parameter.empty for p in kinds)


def indented(width: int, *lines: str) -> str:
    """Lines of code, in a block that stands `width` columns from the left."""
    return "\n".join(lines).replace("\n", "\n" + " " * width)


class Author:
    """Writes the call of `op` with `count` inputs. Number `lead`, if one is named, is a reflected operator's `self`."""

    def __init__(self, op: Op, count: int, label: str, lead: int = -1, otherwise: str = "") -> None:
        self.op, self.label, self.inputs = op, label, tuple(ARRAYS)[:count]
        self.params = keywords(op) or []
        self.live = [n for n, rule in zip(self.inputs, op.rules(count), strict=True) if rule is not None]
        moving = any(op.vjp)
        real = self.inputs[: op.rest]
        self.cast = [] if op.casts is as_given else [n for n in real if n in self.live or not moving]
        self.turned = lead >= 0
        self.lead = self.inputs[lead] if self.turned else next(iter(self.cast), "")
        free = op.entrywise and op.numbers != "nowhere"
        self.numbers = [n for n in self.cast if n != self.lead] if free else []
        self.bare = [] if op.rest is None else list(self.inputs[op.rest :])  # index arrays may come without a tensor
        self.told = "{" + ", ".join(f"{k!r}: {k}" for k in self.params) + "}"
        args = ", ".join(self.inputs) + ("," if count == 1 else "")
        self.otherwise = otherwise or f"top().run(op, ({args}), {self.told})"

    def text(self) -> str:
        """The source of the call."""
        heads = self.inputs[::-1] if self.turned else self.inputs
        own = ("*", *self.params) if self.params else ()
        return CALL.format(
            name=self.op.name, label=self.label, heads=", ".join((*heads, *own)),
            plain=self.plain(), unwrap=indented(12, *self.unwrap()), fits=" and ".join(self.fits()) or "True",
            operands=self.operands(), made=indented(16, self.made()), otherwise=self.otherwise,
        )  # fmt: skip

    def operands(self) -> str:
        """What the kernel is given."""
        return ", ".join((*(ARRAYS[n] for n in self.inputs), *(f"{k}={k}" for k in self.params)))

    def plain(self) -> str:
        """The test that the inputs are plain tensors, but for those that may be numbers, or arrays."""
        tensors = [n for n in self.inputs if n not in self.numbers + self.bare]
        arrays = [f" and (type({n}) in PLAIN or type({n}) is on_cpu)" for n in self.bare]
        return "".join([f" and type({n}) in PLAIN" for n in tensors] + arrays)

    def unwrap(self) -> list[str]:
        """From tensors to arrays; a number, or an array, stays what it is."""
        lines = [
            f"{ARRAYS[n]} = {n}.value" + (f" if type({n}) in PLAIN else {n}" if n in self.numbers + self.bare else "")
            for n in self.inputs
        ]
        looks = self.op.rest is not None and self.op.casts is not as_given  # the dtype rule looks at the index, too
        return [*lines, f"casts({', '.join(self.inputs)})"] if looks else lines or ["pass"]

    def fits(self) -> list[str]:
        """The tests that nothing is to be reconciled."""
        tests = [f"((d := {ARRAYS[self.lead]}.dtype) is float32 or d in known)"] if self.cast else []
        for n in self.cast:
            a = ARRAYS[n]
            number = f"d.kind == 'f' if type({n}) is float else type({n}) is int and d is not bool_"
            if n != self.lead:
                tests.append(
                    f"({a}.dtype is d if {a} is not {n} else {number})" if n in self.numbers else f"{a}.dtype is d"
                )
        return [*tests, "type(a) is on_cpu"] if self.shows() else tests

    def shows(self) -> bool:
        """Whether the result may share memory with the input."""
        return self.op.put is not None and len(self.inputs) == 1

    def made(self) -> str:
        """The result as a tensor, and its node."""
        told = self.told if self.params or self.shows() else "NOTHING"
        shown = LINKED if self.live else SHOWN
        out = SHOW.format(shown=indented(4, shown.format(params=told)), params=told) if self.shows() else NEW
        if not self.live:
            return f"{out}\nout.node = None"
        unrecorded = " and ".join(f"{NODES[n]} is None" for n in self.live) + " or not grad_on()"
        return out + RECORD.format(
            edges="\n".join(map(self.edge, self.live)), params=told, saved=self.saved(),
            nodes=", ".join(NODES[n] if n in self.live else "None" for n in self.inputs),
            unrecorded=unrecorded + (f" or op.stops({told})" if isinstance(self.op.gives, str) else ""),
        )  # fmt: skip

    def edge(self, n: str) -> str:
        """The node of an input. That of a view is asked for only where it is recorded, for it may be made again."""
        found = f"{n}.node if {n}.link is None else tracked({n}) if grad_on() else None"
        return f"{NODES[n]} = " + (f"None if {ARRAYS[n]} is {n} else {found}" if n in self.numbers else found)

    def saved(self) -> str:
        """What the node saves, for each set of inputs that a gradient flows to."""
        told: dict[str, str] = {}
        for mask in range((1 << len(self.live)) - 1, 0, -1):
            reached = [n for k, n in enumerate(self.live) if mask >> k & 1]
            wants = self.op.kept([self.inputs.index(n) for n in reached])
            case = " and ".join(f"{NODES[n]} is not None" for n in reached)
            told[case] = "{" + ", ".join(f"{w!r}: {self.kept(w)}" for w in wants) + "}" if wants else "NOTHING"
        if len(set(told.values())) == 1:
            return next(iter(told.values()))
        *some, last = told.items()
        return "(\n    " + "".join(f"{text} if {case} else\n    " for case, text in some) + last[1] + "\n)"

    def kept(self, want: str) -> str:
        """One thing that is saved."""
        if want in self.inputs:
            whole = f"save({want}, {NODES[want] if want in self.live else f'tracked({want})'})"
            return f"{want} if {ARRAYS[want]} is {want} else {whole}" if want in self.numbers else whole
        if want == "out":
            return "save(out, None)"
        if want == "*":
            return "(" + "".join(f"{n} if {ARRAYS[n]} is {n} else save({n}, tracked({n}))," for n in self.bare) + ")"
        if want == "shapes":
            return "(" + "".join(f"shape_of({n})," for n in self.inputs) + ")"
        return f"shape_of({want[0]})" if want.endswith("_shape") else f"{want[0]}.{want[2:]}"

    def known(self) -> frozenset[Any]:
        """The dtypes that the op leaves as they are, where its inputs have one of them."""
        found = set[Any]()
        for d in WIDE if self.cast else ():
            probes = [
                xp.zeros(1, d if n in self.cast else bool_ if self.op.rest is None else int64) for n in self.inputs
            ]
            try:
                dtype = self.op.casts(*probes)
            except Exception:  # the op refuses it
                continue
            found |= {d} if dtype is None or dtype == d else set()
        return frozenset(found)


class Rewriter(Author):
    """Writes the call that writes into its first input, where no gradient is to be recorded."""

    def __init__(self, op: Op, count: int, label: str) -> None:
        super().__init__(op, count, label)
        if op.casts is as_given:  # what is put somewhere gets the dtype of what is there
            self.cast, self.lead, self.numbers = list(self.inputs[: op.rest]), "x", list(self.inputs[1 : op.rest])

    def text(self) -> str:
        """The source of the call."""
        tests, others = self.fits(), self.inputs[1:]
        for n in self.inputs:
            number = f"{ARRAYS[n]} is {n} or " if n in self.numbers + self.bare else ""
            tests.append(f"({number}not grad_on() or ({n}.node is None and {n}.link is None))")
            tests.append("type(s) is Storage" if n == "x" else f"({number}{n}.storage is not s)")
        refuse = self.op.numbers == "nowhere" and len(self.inputs) == 2
        return WRITE.format(
            name=self.op.name, label=self.label, heads=", ".join((*self.inputs, *self.params)), plain=self.plain(),
            unwrap=indented(12, *self.unwrap()), fits=" and ".join(tests), operands=self.operands(), told=self.told,
            others="with_tensors(op, x, y)[1:]" if refuse else "(" + "".join(f"{n}, " for n in others) + ")",
        )  # fmt: skip


write: Any = None  # in the globals of a function that is to be written: what writes it
calls: Any = None  # and of one that looks for another
LATER: dict[int, Any] = {
    -1: lambda *args, **params: write()(*args, **params),
    1: lambda x: write()(x),
    2: lambda x, y: write()(x, y),
    3: lambda x, y, z: write()(x, y, z),
}


def promise(fn: Any, author: Author, whose: str = "") -> Any:
    """`fn`, the copy of a function for one op, to be written by `author` when it is first called."""
    file, scope = f"{ROOM}/<call of {author.label}{whose}>", fn.__globals__
    linecache.cache[file] = (author.text,)  # pyright: ignore[reportArgumentType]  # as of a loader: made when asked for

    def write() -> Any:
        scope.update(SCOPE, op=author.op, impl=author.op.impl, casts=author.op.casts, known=author.known())
        found: dict[str, Any] = {}
        exec(compile(author.text(), file, "exec"), scope, found)
        fn.__code__ = found[author.label].__code__
        return fn

    scope["write"] = write
    stub = LATER[-1 if author.params else len(author.inputs) or -1]
    fn.__code__ = stub.__code__.replace(co_filename=file, co_name=author.label, co_firstlineno=2)
    return fn


class Calls(dict[int, Any]):
    """The calls of an op by the number of their inputs."""

    def __init__(self, op: Op) -> None:
        self.op = op

    def __missing__(self, count: int) -> Any:
        """That of `count` inputs."""
        fn = call_of(self.op, general)
        self[count] = (
            promise(fn, Author(self.op, count, self.op.name), f" with {count}") if count <= len(ARRAYS) else fn
        )
        return self[count]


def promise_by_count(op: Op) -> None:
    """Have the call of an op with any number of inputs look for the one with as many."""
    op.call.__globals__["calls"] = Calls(op)
    op.call.__code__ = (lambda *args, **params: calls[len(args)](*args, **params)).__code__
