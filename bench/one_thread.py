"""One thread for everybody: import this before NumPy, torch or JAX, which read it when they are first imported."""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager

for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[variable] = "1"
os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"

ALL = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()


def pin() -> None:
    """Keep this process on one core, where the system can: for pools of threads that do not ask those variables."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(ALL)})


@contextmanager
def unpinned() -> Generator[None]:
    """All cores for what is measured inside."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, ALL)
    yield
    pin()
