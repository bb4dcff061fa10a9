"""Machine code through the cache on disk: damage and interrupts on the way never give another answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compile.cache import Cache
from minitorch_lab.compile.codegen.llvm import machine
from minitorch_lab.compile.codegen.llvm.backend import compile_llvm
from tests.compile.test_llvm_backend import normal, pure


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    found = Cache(tmp_path / "compiled")
    monkeypatch.setattr(machine, "disk", lambda: found)
    return found


def softmax() -> Any:
    return compile_llvm(pure(lambda x: x.softmax(1) * 3.0, ml.ones(5, 33)))


def files(disk: Cache) -> list[Path]:
    assert disk.folder is not None
    return list(disk.folder.iterdir())


def test_damaged_code_is_compiled_anew(disk: Cache) -> None:
    x = normal(5, 33)
    want = softmax()(x)[0]
    np.testing.assert_array_equal(softmax()(x)[0], want)
    assert (disk.hits, disk.misses) == (1, 1)
    (path,) = files(disk)
    raw = path.read_bytes()
    for damaged in (raw[: len(raw) // 2], raw[:-9] + b"\xcc" * 9, b""):
        path.write_bytes(damaged)
        np.testing.assert_array_equal(softmax()(x)[0], want)
        assert path.read_bytes() == raw
    assert (disk.hits, disk.misses) == (1, 4)


def test_ctrl_c_while_llvm_works(disk: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(text: str, target: Any) -> bytes:
        raise KeyboardInterrupt

    x = normal(5, 33)
    with monkeypatch.context() as patch:
        patch.setattr(machine, "object_code", interrupted)
        with pytest.raises(KeyboardInterrupt):
            softmax()
    assert files(disk) == []
    e = np.exp(x - x.max(1, keepdims=True))
    np.testing.assert_allclose(softmax()(x)[0], 3 * e / e.sum(1, keepdims=True), rtol=1e-5)
    assert len(files(disk)) == 1


def test_numbers_that_differ_in_the_last_digit_are_two_kernels() -> None:
    x, i = np.ones((4, 4)), np.ones((4, 4), "int64")

    def f(x: Any, i: Any) -> Any:
        return (x * 0.1234567890123).sum(0), (x.T * 0.1234567890124).sum(0), i + 10**12, i.T * 1 + (10**12 + 1)

    low, high, whole, next_one = compile_llvm(pure(f, ml.tensor(x), ml.tensor(i)))(x, i)
    assert (low[0], high[0]) == (4 * 0.1234567890123, 4 * 0.1234567890124)
    assert (whole[0, 0], next_one[0, 0]) == (10**12 + 1, 10**12 + 2)
