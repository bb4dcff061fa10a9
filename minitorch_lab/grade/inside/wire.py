"""What crosses between the judge and the student's process: JSON scalars and raw arrays in frames of a known length.

A frame is two lengths, a JSON text and raw bytes:

    text bytes (uint32) | raw bytes (uint32) | {"nonce", "number", "body", "arrays": [[dtype, shape], …]} | raw

The body is a tree. A scalar stands for itself; everything else is a list whose first entry says what it is:
["list", …], ["tuple", …], ["dict", [key, value], …], ["array", index], ["handle", id, class]. What is none of these
stays where it is, and a handle crosses in its place. Nothing is ever unpickled.
"""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple

from ...core.array import bfloat16, xp
from ...errors import MinitorchError

HEADER = struct.Struct(">II")
TEXT = 1 << 20  # bytes of JSON: what an honest answer holds besides its arrays is small
DEPTH = 8
DIMENSIONS = 16
DIGITS = 1 << 12  # bits of an integer

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128"
DTYPES = {name: xp.dtype(name) for name in NAMES.split()} | {"bfloat16": xp.dtype(bfloat16)}


class Malformed(MinitorchError):  # noqa: N818 - it says what happened
    """A message that is too large, too deep, or not in the form of one."""


class Reference(NamedTuple):
    """A thing that stayed in the student's process."""

    number: int
    kind: str


class Message(NamedTuple):
    """A message that was read: who sent it, which it is, and what it says."""

    nonce: str
    number: int
    body: Any


def malformed(what: str) -> Malformed:
    """Return the error for a message that breaks the rules."""
    return Malformed(f"A message {what}.", "It must be a frame of JSON scalars and raw arrays, as wire.py says.")


# ---- writing --------------------------------------------------------------------------------------------------------


def frame(nonce: str, number: int, value: Any, refer: Callable[[Any], Reference]) -> bytes:
    """Return the frame that holds `value`.

    Args:
        nonce: What both sides of this conversation know.
        number: The number of the question that this is, or answers.
        value: What to send.
        refer: Gives the reference that stands for a thing that does not cross.

    Example:
        >>> sent = frame("n", 1, {"x": xp.zeros(2), "y": [1, None]}, lambda thing: Reference(0, "object"))
        >>> text, raw = HEADER.unpack(sent[:8])
        >>> read(sent[8 : 8 + text], sent[8 + text :], tuple).body
        {'x': array([0., 0.]), 'y': [1, None]}
    """
    arrays: list[Any] = []
    body = packed(value, arrays, refer, 0)
    heads = [[name_of(array), list(array.shape)] for array in arrays]
    text = json.dumps({"nonce": nonce, "number": number, "body": body, "arrays": heads}).encode()
    raw = b"".join(array.tobytes() for array in arrays)
    if len(text) > TEXT or len(raw) >= 1 << 32:
        raise malformed(f"has {len(text):,} bytes of text and {len(raw):,} of arrays")
    return HEADER.pack(len(text), len(raw)) + text + raw


def packed(value: Any, arrays: list[Any], refer: Callable[[Any], Reference], depth: int) -> Any:
    """Return the tree of a value, and add its arrays to `arrays`."""
    if isinstance(value, xp.generic):
        number = value.item()
        value = number if type(number) in (bool, int, float, str) else xp.asarray(value)
    if value is None or type(value) in (bool, int, float, str):
        return value
    if isinstance(value, xp.ndarray) and name_of(value) in DTYPES and value.ndim <= DIMENSIONS:
        arrays.append(value.astype(DTYPES[name_of(value)], copy=False))
        return ["array", len(arrays) - 1]
    if depth < DEPTH and type(value) in (list, tuple):
        return [type(value).__name__, *(packed(each, arrays, refer, depth + 1) for each in value)]
    if depth < DEPTH and type(value) is dict and all(type(key) is str for key in value):
        return ["dict", *([key, packed(each, arrays, refer, depth + 1)] for key, each in value.items())]
    number, kind = value if isinstance(value, Reference) else refer(value)
    return ["handle", number, kind]


def name_of(array: Any) -> str:
    """Return the name of an array's dtype, without its byte order."""
    return array.dtype.name


# ---- reading --------------------------------------------------------------------------------------------------------


def lengths(header: bytes | bytearray, most: int) -> tuple[int, int]:
    """Return how many bytes of text and of arrays follow a header, before any of them is read.

    Raises:
        Malformed: They are more than `most` bytes, or the text is longer than any honest one.
    """
    text, raw = HEADER.unpack(header)
    if text > TEXT or text + raw > most:
        raise malformed(f"says that it has {text:,} bytes of text and {raw:,} of arrays")
    return text, raw


def read(text: bytes | bytearray, raw: bytes | bytearray, find: Callable[[Reference], Any]) -> Message:
    """Return the message of a frame. Nothing in it is believed before it was looked at.

    Args:
        text: The JSON of the frame.
        raw: The bytes of its arrays.
        find: Gives what stands for a reference on this side.

    Raises:
        Malformed: Not JSON, not the fields of a message, an array whose bytes are not there, a tree that is too deep.
    """
    try:
        said = json.loads(text)
    except (ValueError, RecursionError) as cause:
        raise malformed("is no JSON") from cause
    fields = {"nonce": str, "number": int, "body": object, "arrays": list}
    if type(said) is not dict or said.keys() != fields.keys():
        raise malformed("has other fields than nonce, number, body and arrays")
    if type(said["nonce"]) is not str or type(said["number"]) is not int or type(said["arrays"]) is not list:
        raise malformed("has a field of the wrong kind")
    return Message(said["nonce"], said["number"], unpacked(said["body"], arrays_of(said["arrays"], raw), find, 0))


def arrays_of(heads: list[Any], raw: bytes | bytearray) -> list[Any]:
    """Return the arrays of a frame: together they are all of its raw bytes, and no more."""
    arrays: list[Any] = []
    start = 0
    view = memoryview(raw)
    for head in heads:
        dtype, shape = array_head(head)
        size = math.prod(shape) * dtype.itemsize
        if size > len(raw) - start:
            raise malformed("has an array whose bytes are not there")
        arrays.append(array_of(view[start : start + size], dtype, shape))
        start += size
    if start != len(raw):
        raise malformed("has bytes that belong to no array")
    return arrays


def array_of(raw: memoryview, dtype: Any, shape: list[int]) -> Any:
    """Return the array that bytes hold."""
    if dtype.kind == "b" and (xp.frombuffer(raw, xp.uint8) > 1).any():
        raise malformed("has a truth value that is neither")
    try:
        return xp.frombuffer(raw, dtype).reshape(shape).copy()
    except ValueError as cause:  # no bytes, and sizes that no array may have
        raise malformed("has an array of no shape") from cause


def array_head(head: Any) -> tuple[Any, list[int]]:
    """Return the dtype and the shape that the head of an array names."""
    if type(head) is not list or len(head) != 2 or type(head[0]) is not str or head[0] not in DTYPES:
        raise malformed("has an array of a dtype that does not cross")
    shape = head[1]
    if type(shape) is not list or len(shape) > DIMENSIONS:
        raise malformed("has an array of no shape")
    if not all(type(size) is int and 0 <= size < 1 << 32 for size in shape):
        raise malformed("has an array of no shape")
    return DTYPES[head[0]], shape


def unpacked(tree: Any, arrays: list[Any], find: Callable[[Reference], Any], depth: int) -> Any:
    """Return the value of a tree."""
    if type(tree) is int and tree.bit_length() > DIGITS:
        raise malformed("has a number of too many digits")
    if tree is None or type(tree) in (bool, int, float, str):
        return tree
    if type(tree) is not list or not tree or depth > DEPTH:
        raise malformed("has a part that is no value, or lies too deep")
    kind, *parts = tree
    if kind in ("list", "tuple"):
        values = [unpacked(part, arrays, find, depth + 1) for part in parts]
        return values if kind == "list" else tuple(values)
    if kind == "dict" and all(type(part) is list and len(part) == 2 and type(part[0]) is str for part in parts):
        return {key: unpacked(part, arrays, find, depth + 1) for key, part in parts}
    if kind == "array" and [type(part) for part in parts] == [int] and 0 <= parts[0] < len(arrays):
        return arrays[parts[0]]
    if kind == "handle" and [type(part) for part in parts] == [int, str] and len(parts[1]) <= 100:
        return find(Reference(*parts))
    raise malformed("has a part that is no value")
