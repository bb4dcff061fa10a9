"""What lesson 01, "Tensors and strides", uses."""

from __future__ import annotations

from .cells import memory
from .layout import as_strided
from .strides import check_address, check_copies, check_mirrored, check_permuted, check_snapshots

__all__ = [
    "as_strided", "check_address", "check_copies", "check_mirrored", "check_permuted", "check_snapshots", "memory",
]  # fmt: skip
