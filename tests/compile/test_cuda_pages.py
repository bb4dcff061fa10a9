"""The pages of CUDA C as text; and NVIDIA's own compiler takes every page of the test programs."""

from __future__ import annotations

import linecache
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.targets.cuda.backend import compile_cuda
from minitorch_lab.compiler.targets.cuda.driver import Page, RecordedPage
from tests.compile import programs
from tests.compile.programs import N, program
from tests.compile.test_cuda_backend import AllByCublas, OnGpu, pure, there
from tests.compile.test_llvm_backend import FUNCTIONS, STEPS, normal
from tests.cupy_stand_in import gpu
from tests.emulated_cuda import RawModule

__all__ = ["gpu"]

F = ml.nn.functional
NVCC = shutil.which("nvcc")
pytestmark = pytest.mark.usefixtures("gpu")


def from_file(name: str, text: str) -> Any:
    """The function `f` of a file that exists only here, so that its lines keep their numbers."""
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    space: dict[str, Any] = {"F": F}
    exec(compile(text, name, "exec"), space)
    return space["f"]


def page(fn: Any, *examples: Any, kind: type[Page] = Page) -> str:
    """The functions of a page, without the helpers before them and the reasons; notes stand close to their lines."""
    code = compile_cuda(pure(fn, *examples), page=kind).cuda
    lines = [line for line in code.splitlines() if not line.startswith("//   ")]
    text = "\n".join(lines[next(i for i, line in enumerate(lines) if not line) + 1 :])
    return re.sub(r" +(//)", r"  \1", text)


def test_entry_by_entry() -> None:
    f = from_file("chain.py", "def f(a, b):\n    y = a * 2.0 + b\n    return y.relu()\n")
    assert page(f, normal(3, 100), normal(100)) == (
        "// pointwise_0: 300 entries, a thread for each\n"
        'extern "C" __global__ void __launch_bounds__(256) pointwise_0('
        "const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ relu) {\n"
        "    const int t = (int)blockIdx.x * 256 + threadIdx.x;\n"
        "    if (t >= 300) return;\n"
        "    const int i0 = t / 100;\n"
        "    const int j = t % 100;\n"
        "    const float mul0 = a[100*i0 + j] * 2.0f;  // mul  chain.py:2  y = a * 2.0 + b\n"
        "    const float add0 = mul0 + b[j];  // add  chain.py:2\n"
        "    relu[100*i0 + j] = 0 > add0 ? 0 : add0;  // relu  chain.py:3  return y.relu()\n"
        "}"
    )


def test_softmax() -> None:
    f = from_file("softmax.py", "def f(x):\n    return x.softmax(1)\n")
    assert page(f, normal(16, 1000)) == (
        "// rows_0: 16 rows of 1000, a block of 256 threads for each\n"
        'extern "C" __global__ void __launch_bounds__(256) rows_0('
        "const float* __restrict__ x, float* __restrict__ div) {\n"
        "    const int i0 = blockIdx.x;\n"
        "    float row0[4];  // this thread's part of the row\n"
        "    float r0_0 = -infinity;\n"
        "    for (int j = threadIdx.x; j < 1000; j += 256) {\n"
        "        const float x_0 = x[1000*i0 + j];\n"
        "        r0_0 = maximum(r0_0, x_0);  // amax  softmax.py:2  return x.softmax(1)\n"
        "    }\n"
        "    r0_0 = block_max(r0_0);\n"
        "    float r0_1 = 0.0f;\n"
        "    #pragma unroll\n"
        "    for (int trip = 0; trip < 4; ++trip) {\n"
        "        const int j = trip * 256 + threadIdx.x;\n"
        "        if (j < 1000) {\n"
        "            const float x_1 = x[1000*i0 + j];\n"
        "            const float sub0 = x_1 - r0_0;  // sub  softmax.py:2\n"
        "            const float exp0 = expf(sub0);  // exp  softmax.py:2\n"
        "            r0_1 += exp0;  // sum  softmax.py:2\n"
        "            row0[trip] = exp0;  // exp  softmax.py:2\n"
        "        }\n"
        "    }\n"
        "    r0_1 = block_sum(r0_1);\n"
        "    #pragma unroll\n"
        "    for (int trip = 0; trip < 4; ++trip) {\n"
        "        const int j = trip * 256 + threadIdx.x;\n"
        "        if (j < 1000) {\n"
        "            div[1000*i0 + j] = row0[trip] / r0_1;  // div  softmax.py:2\n"
        "        }\n"
        "    }\n"
        "}"
    )


def test_cublas_and_its_epilogue() -> None:
    f = from_file("layer.py", "def f(x, w, b):\n    return (x @ w + b).relu()\n")
    arrays = normal(8, 16), normal(16, 32), normal(32)
    assert page(f, *arrays, kind=AllByCublas) == (
        "// matmul_0: 256 entries, a thread for each\n"
        'extern "C" __global__ void __launch_bounds__(256) matmul_0('
        "const float* __restrict__ b, float* __restrict__ relu) {\n"
        "    const int t = (int)blockIdx.x * 256 + threadIdx.x;\n"
        "    const int m = t / 32;\n"
        "    const int n = t % 32;\n"
        "    const float add0 = relu[32*m + n] + b[n];  // add  layer.py:2  return (x @ w + b).relu()\n"
        "    relu[32*m + n] = 0 > add0 ? 0 : add0;  // relu  layer.py:2\n"
        "}"
    )
    assert compile_cuda(pure(f, *arrays), page=AllByCublas).source == (
        "def f(x, w, b):\n"
        "    x = fit(x)\n"
        "    w = fit(w)\n"
        "    b = fit(b)\n"
        '    relu = empty((8, 32), np.dtype("float32"))\n'
        "    cublas(x, w, out=relu)\n"
        "    matmul_0_op((1,), (256, 1), (b, relu,))\n"
        "    return [relu]"
    )


def test_numbers_are_arguments_or_cells() -> None:
    f = from_file("scaled.py", "def f(x, lr):\n    return x * lr\n")
    found: list[Any] = []

    def keeping(kind: type[Page]) -> Any:
        def backend(graph: Any) -> Any:
            found.append(compile_cuda(graph, page=kind))
            return found[-1]

        return backend

    for kind in (Page, RecordedPage):
        compiled = ml.compile(f, backend=keeping(kind))
        for lr in (0.5, 0.25, 0.125):
            assert compiled(there(normal(3)), lr).shape == (3,)
    kernels = [k for k in found if k.module.number]
    assert [[word in k.cuda for word in ("float lr,", "x[j] * lr;", "lr[0]")] for k in kernels] == [
        [True, True, False], [False, False, True],
    ]  # fmt: skip
    assert "np.float32(lr)" in kernels[0].source
    assert "cells.set(packed(lr))" in kernels[1].source


# ---- NVIDIA's compiler ----------------------------------------------------------------------------------------------
def test_nvcc_takes_every_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if NVCC is None:
        pytest.skip("nvcc is not installed: no page has met NVIDIA's compiler in this run")
    monkeypatch.setattr(programs, "ml", OnGpu())
    monkeypatch.setattr(RawModule, "get_function", lambda self, name: None)
    pages: list[str] = []

    def add(graph: Any) -> None:
        pages.extend(compile_cuda(graph, page=kind).cuda for kind in (Page, RecordedPage, AllByCublas))

    for seed in range(6):
        arrays = [normal(*s).astype("float64" if seed % 3 == 0 else "float32") for s in ((N, N), (N, N), (N,))]
        graph = pure(program(seed, STEPS), *arrays)
        add(graph)
        add(joint(graph, (0, 1, 2)).graph)
    add(pure(lambda x: tuple(getattr(x, name)() for name in FUNCTIONS), np.abs(normal(9))))
    add(pure(lambda x, i: (x.softmax(1), F.layer_norm(x, (300,)).gelu(), x.sum(0), i.amax(1), i.sum(0), i > 2),
             normal(9, 300), normal(9, 300).astype("int64")))  # fmt: skip
    add(pure(lambda x, w: F.conv2d(x, w, padding=1).relu(), normal(2, 3, 6, 6), normal(4, 3, 3, 3)))
    add(pure(lambda i: ml.cross_entropy(i, ml.ones(9, device="cuda").long()), normal(9, 5)))
    apart = [f"namespace page_{i} {{\n{page.replace(WITH_C, '')}\n}}\n" for i, page in enumerate(dict.fromkeys(pages))]
    names = ("infinity", "not_a_number")
    source = tmp_path / "pages.cu"
    source.write_text("".join(text + "".join(f"#undef {name}\n" for name in names) for text in apart))
    command = [NVCC, "-ptx", "-arch=sm_80", "-std=c++14", "-Werror", "all-warnings", str(source), "-o", f"{source}.ptx"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert not done.returncode, done.stderr[-3000:]
    assert Path(f"{source}.ptx").read_text().count(".entry") == sum(text.count("__global__") for text in apart)


WITH_C = 'extern "C" '
