"""What may watch a training run: a progress bar, a live plot, or your own."""

from .base import Callback, History
from .lossplot import LossPlot
from .progress import Progress

__all__ = ["Callback", "History", "LossPlot", "Progress"]
