"""Capture, graphs, and what is made of them. The room itself is `ml.compile`: calling it compiles a function."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class Room(ModuleType):
    """A package that can be called, since PyTorch's name for the function is the name of the room as well."""

    def __call__(self, fn: Any = None, **settings: Any) -> Any:
        """See `compile.api.compile`."""
        from .api import compile

        return compile(fn, **settings)

    @property
    def explain(self) -> Any:
        """See `compile.explanation.explain`."""
        from .explanation import explain

        return explain

    @property
    def minify(self) -> Any:
        """See `compile.checking.minify.minify`."""
        from .checking.minify import minify

        return minify

    @property
    def watch(self) -> Any:
        """See `compile.capture.bytecode.watching.watch`."""
        from .capture.bytecode.watching import watch

        return watch


sys.modules[__name__].__class__ = Room
