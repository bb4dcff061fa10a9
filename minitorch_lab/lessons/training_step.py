"""The training step of an MLP as one graph, in which all is kept or part of it is computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ..compiler.autodiff.aot import joint
from ..compiler.autodiff.partition import cut, default_partition, joined
from ..compiler.capture.jit import captured
from ..compiler.ir.evaluate import evaluate
from ..compiler.ir.graph import Graph
from ..compiler.memory.buffers import homes
from ..compiler.memory.plan import Plan, Planner, planned
from ..compiler.passes.functionalise import functionalise
from ..compiler.passes.pipeline import optimize
from ..compiler.targets.llvm.backend import compile_llvm
from ..nn.functional import log_softmax
from ..tensors.factories import ones, zeros

CLASSES = 10


def training_step(
    layers: int, width: int, batch: int, keep: Iterable[int] | None = None, last: tuple[str, ...] = ("soon",)
) -> Graph:
    """A step of SGD, written down from fakes: x, one-hot labels and weights to the new weights.

    Args:
        layers: How many layers of relu(x @ w) there are before the last product.
        width: Columns and rows of their weights.
        batch: Rows of x.
        keep: The layers, from 1 up, after which the value is kept; the others are computed again. All, if left out.
        last: The passes at the end.

    Example:
        >>> [len(training_step(8, 4, 4, keep).calls) for keep in (None, (4,))]
        [96, 110]
    """
    x, y = zeros(batch, width), zeros(batch, CLASSES)
    weights = [zeros(width, width) for _ in range(layers)] + [zeros(width, CLASSES)]
    both = joint(pure(loss, x, y, *weights), range(2, layers + 3))
    if keep is None:
        parts = default_partition(both)
    else:
        passed_on = [n for n in both.graph.nodes if n.op is not None and n.op.name == "relu"]
        scores = next(n for n in both.graph.nodes if n.shape == (batch, CLASSES) and n.op is not None)
        parts = cut(both, [*both.primals, *(passed_on[i - 1] for i in keep), scores])
    forward_and_backward = joined(parts)

    def step(*args: Any) -> Any:
        _, *gradients = evaluate(forward_and_backward, [*args, ones(())])
        return [w - 0.01 * g for w, g in zip(args[2:], gradients, strict=True)]

    return optimize(pure(step, x, y, *weights), ["simplify", "dce", *last])


def loss(x: Any, y: Any, *weights: Any) -> Any:
    """Cross entropy of the scores that relu layers give."""
    for w in weights[:-1]:
        x = (x @ w).relu()
    return -(log_softmax(x @ weights[-1], 1) * y).sum() / y.shape[0]


def pure(fn: Callable[..., Any], *examples: Any) -> Graph:
    """`fn` as a pure graph, written down without running it.

    Example:
        >>> pure(lambda x: (x + 1).exp(), zeros(2))
        graph(x: f32[2]):
            add: f32[2] = add(x, 1)
            exp: f32[2] = exp(add)
            return exp
    """
    graph = functionalise(captured(fn, examples, {})).graph
    result = graph.returned[0]
    graph.nodes.pop()
    graph.output(result)
    return graph


def plan_of(graph: Graph, planner: Planner | None = None, donate: Iterable[str] = ()) -> Plan:
    """The memory plan of a pure graph.

    Example:
        >>> print(plan_of(pure(lambda x: (x + 1).exp().sum(), zeros(16))))
        arena: 64 bytes, 1.00 × the 64 alive at add; 64 without sharing
        offset  bytes  steps  values
             0     64    1–3  add → exp
    """
    return planned(homes(graph, donate=tuple(donate)).lives, planner, steps=[n.name for n in graph.nodes])


def plan_in_turns(graph: Graph) -> Plan:
    """The memory plan of a pure graph whose kernels take turns, slice by slice (see `compiler.targets.llvm.slices`).

    Example:
        >>> x = zeros(8, 128, 128)
        >>> plan_in_turns(pure(lambda x: (x @ x).relu() @ x, x)).size
        65536
    """
    return compile_llvm(graph).plan


def weights(graph: Graph) -> list[str]:
    """The names of the arguments of a training step that are weights."""
    return [n.name for n in graph.placeholders[2:]]
