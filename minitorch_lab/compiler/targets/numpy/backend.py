"""The `numpy` backend: a page of Python that calls NumPy, one line per value, into memory that is used again.

It needs no compiler, so it is always there; and it is the reference that the fast backends are compared with.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from inspect import signature
from itertools import count
from types import CodeType
from typing import Any

from ....core.array import DTYPES, Array, xp
from ....func.trees import flatten
from ....ops.narrow import suited
from ....ops.op import OPS, Op
from ....ops.template import HOLE
from ...ir.graph import Graph, Node
from ...ir.sized import symbols
from ...ir.sizes import UNKNOWN
from ...memory.arena import Arena, Held, current
from ...memory.buffers import Homes, homes
from ...memory.plan import Plan, Planner, planned
from ...memory.rooms import Rooms
from ..texts import shown_as

number = count()
MOST = 256  # sources whose code is kept in mind
NONE: Mapping[Node, Any] = {}
# What the pages use themselves.
RESERVED = {
    "np", "float", "held", "pool", "room", "rooms", "Held", "show", "HOLE", "arena", "again", "code",
    "pools", "stream", "empty", "fit", "matrix", "cublas", "cells", "packed",  # on a GPU
}  # fmt: skip


class Kernel:
    """A compiled graph: `kernel(*arrays)` gives the list of its results.

    `source` is what runs, `plan` its memory; `lines`, `results` and `scope` are what the source is made of.
    """

    def __init__(
        self,
        graph: Graph,
        lines: list[str],
        scope: dict[str, Any],
        plan: Plan,
        arena: Arena,
        lengths: Sequence[str] = (),
    ) -> None:
        self.name, self.lines, self.scope, self.plan, self.arena = graph.name, lines, scope, plan, arena
        arguments = [*lengths, *map(format_input, graph.placeholders)]
        self.results = [format_input(leaf) for leaf in flatten(graph.returned)[0]]
        body = "\n    ".join([*lines, f"return [{', '.join(self.results)}]"])
        self.source = f"def f({', '.join(arguments)}):\n    {body}"
        self.fn = built(self.source, graph.name, scope)

    def __call__(self, *arrays: Array) -> list[Array]:
        """Run."""
        return self.fn(*arrays)

    def __repr__(self) -> str:
        """The source."""
        return self.source


def compile_numpy(
    graph: Graph, planner: Planner | None = None, donate: Collection[str] = (), spares: Mapping[Node, Any] = NONE
) -> Kernel:
    """A pure graph as a NumPy function.

    Args:
        graph: The graph. Where there are symbols in its shapes, the function takes their numbers first.
        planner: Who places the temporaries in the arena (see `plan`).
        donate: The names of arguments that no caller reads again, so that results may be written over them.
        spares: Where earlier results may be written over, by result (see `spare`).

    Raises:
        PlanError: The planner lets one value spoil another.

    Example:
        >>> import minitorch_lab as ml
        >>> print(compile_numpy(ml.jit.trace(lambda a, b: (a * b + 1).tanh(), ml.ones(3), ml.ones(3)).graph).source)
        def f(a, b):
            held = pool.pop() if pool else Held()
            mul, add = held.shown.get(0) or show(held)
            np.multiply(a, b, out=mul)  # f32[3]
            np.add(mul, 1, out=add)  # f32[3]
            tanh = np.tanh(add)  # f32[3]
            pool.append(held)
            return [tanh]
    """
    elsewhere = any(n.device != "cpu" for n in graph.nodes)  # CuPy keeps memory for results by itself
    found = homes(graph, (lambda node: False) if elsewhere else writes_out, donate)
    plan = planned(found.lives, planner, steps=[n.name for n in graph.nodes])
    arena = current()
    scope: dict[str, Any] = {"np": xp, "HOLE": HOLE}
    outs = {node: format_input(node) for node in found.home} | {
        n: format_input(home) for n, home in found.donated.items()
    }
    spares = {node: spare for node, spare in spares.items() if node not in outs}
    outs |= {node: f"spare_{node.name}.take()" for node in spares}
    lines = [statement(node, node in found.home, outs.get(node), scope) for node in graph.nodes if node.kind == "call"]
    lines += [copy(node) for node in graph.nodes if node.kind == "write" and node.inputs[1] not in found.donated]
    lengths = symbols(graph)
    if found.home and lengths:
        scope["rooms"] = Rooms(graph.name, found, plan, planner, lengths)
        lines = [
            f"room = rooms.take({', '.join(lengths)})",
            f"{listed(found)} = room.shown",
            *lines,
            "rooms.keep(room)",
        ]
    elif found.home:
        values = [(n.shape, n.dtype, plan.offsets[i]) for n, i in found.home.items()]
        key, show = arena.join(graph.name, plan, values)
        scope |= {"pool": arena.pool, "Held": Held, "show": show}
        lines = [
            "held = pool.pop() if pool else Held()",
            f"{listed(found)} = held.shown.get({key}) or show(held)",
            *lines,
            "pool.append(held)",
        ]
    scope |= {format_input(n): n.payload.value for n in graph.nodes if n.kind == "get_attr"}
    scope |= {f"spare_{node.name}": spare for node, spare in spares.items()}
    lines += [f"spare_{node.name}.keep({format_input(node)})" for node in spares]
    return Kernel(graph, lines, scope, plan, arena, lengths)


def listed(found: Homes) -> str:
    """The temporaries, as the target of an assignment."""
    return ", ".join(map(format_input, found.home)) + ("," if len(found.home) == 1 else "")


def built(source: str, name: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The function that the source defines. A traceback shows its lines."""
    space: dict[str, Any] = {"__name__": __name__, **scope}
    exec(code_of(source, name), space)
    return space["f"]


@lru_cache(maxsize=MOST)
def code_of(source: str, name: str) -> CodeType:
    """The code of a source, which other kernels may have too: the same kernel at other sizes."""
    file = f"<minitorch_lab {name} {next(number)}>"
    code = compile(source, file, "exec")
    shown_as(file, source, next(part for part in code.co_consts if isinstance(part, CodeType)))
    return code


def statement(node: Node, there: bool, out: str | None, scope: dict[str, Any]) -> str:
    """`np.multiply(a, b, out=mul)  # f32[3]`, where the value is shown already; else it gets its name here."""
    assert node.op is not None
    into = f", out={out}" if out else ""
    parts = [format_input(i) for i in node.inputs] + [f"{k}={value(v, k, scope)}" for k, v in node.params.items()]
    call = f"{callee(suited(node.op, node.inputs), scope)}({', '.join(parts)}{into})  # {node.facts}"
    return call if there else f"{format_input(node)} = {call}"


def copy(node: Node) -> str:
    """`np.copyto(w, sub)`."""
    return f"np.copyto({', '.join(map(format_input, node.inputs))})"


def callee(op: Op, scope: dict[str, Any]) -> str:
    """NumPy's own function where the op is one, else the op's implementation under its name."""
    impl = op.impl
    known = getattr(impl, "__name__", "")
    if isinstance(impl, xp.ufunc) and getattr(xp, known, None) is impl:
        return f"np.{known}"
    key = f"{op.name}_op" if impl is OPS[op.name].impl else f"{op.name}_wide"  # narrow floats compute in float32
    scope[key] = impl
    return key


def format_input(x: Any) -> str:
    """An input: a value by its name, a number as Python writes it."""
    if isinstance(x, Node):
        taken = x.name.rstrip("_") in RESERVED or x.name.rstrip("_").endswith(("_op", "_wide"))
        return f"{x.name}_" if taken else x.name
    return repr(x) if plain(x) else f'float("{x}")'  # NaN and infinity have no literal


def value(x: Any, name: str, scope: dict[str, Any]) -> str:
    """A parameter: plain values as Python writes them, others by name."""
    if hasattr(x, "name") and x.name in DTYPES:
        return f'np.dtype("{x.name}")'
    if plain(x):
        return repr(x).replace("Ellipsis", "...")
    key = f"{name}_{len(scope)}"
    scope[key] = x
    return key


def plain(x: Any) -> bool:
    """Whether `repr(x)` is source for `x`: also of a size, which is an expression of the lengths."""
    if type(x) in UNKNOWN:
        return True
    if isinstance(x, (tuple, list)):
        return all(map(plain, x))
    if isinstance(x, slice):
        return all(map(plain, (x.start, x.stop, x.step)))
    return (
        x is None or x is ... or x is HOLE or isinstance(x, (str, bool, int)) or (isinstance(x, float) and x - x == 0)
    )


def writes_out(node: Node) -> bool:
    """Whether the op can write into memory that it is given."""
    assert node.op is not None
    impl = suited(node.op, node.inputs).impl
    if isinstance(impl, xp.ufunc):
        return True
    try:
        return "out" in signature(impl).parameters
    except (TypeError, ValueError):
        return False
