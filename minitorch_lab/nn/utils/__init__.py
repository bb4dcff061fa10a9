"""Help around training: gradients that are held in bounds, parameters as one vector, sequences of unequal lengths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...ops.absent import answering
from . import clip_grad, parametrizations, parametrize, rnn
from .clip import clip_grad_norm_, clip_grad_value_, clip_grads_with_norm_, get_total_norm
from .fusion import fuse_conv_bn_eval, fuse_linear_bn_eval
from .hooked_norms import remove_spectral_norm, remove_weight_norm, spectral_norm, weight_norm
from .vector import parameters_to_vector, vector_to_parameters

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.nn.utils")

__all__ = [
    "clip_grad", "clip_grad_norm_", "clip_grad_value_", "clip_grads_with_norm_", "fuse_conv_bn_eval",
    "fuse_linear_bn_eval", "get_total_norm", "parameters_to_vector", "parametrizations", "parametrize",
    "remove_spectral_norm", "remove_weight_norm", "rnn", "spectral_norm", "vector_to_parameters", "weight_norm",
]  # fmt: skip
