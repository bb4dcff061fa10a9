"""What a computation costs, counted while it runs."""

from .flops import FlopCounter, count_flops

__all__ = ["FlopCounter", "count_flops"]
