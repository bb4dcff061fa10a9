"""Training: the loop as you would write it by hand, and what may watch it: a progress bar, a live plot, or your own."""

from .base import Callback, History
from .loop import evaluate, fit
from .lossplot import LossPlot
from .progress import Progress

__all__ = ["Callback", "History", "LossPlot", "Progress", "evaluate", "fit"]
