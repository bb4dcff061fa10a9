"""Pictures of gradients and of losses: entries by their size beside what float16 can hold, and curves side by side."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import Any, NamedTuple

from ...core.array import xp
from ..charts import BLUE, ORANGE, Chart
from .formats import FORMATS, GREEN


class Sizes(NamedTuple):
    """How large the entries of a gradient are that are not 0: parts of them."""

    zero: float
    subnormal: float
    normal: float
    infinite: float


def entries(model: Any) -> Any:
    """All entries of a model's gradients, in one array."""
    return xp.concatenate([p.grad.numpy().ravel() for p in model.parameters()])


def sizes(gradient: Any) -> Sizes:
    """What becomes of a gradient in float16, of those entries that are not 0 before.

    Example:
        >>> sizes(xp.array([0.0, 1e-8, 1e-5, 0.1, 1e9]))
        Sizes(zero=0.25, subnormal=0.25, normal=0.25, infinite=0.25)
    """
    found = xp.abs(gradient[gradient != 0])
    with xp.errstate(over="ignore"):
        there = found.astype("float16").astype("float64")
    small = FORMATS["float16"].smallest_normal
    parts = there == 0, (there > 0) & (there < small), (there >= small) & xp.isfinite(there), ~xp.isfinite(there)
    return Sizes(*(float(part.mean()) for part in parts))


def histogram(gradients: dict[str, Any], title: str) -> Chart:
    """How many entries have which size, by powers of two, with the limits of float16."""
    import plotly.graph_objects as go

    form, figure, top = FORMATS["float16"], go.Figure(), 1
    looks = zip((BLUE, ORANGE), ("", "/"), strict=True)
    for (name, gradient), (colour, hatch) in zip(gradients.items(), looks, strict=False):
        found = xp.abs(gradient[(gradient != 0) & xp.isfinite(gradient)])
        powers, counts = xp.unique(xp.floor(xp.log2(found)), return_counts=True)
        top = max(top, int(counts.max()))
        figure.add_bar(
            x=(powers + 0.5).tolist(), y=counts.tolist(), name=name, opacity=0.75, width=1,
            marker={"color": colour, "pattern": {"shape": hatch}},
        )  # fmt: skip
    limits = ((form.smallest / 2, "0 below"), (form.smallest_normal, "normal from"), (form.largest, "inf beyond"))
    for limit, said in limits:
        figure.add_vline(x=log2(limit), line={"color": "#16191d", "dash": "dot"})
        figure.add_annotation(x=log2(limit), y=1.04 * top, text=said, showarrow=False, xanchor="left", xshift=4)
    figure.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=340, barmode="overlay",
        xaxis={"title": {"text": "size of an entry, as a power of two"}}, yaxis={"title": {"text": "entries"}},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1.05, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": 70, "b": 50},
    )  # fmt: skip
    said = "; ".join(
        f"{name}: {parts.zero:.0%} become 0 in float16, {parts.subnormal:.0%} are subnormal"
        for name, parts in ((name, sizes(gradient)) for name, gradient in gradients.items())
    )
    return Chart(figure, f"{title} {said}.")


def losses(curves: dict[str, Sequence[float]], title: str) -> Chart:
    """The loss of every epoch, for several ways to train."""
    import plotly.graph_objects as go

    figure: Any = go.Figure()
    looks = zip((BLUE, ORANGE, GREEN), ("solid", "dash", "dot"), ("circle", "square", "diamond"), strict=True)
    for (name, y), (colour, dash, mark) in zip(curves.items(), looks, strict=False):
        figure.add_scatter(
            x=list(range(1, len(y) + 1)), y=list(y), name=name, mode="lines+markers",
            line={"color": colour, "dash": dash}, marker={"symbol": mark, "size": 6},
        )  # fmt: skip
    figure.update_layout(
        template="plotly_white", title={"text": title, "font": {"size": 14}}, height=340,
        xaxis={"title": {"text": "epoch"}}, yaxis={"title": {"text": "loss"}, "rangemode": "tozero"},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 60, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    ends = ", ".join(f"{name} {y[-1]:.2f}" for name, y in curves.items())
    return Chart(figure, f"{title} At the end: {ends}.")
