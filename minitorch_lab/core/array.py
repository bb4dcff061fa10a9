"""Arrays, element types and devices. The only file that names NumPy, CuPy or ml_dtypes; the engine says `xp`.

`xp` is the NumPy namespace. Its functions dispatch on their arguments (NEP 13 and 18), so `xp.exp` of a CuPy array
runs on the GPU and `xp.exp` of a Tensor is an op: one rule text serves all three.
"""

from __future__ import annotations

import threading
import warnings
from difflib import get_close_matches
from functools import reduce
from importlib.util import find_spec
from sys import modules
from typing import Any, TypeAlias

import ml_dtypes
import numpy as xp

from ..errors import DeviceError, DTypeError, ShapeError
from .device import no_device

Array: TypeAlias = Any  # a numpy.ndarray or a cupy.ndarray; 0-d results may be NumPy scalars
DType: TypeAlias = "xp.dtype[Any]"
Shape: TypeAlias = tuple[int, ...]

# An infinity or NaN is a result like any other, as in PyTorch. Only what this package computes is meant: NumPy puts a
# warning down to the module that called it, and generated functions are named as parts of the package too.
warnings.filterwarnings(
    "ignore", r"(divide by zero|overflow|underflow|invalid value) encountered", RuntimeWarning, r"minitorch_lab\b"
)

# ---- element types ------------------------------------------------------------------------------------------------

float16, bfloat16 = xp.dtype("float16"), xp.dtype(ml_dtypes.bfloat16)
float32, float64 = xp.dtype("float32"), xp.dtype("float64")
int8, int16, int32, int64 = (xp.dtype(name) for name in ("int8", "int16", "int32", "int64"))
uint8, bool_ = xp.dtype("uint8"), xp.dtype("bool")

FLOATS = (float16, bfloat16, float32, float64)
DTYPES = {d.name: d for d in (*FLOATS, int8, int16, int32, int64, uint8, bool_)}
KNOWN = {d: d for d in DTYPES.values()}  # NumPy is slow to say a dtype's name
NAMES = "float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8 or bool"
NEAREST = {
    "uint16": "int32",
    "uint32": "int64",
    "uint64": "int64",
    "longdouble": "float64",
    "float128": "float64",
    "complex128": "float64",
    "clongdouble": "float64",
    "complex256": "float64",
}


def no_dtype(name: str) -> DTypeError:
    """The error of a type of entry that there is none of."""
    near = NEAREST.get(name) or next(iter(get_close_matches(name, DTYPES, 1)), "float32")
    return DTypeError(f"There is no dtype {name} here.", f"Tensors hold {NAMES}.", f"Did you mean {near}?")


def as_dtype(dtype: Any) -> DType:
    """The dtype that `dtype` names: one of ours, a NumPy one, a Python type or a string.

    Raises:
        DTypeError: It names a type that this package has no kernels for.

    Example:
        >>> as_dtype("bfloat16"), as_dtype(int), as_dtype(float)
        (dtype(bfloat16), dtype('int64'), dtype('float64'))
    """
    if isinstance(dtype, xp.dtype) and (known := KNOWN.get(dtype)) is not None:
        return known
    try:
        found = xp.dtype(dtype)
    except TypeError:
        raise no_dtype(str(dtype)) from None
    if found.name not in DTYPES:
        raise no_dtype(found.name)
    return DTYPES[found.name]


def as_array(data: Any, dtype: Any = None) -> Array:
    """A new array of `data` (numbers, arrays, nested sequences of them). Python floats become float32, ints int64.

    Raises:
        ShapeError: Rows have different lengths.
        DTypeError: `data` holds something that is not a number, or a number that `dtype` cannot hold.
    """
    dtypes: set[DType] = set()
    try:
        array = xp.array(arrays_in(data, dtypes))
    except ValueError:
        raise ShapeError(
            "tensor got rows of unequal length.", "A tensor is a full grid of numbers.", "Pad the short rows."
        ) from None
    except OverflowError:
        raise beyond("tensor", "a number that no int64 holds", int64) from None
    wanted = as_dtype(dtype) if dtype is not None else natural_dtype(array.dtype, data, dtypes)
    if not hasattr(data, "dtype"):
        check_held("tensor", array, wanted)
    return converted(array, wanted)


def arrays_in(data: Any, dtypes: set[DType]) -> Any:
    """`data` with arrays for tensors. To `dtypes` are added those of its parts; Python numbers take the default.

    Example:
        >>> dtypes = set()
        >>> arrays_in([1, 0.5, xp.zeros((), "int8")], dtypes), sorted(map(str, dtypes))
        ([1, 0.5, array(0, dtype=int8)], ['float32', 'int64', 'int8'])
    """
    if type(data) in NUMBERS:
        dtypes.add(NUMBERS[type(data)])
        return data
    if isinstance(data, (list, tuple)):
        kinds = set(map(type, data))
        if kinds <= NUMBERS.keys():
            dtypes.update(NUMBERS[kind] for kind in kinds)
            return data
        return [arrays_in(part, dtypes) for part in data]
    array = xp.asarray(data.detach().to("cpu").numpy() if hasattr(data, "requires_grad") else data)
    whole = array.dtype.kind in "iu"
    dtypes.add(
        array.dtype if hasattr(data, "dtype") or array.dtype.kind in "bc" else int64 if whole else default_dtype()
    )
    return array


def natural_dtype(dtype: DType, data: Any, parts: set[DType]) -> DType:
    """What data that NumPy reads as `dtype` becomes when nobody says: where the dtypes of its parts meet.

    Raises:
        DTypeError: There is no such type here.
    """
    if dtype.kind not in "biufcV" or dtype.names:
        raise DTypeError(
            f"tensor got {type(data).__name__} data of dtype {dtype}.",
            f"A tensor holds numbers: {NAMES}.",
            "Convert the data to numbers first.",
        )
    known = parts if parts <= set(NUMBERS.values()) else map(as_dtype, parts)
    return reduce(promote_types, known or [default_dtype()])


def check_held(name: str, numbers: Any, dtype: DType) -> None:
    """Refuse Python numbers (one, or an array made of some) that a whole `dtype` cannot hold.

    As in PyTorch, whole numbers below 0 count from the end of an unsigned dtype: -1 is 255 in uint8.

    Raises:
        DTypeError: One is too large, infinite or not a number.
    """
    if dtype.kind not in "iu":
        return
    array = xp.asarray(numbers)
    if not array.size or array.dtype.kind not in "iufO":
        return
    low, high, limits = array.min(), array.max(), xp.iinfo(dtype)
    low, high = (n if isinstance(n, int) else n.item() for n in (low, high))
    lowest = limits.min or -limits.max * (array.dtype.kind != "f")
    if not (lowest - 1 < low and high < limits.max + 1):
        raise beyond(name, f"the number {numbers}" if is_number(numbers) else f"numbers from {low} to {high}", dtype)


def beyond(name: str, what: str, dtype: DType) -> DTypeError:
    """The error of a whole number that `dtype` cannot hold."""
    limits = xp.iinfo(dtype)
    wider = dtype != int64 and "nan" not in what and "inf" not in what
    return DTypeError(
        f"{name} got {what} for dtype {dtype}.",
        f"{dtype} holds the whole numbers from {limits.min} to {limits.max}.",
        "Did you mean a wider dtype, such as int64?" if wider else "Did you mean float64?",
    )


def converted(array: Array, dtype: DType) -> Array:
    """`array` in `dtype`, itself if it is already. Too large becomes infinite, or wraps around in whole numbers.

    Example:
        >>> converted(xp.array([1.9, 300.0]), int8), converted(xp.array([70000.0]), float16)
        (array([ 1, 44], dtype=int8), array([inf], dtype=float16))
    """
    with xp.errstate(all="ignore"):
        if dtype.kind in "iu" and dtype.itemsize < 4 and is_float(array.dtype):
            array = array.astype(int32)  # C leaves open what a float beyond int8 becomes; int32 wraps
        return array.astype(dtype, copy=False)


def is_float(dtype: DType) -> bool:
    """Whether values of `dtype` can carry a gradient."""
    return dtype.kind == "f" or dtype == bfloat16


def float_limits(dtype: DType) -> Any:
    """What NumPy's finfo says of `dtype`, also for bfloat16."""
    return ml_dtypes.finfo(dtype)


def is_narrow(dtype: DType) -> bool:
    """Whether `dtype` holds floats of two bytes: ops compute with them in float32."""
    return dtype in (float16, bfloat16)


def are_numbers(lengths: Any) -> bool:
    """Whether lengths are whole numbers, and none is a symbol that a capture has put in its place."""
    return all(type(n) is int or isinstance(n, xp.integer) for n in lengths)


# Exactly these: a NumPy float64 scalar is a float too, and typed.
NUMBERS: dict[type, DType] = {bool: bool_, int: int64, float: float32}


def default_dtype() -> DType:
    """The dtype of what is made of Python's floats, or of nothing: float32 unless it was set otherwise."""
    return NUMBERS[float]


def set_default(dtype: DType) -> None:
    """Let Python's floats, and what counts as one, become `dtype`."""
    before = default_dtype()
    NUMBERS.update({kind: dtype for kind, found in NUMBERS.items() if found is before})


def is_number(x: Any) -> bool:
    """Whether `x` is a Python number, which takes the dtype of what it meets."""
    return type(x) in NUMBERS


# ---- where dtypes meet --------------------------------------------------------------------------------------------


def promote_types(a: DType, b: DType) -> DType:
    """The smallest dtype that holds what both hold; of whole numbers and floats, the float one, as in PyTorch.

    Example:
        >>> promote_types(int64, float16), promote_types(uint8, int8), promote_types(float16, bfloat16)
        (dtype('float16'), dtype('int16'), dtype('float32'))
    """
    if a == b or b == bool_:
        return a
    if a == bool_ or is_float(b) > is_float(a):
        return b
    if is_float(a) > is_float(b):
        return a
    if a.itemsize == b.itemsize:
        return float32 if is_float(a) else int16  # float16 and bfloat16; int8 and uint8
    return a if a.itemsize > b.itemsize else b


def combined(first: DType | None, second: DType | None) -> DType | None:
    """Where the dtypes of two ranks meet: the lower rank has a say only if it is of a wider kind."""
    if first is None or second is None:
        return first or second
    if is_float(first) or (first != bool_ and not is_float(second)):
        return first
    return promote_types(first, second)


def promote(*operands: Any) -> DType:
    """The dtype in which `operands` meet, as in PyTorch.

    The widest kind wins; within a kind tensors with axes win over 0-d tensors, and both over Python numbers.

    Example:
        >>> promote(xp.ones(2, "float32"), xp.ones(2, "int64"))
        dtype('float32')
        >>> promote(xp.ones(2, "float16"), xp.ones((), "float64"), 0.5)
        dtype('float16')
    """
    ranks: list[DType | None] = [None, None, None]
    for x in operands:
        number = NUMBERS.get(float if issubclass(type(x), float) else type(x))  # float64 of NumPy is a float
        dtype, rank = (x.dtype, 0 if x.ndim else 1) if number is None else (number, 2)
        met = ranks[rank]
        ranks[rank] = dtype if met is None else promote_types(met, dtype)
    found = combined(ranks[0], combined(ranks[1], ranks[2]))
    return as_dtype(found)


def can_hold(dtype: DType, result: DType) -> bool:
    """Whether a write in place may turn `result` into `dtype`: a fraction is not dropped unasked, nor a number."""
    if is_float(result):
        return is_float(dtype)
    return dtype != bool_ or result == bool_


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


def entries(x: Any) -> Array | None:
    """The same, if there are numbers to be looked at: in a capture there are none yet."""
    kind = type(x := ground(x))
    return x if hasattr(kind, "__array_interface__") or hasattr(kind, "__cuda_array_interface__") else None


def load_arrays(path: Any) -> dict[str, Array]:
    """The arrays of an `.npz` file, by name."""
    with xp.load(path, allow_pickle=False) as file:
        return {name: file[name] for name in file.files}


def without_memory(shape: Shape, strides: tuple[int, ...], dtype: DType = float64) -> Array:
    """An array of which only the shape and the strides mean anything: its entries must not be read."""
    return xp.lib.stride_tricks.as_strided(xp.empty(1, dtype), shape, strides)


def view_as(array: Array, shape: Shape) -> Array:
    """The array in another shape, without copying it.

    Raises:
        ValueError: Its strides do not allow that.
    """
    return xp.reshape(array, shape, copy=False)


def must_copy(ghost: Array, shape: Shape) -> bool:
    """Whether an array that lies like `ghost` could be shown in `shape` only by copying it."""
    try:
        view_as(ghost, shape)
    except ValueError:
        return True
    return False


# ---- memory -------------------------------------------------------------------------------------------------------


def solid(x: Any) -> Array:
    """`x` as an array: NumPy hands 0-d results back as numbers, which have no memory."""
    return x if type(x) is on_cpu or hasattr(x, "__setitem__") else xp.asarray(x)


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


def block(nbytes: int, alignment: int, device: str = "cpu") -> Array:
    """Memory in bytes, not set to anything, whose first byte lies at a multiple of `alignment`."""
    # CuPy gives multiples of 512.
    if device == "cuda":
        return cuda().empty(nbytes, uint8)
    memory = xp.empty(nbytes + alignment, uint8)
    start = -address(memory) % alignment
    return memory[start : start + nbytes]


def offset_of(array: Array) -> int:
    """How many entries of memory lie before the first one of `array`."""
    start = address(memory_line(array)) if device_of(array) == "cpu" else memory_of(array).ptr
    return (address(array) - start) // array.dtype.itemsize


def copied(array: Array, memo: dict[int, Any]) -> Array:
    """A copy of `array`. Those of arrays that show one memory do so too: `memo` has what was copied, by its owner."""
    if device_of(array) == "cuda":
        return xp.copy(array)
    owner = id(memory_of(array))
    if owner not in memo and array.base is None:
        memo[owner] = xp.copy(array)
        return memo[owner]
    if owner not in memo:
        memo[owner] = memory_line(array).copy()
    steps = tuple(s // array.dtype.itemsize for s in array.strides)
    return strided(memory_line(memo[owner]).view(array.dtype), array.shape, steps, offset_of(array))


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


on_cpu = xp.ndarray


def device_of(array: Array) -> str:
    """`"cpu"` for NumPy memory and Python numbers, `"cuda"` for CuPy memory."""
    if type(array) is on_cpu:
        return "cpu"
    return "cuda" if type(array).__module__[:4] == "cupy" else "cpu"


def beside(array: Array, x: Any) -> Array:
    """`array` on the device of `x`, an array or a tensor: what an op makes by itself must lie where its inputs lie."""
    return array if type(x) is type(array) is on_cpu else to_device(array, device_under(x))


def device_under(x: Any) -> str:
    """The device of an array or a tensor. One that is being captured has no array, but says where it will lie."""
    found = ground(x)
    known = getattr(found, "device", None)
    return known if isinstance(known, str) else device_of(found)


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
        raise no_device(device)
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


def synchronise() -> None:
    """Wait for the GPU, if this process uses one: until then work was only handed over."""
    cupy = modules.get("cupy")
    if cupy is not None and cupy.is_available():
        cupy.cuda.Device().synchronize()
