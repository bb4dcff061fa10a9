"""The `numpy` backend: a page of Python that calls NumPy, one line per value, into memory that is used again.

It needs no compiler, so it is always there; and it is the reference that the fast backends are compared with.
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from inspect import signature
from itertools import count
from typing import Any

from ...array import DTYPES, Array, xp
from ...func.trees import flatten
from ...ops.narrow import suited
from ...ops.op import OPS, Op
from ...ops.template import HOLE
from ..buffers import Buffers, assign
from ..graph import Graph, Node

number = count()


class Kernel:
    """A compiled graph: `kernel(*arrays)` gives the list of its results. `source` is what runs."""

    def __init__(self, name: str, source: str, fn: Callable[..., Any], buffers: Buffers) -> None:
        self.name, self.source, self.fn, self.buffers = name, source, fn, buffers

    def __call__(self, *arrays: Array) -> list[Array]:
        """Run."""
        return self.fn(*arrays)

    def __repr__(self) -> str:
        """The source."""
        return self.source


def compile_numpy(graph: Graph) -> Kernel:
    """A pure graph as a NumPy function.

    Example:
        >>> import minitorch_lab as ml
        >>> print(compile_numpy(ml.jit.trace(lambda a, b: (a * b + 1).tanh(), ml.ones(3), ml.ones(3)).graph).source)
        def f(a, b):
            buffers = pool.pop() if pool else make()
            mul, add = buffers
            np.multiply(a, b, out=mul)  # f32[3]
            np.add(mul, 1, out=add)  # f32[3]
            tanh = np.tanh(add)  # f32[3]
            pool.append(buffers)
            return [tanh]
    """
    buffers = assign(graph, writes_out, entrywise)
    scope: dict[str, Any] = {"np": xp, "HOLE": HOLE, "pool": []}
    lines = [statement(node, buffers, scope) for node in graph.nodes if node.kind == "call"]
    temporaries = list(buffers.slot)
    if temporaries:
        scope["make"] = maker(buffers)
        names = ", ".join(n.name for n in temporaries) + ("," if len(temporaries) == 1 else "")
        lines = ["buffers = pool.pop() if pool else make()", f"{names} = buffers", *lines, "pool.append(buffers)"]
    scope |= {n.name: n.payload.value for n in graph.nodes if n.kind == "get_attr"}
    results = ", ".join(written(leaf) for leaf in flatten(graph.returned)[0])
    body = "\n    ".join([*lines, f"return [{results}]"])
    source = f"def f({', '.join(n.name for n in graph.placeholders)}):\n    {body}"
    return Kernel(graph.name, source, built(source, graph.name, scope), buffers)


def built(source: str, name: str, scope: dict[str, Any]) -> Callable[..., Any]:
    """The function that the source defines. A traceback shows its lines."""
    file = f"<minitorch_lab {name} {next(number)}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), scope)
    return scope["f"]


def statement(node: Node, buffers: Buffers, scope: dict[str, Any]) -> str:
    """`np.multiply(a, b, out=mul)  # f32[3]`."""
    assert node.op is not None
    into = f", out={node.name}" if node in buffers.slot else ""
    parts = [written(i) for i in node.inputs] + [f"{k}={value(v, k, scope)}" for k, v in node.params.items()]
    call = f"{callee(suited(node.op, node.inputs), scope)}({', '.join(parts)}{into})  # {node.facts}"
    return call if into else f"{node.name} = {call}"


def callee(op: Op, scope: dict[str, Any]) -> str:
    """NumPy's own function where the op is one, else the op's implementation under its name."""
    impl = op.impl
    known = getattr(impl, "__name__", "")
    if isinstance(impl, xp.ufunc) and getattr(xp, known, None) is impl:
        return f"np.{known}"
    key = f"{op.name}_op" if impl is OPS[op.name].impl else f"{op.name}_wide"  # narrow floats compute in float32
    scope[key] = impl
    return key


def written(x: Any) -> str:
    """An input: a value by its name, a number as Python writes it."""
    if isinstance(x, Node):
        return x.name
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
    """Whether `repr(x)` is source for `x`."""
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


def entrywise(node: Node) -> bool:
    """Whether the op reads an entry before it writes it: then it may write into its own input."""
    if node.op is None:
        return False
    impl = suited(node.op, node.inputs).impl
    return isinstance(impl, xp.ufunc) and impl.signature is None


def maker(buffers: Buffers) -> Callable[[], tuple[Array, ...]]:
    """The function that allocates the slots, and shows every temporary in its own."""
    layout = [(i, n.shape, n.dtype, n.nbytes) for n, i in buffers.slot.items()]

    def make() -> tuple[Array, ...]:
        slots = [xp.empty(size, "uint8") for size in buffers.sizes]
        return tuple(slots[i][:nbytes].view(dtype).reshape(shape) for i, shape, dtype, nbytes in layout)

    return make
