"""Measuring: time, peak memory; curves in the colours of the views, green for forward and orange for back."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Sequence
from statistics import median
from time import perf_counter
from typing import Any

LINES = {
    "forward": {"color": "#12805c", "dash": "solid"},
    "reverse": {"color": "#ad4e00", "dash": "dash"},
    "loop": {"color": "#868e99", "dash": "dot"},
    "vmap": {"color": "#0068b0", "dash": "solid"},
}
MARKS = {"forward": "circle", "reverse": "square", "loop": "diamond", "vmap": "circle"}


def seconds(fn: Callable[..., Any], *args: Any, repeats: int = 9) -> float:
    """The median time of `fn(*args)` in seconds, after one run that does not count.

    Example:
        >>> seconds(sum, [1, 2]) >= 0
        True
    """
    fn(*args)
    times: list[float] = []
    for _ in range(repeats):
        start = perf_counter()
        fn(*args)
        times.append(perf_counter() - start)
    return median(times)


def peak(fn: Callable[..., Any], *args: Any) -> int:
    """The most memory, in bytes, that `fn(*args)` had in use at any moment beyond what was there before.

    Example:
        >>> peak(bytearray, 10**6) >= 10**6
        True
    """
    tracemalloc.start()
    try:
        fn(*args)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def curves(x: Sequence[float], panels: dict[str, dict[str, Sequence[float]]], up: str) -> Any:
    """One plotly figure, all axes logarithmic.

    Args:
        x: Where it was measured; the same for all curves.
        panels: From what x is (the title of its axis) to the curves by name: forward, reverse, loop or vmap.
        up: What was measured, with its unit.

    Raises:
        ModuleNotFoundError: plotly is not installed.

    Example:
        >>> figure = curves([1, 2], {"inputs": {"forward": [1, 2], "reverse": [3, 3]}}, up="runs of f")
        >>> [trace.name for trace in figure.data]
        ['forward', 'reverse']
    """
    from plotly.subplots import make_subplots

    figure: Any = make_subplots(cols=len(panels), shared_yaxes=True, horizontal_spacing=0.06)
    for k, (title, named) in enumerate(panels.items(), 1):
        for name, y in named.items():
            figure.add_scatter(
                x=list(x), y=list(y), name=name, mode="lines+markers", line=LINES[name], col=k, row=1,
                marker={"symbol": MARKS[name], "size": 8}, showlegend=k == 1, legendgroup=name,
                hovertemplate="%{x}: %{y:.3s}<extra>" + name + "</extra>",
            )  # fmt: skip
        figure.update_xaxes(type="log", title=title, tickvals=list(x), ticktext=[f"{v:,}" for v in x], col=k)
    figure.update_yaxes(type="log", dtick=1)
    figure.update_yaxes(title=up, col=1)
    figure.update_layout(template="plotly_white", height=360, margin={"l": 70, "r": 20, "t": 20, "b": 60})
    return figure
