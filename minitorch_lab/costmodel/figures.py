"""The laws as plotly figures, with room for points that the reader has measured.

Colours are those of the views, and never alone: lines differ in their dashes, points in their symbols.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .continuum import Strategy, crossovers
from .dispatch import dispatch_tax
from .machine import Machine
from .roofline import Point, attainable
from .training import TrainingMemory
from .transfer import transfer_time

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
SYMBOLS = ("circle", "square", "diamond", "cross", "triangle-up", "x")


def look(number: int) -> dict[str, Any]:
    """Colour and dashes of a line."""
    return {"color": COLOURS[number % len(COLOURS)], "dash": DASHES[number % len(DASHES)]}


def blank(x: str, y: str, **axes: Any) -> Any:
    """An empty figure with named axes, both logarithmic unless `axes` says otherwise."""
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    figure.update_layout(
        template="plotly_white", height=380, margin={"l": 70, "r": 20, "t": 50, "b": 60},
        xaxis={"title": {"text": x}, "type": "log", **axes.get("xaxis", {})},
        yaxis={"title": {"text": y}, "type": "log", **axes.get("yaxis", {})},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
    )  # fmt: skip
    return figure


def spaced(first: float, last: float, count: int = 60) -> list[float]:
    """Numbers from one to another, each the same multiple of the one before."""
    return [first * (last / first) ** (i / (count - 1)) for i in range(count)]


def plot_roofline(machines: Sequence[Machine], points: Sequence[Point] = ()) -> Any:
    """The roofs of some machines, and where programs stand under them: on the roof of the first, or where measured.

    Example:
        >>> from minitorch_lab.costmodel import A100
        >>> figure = plot_roofline([A100], [Point("relu", 8192, 65536)])
        >>> [trace.name for trace in figure.data]
        ['A100, float16', 'relu']
    """
    figure = blank("intensity (FLOP per byte)", "FLOP/s")
    ends = [p.intensity for p in points if p.intensity > 0] + [m.ridge for m in machines]
    xs = spaced(min(ends) / 10, max(ends) * 10)
    for i, machine in enumerate(machines):
        figure.add_scatter(x=xs, y=[attainable(x, machine) for x in xs], name=machine.name, mode="lines", line=look(i))
    for i, point in enumerate(points):
        y = attainable(point.intensity, machines[0]) if point.reached is None else point.reached
        marker = {"symbol": SYMBOLS[i % len(SYMBOLS)], "color": COLOURS[(i + len(machines)) % len(COLOURS)], "size": 10}
        figure.add_scatter(x=[point.intensity], y=[y], name=point.name, mode="markers", marker=marker)
    return figure


def plot_continuum(strategies: Sequence[Strategy], runs: tuple[float, float] = (1e2, 1e8)) -> Any:
    """What each way of running takes by the number of runs, and from where on which one wins.

    Example:
        >>> figure = plot_continuum([Strategy("eager", 0, 10e-6), Strategy("AOT", 30, 2e-6)])
        >>> [round(shape.x0) for shape in figure.layout.shapes]
        [3750000]
    """
    figure = blank("runs", "seconds in all")
    xs = spaced(*runs)
    for i, way in enumerate(strategies):
        figure.add_scatter(x=xs, y=[way.seconds(x) for x in xs], name=way.name, mode="lines", line=look(i))
    for at, way in crossovers(strategies)[1:]:
        figure.add_vline(x=at, line={"color": "#767676", "dash": "dot"}, annotation_text=f"{way.name} from {at:,.0f}")
    return figure


def plot_dispatch_tax(dispatch: float, measured: Mapping[float, float] | None = None) -> Any:
    """The tax by the time that an op takes, and taxes that were measured.

    Args:
        dispatch: Seconds until an op begins.
        measured: By the seconds that an op took on the hardware, the tax that it paid, from 0 to 1.

    Example:
        >>> [trace.name for trace in plot_dispatch_tax(15e-6, {1e-6: 0.94}).data]
        ['15 µs for each op', 'measured']
    """
    figure = blank("seconds of an op on the hardware", "dispatch tax", yaxis={"type": "linear", "tickformat": ".0%"})
    xs = spaced(dispatch / 100, dispatch * 100)
    name = f"{1e6 * dispatch:.3g} µs for each op"
    figure.add_scatter(x=xs, y=[dispatch_tax(dispatch, x) for x in xs], name=name, mode="lines", line=look(0))
    if measured:
        marker = {"symbol": SYMBOLS[1], "color": COLOURS[1], "size": 10}
        figure.add_scatter(x=[*measured], y=[*measured.values()], name="measured", mode="markers", marker=marker)
    return figure


def plot_ladder(nbytes: float, rates: Mapping[str, float]) -> Any:
    """Seconds that some bytes take by each way, the slowest on top.

    Example:
        >>> from minitorch_lab.costmodel import LADDER
        >>> plot_ladder(4e6, LADDER).data[0].y[-1]
        'PCIe 3.0 x16'
    """
    figure = blank(f"seconds for {nbytes:,.0f} bytes", "", yaxis={"type": "category"})
    order = sorted(rates, key=lambda name: -rates[name])
    figure.add_bar(
        x=[transfer_time(nbytes, rates[name]) for name in order], y=order, orientation="h",
        marker={"color": COLOURS[0]}, text=[f"{rates[name] / 1e9:,.4g} GB/s" for name in order],
    )  # fmt: skip
    return figure


def plot_training_memory(memories: Mapping[str, TrainingMemory]) -> Any:
    """The four parts of training memory, stacked, for each of some trainings.

    Example:
        >>> figure = plot_training_memory({"Adam": TrainingMemory(4, 4, 8, 20)})
        >>> [(trace.name, trace.y[0]) for trace in figure.data]
        [('weights', 4), ('gradients', 4), ('optimizer', 8), ('activations', 20)]
    """
    figure = blank("", "bytes", xaxis={"type": "category"}, yaxis={"type": "linear"})
    for i, part in enumerate(("weights", "gradients", "optimizer", "activations")):
        figure.add_bar(
            x=[*memories], y=[getattr(memory, part) for memory in memories.values()], name=part,
            marker={"color": COLOURS[i], "pattern": {"shape": ("", "/", ".", "x")[i]}},
        )  # fmt: skip
    figure.update_layout(barmode="stack")
    return figure
