"""Backward walks that are captured: they compute with tensors, so that their ops are written down like any others."""

from __future__ import annotations

from typing import Any

from ...autograd.layer import Layer
from ...autograd.pullback import OnArrays, OnTensors
from ...autograd.walk import Rules
from ...core.interpret import Interpreter, grad_enabled, interpreting
from ...tensors.factories import ones
from ...tensors.tensor import Tensor


class Walking(Layer):
    """A layer on the imperative tape under which a walk is a part of the program."""

    def seed(self, root: Tensor, gradient: Any, what: str = "backward()") -> Tensor:
        """The cotangent that a walk starts with: a one is made by an op."""
        given = super().seed(root, gradient, what)
        if gradient is not None:
            return given
        with interpreting(self), grad_enabled(False):
            return ones(given.shape, dtype=given.dtype, device=given.device)

    def rules(self, retain: bool, create: bool) -> OnArrays:
        """A walk computes with tensors, through this layer."""
        return OnTensors(self, retain)

    def drive(self, seeds: dict[Any, Any], rules: Rules, ground: Interpreter, create: bool) -> None:
        """Walk; what the walk computes has a history only if that was asked for."""
        with grad_enabled(create):
            super().drive(seeds, rules, self, create)
