"""How the programs are run: on given batch sizes, from given seeds, with or without a compiler, by either library."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec, module_from_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import minitorch_lab as ml


class Run:
    """A program after its training: the losses of each step, the weights, and what happened in each step."""

    def __init__(self, losses: list[list[float]], weights: list[Any], captured: list[int], compiled: list[int]) -> None:
        self.losses, self.weights, self.captured, self.compiled = losses, weights, captured, compiled


def program(name: str) -> ModuleType:
    """A program on this library."""
    return import_module(f"tests.programs.{name}")


def program_in_torch(name: str, replaced: dict[str, Any]) -> ModuleType:
    """The same text on PyTorch: its imports name the other library. `replaced` are functions of it to be used."""
    import torch

    spec = find_spec(f"tests.programs.{name}")
    assert spec is not None
    text = Path(str(spec.origin)).read_text()
    module = module_from_spec(spec)
    exec(text.replace("import minitorch_lab as ml", "import torch as ml").replace("from minitorch_lab", "from torch"),
         vars(module))  # fmt: skip
    module.ml = Library(torch, replaced)  # type: ignore[attr-defined]
    return module


class Library:
    """A library, some functions of which are replaced."""

    def __init__(self, library: Any, replaced: dict[str, Any]) -> None:
        self.__dict__.update(replaced)
        self.library = library

    def __getattr__(self, name: str) -> Any:
        return getattr(self.library, name)


def tensors(library: Any, parts: list[Any], dtype: Any) -> list[Any]:
    """The arrays of a batch as tensors: whole numbers are int64, others of `dtype`."""
    whole = [np.asarray(part).dtype.kind == "i" for part in parts]
    return [library.tensor(p, dtype=library.int64 if w else dtype) for p, w in zip(parts, whole, strict=True)]


def train(
    module: ModuleType, sizes: Sequence[int], compile: Callable[[Any], Any] = lambda f: f, dtype: Any = ml.float32,
    kernels: Callable[[], int] = lambda: 0,
) -> Run:  # fmt: skip
    """Train a program of this library on batches of these sizes; count, for each, captures and kernels."""
    ml.manual_seed(0)
    compiled: list[Any] = []

    def compiling(f: Any) -> Any:
        compiled.append(compile(f))
        return compiled[-1]

    step, batch, nets = module.make(compiling, dtype)
    rng, losses, counts = np.random.default_rng(0), list[list[float]](), [(0, kernels())]
    for n in sizes:
        losses.append(step(*tensors(ml, batch(rng, n), dtype)))
        counts.append((sum(getattr(f, "captures", 0) for f in compiled), kernels()))
    steps = [[b - a for a, b in zip(c, c[1:], strict=False)] for c in zip(*counts, strict=True)]
    weights = [t.tolist() for net in nets for t in (*net.parameters(), *net.buffers())]
    return Run(losses, weights, *steps)
