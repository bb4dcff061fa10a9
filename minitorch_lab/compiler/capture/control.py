"""Control flow as part of a graph: both branches of a choice, and the body of a loop, captured as blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...core.array import bool_
from ...core.interpret import interpreting
from ...errors import CaptureError
from ...func.trees import Build, flatten
from ..ir.graph import Facts, Graph, Node
from ..ir.symbolic import Captured, Capturing


class Block:
    """A captured piece of a program: its graph, the values of the program around it that it reads, and its result."""

    def __init__(self, around: Capturing, fn: Callable[..., Any], args: Sequence[Captured], name: str) -> None:
        self.graph = Graph(name)
        with interpreting(around):
            inner = type(around)(self.graph)
        boxes = [inner.box(self.graph.placeholder(a.value.name, a.value.facts)) for a in args]
        with interpreting(inner):
            leaves, self.build = flatten(fn(*boxes))
            self.leaves: list[Node] = [inner.own(leaf).value for leaf in leaves]
        self.read = {id(n.payload): n for n in self.graph.nodes if n.kind == "get_attr" and around.mine(n.payload)}
        self.boxes = {key: n.payload for key, n in self.read.items()}
        self.taken = len(boxes)

    def close(self, boxes: dict[int, Captured]) -> None:
        """End the graph: what it reads from around it becomes its arguments, in the order of `boxes`."""
        given = [self.read.get(key) or self.graph.placeholder(b.value.name, b.value.facts) for key, b in boxes.items()]
        for node in given:
            node.kind, node.payload = "placeholder", None
        arguments = [*self.graph.nodes[: self.taken], *given]
        rest = [n for n in self.graph.nodes if n not in arguments]
        self.graph.nodes = [*arguments, *rest]
        self.graph.output(tuple(self.leaves))


def cond(around: Capturing, predicate: Captured, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
    """What `then()` gives where the predicate holds, else what `other()` gives; one of the two runs.

    Raises:
        CaptureError: The predicate is no single number, or the two give different things.
    """
    single(predicate, "cond")
    blocks = Block(around, then, (), "then"), Block(around, other, (), "else")
    agree("cond", "The two branches", [n.facts for n in blocks[0].leaves], [n.facts for n in blocks[1].leaves])
    boxes = {key: box for block in blocks for key, box in block.boxes.items()}
    for block in blocks:
        block.close(boxes)
    inputs = (predicate.value, *(box.value for box in boxes.values()))
    return several(around, "if", inputs, {}, blocks, blocks[0].build)


def while_loop(
    around: Capturing, condition: Callable[..., Any], body: Callable[..., Any], carried: Sequence[Captured]
) -> tuple[Any, ...]:
    """The carried values after as many rounds of `body` as `condition` holds for.

    Raises:
        CaptureError: The condition is no single number, or a round changes the shape or dtype of what it carries.
    """
    blocks = Block(around, condition, carried, "while"), Block(around, body, carried, "do")
    agree("while_loop", "A round and what it starts with", [b.value.facts for b in carried], facts(blocks[1].leaves))
    if len(blocks[0].leaves) != 1 or blocks[0].leaves[0].shape:
        raise CaptureError("The condition of a while_loop is no single number.", "It says whether to go on.")
    boxes = {key: box for block in blocks for key, box in block.boxes.items()}
    for block in blocks:
        block.close(boxes)
    inputs = (*(b.value for b in carried), *(box.value for box in boxes.values()))
    return several(around, "while", inputs, {"carried": len(carried)}, blocks, tuple)


def facts(nodes: list[Node]) -> list[Facts]:
    """What is known of each."""
    return [n.facts for n in nodes]


def several(
    around: Capturing, kind: str, inputs: tuple[Node, ...], params: dict[str, Any], blocks: Any, build: Build
) -> Any:
    """The results of a node of control flow, taken apart and nested as the user's function nested them."""
    graph = around.graph
    graphs = tuple(block.graph for block in blocks)
    node = graph.add(Node(kind, graph.unique(kind), Facts((), bool_), None, inputs, params, blocks=graphs))
    parts = [
        graph.add(Node("part", graph.unique("part"), leaf.facts, None, (node,), {"index": i}))
        for i, leaf in enumerate(blocks[1].leaves)
    ]
    return build([around.box(part) for part in parts])


def single(predicate: Captured, what: str) -> None:
    """Refuse a predicate with several entries.

    Raises:
        CaptureError: It has several.
    """
    if predicate.shape:
        raise CaptureError(
            f"{what} got a predicate of shape {predicate.shape}.",
            "One of two blocks runs, so the predicate is a single number.",
            "Did you mean predicate.any(), or ml.where for a choice entry by entry?",
        )


def agree(what: str, who: str, one: list[Facts], other: list[Facts]) -> None:
    """Refuse results that differ in number, shape or dtype: the program after them could not be typed.

    Raises:
        CaptureError: They differ.
    """
    if list(map(str, one)) != list(map(str, other)):
        raise CaptureError(
            f"{who} of {what} give ({', '.join(map(str, one))}) and ({', '.join(map(str, other))}).",
            "What comes after is written down once, so both must give values of one shape and dtype.",
            "Did you mean to cast or reshape one of them?",
        )
