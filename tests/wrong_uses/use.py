"""What a wrong use is: a call, the error that answers it, and its words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minitorch_lab as ml

Use = tuple[Callable[[], Any], type[Exception], str]


def leaf(*shape: int) -> ml.Tensor:
    """Ones that require a gradient."""
    return ml.ones(*shape, requires_grad=True)
