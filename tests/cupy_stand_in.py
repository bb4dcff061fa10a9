"""A stand-in for CuPy where there is no GPU: arrays in NumPy's memory that behave as CuPy's do towards NumPy.

They refuse what CuPy refuses: to become a NumPy array unasked, to meet one in an operation, or to be indexed by one;
they have CuPy's attributes and only its functions. 0-d results stay arrays. What they cannot show is CUDA itself.
"""

from __future__ import annotations

import sys
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import pytest

from tests import emulated_cuda

FUNCTIONS = {
    "abs", "all", "any", "argmax", "argmin", "argsort", "bincount", "broadcast_to", "clip", "concatenate", "copy",
    "copyto", "sort",
    "cumprod", "cumsum", "diagonal", "einsum", "empty_like", "expand_dims", "flip", "full_like", "isfinite",
    "max", "maximum",
    "min", "minimum", "moveaxis", "nonzero", "ones_like", "pad", "prod", "reshape", "shares_memory",
    "sliding_window_view", "stack", "sum", "take_along_axis", "tensordot", "transpose", "tril", "triu", "where",
    "zeros_like",
}  # fmt: skip
METHODS = {
    "all", "any", "argmax", "argsort", "astype", "clip", "copy", "cumprod", "cumsum", "dot", "fill", "max", "mean",
    "min", "nonzero", "ravel", "reshape", "squeeze", "sum", "take", "transpose", "view",
}  # fmt: skip


class Memory:
    """What all views of one allocation share."""

    def __init__(self, owner: np.ndarray) -> None:
        self.owner, self.ptr, self.size = owner, owner.__array_interface__["data"][0], owner.nbytes


MEMORIES: WeakValueDictionary[int, Memory] = WeakValueDictionary()


def memory(array: np.ndarray) -> Memory:
    owner: Any = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    found = MEMORIES.get(id(owner))
    if found is None:
        found = MEMORIES[id(owner)] = Memory(owner)
    return found


class MemoryPointer:
    def __init__(self, mem: Memory, offset: int) -> None:
        self.mem, self.ptr = mem, mem.ptr + offset
        self.offset = offset

    def __add__(self, nbytes: int) -> MemoryPointer:
        return MemoryPointer(self.mem, self.offset + nbytes)


class ndarray(np.lib.mixins.NDArrayOperatorsMixin):  # noqa: N801 (CuPy's name)
    __module__ = "cupy"

    def __init__(self, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None) -> None:
        if memptr is None:
            self.inner = np.empty(shape, dtype)
        else:
            flat = memptr.mem.owner.reshape(-1).view(dtype)
            self.inner = np.ndarray(shape, dtype, flat, memptr.offset, strides)
        self.mem = memory(self.inner)

    @property
    def data(self) -> MemoryPointer:
        return MemoryPointer(self.mem, self.inner.__array_interface__["data"][0] - self.mem.ptr)

    @property
    def base(self) -> Any:
        return wrapped(self.inner.base) if isinstance(self.inner.base, np.ndarray) else None

    @property
    def T(self) -> Any:
        return wrapped(self.inner.T, self)

    @property
    def mT(self) -> Any:  # since CuPy 14
        return wrapped(self.inner.mT, self)

    @property
    def device(self) -> Any:
        return SimpleNamespace(id=0)

    @property
    def flags(self) -> Any:
        flags = self.inner.flags
        return SimpleNamespace(c_contiguous=flags.c_contiguous, f_contiguous=flags.f_contiguous, owndata=flags.owndata)

    def __getattr__(self, name: str) -> Any:
        if name in ("shape", "dtype", "strides", "ndim", "size", "nbytes", "itemsize"):
            return getattr(self.inner, name)
        if name not in METHODS:
            raise AttributeError(f"cupy.ndarray has no {name!r} here.")
        return lambda *args, **kwargs: wrapped(getattr(self.inner, name)(*opened(args), **opened(kwargs)), self)

    def set(self, array: np.ndarray) -> None:
        assert array.dtype == self.dtype
        assert array.shape == self.shape
        self.inner[...] = array

    def get(self) -> np.ndarray:
        return self.inner.copy()

    def item(self) -> Any:
        return self.inner.item()

    def tolist(self) -> Any:
        return self.inner.tolist()

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError("Implicit conversion to a NumPy array is not allowed.")

    def __array_ufunc__(self, ufunc: Any, method: str, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        if method not in ("__call__", "reduce", "at") or (method == "reduce" and ufunc not in (np.add, np.multiply)):
            return NotImplemented
        if method == "reduce" and not set(kwargs) <= {"axis", "dtype", "keepdims"}:
            raise TypeError(f"cupy's {ufunc.__name__}.reduce takes no {sorted(kwargs)}.")
        into = {} if out is None else {"out": tuple(opened(out))}
        result = getattr(ufunc, method)(*opened(args), **into, **kwargs)
        return out[0] if out is not None else wrapped(result)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func.__name__ not in FUNCTIONS:
            return NotImplemented
        if func.__name__ in ("max", "min", "sum") and "initial" in kwargs:
            raise TypeError(f"cupy.{func.__name__} takes no initial.")
        return wrapped(func(*opened(args), **opened(kwargs)), args[0])

    def __getitem__(self, index: Any) -> Any:
        return wrapped(self.inner[opened(index)], self)

    def __setitem__(self, index: Any, value: Any) -> None:
        self.inner[opened(index)] = opened(value)

    def __len__(self) -> int:
        return len(self.inner)

    def __bool__(self) -> bool:
        return bool(self.inner)

    def __float__(self) -> float:
        return float(self.inner)

    def __int__(self) -> int:
        return int(self.inner)

    __index__ = __int__
    __hash__ = object.__hash__


def wrapped(value: Any, of: Any = None) -> Any:
    """NumPy's answer as CuPy would give it. A view keeps the array `of` which it shows."""
    if isinstance(value, (tuple, list)):
        return type(value)(wrapped(v, of) for v in value)
    if not isinstance(value, (np.ndarray, np.generic)):
        return value
    out = ndarray.__new__(ndarray)
    out.of = of if isinstance(value, np.ndarray) and value.base is not None else None
    out.inner = value if isinstance(value, np.ndarray) else np.array(value)
    out.mem = memory(out.inner)
    return out


def opened(value: Any) -> Any:
    """NumPy's side of an argument; NumPy arrays themselves are refused."""
    if isinstance(value, ndarray):
        return value.inner
    if isinstance(value, np.ndarray):
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")
    if isinstance(value, (tuple, list)):
        return type(value)(opened(v) for v in value)
    return {k: opened(v) for k, v in value.items()} if isinstance(value, dict) else value


def matmul(a: Any, b: Any, out: Any) -> Any:
    """A product by cuBLAS, which CuPy refuses to record."""
    if emulated_cuda.recording() is not None:
        raise NotImplementedError("calling cuBLAS API during stream capture is currently unsupported")
    np.matmul(opened(a), opened(b), out=opened(out))
    return out


def module() -> ModuleType:
    """The stand-in for the module `cupy`."""
    cupy = ModuleType("cupy")
    cupy.__spec__ = ModuleSpec("cupy", None)
    parts: dict[str, Any] = {
        "ndarray": ndarray,
        "asarray": lambda a: wrapped(np.array(a)),
        "asnumpy": lambda a: a.get(),
        "is_available": lambda: True,
        "cuda": SimpleNamespace(MemoryPointer=MemoryPointer, **vars(emulated_cuda.cuda)),
        "empty": lambda shape, dtype=float: wrapped(emulated_cuda.empty(shape, dtype)),
        "matmul": matmul,
        "RawModule": emulated_cuda.RawModule,
    }
    vars(cupy).update(parts)
    return cupy


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> str:
    """A machine on which CuPy finds a GPU, as far as the engine can tell."""
    monkeypatch.setitem(sys.modules, "cupy", module())
    return "cuda"
