"""Where a joint graph is cut: the checks of a reader's choice, and of a reader's idea of what is cheap."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ...compiler.autodiff.aot import Joint, joint
from ...compiler.autodiff.partition import (
    Partition,
    behind,
    cheap,
    cut,
    default_partition,
    from_tangents,
    min_cut_partition,
    needed,
    work,
)
from ...compiler.capture.trace import trace
from ...compiler.ir.graph import Graph, Node
from ...compiler.passes.functionalise import functionalise
from ...compiler.runtime.region import Region
from ...compiler.targets.backends import backend_of
from ...nn.functional import dropout
from ...tensors.factories import ones
from ...tensors.random import manual_seed, randn
from ...tensors.tensor import Tensor
from ..unaided import unaided
from ..values import described, truth
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from ..walks import nodes_of, root_of

Choose = Callable[[Joint], Iterable[Node]]
Again = Callable[[Node], bool]


def joint_of(fn: Callable[..., Any], *examples: Tensor) -> Joint:
    """The joint graph of `fn`, by those examples that ask for a gradient; by all of them if none does.

    Example:
        >>> import minitorch_lab as ml
        >>> joint_of(lambda a: 0.1 * a, ml.ones(1)).gradients
        [mul_1]
    """
    wanted = [i for i, x in enumerate(examples) if x.requires_grad] or None
    return joint(functionalise(trace(fn, *examples).graph).graph, wanted)


def values(both: Joint) -> list[Node]:
    """The values that may be saved: all that do not depend on a tangent, for these do not exist yet.

    Example:
        >>> import minitorch_lab as ml
        >>> values(joint_of(lambda a: a * a.sigmoid(), ml.ones(3)))
        [primals_1, sigmoid, mul, sub, mul_3]
    """
    late = from_tangents(both)
    return [n for n in both.graph.nodes if n not in late and n.kind != "output"]


def enough(both: Joint, saved: Iterable[Node], again: Again = cheap) -> bool:
    """Whether cheap ops alone lead from `saved` to everything that the backward pass needs.

    Example:
        >>> import minitorch_lab as ml
        >>> both = joint_of(lambda a: a * a.sigmoid(), ml.ones(3))
        >>> enough(both, both.primals), enough(both, [])
        (True, False)
    """
    return not out_of_reach(both, saved, again)


def out_of_reach(both: Joint, saved: Iterable[Node], again: Again = cheap) -> list[Node]:
    """The values that would have to be computed again and cannot be."""
    kept = set(saved)
    behind_it = behind(needed(both), lambda n: n in kept)
    return [n for n in both.graph.nodes if n in behind_it and (n.kind != "call" or not again(n))]


def fewest(both: Joint) -> list[Node]:
    """The values with the fewest bytes that are enough, found by trying all sets of them."""
    everything = values(both)
    sets = (some for count in range(len(everything) + 1) for some in combinations(everything, count))
    return list(min((some for some in sets if enough(both, some)), key=weight))


def weight(saved: Iterable[Node]) -> int:
    """Bytes."""
    return sum(n.nbytes for n in saved)


def entries(again: Iterable[Node]) -> int:
    """The entries that computing these values passes over.

    Example:
        >>> import minitorch_lab as ml
        >>> entries(min_cut_partition(joint_of(lambda a: a * a.sigmoid(), ml.ones(3))).recomputed)
        3
    """
    return round(sum(map(work, again)))


@dataclass(eq=False, slots=True)
class OwnRegion(Region):
    """A compiled region that is cut by the reader's function from a joint graph to a partition."""

    partition: Callable[[Joint], Partition] = field(default=default_partition)

    def parted(self, both: Joint) -> Partition:
        """Where the reader says."""
        return self.partition(both)


def region(graph: Graph, partition: Callable[[Joint], Partition]) -> OwnRegion:
    """A compiled region of `graph`, cut by `partition`, on the `numpy` backend."""
    return OwnRegion(graph, backend_of("numpy"), partition=partition)


def workspace(forward: Any) -> int:
    """Bytes of the arenas that the kernels of a region keep from call to call; a plain function has none.

    Example:
        >>> import minitorch_lab as ml
        >>> compiled = region(trace(lambda x: x.sin().exp() * 2, ml.ones(100)).graph, default_partition)
        >>> _ = compiled(ml.ones(100, requires_grad=True))
        >>> workspace(compiled)
        896
    """
    return sum(made.forward.arena.size for made in getattr(forward, "kernels", {}).values())


def nodes(y: Tensor) -> list[str]:
    """The nodes on the tape behind `y`, without the leaves, from the root down.

    Example:
        >>> import minitorch_lab as ml
        >>> nodes((ml.ones(2, requires_grad=True) * 2).sin())
        ['SinBackward', 'MulBackward']
    """
    return [node.name() for node in nodes_of(root_of(y)) if node.edges]


# ---- a reader's choice ----------------------------------------------------------------------------------------------


def chain(x: Tensor) -> Tensor:
    """Cheap ops in a row."""
    return (x.sin().exp() + 1).log()


def bottleneck(x: Tensor) -> Tensor:
    """Many numbers become few."""
    return x.sum(1).exp().tanh()


def past_a_product(x: Tensor, w: Tensor) -> Tensor:
    """A matmul, which may not run again, and cheap ops after it."""
    return (x @ w).sin().exp()


def two_ways(x: Tensor) -> Tensor:
    """One value, read twice."""
    return x * x.sigmoid()


GRAPHS: dict[Callable[..., Any], tuple[tuple[int, ...], ...]] = {
    chain: ((100,),), bottleneck: ((8, 16),), past_a_product: ((8, 4), (4, 8)), two_ways: ((100,),),
}  # fmt: skip


@answering
@unaided(min_cut_partition, fewest, instead="Try the sets of lesson.values(joint) with lesson.enough.")
def check_choice(choose: Choose) -> Verdict:
    """Check which values the reader saves: on four graphs, against every other choice, and in a region that runs."""
    like_default = True
    costly: list[str] = []
    for fn, shapes in GRAPHS.items():
        both = joint_of(fn, *(ones(*s) for s in shapes))
        given, error = attempt(choose, both)
        if error is not None:
            return stopped("your choice", error)
        if not isinstance(given, Iterable) or isinstance(given, str | Tensor):
            return not_yet(f"your choice gives {described(given)}. It gives a list of nodes: those to be saved.")
        given = list(given)
        if (problem := unfit(both, given)) is not None:
            return not_yet(f"in {fn.__name__}, {problem}")
        default = default_partition(both).saved
        like_default = like_default and set(given) == set(default)
        best = fewest(both)
        if weight(given) > weight(best):
            costly.append(f"in {fn.__name__}, {dear(both, given, best)}")
        elif far(fn, shapes, lambda both: cut(both, list(choose(both)))):
            return not_yet(f"in {fn.__name__}, the gradients are not those of the tape. Is the choice always the same?")
    if like_default:
        return unwritten("you still save all that the backward graph reads.")
    if costly:
        return not_yet(costly[0])
    return done("no choice has fewer bytes, and the regions give the gradients of the tape, to the last bit.")


def unfit(both: Joint, given: list[Any]) -> str | None:
    """Why these values cannot be saved, or are too few."""
    if any(isinstance(n, str) for n in given):
        return "you give names. Give the nodes themselves."
    if any(not isinstance(n, Node) or n not in both.graph.nodes for n in given):
        return "not all of what you give are nodes of this joint graph."
    late = from_tangents(both)
    if wrong := [n for n in given if n in late]:
        return f"you save {wrong[0]}. It depends on a tangent, and when the forward graph ends there is none yet."
    if len(set(given)) < len(given):
        return "you save a value twice. Once is enough: take a set, or look before you append."
    missing = out_of_reach(both, given)
    if missing and missing[-1].kind == "call":
        return f"{missing[-1]} would have to run again, and it is not cheap. It must be saved, or all that needs it."
    if missing:
        return (
            f"the way back ends at {missing[0]}, which is an argument: nothing computes it. The backward graph gets "
            "what you save and the tangents, nothing else."
        )
    return None


def dear(both: Joint, given: list[Node], best: list[Node]) -> str:
    """Why this choice, which is enough, has more bytes than it needs."""
    bill = f"You save {given}, {weight(given)} bytes, and {weight(best)} are enough."
    for n in given:
        if enough(both, [m for m in given if m is not n]):
            return f"{n} is not needed: it can be computed from the others. {bill}"
    if set(given) <= set(both.primals):
        return f"you go back to the arguments, as far as one can, past a place where the road is narrow. {bill}"
    return f"it is enough, and not the cheapest. {bill}"


def far(fn: Callable[..., Any], shapes: Iterable[tuple[int, ...]], partition: Callable[[Joint], Partition]) -> bool:
    """Whether a region that is cut so has other gradients than the tape, by one bit or more."""
    manual_seed(0)
    leaves = [randn(*s, requires_grad=True) for s in shapes]
    compiled = region(trace(fn, *leaves).graph, partition)
    found: list[list[Any]] = []
    for run in (fn, compiled):
        for x in leaves:
            x.grad = None
        manual_seed(1)  # the same dice
        run(*leaves).sum().backward()
        found.append([x.grad.tolist() for x in leaves if x.grad is not None])
    return found[0] != found[1]


# ---- what is cheap --------------------------------------------------------------------------------------------------


def with_dice(x: Tensor, w: Tensor) -> Tensor:
    """A product, half of it dropped, and cheap ops."""
    return dropout(x @ w, 0.5).sin().exp().tanh()


def with_more_dice(x: Tensor, w: Tensor) -> Tensor:
    """The same with two products and two draws, so that ops of one name are nodes of several."""
    return dropout(dropout(x @ w, 0.5).sin() @ w.T, 0.5).exp().tanh()


DICE = ((8, 4), (4, 8))


@answering
@unaided(cheap, instead="Ask for node.op.name, and say which of the ops are dear.")
def check_again(again: Again) -> Verdict:
    """Check the reader's idea of what may be computed again: the min-cut runs with it, on two graphs."""
    first = judged_again(again, with_dice)
    second = judged_again(again, with_more_dice) if first.done else first
    return first if second.done else second


def judged_again(again: Again, fn: Callable[..., Any]) -> Verdict:
    """The verdict on one graph."""
    both = joint_of(fn, *(ones(*s) for s in DICE))
    calls = [n for n in values(both) if n.kind == "call"]
    answers, error = attempt(lambda: {n: again(n) for n in calls})
    if error is not None or answers is None:
        return stopped("your function", error or ValueError())
    if odd := [n for n in calls if truth(answers[n]) is None]:
        return not_yet(f"for {odd[0]} your function gives {described(answers[odd[0]])}. It gives True or False.")
    if not any(answers.values()):
        return unwritten("nothing may be computed again, so everything is saved.")
    mine = min_cut_partition(both, 0.0, again)
    names = {n.op.name for n in mine.recomputed if n.op is not None}
    if "uniform" in names:
        wrong = far(fn, DICE, lambda both: min_cut_partition(both, 0.0, again))
        effect = ": the gradients are wrong" if wrong else ""
        return not_yet(f"uniform runs again, and it gives other numbers{effect}. Dropout must use one mask both ways.")
    if "matmul" in names:
        return not_yet(
            "the matmul runs again. The gradients are right, but that is work in proportion to m · k · n, and only "
            "m · n numbers are saved by it. It is the ops with about one step per number that are cheap."
        )
    least = min_cut_partition(both)
    if mine.nbytes > least.nbytes:
        return not_yet(too_strict(answers, mine, least))
    return done(
        f"{mine.nbytes} bytes are kept in place of {default_partition(both).nbytes}, and no product runs twice."
    )


def too_strict(answers: dict[Node, bool], mine: Partition, least: Partition) -> str:
    """What a policy refuses that it need not."""
    refused = [n for n in least.recomputed if not answers[n]]
    names = {n.op.name for n in refused if n.op is not None}
    bill = f"so {mine.nbytes} bytes are kept, and {least.nbytes} are enough."
    if names <= {"cast", "ge"}:
        return (
            f"you refuse {refused}: the mask. Saved as truth values, a byte each, it is a quarter of the floats, {bill}"
        )
    if names & {"sin", "exp", "tanh"} and not names & {"mul"}:
        return (
            f"you refuse {sorted(names & {'sin', 'exp', 'tanh'})}. They look dear, but each passes over its numbers "
            f"once, like a product of two: what takes time is the way to memory and back, {bill}"
        )
    return f"you refuse {refused}, {bill}"
