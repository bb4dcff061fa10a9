"""The public names of `minitorch_lab`. Written by `python -m tests.types.stubs`."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from typing import Any as _Any
from typing import Literal as _Literal
from typing import TypeAlias as _TypeAlias
from typing import overload as _overload
from numpy import generic as _generic
from numpy import ndarray as _ndarray
from . import autograd as autograd
from . import errors as errors
from .autograd import enable_grad as enable_grad
from .autograd import inference_mode as inference_mode
from .autograd import is_grad_enabled as is_grad_enabled
from .autograd import is_inference_mode_enabled as is_inference_mode_enabled
from .autograd import no_grad as no_grad
from .autograd import set_grad_enabled as set_grad_enabled
from .autograd.autocast import autocast as autocast
from .autograd.autocast import clear_autocast_cache as clear_autocast_cache
from .autograd.autocast import get_autocast_dtype as get_autocast_dtype
from .autograd.autocast import is_autocast_cache_enabled as is_autocast_cache_enabled
from .autograd.autocast import is_autocast_enabled as is_autocast_enabled
from .core.array import bfloat16 as bfloat16
from .core.array import float16 as float16
from .core.array import float32 as float32
from .core.array import float64 as float64
from .core.array import int8 as int8
from .core.array import int16 as int16
from .core.array import int32 as int32
from .core.array import int64 as int64
from .core.array import uint8 as uint8
from .core.array import bool_ as bool
from .core.array import float16 as half
from .core.array import float32 as float
from .core.array import float64 as double
from .core.array import int16 as short
from .core.array import int32 as int
from .core.array import int64 as long
from .core.device import Size as Size
from .core.device import device as device
from .ops.random import Generator as Generator
from .recording import Recording as Recording
from .recording import record as record
from .tensors import cuda as cuda
from .tensors import linalg as linalg
from .tensors import special as special
from .tensors.dtypes import can_cast as can_cast
from .tensors.dtypes import finfo as finfo
from .tensors.dtypes import iinfo as iinfo
from .tensors.dtypes import promote_types as promote_types
from .tensors.dtypes import result_type as result_type
from .tensors.factories import arange as arange
from .tensors.factories import eye as eye
from .tensors.factories import full as full
from .tensors.factories import full_like as full_like
from .tensors.factories import hann_window as hann_window
from .tensors.factories import linspace as linspace
from .tensors.factories import ones as ones
from .tensors.factories import ones_like as ones_like
from .tensors.factories import tensor as tensor
from .tensors.factories import tril_indices as tril_indices
from .tensors.factories import triu_indices as triu_indices
from .tensors.factories import zeros as zeros
from .tensors.factories import zeros_like as zeros_like
from .tensors.factories import inclusive_range as range
from .tensors.interchange import as_tensor as as_tensor
from .tensors.interchange import asarray as asarray
from .tensors.interchange import from_dlpack as from_dlpack
from .tensors.interchange import from_numpy as from_numpy
from .tensors.like import BoolTensor as BoolTensor
from .tensors.like import ByteTensor as ByteTensor
from .tensors.like import CharTensor as CharTensor
from .tensors.like import DoubleTensor as DoubleTensor
from .tensors.like import FloatTensor as FloatTensor
from .tensors.like import HalfTensor as HalfTensor
from .tensors.like import IntTensor as IntTensor
from .tensors.like import LongTensor as LongTensor
from .tensors.like import ShortTensor as ShortTensor
from .tensors.like import empty as empty
from .tensors.like import empty_like as empty_like
from .tensors.like import logspace as logspace
from .tensors.like import scalar_tensor as scalar_tensor
from .tensors.random import bernoulli as bernoulli
from .tensors.random import get_rng_state as get_rng_state
from .tensors.random import manual_seed as manual_seed
from .tensors.random import multinomial as multinomial
from .tensors.random import normal as normal
from .tensors.random import rand as rand
from .tensors.random import rand_like as rand_like
from .tensors.random import randint as randint
from .tensors.random import randint_like as randint_like
from .tensors.random import randn as randn
from .tensors.random import randn_like as randn_like
from .tensors.random import randperm as randperm
from .tensors.random import set_rng_state as set_rng_state
from .tensors.serialize import load as load
from .tensors.serialize import save as save
from .tensors.settings import are_deterministic_algorithms_enabled as are_deterministic_algorithms_enabled
from .tensors.settings import backends as backends
from .tensors.settings import channels_last as channels_last
from .tensors.settings import channels_last_3d as channels_last_3d
from .tensors.settings import contiguous_format as contiguous_format
from .tensors.settings import default_generator as default_generator
from .tensors.settings import e as e
from .tensors.settings import get_default_dtype as get_default_dtype
from .tensors.settings import get_float32_matmul_precision as get_float32_matmul_precision
from .tensors.settings import inf as inf
from .tensors.settings import initial_seed as initial_seed
from .tensors.settings import is_complex as is_complex
from .tensors.settings import is_floating_point as is_floating_point
from .tensors.settings import is_inference as is_inference
from .tensors.settings import is_nonzero as is_nonzero
from .tensors.settings import is_same_size as is_same_size
from .tensors.settings import is_signed as is_signed
from .tensors.settings import is_storage as is_storage
from .tensors.settings import is_tensor as is_tensor
from .tensors.settings import nan as nan
from .tensors.settings import newaxis as newaxis
from .tensors.settings import numel as numel
from .tensors.settings import pi as pi
from .tensors.settings import preserve_format as preserve_format
from .tensors.settings import real as real
from .tensors.settings import seed as seed
from .tensors.settings import set_default_dtype as set_default_dtype
from .tensors.settings import set_float32_matmul_precision as set_float32_matmul_precision
from .tensors.settings import set_printoptions as set_printoptions
from .tensors.settings import strided as strided
from .tensors.settings import typename as typename
from .tensors.settings import use_deterministic_algorithms as use_deterministic_algorithms
from .tensors.tensor import Tensor as Tensor
from . import compiler as compiler
from . import costmodel as costmodel
from . import data as data
from . import distributions as distributions
from . import func as func
from . import memory as memory
from . import nn as nn
from . import optim as optim
from . import train as train
from . import utils as utils
from . import widgets as widgets
from .compiler import compile as compile
from .compiler.capture import static as static
from .compiler.capture.jit import jit as jit
from .costmodel.measure import bench as bench
from .func import vmap as vmap
from .memory.streams import Event as Event
from .memory.streams import Stream as Stream
from .nn.functional import adaptive_avg_pool1d as adaptive_avg_pool1d
from .nn.functional import alpha_dropout as alpha_dropout
from .nn.functional import bilinear as bilinear
from .nn.functional import celu as celu
from .nn.functional import channel_shuffle as channel_shuffle
from .nn.functional import cosine_similarity as cosine_similarity
from .nn.functional import dropout as dropout
from .nn.functional import hardshrink as hardshrink
from .nn.functional import pairwise_distance as pairwise_distance
from .nn.functional import pixel_shuffle as pixel_shuffle
from .nn.functional import pixel_unshuffle as pixel_unshuffle
from .nn.functional import prelu as prelu
from .nn.functional import relu_ as relu_
from .nn.functional import selu as selu
from .nn.functional import threshold as threshold
from .tensors import random as random
from .train import amp as amp
from .train import evaluate as evaluate
from .train import fit as fit
from .train.amp import GradScaler as GradScaler
from minitorch_lab.ops.axes import Extremes
from minitorch_lab.ops.factors import Factors
from minitorch_lab.ops.statistics import Histogram
from minitorch_lab.ops.statistics import Range
from minitorch_lab.ops.cumulative import Running
from collections.abc import Sequence
from minitorch_lab.ops.solve import SignedLog
from minitorch_lab.ops.order import Sorted

__version__: str
__all__ = [
    "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "Event", "FloatTensor", "Generator", "GradScaler",
    "HalfTensor", "IntTensor", "LongTensor", "Recording", "ShortTensor", "Size", "Stream", "Tensor", "abs",
    "absolute", "acos", "acosh", "adaptive_avg_pool1d", "add", "addbmm", "addcdiv", "addcmul", "addmm", "addmv",
    "addr", "all", "allclose", "alpha_dropout", "amax", "amin", "aminmax", "amp", "any", "arange", "arccos",
    "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "are_deterministic_algorithms_enabled",
    "argmax", "argmin", "argsort", "argwhere", "as_strided", "as_tensor", "asarray", "asin", "asinh", "atan",
    "atan2", "atanh", "atleast_1d", "atleast_2d", "atleast_3d", "autocast", "autograd", "avg_pool1d", "backends",
    "baddbmm", "bench", "bernoulli", "bfloat16", "bilinear", "bincount", "bitwise_and", "bitwise_left_shift",
    "bitwise_not", "bitwise_or", "bitwise_right_shift", "bitwise_xor", "block_diag", "bmm", "bool",
    "broadcast_shapes", "broadcast_tensors", "broadcast_to", "bucketize", "can_cast", "cartesian_prod", "cat",
    "cdist", "ceil", "celu", "chain_matmul", "channel_shuffle", "channels_last", "channels_last_3d",
    "cholesky_inverse", "cholesky_solve", "chunk", "clamp", "clamp_max", "clamp_min", "clear_autocast_cache",
    "clip", "clone", "column_stack", "combinations", "compile", "compiler", "concat", "concatenate", "contiguous",
    "contiguous_format", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
    "copysign", "corrcoef", "cos", "cosh", "cosine_similarity", "costmodel", "count_nonzero", "cov", "cpu",
    "cross", "cross_entropy", "cuda", "cummax", "cummin", "cumprod", "cumsum", "cumulative_trapezoid", "data",
    "default_generator", "deg2rad", "det", "detach", "device", "diag", "diag_embed", "diagflat", "diagonal",
    "diagonal_scatter", "diff", "digamma", "dist", "distributions", "div", "divide", "dot", "double", "dropout",
    "dsplit", "dstack", "e", "einsum", "empty", "empty_like", "enable_grad", "eq", "equal", "erf", "erfc",
    "erfinv", "errors", "evaluate", "exp", "exp2", "expand", "expand_as", "expm1", "eye", "fill", "fill_diagonal",
    "finfo", "fit", "fix", "flatten", "flip", "fliplr", "flipud", "float", "float16", "float32", "float64",
    "float_power", "floor", "floor_divide", "fmax", "fmin", "fmod", "frac", "from_dlpack", "from_numpy", "full",
    "full_like", "func", "gather", "gcd", "ge", "gelu", "ger", "get_autocast_dtype", "get_default_dtype",
    "get_float32_matmul_precision", "get_rng_state", "gradient", "greater", "greater_equal", "group_norm", "gt",
    "half", "hann_window", "hardshrink", "heaviside", "histc", "histogram", "hsplit", "hstack", "hypot", "i0",
    "iinfo", "index_add", "index_copy", "index_fill", "index_put", "index_put_", "index_select", "inf",
    "inference_mode", "initial_seed", "inner", "int", "int16", "int32", "int64", "int8", "inverse",
    "is_autocast_cache_enabled", "is_autocast_enabled", "is_complex", "is_floating_point", "is_grad_enabled",
    "is_inference", "is_inference_mode_enabled", "is_nonzero", "is_same_size", "is_signed", "is_storage",
    "is_tensor", "isclose", "isfinite", "isin", "isinf", "isnan", "isneginf", "isposinf", "isreal", "jit", "kron",
    "kthvalue", "layer_norm", "lcm", "ldexp", "le", "lerp", "less", "less_equal", "lgamma", "linalg", "linear",
    "linspace", "load", "log", "log10", "log1p", "log2", "log_softmax", "logaddexp", "logaddexp2", "logcumsumexp",
    "logdet", "logical_and", "logical_not", "logical_or", "logical_xor", "logit", "logspace", "logsumexp", "long",
    "lt", "manual_seed", "masked_fill", "masked_scatter", "masked_select", "matmul", "matrix_exp", "matrix_power",
    "max", "max_pool1d", "max_pool2d", "max_pool3d", "maximum", "mean", "median", "memory", "meshgrid", "min",
    "minimum", "mm", "mode", "moveaxis", "movedim", "mse_loss", "msort", "mul", "multinomial", "multiply", "mv",
    "nan", "nan_to_num", "nanmean", "nanmedian", "nanquantile", "nansum", "narrow", "ne", "neg", "negative",
    "newaxis", "nn", "no_grad", "nonzero", "norm", "normal", "not_equal", "numel", "one_hot", "ones", "ones_like",
    "optim", "outer", "pad", "pairwise_distance", "pdist", "permute", "pi", "pinverse", "pixel_shuffle",
    "pixel_unshuffle", "polygamma", "positive", "pow", "prelu", "preserve_format", "prod", "promote_types", "put",
    "quantile", "rad2deg", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like", "random",
    "randperm", "range", "ravel", "real", "reciprocal", "record", "relu", "relu_", "remainder", "renorm",
    "repeat", "repeat_interleave", "reshape", "reshape_as", "result_type", "rms_norm", "roll", "rot90", "round",
    "row_stack", "rsqrt", "rsub", "save", "scalar_tensor", "scatter", "scatter_add", "scatter_reduce",
    "searchsorted", "seed", "select", "select_scatter", "selu", "set_default_dtype",
    "set_float32_matmul_precision", "set_grad_enabled", "set_printoptions", "set_rng_state", "sgn", "short",
    "sigmoid", "sign", "signbit", "sin", "sinc", "sinh", "slice_scatter", "slogdet", "softmax", "softplus",
    "sort", "special", "split", "split_with_sizes", "sqrt", "square", "squeeze", "stack", "static", "std",
    "std_mean", "strided", "sub", "subtract", "sum", "svd", "swapaxes", "swapdims", "t", "take", "take_along_dim",
    "tan", "tanh", "tensor", "tensor_split", "tensordot", "threshold", "tile", "to", "topk", "trace", "train",
    "transpose", "trapezoid", "trapz", "tril", "tril_indices", "triu", "triu_indices", "true_divide", "trunc",
    "typename", "uint8", "unbind", "unflatten", "unfold", "unique", "unique_consecutive", "unravel_index",
    "unsqueeze", "use_deterministic_algorithms", "utils", "vander", "var", "var_mean", "vdot", "view", "view_as",
    "vmap", "vsplit", "vstack", "where", "widgets", "xlog1py", "xlogy", "zeros", "zeros_like"
]  # fmt: skip

_Operand: _TypeAlias = Tensor | _float | _ndarray[_Any, _Any] | _generic

def abs(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The size of x without its sign."""

def absolute(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The size of x without its sign."""

def acos(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is x, from 0 to π."""

def acosh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number from 0 up whose hyperbolic cosine is x."""

def add(x: _Operand, y: _Any, alpha: _float = 1, *, out: Tensor | None = None) -> Tensor:
    """x + alpha · y. Shapes broadcast."""

def addbmm(
    x: _Operand, batch1: _Any, batch2: _Any, beta: _float = 1, alpha: _float = 1, *, out: Tensor | None = None
) -> Tensor:
    """beta · x + alpha · the sum of the products of two batches of matrices."""

def addcdiv(x: _Operand, tensor1: _Any, tensor2: _Any, value: _float = 1, *, out: Tensor | None = None) -> Tensor:
    """x + value · tensor1 / tensor2. Shapes broadcast."""

def addcmul(x: _Operand, tensor1: _Any, tensor2: _Any, value: _float = 1, *, out: Tensor | None = None) -> Tensor:
    """x + value · tensor1 · tensor2. Shapes broadcast."""

def addmm(
    x: _Operand, mat1: _Any, mat2: _Any, beta: _float = 1, alpha: _float = 1, *, out: Tensor | None = None
) -> Tensor:
    """beta · x + alpha · (mat1 @ mat2): GEMM. `x` stretches to the shape of the product; with beta=0 it is not read."""

def addmv(
    x: _Operand, mat: _Any, vec: _Any, beta: _float = 1, alpha: _float = 1, *, out: Tensor | None = None
) -> Tensor:
    """beta · x + alpha · (mat @ vec): GEMV."""

def addr(
    x: _Operand, vec1: _Any, vec2: _Any, beta: _float = 1, alpha: _float = 1, *, out: Tensor | None = None
) -> Tensor:
    """beta · x + alpha · the outer product of two vectors."""

def all(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether no entry over `dim` (all axes if None) is 0."""

def allclose(x: _Operand, other: _Any, rtol: _float = 1e-05, atol: _float = 1e-08, equal_nan: _bool = False) -> _bool:
    """Whether all entries are close, as `isclose` has it, as a Python truth value."""

def amax(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The largest entry over `dim` (all axes if None). Ties share the gradient evenly."""

def amin(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The smallest entry over `dim` (all axes if None). Ties share the gradient evenly."""

def aminmax(x: _Operand, dim: _int | None = None, keepdim: _bool = False) -> Range:
    """The smallest and the largest entry along `dim` (of all if None): (min, max)."""

def any(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether some entry over `dim` (all axes if None) is not 0."""

def arccos(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose cosine is x, from 0 to π."""

def arccosh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number from 0 up whose hyperbolic cosine is x."""

def arcsin(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is x, from -π/2 to π/2."""

def arcsinh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is x."""

def arctan(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is x, from -π/2 to π/2."""

def arctan2(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (y, x): first the height, then the width, as in C. Shapes broadcast."""

def arctanh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is x."""

def argmax(x: _Operand, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Where the largest entry along `dim` stands (in the flattened tensor if None), int64."""

def argmin(x: _Operand, dim: _int | None = None, keepdim: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Where the smallest entry along `dim` stands (in the flattened tensor if None), int64."""

def argsort(
    x: _Operand, dim: _int = -1, descending: _bool = False, stable: _bool = True, *, out: Tensor | None = None
) -> Tensor:
    """Where the entries along `dim` stand in sorted order, int64. The sort is always stable."""

def argwhere(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The positions of the entries that are not 0, one row for each: `nonzero`."""

def as_strided(
    x: _Operand, size: _Any, stride: _Any, storage_offset: _int | None = None, *, out: Tensor | None = None
) -> Tensor:
    """A view of the memory under `x`: entry (i, j) is number storage_offset + i stride[0] + j stride[1] in it."""

def asin(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose sine is x, from -π/2 to π/2."""

def asinh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic sine is x."""

def atan(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The angle whose tangent is x, from -π/2 to π/2."""

def atan2(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The angle of the point (y, x): first the height, then the width, as in C. Shapes broadcast."""

def atanh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The number whose hyperbolic tangent is x."""

@_overload
def atleast_1d(tensor: Tensor, /) -> Tensor:
    """The tensors, a number as a vector with one entry."""

@_overload
def atleast_1d(*tensors: Tensor | Sequence[Tensor]) -> _Any:
    """The tensors, a number as a vector with one entry."""

@_overload
def atleast_2d(tensor: Tensor, /) -> Tensor:
    """The tensors, each with two axes at least: what has fewer becomes a row."""

@_overload
def atleast_2d(*tensors: Tensor | Sequence[Tensor]) -> _Any:
    """The tensors, each with two axes at least: what has fewer becomes a row."""

@_overload
def atleast_3d(tensor: Tensor, /) -> Tensor:
    """The tensors, each with three axes at least: (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1)."""

@_overload
def atleast_3d(*tensors: Tensor | Sequence[Tensor]) -> _Any:
    """The tensors, each with three axes at least: (n,) becomes (1, n, 1), and (m, n) becomes (m, n, 1)."""

def avg_pool1d(
    input: _Operand,
    kernel_size: _Any,
    stride: _Any = None,
    padding: _Any = 0,
    ceil_mode: _bool = False,
    count_include_pad: _bool = True,
) -> Tensor:
    """The mean of each window along the last axis; zeros of the padding count, unless `count_include_pad` is False."""

def baddbmm(
    x: _Operand, batch1: _Any, batch2: _Any, beta: _float = 1, alpha: _float = 1, *, out: Tensor | None = None
) -> Tensor:
    """beta · x + alpha · (batch1 @ batch2), matrix by matrix: batched GEMM."""

def bincount(x: _Operand, weights: _Any = None, minlength: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """How often each of 0, 1, 2, … occurs in a vector of whole numbers; with `weights`, the sum of theirs."""

def bitwise_and(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits that both have: x & y. Shapes broadcast."""

def bitwise_left_shift(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits moved up by y places: x << y, which is x times 2 to the y. Shapes broadcast."""

def bitwise_not(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """All bits turned over: ~x, which is -x - 1."""

def bitwise_or(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits that one of the two has: x | y. Shapes broadcast."""

def bitwise_right_shift(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits moved down by y places, the sign kept: x >> y, which is x // 2**y. Shapes broadcast."""

def bitwise_xor(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The bits in which they differ: x ^ y. Shapes broadcast."""

def block_diag(*tensors: _Any, out: Tensor | None = None) -> Tensor:
    """One matrix with the given ones along its diagonal, and 0 elsewhere. Vectors are rows."""

def bmm(x: _Operand, mat2: _Any, *, out: Tensor | None = None) -> Tensor:
    """Matrices (batch, n, m) times matrices (batch, m, k), one by one."""

def broadcast_shapes(*shapes: _Any) -> tuple[_int, ...]:
    """The shape to which shapes stretch together."""

def broadcast_tensors(*tensors: _Any) -> tuple[Tensor, ...]:
    """The tensors, each stretched to the shape that they have together: a tuple of views."""

def broadcast_to(x: _Operand, size: _Any, *, out: Tensor | None = None) -> Tensor:
    """As `expand`, with the size as one sequence."""

def bucketize(
    input: _Operand, boundaries: _Any, *, out_int32: _bool = False, right: _bool = False, out: Tensor | None = None
) -> Tensor:
    """The number of the bucket of each entry, between sorted boundaries: `searchsorted` with its arguments swapped."""

def cartesian_prod(*tensors: _Any, out: Tensor | None = None) -> Tensor:
    """Every choice of one entry from each vector, as rows, in order."""

def cat(tensors: _Any, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along `dim`; their other dims must agree. Empty vectors are passed over."""

def cdist(
    x1: _Operand, x2: _Any, p: _float = 2.0, compute_mode: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """The distances of all rows of `x1` from all rows of `x2`, in the norm `p`. Equal rows have the gradient 0."""

def ceil(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next whole number at or above x."""

def chain_matmul(*matrices: _Any, out: Tensor | None = None) -> Tensor:
    """The product of matrices."""

def cholesky_inverse(x: _Operand, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The inverse of the matrices whose Cholesky factors are `x`: of L Lᵀ, or of Rᵀ R."""

def cholesky_solve(x: _Operand, L: _Any, upper: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The X with A X = x, where A = L Lᵀ is given by its factor (Lᵀ L with `upper`): two substitutions."""

def chunk(x: _Operand, chunks: _int, dim: _int = 0) -> tuple[Tensor, ...]:
    """At most `chunks` views of `x` along `dim`, of one length but for the last."""

def clamp(x: _Operand, min: _Any = None, max: _Any = None, *, out: Tensor | None = None) -> Tensor:
    """`x` with entries below `min` raised to it and entries above `max` lowered to it. `max` wins over a larger `min`."""

def clamp_max(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x, lowered to y where it is above; at a tie the gradient is x's. Shapes broadcast."""

def clamp_min(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x, raised to y where it is below; at a tie the gradient is x's. Shapes broadcast."""

def clip(x: _Operand, min: _Any = None, max: _Any = None, *, out: Tensor | None = None) -> Tensor:
    """`x` with entries below `min` raised to it and entries above `max` lowered to it. `max` wins over a larger `min`."""

def clone(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """A copy in memory of its own, through which gradients flow."""

def column_stack(tensors: _Any, *, out: Tensor | None = None) -> Tensor:
    """The tensors beside each other, along axis 1: vectors as columns."""

def combinations(input: _Operand, r: _int = 2, with_replacement: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """Every choice of `r` entries of a vector, as rows, in order."""

def concat(tensors: _Any, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along `dim`; their other dims must agree. Empty vectors are passed over."""

def concatenate(tensors: _Any, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The tensors one after the other along `dim`; their other dims must agree. Empty vectors are passed over."""

def contiguous(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`x` itself if its entries lie in row order without gaps, else a copy that does."""

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

def copysign(x: _Operand, y: _Any, *, out: Tensor | None = None) -> Tensor:
    """The size of x with the sign of y. Shapes broadcast."""

def corrcoef(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The correlations of variables, which are the rows of `x`: covariances over the product of the deviations."""

def cos(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The cosine of x, in radians."""

def cosh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic cosine of x."""

def count_nonzero(
    x: _Operand, dim: _int | tuple[_int, ...] | list[_int] | None = None, *, out: Tensor | None = None
) -> Tensor:
    """How many entries over `dim` (all axes if None) are not 0, int64."""

def cov(
    x: _Operand, correction: _float = 1, fweights: _Any = None, aweights: _Any = None, *, out: Tensor | None = None
) -> Tensor:
    """The covariances of variables, which are the rows of `x`, over its columns: a matrix, a number for one variable."""

def cpu(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """`x` in the memory of the CPU; `x` itself if it is there already."""

def cross(x: _Operand, other: _Any, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """The vector product along an axis of length 3: the first such one if `dim` is left out."""

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

def cummax(x: _Operand, dim: _int) -> Running:
    """The largest entry so far along `dim`, and where it stands: (values, indices)."""

def cummin(x: _Operand, dim: _int) -> Running:
    """The smallest entry so far along `dim`, and where it stands: (values, indices)."""

def cumprod(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """Running products along `dim`; of integers in int64. The gradient is right where entries are 0."""

def cumsum(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """Running sums along `dim`; of integers in int64."""

def cumulative_trapezoid(
    y: _Operand, x: _Any = None, *, dx: _float = 1, dim: _int = -1, out: Tensor | None = None
) -> Tensor:
    """The areas under the line through the entries of `y` along `dim`, up to each but the first."""

def deg2rad(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Degrees as radians."""

def det(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The determinant of each square matrix. Its gradient needs the inverse, so that of a singular one is refused."""

def detach(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The same memory without the history: gradients stop here."""

def diag(x: _Operand, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """A copy of the diagonal of a matrix; of a vector, the matrix that has it on its diagonal."""

def diag_embed(x: _Operand, offset: _int = 0, dim1: _int = -2, dim2: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """Square matrices over the axes `dim1` and `dim2` of the result, with the last axis of `x` on a diagonal."""

def diagflat(input: _Operand, offset: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """A matrix with all entries of `input`, in order, on its diagonal `offset`, and 0 elsewhere."""

def diagonal(x: _Operand, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None) -> Tensor:
    """A view of the diagonal over two axes, as the last axis. `offset` counts to the right, negative ones downwards."""

def diagonal_scatter(
    x: _Operand, src: _Any, offset: _int = 0, dim1: _int = 0, dim2: _int = 1, *, out: Tensor | None = None
) -> Tensor:
    """`x` with `src` in place of `x.diagonal(offset, dim1, dim2)`."""

def diff(
    x: _Operand, n: _int = 1, dim: _int = -1, prepend: _Any = None, append: _Any = None, *, out: Tensor | None = None
) -> Tensor:
    """The differences of neighbours along `dim`, taken `n` times: each time the axis loses an entry."""

def digamma(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """ψ(x), the derivative of `lgamma`. At 0 it is -inf, at -0.0 inf, at negative whole numbers NaN."""

def dist(x: _Operand, other: _Any, p: _float = 2, *, out: Tensor | None = None) -> Tensor:
    """The norm `p` of x - other, all entries counted as one vector. Shapes broadcast."""

def div(x: _Operand, y: _Any, rounding_mode: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """x / y, or the whole steps of y in x: towards 0 ('trunc') or down ('floor'). Shapes broadcast."""

def divide(x: _Operand, y: _Any, rounding_mode: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """x / y, or the whole steps of y in x: towards 0 ('trunc') or down ('floor'). Shapes broadcast."""

def dot(x: _Operand, tensor: _Any, *, out: Tensor | None = None) -> Tensor:
    """The inner product of two vectors of one length, a single number."""

def dsplit(x: _Operand, indices_or_sections: _Any) -> tuple[Tensor, ...]:
    """Equal parts of `x` along axis 2, or parts that begin at the given indices: views."""

def dstack(tensors: _Any, *, out: Tensor | None = None) -> Tensor:
    """The tensors behind each other, along axis 2."""

def einsum(equation: str | _Operand, *operands: _Any, out: Tensor | None = None) -> Tensor:
    """The sum of products that `equation` spells: letters name axes, and letters that the result lacks are summed."""

def eq(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x equals y. Shapes broadcast."""

def equal(x: _Operand, other: _Any) -> _bool:
    """Whether both have the same shape and the same entries, as a Python truth value."""

def erf(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The error function of x."""

def erfc(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """1 - erf(x), the complement of the error function."""

def erfinv(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The number whose `erf` is x: infinite at -1 and 1, NaN beyond."""

def exp(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """e to the power of x."""

def exp2(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """2 to the power of x."""

def expand(x: _Operand, *size: _Any, out: Tensor | None = None) -> Tensor:
    """A view in which axes of length 1 are stretched to `size`, without copying: their stride is 0. -1 keeps a length."""

def expand_as(x: _Operand, other: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x.expand` with the shape of `other`."""

def expm1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """exp(x) - 1, exact for small x."""

def fill(x: _Operand, value: _Any, *, out: Tensor | None = None) -> Tensor:
    """One number everywhere, in the shape and the dtype of `x`."""

def fill_diagonal(x: _Operand, fill_value: _float, wrap: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """`x` with one number on its main diagonal; with `wrap` a tall matrix has one every n + 1 rows."""

def fix(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """x without its fraction."""

def flatten(x: _Operand, start_dim: _int = 0, end_dim: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """The axes from `start_dim` to `end_dim` joined into one; by default all of them."""

def flip(x: _Operand, dims: _Any, *, out: Tensor | None = None) -> Tensor:
    """A copy with the entries along `dims` in reverse order."""

def fliplr(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The columns in reverse order: `flip(1)`."""

def flipud(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The rows in reverse order: `flip(0)`."""

def float_power(x: _Operand, y: _Any, *, out: Tensor | None = None) -> Tensor:
    """x to the power y, in float64. Shapes broadcast."""

def floor(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The next whole number at or below x."""

def floor_divide(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """How many whole steps of y lie in x, rounded down: x // y. Shapes broadcast."""

def fmax(x: _Operand, y: _Any, *, out: Tensor | None = None) -> Tensor:
    """The larger of the two, and of a NaN and a number the number. Shapes broadcast."""

def fmin(x: _Operand, y: _Any, *, out: Tensor | None = None) -> Tensor:
    """The smaller of the two, and of a NaN and a number the number. Shapes broadcast."""

def fmod(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """What is left of x after whole steps of y, with the sign of x, as in C. Shapes broadcast."""

def frac(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """What `trunc` takes away: x - trunc(x). Of floats."""

def gather(x: _Operand, dim: _int, index: _Any, *, out: Tensor | None = None) -> Tensor:
    """out[i, j] = x[index[i, j], j] along dim 0, and so on for other dims. `index` is int64, of the rank of `x`."""

def gcd(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The largest number that divides both. Shapes broadcast."""

def ge(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is at least y. Shapes broadcast."""

def gelu(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """x times the normal distribution function of x."""

def ger(x: _Operand, vec2: _Any, *, out: Tensor | None = None) -> Tensor:
    """The matrix x[i] · vec2[j] of two vectors."""

def gradient(input: _Operand, *, spacing: _Any = None, dim: _Any = None, edge_order: _int = 1) -> tuple[Tensor, ...]:
    """The slopes of `input` along each of `dim` (all axes if None), from neighbours at both sides: one tensor for each."""

def greater(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is greater than y. Shapes broadcast."""

def greater_equal(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is at least y. Shapes broadcast."""

def group_norm(
    input: _Operand, num_groups: _int, weight: _Any = None, bias: _Any = None, eps: _float = 1e-05
) -> Tensor:
    """Each group of channels of each example with mean 0 and variance 1, then times `weight` plus `bias` by channel."""

def gt(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is greater than y. Shapes broadcast."""

def heaviside(x: _Operand, values: _Any, *, out: Tensor | None = None) -> Tensor:
    """0 below 0, 1 above it, and `values` at 0, which are of the dtype of x. Shapes broadcast."""

def histc(x: _Operand, bins: _int = 100, min: _float = 0, max: _float = 0, *, out: Tensor | None = None) -> Tensor:
    """How many entries lie in each of `bins` equal steps from `min` to `max`; if both are equal, of the entries' range."""

def histogram(
    x: _Operand, bins: _Any, range: tuple[_float, _float] | None = None, weight: _Any = None, density: _bool = False
) -> Histogram:
    """How many entries lie in each step, and the edges of the steps."""

def hsplit(x: _Operand, indices_or_sections: _Any) -> tuple[Tensor, ...]:
    """Equal parts of `x` along axis 1 (of a vector, 0), or parts that begin at the indices: views."""

def hstack(tensors: _Any, *, out: Tensor | None = None) -> Tensor:
    """The tensors beside each other: along axis 1, vectors along axis 0."""

def hypot(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The length of the vector (x, y), without overflow. Shapes broadcast."""

def i0(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The modified Bessel function of the first kind, of order 0."""

def index_add(
    x: _Operand, dim: _int, index: _Any, source: _Any, alpha: _float = 1, *, out: Tensor | None = None
) -> Tensor:
    """`x` with the slices of `source` along `dim` added to those whose numbers stand in `index`; repeats add up."""

def index_copy(x: _Operand, dim: _int, index: _Any, source: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x` with the slices of `source` along `dim` in place of those whose numbers stand in `index`."""

def index_fill(x: _Operand, dim: _int, index: _Any, value: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x` with one number in all slices along `dim` whose numbers stand in `index`."""

def index_put(
    x: _Operand, indices: _Any, values: _Any, accumulate: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """A copy of `x` with `index_put_` done to it."""

def index_put_(
    x: _Operand, indices: _Any, values: _Any, accumulate: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """`x[indices] = values` as a call, for a tuple of index tensors; with `accumulate` they are added, repeats too."""

def index_select(x: _Operand, dim: _int, index: _Any, *, out: Tensor | None = None) -> Tensor:
    """The slices of `x` along `dim` whose numbers stand in the vector `index`."""

def inner(x: _Operand, other: _Any, *, out: Tensor | None = None) -> Tensor:
    """The products of entries, summed over the last axis of both; with a number, the product."""

def inverse(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The inverse of each square matrix. To solve a system, `linalg.solve` is cheaper and more exact."""

def isclose(
    x: _Operand,
    other: _Any,
    rtol: _float = 1e-05,
    atol: _float = 1e-08,
    equal_nan: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Whether |x - other| ≤ atol + rtol · |other|, entry by entry. Equal infinities are close, NaN only if asked."""

def isfinite(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether x is neither infinite nor NaN."""

def isin(elements: _Operand, test_elements: _Any, *, out: Tensor | None = None) -> Tensor:
    """Whether each entry is among those of `test_elements`. It compares every pair."""

def isinf(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether x is infinite, on either side."""

def isnan(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether x is not a number."""

def isneginf(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether the entries are -inf."""

def isposinf(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether the entries are inf."""

def isreal(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether the entries are real numbers: all are."""

def kron(x: _Operand, other: _Any, *, out: Tensor | None = None) -> Tensor:
    """The Kronecker product: `x` with every entry replaced by that entry times `other`. Any two ranks."""

def kthvalue(x: _Operand, k: _int, dim: _int = -1, keepdim: _bool = False) -> Sorted:
    """The k-th smallest entry along `dim`, counted from 1, and where it stands: (values, indices)."""

def layer_norm(
    input: _Operand, normalized_shape: _Any, weight: _Any = None, bias: _Any = None, eps: _float = 1e-05
) -> Tensor:
    """Each example with mean 0 and variance 1 over its last axes, then times `weight` plus `bias`."""

def lcm(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The smallest number that both divide. Shapes broadcast."""

def ldexp(x: _Operand, y: _Any, *, out: Tensor | None = None) -> Tensor:
    """x · 2ʸ. Shapes broadcast."""

def le(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is at most y. Shapes broadcast."""

def lerp(x: _Operand, end: _Any, weight: _Any, *, out: Tensor | None = None) -> Tensor:
    """x + weight · (end - x): from `x` at weight 0 to `end` at weight 1. Floats of one dtype; shapes broadcast."""

def less(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is less than y. Shapes broadcast."""

def less_equal(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is at most y. Shapes broadcast."""

def lgamma(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """log |Γ(x)|, the logarithm of the gamma function; Γ(n) is (n - 1)!."""

def linear(input: _Operand, weight: _Any, bias: _Any = None, *, out: Tensor | None = None) -> Tensor:
    """input @ weightᵀ + bias, for an input (…, in), a weight (out, in) and a bias (out,)."""

def log(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The natural logarithm of x."""

def log10(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of x to the base 10."""

def log1p(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + x), exact for small x."""

def log2(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of x to the base 2."""

def log_softmax(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """The logarithm of `softmax`, more exact than taking it afterwards."""

def logaddexp(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """log(exp(x) + exp(y)), without overflow. Shapes broadcast."""

def logaddexp2(x: _Operand, y: _Any, *, out: Tensor | None = None) -> Tensor:
    """log₂(2ˣ + 2ʸ), without overflow. Shapes broadcast."""

def logcumsumexp(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """The logarithms of the running sums of exp(x) along `dim`, without overflow."""

def logdet(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The logarithm of the determinant of each matrix; NaN where it is negative."""

def logical_and(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether both are true. Shapes broadcast."""

def logical_not(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether x is false."""

def logical_or(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether one of the two is true. Shapes broadcast."""

def logical_xor(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether just one is true. Shapes broadcast."""

def logit(x: _Operand, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """log(x / (1 - x)), which undoes `sigmoid`: NaN outside of [0, 1]."""

def logsumexp(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """log Σ exp(x) over `dim` (all axes if None), without overflow."""

def lt(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x is less than y. Shapes broadcast."""

def masked_fill(x: _Operand, mask: _Any, value: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x` with `value` where `mask` is true, in the dtype of `x`; the mask stretches to the shape of `x`."""

def masked_scatter(x: _Operand, mask: _Any, source: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x` with the entries of `source`, in order, where the mask is true. The mask stretches to the shape of `x`."""

def masked_select(x: _Operand, mask: _Any, *, out: Tensor | None = None) -> Tensor:
    """The entries where `mask` is true, in one vector; the two shapes broadcast. Gradients go back to their places."""

def matmul(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The matrix product x @ y, of all ranks from 1 up; leading axes are batches. Shapes broadcast."""

def matrix_exp(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The exponential of matrices: the sum of A^k / k!, of A halved ten times, which is then squared ten times."""

def matrix_power(x: _Operand, n: _int, *, out: Tensor | None = None) -> Tensor:
    """The product of `n` copies of a square matrix, by squaring; of the inverse if `n` is negative."""

@_overload
def max(x: _Operand, dim: None = None) -> Tensor:
    """The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."""

@_overload
def max(x: _Operand, dim: Tensor) -> Tensor:
    """The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."""

@_overload
def max(x: _Operand, dim: _int, keepdim: _bool = False) -> Extremes:
    """The largest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `maximum`."""

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

def maximum(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The larger of x and y; a tie splits the gradient. Shapes broadcast."""

def mean(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The arithmetic mean over `dim` (all axes if None). Of floats."""

@_overload
def median(x: _Operand, dim: None = None) -> Tensor:
    """The middle entry, the lower one of two; with `dim`, the pair (values, indices) along it. NaN if one entry is."""

@_overload
def median(x: _Operand, dim: _int, keepdim: _bool = False) -> Sorted:
    """The middle entry, the lower one of two; with `dim`, the pair (values, indices) along it. NaN if one entry is."""

def meshgrid(*tensors: _Any, indexing: str = "ij") -> tuple[Tensor, ...]:
    """Of vectors (or numbers) the grid that they span: a tuple of views, each with an axis for each vector."""

@_overload
def min(x: _Operand, dim: None = None) -> Tensor:
    """The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."""

@_overload
def min(x: _Operand, dim: Tensor) -> Tensor:
    """The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."""

@_overload
def min(x: _Operand, dim: _int, keepdim: _bool = False) -> Extremes:
    """The smallest entry; with `dim`, the pair (values, indices) along it; with a tensor instead, as `minimum`."""

def minimum(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The smaller of x and y; a tie splits the gradient. Shapes broadcast."""

def mm(x: _Operand, mat2: _Any, *, out: Tensor | None = None) -> Tensor:
    """A matrix (n, m) times a matrix (m, k). `matmul` takes batches too."""

def mode(x: _Operand, dim: _int = -1, keepdim: _bool = False) -> Sorted:
    """The entry that occurs most often along `dim`, the smallest of several, and where it last stands."""

def moveaxis(x: _Operand, source: _Any, destination: _Any, *, out: Tensor | None = None) -> Tensor:
    """A view with the axes `source` moved to the places `destination`; the others keep their order."""

def movedim(x: _Operand, source: _Any, destination: _Any, *, out: Tensor | None = None) -> Tensor:
    """A view with the axes `source` moved to the places `destination`; the others keep their order."""

def mse_loss(input: _Operand, target: _Any, reduction: str = "mean", *, out: Tensor | None = None) -> Tensor:
    """The squared difference of two tensors of one shape, averaged, summed, or entry by entry."""

def msort(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The entries along axis 0 in order."""

def mul(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x times y. Shapes broadcast."""

def multiply(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x times y. Shapes broadcast."""

def mv(x: _Operand, vec: _Any, *, out: Tensor | None = None) -> Tensor:
    """A matrix (n, m) times a vector (m,)."""

def nan_to_num(
    x: _Operand,
    nan: _float = 0.0,
    posinf: _float | None = None,
    neginf: _float | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`x` with `nan` for NaN, and `posinf` and `neginf` for the infinities: if None, the dtype's largest and smallest."""

def nanmean(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The mean over `dim` (all axes if None) of what is no NaN; NaN where nothing is left."""

@_overload
def nanmedian(x: _Operand, dim: None = None) -> Tensor:
    """The middle of the entries that are no NaN, the lower one of two; with `dim`, (values, indices) along it."""

@_overload
def nanmedian(x: _Operand, dim: _int, keepdim: _bool = False) -> Sorted:
    """The middle of the entries that are no NaN, the lower one of two; with `dim`, (values, indices) along it."""

def nanquantile(
    x: _Operand,
    q: _Any,
    dim: _int | None = None,
    keepdim: _bool = False,
    interpolation: str = "linear",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`quantile` of the entries that are no NaN."""

def nansum(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over `dim` (all axes if None) of what is no NaN."""

def narrow(x: _Operand, dim: _int, start: _Any, length: _int, *, out: Tensor | None = None) -> Tensor:
    """The slices `start` to start + length - 1 along `dim`, as a view."""

def ne(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x differs from y. Shapes broadcast."""

def neg(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-x."""

def negative(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-x."""

@_overload
def nonzero(x: _Operand, as_tuple: _Literal[False] = False) -> Tensor:
    """The positions of the entries that are not 0: int64 of shape (how many, axes), or a vector for each axis."""

@_overload
def nonzero(x: _Operand, as_tuple: _Literal[True]) -> tuple[Tensor, ...]:
    """The positions of the entries that are not 0: int64 of shape (how many, axes), or a vector for each axis."""

def norm(
    x: _Operand,
    p: _Any = "fro",
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The vector norm of order `p` over `dim` (all axes if None); 'fro' is order 2, 'nuc' a norm of matrices."""

def not_equal(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Whether x differs from y. Shapes broadcast."""

def one_hot(x: _Operand, num_classes: _int = -1, *, out: Tensor | None = None) -> Tensor:
    """A new last axis with a 1 at the class and 0 elsewhere, int64. -1 takes as many classes as the labels show."""

def outer(x: _Operand, vec2: _Any, *, out: Tensor | None = None) -> Tensor:
    """The matrix x[i] · vec2[j] of two vectors."""

def pad(
    x: _Operand, pad: Sequence[_int], mode: str = "constant", value: _float | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`x` in a frame. `pad` names pairs (before, after) from the last axis to the first; a negative width cuts off."""

def pdist(input: _Operand, p: _float = 2.0, *, out: Tensor | None = None) -> Tensor:
    """The distances of all pairs of rows of a matrix, in the norm `p`: those above the diagonal of `cdist`, row by row."""

def permute(x: _Operand, *dims: _Any, out: Tensor | None = None) -> Tensor:
    """A view with the axes in the order `dims`."""

def pinverse(x: _Operand, rcond: _float = 1e-15, *, out: Tensor | None = None) -> Tensor:
    """The pseudo-inverse, without the singular values below `rcond` times the largest one."""

def polygamma(n: _int, input: _Any, *, out: Tensor | None = None) -> Tensor:
    """The `n`-th derivative of `digamma`, for entries above 0."""

def positive(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x itself."""

def pow(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x to the power of y. Shapes broadcast."""

def prod(
    x: _Operand, dim: _int | None = None, keepdim: _bool = False, *, dtype: _Any = None, out: Tensor | None = None
) -> Tensor:
    """The product over `dim`, or of all entries; of integers in int64. The gradient is right where entries are 0."""

def put(x: _Operand, index: _Any, source: _Any, accumulate: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """`x` with `source` written at `index`, counted in the vector of all entries; with `accumulate` added to them."""

def quantile(
    x: _Operand,
    q: _Any,
    dim: _int | None = None,
    keepdim: _bool = False,
    interpolation: str = "linear",
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The entry below which a share `q` of the entries along `dim` lies (of all entries if None)."""

def rad2deg(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """Radians as degrees."""

def ravel(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The entries in row order along one axis: a view where they lie in row order without gaps, else a copy."""

def reciprocal(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 over x."""

def relu(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """x where it is positive, else 0."""

def remainder(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """What is left of x after whole steps of y, with the sign of y: x % y. Shapes broadcast."""

def renorm(x: _Operand, p: _float, dim: _int, maxnorm: _float, *, out: Tensor | None = None) -> Tensor:
    """`x` with each slice along `dim` whose norm `p` is above `maxnorm` scaled down to it."""

def repeat(x: _Operand, *sizes: _Any, out: Tensor | None = None) -> Tensor:
    """Copies of `x` side by side: sizes[i] of them along axis i. More sizes than axes put new axes in front."""

def repeat_interleave(
    x: _Operand,
    repeats: _Any = None,
    dim: _int | None = None,
    output_size: _int | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Each slice along `dim` `repeats` times, one after the other. `repeats` is a number, or one number for each slice."""

def reshape(x: _Operand, *shape: _Any, out: Tensor | None = None) -> Tensor:
    """The entries of `x`, in order, in another shape; one size may be -1. A view if the strides allow it, else a copy."""

def reshape_as(x: _Operand, other: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x.reshape` with the shape of `other`."""

def rms_norm(input: _Operand, normalized_shape: _Any, weight: _Any = None, eps: _float | None = None) -> Tensor:
    """Each example divided by its root mean square over the last axes, then times `weight`."""

def roll(x: _Operand, shifts: _Any, dims: _Any = None, *, out: Tensor | None = None) -> Tensor:
    """A copy whose entries are moved by `shifts` along `dims`; what falls off the end comes back at the start."""

def rot90(x: _Operand, k: _int = 1, dims: _Any = ..., *, out: Tensor | None = None) -> Tensor:
    """`x` turned by `k` right angles, from the first of two dims towards the second."""

def round(x: _Operand, decimals: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The nearest number with so many decimals; halfway between two, the even one."""

def row_stack(tensors: _Any, *, out: Tensor | None = None) -> Tensor:
    """The tensors below each other: along axis 0, vectors as rows."""

def rsqrt(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 over the square root of x."""

def rsub(x: _Operand, y: _Any, alpha: _float = 1, *, out: Tensor | None = None) -> Tensor:
    """y - alpha · x: `sub` with its operands swapped. Shapes broadcast."""

def scatter(
    x: _Operand, dim: _int, index: _Any, src: _Any, reduce: str | None = None, *, out: Tensor | None = None
) -> Tensor:
    """`x` with src[i, j] written to out[index[i, j], j] along dim 0, and so on. `index` is int64 without repeats."""

def scatter_add(x: _Operand, dim: _int, index: _Any, src: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x` with src[i, j] added to out[index[i, j], j] along dim 0, and so on; repeats add up."""

def scatter_reduce(
    x: _Operand,
    dim: _int,
    index: _Any,
    src: _Any,
    reduce: str,
    *,
    include_self: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """`x` with src[i, j] brought into out[index[i, j], j] along dim 0, and so on, by a reduction."""

def searchsorted(
    sorted_sequence: _Operand,
    values: _Any,
    *,
    out_int32: _bool = False,
    right: _bool = False,
    side: str | None = None,
    sorter: _Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """Where each value would have to be inserted to keep the sequence sorted; among equals first, or last."""

def select(x: _Operand, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """The slice number `index` along `dim`, as a view without that axis."""

def select_scatter(x: _Operand, src: _Any, dim: _int, index: _int, *, out: Tensor | None = None) -> Tensor:
    """`x` with `src` in place of `x.select(dim, index)`."""

def sgn(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1: the sign of x; of NaN 0."""

def sigmoid(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """1 / (1 + exp(-x)), between 0 and 1."""

def sign(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """-1, 0 or 1: the sign of x; of NaN 0."""

def signbit(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Whether x has a minus sign, which -0.0 has too."""

def sin(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The sine of x, in radians."""

def sinc(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """sin(πx) / (πx), and 1 at 0."""

def sinh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic sine of x."""

def slice_scatter(
    x: _Operand,
    src: _Any,
    dim: _int = 0,
    start: _int | None = None,
    end: _int | None = None,
    step: _int = 1,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """`x` with `src` in place of its entries from `start` to `end` along `dim`."""

def slogdet(x: _Operand) -> SignedLog:
    """The sign and the logarithm of the size of the determinant, which itself may be too large or small for a float."""

def softmax(x: _Operand, dim: _int, *, dtype: _Any = None, out: Tensor | None = None) -> Tensor:
    """exp(x) over its sum along `dim`: positive numbers that sum to 1."""

def softplus(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """log(1 + exp(x)), a smooth relu."""

def sort(x: _Operand, dim: _int = -1, descending: _bool = False, stable: _bool = True) -> Sorted:
    """The entries along `dim` in order, and where they stood: (values, indices). The sort is always stable."""

def split(x: _Operand, split_size_or_sections: _Any, dim: _int = 0) -> tuple[Tensor, ...]:
    """Views of `x` cut along `dim`: into pieces of one length (the last may be shorter), or of the lengths in a list."""

def split_with_sizes(x: _Operand, split_sizes: _Any, dim: _int = 0) -> tuple[Tensor, ...]:
    """`split` into pieces of the lengths in a list."""

def sqrt(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The square root of x."""

def square(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """x times x."""

def squeeze(
    x: _Operand, dim: _int | tuple[_int, ...] | list[_int] | None = None, *, out: Tensor | None = None
) -> Tensor:
    """A view without its axes of length 1, or without those of `dim` whose length is 1."""

def stack(tensors: _Any, dim: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """Tensors of one shape, side by side on a new axis at `dim`."""

def std(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    correction: _float | None = 1,
    keepdim: _bool = False,
    *,
    unbiased: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """The standard deviation: the square root of `var`. Where all entries are equal its gradient is 0."""

def std_mean(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    correction: _float | None = 1,
    keepdim: _bool = False,
    *,
    unbiased: _bool = True,
) -> tuple[Tensor, Tensor]:
    """The standard deviation over `dim` (all axes if None), as `std`, and the mean."""

def sub(x: _Operand, y: _Any, alpha: _float = 1, *, out: Tensor | None = None) -> Tensor:
    """x - alpha · y. Shapes broadcast."""

def subtract(x: _Operand, y: _Any, alpha: _float = 1, *, out: Tensor | None = None) -> Tensor:
    """x - alpha · y. Shapes broadcast."""

def sum(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    keepdim: _bool = False,
    *,
    dtype: _Any = None,
    out: Tensor | None = None,
) -> Tensor:
    """The sum over `dim` (all axes if None). Integers and truth values are summed in int64."""

def svd(x: _Operand, some: _bool = True, compute_uv: _bool = True) -> Factors:
    """U, S and V with U diag(S) Vᵀ = x, for each matrix (m, n): PyTorch's older `svd`. `ml.linalg.svd` gives Vᵀ."""

def swapaxes(x: _Operand, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with two axes swapped."""

def swapdims(x: _Operand, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with two axes swapped."""

def t(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """A view of a matrix with rows and columns swapped; a vector or a number is shown as it is."""

def take(x: _Operand, index: _Any, *, out: Tensor | None = None) -> Tensor:
    """The entries of `x`, counted as one vector, at `index`; in the shape of the index."""

def take_along_dim(x: _Operand, indices: _Any, dim: _int | None = None, *, out: Tensor | None = None) -> Tensor:
    """As `gather`, with the other axes broadcast: what `argsort` and `argmax` (with keepdim) return fits."""

def tan(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The tangent of x, in radians."""

def tanh(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The hyperbolic tangent of x, between -1 and 1."""

def tensor_split(x: _Operand, indices_or_sections: _Any, dim: _int = 0) -> tuple[Tensor, ...]:
    """Views of `x` along `dim`: so many, as equal as can be (the first ones longer), or cut before each of the indices."""

def tensordot(a: _Operand, b: _Any, dims: _Any = 2, *, out: Tensor | None = None) -> Tensor:
    """The products of entries of `a` and `b`, summed over pairs of axes; the others of `a` come first."""

def tile(x: _Operand, *dims: _Any, out: Tensor | None = None) -> Tensor:
    """As `repeat`; fewer numbers than axes speak of the last axes."""

def to(
    x: _Operand, *target: _Any, dtype: _Any = None, device: _Any = None, copy: _bool = False, out: Tensor | None = None
) -> Tensor:
    """`x` with another dtype, on another device, or as another tensor is. Where nothing changes it is `x` itself."""

def topk(x: _Operand, k: _int, dim: _int = -1, largest: _bool = True, sorted: _bool = True) -> Sorted:
    """The `k` largest (or smallest) entries along `dim`, always in order, and where they stood: (values, indices)."""

def trace(x: _Operand, *, out: Tensor | None = None) -> Tensor:
    """The sum of the diagonal of a matrix."""

def transpose(x: _Operand, dim0: _int, dim1: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with two axes swapped."""

def trapezoid(y: _Operand, x: _Any = None, *, dx: _float = 1, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The area under the line through the entries of `y` along `dim`, at the places `x` or at distances `dx`."""

def trapz(y: _Operand, x: _Any = None, *, dx: _float = 1, dim: _int = -1, out: Tensor | None = None) -> Tensor:
    """The area under the line through the entries of `y` along `dim`, at the places `x` or at distances `dx`."""

def tril(x: _Operand, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The entries of the matrices on and below `diagonal` (0 is the main one), else 0."""

def triu(x: _Operand, diagonal: _int = 0, *, out: Tensor | None = None) -> Tensor:
    """The entries of the matrices on and above `diagonal` (0 is the main one), else 0."""

def true_divide(x: _Operand, y: _Any, rounding_mode: str | None = None, *, out: Tensor | None = None) -> Tensor:
    """x / y, or the whole steps of y in x: towards 0 ('trunc') or down ('floor'). Shapes broadcast."""

def trunc(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """x without its fraction."""

def unbind(x: _Operand, dim: _int = 0) -> tuple[Tensor, ...]:
    """The slices of `x` along `dim`, as a tuple of views without that axis."""

def unflatten(x: _Operand, dim: _int, sizes: _Any, *, out: Tensor | None = None) -> Tensor:
    """A view with axis `dim` cut into axes of the given sizes, one of which may be -1."""

def unfold(x: _Operand, dimension: _int, size: _int, step: _int, *, out: Tensor | None = None) -> Tensor:
    """A view of the windows of `size` entries along `dimension`, `step` apart; their own axis comes last."""

@_overload
def unique(x: _Operand, sorted: _bool = True, *, dim: _int | None = None) -> Tensor:
    """The different entries, always in order; on request with where each entry went, and how often it occurs."""

@_overload
def unique(
    x: _Operand,
    sorted: _bool = True,
    return_inverse: _bool = False,
    return_counts: _bool = False,
    dim: _int | None = None,
) -> _Any:
    """The different entries, always in order; on request with where each entry went, and how often it occurs."""

@_overload
def unique_consecutive(x: _Operand, *, dim: _int | None = None) -> Tensor:
    """The entries without those that equal the one before; on request where each went, and how many were equal."""

@_overload
def unique_consecutive(
    x: _Operand, return_inverse: _bool = False, return_counts: _bool = False, dim: _int | None = None
) -> _Any:
    """The entries without those that equal the one before; on request where each went, and how many were equal."""

def unravel_index(indices: _Operand, shape: _Any) -> tuple[Tensor, ...]:
    """The positions, axis by axis, of places that are counted in the vector of all entries of a tensor of `shape`."""

def unsqueeze(x: _Operand, dim: _int, *, out: Tensor | None = None) -> Tensor:
    """A view with an axis of length 1 inserted at `dim`."""

def vander(x: _Operand, N: _int | None = None, increasing: _bool = False, *, out: Tensor | None = None) -> Tensor:
    """The powers of a vector as columns, from the highest down to 1, or with `increasing` up from 1."""

def var(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    correction: _float | None = 1,
    keepdim: _bool = False,
    *,
    unbiased: _bool = True,
    out: Tensor | None = None,
) -> Tensor:
    """The variance over `dim` (all axes if None): squared distances from the mean over n - correction."""

def var_mean(
    x: _Operand,
    dim: _int | tuple[_int, ...] | list[_int] | None = None,
    correction: _float | None = 1,
    keepdim: _bool = False,
    *,
    unbiased: _bool = True,
) -> tuple[Tensor, Tensor]:
    """The variance over `dim` (all axes if None), as `var`, and the mean."""

def vdot(x: _Operand, other: _Any, *, out: Tensor | None = None) -> Tensor:
    """The sum of the products of two vectors: `dot`."""

def view(x: _Operand, *shape: _Any, out: Tensor | None = None) -> Tensor:
    """As `reshape`, and never a copy."""

def view_as(x: _Operand, other: _Any, *, out: Tensor | None = None) -> Tensor:
    """`x.view` with the shape of `other`."""

def vsplit(x: _Operand, indices_or_sections: _Any) -> tuple[Tensor, ...]:
    """Equal parts of `x` along axis 0, or parts that begin at the given indices: views."""

def vstack(tensors: _Any, *, out: Tensor | None = None) -> Tensor:
    """The tensors below each other: along axis 0, vectors as rows."""

@_overload
def where(condition: Tensor) -> tuple[Tensor, ...]:
    """`input` where the condition holds, else `other`. Shapes broadcast. The condition alone gives where it holds."""

@_overload
def where(condition: Tensor, input: _Operand, other: _Operand) -> Tensor:
    """`input` where the condition holds, else `other`. Shapes broadcast. The condition alone gives where it holds."""

def xlog1py(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x log(1 + y), and 0 where x is 0. Shapes broadcast."""

def xlogy(x: _Operand, y: _Operand, *, out: Tensor | None = None) -> Tensor:
    """x log y, and 0 where x is 0. Shapes broadcast."""
