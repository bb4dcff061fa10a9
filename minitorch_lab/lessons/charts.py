"""Charts of a lesson: plotly figures with a sentence beside them, for readers that cannot show a figure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ..memory import Account

BLUE, ORANGE = "#0072B2", "#D55E00"
PLOTLY = "application/vnd.plotly.v1+json"


class Chart:
    """A figure that shows as plotly where that can be, and as its sentence elsewhere."""

    def __init__(self, figure: Any, text: str) -> None:
        self.figure, self.text = figure, text

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Not as a FigureWidget: that would save five megabytes with the notebook."""
        return {PLOTLY: json.loads(self.figure.to_json()), "text/plain": self.text}


def area(account: Account, title: str) -> Chart:
    """Bytes alive over the events of an account, stacked by category."""
    top = account.at_peak().moment
    return Chart(account.figure(title), f"{title} The peak: {top.total:,} bytes, {top.phase} ({top.op}).")


def trade(segments: Sequence[int], kept: Sequence[float], again: Sequence[float], title: str) -> Chart:
    """What checkpoints cost and give: units of memory and layers run again, for each number of segments."""
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    figure.add_scatter(x=segments, y=kept, name="results alive at the peak", mode="lines+markers", line={"color": BLUE})
    figure.add_scatter(
        x=segments, y=again, name="layers run again", mode="lines+markers",
        line={"color": ORANGE, "dash": "dash"}, marker={"symbol": "square"},
    )  # fmt: skip
    figure.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=340,
        xaxis={"title": {"text": "segments"}, "type": "log", "tickvals": [1, 2, 4, 8, 16, 32, 64]},
        yaxis={"title": {"text": "layers"}, "range": [-1, max(*kept, *again) + 2]},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    best = min(zip(kept, segments, strict=True))
    return Chart(figure, f"{title} Fewest alive: {best[0]:g}, with {best[1]} segments.")


def budget_curve(budgets: Sequence[float], kept: Sequence[float], again: Sequence[float], title: str) -> Chart:
    """What a memory budget costs and gives: bytes saved, and entries passed over again, for each budget."""
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    figure.add_scatter(x=budgets, y=kept, name="bytes saved", mode="lines+markers", line={"color": BLUE, "shape": "hv"})
    figure.add_scatter(
        x=budgets, y=again, name="entries computed again", mode="lines+markers",
        line={"color": ORANGE, "dash": "dash", "shape": "hv"}, marker={"symbol": "square"},
    )  # fmt: skip
    figure.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=340,
        xaxis={"title": {"text": "budget: the part of the default's bytes that may be saved"}, "tickvals": budgets},
        yaxis={"title": {"text": "bytes, entries"}, "rangemode": "tozero"},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    return Chart(
        figure, f"{title} From {min(kept):,.0f} bytes with {max(again):,.0f} entries again to {max(kept):,.0f}."
    )


def memory_curve(curves: dict[str, Sequence[float]], unit: str, title: str) -> Chart:
    """What is alive at every step, for several ways of doing the same."""
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    looks = zip((BLUE, ORANGE, "#009E73"), ("solid", "dash", "dot"), strict=True)
    for (name, live), (colour, dash) in zip(curves.items(), looks, strict=False):
        figure.add_scatter(y=live, name=name, mode="lines", line={"color": colour, "dash": dash, "shape": "hv"})
    figure.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=340,
        xaxis={"title": {"text": "step"}}, yaxis={"title": {"text": unit}},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    tops = ", ".join(f"{name} {max(live):,.2f} at step {list(live).index(max(live))}" for name, live in curves.items())
    return Chart(figure, f"{title} The peaks, in {unit}: {tops}.")
