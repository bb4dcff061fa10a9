"""Settle: what is made of numbers alone is made where it is read. A kernel needs no memory for it, and no transfer."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...ir.graph import Graph, Node
from ...ir.rewrite import Found, Rewriter, named


def settled(graph: Graph) -> Graph:
    """The graph where constants, counts, and what Python numbers are stretched to, are born on the GPU."""
    return Settling(graph).rewritten()


class Settling(Rewriter):
    """Lets a maker stand for the transfer of what it makes, and moves what is made of numbers to its readers."""

    made_by = "settle"

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.of_numbers: set[Node] = set()
        for n in graph.nodes:
            if n.kind == "call" and n.feeds and all(f.facts.number or f in self.of_numbers for f in n.feeds):
                self.of_numbers.add(n)
        self.read_there: set[Node] = set()
        for n in reversed(graph.nodes):
            if n in self.read_there or (n.device == "cuda" and named(n) != "transfer"):
                self.read_there.update(f for f in n.feeds if f in self.of_numbers)

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """`full` and `arange` in whole steps need no memory to come from."""
        if named(node) != "transfer" or node.device == "cpu" or not in_registers(node.inputs[0]):
            return None
        maker = node.inputs[0]
        facts = replace(maker.facts, device=node.device)
        return "settled", self.new.call(maker.op, (), maker.params, facts, line=node.line, made_by=self.made_by)

    def copy(self, node: Node, inputs: tuple[Any, ...]) -> Node:
        """What is made of numbers, for readers on the GPU, is there as well."""
        new = super().copy(node, inputs)
        if node in self.read_there:
            new.facts = replace(new.facts, device="cuda")
        return new


def in_registers(maker: Node) -> bool:
    """Whether every entry follows from its place."""
    if named(maker) == "arange":
        return isinstance(maker.params["start"], int) and isinstance(maker.params["step"], int)
    return named(maker) == "full"
