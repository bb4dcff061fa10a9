"""Rewrite rules of your own: two functions, of which the second may stand for the first wherever it occurs.

The first function is captured, and its graph is the pattern. Its arguments are the wildcards: each stands for any
tensor or number. A number written in the function stands for that number alone. Ops and their wiring must be the same,
with the operands of a sum or a product in either order. What is found is captured again for the shapes at hand, and
must then be the same in every parameter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import Context
from inspect import signature
from typing import Any, NamedTuple

from ...core.array import DType, bool_, is_float, xp
from ...errors import CaptureError
from ...func.boxing import as_tensor
from ...func.trees import flatten
from ...tensors.factories import ones, tensor
from ...tensors.tensor import Tensor
from ..ir.fake import facts_of
from ..ir.graph import Facts, Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, draws
from .dce import dce
from .matching import Bound, matches, pattern_of, same, unified

ROUNDS = 3
TOLERANCE = {2: 2e-2, 4: 1e-4, 8: 1e-9}  # by the bytes of an entry


class Replaced(NamedTuple):
    """The new graph, and how often the pattern was replaced."""

    graph: Graph
    times: int


class Argument(NamedTuple):
    """What is known of an argument of a pattern."""

    facts: Facts


def replace_pattern(
    graph: Graph, before: Callable[..., Any], after: Callable[..., Any], *examples: Any, tally: Tally | None = None
) -> Replaced:
    """The graph with `after` wherever it computes what `before` computes, without the dead code that leaves.

    The two are first run on random numbers, and must agree. Where a value in the middle is needed elsewhere, nothing
    is replaced; nor where an argument is made only after a result of the pattern.

    Args:
        graph: The graph, which stays as it is.
        before: A function of tensors, with one result or several.
        after: A function of the same arguments, with the same results.
        examples: Tensors of shapes for which `before` makes sense; square matrices of float32 if left out.
        tally: Where to count.

    Raises:
        CaptureError: The two differ, or do not take the same arguments; or `before` computes nothing.

    Example:
        >>> import minitorch_lab as ml
        >>> graph = ml.jit.trace(lambda a, b: (a / (1 + (-b).exp())).sum(), ml.ones(3), ml.ones(3)).graph
        >>> replace_pattern(graph, lambda x, y: x / (1 + (-y).exp()), lambda x, y: x * y.sigmoid()).graph
        graph(a: f32[3], b: f32[3]):
            sigmoid: f32[3] = sigmoid(b)
            mul: f32[3] = mul(a, sigmoid)
            sum: f32[] = sum(mul, axis=(0,), keepdims=False)
            return sum
    """
    given = [as_tensor(x) for x in examples] or [ones(4, 4)] * len(signature(before).parameters)
    check_arguments(before, after, len(given))
    prove(before, after, given)
    pattern = pattern_of(before, [Argument(facts_of(x)) for x in given])
    results = [r for r in pattern.returned if isinstance(r, Node) and r.kind == "call"]
    read = {feed for node in pattern.calls for feed in node.feeds}
    if len(results) < len(pattern.returned) or not read.issuperset(pattern.placeholders):
        raise CaptureError(
            f"replace_pattern got a pattern that gives ({', '.join(map(str, pattern.returned))}).",
            "Every result of it is computed by an op, and every argument is read, so that it can be found.",
            "Return only what is computed, and drop arguments that are not read.",
        )
    replacing = Replacing(graph, tally)
    replacing.before, replacing.after = before, after
    for bound in matches(results, graph, {}):
        replacing.consider(bound, pattern, results)
    new = replacing.rewritten()
    return Replaced(dce(new), replacing.count)


class Replacing(Rewriter):
    """Runs `after` where the first result of a match stands."""

    made_by = "replace_pattern"
    before: Callable[..., Any]
    after: Callable[..., Any]

    def __init__(self, graph: Graph, tally: Tally | None = None) -> None:
        super().__init__(graph, tally)
        self.count = 0
        self.users = graph.users()
        self.place = {node: i for i, node in enumerate(graph.nodes)}
        self.taken: set[Node] = set()
        self.sites: dict[Node, tuple[list[Any], list[Node]]] = {}  # by the first result: arguments, results

    def consider(self, bound: Bound, pattern: Graph, results: list[Node]) -> None:
        """Note a match, if it may be replaced."""
        arguments = [bound[p] for p in pattern.placeholders]
        outs = [bound[r] for r in results]
        inside = {bound[p] for p in pattern.calls}
        first = min(outs, key=self.place.__getitem__)
        if self.free(inside, outs) and self.ready(arguments, first) and self.exact(arguments, outs):
            self.taken |= inside
            self.sites[first] = arguments, outs

    def free(self, inside: set[Node], outs: list[Node]) -> bool:
        """Whether nobody else needs what is computed on the way, and all of it is differentiated alike."""
        alone = all(set(self.users[n]) <= inside for n in inside if n not in outs)
        plain = all(self.steady(n) and not draws(n) for n in inside)
        return alone and plain and not inside & self.taken and len({n.grad for n in inside}) == 1

    def ready(self, arguments: list[Any], first: Node) -> bool:
        """Whether all arguments are made before the first result, and stay as they are."""
        return all(self.place[a] < self.place[first] and self.steady(a) for a in arguments if isinstance(a, Node))

    def exact(self, arguments: list[Any], outs: list[Node]) -> bool:
        """Whether `before`, captured for these very arguments, is what the graph computes."""
        again = pattern_of(self.before, arguments)
        given = (a for a in arguments if isinstance(a, Node))
        bound = dict(zip(again.placeholders, given, strict=True))
        return next(unified(list(zip(again.returned, outs, strict=True)), bound, same), None) is not None

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """What `after` gives."""
        if node not in self.sites:
            return None
        arguments, outs = self.sites[node]
        new = self.emit(lambda *xs: flatten(self.after(*xs))[0], *map(self.at, arguments))
        fit = all(isinstance(x, Node) and self.fits(old, x) for old, x in zip(outs, new, strict=True))
        if not fit or len(set(new)) < len(set(outs)):
            return None
        self.count += 1
        self.twin |= dict(zip(outs, new, strict=True))
        return "replaced", self.twin[node]


# ---- the proof ------------------------------------------------------------------------------------------------------


def check_arguments(before: Callable[..., Any], after: Callable[..., Any], count: int) -> None:
    """Refuse functions of different arguments.

    Raises:
        CaptureError: They do not take as many as there are examples.
    """
    counts = [len(signature(fn).parameters) for fn in (before, after)]
    if counts != [count, count]:
        raise CaptureError(
            f"replace_pattern got functions of {counts[0]} and {counts[1]} arguments, and {count} examples.",
            "One stands for the other, so both take the same, and each argument has an example.",
            f"Let both take ({', '.join(signature(before).parameters)}).",
        )


def prove(before: Callable[..., Any], after: Callable[..., Any], examples: Sequence[Tensor]) -> None:
    """Run both on random numbers.

    Raises:
        CaptureError: They differ: the text says where.
    """
    rng = xp.random.default_rng(0)
    for _ in range(ROUNDS):
        arrays = [random_like(rng, x.shape, x.dtype) for x in examples]
        with xp.errstate(all="ignore"):
            old, new = ([as_tensor(x) for x in run(fn, arrays)] for fn in (before, after))
        kinds = [[str(facts_of(x)) for x in found] for found in (old, new)]
        if kinds[0] != kinds[1]:
            raise CaptureError(
                f"replace_pattern got a pattern that gives ({', '.join(kinds[0])}), and a replacement that gives "
                f"({', '.join(kinds[1])}).",
                "What stands for a value has its shape and dtype.",
                "Cast or reshape in the replacement.",
            )
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            check_equal(i, a.detach().numpy(), b.detach().numpy())


def run(fn: Callable[..., Any], arrays: list[Any]) -> list[Any]:
    """The results of `fn` for copies of the arrays, eagerly, whoever is in force here."""
    return Context().run(lambda: flatten(fn(*[tensor(a) for a in arrays]))[0])


def random_like(rng: Any, shape: tuple[int, ...], dtype: DType) -> Any:
    """Numbers of both signs, some of them large."""
    if is_float(dtype):
        return (rng.normal(size=shape) * 3).astype(dtype)
    return rng.integers(0, 2, shape).astype(bool_) if dtype == bool_ else rng.integers(-5, 6, shape).astype(dtype)


def check_equal(i: int, a: Any, b: Any) -> None:
    """Refuse results that differ.

    Raises:
        CaptureError: They do.
    """
    tolerance = TOLERANCE.get(a.dtype.itemsize, 0.0) if is_float(a.dtype) else 0.0
    wide_a, wide_b = xp.asarray(a, "float64"), xp.asarray(b, "float64")
    near = xp.isclose(wide_a, wide_b, rtol=tolerance, atol=tolerance, equal_nan=True)
    if not near.all():
        at = tuple(int(n) for n in xp.argwhere(~near)[0])
        raise CaptureError(
            f"replace_pattern got two functions that differ: entry {at} of result {i} is {wide_a[at]:.4f} before "
            f"and {wide_b[at]:.4f} after.",
            "A rewrite gives the same numbers for every input; this was a random one.",
            "Compare the two functions on such numbers: negative ones, for instance, or large ones.",
        )
