"""The check of the exercise in which the reader writes a rewrite as two functions: a softmax written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...compiler.capture.api import compile
from ...compiler.ir.cost import unfused
from ...compiler.ir.graph import Graph
from ...compiler.ir.rewrite import named
from ...compiler.passes.patterns import replace_pattern
from ...errors import CaptureError
from ...tensors.factories import ones, tensor
from ...tensors.random import manual_seed, randn
from ...tensors.tensor import Tensor
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten
from .changes import graph_of

__all__ = ["attention", "check_rewrite"]

Side = Callable[[Any], Any]


def attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """Weighted values, with a softmax written by hand."""
    scores = q @ k.T
    shifted = (scores - scores.amax(1, keepdim=True)).exp()
    return (shifted / shifted.sum(1, keepdim=True)) @ v


def classify(x: Tensor, w: Tensor) -> Tensor:
    """The same softmax after another product, twice."""
    for _ in range(2):
        x = x @ w
        shifted = (x - x.amax(1, keepdim=True)).exp()
        x = shifted / shifted.sum(1, keepdim=True)
    return x


def down_the_columns(x: Tensor) -> Tensor:
    """The softmax over the other axis."""
    e = (x - x.amax(0, keepdim=True)).exp()
    return e / e.sum(0, keepdim=True)


GRAPHS = [
    (attention, ((6, 4), (5, 4), (5, 3)), 1, "attention"),
    (classify, ((6, 4), (4, 4)), 2, "another function, with the same softmax twice and no transpose before it"),
]

# Patterns that are found here, and nowhere in attention, tell what a reader was thinking.
NEAR_MISSES = [
    (down_the_columns, "your pattern goes down the columns, and attention along each row: axis 1."),
    (lambda x: x.softmax(1) + 1, "your pattern is the softmax that you want to have. The first function is what is in "
                                 "the graph now, written by hand."),
]  # fmt: skip


@answering
def check_rewrite(before: Side, after: Side) -> Verdict:
    """Check the reader's two functions: proven, found in two graphs, cheaper, and run inside the compiler."""
    identical, _ = attempt(same_graph, before, after)
    if identical:
        return unwritten("both functions are the same, so nothing is saved.")
    bills: list[str] = []
    for fn, shapes, wanted, name in GRAPHS:
        graph = graph_of(fn, *(ones(*s) for s in shapes))
        found, error = attempt(replace_pattern, graph, before, after)
        if error is not None or found is None:
            return refused(error or TypeError())
        if found.times == 0 and fn is attention:
            return missed(before, after)
        if found.times < wanted:
            return not_yet(f"found {found.times} of {wanted} times in {name}. The pattern should be the softmax, no "
                           "less and no more: what stands before it belongs to somebody else.")  # fmt: skip
        if problem := too_little(graph, found.graph):
            return problem
        bills.append(f"{unfused(graph).nbytes:,} → {unfused(found.graph).nbytes:,}")
    if overflows(after):
        return not_yet("for scores of 1000 your second function gives NaN: exp is more than a float can hold. The op "
                       "that does it all subtracts the largest score by itself.")  # fmt: skip
    if not in_the_compiler(before, after):
        return not_yet("alone it is right, and inside the compiler it is not found, or something else comes out.")
    return done(f"proven on random numbers, found once in attention and twice elsewhere: {' and '.join(bills)} bytes. "
                "And it has run as a pass of ml.compile.")  # fmt: skip


def overflows(after: Side) -> bool:
    """Whether large scores are too much."""
    made, error = attempt(lambda: after(tensor([[1000.0, 999.0], [-1000.0, 0.0]])).sum().item())
    return error is None and made is not None and not abs(made - 2.0) <= 1e-4


def refused(error: Exception) -> Verdict:
    """The two functions were not taken."""
    text = describe_error(error)
    if not isinstance(error, CaptureError):
        return stopped("one of your functions", error)
    if "differ" in text:
        return not_yet(f"{text.partition(' A rewrite')[0].replace('replace_pattern got', 'you wrote')} Is the axis "
                       "right? Are they probabilities, and not their logarithms?")  # fmt: skip
    return not_yet(text)


def missed(before: Side, after: Side) -> Verdict:
    """The pattern is not in attention: where is it?"""
    for fn, said in NEAR_MISSES:
        graph = graph_of(fn, ones(4, 4))
        found, error = attempt(replace_pattern, graph, before, after)
        if error is None and found is not None and found.times:
            return not_yet(said)
    return not_yet("your pattern is right as a function, and it is nowhere in attention. It is found op for op: print "
                   "lesson.graph_of(before, ml.ones(4, 4)) beside the graph of attention.")  # fmt: skip


def same_graph(before: Side, after: Side) -> bool:
    """Whether the two are one program."""
    texts = [str(graph_of(fn, ones(4, 4))).partition("\n")[2] for fn in (before, after)]
    return texts[0] == texts[1]


def too_little(old: Graph, new: Graph) -> Verdict | None:
    """What could be better about the new graph, if anything."""
    if unfused(new).nbytes < unfused(old).nbytes:
        if not any(named(node) == "amax" for node in new.calls):
            return None
        return not_yet("found, and right: the x of your pattern stands for the shifted scores. But the shift is still "
                       "computed outside, and softmax does that itself. Take it into the pattern.")  # fmt: skip
    return not_yet(f"found, and replaced by something that moves as many bytes: {unfused(old).nbytes:,} before and "
                   f"{unfused(new).nbytes:,} after. Is there one op that does it all?")  # fmt: skip


def in_the_compiler(before: Side, after: Side) -> bool:
    """Whether the rewrite as a pass of the compiler is found, and keeps values and gradients."""
    manual_seed(0)
    leaves = [randn(*shape, requires_grad=True) for shape in GRAPHS[0][1]]
    times: list[int] = []

    def own(graph: Graph) -> Graph:
        found = replace_pattern(graph, before, after)
        times.append(found.times)
        return found.graph

    compiled = compile(attention, options={"passes": [own]})
    found: list[list[float]] = []
    for run in (attention, compiled, compiled):  # the first call of a compiled function writes down, the second runs
        for x in leaves:
            x.grad = None
        out = run(*leaves)
        (out * out).sum().backward()
        values = run(*(x.detach() for x in leaves))
        found.append([v for x in (values, *(x.grad for x in leaves)) if x is not None for v in x.flatten().tolist()])
    same = all(abs(a - b) <= 1e-4 * (1 + abs(a)) for a, b in zip(found[0], found[-1], strict=True))
    return same and sum(times) > 0
