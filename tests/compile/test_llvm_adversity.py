"""What goes wrong while kernels are made or run: no room, no compiler, an impatient user, many callers."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.jit import captured
from minitorch_lab.compiler.memory import arena
from minitorch_lab.compiler.targets.llvm import backend
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from minitorch_lab.errors import OutOfMemoryError
from tests.compile.test_llvm_backend import normal, pure


def two_kernels(a: Any, b: Any) -> Any:
    return ((a @ b).relu() @ b).softmax(1)


def test_no_room_for_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    given = normal(9, 9), normal(9, 9)
    kernels = compile_llvm(pure(two_kernels, *map(ml.tensor, given)))

    def refused(*_: Any) -> Any:
        raise MemoryError

    with monkeypatch.context() as patch:
        patch.setattr(arena, "block", refused)
        with pytest.raises(OutOfMemoryError, match=r"(?s)The arena of .* needs .* bytes.*Did you mean a smaller batch"):
            kernels(*given)
    np.testing.assert_allclose(kernels(*given)[0], two_kernels(*map(ml.tensor, given)).numpy(), rtol=1e-5)


def test_no_room_for_a_result() -> None:
    given = normal(9, 9), normal(9, 9)
    kernels = compile_llvm(pure(two_kernels, *map(ml.tensor, given)))
    large = captured(lambda x: x + 1, (ml.zeros(1).expand(1 << 25, 1 << 25),), {})
    with pytest.raises(MemoryError):
        compile_llvm(large)(np.broadcast_to(np.float32(0), (1 << 25, 1 << 25)))
    np.testing.assert_allclose(kernels(*given)[0], two_kernels(*map(ml.tensor, given)).numpy(), rtol=1e-5)


def test_many_callers_of_one_kernel() -> None:
    kernels = compile_llvm(pure(two_kernels, ml.tensor(normal(40, 90)), ml.tensor(normal(90, 90))))
    b = normal(90, 90)
    given = [normal(40, 90) + np.float32(k) for k in range(6)]
    want = [kernels(a, b)[0].copy() for a in given]

    def run(k: int) -> bool:
        return all(np.array_equal(kernels(given[k], b)[0], want[k]) for _ in range(200))

    with ThreadPoolExecutor(6) as callers:
        assert all(callers.map(run, range(6)))


@pytest.mark.parametrize("settings", [{"mode": "max-autotune"}, {"options": {"threads": 2}}])
def test_modes_without_llvmlite(settings: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(backend, "find_spec", lambda name: None)
    backend.available.cache_clear()
    x = ml.tensor(normal(5, 7))
    compiled = ml.compile(lambda x: x.tanh() * 2, backend="llvm", **settings)
    with pytest.warns(RuntimeWarning, match="llvmlite is not installed"):
        found = [compiled(x).numpy() for _ in range(3)]
    backend.available.cache_clear()
    for y in found:
        np.testing.assert_array_equal(y, (x.tanh() * 2).numpy())


# A signal comes after 0, 3, 6, ... thousandths of a second, wherever the compiler then is.
INTERRUPTED = """
import signal
import numpy as np
import minitorch_lab as ml

def interrupt(*_):
    raise KeyboardInterrupt

def f(x, w):
    return ((x @ w).relu() * 2).softmax(1) + k

signal.signal(signal.SIGALRM, interrupt)
x, w = (ml.tensor(np.random.default_rng(0).random(s, "float32")) for s in ((5, 7), (7, 9)))
met = 0
for k in range(60):
    want, compiled = f(x, w).numpy(), ml.compile(f, backend="llvm")
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-4 + 3e-3 * k)
        for _ in range(3):
            compiled(x, w)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except KeyboardInterrupt:
        met += 1
    for _ in range(3):
        np.testing.assert_allclose(compiled(x, w).numpy(), want, rtol=1e-5)
print("interrupted", met > 5)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there are no timers of this kind")
def test_ctrl_c_at_many_moments_of_a_compilation() -> None:
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (0, "interrupted True\n"), done.stderr
