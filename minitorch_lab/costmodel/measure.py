"""`ml.bench`: timing programs so that the ratio means something.

Three rules. Warm up: the first calls compile, fill caches and wake the machine. Synchronise: a call that only hands
work to a device has not done it. Repeat: one call is noise. And one more, for a machine that others use too: run the
programs in turn, in many short rounds, and compare within a round. A ratio taken within a few milliseconds does not
notice that the machine drifts, and the median of many forgets the rounds that were disturbed; the quartiles say how
sure it is.

Turns have a price: after another program has filled the caches, a program needs several calls until its data are back;
the step of a small model took four times as long in its first call and was slower for ten. So in its turn a program
runs twice, for the same number of calls, and the second time counts.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import quantiles
from time import perf_counter
from typing import Any

from ..core.array import synchronise, xp
from ..errors import ArgumentError
from ..func.trees import flatten

Program = Callable[[], Any]
ROUND = 4e-3  # seconds that one program is timed for in one round, if its calls are shorter
UNITS = ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (0.0, "ns"))


@dataclass(frozen=True, slots=True)
class Spread:
    """A median and the quartiles around it."""

    lower: float
    median: float
    upper: float

    @classmethod
    def of(cls, values: list[float]) -> Spread:
        """That of some numbers."""
        return cls(*quantiles(values, n=4)) if len(values) > 1 else cls(values[0], values[0], values[0])


@dataclass(frozen=True, slots=True)
class Timed:
    """One program: seconds per call in every round, those of its first call, calls per round."""

    name: str
    rounds: tuple[float, ...]
    first: float
    calls: int

    @property
    def seconds(self) -> Spread:
        """Seconds per call."""
        return Spread.of(list(self.rounds))


@dataclass(frozen=True, slots=True)
class Bench:
    """What `bench` measured. Printed, it is a table; `flop` and `nbytes` per call add the rates that were reached."""

    timed: tuple[Timed, ...]
    flop: float | None = None
    nbytes: float | None = None

    def __getitem__(self, name: str) -> Timed:
        """The measurement of a program."""
        return next(t for t in self.timed if t.name == name)

    def ratio(self, name: str, to: str | None = None) -> Spread:
        """The time of a program divided by that of another, or of the first, in the same round."""
        other = self[to] if to else self.timed[0]
        return Spread.of([a / b for a, b in zip(self[name].rounds, other.rounds, strict=True)])

    def __repr__(self) -> str:
        """A table: the median with its quartiles, the ratio to the first program with its own, the first call."""
        rows = [["", "median", "quartiles", f"÷ {self.timed[0].name}", "quartiles", "first call"]]
        for t in self.timed:
            s, r = t.seconds, self.ratio(t.name)
            rows.append([t.name, format_time(s.median), f"{format_time(s.lower)} – {format_time(s.upper)}",
                         f"{r.median:.3f}", f"{r.lower:.3f} – {r.upper:.3f}", format_time(t.first)])  # fmt: skip
        for amount, unit in ((self.flop, "GFLOP/s"), (self.nbytes, "GB/s")):
            if amount:
                rows[0].append(unit)
                for row, t in zip(rows[1:], self.timed, strict=True):
                    row.append(f"{amount / t.seconds.median / 1e9:.2f}")
        widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
        return "\n".join(
            "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
            for row in rows
        )


def format_time(seconds: float) -> str:
    """A time with the unit that suits it.

    Example:
        >>> format_time(0.00125), format_time(3e-8)
        ('1.25 ms', '30 ns')
    """
    unit, name = next((u, n) for u, n in UNITS if seconds >= u)
    return f"{seconds / (unit or 1e-9):.3g} {name}"


def bench(
    *,
    rounds: int = 61,
    warm_up: int = 5,
    calls: int | None = None,
    seconds: float = 10.0,
    agree: float | None = 1e-4,
    flop: float | None = None,
    nbytes: float | None = None,
    **programs: Program,
) -> Bench:
    """Time programs against each other, in turn, in one process.

    Each is called once by itself, which is its first call; then the results are compared; then come rounds, in each of
    which every program runs, those of odd rounds in the other order, each until its data are in the caches and then
    timed. The first rounds are left out. A call counts as over when what it returned has been computed. Python collects
    no garbage while a program is timed.

    Args:
        rounds: Rounds that count.
        warm_up: Rounds before them that do not.
        calls: Calls of each program in a round. Left out, as many as take 4 ms.
        seconds: About how long all of it may take. With slow programs there are fewer rounds, at least 7.
        agree: How far results may be apart, relative to the largest entry; None where they are not to be compared.
        flop: Floating point operations of a call, for the rate.
        nbytes: Bytes that a call moves, for the rate.
        programs: Functions without arguments, by name. The first is what the others are compared with.

    Raises:
        ArgumentError: There is no program, or one returns nothing (then nobody can tell whether it did anything), or
            the results differ.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.ones(1000)
        >>> found = bench(once=lambda: x + x, twice=lambda: x + x + x - x, rounds=11)
        >>> len(found["once"].rounds)
        11
    """
    if not programs:
        raise ArgumentError(
            "bench got no program.", "It times functions against each other.", "Did you mean bench(mine=f, theirs=g)?"
        )
    firsts = {name: once(program) for name, program in programs.items()}
    check_results(firsts, agree)
    counts = {name: calls or suited(program) for name, program in programs.items()}
    one_round = sum(2 * elapsed(program, counts[name]) for name, program in programs.items())
    rounds = max(min(rounds, int(seconds / max(one_round, 1e-9)) - warm_up), min(rounds, 7))
    found: dict[str, list[float]] = {name: [] for name in programs}
    for number in range(warm_up + rounds):
        for name in list(programs)[:: -1 if number % 2 else 1]:
            found[name].append(settled_in(programs[name], counts[name]))
    timed = [Timed(name, tuple(found[name][warm_up:]), firsts[name][0], counts[name]) for name in programs]
    return Bench(tuple(timed), flop, nbytes)


def suited(program: Program) -> int:
    """As many calls as take a round."""
    return max(1, round(ROUND / max(min(elapsed(program, 1) for _ in range(3)), 1e-9)))


def settled_in(program: Program, calls: int) -> float:
    """Seconds per call, after as many calls that bring its data and its code back into the caches."""
    elapsed(program, calls)
    with no_collection():
        return elapsed(program, calls)


def elapsed(program: Program, calls: int) -> float:
    """Seconds per call, until the last result is there."""
    result = None
    start = perf_counter()
    for _ in range(calls):
        result = program()
    settle(result)
    return (perf_counter() - start) / calls


@contextmanager
def no_collection() -> Generator[None]:
    """Let Python's collector of garbage wait."""
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()


def once(program: Program) -> tuple[float, Any]:
    """The first call: its seconds and its result."""
    start = perf_counter()
    result = program()
    settle(result)
    return perf_counter() - start, result


def settle(result: Any) -> None:
    """Wait until a result has been computed: JAX and GPUs hand back promises."""
    synchronise()
    for leaf in flatten(result)[0]:
        wait = getattr(leaf, "block_until_ready", None)
        if wait is not None:
            wait()


# ---- what is timed has to do something, and the same ---------------------------------------------------------------
def check_results(firsts: dict[str, tuple[float, Any]], agree: float | None) -> None:
    """Refuse programs that return nothing, or not the same."""
    for name, (_, result) in firsts.items():
        if all(leaf is None for leaf in flatten(result)[0]):
            raise ArgumentError(
                f"The program {name} returned nothing.",
                "What nobody reads need not be computed: a compiler leaves it out, and nothing is what is timed.",
                f"Did you mean to return what {name} computes?",
            )
    if agree is None:
        return
    (first, (_, wanted)), *rest = firsts.items()
    for name, (_, result) in rest:
        pairs = list(zip(numbers(result), numbers(wanted), strict=False))
        if len(numbers(result)) != len(numbers(wanted)) or not all(is_close(a, b, agree) for a, b in pairs):
            raise ArgumentError(
                f"The programs {first} and {name} do not return the same.",
                f"A ratio of times is about the same work: results may differ by {agree:g} of their largest entry.",
                "Did you mean agree=None, for programs that draw random numbers?",
            )


def numbers(result: Any) -> list[Any]:
    """The leaves of a result as float64 arrays; tensors of any library come without their history."""
    leaves = [leaf.detach() if hasattr(leaf, "detach") else leaf for leaf in flatten(result)[0]]
    leaves = [leaf.cpu() if hasattr(leaf, "cpu") else leaf.get() if hasattr(leaf, "get") else leaf for leaf in leaves]
    return [xp.asarray(leaf.numpy() if hasattr(leaf, "numpy") else leaf, "float64") for leaf in leaves]


def is_close(a: Any, b: Any, agree: float) -> bool:
    """Whether two arrays are equal but for `agree` of their largest entry, NaN equal to NaN."""
    size = float(xp.nanmax(xp.abs(b), initial=0.0)) or 1.0
    return a.shape == b.shape and bool(xp.allclose(a, b, rtol=agree, atol=agree * size, equal_nan=True))
