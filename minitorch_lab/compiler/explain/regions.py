"""Regions as data: the graphs of every stage, what each pass did, the cut, and the code, linked by ids.

A graph's id is that of its region and its stage (`g1.joint`); a node's is that and its name (`g1.joint/mul`). Passes
that only copy a node keep its name, so a value can be followed from stage to stage, and to its line of code.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ...func.trees import flatten
from ..autodiff.partition import default_partition
from ..ir.graph import Graph, Node
from ..ir.printer import code, format_param, line_of
from ..passes.pipeline import Step
from ..runtime.region import Region
from ..runtime.stages import Differentiated, Values
from .fusion import Count, compare_traffic, groups, place_of

STAGES = ("capture", "passes", "joint", "partition", "codegen")
ASSIGNED = re.compile(r"^\s*(\w+) = |\bout=(\w+)\)")  # the value that a line of generated code makes


class Told:
    """Collects what is told of regions. Graphs and kernels are told once; all else refers to them by id."""

    def __init__(self, backend: str, count: Count) -> None:
        self.backend, self.count = backend, count
        self.graphs: dict[str, Any] = {}
        self.kernels: list[Any] = []
        self.computed: dict[str, Graph] = {}  # what each kernel computes
        self.times: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        self.known: dict[Graph, str] = {}
        self.words: Callable[[str], str] = str  # what a name of the program stands for

    # ---- graphs -----------------------------------------------------------------------------------------------------
    def graph(self, graph: Graph, name: str) -> str:
        """The id of a graph, which is told if it is new."""
        if graph not in self.known:
            self.known[graph] = name
            self.graphs[name] = {
                "id": name,
                "name": graph.name,
                "text": str(graph),
                "code": code(graph),
                "nodes": [describe_node(n, name) for n in graph.nodes if n.kind != "output"],
                "returns": format_param(graph.returned),
            }
        return self.known[graph]

    def steps(self, steps: list[Step], region: str, stage: str) -> list[Any]:
        """What each pass did. A pass that changed nothing has the same graph before and after."""
        out: list[Any] = []
        for number, step in enumerate(steps, 1):
            before = self.known[step.before]
            changed = str(step.after) != self.graphs[before]["text"]
            if not changed:
                self.known[step.after] = before
            after = self.graph(step.after, f"{region}.{stage}.{number}")
            out.append(
                {
                    "name": step.name,
                    "before": before,
                    "after": after,
                    "changed": changed,
                    "done": dict(step.done),
                    "nodes": list(step.nodes),
                    "seconds": step.seconds,
                }
            )
        return out

    def kernel(self, region: str, stage: str, graph: Graph, kernel: Any) -> str:
        """The id of a kernel."""
        name, at = f"k{len(self.kernels) + 1}", self.graph(graph, f"{region}.{stage}")
        self.computed[name] = graph
        lines = [
            {
                "number": number,
                "text": text,
                "node": None if node is None else node.name,
                "place": None if node is None else place_of(node.line),
            }
            for number, (text, node) in enumerate(code_lines(graph, kernel), 1)
        ]
        self.kernels.append(
            {
                "id": name,
                "region": region,
                "stage": stage,
                "backend": self.backend,
                "graph": at,
                "source": getattr(kernel, "source", ""),
                "cuda": getattr(kernel, "cuda", ""),
                "lines": lines,
                "traffic": compare_traffic(graph, kernel, self.count),
                "groups": groups(graph, kernel),
                "tried": dict(getattr(kernel, "seconds", {})),
                "refused": dict(getattr(kernel, "refused", {})),
                "memory": memory_of(getattr(kernel, "plan", None)),
            }
        )
        return name

    # ---- regions ----------------------------------------------------------------------------------------------------
    def region(self, name: str, graph: Graph, region: Region | None, wants: dict[str, bool]) -> dict[str, Any]:
        """One region. Where nothing was compiled, because the graph runs op by op, only the graph is told."""
        lines = [n.line for n in graph.nodes if n.line is not None]
        arguments = [
            {
                "name": n.name,
                "stands_for": self.words(n.name),
                "facts": str(n.facts),
                "requires_grad": wants.get(n.name, False),
            }
            for n in graph.placeholders
        ]
        out: dict[str, Any] = {
            "id": name,
            "name": graph.name,
            "place": place_of(lines[0] if lines else None),
            "captured": self.graph(graph, f"{name}.captured"),
            "pure": None,
            "arguments": arguments,
            "writes": [],
            "wanted": [a["name"] for a in arguments if a["requires_grad"]],
            "steps": [],
            "plain": None,
            "training": None,
        }
        if region is None:
            return out
        names = [n.name for n in region.plan.core.placeholders]
        out["pure"] = self.graph(region.pure.graph, f"{name}.pure")
        out["writes"] = [names[i] for i, _, _ in region.plan.writes]
        if region.values is not None:
            out["steps"], out["plain"] = self.plain(name, region.values)
        for made in region.kernels.values():
            out["steps"], out["training"] = self.training(name, made, region.budget)
            words = [self.words(of) for of in names]
            out["training"]["primals"] = {n.name: word for n, word in zip(made.joint.primals, words, strict=True)}
        return out

    def plain(self, name: str, made: Values) -> tuple[list[Any], str]:
        """The kernel for values alone."""
        self.spent(made.seconds)
        self.graph(made.first, f"{name}.values")
        steps = self.steps(made.steps, name, "values")
        return steps, self.kernel(name, "values", made.graph, made.kernel)

    def training(self, name: str, made: Differentiated, budget: float) -> tuple[list[Any], dict[str, Any]]:
        """The kernels for values and gradients."""
        self.spent(made.seconds)
        first = self.graph(made.first.graph, f"{name}.joint")
        steps = self.steps(made.steps, name, "joint")
        both, parts = self.graph(made.joint.graph, f"{name}.optimized"), made.parts
        saved = [
            {"node": f"{both}/{n.name}", "name": n.name, "facts": str(n.facts), "nbytes": n.nbytes} for n in parts.saved
        ]
        return steps, {
            "joint": first,
            "optimized": both,
            "forward": self.graph(parts.forward, f"{name}.forward"),
            "backward": self.graph(parts.backward, f"{name}.backward"),
            "saved": saved,
            "recomputed": [n.name for n in parts.recomputed],
            "nbytes": parts.nbytes,
            "nbytes_default": default_partition(made.joint).nbytes,
            "budget": budget,
            "kernels": {
                "forward": self.kernel(name, "forward", parts.forward, made.forward),
                "backward": self.kernel(name, "backward", parts.backward, made.backward),
            },
        }

    def spent(self, seconds: dict[str, float]) -> None:
        """Add up the time of each stage."""
        for stage, time in seconds.items():
            self.times[stage] += time


def code_lines(graph: Graph, kernel: Any) -> list[tuple[str, Node | None]]:
    """The lines of the code of a graph, each with the node whose value it makes."""
    made = {n.name: n for n in graph.nodes}
    pairs = ((text, ASSIGNED.search(text)) for text in getattr(kernel, "source", "").splitlines())
    names = ((text, (found[1] or found[2]).rstrip("_") if found else "") for text, found in pairs)
    return [(text, made.get(name)) for text, name in names]


def memory_of(plan: Any) -> dict[str, Any] | None:
    """Where the temporaries of a kernel lie: in an arena of `size` bytes.

    `bound` of them are alive at the step `peak`, so no plan could do with less; without sharing it is `unshared`.
    """
    if plan is None or not all(type(n) is int for n in (*plan.offsets, *(life.nbytes for life in plan.lives))):
        return None  # of sizes that are not known nothing may be asked
    lives = [
        {"names": list(life.names), "nbytes": life.nbytes, "first": life.first, "last": life.last, "offset": at}
        for life, at in zip(plan.lives, plan.offsets, strict=True)
    ]
    peak = plan.steps[plan.busiest] if plan.lives else ""
    return {"size": plan.size, "bound": plan.bound, "unshared": plan.unshared, "peak": peak, "lives": lives}


def describe_node(node: Node, graph: str) -> dict[str, Any]:
    """One node of the graph with this id."""
    return {
        "id": f"{graph}/{node.name}",
        "name": node.name,
        "kind": node.kind,
        "op": node.op.name if node.op is not None else None,
        "shape": list(map(known, node.shape)),
        "dtype": node.dtype.name,
        "nbytes": node.nbytes,
        "inputs": [format_param(i) for i in flatten(list(node.inputs))[0]],
        "feeds": [f"{graph}/{feed.name}" for feed in node.feeds],
        "params": {name: format_param(value) for name, value in node.params.items()},
        "text": f"{node.name}: {node.facts}" if node.kind == "placeholder" else line_of(node),
        "place": place_of(node.line),
        "made_by": node.made_by,
        "grad": node.grad,
    }


def known(size: Any) -> int | str:
    """A size as JSON takes it: a number, or an expression of symbols."""
    return size if type(size) is int else str(size)
