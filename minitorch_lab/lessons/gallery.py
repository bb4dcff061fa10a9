"""A gallery of digits: the images side by side, each with its caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..core.array import xp
from ..errors import ShapeError
from ..tensors.tensor import Tensor

ACROSS = 12
SIDE = 8
PITCH = SIDE + 2  # an image and the gap after it


def gallery(images: Tensor, captions: Sequence[str]) -> Any:
    """Draw handwritten digits as one plotly figure, twelve in a row.

    Args:
        images: float32, (n, 64), from 0 (paper) to 1 (ink).
        captions: One for each image, written under it.

    Raises:
        ShapeError: The images are not rows of 64, or there are more or fewer captions than images.
        ModuleNotFoundError: plotly is not installed.

    Example:
        >>> import minitorch_lab as ml
        >>> digits = ml.data.Digits()
        >>> figure = gallery(digits.images[:24], [str(k) for k in digits.labels[:24].tolist()])
        >>> len(figure.data[0].z), len(figure.layout.annotations)
        (20, 24)
    """
    import plotly.graph_objects as go

    if images.ndim != 2 or images.shape[1] != SIDE * SIDE or len(captions) != len(images):
        raise ShapeError(
            f"gallery got images of shape {images.shape} and {len(captions)} captions.",
            "It takes images of shape (n, 64) and n captions.",
            "Did you mean gallery(digits.images[:12], captions[:12])?",
        )
    rows = -(-len(captions) // ACROSS)
    wall = xp.full((rows * PITCH, ACROSS * PITCH), xp.nan)
    notes: list[dict[str, Any]] = []
    for k, caption in enumerate(captions):
        top, left = (k // ACROSS) * PITCH, (k % ACROSS) * PITCH
        wall[top : top + SIDE, left : left + SIDE] = images[k].reshape(SIDE, SIDE).numpy()
        notes.append({"x": left + SIDE / 2 - 0.5, "y": top + SIDE + 0.4, "text": caption, "showarrow": False})
    ink = go.Heatmap(z=wall, colorscale=[[0, "#eef0f2"], [1, "#16191d"]], zmin=0, zmax=1, showscale=False,
                     hovertemplate="ink %{z:.2f}<extra></extra>")  # fmt: skip
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "template": "plotly_white",
        "annotations": notes,
        "xaxis": hidden,
        "yaxis": {**hidden, "autorange": "reversed", "scaleanchor": "x"},
        "height": 90 * rows + 20,
        "margin": {"l": 10, "r": 10, "t": 10, "b": 10},
    }
    return go.Figure([ink], layout)
