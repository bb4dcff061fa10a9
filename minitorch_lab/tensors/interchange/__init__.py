"""Between this package and the others: arrays that are shared, not copied, and einops."""

from .arrays import as_tensor, asarray, from_dlpack, from_numpy
from .einops_backend import offer

offer()

__all__ = ["as_tensor", "asarray", "from_dlpack", "from_numpy"]
