"""The timeline as a chart: bytes alive, stacked by category."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .ledger import CATEGORIES, Moment

# Okabe and Ito's colours, which colour-blind readers can tell apart; hatches say the same without colour.
COLOURS = {
    "parameter": ((0, 114, 178), ""),
    "optimizer state": ((0, 158, 115), "x"),
    "gradient": ((213, 94, 0), "/"),
    "input": ((120, 120, 120), ""),
    "activation": ((204, 121, 167), "."),
    "temporary": ((230, 159, 0), "-"),
}
PHASES = ("forward", "backward", "recomputation", "update")


def figure(timeline: Sequence[Moment], title: str, **layout: Any) -> Any:
    """A plotly figure of the bytes alive over the events. White, so that it can be read on any page."""
    import plotly.graph_objects as go

    n = [moment.n for moment in timeline]
    said = [f"event {m.n}, {m.phase}: {m.op or 'at the beginning'}" for m in timeline]
    chart: Any = go.Figure()
    for name in CATEGORIES:
        live = [moment.live[name] for moment in timeline]
        if any(live):
            (red, green, blue), hatch = COLOURS[name]
            colour, pale = f"rgb({red},{green},{blue})", f"rgba({red},{green},{blue},0.4)"
            fill = {"shape": hatch, "fgcolor": colour, "bgcolor": pale, "size": 6} if hatch else {}
            chart.add_scatter(
                x=n, y=live, name=name, text=said, stackgroup="live", mode="lines",
                line={"color": colour, "width": 1, "shape": "hv"}, fillcolor=pale, fillpattern=fill,
                hovertemplate="%{y:,} bytes of " + name + "<br>%{text}<extra></extra>",
            )  # fmt: skip
    top = max(timeline, key=lambda moment: moment.total)
    chart.add_annotation(
        x=top.n, y=top.total, text=f"peak {top.total:,} bytes", showarrow=True, arrowhead=2, ay=-28, ax=0
    )
    for phase, start, end in stretches(timeline):
        chart.add_vrect(x0=start, x1=end, fillcolor="black", opacity=0.04 * (PHASES.index(phase) % 2), line_width=0)
        chart.add_annotation(x=(start + end) / 2, y=-0.13, yref="paper", text=phase, showarrow=False)
    chart.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=360,
        yaxis={"title": {"text": "bytes alive"}, "rangemode": "tozero", "tickformat": "~s"},
        xaxis={"title": {"text": "event", "standoff": 24}}, margin={"l": 60, "r": 20, "t": 50, "b": 60},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"}, **layout,
    )  # fmt: skip
    return chart


def stretches(timeline: Sequence[Moment]) -> list[tuple[str, int, int]]:
    """The phases with their first and last event. A walk that recomputes is one stretch of backward."""
    found: list[tuple[str, int, int]] = []
    for moment in timeline:
        if moment.phase not in PHASES:
            continue
        phase = "backward" if moment.phase == "recomputation" else moment.phase
        if found and found[-1][0] == phase:
            found[-1] = phase, found[-1][1], moment.n
        else:
            found.append((phase, moment.n, moment.n))
    return found
