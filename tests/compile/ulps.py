"""How far the generated functions are from the true values, in units in the last place of float32.

`make ulps` goes through all 2³² numbers; `tests/compile/test_llvm_math.py` takes one of each thousand.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm
from minitorch_lab.ops.special import error_function

CHUNK = 1 << 20


def logistic(x: Any) -> Any:
    return np.where(x < 0, np.exp(np.minimum(x, 0)), 1.0) / (1.0 + np.exp(-np.abs(x)))


TRUE: dict[str, Callable[[Any], Any]] = {
    "exp": np.exp, "log": np.log, "log1p": np.log1p, "expm1": np.expm1, "tanh": np.tanh, "erf": error_function,
    "sigmoid": logistic, "sqrt": np.sqrt,
}  # fmt: skip


def kernel(name: str, target: str = "host") -> Callable[[Any], Any]:
    """The generated function, on chunks."""
    graph = ml.jit.trace(lambda x: getattr(x, name)(), ml.ones(CHUNK)).graph
    kernels = compile_llvm(graph, target=target)
    return lambda x: kernels(x)[0]


def ordered(bits: Any) -> Any:
    """Whole numbers in the order of the floats with these bits."""
    return np.where(bits < 0, -(bits & 0x7FFFFFFF), bits)


def distance(got: Any, name: str, x: Any) -> Any:
    """Units in the last place between what was computed and the true value, rounded; 0 where both are NaN."""
    with np.errstate(all="ignore"):
        want = TRUE[name](x.astype("float64")).astype("float32")
    a, b = (ordered(v.view("int32").astype("int64")) for v in (got, want))
    both = np.isnan(got) & np.isnan(want)
    one = np.isnan(got) != np.isnan(want)
    return np.where(both, 0, np.where(one, np.iinfo("int64").max, np.abs(a - b)))


def numbers(step: int) -> Iterator[Any]:
    """All floats, or one of `step`, in chunks."""
    for start in range(0, 1 << 32, CHUNK * step):
        yield (start + step * np.arange(CHUNK, dtype="int64") % (1 << 32)).astype("uint32").view("float32")


def worst(name: str, step: int, target: str = "host") -> tuple[int, float]:
    """The largest distance, and the number where it is."""
    run, found = kernel(name, target), (0, 0.0)
    for x in numbers(step):
        d = distance(run(x), name, x)
        i = int(d.argmax())
        if d[i] > found[0]:
            found = int(d[i]), float(x[i])
    return found


if __name__ == "__main__":
    for name in sys.argv[1:] or TRUE:
        print(name, *worst(name, 1), flush=True)
