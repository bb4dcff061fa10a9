"""A sketch of the loss while it falls: SVG in the page's own colours, light enough to be sent twice a second."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, floor, inf, log10

from .base import History

BLUE, ORANGE = "#0072b2", "#d55e00"  # Okabe-Ito
WIDTH, HEIGHT = 768, 313
LEFT, RIGHT, TOP, BOTTOM = 60, 748, 60, 275
POINTS = 1000  # more than a plot of this width can show


def sketch(history: History) -> str:
    """The loss of each step and the mean of each epoch, on a logarithmic axis over the whole run, as HTML.

    Example:
        >>> html = sketch(History(1, 2, [1.0, 0.5]))
        >>> "Step 2 of 2: mean loss of the epoch 0.7500." in html, html.count("<polyline")
        (True, 2)
    """
    low, high = decades(history.losses)
    total = history.epochs * history.steps_per_epoch

    def height(exponent: float) -> float:
        return BOTTOM - (BOTTOM - TOP) * (exponent - low) / (high - low)

    def line(points: Iterable[tuple[int, float]], style: str) -> str:
        places = [(LEFT + (RIGHT - LEFT) * x / total, height(log10(y))) for x, y in points if 0 < y < inf]
        return f'<polyline fill="none" {style} points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in places)}"/>'

    parts = [words(LEFT, 28, "start", history.summary(), 14), words(RIGHT, HEIGHT - 8, "end", f"step {total}")]
    for exponent in range(low, high + 1):
        y = height(exponent)
        parts.append(f'<path d="M{LEFT} {y:.1f}H{RIGHT}" stroke="currentColor" opacity="0.2"/>')
        parts.append(words(LEFT - 8, y + 4, "end", f"{10.0**exponent:g}"))
    for name, x, points, style in (
        ("each step", 540, step_points(history), f'stroke="{BLUE}" stroke-width="1"'),
        ("mean of each epoch", 640, epoch_points(history), f'stroke="{ORANGE}" stroke-width="2"'),
    ):
        parts += [line(points, style), f'<path d="M{x - 28} 46h22" {style}/>', words(x, 50, "start", name)]
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" style="width: 100%; height: {HEIGHT}px" role="img" '
        f'aria-label="{history.summary()}">{"".join(parts)}</svg>'
    )


def words(x: float, y: float, anchor: str, text: str, size: int = 12) -> str:
    """A line of text."""
    return f'<text x="{x}" y="{y:.0f}" text-anchor="{anchor}" font-size="{size}" fill="currentColor">{text}</text>'


def decades(losses: list[float]) -> tuple[int, int]:
    """The powers of ten around all losses that have a logarithm; at least one decade."""
    shown = [loss for loss in losses if 0 < loss < inf] or [1.0]
    low = floor(log10(min(shown)))
    return low, max(ceil(log10(max(shown))), low + 1)


def step_points(history: History) -> list[tuple[int, float]]:
    """Step and loss, for at most POINTS of the steps."""
    every = 1 + len(history.losses) // POINTS
    return list(zip(range(1, len(history.losses) + 1, every), history.losses[::every], strict=True))


def epoch_points(history: History) -> list[tuple[int, float]]:
    """The last step of each epoch so far, and the epoch's mean loss."""
    n = history.steps_per_epoch
    return [(min(i * n, len(history.losses)), mean) for i, mean in enumerate(history.mean_losses(), 1)]
