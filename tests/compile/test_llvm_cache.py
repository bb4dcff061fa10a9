"""Machine code through the cache on disk: damage and interrupts on the way never give another answer."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets import cache as room
from minitorch_lab.compiler.targets.cache import Cache
from minitorch_lab.compiler.targets.llvm import machine, module, target
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from minitorch_lab.compiler.targets.llvm.target import target_of
from tests.compile.test_llvm_backend import normal, pure
from tests.house.source import ROOT


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


# ---- what the code is filed under -----------------------------------------------------------------------------------
def compiled(disk: Cache, fn: Any, *arrays: Any, **options: Any) -> bool:
    """Whether the code of a function was found."""
    before = disk.hits
    compile_llvm(pure(fn, *map(ml.tensor, arrays)), **options)
    return disk.hits > before


def update(p: Any, g: Any) -> Any:
    return p - 0.1 * g


A, B = np.ones((5, 40), "float32"), np.ones((5, 40), "float32")
OTHER: dict[str, Any] = {
    "the op": lambda disk: compiled(disk, lambda p, g: p + 0.1 * g, A, B),
    "the number": lambda disk: compiled(disk, lambda p, g: p - 0.2 * g, A, B),
    "its last digit": lambda disk: compiled(disk, lambda p, g: p - (0.1 + 2**-55) * g, A, B),
    "the shape": lambda disk: compiled(disk, update, A[:4], B[:4]),
    "the order of the axes": lambda disk: compiled(disk, lambda p, g: update(p, g.T), A, B.T.copy()),
    "what is stretched": lambda disk: compiled(disk, update, A, B[:1]),
    "the dtype": lambda disk: compiled(disk, update, A.astype("float64"), B.astype("float64")),
    "the dtype of one": lambda disk: compiled(disk, update, A.astype("float64"), B),
    "the same array twice": lambda disk: compiled(disk, lambda p: update(p, p), A),
    "the order of the arguments": lambda disk: compiled(disk, lambda g, p: (g * 1, update(p, g)), A, B),
    "a result more": lambda disk: compiled(disk, lambda p, g: (update(p, g), p * 2), A, B),
    "a result over an argument": lambda disk: compiled(disk, update, A, B, donate="p"),
    "the processor": lambda disk: compiled(disk, update, A, B, target="avx2"),
    "another processor": lambda disk: compiled(disk, update, A, B, target="generic"),
}


@pytest.mark.parametrize("what", OTHER)
def test_another_program_is_a_miss(disk: Cache, what: str) -> None:
    assert not compiled(disk, update, A, B)
    assert compiled(disk, update, A, B)
    assert not OTHER[what](disk)
    assert compiled(disk, update, A, B)


def test_names_are_no_part_of_it(disk: Cache) -> None:
    def renamed(sum: Any, mul: Any) -> Any:
        return sum - 0.1 * mul

    x, y = normal(5, 40), normal(5, 40)
    assert not compiled(disk, update, A, B)
    kernels = compile_llvm(pure(renamed, ml.tensor(A), ml.tensor(B)))
    assert disk.hits == 1
    np.testing.assert_array_equal(kernels(x, y)[0], compile_llvm(pure(update, ml.tensor(A), ml.tensor(B)))(x, y)[0])


CHANGES: dict[str, Any] = {
    "llvmlite": lambda patch: patch.setattr(machine.llvmlite, "__version__", "0"),
    "LLVM": lambda patch: patch.setattr(machine.llvm, "llvm_version_info", (1, 2, 3)),
    "the system": lambda patch: patch.setattr(machine.llvm, "get_default_triple", lambda: "riscv64-unknown-linux"),
    "NumPy": lambda patch: patch.setattr(machine, "xp", SimpleNamespace(__version__="0", ndarray=np.ndarray)),
    "Python": lambda patch: patch.setattr(room.sys, "version", "3.99"),
    "the kind of machine": lambda patch: patch.setattr(room.platform, "machine", lambda: "other"),
    "this package": lambda patch: patch.setattr(room, "compiler", lambda: "edited"),
    **{
        f"{field} of the processor": lambda patch, field=field, value=value: patch.setattr(
            target, "target_of", lambda name: replace(target_of(name), **{field: value})
        )
        for field, value in {"cpu": "x86-64", "features": "", "lanes": 4, "registers": 8, "fma": False}.items()
    },
}


@pytest.mark.parametrize("what", CHANGES)
def test_another_compiler_is_a_miss(disk: Cache, what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not compiled(disk, update, A, B)
    with monkeypatch.context() as patch:
        CHANGES[what](patch)
        assert not compiled(disk, update, A, B)
    assert compiled(disk, update, A, B)


def test_the_places_in_memory_are_part_of_it(disk: Cache) -> None:
    def chain(x: Any) -> Any:
        return (x @ x).tanh() @ x

    def further(lives: Any) -> list[int]:
        return [64 * (i + 1) + sum(life.nbytes for life in lives[:i]) // 64 * 64 for i, _ in enumerate(lives)]

    x = normal(20, 20)
    graph = pure(chain, ml.tensor(x))
    first, again = compile_llvm(graph), compile_llvm(graph)
    assert (disk.hits, disk.misses) == (1, 1)
    moved = compile_llvm(graph, planner=further)
    assert (disk.hits, disk.misses) == (1, 2)
    np.testing.assert_array_equal(first(x)[0], moved(x)[0])
    np.testing.assert_array_equal(first(x)[0], again(x)[0])


def test_the_compiler_sees_every_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An edit, a new file and a renamed one each make another compiler."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "cache.py").write_text("a = 1")
    (tmp_path / "deep" / "b.py").write_text("b = 1")
    monkeypatch.setattr(room, "__file__", str(tmp_path / "cache.py"))
    seen = [room.compiler.__wrapped__()]
    (tmp_path / "deep" / "b.py").write_text("b = 2")
    seen.append(room.compiler.__wrapped__())
    (tmp_path / "deep" / "c.py").write_text("")
    seen.append(room.compiler.__wrapped__())
    (tmp_path / "deep" / "c.py").rename(tmp_path / "c.py")
    seen.append(room.compiler.__wrapped__())
    assert len(set(seen)) == 4
    assert room.compiler.__wrapped__() == seen[-1]


def test_code_that_is_found_is_not_written(disk: Cache, monkeypatch: pytest.MonkeyPatch) -> None:
    x = normal(5, 33)
    want = softmax()(x)[0]

    def written(*_: Any) -> Any:
        raise AssertionError

    with monkeypatch.context() as patch:
        patch.setattr(module.Module, "entry", written)
        found = softmax()
        np.testing.assert_array_equal(found(x)[0], want)
    assert "define" in found.llvm


PROCESS = """
import sys, numpy as np, minitorch_lab as ml
f = ml.compile(lambda x: x.softmax(1) * 3.0, backend="llvm")
print(repr(f(ml.tensor(np.arange(99, dtype="float32").reshape(3, 33))).numpy().tobytes()))
print(any(f"minitorch_lab.compiler.targets.llvm.{name}" in sys.modules for name in ("module", "asking")))
"""


def test_eight_processes_compile_at_once_and_one_later_finds_it(tmp_path: Path) -> None:
    def start() -> Any:
        environment = os.environ | {"PYTHONPATH": str(ROOT), "MINITORCH_LAB_CACHE": str(tmp_path / "compiled")}
        return subprocess.Popen([sys.executable, "-W", "error", "-c", PROCESS], env=environment, stdout=subprocess.PIPE)

    said = [process.communicate(timeout=120)[0].splitlines() for process in [start() for _ in range(8)]]
    last = start().communicate(timeout=120)[0].splitlines()
    assert len({result for result, _ in said} | {last[0]}) == 1
    assert last[1] == b"False"
    assert [p.suffix for p in (tmp_path / "compiled").iterdir()] == [".code"] * 2  # the kernel, and what guards ask
