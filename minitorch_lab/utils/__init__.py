"""PyTorch's names for rooms that stand elsewhere here: `utils.data` is `ml.data`, `utils.checkpoint` recomputes."""

from . import checkpoint, data

__all__ = ["checkpoint", "data"]
