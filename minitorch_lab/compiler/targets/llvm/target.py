"""Targets: what kind of processor the code is for, and what follows from it for vectors and tiles."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from ....errors import CaptureError

CACHES = Path("/sys/devices/system/cpu/cpu0/cache")  # where Linux tells of them
USUAL = 1 << 25  # bytes of the largest one, where nobody tells


@dataclass(frozen=True, slots=True)
class Target:
    """A kind of processor.

    Attributes:
        name: `"host"`, or one of `NAMED`.
        cpu: What LLVM calls it.
        features: What it can do beyond that, as LLVM writes it.
        lanes: Entries of float32 in a vector.
        registers: Vector registers.
        fma: Whether a · b + c is one instruction.
        avx512: Whether its vectors are those of AVX-512.
        memory: Bytes from which on something lies in memory, and in no cache.
        asks: Whether it should be asked early for what lies in memory. Intel's processors see by themselves that an
            array is read line by line, but not beyond a page of 4 KiB; AMD's are slower when they are asked from Zen 4
            on (a Zen 3 that is asked takes 0.83 of the time for softmax, 0.94 for layer norm).
    """

    name: str
    cpu: str
    features: str
    lanes: int
    registers: int
    fma: bool = True
    avx512: bool = False
    memory: int = USUAL
    asks: bool = True

    def holding(self, dtype: str) -> Target:
        """The same processor for vectors of this dtype: what has eight bytes takes two registers."""
        return replace(self, registers=self.registers // 2) if dtype in ("f64", "i64") else self


NAMED = {
    "generic": Target("generic", "x86-64", "", 4, 16, False),
    "avx2": Target("avx2", "haswell", "+avx2,+fma", 8, 16),
    "avx512": Target("avx512", "skylake-avx512", "-prefer-256-bit", 16, 32, avx512=True),
}


def target_of(name: str = "host") -> Target:
    """The target of this name; `"host"` is the processor that this runs on.

    Raises:
        CaptureError: There is none.

    Example:
        >>> target_of("avx2").lanes
        8
    """
    if name == "host":
        return host()
    if name not in NAMED:
        raise CaptureError(
            f"There is no target {name!r}.",
            f"The targets are 'host', {', '.join(map(repr, NAMED))}.",
            "Did you mean 'host'? It is the processor that this runs on.",
        )
    return NAMED[name]


def host() -> Target:
    """The processor that this runs on."""
    import llvmlite.binding as llvm

    has, cpu = llvm.get_host_cpu_features(), llvm.get_host_cpu_name()
    words, memory, asks = has.flatten(), largest_cache(), not (cpu.startswith("znver") and cpu >= "znver4")
    if has.get("avx512f") and has.get("avx512vl") and has.get("avx512bw"):
        return Target("host", cpu, f"{words},-prefer-256-bit", 16, 32, avx512=True, memory=memory, asks=asks)
    if has.get("avx2") and has.get("fma"):
        return Target("host", cpu, words, 8, 16, memory=memory, asks=asks)
    neon = "neon" in words
    return Target("host", cpu, words, 4, 32 if neon else 16, neon or bool(has.get("fma")), memory=memory, asks=asks)


@cache
def largest_cache() -> int:
    """Bytes of the largest cache of this processor, or the usual."""
    sizes: list[int] = []
    for file in CACHES.glob("index*/size"):
        with suppress(OSError, ValueError):
            sizes.append(int(file.read_text().strip().removesuffix("K")) * 1024)
    return max(sizes, default=USUAL)
