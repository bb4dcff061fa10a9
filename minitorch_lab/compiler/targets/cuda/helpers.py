"""The small functions of a page: words that C has no function for, and reductions over a warp and a block.

A warp is 32 threads that run in step, and can read each other's registers: `__shfl_xor_sync` gives the value of the
thread whose number differs in one bit, so after five steps each has the result of all 32. Warps meet in shared memory.
"""

from __future__ import annotations

import re

from ....ops.word import WORDS
from .words import COMBINED

WARP = """\
template <typename T> __device__ T warp_{op}(T x) {{  // of the 32 threads of a warp; each gets it
    for (int step = 16; step > 0; step /= 2) {{
        const T other = __shfl_xor_sync(0xffffffff, x, step);
        x = {combined_other};
    }}
    return x;
}}"""
BLOCK = """\
template <typename T> __device__ T block_{op}(T x) {{  // of all warps of a block; each thread gets it
    __shared__ T of_warp[32];
    x = warp_{op}(x);
    if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = x;
    __syncthreads();
    x = of_warp[0];
    for (int w = 1; w < blockDim.x / 32; ++w) x = {combined_warp};
    __syncthreads();  // all have read, before the next reduction writes
    return x;
}}"""


def reductions() -> dict[str, str]:
    """The reductions over a warp and over a block."""
    out: dict[str, str] = {}
    for op, form in COMBINED.items():
        out[f"warp_{op}"] = WARP.format(op=op, combined_other=form.format("x", "other"))
        out[f"block_{op}"] = BLOCK.format(op=op, combined_warp=form.format("x", "of_warp[w]"))
    return out


HELPERS = {
    "infinity": "#define infinity __int_as_float(0x7f800000)",
    "not_a_number": "#define not_a_number __int_as_float(0x7fc00000)",
    **{word.own_function: word.helper for word in WORDS.values() if word.helper},
    **reductions(),
}


def helpers(text: str) -> list[str]:
    """The functions that a page calls, each before those that call it.

    Example:
        >>> len(helpers("r = warp_max(maximum(x, y));")), helpers("x = 0 > y ? 0 : y;")
        (2, [])
    """
    found: list[str] = []
    for name, code in reversed(HELPERS.items()):
        if any(re.search(rf"\b{name}\b", page) for page in (text, *found)):
            found.insert(0, code)
    return found
