"""A race of programs on the reader's machine: in turn, many times, and the median of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any

from .charts import Chart

LOOKS: tuple[tuple[str, str, str], ...] = (
    ("#12805c", "solid", "circle"), ("#ad4e00", "dash", "square"), ("#0068b0", "dot", "diamond"),
    ("#868e99", "dashdot", "triangle-up"), ("#b0307a", "solid", "x"),
)  # fmt: skip


def race(programs: dict[str, Callable[[], Any]], rounds: int = 41) -> dict[str, float]:
    """The median time of each program in microseconds. They run in turn, so that a disturbance meets all alike.

    Example:
        >>> times = race({"one": lambda: sum(range(10)), "other": lambda: sum(range(1000))}, rounds=5)
        >>> list(times)
        ['one', 'other']
    """
    taken: dict[str, list[float]] = {name: [] for name in programs}
    for _ in range(rounds + 3):
        for name, program in programs.items():
            start = perf_counter()
            program()
            taken[name].append(perf_counter() - start)
    return {name: 1e6 * median(times[3:]) for name, times in taken.items()}  # the first three warm up


def raced(sizes: Sequence[int], times: Sequence[dict[str, float]], title: str) -> Chart:
    """The times of several races, one for each size, as lines.

    Args:
        sizes: How many entries the tensors had.
        times: What `race` gave, in the same order: microseconds by name.
        title: What is compared.
    """
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    for name, (color, dash, symbol) in zip(times[0], LOOKS, strict=False):
        figure.add_scatter(
            x=list(sizes), y=[at[name] for at in times], name=name, mode="lines+markers",
            line={"color": color, "dash": dash}, marker={"symbol": symbol, "size": 8},
            hovertemplate="%{x} entries: %{y:.3s} µs<extra>" + name + "</extra>",
        )  # fmt: skip
    figure.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=380,
        xaxis={"title": {"text": "entries"}, "type": "log", "tickvals": list(sizes),
               "ticktext": [f"{n:,}" for n in sizes]},
        yaxis={"title": {"text": "microseconds per call"}, "type": "log", "dtick": 1},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 70, "r": 20, "t": 70, "b": 50},
    )  # fmt: skip
    told = "; ".join(f"{name} {times[0][name]:.0f} µs" for name in times[0])
    return Chart(figure, f"{title} With {sizes[0]:,} entries: {told}.")
