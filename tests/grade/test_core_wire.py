"""What crosses the pipes: values come back as they went, and nothing that is not a message is taken for one."""

from __future__ import annotations

import json
import math
import pickle
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from minitorch_lab.grade.inside import wire


def refer(thing: Any) -> wire.Reference:
    return wire.Reference(7, type(thing).__name__)


def through(value: Any) -> Any:
    """The value after it has crossed."""
    sent = wire.frame("nonce", 3, value, refer)
    size = wire.HEADER.size
    text, raw = wire.lengths(sent[:size], 1 << 30)
    message = wire.read(sent[size : size + text], sent[size + text : size + text + raw], lambda reference: reference)
    assert (message.nonce, message.number) == ("nonce", 3)
    return message.body


SCALARS = st.none() | st.booleans() | st.integers(-(2**100), 2**100) | st.floats(allow_nan=False) | st.text()
VALUES = st.recursive(SCALARS, lambda v: st.lists(v) | st.tuples(v, v) | st.dictionaries(st.text(), v), max_leaves=20)


def depth(value: Any) -> int:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else None
    return 0 if parts is None else 1 + max(map(depth, parts), default=0)


@given(VALUES.filter(lambda value: depth(value) <= wire.DEPTH))
def test_values_come_back_as_they_went(value: Any) -> None:
    back = through(value)
    assert back == value
    assert repr(back) == repr(value)  # tuples are no lists, and True is not 1


@pytest.mark.parametrize("name", wire.DTYPES)
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 4), (2, 3)])
def test_arrays_come_back_as_they_went(name: str, shape: tuple[int, ...]) -> None:
    array = np.asarray(np.arange(math.prod(shape)).reshape(shape) % 2).astype(wire.DTYPES[name])
    back = through({"a": [array]})["a"][0]
    assert back.dtype == array.dtype
    assert back.shape == array.shape
    assert (back == array).all()
    assert back.flags.writeable


def test_order_strides_and_bytes_do_not_matter() -> None:
    array = np.arange(12.0).reshape(3, 4)
    for odd in (array.T, array[::2, ::-1], np.asfortranarray(array), array.astype(">f8"), np.ma.array(array)):
        assert np.array_equal(through(odd), np.asarray(odd))


OBJECTS = {
    "an object": object(),
    "numbers as keys": {1: 2},
    "a set": {1, 2},
    "an array of objects": np.array([object()]),
    "an array of texts": np.array(["a"]),
    "an array of days": np.array(["2020"], "M8[Y]"),
    "a function": len,
    "bytes": b"bytes",
    "a complex number": 1j,
}


@pytest.mark.parametrize("name", OBJECTS)
def test_what_is_no_value_stays_where_it_is(name: str) -> None:
    assert isinstance(through([OBJECTS[name]])[0], wire.Reference)


def test_a_value_that_is_too_deep_stays_where_it_is() -> None:
    value: Any = 1
    for _ in range(wire.DEPTH + 5):
        value = [value]
    back = through(value)
    for _ in range(wire.DEPTH):
        (back,) = back
    assert back == wire.Reference(7, "list")


def test_a_small_float_has_a_dtype_of_its_own() -> None:
    assert through(np.ones(2, ml_dtypes.bfloat16)).dtype == ml_dtypes.bfloat16


GOOD = {"nonce": "n", "number": 1, "body": ["array", 0], "arrays": [["float64", [1]]]}
BAD: dict[str, Any] = {
    "a pickle": pickle.dumps(1),
    "no JSON": b"{",
    "not UTF-8": b'"\xff"',
    "a list": [],
    "another field": {**GOOD, "more": 1},
    "a field missing": {"nonce": "n", "number": 1, "body": 1},
    "a nonce that is a number": {**GOOD, "nonce": 1},
    "a number that is true": {**GOOD, "number": True},
    "an object in the body": {**GOOD, "body": {"a": 1}},
    "an unknown kind": {**GOOD, "body": ["object", 1]},
    "an empty list": {**GOOD, "body": []},
    "an array that is not there": {**GOOD, "body": ["array", 1]},
    "an array before the first": {**GOOD, "body": ["array", -1]},
    "an array called true": {**GOOD, "body": ["array", False]},
    "a pair of three": {**GOOD, "body": ["dict", ["a", 1, 2]]},
    "a key that is a number": {**GOOD, "body": ["dict", [1, 2]]},
    "a handle without a class": {**GOOD, "body": ["handle", 1]},
    "a handle with a long class": {**GOOD, "body": ["handle", 1, "x" * 101]},
    "objects in an array": {**GOOD, "arrays": [["object", [1]]]},
    "text in an array": {**GOOD, "arrays": [["<U8", [1]]]},
    "a dtype that is a list": {**GOOD, "arrays": [[["float64"], [1]]]},
    "too little in the array": {**GOOD, "arrays": [["float64", [2]]]},
    "too much in the array": {**GOOD, "arrays": [["float32", [1]]]},
    "a negative size": {**GOOD, "arrays": [["float64", [-1]]]},
    "a size that is a float": {**GOOD, "arrays": [["float64", [1.0]]]},
    "sizes that overflow": {**GOOD, "arrays": [["float64", [1 << 31, 1 << 31, 1 << 31]]]},
    "sizes that overflow beside a zero": {**GOOD, "arrays": [["float64", [1]], ["float64", [0, *[(1 << 32) - 1] * 4]]]},
    "truth values that are neither": {**GOOD, "body": ["array", 0], "arrays": [["bool", [8]]]},
    "too many axes": {**GOOD, "arrays": [["float64", [1] * 17]]},
    "many digits": b'{"nonce":"n","number":1,"body":' + b"9" * 3000 + b',"arrays":[]}',
    "more digits": b'{"nonce":"n","number":1,"body":' + b"9" * 9000 + b',"arrays":[]}',
    "a deep tree": b'{"nonce":"n","number":1,"arrays":[],"body":' + b'["list",' * 30 + b"1" + b"]" * 30 + b"}",
    "a tree without end": b"[" * 900_000,
}


@pytest.mark.parametrize("name", BAD)
def test_what_is_no_message_is_refused(name: str) -> None:
    said = BAD[name]
    text = said if isinstance(said, bytes) else json.dumps(said).encode()
    with pytest.raises(wire.Malformed):
        wire.read(text, np.ones(1).tobytes(), lambda reference: reference)


def test_the_message_that_the_bad_ones_are_made_of_is_good() -> None:
    assert wire.read(json.dumps(GOOD).encode(), np.ones(1).tobytes(), tuple).body == np.ones(1)


@pytest.mark.parametrize(("text", "raw"), [(wire.TEXT + 1, 0), (10, 1 << 20), (2**32 - 1, 2**32 - 1)])
def test_lengths_are_looked_at_before_anything_is_read(text: int, raw: int) -> None:
    with pytest.raises(wire.Malformed):
        wire.lengths(wire.HEADER.pack(text, raw), 1 << 20)
