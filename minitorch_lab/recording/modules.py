"""Which module runs: its path in the outermost one whose forward is on the stack."""

from __future__ import annotations

import inspect
import weakref
from types import FrameType
from typing import Any


class Modules:
    """The paths of modules. A module is known by identity, and is not kept alive."""

    def __init__(self) -> None:
        self.paths: weakref.WeakKeyDictionary[Any, dict[int, str]] = weakref.WeakKeyDictionary()

    def running(self) -> str | None:
        """The path of the innermost module that runs now: "blocks.0.qkv"; None where no module runs."""
        inner, outer = None, None
        frame: FrameType | None = inspect.currentframe()
        while frame is not None:
            if frame.f_code.co_name == "forward":
                module = frame.f_locals.get("self")
                if hasattr(type(module), "named_modules"):
                    inner, outer = inner or module, module
            frame = frame.f_back
        if outer is None:
            return None
        if outer not in self.paths or id(inner) not in self.paths[outer]:
            self.paths[outer] = {id(module): path for path, module in outer.named_modules()}
        return self.paths[outer].get(id(inner))
