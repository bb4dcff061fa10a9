"""`eager`: a graph run op by op. What differs from it is the code generator's fault."""

from __future__ import annotations

from typing import Any

from ....core.interpret import GROUND, interpreting
from ...ir.evaluate import evaluate
from ...ir.graph import Graph
from ..record import Backend, Runs


def op_by_op(graph: Graph) -> Runs:
    """The graph, run op by op: no code is generated."""

    def run(*arrays: Any) -> list[Any]:
        with interpreting(GROUND):
            return list(evaluate(graph, list(arrays)))

    return run


BACKEND = Backend("eager", op_by_op)
