"""Saving and loading: nested containers of tensors and plain values, as one `.npz` file without pickle.

The arrays stand in the file under the numbers "0", "1", ..., and the containers as JSON under "tree". bfloat16, which
the format does not know, stands as the bits of uint16, with its name in the tree. Loading runs no code from the file,
so a file of unknown origin can do no harm.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from typing import Any
from zipfile import BadZipFile

from .array import Array, as_dtype, bfloat16, load_arrays, xp
from .errors import ArgumentError
from .tensor import Tensor, grounded

Path = str | PathLike[str]
PLAIN = (bool, int, float, str, type(None))


def save(obj: Any, path: Path) -> None:
    """Write `obj` to the file `path`: a tensor, or dicts, lists and tuples of tensors and plain values, nested at will.

    Tensors keep their dtype and lose their history. Tensors that share memory are written one by one.

    Raises:
        ArgumentError: `obj` holds something else.

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
    with open(path, "wb") as file:
        xp.savez(file, tree=xp.frombuffer(tree.encode(), "uint8"), **named)


def load(path: Path) -> Any:
    """What `save` wrote to the file `path`. Tensors come back as leaves without gradient, on the CPU.

    Raises:
        ArgumentError: The file was not written by `save`.
    """
    try:
        arrays = load_arrays(path)
        tree = arrays["tree"].tobytes().decode()
    except (KeyError, ValueError, BadZipFile) as error:
        raise ArgumentError(
            f"load got the file {str(path)!r}, which save has not written.",
            "It reads what ml.save has written: arrays and their tree.",
            "Other .npz files are read by numpy.load.",
        ) from error
    return unpacked(json.loads(tree), arrays)


def packed(obj: Any, arrays: list[Array]) -> Any:
    """`obj` as JSON; its arrays are put at the end of `arrays`."""
    if isinstance(obj, Tensor):
        array = grounded(obj.to("cpu").detach()).value
        arrays.append(array.view("uint16") if array.dtype == bfloat16 else array)
        return {"tensor": len(arrays) - 1} | ({"dtype": "bfloat16"} if array.dtype == bfloat16 else {})
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


def unpacked(tree: Any, arrays: dict[str, Array]) -> Any:
    """The object of which `tree` is the JSON."""
    if not isinstance(tree, dict):
        return tree
    if "tensor" in tree:
        array = arrays[str(tree["tensor"])]
        return Tensor(array.view(as_dtype(tree["dtype"])) if "dtype" in tree else array)
    ((kind, inner),) = tree.items()
    if kind == "dict":
        return {unpacked(key, arrays): unpacked(value, arrays) for key, value in inner}
    items = [unpacked(item, arrays) for item in inner]
    return items if kind == "list" else tuple(items)
