"""CUDA kernels on a CPU: the page is compiled by g++ under `cuda_emulation.hpp`, and launched block by block.

Memory from `empty` is full of NaN, and lies between two strips that no kernel may write; so what is read too early and
what is written outside shows.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import shutil
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from tests.house.source import ROOT

HEADER = ROOT / "tests" / "cuda_emulation.hpp"
KERNEL = re.compile(r'extern "C" __global__ void __launch_bounds__\((\d+)\) (\w+)\((.*)\) \{')
TYPES = {"float": "float32", "double": "float64", "int": "int32", "long long": "int64", "bool": "bool"}
STRIP = bytes(range(64))
FREE: dict[int, list[bytearray]] = {}
ONE = threading.Lock()  # there is one set of fibers
CXX = shutil.which("g++") or shutil.which("clang++")


class RefusedError(Exception):
    """What CUDA or CuPy would not do."""


@cache
def folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="emulated_cuda_")


@cache
def compiled(code: str) -> ctypes.CDLL:
    """The page as a library: for every kernel a function that takes its arguments, blocks and threads."""
    calls: list[str] = []
    for _, name, params in KERNEL.findall(code):
        kinds = [kind(p) for p in params.split(", ")]
        values = ", ".join(f"*({k}*)given_{name}[{i}]" for i, k in enumerate(kinds))
        calls.append(f"static void** given_{name};\nstatic void call_{name}() {{ {name}({values}); }}")
        calls.append(
            f'extern "C" const char* run_{name}(void** given, unsigned blocks, unsigned x, unsigned y, int backwards) '
            f"{{ given_{name} = given; return run_grid(call_{name}, blocks, x, y, backwards); }}"
        )
    source = Path(folder().name) / f"{hashlib.sha256(code.encode()).hexdigest()[:16]}.cpp"
    source.write_text("\n".join([f'#include "{HEADER}"', code, *calls]))
    library = source.with_suffix(".so")
    command = [CXX or "g++", "-O0", "-w", "-shared", "-fPIC", "-o", str(library), str(source)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not done.returncode, f"{done.stderr}\n{code}"
    return ctypes.CDLL(str(library))


def kind(parameter: str) -> str:
    """The type of a parameter: `const float*` or `float`."""
    return parameter.replace(" __restrict__", "").rpartition(" ")[0]


def empty(shape: Any, dtype: Any = float) -> np.ndarray:
    """Memory in which every byte is 0xff: NaN in floats, -1 in whole numbers. What was freed is taken first."""
    dtype = np.dtype(dtype)
    nbytes = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    free = FREE.setdefault(nbytes, [])
    room = free.pop() if free else bytearray()
    room[:] = STRIP + b"\xff" * nbytes + STRIP
    array = np.ndarray(shape, dtype, room, len(STRIP))
    weakref.finalize(array, free.append, room)
    return array


def whole(array: np.ndarray) -> bool:
    """Whether nobody has written outside of the memory under an array."""
    owner: Any = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    room = owner.base
    return not isinstance(room, bytearray) or (room.startswith(STRIP) and room.endswith(STRIP))


CURRENT: list[Any] = []


class Stream:
    """A stream that runs what it is given at once, or records it."""

    count = 0

    def __init__(self, non_blocking: bool = False) -> None:
        Stream.count += 1
        self.ptr, self.non_blocking, self.recorded = Stream.count, non_blocking, None

    def __enter__(self) -> Stream:
        CURRENT.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        CURRENT.pop()

    def begin_capture(self) -> None:
        if not self.non_blocking:
            raise RefusedError("The legacy stream cannot be captured.")
        self.recorded = []

    def end_capture(self) -> Graph:
        graph, self.recorded = Graph(self.recorded or []), None
        return graph


class Graph:
    """Launches with the arguments that they had."""

    launched = 0

    def __init__(self, launches: list[Callable[[], None]]) -> None:
        self.launches = launches

    def launch(self) -> None:
        Graph.launched += 1
        for launch in self.launches:
            launch()


LEGACY = Stream()


def current_stream() -> Any:
    return CURRENT[-1] if CURRENT else LEGACY


def recording() -> list[Any] | None:
    return current_stream().recorded


class RawKernel:
    """A kernel of a page."""

    def __init__(self, code: str, name: str) -> None:
        (self.most, params), *_ = [(int(n), p) for n, k, p in KERNEL.findall(code) if k == name]
        self.kinds = [kind(p) for p in params.split(", ")]
        self.run = compiled(code)[f"run_{name}"]
        self.run.restype = ctypes.c_char_p
        self.name = name

    def __call__(self, grid: tuple[int, ...], block: tuple[int, ...], args: tuple[Any, ...]) -> None:
        if len(args) != len(self.kinds) or not grid[0] or np.prod(block) > self.most:
            raise RefusedError(f"{self.name} cannot be launched with {grid}, {block} and {len(args)} arguments.")
        cells = [self.cell(k, a) for k, a in zip(self.kinds, args, strict=True)]
        arrays = [a.inner for a in args if hasattr(a, "inner")]

        def launch() -> None:
            given = (ctypes.c_void_p * len(cells))(*[c.ctypes.data for c in cells])
            x, y = (*block, 1)[:2]
            with ONE:
                backwards = os.environ.get("EMULATED_BACKWARDS") == "1"
                complaint = self.run(given, ctypes.c_uint(grid[0]), ctypes.c_uint(x), ctypes.c_uint(y), backwards)
            if complaint:
                raise RefusedError(f"{self.name}: {complaint.decode()}.")
            assert all(map(whole, arrays)), f"{self.name} has written outside of its arrays."

        recorded = recording()
        if recorded is None:
            launch()
        else:
            recorded.append(launch)

    def cell(self, kind: str, x: Any) -> np.ndarray:
        """An argument in memory: the address of an array, or a number."""
        dtype = TYPES[kind.removeprefix("const ").rstrip("*")]
        if x.dtype != dtype or (kind[-1] == "*") != hasattr(x, "inner"):
            raise RefusedError(f"{self.name} takes {kind}, and got {type(x)} of {x.dtype}.")
        if kind[-1] == "*" and not x.inner.flags.c_contiguous:
            raise RefusedError(f"{self.name} got an array that does not lie in row order.")
        return np.array(x.inner.__array_interface__["data"][0]) if kind[-1] == "*" else np.array(x)


class RawModule:
    """A page of kernels."""

    def __init__(self, code: str, options: tuple[str, ...] = ()) -> None:
        self.code = code

    def get_function(self, name: str) -> RawKernel:
        return RawKernel(self.code, name)


cuda = SimpleNamespace(
    Stream=Stream, get_current_stream=current_stream, Device=lambda: SimpleNamespace(synchronize=lambda: None)
)
