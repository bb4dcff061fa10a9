"""minitorch_lab: the laboratory in which a machine learning framework is taken apart while it runs.

Example:
    >>> import minitorch_lab as ml
    >>> x = ml.tensor(2.0, requires_grad=True)
    >>> (x**2 * x.sin()).backward()
    >>> x.grad
    tensor(1.9726)

What stands in this folder, from the ground up; a file imports what stands before it in the list, and nothing after:

- `errors.py`: the errors. Each says what was given, the rule that it broke, and the nearest right call.
- `core/`: arrays of NumPy or CuPy, and the stack of interpreters that says who runs an op now.
- `ops/`: every op, each with all that is true of it: how it computes, its derivative, its batching, its cost.
- `tensors/`: tensors and their memory, what makes them and shows them, how they come from elsewhere and are saved.
- `autograd/`: the tape, the walk back over it, hooks, checkpoints, functions with a derivative of their own.
- `func/`: grad, vjp, jvp, vmap and what follows from them: transforms of functions, stacked above the tape.
- `compiler/`: from a Python function to graphs, to kernels, and what runs them: `ml.compile` and `ml.jit`.
- `nn/`: layers, losses, and the modules that hold them.
- `optim/`: optimizers, and learning rates over time.
- `data/`: datasets, loaders, and the digits that the course learns from.
- `distributions/`: random variables: what they draw, how likely a value is, how far one is from another.
- `train/`: the training loop as you would write it by hand, and what may watch it.
- `utils/`: PyTorch's names for rooms that stand elsewhere: `utils.data`, `utils.checkpoint`.
- `costmodel/`: what a computation costs: operations counted, and times taken so that their ratio means something.
- `memory/`: who holds which bytes, from when to when; an allocator that keeps what is freed; streams and events.
- `recording/`: what the engine did while a block of code ran, as data that can be saved and shown.
- `mini/`: the whole stack once more on NumPy alone, to be read in an afternoon. Read this first.
- `widgets/`: the views: a recording as pictures that move, in a notebook or on any page.
- `lessons/`: what the notebooks of the course lean on: checks, pictures and predictions.
- `grade/`: judges, the sandbox that students' cells run in, and reports for a class.
- `cli.py`: the command `minitorch-lab`.
- `__init__.py`: the public names, `ml.…`, all of them in `__all__`.
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import TYPE_CHECKING, Any

from . import autograd, errors
from .autograd import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .autograd.autocast import (
    autocast,
    clear_autocast_cache,
    get_autocast_dtype,
    is_autocast_cache_enabled,
    is_autocast_enabled,
)
from .core.array import bfloat16, float16, float32, float64, int8, int16, int32, int64, uint8
from .core.array import bool_ as bool
from .core.array import float16 as half
from .core.array import float32 as float
from .core.array import float64 as double
from .core.array import int16 as short
from .core.array import int32 as int
from .core.array import int64 as long
from .core.device import Size, device
from .ops import FUNCTIONS as _FUNCTIONS
from .ops.absent import unknown as _unknown
from .ops.random import Generator
from .recording import Recording, record
from .tensors import cuda, linalg, special
from .tensors.dtypes import can_cast, finfo, iinfo, promote_types, result_type
from .tensors.factories import (
    arange,
    eye,
    full,
    full_like,
    hann_window,
    linspace,
    ones,
    ones_like,
    tensor,
    tril_indices,
    triu_indices,
    zeros,
    zeros_like,
)
from .tensors.factories import inclusive_range as range
from .tensors.interchange import as_tensor, asarray, from_dlpack, from_numpy
from .tensors.like import (
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
    empty,
    empty_like,
    logspace,
    scalar_tensor,
)
from .tensors.random import (
    bernoulli,
    get_rng_state,
    manual_seed,
    multinomial,
    normal,
    rand,
    rand_like,
    randint,
    randint_like,
    randn,
    randn_like,
    randperm,
    set_rng_state,
)
from .tensors.serialize import load, save
from .tensors.settings import (
    are_deterministic_algorithms_enabled,
    backends,
    channels_last,
    channels_last_3d,
    contiguous_format,
    default_generator,
    e,
    get_default_dtype,
    get_float32_matmul_precision,
    inf,
    initial_seed,
    is_complex,
    is_floating_point,
    is_inference,
    is_nonzero,
    is_same_size,
    is_signed,
    is_storage,
    is_tensor,
    nan,
    newaxis,
    numel,
    pi,
    preserve_format,
    real,
    seed,
    set_default_dtype,
    set_float32_matmul_precision,
    set_printoptions,
    strided,
    typename,
    use_deterministic_algorithms,
)
from .tensors.tensor import Tensor

if TYPE_CHECKING:
    from . import compiler, costmodel, data, distributions, func, memory, nn, optim, train, utils, widgets
    from .compiler import compile
    from .compiler.capture import static
    from .compiler.capture.jit import jit
    from .costmodel.measure import bench
    from .func import vmap
    from .memory.streams import Event, Stream
    from .nn.functional import (
        adaptive_avg_pool1d,
        alpha_dropout,
        avg_pool1d,
        bilinear,
        celu,
        channel_shuffle,
        conv1d,
        conv2d,
        conv3d,
        conv_transpose1d,
        conv_transpose2d,
        conv_transpose3d,
        cosine_similarity,
        dropout,
        group_norm,
        hardshrink,
        layer_norm,
        max_pool1d,
        max_pool2d,
        max_pool3d,
        pairwise_distance,
        pixel_shuffle,
        pixel_unshuffle,
        prelu,
        relu_,
        rms_norm,
        selu,
        threshold,
    )
    from .tensors import random
    from .train import amp, evaluate, fit
    from .train.amp import GradScaler

__version__ = "0.1.0"

globals().update({name: fn for name, fn in _FUNCTIONS.items() if name not in globals()})

# Functions of layers that PyTorch has here too, with the same arguments.
_LAYERS = (
    "adaptive_avg_pool1d", "alpha_dropout", "avg_pool1d", "bilinear", "celu", "channel_shuffle", "conv1d", "conv2d",
    "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d", "cosine_similarity", "dropout",
    "group_norm", "hardshrink", "layer_norm", "max_pool1d", "max_pool2d", "max_pool3d", "pairwise_distance",
    "pixel_shuffle", "pixel_unshuffle", "prelu", "relu_", "rms_norm", "selu", "threshold",
)  # fmt: skip
_ON_DEMAND = {
    name: name
    for name in (
        *("costmodel", "func", "nn", "optim", "data", "distributions", "memory", "widgets", "train", "utils"),
        "compiler",
    )
} | {
    "amp": "train.amp",
    "GradScaler": "train.amp:GradScaler",
    "Stream": "memory.streams:Stream",
    "Event": "memory.streams:Event",
    "compile": "compiler:compile",
    "vmap": "func:vmap",
    "jit": "compiler.capture.jit:jit",
    "static": "compiler.capture.static",
    "bench": "costmodel.measure:bench",
    "fit": "train:fit",
    "evaluate": "train:evaluate",
    "random": "tensors.random",
    **{name: f"nn.functional:{name}" for name in _LAYERS},
}


def __getattr__(name: str) -> Any:
    """Import the upper floors when they are first asked for: a plain `import minitorch_lab` stays quick."""
    if name not in _ON_DEMAND:
        raise _unknown("minitorch_lab", "ml", name, lambda: __all__)
    module, _, part = _ON_DEMAND[name].partition(":")
    found = _import_module(f".{module}", __name__)
    return getattr(found, part) if part else found


def __dir__() -> list[str]:
    """What completion offers: the public names."""
    return sorted(__all__)


__all__ = [
    "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "Event", "FloatTensor", "Generator", "GradScaler",
    "HalfTensor", "IntTensor", "LongTensor", "Recording", "ShortTensor", "Size", "Stream", "Tensor",
    "adaptive_avg_pool1d", "alpha_dropout", "amp", "arange", "are_deterministic_algorithms_enabled", "as_tensor",
    "asarray", "autocast", "autograd", "avg_pool1d", "backends", "bench", "bernoulli", "bfloat16", "bilinear", "bool",
    "can_cast", "celu", "channel_shuffle", "channels_last", "channels_last_3d", "clear_autocast_cache", "compile",
    "compiler", "contiguous_format", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d",
    "conv_transpose3d", "cosine_similarity", "costmodel", "cuda", "data", "default_generator", "device",
    "distributions", "double", "dropout", "e", "empty", "empty_like", "enable_grad", "errors", "evaluate", "eye",
    "finfo", "fit", "float", "float16", "float32", "float64", "from_dlpack", "from_numpy", "full", "full_like",
    "func", "get_autocast_dtype", "get_default_dtype", "get_float32_matmul_precision", "get_rng_state", "group_norm",
    "half", "hann_window", "hardshrink", "iinfo", "inf", "inference_mode", "initial_seed", "int", "int8", "int16",
    "int32", "int64", "is_autocast_cache_enabled", "is_autocast_enabled", "is_complex", "is_floating_point",
    "is_grad_enabled", "is_inference", "is_inference_mode_enabled", "is_nonzero", "is_same_size", "is_signed",
    "is_storage", "is_tensor", "jit", "layer_norm", "linalg", "linspace", "load", "logspace", "long", "manual_seed",
    "max_pool1d", "max_pool2d", "max_pool3d", "memory", "multinomial", "nan", "newaxis", "nn", "no_grad", "normal",
    "numel", "ones", "ones_like", "optim", "pairwise_distance", "pi", "pixel_shuffle", "pixel_unshuffle", "prelu",
    "preserve_format", "promote_types", "rand", "rand_like", "randint", "randint_like", "randn", "randn_like",
    "random", "randperm", "range", "real", "record", "relu_", "result_type", "rms_norm", "save", "scalar_tensor",
    "seed", "selu", "set_default_dtype", "set_float32_matmul_precision", "set_grad_enabled", "set_printoptions",
    "set_rng_state", "short", "special", "static", "strided", "tensor", "threshold", "train", "tril_indices",
    "triu_indices", "typename", "uint8", "use_deterministic_algorithms", "utils", "vmap", "widgets", "zeros",
    "zeros_like",
]  # fmt: skip
__all__ += [name for name in _FUNCTIONS if name not in __all__]  # pyright: ignore[reportUnsupportedDunderAll]  # the ops
