"""Saving and loading: nested containers of tensors and plain values, as one `.npz` file without pickle.

The arrays stand in the file under the numbers "0", "1", ..., and the containers as JSON under "tree". bfloat16, which
the format does not know, stands as the bits of uint16, with its name in the tree. Loading runs no code from the file,
so a file of unknown origin can do no harm.
"""

from __future__ import annotations

import json
import os
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from io import TextIOBase
from os import PathLike
from shutil import copymode
from typing import IO, Any
from zipfile import BadZipFile

from ..core.array import Array, as_dtype, bfloat16, load_arrays, xp
from ..errors import ArgumentError
from ..ops.front import taught
from ..ops.meant import shown
from .tensor import Tensor, grounded

File = str | PathLike[str] | IO[bytes]
PLAIN = (bool, int, float, str, type(None))


@taught
def save(obj: Any, f: File) -> None:
    """Write `obj` to the file `f`: a tensor, or dicts, lists and tuples of tensors and plain values, nested at will.

    Under a path stands either what stood there before or all of this, whenever the program or the machine is stopped:
    it is written beside it, as `f.part`, and then takes its name. Tensors keep their dtype and whether they require a
    gradient, and lose their history. Tensors that share memory are written one by one.

    Args:
        obj: What to write.
        f: A path, or a file that is open for writing bytes, such as `io.BytesIO()`.

    Raises:
        ArgumentError: `obj` holds something else, or `f` is no file.

    Example:
        >>> import tempfile, minitorch_lab as ml
        >>> model = ml.nn.Linear(2, 1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     save({"model": model.state_dict(), "epoch": 3}, folder + "/run.npz")
        ...     checkpoint = load(folder + "/run.npz")
        >>> checkpoint["epoch"], model.load_state_dict(checkpoint["model"]).missing_keys
        (3, [])
    """
    arrays: list[Array] = []
    tree = json.dumps(packed(obj, arrays))
    named = {str(i): array for i, array in enumerate(arrays)}
    with opened(f, "wb") as file:
        xp.savez(file, tree=xp.frombuffer(tree.encode(), "uint8"), **named)


@taught
def load(f: File, map_location: Any = None, *, weights_only: bool = True) -> Any:
    """What `save` wrote to the file `f`, a path or a file that is open for reading bytes.

    Tensors come back as leaves on the CPU, and require a gradient if they did.

    Args:
        f: A path, or a file that is open for reading bytes.
        map_location: The device to which they are brought.
        weights_only: Whatever is asked for, no code of the file is run.

    Raises:
        ArgumentError: The file was not written by `save`, or `f` is no file.

    Example:
        >>> import io, minitorch_lab as ml
        >>> file = io.BytesIO()
        >>> save([ml.tensor([1.0, 2.0], requires_grad=True)], file)
        >>> _ = file.seek(0)
        >>> load(file)
        [tensor([1., 2.], requires_grad=True)]
    """
    try:
        with opened(f, "rb") as file:
            arrays = load_arrays(file)
        tree = arrays["tree"].tobytes().decode()
    except (KeyError, ValueError, EOFError, BadZipFile) as error:
        raise ArgumentError(
            f"load got the file {str(f)!r}, which save has not written.",
            "It reads what ml.save has written: arrays and their tree.",
            "Other .npz files are read by numpy.load.",
        ) from error
    return unpacked(json.loads(tree), arrays, map_location)


def opened(f: File, mode: str) -> AbstractContextManager[IO[bytes]]:
    """The file `f` in a block: one that has a path is closed at its end, one that was open stays so."""
    if isinstance(f, str | PathLike):
        return open(f, mode) if mode == "rb" or not ordinary(f) else replacing(f)
    if not hasattr(f, "read" if mode == "rb" else "write") or isinstance(f, TextIOBase):
        raise ArgumentError(
            f"The file was given as {shown(f)}.",
            "It is a path, or a file that is open for bytes.",
            "Did you mean ml.save(obj, path)? The file comes last."
            if mode == "wb" and not hasattr(f, "read")
            else f'Did you mean open(path, "{mode}")?',
        )
    return nullcontext(f)


def ordinary(path: str | PathLike[str]) -> bool:
    """Whether a file stands under this path, or can: no device and no pipe."""
    return os.path.isfile(path) or not os.path.exists(path)


@contextmanager
def replacing(path: str | PathLike[str]) -> Generator[IO[bytes]]:
    """A file that takes the place of the one under `path`, at once, when the block has written it."""
    goal = os.path.realpath(path)  # what a link leads to
    part = f"{goal}.part"
    try:
        with open(part, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(goal):
            copymode(goal, part)
        os.replace(part, goal)
    except BaseException:
        with suppress(OSError):
            os.unlink(part)
        raise


def packed(obj: Any, arrays: list[Array]) -> Any:
    """`obj` as JSON; its arrays are put at the end of `arrays`."""
    if isinstance(obj, Tensor):
        array = grounded(obj.to("cpu").detach()).value
        arrays.append(array.view("uint16") if array.dtype == bfloat16 else array)
        dtype = {"dtype": "bfloat16"} if array.dtype == bfloat16 else {}
        return {"tensor": len(arrays) - 1} | dtype | ({"requires_grad": True} if obj.requires_grad else {})
    if isinstance(obj, Mapping):
        pairs = [(packed(key, arrays), packed(value, arrays)) for key, value in obj.items()]
        return {"dict": pairs}
    if isinstance(obj, (list, tuple)):
        return {"list" if isinstance(obj, list) else "tuple": [packed(item, arrays) for item in obj]}
    if type(obj) in PLAIN:
        return obj
    raise ArgumentError(
        f"save got a {type(obj).__name__}.",
        "It writes tensors, numbers, strings, None, and dicts, lists and tuples of them.",
        "Did you mean obj.state_dict()?",
    )


def unpacked(tree: Any, arrays: dict[str, Array], device: Any = None) -> Any:
    """The object of which `tree` is the JSON, its tensors on `device`."""
    if not isinstance(tree, dict):
        return tree
    if "tensor" in tree:
        array = arrays[str(tree["tensor"])]
        array = array.view(as_dtype(tree["dtype"])) if "dtype" in tree else array
        found = Tensor(array) if device is None else Tensor(array).to(device=device)
        return found.requires_grad_(tree.get("requires_grad", False))
    ((kind, inner),) = tree.items()
    if kind == "dict":
        return {unpacked(key, arrays): unpacked(value, arrays, device) for key, value in inner}
    items = [unpacked(item, arrays, device) for item in inner]
    return items if kind == "list" else tuple(items)
