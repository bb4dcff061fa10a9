"""`cuda`: CUDA C for what is computed entry by entry, and CuPy for the rest."""

from __future__ import annotations

from ..cuda.backend import compile_cuda, compile_cuda_recorded
from ..record import Backend

BACKEND = Backend("cuda", compile_cuda, {"reduce-overhead": compile_cuda_recorded}, device="cuda")
