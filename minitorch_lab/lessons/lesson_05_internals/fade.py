"""A picture of a log of the walk: how large the cotangent was at each node, in the order in which they ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..verdict import unwritten

LOOKS = [("#0072b2", "circle"), ("#d55e00", "diamond"), ("#009e73", "square"), ("#cc79a7", "x"), ("#56b4e9", "cross")]


def fading(log: Sequence[tuple[str, float]]) -> Any:
    """Draw the log as one plotly figure on a logarithmic axis: a mark per node, of its op's colour and shape.

    Leaves are left out: they run when their gradient is complete, and that says nothing about depth.

    Args:
        log: Pairs of a node's name and the size of what it got, the result's node first.

    Returns:
        The figure; a word to the reader if the log is empty.

    Raises:
        ModuleNotFoundError: plotly is not installed.

    Example:
        >>> figure = fading([("MulBackward", 1.0), ("SigmoidBackward", 0.25), ("AccumulateGrad", 0.1)])
        >>> [(trace.name, list(trace.y)) for trace in figure.data]
        [('Mul', [1.0]), ('Sigmoid', [0.25])]
    """
    import plotly.graph_objects as go

    if not log:
        return unwritten("watch() has noted nothing so far. That exercise comes first.")
    ops = [(name.removesuffix("Backward"), number) for name, number in log if name != "AccumulateGrad"]
    traces: list[Any] = []
    for k, name in enumerate(dict.fromkeys(name for name, _ in ops)):
        colour, symbol = LOOKS[k % len(LOOKS)]
        marks = [(place, number) for place, (op, number) in enumerate(ops, start=1) if op == name]
        traces.append(go.Scatter(x=[x for x, _ in marks], y=[y for _, y in marks], name=name, mode="lines+markers",
                                 marker={"color": colour, "symbol": symbol, "size": 10},
                                 line={"color": colour, "width": 1, "dash": "dot"},
                                 hovertemplate="node %{x}: %{y:.2g}"))  # fmt: skip
    layout = {
        "template": "plotly_white",
        "height": 340,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "xaxis": {"title": "ops in the order of the walk: the loss on the left, the first layer on the right"},
        "yaxis": {"title": "largest entry of what it got", "type": "log", "dtick": 1, "exponentformat": "power"},
        "showlegend": True,
    }
    return go.Figure(traces, layout)
