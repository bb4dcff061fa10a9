"""A picture of a log of the walk: how large the cotangent was at each node, in the order in which they ran."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .verdict import unwritten

COLOUR = "#0072b2"


def fading(log: Sequence[tuple[str, float]]) -> Any:
    """Draw the log as one plotly figure, a bar per node, on a logarithmic axis.

    Args:
        log: Pairs of a node's name and the size of what it got, the result's node first.

    Returns:
        The figure; a word to the reader if the log is empty.

    Raises:
        ModuleNotFoundError: plotly is not installed.

    Example:
        >>> figure = fading([("MulBackward", 1.0), ("SigmoidBackward", 0.25)])
        >>> list(figure.data[0].y)
        [1.0, 0.25]
    """
    import plotly.graph_objects as go

    if not log:
        return unwritten("watch() has noted nothing so far. That exercise comes first.")
    names = [name.removesuffix("Backward") for name, _ in log]
    bars = go.Bar(x=list(range(1, len(log) + 1)), y=[number for _, number in log], text=names, textangle=-90,
                  marker_color=COLOUR, hovertemplate="%{text}: %{y:.3g}<extra></extra>")  # fmt: skip
    layout = {
        "template": "plotly_white",
        "height": 320,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
        "xaxis": {"title": "nodes, in the order of the walk: the loss is on the left"},
        "yaxis": {"title": "largest entry of what it got", "type": "log", "tickformat": ".0e", "dtick": 1},
    }
    return go.Figure([bars], layout)
