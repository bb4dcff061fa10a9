"""The libraries side by side: what has PyTorch's names is written once, and run by each of them."""

from __future__ import annotations

from bench import one_thread  # noqa: F401 - first

# isort: split
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

import minitorch_lab as ml
from minitorch_lab.compiler.ir.graph import Graph
from minitorch_lab.compiler.targets.backends import list_backends, register_backend
from minitorch_lab.compiler.targets.llvm.backend import compile_llvm

torch.set_num_threads(1)
BACKEND = os.environ.get("BENCH_BACKEND") or ("llvm" if "llvm" in list_backends() else "numpy")
Program = Callable[[], Any]


def as_it_is(fn: Any) -> Any:
    """No compiler."""
    return fn


def compiled(fn: Any) -> Any:
    """Our compiler, with the backend of this run."""
    return ml.compile(fn, backend=BACKEND)


@register_backend("llvm, AVX2 alone")
def for_avx2(graph: Graph) -> Any:
    """The llvm backend for a processor with AVX2 and no wider vectors."""
    return compile_llvm(graph, target="avx2")


def compiled_for_avx2(fn: Any) -> Any:
    """Our compiler, for such a processor."""
    return ml.compile(fn, backend="llvm, AVX2 alone")


@dataclass(frozen=True)
class Library:
    """A library with PyTorch's names. `whole` compiles a step with its update, `part` a function of tensors."""

    module: Any
    whole: Callable[[Any], Any] = as_it_is
    part: Callable[[Any], Any] = as_it_is
    dtype: str = "float32"

    def tensor(self, array: Any, grad: bool = False) -> Any:
        """An array as a tensor; floats in the dtype of the library."""
        array = np.asarray(array)
        return self.module.tensor(array.astype(self.dtype) if array.dtype.kind == "f" else array, requires_grad=grad)

    def load(self, model: Any, weights: list[Any]) -> Any:
        """The model with these weights."""
        with self.module.no_grad():
            for parameter, weight in zip(model.parameters(), weights, strict=True):
                parameter.copy_(self.tensor(weight))
        return model


OURS = Library(ml, compiled, compiled)
AVX2 = Library(ml, compiled_for_avx2, compiled_for_avx2)
EAGER = Library(ml)
EXACT = Library(ml, dtype="float64")
TORCH = Library(torch)
TORCH_COMPILE = Library(torch, part=torch.compile)


def values(result: Any) -> list[Any]:
    """What a program returned, as float64 arrays."""
    from minitorch_lab.costmodel.measure import numbers

    return numbers(result)
