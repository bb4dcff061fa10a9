"""The training step of an MLP as one graph, in which all is kept or part of it is computed again."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import minitorch_lab as ml
from minitorch_lab.compile.aot import joint
from minitorch_lab.compile.evaluate import evaluate
from minitorch_lab.compile.graph import Graph
from minitorch_lab.compile.jit import captured
from minitorch_lab.compile.partition import cut, default_partition, joined
from minitorch_lab.compile.passes.functionalise import functionalise
from minitorch_lab.compile.pipeline import optimize


def training_step(layers: int, width: int, batch: int, keep: Collection[int] | None = None) -> Graph:
    """x, one-hot labels and weights to the new weights, by SGD. `keep`: the layers after which what flows is kept."""
    x, y = ml.zeros(batch, width), ml.zeros(batch, 10)
    weights = [ml.zeros(width, width) for _ in range(layers)] + [ml.zeros(width, 10)]
    both = joint(pure(loss, (x, y, *weights)), range(2, layers + 3))
    if keep is None:
        parts = default_partition(both)
    else:
        passed_on = [n for n in both.graph.nodes if n.op is not None and n.op.name == "relu"]
        scores = next(n for n in both.graph.nodes if n.shape == (batch, 10))
        parts = cut(both, [*both.primals, *(passed_on[i - 1] for i in keep), scores])
    forward_and_backward = joined(parts)

    def step(*args: Any) -> Any:
        _, *gradients = evaluate(forward_and_backward, [*args, ml.ones(())])
        return [w - 0.01 * g for w, g in zip(args[2:], gradients, strict=True)]

    return optimize(pure(step, (x, y, *weights)), ["simplify", "dce", "soon"])


def pure(fn: Any, args: tuple[Any, ...]) -> Graph:
    graph = functionalise(captured(fn, args, {})).graph
    result = graph.returned[0]
    graph.nodes.pop()
    graph.output(result)
    return graph


def loss(x: Any, y: Any, *weights: Any) -> Any:
    for w in weights[:-1]:
        x = (x @ w).relu()
    return -(ml.nn.functional.log_softmax(x @ weights[-1], 1) * y).sum() / y.shape[0]
