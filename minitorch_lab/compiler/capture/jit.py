"""`jit`: a function captured once per kind of argument, and run as a graph from then on. After JAX's `jit`."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper, wraps
from typing import Any

from ...core.array import ground, is_number
from ...core.interpret import autocast_mode, grad_mode, interpreting, uncast
from ...errors import ArgumentError
from ...func.boxing import as_tensor
from ...func.trees import flatten
from ...ops.front import taught
from ...tensors.tensor import Tensor
from ..ir.evaluate import evaluated
from ..ir.fake import facts_of
from ..ir.graph import Graph
from ..ir.symbolic import Capturing
from ..runtime.entry import entry
from ..runtime.region import Region
from ..targets.numpy.backend import compile_numpy
from .names import argument_names
from .script.script import script
from .trace import trace


def captured(func: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Graph:
    """The graph of `func(*args, **kwargs)`: its tensors and numbers become placeholders, the rest stays as it is.

    Raises:
        CaptureError: What the function does depends on an entry of a tensor.
    """
    flat, build = flatten([list(args), kwargs])
    graph = Graph(getattr(func, "__name__", "graph").replace("<lambda>", "graph"))
    capturing = Capturing(graph)
    names = iter(argument_names(func, args, kwargs))
    boxes = [capturing.argument(as_tensor(x), next(names)) if dynamic(x) else (next(names), x)[1] for x in flat]
    positional, named = build(boxes)
    with interpreting(capturing):
        leaves, rebuild = flatten(func(*positional, **named))
        nodes = [capturing.own(x).value if isinstance(x, Tensor) else x for x in leaves]
    capturing.settle()
    graph.output(rebuild(nodes))
    return graph


def dynamic(x: Any) -> bool:
    """Whether an argument is an input of the graph: tensors, arrays and numbers are."""
    return isinstance(x, Tensor) or is_number(x) or hasattr(x, "__array__")


@taught
def jit(func: Callable[..., Any], static_argnums: int | tuple[int, ...] = ()) -> Callable[..., Any]:
    """The function that captures `func` as a graph at its first call, and runs the graph from then on.

    A call whose arguments have other shapes, dtypes or structure, or other static values, is captured anew. Tensors and
    numbers are inputs of the graph; strings, None and what `static_argnums` names are constants of it. As in JAX the
    function should be pure: its Python runs while it is captured, so a print happens once, and the objects that it
    reaches by other ways than its arguments are remembered (their memory, not their entries).

    Args:
        func: A function of tensors, numbers and nested tuples, lists and dicts of them.
        static_argnums: The positions of arguments whose value the graph is made for. They must be hashable.

    Raises:
        CaptureError: `func` decides by an entry of a tensor, or asks for it as a number.
        ArgumentError: A static argument cannot be hashed.

    Example:
        >>> import minitorch_lab as ml
        >>> slope = ml.jit(ml.func.vmap(ml.func.grad(lambda x: x**3)))
        >>> slope(ml.tensor([1.0, 2.0]))
        tensor([ 3., 12.])
    """
    return Jitted(func, (static_argnums,) if isinstance(static_argnums, int) else tuple(static_argnums))


class Jitted:
    """A function under `jit`, with the graphs it has been captured as."""

    def __init__(self, func: Callable[..., Any], static: tuple[int, ...]) -> None:
        self.func, self.static = func, static
        self.graphs: dict[Any, Graph] = {}
        self.calls: dict[Any, Callable[..., Any]] = {}
        update_wrapper(self, func)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the graph for this kind of arguments, captured now if there is none yet."""
        fixed = {i % len(args): args[i] for i in self.static} if args else {}
        rest = [args[i] for i in range(len(args)) if i not in fixed]
        modes = grad_mode.get(), autocast_mode.get()
        key = (kind_of([rest, kwargs]), tuple((i, hashable(x)) for i, x in fixed.items()), modes)
        call = self.calls.get(key)
        if call is None:
            call = self.prepared(key, captured(around(self.func, fixed), tuple(rest), kwargs))
        return call(*once([x for x in flatten([rest, kwargs])[0] if dynamic(x)]))

    def prepared(self, key: Any, graph: Graph) -> Callable[..., Any]:
        """How the graph runs from now on: as a kernel where nothing but values is wanted, else op by op."""
        op_by_op = evaluated(graph)
        if any(n.kind == "get_attr" and n.payload.level for n in graph.nodes):
            return op_by_op  # it holds tensors of a transform, and dies with it
        self.graphs[key] = graph
        with uncast():
            self.calls[key] = entry(Region(graph, compile_numpy), op_by_op)
        return op_by_op


def around(func: Callable[..., Any], fixed: dict[int, Any]) -> Callable[..., Any]:
    """`func` as a function of its other arguments."""
    if not fixed:
        return func

    @wraps(func)
    def of_the_rest(*rest: Any, **kwargs: Any) -> Any:
        left = iter(rest)
        return func(*(fixed[i] if i in fixed else next(left) for i in range(len(rest) + len(fixed))), **kwargs)

    return of_the_rest


def once(xs: list[Any]) -> list[Any]:
    """Each tensor once: what was given twice is one argument of the graph."""
    return list({id(x) if isinstance(x, Tensor) else (i,): as_tensor(x) for i, x in enumerate(xs)}.values())


def kind_of(tree: Any) -> Any:
    """What a graph depends on: the structure, the facts of tensors, which of them are the same, and static values."""
    seen: dict[int, int] = {}
    return kinds(tree, seen)


def kinds(tree: Any, seen: dict[int, int]) -> Any:
    """The kind of a tree: that of a leaf, or its type and the kinds of its parts."""
    if isinstance(tree, Tensor):
        bottom = ground(tree) if type(tree) is Tensor else facts_of(tree)
        place = seen.setdefault(id(tree), len(seen))
        return tree.shape, tree.dtype, type(bottom), bottom.strides, place
    if isinstance(tree, (list, tuple)):
        return (type(tree), *(kinds(part, seen) for part in tree))
    if is_number(tree):
        return type(tree)
    if dynamic(tree):
        return type(tree), tuple(tree.shape), tree.dtype
    leaves, build = flatten(tree)
    if leaves == [tree]:
        return type(tree), hashable(tree)
    names = tuple(tree) if isinstance(tree, dict) else repr(build(list(range(len(leaves)))))
    return type(tree), names, *(kinds(leaf, seen) for leaf in leaves)


def hashable(x: Any) -> Any:
    """A static value as part of a key."""
    if isinstance(x, dict):
        return tuple((k, hashable(v)) for k, v in x.items())
    try:
        hash(x)
    except TypeError:
        raise ArgumentError(
            f"jit got a static argument of type {type(x).__name__}, which cannot be hashed.",
            "A graph is made for the values of its static arguments, and found again by them.",
            "Did you mean a tuple instead of a list?",
        ) from None
    return x


jit.trace, jit.script = trace, script  # pyright: ignore[reportFunctionMemberAccess]
