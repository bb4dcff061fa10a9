"""What the parts that write statements have in common: the builder, the open loops, the memory and the values."""

from __future__ import annotations

from .values import Values


class Part:
    """Writes statements of one kind."""

    def __init__(self, values: Values) -> None:
        self.values, self.memory = values, values.memory
        self.nest, self.build, self.b, self.lanes = values.nest, values.build, values.b, values.lanes
