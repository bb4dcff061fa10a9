"""Arrays, element types and devices. The only file that names NumPy or CuPy; the rest of the engine says `xp`.

`xp` is the NumPy namespace. Its functions dispatch on their arguments (NEP 13 and 18), so `xp.exp` of a CuPy array
runs on the GPU and `xp.exp` of a Tensor is an op: one rule text serves all three.
"""

from __future__ import annotations

import threading
from importlib.util import find_spec
from typing import Any, TypeAlias

import numpy as xp

from .errors import DeviceError, DTypeError

Array: TypeAlias = Any  # a numpy.ndarray or a cupy.ndarray; 0-d results may be NumPy scalars
DType: TypeAlias = "xp.dtype[Any]"
Shape: TypeAlias = tuple[int, ...]

float32 = xp.dtype("float32")
float64 = xp.dtype("float64")
int64 = xp.dtype("int64")
bool_ = xp.dtype("bool")

DTYPES = {d.name: d for d in (float32, float64, int64, bool_)}
KIND = {"b": 0, "i": 1, "f": 2}  # a wider kind wins over a narrower one, whatever the shapes
NARROWER = {
    "float16": "float32",
    "int32": "int64",
    "int16": "int64",
    "int8": "int64",
    "uint8": "int64",
    "uint32": "int64",
}


def as_dtype(dtype: Any) -> DType:
    """The dtype that `dtype` names: one of ours, a NumPy one, a Python type or a string.

    Raises:
        DTypeError: It names a type that this package has no kernels for.

    Example:
        >>> as_dtype("float32"), as_dtype(int)
        (dtype('float32'), dtype('int64'))
    """
    if dtype is float:
        return float32
    try:
        found = xp.dtype(dtype)
    except TypeError:
        found = None
    if found is None or found.name not in DTYPES:
        raise DTypeError(
            f"There is no dtype {getattr(found, 'name', dtype)!s} here.",
            "Tensors hold float32, float64, int64 or bool.",
            f"Did you mean {NARROWER.get(str(getattr(found, 'name', dtype)), 'float32')}?",
        )
    return DTYPES[found.name]


def as_array(data: Any, dtype: Any = None) -> Array:
    """A new array of `data` (numbers, nested sequences, arrays). Python floats become float32, ints int64.

    Raises:
        DTypeError: `data` holds something that is not a number.
    """
    try:
        array = xp.array(data)
    except ValueError:
        raise DTypeError(
            "tensor got rows of unequal length.", "A tensor is a full grid of numbers.", "Pad the short rows."
        ) from None
    if array.dtype.kind not in "bif" + "u":
        raise DTypeError(
            f"tensor got {type(data).__name__} data of dtype {array.dtype}.",
            "A tensor holds numbers: float32, float64, int64 or bool.",
            "Convert the data to numbers first.",
        )
    if dtype is None:
        typed = hasattr(data, "dtype")
        dtype = natural_dtype(array.dtype, typed)
    return array.astype(as_dtype(dtype), copy=False)


def natural_dtype(dtype: DType, typed: bool) -> DType:
    """What data of `dtype` becomes when nobody says: typed arrays keep their width, Python numbers take the default."""
    if dtype.kind == "f":
        return float64 if typed and dtype.itemsize == 8 else float32
    return bool_ if dtype.kind == "b" else int64


def is_float(dtype: DType) -> bool:
    """Whether values of `dtype` can carry a gradient."""
    return dtype.kind == "f"


NUMBERS = {bool, int, float}  # exactly these: a NumPy float64 scalar is a float too, and has a dtype to be respected


def is_number(x: Any) -> bool:
    """Whether `x` is a Python number, which takes the dtype of what it meets."""
    return type(x) in NUMBERS


def promote(*operands: Any) -> DType:
    """The dtype in which `operands` meet, as in PyTorch.

    The widest kind wins; within a kind tensors with axes win over 0-d tensors, and both over Python numbers.

    Example:
        >>> promote(xp.ones(2, "float32"), xp.ones(2, "int64"))
        dtype('float32')
        >>> promote(xp.ones(2, "int64"), 0.5)
        dtype('float32')
    """
    ranks: list[tuple[int, int, int, DType]] = []
    for x in operands:
        if is_number(x):
            dtype, rank = {bool: bool_, int: int64, float: float32}[type(x)], 0
        else:
            dtype, rank = x.dtype, 2 if x.ndim else 1
        ranks.append((KIND.get(dtype.kind, 2), rank, dtype.itemsize, dtype))
    return max(ranks, key=lambda r: r[:3])[3]


class Scratch(threading.local):
    """One buffer per thread, device and dtype, for a value that is read once: large temporaries cost page faults."""

    def __init__(self) -> None:
        self.buffers: dict[Any, Array] = {}

    def like(self, array: Array) -> Array:
        """Room for an array of the shape and dtype of `array`, with whatever was there before."""
        key = (type(array), array.dtype)
        buffer = self.buffers.get(key)
        if buffer is None or buffer.size < array.size:
            buffer = self.buffers[key] = xp.empty_like(array, shape=array.size)
        return buffer[: array.size].reshape(array.shape)


scratch = Scratch()


def ground(x: Any) -> Array:
    """The array at the bottom of `x`: inside a transform a tensor holds a tensor of the level below."""
    while hasattr(x, "value"):
        x = x.value
    return x


def load_arrays(path: Any) -> dict[str, Array]:
    """The arrays of an `.npz` file, by name."""
    with xp.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def without_memory(shape: Shape, strides: tuple[int, ...], dtype: DType = float64) -> Array:
    """An array of which only the shape and the strides mean anything: its entries must not be read."""
    return xp.lib.stride_tricks.as_strided(xp.empty(1, dtype), shape, strides)


def shown(array: Array, shape: Shape) -> Array:
    """The array in another shape, without copying it.

    Raises:
        ValueError: Its strides do not allow that.
    """
    return xp.reshape(array, shape, copy=False)


def must_copy(ghost: Array, shape: Shape) -> bool:
    """Whether an array that lies like `ghost` could be shown in `shape` only by copying it."""
    try:
        shown(ghost, shape)
    except ValueError:
        return True
    return False


# ---- memory -------------------------------------------------------------------------------------------------------


def solid(x: Any) -> Array:
    """`x` as an array: NumPy hands 0-d results back as numbers, which have no memory."""
    return x if hasattr(x, "__setitem__") else xp.asarray(x)


def memory_of(array: Array) -> Any:
    """The object that owns the memory under `array`: views of one memory give the same object."""
    while (base := getattr(array, "base", None)) is not None:
        array = base
    return array if isinstance(array, xp.ndarray) or device_of(array) == "cpu" else array.data.mem


def memory_line(array: Array) -> Array:
    """The memory under a NumPy `array` as one line of entries, as far as NumPy knows it."""
    owner: Any = array
    while (owner := getattr(owner, "base", None)) is not None:
        array = owner if isinstance(owner, xp.ndarray) else array
    if not array.size:
        return array.reshape(-1)
    corner = array[(*(slice(-1, None) if step < 0 else slice(1) for step in array.strides), ...)]
    reach = sum(abs(step) * (n - 1) for step, n in zip(array.strides, array.shape, strict=True))
    step = array.dtype.itemsize
    return xp.lib.stride_tricks.as_strided(corner, (reach // step + 1,), (step,))


def address(array: Array) -> int:
    """Where the first entry of `array` lies in memory, in bytes."""
    return array.__array_interface__["data"][0] if device_of(array) == "cpu" else array.data.ptr


def offset_of(array: Array) -> int:
    """How many entries of memory lie before the first one of `array`."""
    start = address(memory_line(array)) if device_of(array) == "cpu" else memory_of(array).ptr
    return (address(array) - start) // array.dtype.itemsize


def room_of(array: Array) -> int:
    """How many entries the memory under `array` has room for."""
    return (memory_line(array).nbytes if device_of(array) == "cpu" else memory_of(array).size) // array.dtype.itemsize


def strided(array: Array, shape: Shape, stride: tuple[int, ...], offset: int) -> Array:
    """The memory under `array`, from entry `offset` on, in another shape with any strides (in entries).

    What shows one entry twice cannot be written. NumPy checks that it all lies inside.
    """
    steps = tuple(s * array.dtype.itemsize for s in stride)
    offset = offset if all(shape) else 0  # of no entries none lies anywhere
    if device_of(array) == "cuda":
        cupy = cuda()
        start = cupy.cuda.MemoryPointer(memory_of(array), offset * array.dtype.itemsize)
        return cupy.ndarray(shape, array.dtype, start, steps)
    out = xp.ndarray(shape, array.dtype, memory_line(array), offset * array.dtype.itemsize, steps)
    if overlaps(shape, stride):
        out.flags.writeable = False
    return out


def overlaps(shape: Shape, stride: tuple[int, ...]) -> bool:
    """Whether an array with these lengths and strides may show one entry of memory twice."""
    reach = 0  # how far the entries seen so far lie apart: an axis with a longer step than that adds no second sight
    for step, length in sorted((abs(s), n) for s, n in zip(stride, shape, strict=True) if n > 1):
        if step <= reach:
            return True
        reach += step * (length - 1)
    return False


def tangled(a: Array, b: Array) -> bool:
    """Whether two arrays without gaps share a part of their memory, or all of it in different orders.

    With gaps it may be that they only interlock, and nothing is said.
    """
    if not a.size or not b.size or memory_of(a) is not memory_of(b) or not (dense(a) and dense(b)):
        return False
    here, there = address(a), address(b)
    if here == there and a.size == b.size:
        return a.strides != b.strides
    return here < there + b.nbytes and there < here + a.nbytes


def dense(array: Array) -> bool:
    """Whether each entry between the first and the last in memory is shown once."""
    span = sum(abs(step) * (n - 1) for step, n in zip(array.strides, array.shape, strict=True))
    return span == (array.size - 1) * array.dtype.itemsize and not overlaps(array.shape, array.strides)


def can_write(array: Array) -> bool:
    """Whether a write into `array` changes just the entries it names. CuPy itself would not refuse the others."""
    if device_of(array) == "cpu":
        return bool(getattr(array, "flags", xp.ones(1).flags).writeable)
    return not overlaps(array.shape, array.strides)


# ---- devices ----------------------------------------------------------------------------------------------------


def device_of(array: Array) -> str:
    """`"cpu"` for NumPy memory and Python numbers, `"cuda"` for CuPy memory."""
    return "cuda" if type(array).__module__[:4] == "cupy" else "cpu"


def beside(array: Array, x: Any) -> Array:
    """`array` on the device of `x`, an array or a tensor: what an op makes by itself must lie where its inputs lie."""
    return to_device(array, device_of(ground(x)))


def to_device(array: Array, device: str) -> Array:
    """`array` on `device`: itself if it is there already, else a copy.

    Raises:
        DeviceError: This machine has no such device, or CuPy is not installed.
    """
    if device_of(array) == device or device_of(array) == (name := check_device(device)):
        return array
    cupy = cuda()
    return cupy.asarray(array) if name == "cuda" else cupy.asnumpy(array)


def check_device(device: str) -> str:
    """`device` without its number, if such a device exists here."""
    name, _, number = str(device).partition(":")
    if name not in ("cpu", "cuda") or number not in ("", "0"):
        raise DeviceError(
            f"There is no device {str(device)!r}.", 'The devices are "cpu" and "cuda".', 'Did you mean device="cpu"?'
        )
    if name == "cuda":
        cuda()
    return name


def cuda() -> Any:
    """The CuPy namespace.

    Raises:
        DeviceError: CuPy is not installed, or it finds no GPU.
    """
    missing = 'Install it with pip install "minitorch-lab[cuda13]", or use device="cpu".'
    if find_spec("cupy") is None:
        raise DeviceError('device="cuda" needs CuPy, which is not installed.', "CUDA tensors are CuPy arrays.", missing)
    import cupy  # pyright: ignore[reportMissingImports]

    if not cupy.is_available():
        raise DeviceError(
            'device="cuda" needs an NVIDIA GPU, and CuPy finds none.',
            "CUDA tensors live in GPU memory.",
            'Use device="cpu".',
        )
    return cupy
