"""What makes a graph illegal: every rule, broken once."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.graph import Facts, Graph, Node
from minitorch_lab.compiler.ir.verify import verify
from minitorch_lab.errors import CaptureError
from minitorch_lab.ops.op import OPS


def fresh() -> Graph:
    return ml.jit.trace(lambda a, b: (a * b).sum() + 1.0, ml.ones(2), ml.ones(2)).graph


def swapped(g: Graph) -> None:
    g.nodes[2], g.nodes[3] = g.nodes[3], g.nodes[2]


def renamed(g: Graph) -> None:
    g.nodes[3].name = g.nodes[2].name


def retyped(g: Graph) -> None:
    g.nodes[2].facts = Facts((2,), ml.int64)


def two_outputs(g: Graph) -> None:
    g.output(g.nodes[2])


def late_placeholder(g: Graph) -> None:
    g.nodes.insert(4, Node("placeholder", "c", Facts((), ml.float32)))


def odd_kind(g: Graph) -> None:
    g.nodes[2].kind = "jump"


def unfit(g: Graph) -> None:
    g.nodes[2].op, g.nodes[2].inputs = OPS["matmul"], (g.nodes[0], 2.0)


BREAKS: dict[str, tuple[Callable[[Graph], None], str]] = {
    "no output": (lambda g: g.nodes.clear(), "does not end with its output"),
    "order": (swapped, "made before it is read"),
    "names": (renamed, "Another node has this name"),
    "twice": (lambda g: g.nodes.insert(3, g.nodes[2]), "Another node has this name"),
    "facts": (retyped, r"claims i64\[2\], and mul gives f32\[2\]"),
    "outputs": (two_outputs, "one output, and nothing after it"),
    "placeholders": (late_placeholder, "come before everything"),
    "kinds": (odd_kind, "no kind of node 'jump'"),
    "inputs": (unfit, "Its op does not take these inputs"),
}


def test_a_captured_graph_is_legal() -> None:
    verify(fresh())


@pytest.mark.parametrize("name", BREAKS)
def test_every_rule_can_be_broken(name: str) -> None:
    graph = fresh()
    spoil, text = BREAKS[name]
    spoil(graph)
    with pytest.raises(CaptureError, match=text):
        verify(graph)
