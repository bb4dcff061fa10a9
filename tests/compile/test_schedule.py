"""The schedule as text: what becomes one kernel, why, and what that saves."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.passes.cse import cse
from minitorch_lab.compiler.passes.dce import dce
from minitorch_lab.compiler.passes.decompose import decompose
from minitorch_lab.compiler.schedule.program import Program, scheduled
from minitorch_lab.compiler.schedule.tiling import fetched, grouped, row_by_row, touched
from minitorch_lab.compiler.schedule.traffic import after, before

F = ml.nn.functional


def core(fn: Any, *examples: Any) -> Graph:
    return dce(cse(decompose(ml.jit.trace(fn, *examples).graph)))


def loops(fn: Any, *shapes: Any) -> str:
    """The kernels without their reasons."""
    return "\n".join(line for line in str(program(fn, *shapes)).splitlines() if "#" not in line)


def program(fn: Any, *shapes: Any) -> Program:
    return scheduled(core(fn, *(ml.ones(*s) if isinstance(s, tuple) else s for s in shapes)))


def traffic(fn: Any, *shapes: Any) -> str:
    found = program(fn, *shapes)
    return f"{before(found.graph)} → {after(found)}"


# ---- the figures of the book ----------------------------------------------------------------------------------------
def test_row_A11_add_and_relu_are_one_launch_that_moves_half_the_bytes() -> None:
    n = 4 * 1000  # 4N → 2N
    assert traffic(lambda a: (a + 1.0).relu(), (1000,)) == f"2 launches, {4 * n:,} bytes → 1 launch, {2 * n:,} bytes"
    assert str(program(lambda a: (a + 1.0).relu(), (1000,))) == (
        "kernel pointwise_0\n"
        "  # pointwise into its consumer: add f32[1000] → relu stays in registers, 2 × 4000 bytes less\n"
        "  sweep j in 1000:\n"
        "    relu[j] = relu((a[j] + 1))"
    )


@pytest.mark.parametrize("k", [3, 5, 10])
def test_row_A11_a_chain_moves_two_arrays_however_long_it_is(k: int) -> None:
    def chain(x: Any) -> Any:
        for i in range(k):
            x = x.tanh() if i % 2 else x * 1.5
        return x

    n = 4 * 1000
    assert traffic(chain, (1000,)) == f"{k} launches, {2 * k * n:,} bytes → 1 launch, {2 * n:,} bytes"


def test_row_A11_nine_accesses_become_five() -> None:
    n = 1000
    found = traffic(lambda a, b, c, d: d + (a + b) * c, *[(n,)] * 4)
    assert found == f"3 launches, {36 * n:,} bytes → 1 launch, {20 * n:,} bytes"


def test_row_A12_blocks_fetch_each_number_less_often() -> None:
    assert fetched(32, 32, 32) == 65_536
    assert fetched(32, 32, 32, 1, 16) == 34_816 == 32 * 1_088
    assert fetched(32, 32, 32, 4, 4) == 16_384 == 32 * 512
    assert fetched(32, 32, 32, 32, 32) == 2_048
    assert fetched(8, 32, 16, 4, 8) == 8 * 16 * 4 + 16 * 32 * 2  # the left entries n/columns times, the right m/rows


def test_row_A12_the_grouped_order_shares_rows_and_columns() -> None:
    assert sorted(grouped(7, 5, 3)) == row_by_row(7, 5)
    assert (touched(row_by_row(9, 9)[:9], 9), touched(grouped(9, 9, 3)[:9], 9)) == (90, 54)


# ---- one kernel each ------------------------------------------------------------------------------------------------
def test_softmax_is_one_kernel() -> None:
    assert loops(lambda x: x.softmax(1), (16, 1024)) == (
        "kernel rows_0\n"
        "  for i0 in 16:\n"
        "    sweep j in 1024:\n"
        "      r0_0 max= x[1024*i0 + j]\n"
        "    sweep j in 1024:\n"
        "      v0 = exp((x[1024*i0 + j] - r0_0))\n"
        "      r0_1 sum= v0\n"
        "      row0[j] = v0\n"
        "    sweep j in 1024:\n"
        "      div[1024*i0 + j] = (row0[j] / r0_1)"
    )


def test_layer_norm_is_one_kernel() -> None:
    assert loops(lambda x, w, b: F.layer_norm(x, (64,), w, b), (8, 64), (64,), (64,)) == (
        "kernel rows_0\n"
        "  for i0 in 8:\n"
        "    sweep j in 64:\n"
        "      r0_0 sum= x[64*i0 + j]\n"
        "    sweep j in 64:\n"
        "      v0 = (x[64*i0 + j] - (r0_0 * 0.015625))\n"
        "      r0_1 sum= (v0 * v0)\n"
        "    sweep j in 64:\n"
        "      add[64*i0 + j] = (((v0 / sqrt(((r0_1 * 0.015625) + 1e-05))) * w[j]) + b[j])"
    )


def test_cross_entropy_is_one_kernel() -> None:
    assert loops(ml.cross_entropy, (8, 10), ml.zeros(8, dtype=ml.int64)) == (
        "kernel rows_0\n"
        "  for i0 in 8:\n"
        "    sweep j in 10:\n"
        "      r0_0 max= input[10*i0 + j]\n"
        "    sweep j in 10:\n"
        "      v0 = (input[10*i0 + j] - r0_0)\n"
        "      r0_1 sum= exp(v0)\n"
        "      r0_2 sum= where(((j) == target[i0]), v0, 0)\n"
        "    sub_1_t[i0] = (log(r0_1) - r0_2)\n"
        "  sweep j in 8:\n"
        "    r1_0 sum= sub_1_t[j]\n"
        "  mul[0] = (r1_0 * 0.125)"
    )


def test_what_follows_a_product_is_done_to_its_tile() -> None:
    assert str(program(lambda x, w, b: (x @ w + b).relu(), (8, 16), (16, 32), (32,))) == (
        "kernel matmul_0\n"
        "  # epilogue of the tile: matmul f32[8, 32] → add stays in registers, 2 × 1024 bytes less\n"
        "  # epilogue of the tile: add f32[8, 32] → relu stays in registers, 2 × 1024 bytes less\n"
        "  tile m in 8, n in 32: c0 sum= x[k + 16*m] * w[32*k + n] for k in 16\n"
        "    relu[32*m + n] = relu((c0 + b[n]))"
    )


def test_the_optimizer_is_the_epilogue_of_the_gradient() -> None:
    assert loops(lambda w, x, g: w - 0.1 * (x.T @ g), (64, 48), (16, 64), (16, 48)) == (
        "kernel matmul_0\n"
        "  tile m in 64, n in 48: c0 sum= x[k*64 + m] * g[48*k + n] for k in 16\n"
        "    sub[48*m + n] = (w[48*m + n] - (0.1 * c0))"
    ).replace("k*64 + m", "64*k + m")


def test_the_smaller_side_is_turned_where_the_right_one_lies_across() -> None:
    found = loops(lambda x, w: x @ w.T, (8, 64), (128, 64))
    assert "copy_t[8*i0 + j] = x[i0 + 64*j]" in found
    assert "tile m in 128, n in 8: c1 sum= w[k + 64*m] * copy_t[8*k + n] for k in 64" in found


def test_what_is_added_up_by_columns_is_computed_on_the_way() -> None:
    assert loops(lambda x: (x * 2).sum(0), (8, 16)) == (
        "kernel columns_0\n  tile m in 1, n in 16: c0 sum= (x[16*k + n] * 2) for k in 8\n    sum[n] = c0"
    )


def test_a_cheap_value_is_computed_again_rather_than_kept() -> None:
    def f(x: Any, w: Any) -> Any:
        h = (x @ w).relu()
        return h, (h @ w) * h.sign()

    found = str(program(f, (8, 8), (8, 8)))
    assert "# recomputed by its readers: sign f32[8, 8], 256 bytes less" in found
    assert "mul[8*m + n] = (c1 * sign(relu[8*m + n]))" in found


def test_what_kernels_do_not_know_is_left_to_numpy() -> None:
    assert loops(lambda x: x.sin().exp() * x.cos(), (8, 16)) == (
        "numpy sin: f32[8, 16]\n"
        "numpy cos: f32[8, 16]\n"
        "kernel pointwise_0\n"
        "  sweep j in 128:\n"
        "    mul[j] = (exp(sin[j]) * cos[j])"
    )


def test_a_merge_that_would_wait_for_itself_is_refused() -> None:
    def f(x: Any) -> Any:
        a = x * 2.0
        return a + a.sin().sum()  # a must be there before the sum, and the sum before the end

    found = [line.split(":")[0] for line in loops(f, (50,)).splitlines() if line[0] != " "]
    assert found == ["kernel pointwise_0", "numpy sin", "kernel rows_1"]
