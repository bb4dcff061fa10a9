"""How long compiling the MLP step takes: a fresh process each, in which the first two calls of the step are timed.

Before the clock starts, libraries are imported and have run once (ours an eager step; JAX a function of one op under
`jit`, which starts its runtime and its compiler), and the model and its data are there. On the clock is all that comes
then: of ours also the import of our compiler and of llvmlite, which are loaded when they are needed. In the rows
`loaded` they are not: as for JAX, a function of one op has been compiled before. The second call of the step counts,
for what is put off until it. `cached` is a process that finds what an earlier one has left on disk. JAX keeps nothing
unless `JAX_COMPILATION_CACHE_DIR` is set; with it, it is beside ours once more.
"""

from __future__ import annotations

from bench import one_thread  # noqa: F401 - first

# isort: split
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from bench.libraries import Library
from bench.row import line
from minitorch_lab.costmodel.measure import Spread, format_time

ROUNDS = 5
PROGRAM = """
from bench.libraries import *
from bench import steps
from bench.compile_time import at_its_first_call
from time import perf_counter
sizes = (32, 784, 256, 10)
{warm}
step = {program}
start = perf_counter()
float(step()), float(step())
print(perf_counter() - start)
"""
JAX = ("steps.mlp_in_jax(sizes, 'SGD')", "import jax; jax.jit(lambda x: x + 1)(jax.numpy.ones(1))")
OURS = ("steps.mlp(at_its_first_call(OURS), sizes, 'SGD')", "steps.mlp(EAGER, sizes, 'SGD')()")
LOADED = (OURS[0], f"{OURS[1]}; ml.compile(lambda x: x + 1, backend=BACKEND)(ml.ones(1))")
TORCH = ("steps.mlp(TORCH_COMPILE, sizes, 'SGD')", "steps.mlp(TORCH, sizes, 'SGD')()")
KEEPING = {"JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS": "0", "JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES": "-1"}
# In this order, in one folder: what is cached has been compiled by the one before.
PROGRAMS = {
    "ours, cold": OURS,
    "ours, cached": OURS,
    "ours, loaded, cold": LOADED,
    "ours, loaded, cached": LOADED,
    "JAX jit": JAX,
    "JAX jit, filling a cache": JAX,
    "JAX jit, cached": JAX,
    "torch.compile": TORCH,
}
BARS = {
    ("ours, cold", "JAX jit"): 1.0,
    ("ours, cached", "JAX jit"): 0.5,
    ("ours, loaded, cold", "JAX jit"): None,
    ("ours, loaded, cached", "JAX jit"): None,
    ("ours, loaded, cached", "JAX jit, cached"): None,
    ("ours, cold", "torch.compile"): 0.05,
}


def at_its_first_call(library: Library) -> Library:
    """The library, whose compiler does nothing before a function is called: so that all it does is on the clock."""

    def compiled(fn: Any) -> Callable[..., Any]:
        made: list[Any] = []

        def call(*args: Any) -> Any:
            if not made:
                made.append(library.whole(fn))
            return made[0](*args)

        return call

    return replace(library, whole=compiled, part=compiled)


def first_steps(name: str, folder: str) -> float:
    """Seconds of the first two steps, in a process whose caches lie in `folder`."""
    if name == "torch.compile" and os.environ.get("BENCH_TORCH_COMPILE") == "0":
        raise RuntimeError("left out")
    program, warm = PROGRAMS[name]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # as where it is installed
    ours = f"{folder}/{'loaded' if 'loaded' in name else 'ours'}"
    environment |= {"MINITORCH_LAB_CACHE": ours, "TORCHINDUCTOR_CACHE_DIR": f"{folder}/torch"}
    if "JAX" in name and "cache" in name:
        environment |= KEEPING | {"JAX_COMPILATION_CACHE_DIR": f"{folder}/jax"}
    source = PROGRAM.format(program=program, warm=warm)
    done = subprocess.run([sys.executable, "-c", source], env=environment, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return float(done.stdout.split()[-1])


def measured(rounds: int) -> tuple[dict[str, list[float]], dict[str, str]]:
    """Seconds by program, and why one does not run. A round before the first fills the caches of the system."""
    seconds: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    refused: dict[str, str] = {}
    for _ in range(1 + rounds):
        with tempfile.TemporaryDirectory() as folder:
            for name in PROGRAMS:
                if name not in refused:
                    try:
                        seconds[name].append(first_steps(name, folder))
                    except RuntimeError as error:
                        refused[name] = str(error)
    return {name: found[1:] for name, found in seconds.items()}, refused


def main() -> Iterator[str]:
    """The table."""
    yield "| compile the MLP step | ours | peer | theirs | ours ÷ theirs | quartiles | bar | |"
    yield "|---|--:|---|--:|--:|--:|--:|---|"
    seconds, refused = measured(ROUNDS)
    for (ours, theirs), bar in BARS.items():
        if ours in refused or theirs in refused:
            why = refused.get(ours) or refused[theirs]
            yield f"| {ours} | | {theirs} | | | | {bar or ''} | not run: {why[:90]} |"
        else:
            a, b = seconds[ours], seconds[theirs]
            ratio = Spread.of([x / y for x, y in zip(a, b, strict=True)])
            yield line(ours, format_time(Spread.of(a).median), theirs, format_time(Spread.of(b).median), ratio, bar)
