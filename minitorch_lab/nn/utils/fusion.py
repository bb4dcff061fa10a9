"""A layer and the batch norm after it as one layer: in evaluation both are the same affine map."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

from ...tensors.tensor import Tensor
from ..module import Module
from ..parameter import Parameter

Layer = TypeVar("Layer", bound=Module)


def fuse_conv_bn_eval(conv: Layer, bn: Module, transpose: bool = False) -> Layer:
    """A copy of `conv` that computes `bn(conv(x))`, where both are in evaluation.

    Args:
        conv: A convolution.
        bn: The batch norm after it, with running statistics.
        transpose: Whether it is a transposed convolution, whose outputs lie along axis 1.

    Example:
        >>> from minitorch_lab import nn, ones
        >>> conv, bn = nn.Conv2d(1, 2, 3).eval(), nn.BatchNorm2d(2).eval()
        >>> nn.utils.fuse_conv_bn_eval(conv, bn)(ones(1, 1, 4, 4)).allclose(bn(conv(ones(1, 1, 4, 4))), atol=1e-6)
        True
    """
    fused = deepcopy(conv)
    scale: Tensor = (bn.running_var + bn.eps).rsqrt()
    scale = scale if bn.weight is None else scale * bn.weight.detach()
    shift = -bn.running_mean if conv.bias is None else conv.bias.detach() - bn.running_mean
    shift = shift * scale if bn.bias is None else shift * scale + bn.bias.detach()
    weight: Tensor = conv.weight.detach()
    along = [-1 if axis == int(transpose) else 1 for axis in range(weight.ndim)]
    fused.weight = Parameter(weight * scale.reshape(along), conv.weight.requires_grad)
    fused.bias = Parameter(shift, conv.weight.requires_grad)
    return fused


def fuse_linear_bn_eval(linear: Layer, bn: Module) -> Layer:
    """A copy of `linear` that computes `bn(linear(x))`, where both are in evaluation."""
    return fuse_conv_bn_eval(linear, bn)
