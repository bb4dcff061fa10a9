"""Reverse mode: eager execution leaves a tape, and `backward()` walks it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ops.absent import answering
from . import functional
from .anomaly import detect_anomaly
from .checkpoint import checkpoint, checkpoint_sequential
from .eager import Eager
from .function import Function, once_differentiable
from .gradcheck import gradcheck, gradgradcheck
from .gradients import backward, grad
from .inference import inference_mode, is_inference_mode_enabled
from .modes import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from .node import Leaf, Node
from .saved import saved_tensors_hooks
from .short import EAGER

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.autograd")

__all__ = [
    "EAGER", "Eager", "Function", "Leaf", "Node", "backward", "checkpoint", "checkpoint_sequential",
    "detect_anomaly", "enable_grad", "functional", "grad", "gradcheck", "gradgradcheck", "inference_mode",
    "is_grad_enabled", "is_inference_mode_enabled", "no_grad", "once_differentiable", "saved_tensors_hooks",
    "set_grad_enabled",
]  # fmt: skip
