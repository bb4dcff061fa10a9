"""Memory planning: the checks of a reader's lifetimes, planner and checkpoints, and plans as pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from string import ascii_letters
from typing import Any

from ...compiler.ir.evaluate import evaluate
from ...compiler.ir.graph import Graph, Node
from ...compiler.ir.printer import line_of
from ...compiler.ir.views import is_view, root
from ...compiler.memory.buffers import last_reads
from ...compiler.memory.plan import Life, Plan, Planner, best_of_orders, placed, planned, timeline
from ...compiler.targets.numpy.backend import compile_numpy
from ...core.array import xp
from ...errors import PlanError
from ...tensors.factories import ones
from ...tensors.tensor import Tensor
from ..training_step import plan_of, pure, training_step, weights
from ..unaided import unaided
from ..values import described, whole_numbers
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten

Lives = Callable[[Graph], dict[str, tuple[int, int]]]


def numbered(graph: Graph) -> str:
    """The graph with its steps.

    Example:
        >>> print(numbered(pure(lambda x: (x + 1).exp(), ones(2))))
          0  x: f32[2]
          1  add: f32[2] = add(x, 1)
          2  exp: f32[2] = exp(add)
          3  return exp
    """
    said = [f"{n.name}: {n.facts}" if n.kind == "placeholder" else line_of(n) for n in graph.nodes]
    return "\n".join(f"{i:3}  {line}" for i, line in enumerate(said))


def lives_of(graph: Graph) -> dict[str, tuple[int, int]]:
    """When the memory of every temporary is needed: from the step that writes it to the last that reads it.

    Example:
        >>> lives_of(pure(lambda x: (x + 1).exp() * 2, ones(2)))
        {'add': (1, 2), 'exp': (2, 3)}
    """
    ends, leaving = last_reads(graph), {root(n) for n in graph.nodes[-1].feeds}
    owners = [n for n in graph.calls if not is_view(n) and n not in leaving]
    return {n.name: (graph.nodes.index(n), ends[n]) for n in owners}


# ---- pictures -------------------------------------------------------------------------------------------------------
def picture(plan: Plan) -> str:
    """A plan as text: steps from left to right, bytes from below, a letter for each life.

    Example:
        >>> print(picture(planned([Life(64, 0, 1, ("x",)), Life(64, 1, 2, ("y",)), Life(64, 2, 3, ("z",))])))
              128  ·bb·
               64  aacc
        a: x, b: y, c: z
    """
    placed = list(zip(plan.offsets, plan.lives, strict=True))
    edges = sorted({0, *(at for at, _ in placed), *(at + life.nbytes for at, life in placed)})
    first, last = min(x.first for x in plan.lives), max(x.last for x in plan.lives)
    rows: list[str] = []
    for top, below in zip(edges[:0:-1], edges[-2::-1], strict=True):
        cells = ["·"] * (last - first + 1)
        for letter, (at, life) in zip(ascii_letters, placed, strict=False):
            if at <= below and top <= at + life.nbytes:
                cells[life.first - first : life.last - first + 1] = letter * (life.last - life.first + 1)
        rows.append(f"{top:9,}  {''.join(cells)}")
    names = ", ".join(f"{letter}: {life}" for letter, life in zip(ascii_letters, plan.lives, strict=False))
    return "\n".join([*rows, names])


# ---- exercise: lifetimes --------------------------------------------------------------------------------------------
def chain(x: Tensor) -> Any:
    """One value after the other."""
    return (x * 2 + 1).tanh().exp()


def waiting(x: Tensor) -> Any:
    """A value that is read late, as in a residual block."""
    h = x * 2
    return (h.tanh() + 1).exp() * h


def turned(x: Tensor) -> Any:
    """A value that is read through a view."""
    h = x.exp()
    t = h.T
    y = h.sum(1)
    return (t * 2).sum(0) + y


def turned_twice(x: Tensor) -> Any:
    """A value that is read late, through a view of a view."""
    h = x.exp()
    t = h.T.T
    return (x * 2).tanh() + t


def two_results(x: Tensor) -> Any:
    """A value that is read, and handed back."""
    h = x.exp()
    return h, (h + 1).tanh()


def unread(x: Tensor) -> Any:
    """A value that nobody reads."""
    h = x * 2
    h.exp()
    return h + 1


def shown(x: Tensor) -> Any:
    """A value that leaves through a view of it."""
    h = x.exp()
    return (h + 1).T


GRAPHS = (chain, waiting, turned, turned_twice, two_results, unread, shown)


@answering
@unaided(lives_of, last_reads, instead="Go through graph.nodes, and note what each of them reads.")
def check_lives(lives: Lives) -> Verdict:
    """Check the reader's lifetimes on seven graphs."""
    for fn in GRAPHS:
        graph = pure(fn, ones(4, 4))
        given, error = attempt(lives, graph)
        if error is not None:
            return stopped("your function", error)
        found = spans(given)
        if isinstance(found, str):
            return not_yet(f"in {fn.__name__}, {found}")
        last = len(graph.nodes) - 1
        if found and all(span == (0, last) for span in found.values()):
            return unwritten("for you every value is needed from the first step to the last.")
        if (problem := wrong_lives(graph, found)) is not None:
            return not_yet(f"in {fn.__name__}, {problem}")
    return done(
        "seven graphs: a value that waits, a view, a view of a view, a result, one that leaves by a view, one that "
        "nobody reads."
    )


def spans(given: Any) -> dict[str, tuple[int, int]] | str:
    """A reader's lifetimes, and what is wrong with their types if anything is."""
    if not isinstance(given, dict):
        return f"your function gives {described(given)}. It gives a dict: {{node.name: (first step, last step)}}."
    found: dict[str, tuple[int, int]] = {}
    for name, span in given.items():
        steps = whole_numbers(span)
        if not isinstance(name, str):
            return f"a key of your dict is {described(name)}. The keys are texts: node.name."
        if steps is None or len(steps) != 2:
            return f"for {name} you give {described(span)}. It is a pair of whole numbers: its first step and its last."
        found[name] = steps[0], steps[1]
    return found


def wrong_lives(graph: Graph, found: dict[str, tuple[int, int]]) -> str | None:
    """What is wrong with these lifetimes."""
    wanted, nodes = lives_of(graph), {n.name: n for n in graph.nodes}
    for name in found:
        if name not in nodes:
            return f"you name {name!r}, and there is no such value. The keys are node.name."
        if name not in wanted:
            return unplanned(nodes[name])
    for name, (first, last) in wanted.items():
        if name not in found:
            return f"you leave out {name}. It is computed here and does not leave, so it needs room."
        mine = found[name]
        if mine == (first, last):
            continue
        if mine[0] != first:
            return f"{name} begins at step {mine[0]} for you. It is written at step {first}: its own place in the list."
        through = [n.name for n in graph.calls if is_view(n) and root(n) is nodes[name]]
        if through and mine[1] == max(i for i, n in enumerate(graph.nodes) if nodes[name] in n.feeds) < last:
            return (
                f"{name} ends at step {mine[1]} for you. But {through[0]} is a view of it and has no memory of "
                f"its own: who reads {through[0]}, at step {last}, reads {name}."
            )
        if mine[1] == last - 1:
            return (
                f"{name} ends at step {mine[1]} for you. Step {last} still reads it, and while an op runs, "
                "its inputs and its result are there at the same time. The last step counts."
            )
        return f"{name} ends at step {mine[1]} for you. It is read last at step {last}."
    return None


def unplanned(node: Node) -> str:
    """Why a value is not to be planned."""
    if node.kind == "placeholder":
        return f"you plan {node.name}. It is an argument: its memory is the caller's."
    if is_view(node):
        return f"you plan {node.name}. It is a view: it shows the memory of {root(node).name}, and needs none."
    return (
        f"you plan {node.name}. It is a result: it leaves, and the next call would write over what the caller holds. "
        "It gets memory of its own each time."
    )


# ---- exercise: a planner --------------------------------------------------------------------------------------------
def sets_of_lives() -> dict[str, list[Life]]:
    """Lives to be planned: drawn by hand, from a graph, at random."""
    rng = xp.random.default_rng(27)
    numbers = zip(*(rng.integers(a, b, 40).tolist() for a, b in ((1, 9), (0, 30), (0, 9))), strict=True)
    drawn = [Life(n * 64, first, first + more, (f"v{i}",)) for i, (n, first, more) in enumerate(numbers)]
    return {
        "one after the other": [Life(64, i, i + 1, (f"v{i}",)) for i in range(8)],
        "a walk": [Life(64, i, 15 - i, (f"v{i}",)) for i in range(8)],
        "a small one that stays": [
            Life(64, 0, 1, ("early",)), Life(64, 0, 9, ("stays",)), Life(192, 2, 9, ("large",))
        ],
        "a training step": list(plan_of(training_step(6, 32, 32)).lives),
        "forty at random": drawn,
    }  # fmt: skip


def in_bytes(planner: Planner) -> Planner:
    """The reader's planner, held to answer with whole numbers, of whatever type.

    Raises:
        PlanError: It gave anything else.
    """

    def plan(lives: Sequence[Life]) -> list[int]:
        given = planner(lives)
        offsets = whole_numbers(given)
        if offsets is None:
            given = described(given)
            raise PlanError(f"the planner gives {given}.", "It gives a list of offsets, which are whole numbers.")
        return offsets

    return plan


@answering
@unaided(best_of_orders, placed, instead="Take the lives in an order of yours, each into a place that is free.")
def check_planner(planner: Planner) -> Verdict:
    """Check the reader's planner on five sets of lives, then in the compiler."""
    sizes: dict[str, tuple[int, int, int]] = {}
    for name, lives in sets_of_lives().items():
        plan, error = attempt(lambda lives=lives: planned(lives, in_bytes(planner), alignment=64))
        if isinstance(error, PlanError):
            return not_yet(f"in {name!r}: {describe_error(error)}")
        if error is not None or plan is None:
            return stopped("your planner", error or ValueError())
        sizes[name] = plan.size, plan.bound, plan.unshared
    if all(size == unshared for size, _, unshared in sizes.values()):
        return unwritten("nothing shares, so every value has memory of its own.")
    if not runs_with(in_bytes(planner)):
        return not_yet("compiled with your planner, a program gives other numbers. Does it depend on more than lives?")
    for name, (size, bound, _) in sizes.items():
        if size > 1.06 * bound:
            return not_yet(f"no value is spoiled, but in {name!r} {wasteful(name, size, bound)}")
    used, least = sum(s for s, _, _ in sizes.values()), sum(b for _, b, _ in sizes.values())
    return done(f"{used:,} bytes in all, where no plan can do with less than {least:,}. The compiler runs with it.")


def wasteful(name: str, size: int, bound: int) -> str:
    """What a plan that is too large tells of its planner."""
    bill = f"you use {size:,} bytes, and only {bound:,} are alive at once."
    if name in ("one after the other", "a walk"):
        return f"{bill} Give a place back when its life is over."
    if name == "a small one that stays":
        return f"{bill} The small ones came first and lie where the large one would fit. Who should choose first?"
    return f"{bill} Large ones first, and each into the smallest hole that is large enough."


def runs_with(planner: Planner) -> bool:
    """Whether a program that is compiled with this planner gives what the ops give."""
    graph = training_step(3, 8, 8)
    rng = xp.random.default_rng(0)
    arrays = [rng.standard_normal(n.shape).astype("float32") for n in graph.placeholders]
    want = evaluate(graph, [Tensor(a) for a in arrays])
    got = compile_numpy(graph, planner)(*arrays)
    return all(xp.array_equal(a, b.numpy()) for a, b in zip(got, want, strict=True))


# ---- exercise: what to keep -----------------------------------------------------------------------------------------
Keep = Callable[[int], Iterable[int]]
MOST = {10: 0.6, 20: 0.4, 30: 0.32}  # by the number of layers, the part of the arena that may be left


def part_left(layers: int, keep: Sequence[int]) -> float:
    """The arena of a training step that keeps the values after these layers, as a part of the one that keeps all.

    Example:
        >>> round(part_left(20, [5, 10, 15]), 2)
        0.45
    """
    found = [arena(training_step(layers, 64, 64, kept)) for kept in (keep, None)]
    return found[0] / found[1]


def arena(graph: Graph) -> int:
    """Bytes of the arena of a training step that writes the new weights over the old ones."""
    return plan_of(graph, donate=weights(graph)).size


@answering
def check_keep(keep: Keep) -> Verdict:
    """Check after which layers the reader keeps the value: the arena of networks of 10, 20 and 30 layers."""
    parts: list[str] = []
    for layers, most in MOST.items():
        given, error = attempt(keep, layers)
        if error is not None:
            return stopped("your function", error)
        found = whole_numbers(given)
        if found is None:
            return not_yet(f"for {layers} layers you give {described(given)}. It is a list of whole numbers.")
        if found == list(range(1, layers)):
            return unwritten("you keep the value after every layer.")
        if bad := [k for k in found if k not in range(1, layers + 1)]:
            return not_yet(f"of {layers} layers you name layer {bad[0]}. They are counted from 1 to {layers}.")
        left = part_left(layers, found)
        if left > most:
            return not_yet(
                f"of {layers} layers you keep {found}: {left:.0%} of the arena is left. {heavy(layers, found)}"
            )
        parts.append(f"{left:.0%} of {layers} layers")
    return done(f"what is left of the arena: {', '.join(parts)}. And no layer runs more than twice.")


def heavy(layers: int, kept: list[int]) -> str:
    """Why keeping these is not enough."""
    ends = [0, *sorted(set(kept)), layers]
    gaps = [b - a for a, b in pairwise(ends) if b > a]
    if not kept:
        return "All layers run again at once when the walk begins, and then all their values are alive."
    if max(gaps) > 2 * layers**0.5:
        return f"Between two that you keep lie up to {max(gaps)} layers, and their values are all alive at once."
    if len(kept) > 2 * layers**0.5:
        return "What you keep is alive at the turn, and you keep too many."
    if max(gaps) - min(gaps) > 1:
        alive = [before + gap for before, gap in enumerate(gaps)]
        worst = alive.index(max(alive))
        return (
            f"Near. Your stretches are {gaps}. Most is alive when stretch {worst + 1} of {len(gaps)} runs again: its "
            f"{gaps[worst]} values beside {worst} that you keep before it, {max(alive)} in all. The fewest are "
            "alive at "
            f"stretch {alive.index(min(alive)) + 1}: {min(alive)}. Let it be as many everywhere."
        )
    return (
        "Near. But the stretches are about equally long, and the walk comes to the last one first, when everything "
        "that you keep is still alive. When it comes to the first, hardly anything is. Which may be longer?"
    )


# ---- the tax of a hundred layers ------------------------------------------------------------------------------------
def tax(layers: int = 100, activation: float = 67.1e6, segment: int = 1) -> list[float]:
    """GB that are alive after every layer, forward and back, beside 10 GB of weights and states of the optimizer.

    Gradients grow to 2 GB. Of every `segment` layers the first value is kept, and the others are computed again.

    Example:
        >>> round(max(tax()), 2), round(max(tax(segment=10)), 1)
        (16.71, 12.5)
    """
    back = 2 * layers - 1
    lives = [Life(int(10e9), 0, back)]
    lives += [Life(int(2e9 / layers), layers + i, back) for i in range(layers)]
    for start in range(0, layers, segment):
        turn = back - (start + segment - 1)  # the walk enters the segment, and makes its other values again
        lives.append(Life(int(activation), start, back - start - 1))
        lives += [Life(int(activation), turn, back - start - k) for k in range(1, segment)]
    return [live / 1e9 for live in timeline(lives)]
