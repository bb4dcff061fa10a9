"""The view "Partition": where the joint graph is cut, and how the cut moves as the budget for memory shrinks.

It has no recording: its clock counts its own steps. What a change costs is told by the terms of the iron law,
time = data / bandwidth + work / (peak · utilisation) + overhead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..compiler.autodiff.aot import Joint
from ..compiler.autodiff.corners import cuts, entries
from ..compiler.autodiff.partition import Partition, cheap, default_partition, forward_nodes, from_tangents
from ..compiler.ir.graph import Node
from ..compiler.ir.printer import expression
from .frame import Json, framed
from .linking import Links
from .numbers import listed, plural, size
from .regions import Lines, use_reader_names

QUESTION = "What must be kept for the backward pass?"
FEW = 3  # so many values of a change are told by name


@dataclass(eq=False, slots=True)
class Cutting:
    """A joint graph with all its cuts. `id` is that of its region, `words` what its arguments stand for."""

    id: str
    joint: Joint
    words: dict[str, str] = field(default_factory=dict[str, str])
    cuts: list[tuple[float, Partition]] = field(init=False)

    def __post_init__(self) -> None:
        """Find the cuts."""
        self.cuts = cuts(self.joint)

    def at(self, node: Node) -> str:
        """The id of a node."""
        return f"{self.id}/{node.name}"

    def name(self, node: Node) -> str:
        """A node by name; an argument as the reader calls it."""
        return self.words.get(node.name, node.name)

    def text(self, node: Node) -> str:
        """How a node is made: tanh = tanh(exp)."""
        if node.kind != "call":
            return self.name(node)
        return f"{node.name} = {use_reader_names(expression(node), self.words)}"

    def named(self, nodes: Sequence[Node]) -> str:
        """A few nodes in a sentence."""
        if len(nodes) > FEW + 1:
            return f"{listed([f'`{self.name(n)}`' for n in nodes[:FEW]] + [f'{len(nodes) - FEW} more'])}"
        return listed([f"`{self.name(n)}`" for n in nodes])


def partition_scene(
    joint: Joint, id: str = "g1", words: dict[str, str] | None = None, question: str = QUESTION
) -> Json:
    """The scene of the view "Partition"."""
    cutting = Cutting(id, joint, words or {})
    lines = Lines(joint.graph.nodes)
    left, right = columns(cutting)
    steps = make_steps(cutting, question)
    links, details = link_nodes(cutting, lines, [*left, *right])
    return framed(
        "partition",
        question,
        [{key: step[key] for key in step if key != "budget"} for step in steps],
        [picture(cutting, left, right, steps[2:-1])],
        source=lines.source,
        links=links,
        details=details | lines.details,
    )


# ---- the picture -----------------------------------------------------------------------------------------


def picture(cutting: Cutting, left: Sequence[Node], right: Sequence[Node], steps: Sequence[Json]) -> Json:
    """Two columns, what may cross from one to the other, and the cuts, one for each of `steps`."""
    late = from_tangents(cutting.joint)
    reads = [(feed, n) for n in right for feed in dict.fromkeys(n.feeds) if feed not in late]
    return {
        "kind": "partition",
        "id": "partition",
        "label": "Joint graph, and where it is cut",
        "forward": [drawn(cutting, n) for n in left],
        "backward": [drawn(cutting, n) for n in right],
        "reads": [{"from": cutting.at(feed), "to": cutting.at(n)} for feed, n in reads],
        "cuts": [
            {
                "at": step["at"],
                "budget": step["budget"],
                "kept": {"ids": [cutting.at(n) for n in parts.saved]},
                "early": {"ids": [cutting.at(n) for n in parts.forward.calls]},
                "late": {"ids": [cutting.at(n) for n in parts.backward.calls]},
                "bytes": parts.nbytes,
                "entries": entries(parts),
            }
            for step, (_, parts) in zip(steps, cutting.cuts, strict=True)
        ],
    }


def columns(cutting: Cutting) -> tuple[list[Node], list[Node]]:
    """What may stand in the forward graph, and in the backward graph, in order, whatever the cut."""
    nodes = {n.name: n for n in cutting.joint.graph.nodes}
    late = from_tangents(cutting.joint)
    kept = {n for _, parts in cutting.cuts for n in parts.saved}
    early = forward_nodes(cutting.joint) | kept
    early |= {nodes[n.name] for _, parts in cutting.cuts for n in parts.forward.nodes if n.name in nodes}
    left = [n for n in cutting.joint.graph.nodes if n in early and n not in late and n.kind != "output"]
    right: list[str] = []
    for _, parts in reversed(cutting.cuts):
        before = -1
        for name in [n.name for n in parts.backward.nodes if n.kind == "call"]:
            if name not in right:
                right.insert(before + 1, name)
            before = right.index(name)
    return left, [*cutting.joint.tangents, *(nodes[name] for name in right)]


def drawn(cutting: Cutting, node: Node) -> Json:
    """A node as the panel holds it."""
    kind = "tangent" if node in cutting.joint.tangents else "argument" if node.kind != "call" else "op"
    gradient = node in cutting.joint.gradients
    facts = str(node.facts)
    return {
        "id": cutting.at(node),
        "kind": kind,
        "name": cutting.name(node),
        "text": cutting.text(node),
        "facts": facts,
        "bytes": node.nbytes,
        **({"result": True} if gradient or node in cutting.joint.outputs else {}),
    }


def link_nodes(cutting: Cutting, lines: Lines, nodes: Sequence[Node]) -> tuple[dict[str, list[str]], dict[str, str]]:
    """A node lights up with its line."""
    links, details = Links(), dict[str, str]()
    late, forward = from_tangents(cutting.joint), forward_nodes(cutting.joint)
    for node in nodes:
        links.pair(cutting.at(node), lines.id(node.line))
        role = "needs a tangent" if node in late else "forward" if node in forward else "for the backward pass alone"
        details[cutting.at(node)] = f"`{cutting.text(node)}` · {node.facts} · {size(node.nbytes)} · {role}"
    return links.json(), details


# ---- sentences -------------------------------------------------------------------------------------------


def make_steps(cutting: Cutting, question: str) -> list[Json]:
    """The question, the joint graph, then cut after cut."""
    joint, (_, default) = cutting.joint, cutting.cuts[0]
    steps: list[Json] = [{"phase": "start", "say": f"{question}{introduced(cutting)}", "at": 0}]
    reads = cutting.named(default_partition(joint).saved)
    steps.append(
        {
            "phase": "joint",
            "say": f"The backward pass, on the right, starts at the tangent and reads {reads} of the forward pass. "
            "Each is kept, or computed again.",
            "focus": [cutting.at(n) for n in default.saved],
            "at": 1,
        }
    )
    for k, (budget, parts) in enumerate(cutting.cuts):
        say, nodes = whole(cutting) if k == 0 else explain_change(cutting, cutting.cuts[k - 1][1], budget, parts)
        focus = [cutting.at(n) for n in nodes]
        steps.append({"phase": "budget", "say": say, "focus": focus, "at": len(steps), "budget": budget})
    return [*steps, {**least(cutting), "at": len(steps)}]


def introduced(cutting: Cutting) -> str:
    """What is to be seen."""
    forward, late = forward_nodes(cutting.joint), from_tangents(cutting.joint)
    calls = cutting.joint.graph.calls
    ops = sum(n in forward for n in calls)
    return (
        f" Forward and backward are one graph of {plural(len(calls), 'op')}: {ops} forward, "
        f"{len(calls) - ops} for the backward pass, {sum(n in late for n in calls)} of them from the tangent on."
    )


def whole(cutting: Cutting) -> tuple[str, list[Node]]:
    """The cut for the whole budget."""
    default = cutting.cuts[0][1]
    say = (
        f"Budget 1: all that is read is kept, {size(default.nbytes)}, and nothing is computed again. "
        f"{plural(len(cutting.cuts) - 1, 'smaller cut') if cutting.cuts[1:] else 'No smaller cut'} can be had."
    )
    return say, default.saved


def explain_change(cutting: Cutting, before: Partition, budget: float, now: Partition) -> tuple[str, list[Node]]:
    """What changes from one cut to the next, why, and which terms of the iron law that moves."""
    dropped = [n for n in before.saved if n not in now.saved]
    taken = [n for n in now.saved if n not in before.saved]
    again = [n for n in now.recomputed if n not in before.recomputed]
    less, more = before.nbytes - now.nbytes, entries(now) - entries(before)
    redone = f"{cutting.named(again)} {verb(again)} computed again"
    same = set(dropped) == set(again)
    change = f"{redone}, not kept" if same else f"{cutting.named(dropped)} {verb(dropped)} not kept"
    change += f", but {cutting.named(taken)} {verb(taken)}" if taken else ""
    change += f": {redone}" if again and not same else ""
    say = (
        f"Budget {budget:.3g}: {change}. {size(now.nbytes)} in place of {size(before.nbytes)}. "
        f"Iron law: data −{size(less)}, written and read; work +{more:,} entries."
    )
    return say, [*dropped, *again, *taken]


def verb(nodes: Sequence[Node]) -> str:
    """is, are."""
    return "is" if len(nodes) == 1 else "are"


def least(cutting: Cutting) -> Json:
    """Why no cut does with less."""
    parts = cutting.cuts[-1][1]
    given = [n for n in parts.saved if n.kind != "call"]
    dear = [n for n in parts.saved if n.kind == "call" and not cheap(n)]
    narrow = [n for n in parts.saved if n not in given and n not in dear]
    why = [f"{cutting.named(given)} {verb(given)} given, not computed"] if given else []
    why += [f"{cutting.named(dear)} {verb(dear)} too dear to compute twice"] if dear else []
    why += [f"at {cutting.named(narrow)} the way to the backward pass is narrowest"] if narrow else []
    say = f"With less than {size(parts.nbytes)} there is no backward pass: {'; '.join(why) or 'it reads nothing'}."
    return {"phase": "least", "say": say, "focus": [cutting.at(n) for n in parts.saved]}
