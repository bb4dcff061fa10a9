"""The public names of `minitorch_lab.nn.functional`. Written by `python -m tests.types.stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from typing import TypeAlias as _TypeAlias
from numpy import generic as _generic
from numpy import ndarray as _ndarray
from minitorch_lab.tensors.tensor import Tensor as Tensor
from ..batchnorm import batch_norm as batch_norm
from ..instancenorm import instance_norm as instance_norm
from ._dropout import alpha_dropout as alpha_dropout
from ._dropout import dropout as dropout
from ._dropout import dropout1d as dropout1d
from ._dropout import dropout2d as dropout2d
from ._dropout import dropout3d as dropout3d
from .activation import celu as celu
from .activation import elu as elu
from .activation import gelu as gelu
from .activation import glu as glu
from .activation import gumbel_softmax as gumbel_softmax
from .activation import hardshrink as hardshrink
from .activation import hardsigmoid as hardsigmoid
from .activation import hardswish as hardswish
from .activation import hardtanh as hardtanh
from .activation import leaky_relu as leaky_relu
from .activation import logsigmoid as logsigmoid
from .activation import mish as mish
from .activation import prelu as prelu
from .activation import relu as relu
from .activation import relu6 as relu6
from .activation import rrelu as rrelu
from .activation import selu as selu
from .activation import silu as silu
from .activation import softmin as softmin
from .activation import softplus as softplus
from .activation import softshrink as softshrink
from .activation import softsign as softsign
from .activation import tanhshrink as tanhshrink
from .activation import threshold as threshold
from .attention import scaled_dot_product_attention as scaled_dot_product_attention
from .channels import channel_shuffle as channel_shuffle
from .channels import local_response_norm as local_response_norm
from .ctc import ctc_loss as ctc_loss
from .distance import cosine_similarity as cosine_similarity
from .distance import normalize as normalize
from .distance import pairwise_distance as pairwise_distance
from .grid import affine_grid as affine_grid
from .grid import grid_sample as grid_sample
from .loss import binary_cross_entropy as binary_cross_entropy
from .loss import binary_cross_entropy_with_logits as binary_cross_entropy_with_logits
from .loss import cosine_embedding_loss as cosine_embedding_loss
from .loss import gaussian_nll_loss as gaussian_nll_loss
from .loss import hinge_embedding_loss as hinge_embedding_loss
from .loss import huber_loss as huber_loss
from .loss import kl_div as kl_div
from .loss import l1_loss as l1_loss
from .loss import margin_ranking_loss as margin_ranking_loss
from .loss import multi_margin_loss as multi_margin_loss
from .loss import multilabel_margin_loss as multilabel_margin_loss
from .loss import multilabel_soft_margin_loss as multilabel_soft_margin_loss
from .loss import nll_loss as nll_loss
from .loss import poisson_nll_loss as poisson_nll_loss
from .loss import smooth_l1_loss as smooth_l1_loss
from .loss import soft_margin_loss as soft_margin_loss
from .loss import triplet_margin_loss as triplet_margin_loss
from .loss import triplet_margin_with_distance_loss as triplet_margin_with_distance_loss
from .pool import adaptive_avg_pool1d as adaptive_avg_pool1d
from .pool import adaptive_avg_pool2d as adaptive_avg_pool2d
from .pool import adaptive_avg_pool3d as adaptive_avg_pool3d
from .pool import adaptive_max_pool1d as adaptive_max_pool1d
from .pool import adaptive_max_pool2d as adaptive_max_pool2d
from .pool import adaptive_max_pool3d as adaptive_max_pool3d
from .pool import lp_pool1d as lp_pool1d
from .pool import lp_pool2d as lp_pool2d
from .pool import lp_pool3d as lp_pool3d
from .pool import max_unpool1d as max_unpool1d
from .pool import max_unpool2d as max_unpool2d
from .resize import fold as fold
from .resize import interpolate as interpolate
from .resize import pixel_shuffle as pixel_shuffle
from .resize import pixel_unshuffle as pixel_unshuffle
from .resize import unfold as unfold
from .vector import bilinear as bilinear
from .vector import embedding as embedding
from .vector import embedding_bag as embedding_bag
from .written import celu_ as celu_
from .written import elu_ as elu_
from .written import hardtanh_ as hardtanh_
from .written import leaky_relu_ as leaky_relu_
from .written import relu_ as relu_
from .written import rrelu_ as rrelu_
from .written import selu_ as selu_
from .written import threshold_ as threshold_
from collections.abc import Sequence

__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "adaptive_avg_pool3d", "adaptive_max_pool1d",
    "adaptive_max_pool2d", "adaptive_max_pool3d", "affine_grid", "alpha_dropout", "avg_pool1d", "avg_pool2d",
    "avg_pool3d", "batch_norm", "bilinear", "binary_cross_entropy", "binary_cross_entropy_with_logits", "celu",
    "celu_", "channel_shuffle", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
    "conv_transpose3d", "cosine_embedding_loss", "cosine_similarity", "cross_entropy", "ctc_loss", "dropout",
    "dropout1d", "dropout2d", "dropout3d", "elu", "elu_", "embedding", "embedding_bag", "flatten", "fold",
    "gaussian_nll_loss", "gelu", "glu", "grid_sample", "group_norm", "gumbel_softmax", "hardshrink",
    "hardsigmoid", "hardswish", "hardtanh", "hardtanh_", "hinge_embedding_loss", "huber_loss", "instance_norm",
    "interpolate", "kl_div", "l1_loss", "layer_norm", "leaky_relu", "leaky_relu_", "linear",
    "local_response_norm", "log_softmax", "logsigmoid", "lp_pool1d", "lp_pool2d", "lp_pool3d",
    "margin_ranking_loss", "max_pool1d", "max_pool2d", "max_pool3d", "max_unpool1d", "max_unpool2d", "mish",
    "mse_loss", "multi_margin_loss", "multilabel_margin_loss", "multilabel_soft_margin_loss", "nll_loss",
    "normalize", "one_hot", "pad", "pairwise_distance", "pdist", "pixel_shuffle", "pixel_unshuffle",
    "poisson_nll_loss", "prelu", "relu", "relu6", "relu_", "rms_norm", "rrelu", "rrelu_",
    "scaled_dot_product_attention", "selu", "selu_", "sigmoid", "silu", "smooth_l1_loss", "soft_margin_loss",
    "softmax", "softmin", "softplus", "softshrink", "softsign", "tanh", "tanhshrink", "threshold", "threshold_",
    "triplet_margin_loss", "triplet_margin_with_distance_loss", "unfold"
]  # fmt: skip

_Operand: _TypeAlias = Tensor | _float | _ndarray[_Any, _Any] | _generic

def avg_pool1d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor:
    """The mean of each window along the last axis; zeros of the padding count, unless `count_include_pad` is False."""

def avg_pool2d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
) -> Tensor:
    """The mean of each window over the last two axes; zeros of the padding count, unless told otherwise."""

def avg_pool3d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
    divisor_override: _int | None = None,
) -> Tensor:
    """The mean of each window over the last three axes. Arguments as in `avg_pool2d`."""

def conv1d(
    input: _Operand,
    weight: _Any,
    bias: _Any = None,
    stride: _Any = 1,
    padding: _Any = 0,
    dilation: _Any = 1,
    groups: _int = 1,
) -> Tensor:
    """Slide `weight` along the last axis of `input` and take the inner product at each place."""

def conv2d(
    input: _Operand,
    weight: _Any,
    bias: _Any = None,
    stride: _Any = 1,
    padding: _Any = 0,
    dilation: _Any = 1,
    groups: _int = 1,
) -> Tensor:
    """Slide `weight` over the last two axes of `input` and take the inner product at each place."""

def conv3d(
    input: _Operand,
    weight: _Any,
    bias: _Any = None,
    stride: _Any = 1,
    padding: _Any = 0,
    dilation: _Any = 1,
    groups: _int = 1,
) -> Tensor:
    """Slide `weight` over the last three axes of `input` and take the inner product at each place."""

def conv_transpose1d(
    input: _Operand,
    weight: _Any,
    bias: _Any = None,
    stride: _Any = 1,
    padding: _Any = 0,
    output_padding: _Any = 0,
    groups: _int = 1,
    dilation: _Any = 1,
) -> Tensor:
    """The transpose of `conv1d`: every entry of `input` lays down a multiple of `weight`, `stride` apart."""

def conv_transpose2d(
    input: _Operand,
    weight: _Any,
    bias: _Any = None,
    stride: _Any = 1,
    padding: _Any = 0,
    output_padding: _Any = 0,
    groups: _int = 1,
    dilation: _Any = 1,
) -> Tensor:
    """The transpose of `conv2d`: every entry of `input` lays down a multiple of `weight`, `stride` apart."""

def conv_transpose3d(
    input: _Operand,
    weight: _Any,
    bias: _Any = None,
    stride: _Any = 1,
    padding: _Any = 0,
    output_padding: _Any = 0,
    groups: _int = 1,
    dilation: _Any = 1,
) -> Tensor:
    """The transpose of `conv3d`: every entry of `input` lays down a multiple of `weight`, `stride` apart."""

def cross_entropy(
    input: _Operand,
    target: _Any,
    weight: _Any = None,
    *,
    ignore_index: _int = -100,
    reduction: str = "mean",
    label_smoothing: _float = 0.0,
    out: Tensor | None = None,
) -> Tensor:
    """Cross-entropy of logits `input` (N, C), (C,) or (N, C, d…) against classes (int64) or probabilities (floats)."""

def flatten(x: _Operand, start_dim: _int = 0, end_dim: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """The axes from `start_dim` to `end_dim` joined into one; by default all of them."""

def group_norm(
    input: _Operand, num_groups: _int, weight: _Any = None, bias: _Any = None, eps: _float = 1e-05
) -> Tensor:
    """Each group of channels of each example with mean 0 and variance 1, then times `weight` plus `bias` by channel."""

def layer_norm(
    input: _Operand, normalized_shape: _Any, weight: _Any = None, bias: _Any = None, eps: _float = 1e-05
) -> Tensor:
    """Each example with mean 0 and variance 1 over its last axes, then times `weight` plus `bias`."""

def linear(input: _Operand, weight: _Any, bias: _Any = None, *, out: Tensor | None = None) -> Tensor:
    """input @ weightᵀ + bias, for an input (…, in), a weight (out, in) and a bias (out,)."""

def log_softmax(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`, more exact than taking it afterwards."""

def max_pool1d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    dilation: _Any = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """The largest entry of each window along the last axis. The first of equals gets the gradient."""

def max_pool2d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    dilation: _Any = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """The largest entry of each window over the last two axes. The first of equals gets the gradient."""

def max_pool3d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    dilation: _Any = 1,
    ceil_mode: _bool = False,
    return_indices: _bool = False,
) -> Tensor:
    """The largest entry of each window over the last three axes. Arguments as in `max_pool2d`."""

def mse_loss(input: _Operand, target: _Any, reduction: str = "mean", *, out: Tensor | None = None) -> Tensor:
    """The squared difference of two tensors of one shape, averaged, summed, or entry by entry."""

def one_hot(x: _Operand, num_classes: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """A new last axis with a 1 at the class and 0 elsewhere, int64. -1 takes as many classes as the labels show."""

def pad(
    x: _Operand, pad: Sequence[_int], mode: str = "constant", value: _float | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`x` in a frame. `pad` names pairs (before, after) from the last axis to the first; a negative width cuts off."""

def pdist(input: _Operand, p: _float = 2.0, *, out: Tensor | None = None) -> Tensor:
    """The distances of all pairs of rows of a matrix, in the norm `p`: those above the diagonal of `cdist`, row by row."""

def rms_norm(input: _Operand, normalized_shape: _Any, weight: _Any = None, eps: _float | None = None) -> Tensor:
    """Each example divided by its root mean square over the last axes, then times `weight`."""

def sigmoid(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-x)), between 0 and 1."""

def softmax(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """exp(x) over its sum along `dim`: positive numbers that sum to 1."""

def tanh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent of x, between -1 and 1."""
