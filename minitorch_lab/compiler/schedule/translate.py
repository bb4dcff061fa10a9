"""From nodes to values: a rule for each op that kernels can compute. What has no rule is left to NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...core.array import ground, to_device
from ...ops.axes import numel
from ...ops.word import FLOATS, NUMBERS, Word
from ..ir.graph import Graph, Node
from ..ir.rewrite import named
from ..ir.views import is_view
from .contract import contracted, folded, framed, inward, slides, windows
from .moves import copied, expanded, flipped, in_shape, part, permuted, reshaped, stretched, transposed, view
from .short import extreme, laid, picked, reduced, side_by_side
from .triangles import mask
from .values import SIZES, Value, base, word


class Translation:
    """The values of a pure graph, by node.

    Attributes:
        of: The value of a node. That of a node which is left to NumPy is an input of the kernels.
        outside: The nodes that NumPy runs, in order.
        views: The views that only NumPy can make; kernels read them like arguments.
        device: Where the kernels run: what lies elsewhere is left to NumPy too.
        library: The ops that are left to NumPy, and the library that it calls, by choice.
    """

    def __init__(self, graph: Graph, device: str = "cpu", library: frozenset[str] = frozenset()) -> None:
        self.device, self.library = device, library
        self.of: dict[Node, Value] = {}
        self.outside: list[Node] = []
        self.views: list[Node] = []
        self.users = graph.users()
        for node in graph.nodes[:-1]:
            filled = (number(node) or mask(node)) if self.here(node) else None
            value = self.translated(node) if node.kind == "call" else filled
            if value is None:
                value = Value("input", (), node.shape, word(node), node.name, node)
                if node.kind == "call":
                    (self.views if is_view(node) else self.outside).append(node)
            self.of[node] = value = inward(value) if all(self.once(n) for n in node.feeds) else value
            value.node = value.node or node

    def here(self, node: Node) -> bool:
        """Whether a node lies where the kernels run."""
        return node.device == self.device and named(node) not in self.library

    def once(self, node: Node) -> bool:
        """Whether only one node reads a node."""
        return len(self.users[node]) == 1

    def translated(self, node: Node) -> Value | None:
        """The value of a call, or None if kernels cannot compute it."""
        assert node.op is not None
        sizes = [numel(f.shape) for f in (node, *node.feeds)]
        dtypes = [word(f) for f in (node, *node.feeds)]
        if 0 in sizes or not all(d in SIZES for d in dtypes) or not self.here(node):
            return None
        if node.op.word and node.op.word.dtypes:
            return self.entrywise(node, node.op.word)
        rule = reduction if node.op.reduces else RULES.get(node.op.name)
        return rule(node, *(self.value(i, dtypes[-1]) for i in node.inputs)) if rule else None

    def value(self, x: Any, dtype: str) -> Value:
        """The value of an input; a Python number takes the dtype of what it meets."""
        return self.of[x] if isinstance(x, Node) else Value("const", (), (), dtype, x)

    def entrywise(self, node: Node, known: Word) -> Value | None:
        """An op that works entry by entry, on inputs of one dtype."""
        assert node.op is not None
        name, feeds = node.op.name, node.inputs
        branches = feeds[1:] if name == "where" else feeds
        met = {word(f) for f in branches if isinstance(f, Node)} or {word(node)}
        if len(met) > 1 or not met <= known.dtypes or (name == "where" and not condition(feeds[0])):
            return None
        dtype = met.pop()
        src = tuple(self.value(f, "b8" if name == "where" and f is feeds[0] else dtype) for f in feeds)
        name = known.of_truth or name if dtype == "b8" else name
        return Value(name, src, node.shape, word(node), node=node)


def condition(x: Any) -> bool:
    """Whether `where` can choose by it."""
    return isinstance(x, Node) and word(x) == "b8"


def number(node: Node) -> Value | None:
    """The number that fills a constant which a pass has made; None if it holds others, or is no constant."""
    if node.kind != "get_attr" or not node.made_by or word(node) not in SIZES or not numel(node.shape):
        return None
    entries = to_device(ground(node.payload), "cpu")
    first = entries[(0,) * node.ndim]
    return Value("const", (), node.shape, word(node), first.item()) if (entries == first).all() else None


def constant(number: Any, dtype: str) -> Value:
    """A number."""
    return Value("const", (), (), dtype, number)


# ---- what computes --------------------------------------------------------------------------------------------------


def reduction(node: Node, x: Value) -> Value | None:
    """One axis after the other, the last first; then the axes that are dropped are dropped."""
    assert node.op is not None
    if node.op.reduces == "sum" and not {x.dtype} & {"f32", "f64", "i64"}:
        return None
    if x.dtype == "b8":
        return None
    if x.op == "matmul" and node.op.reduces == "sum" and sorted(node.params["axis"]) == list(range(len(x.shape) - 2)):
        return in_shape(over_all(x, node), node.shape)
    if (short := reduced(node, x)) is not None:
        return short
    for d in sorted(node.params["axis"], reverse=True):
        if x.shape[d] > 1:
            shape = (*x.shape[:d], 1, *x.shape[d + 1 :])
            x = Value("reduce", (x,), shape, x.dtype, (node.op.reduces, d), node)
    return in_shape(x, node.shape)


def product(node: Node, a: Value, b: Value) -> Value | None:
    """A product of matrices. With a vector on a side it is a sum along rows."""
    if a.dtype not in FLOATS:
        return None
    if len(a.shape) > 2 and a.shape[:-2] == b.shape[:-2] and (found := contracted(node, a, b)):
        return in_shape(found, node.shape)
    lifted = in_shape(a, (1, *a.shape)) if len(a.shape) == 1 else a
    right = in_shape(b, (*b.shape, 1)) if len(b.shape) == 1 else b
    lead = node.shape[: node.ndim - (len(a.shape) > 1) - (len(b.shape) > 1)]
    m, k, n = lifted.shape[-2], lifted.shape[-1], right.shape[-1]
    if k == 1 or n == 1 or m == 1:
        out = as_sum(stretched(lifted, (*lead, m, k)), stretched(right, (*lead, k, n)), node)
    else:
        lifted, right = stretched(lifted, (*lead, m, k)), stretched(right, (*lead, k, n))
        out = Value("matmul", (lifted, right), (*lead, m, n), a.dtype, node=node)
    return in_shape(out, node.shape)


def over_all(x: Value, node: Node) -> Value:
    """The sum of all products of a batch: one product, of all columns beside each other and all rows below."""
    a, b = x.src
    *lead, m, k = a.shape
    depth = numel(tuple(lead)) * k
    left = in_shape(transposed(a), (depth, m))
    return Value("matmul", (transposed(left), in_shape(b, (depth, b.shape[-1]))), (m, b.shape[-1]), x.dtype, node=node)


def as_sum(a: Value, b: Value, node: Node) -> Value:
    """Σ over k of a[m, k] b[k, n], where one of m, k and n is 1: along the axis that is left."""
    *lead, m, k = a.shape
    n, r = b.shape[-1], len(lead)
    if n == 1:  # rows of a against one vector
        across = view(b, (*lead, m, k), [*((0, {d: 1}) for d in range(r)), (0, {r + 1: 1}), (0, {})])
        products = Value("mul", (a, across), (*lead, m, k), a.dtype, node=node)
        return products if k == 1 else summed(products, r + 1, node)
    down = view(a, (*lead, k, n), [*((0, {d: 1}) for d in range(r)), (0, {}), (0, {r: 1})])
    if k == 1:
        return Value("mul", (a, b), (*lead, m, n), a.dtype, node=node)
    products = Value("mul", (down, b), (*lead, k, n), a.dtype, node=node)
    return summed(products, r, node)


def summed(x: Value, d: int, node: Node) -> Value:
    """The sum along an axis, which is kept."""
    return Value("reduce", (x,), (*x.shape[:d], 1, *x.shape[d + 1 :]), x.dtype, ("sum", d), node)


def gathered(node: Node, x: Value, index: Value) -> Value | None:
    """One entry of each row, of rows that are being computed: the sum over a row that is 0 everywhere else."""
    d = node.params["axis"]
    whole = tuple(n for e, n in enumerate(x.shape) if e != d) == tuple(n for e, n in enumerate(index.shape) if e != d)
    if index.shape[d] != 1 or not whole or not computed_row(x, d) or slides(node.feeds[0]):
        return picked(node, x, index) if slides(node.feeds[0]) else None
    here = Value("iota", (), x.shape, index.dtype, (d, 0, 1))
    chosen = Value("eq", (here, index), x.shape, "b8", node=node)
    kept = Value("where", (chosen, x, constant(0, x.dtype)), x.shape, x.dtype, node=node)
    return kept if x.shape[d] == 1 else Value("reduce", (kept,), index.shape, x.dtype, ("sum", d), node)


def computed_row(x: Value, d: int) -> bool:
    """Whether the rows along `d` are computed here anyway, and not only read."""
    return d == len(x.shape) - 1 and base(x).op not in ("input", "const")


def placed(node: Node, x: Value, *arrays: Value) -> Value | None:
    """Zeros with `x` at numbers of some axes; slices that are not whole, and index arrays, are left to NumPy."""
    index, shape = list(node.params["index"]), node.shape
    if Ellipsis in index:
        at = index.index(Ellipsis)
        index[at : at + 1] = [slice(None)] * (len(shape) - len(index) + 1)
    index += [slice(None)] * (len(shape) - len(index))
    if arrays or not all(isinstance(p, int) or p == slice(None) for p in index):
        return None
    kept = iter(d for d, p in enumerate(index) if not isinstance(p, int))
    out = view(x, shape, [(0, {next(kept): 1}) for _ in x.shape])
    for d, p in enumerate(index):
        if isinstance(p, int):
            here = Value(
                "eq",
                (Value("iota", (), shape, "i32", (d, 0, 1)), constant(p + shape[d] if p < 0 else p, "i32")),
                shape,
                "b8",
            )
            out = Value("where", (here, out, constant(0, x.dtype)), shape, x.dtype, node=node)
    return out


def one_hot(node: Node, x: Value) -> Value:
    """1 where the axis counts the class, 0 elsewhere."""
    last = node.ndim - 1
    here = Value("iota", (), node.shape, x.dtype, (last, 0, 1))
    given = view(x, (*x.shape, 1), [(0, {d: 1}) for d in range(len(x.shape))])
    return Value("cast", (Value("eq", (here, given), node.shape, "b8", node=node),), node.shape, word(node), node=node)


def triangle(keep: str) -> Callable[..., Value]:
    """`tril` or `triu`: entries on one side of a diagonal, 0 on the other."""

    def rule(node: Node, x: Value) -> Value:
        rows, columns = node.ndim - 2, node.ndim - 1
        i = Value("iota", (), node.shape, "i32", (rows, node.params["diagonal"], 1))
        j = Value("iota", (), node.shape, "i32", (columns, 0, 1))
        inside = Value(keep, (j, i), node.shape, "b8", node=node)
        return Value("where", (inside, x, constant(0, x.dtype)), node.shape, x.dtype, node=node)

    return rule


def clamped(node: Node, x: Value) -> Value | None:
    """One bound; `decompose` has parted two. The bound comes first: of equals the second is what stays."""
    for name, op in (("min", "maximum"), ("max", "minimum")):
        if node.params[name] is not None and x.dtype in FLOATS:
            x = Value(op, (constant(node.params[name], x.dtype), x), node.shape, x.dtype, node=node)
    return x if x.op in ("maximum", "minimum") else None


def power(node: Node, x: Value, y: Value) -> Value | None:
    """The exponents that are products."""
    if y.op != "const" or y.attr not in (1, 2, 3) or x.dtype not in NUMBERS or x.op == "const":
        return None
    out = x
    for _ in range(int(y.attr) - 1):
        out = Value("mul", (out, x), node.shape, word(node), node=node)
    return out


def cast(node: Node, x: Value) -> Value | None:
    """Another dtype; a float too large for a whole number is left to NumPy, who has a rule for it."""
    if x.dtype == word(node):
        return x
    if x.dtype in FLOATS and word(node) not in (*FLOATS, "b8"):
        return None
    return Value("cast", (x,), node.shape, word(node), node=node)


def full(node: Node) -> Value:
    """One number everywhere."""
    return Value("const", (), node.shape, word(node), node.params["value"])


def arange(node: Node) -> Value | None:
    """Whole numbers in equal steps."""
    start, step = node.params["start"], node.params["step"]
    whole = isinstance(start, int) and isinstance(step, int)
    return Value("iota", (), node.shape, word(node), (0, start, step)) if whole else None


RULES: dict[str, Callable[..., Value | None]] = {
    "expand": expanded,
    "permute": permuted,
    "flip": flipped,
    "reshape": reshaped,
    "getitem": part,
    "additem": placed,
    "detach": lambda node, x: x,
    "clone": lambda node, x: copied(x),
    "contiguous": lambda node, x: x,
    "matmul": product,
    "window": windows,
    "fold": lambda node, x: side_by_side(node, x) or folded(node, x),
    "argmax": extreme("le"),
    "argmin": extreme("ge"),
    "scatter_add": laid,
    "pad": framed,
    "gather": gathered,
    "one_hot": one_hot,
    "tril": triangle("le"),
    "triu": triangle("ge"),
    "clamp": clamped,
    "pow": power,
    "cast": cast,
    "full": full,
    "arange": arange,
}
