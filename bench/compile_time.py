"""How long the first step of the MLP takes: a fresh process each, from the finished model to the first loss."""

from __future__ import annotations

from bench import one_thread  # noqa: F401 - first

# isort: split
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator

from bench.row import line
from minitorch_lab.measure import Spread, shown

ROUNDS = 5
PROGRAM = """
from bench.libraries import *
from bench import steps
from time import perf_counter
sizes = (32, 784, 256, 10)
{warm}
start = perf_counter()
float({program}())
print(perf_counter() - start)
"""
OURS = "steps.mlp(OURS, sizes, 'SGD')"
JAX = "steps.mlp_in_jax(sizes, 'SGD')"
TORCH = "steps.mlp(TORCH_COMPILE, sizes, 'SGD')"
WARM = "steps.mlp(EAGER, sizes, 'SGD')()"
PROGRAMS = {
    "ours, cold": (OURS, WARM),
    "ours, cached": (OURS, WARM),  # after the one above, in the same folder
    "JAX jit": (JAX, "import jax; jax.numpy.ones(1)"),
    "torch.compile": (TORCH, ""),
}
BARS = {("ours, cold", "JAX jit"): 1.0, ("ours, cached", "JAX jit"): 0.5, ("ours, cold", "torch.compile"): 0.05}


def first_step(program: str, folder: str, warm: str = "") -> float:
    """Seconds, in a process whose caches lie in `folder`."""
    caches = {"MINITORCH_LAB_CACHE": f"{folder}/ours", "TORCHINDUCTOR_CACHE_DIR": f"{folder}/torch"}
    if "COMPILE" in program and os.environ.get("BENCH_TORCH_COMPILE") == "0":
        raise RuntimeError("left out")
    source = PROGRAM.format(program=program, warm=warm)
    done = subprocess.run([sys.executable, "-c", source], env=os.environ | caches, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return float(done.stdout.split()[-1])


def main() -> Iterator[str]:
    """The table."""
    yield "| compile the MLP step | ours | peer | theirs | ours ÷ theirs | quartiles | bar | |"
    yield "|---|--:|---|--:|--:|--:|--:|---|"
    rounds: dict[str, list[float]] = {}
    refused: dict[str, str] = {}
    for _ in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            for name, (program, warm) in PROGRAMS.items():
                if name in refused:
                    continue
                try:
                    rounds.setdefault(name, []).append(first_step(program, folder, warm))
                except RuntimeError as error:
                    refused[name] = str(error)
    for (ours, theirs), bar in BARS.items():
        if ours in refused or theirs in refused:
            why = refused.get(ours) or refused[theirs]
            yield f"| {ours} | | {theirs} | | | | {bar} | not run: {why[:90]} |"
        else:
            a, b = rounds[ours], rounds[theirs]
            ratio = Spread.of([x / y for x, y in zip(a, b, strict=True)])
            yield line(ours, shown(Spread.of(a).median), theirs, shown(Spread.of(b).median), ratio, bar)
