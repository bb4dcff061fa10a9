"""`numpy`: a page of Python that calls NumPy."""

from __future__ import annotations

from ..numpy.backend import compile_numpy
from ..record import Backend
from ..spare import compile_keeping

BACKEND = Backend(
    "numpy",
    compile_numpy,
    {"reduce-overhead": compile_keeping},
    device="cpu",
    takes_sizes=True,
    ways=lambda threads: {"numpy": compile_numpy},
)
