"""minitorch_lab: the laboratory in which a machine learning framework is taken apart while it runs.

Example:
    >>> import minitorch_lab as ml
    >>> x = ml.tensor(2.0, requires_grad=True)
    >>> (x**2 * x.sin()).backward()
    >>> x.grad
    tensor(1.9726)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import errors, linalg
from .array import bfloat16, float16, float32, float64, int8, int16, int32, int64, uint8
from .array import bool_ as bool
from .array import float16 as half
from .array import float32 as float
from .array import float64 as double
from .array import int16 as short
from .array import int32 as int
from .array import int64 as long
from .autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from .dtypes import can_cast, finfo, iinfo, promote_types, result_type
from .factories import (
    arange,
    eye,
    full,
    full_like,
    linspace,
    ones,
    ones_like,
    tensor,
    tril_indices,
    triu_indices,
    zeros,
    zeros_like,
)
from .interchange import as_tensor, asarray, from_dlpack, from_numpy
from .ops import FUNCTIONS
from .ops.misfit import unknown
from .ops.random import Generator
from .random import (
    bernoulli,
    get_rng_state,
    manual_seed,
    multinomial,
    normal,
    rand,
    rand_like,
    randint,
    randn,
    randn_like,
    randperm,
    set_rng_state,
)
from .record import Recording, record
from .serialize import load, save
from .tensor import Tensor

if TYPE_CHECKING:
    from . import data, memory, nn, optim, widgets
    from .compile import static
    from .compile.api import compile
    from .compile.jit import jit
    from .measure import bench
    from .train import evaluate, fit

__version__ = "0.1.0"

globals().update({name: fn for name, fn in FUNCTIONS.items() if name not in globals()})

ON_DEMAND = {name: name for name in ("costmodel", "func", "nn", "optim", "data", "memory", "widgets", "train")} | {
    "compile": "compile",
    "jit": "compile.jit:jit",
    "static": "compile.static",
    "bench": "measure:bench",
    "fit": "train:fit",
    "evaluate": "train:evaluate",
}


def __getattr__(name: str) -> Any:
    """Import the upper floors when they are first asked for: a plain `import minitorch_lab` stays quick."""
    if name not in ON_DEMAND:
        raise unknown("minitorch_lab", "ml", name, [*globals(), *ON_DEMAND])
    module, _, part = ON_DEMAND[name].partition(":")
    found = import_module(f".{module}", __name__)
    return getattr(found, part) if part else found


def __dir__() -> list[str]:
    """What completion offers."""
    return sorted({*globals(), *ON_DEMAND})


__all__ = [
    "Generator", "Recording", "Tensor", "arange", "as_tensor", "asarray", "bench", "bernoulli", "bfloat16", "bool",
    "can_cast", "compile", "data", "double", "enable_grad", "errors", "evaluate", "eye", "finfo", "fit", "float",
    "float16", "float32", "float64", "from_dlpack", "from_numpy", "full", "full_like", "get_rng_state", "half",
    "iinfo", "inference_mode", "int", "int8", "int16", "int32", "int64", "is_grad_enabled", "jit", "linalg",
    "linspace", "load", "long", "manual_seed", "memory", "multinomial", "nn", "no_grad", "normal", "ones",
    "ones_like", "optim", "promote_types", "rand", "rand_like", "randint", "randn", "randn_like", "randperm",
    "record", "result_type", "save", "set_grad_enabled", "set_rng_state", "short", "static", "tensor",
    "tril_indices", "triu_indices", "uint8", "widgets", "zeros", "zeros_like",
]  # fmt: skip
