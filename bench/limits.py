"""What this machine can do at most, measured in the run: bytes copied, multiply-adds, entries side by side."""

from __future__ import annotations

from bench import one_thread  # noqa: F401 - first

# isort: split
import ctypes
from collections.abc import Callable, Iterator

import numpy as np

import minitorch_lab as ml
from minitorch_lab.compiler.targets.llvm.target import target_of
from minitorch_lab.compiler.targets.numpy.choice import width
from minitorch_lab.costmodel.measure import format_time

CHAINS, TURNS = 12, 100_000  # independent sums, so that one need not wait for another


def seconds(program: Callable[[], object]) -> float:
    """The median of some calls."""
    return ml.bench(it=program, rounds=21, agree=None)["it"].seconds.median


def bandwidth() -> float:
    """Bytes per second of a copy of 64 MiB, read and written."""
    here, there = np.ones(2**24, "float32"), np.empty(2**24, "float32")
    return 2 * here.nbytes / seconds(lambda: np.copyto(there, here) or there)


def blas() -> float:
    """Operations per second of a product of 768 × 768 by BLAS."""
    a = np.ones((768, 768), "float32")
    return 2 * 768**3 / seconds(lambda: a @ a)


def multiply_adds(lanes: int) -> float:
    """Operations per second of nothing but multiply-adds of vectors, as LLVM makes them."""
    import llvmlite.binding as llvm

    triple, host = llvm.get_process_triple(), target_of()
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_triple(triple).create_target_machine(cpu=host.cpu, features=host.features, opt=1)
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(summing(lanes)), machine)
    engine.finalize_object()
    run = ctypes.CFUNCTYPE(ctypes.c_float, ctypes.c_int64)(engine.get_function_address("run"))
    return 2 * CHAINS * lanes * TURNS / seconds(lambda: run(TURNS))


def summing(lanes: int) -> str:
    """A loop in LLVM's language: x = x * 0.5 + 0.5, in all chains at once."""
    v = f"<{lanes} x float>"
    half = f"<{', '.join(['float 0.5'] * lanes)}>"
    names = range(CHAINS)
    phis = "\n".join(f"  %x{i} = phi {v} [ {half}, %top ], [ %y{i}, %loop ]" for i in names)
    sums = "\n".join(f"  %y{i} = call {v} @llvm.fma({v} %x{i}, {v} {half}, {v} {half})" for i in names)
    adds = "\n".join(f"  %s{i} = fadd {v} {f'%s{i - 1}' if i else half}, %y{i}" for i in names)
    kind = f"v{lanes}f32"
    return f"""
declare {v} @llvm.fma.{kind}({v}, {v}, {v})
define float @run(i64 %n) {{
top:
  br label %loop
loop:
  %i = phi i64 [ 0, %top ], [ %j, %loop ]
{phis}
{sums.replace("@llvm.fma(", f"@llvm.fma.{kind}(")}
  %j = add i64 %i, 1
  %more = icmp slt i64 %j, %n
  br i1 %more, label %loop, label %end
end:
{adds}
  %out = extractelement {v} %s{CHAINS - 1}, i64 0
  ret float %out
}}"""


def side_by_side() -> float:
    """How much faster sums of neighbours are than sums of every other entry, as many: what vectors give."""
    a, b, out = np.ones(8192, "float32"), np.ones(8192, "float32"), np.empty(4096, "float32")
    near, far = (a[:4096], b[:4096]), (a[::2], b[::2])
    found = ml.bench(near=lambda: np.add(*near, out=out), far=lambda: np.add(*far, out=out), rounds=21)
    return found.ratio("far").median


def main() -> Iterator[str]:
    """The list."""
    yield f"- copying: {bandwidth() / 1e9:.1f} GB/s"
    yield f"- BLAS, 768 × 768: {blas() / 1e9:.0f} GFLOP/s"
    for target in ("AVX512", "AVX2"):
        lanes = width(target) // 4
        try:
            yield f"- multiply-adds, {lanes} floats at once: {multiply_adds(lanes) / 1e9:.0f} GFLOP/s"
        except ImportError:
            yield f"- multiply-adds, {lanes} floats at once: not measured, llvmlite is not installed"
    yield f"- sums of neighbours, beside those of every other entry: {side_by_side():.1f} times as fast"
    yield f"- a call of a function: {format_time(seconds(lambda: 1))}"
