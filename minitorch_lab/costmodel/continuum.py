"""The Compilation Continuum: when what a compiler saves per run has paid for what it took.

    benefit = production runs × (eager − compiled) / (compilation × (1 + development runs))

A line for each way of running: what it costs before the first run, and for each. The lowest line at n runs is the way
to take. The further right a way stands (eager, just in time, ahead of time), the later it wins and the more it saves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import Any

from .checks import check_amounts
from .measure import bench, settle


@dataclass(frozen=True, slots=True)
class Strategy:
    """A way of running a program: seconds before its first run, and seconds for each."""

    name: str
    setup: float
    each: float

    def seconds(self, runs: float) -> float:
        """What so many runs take.

        Raises:
            ArgumentError: A number is negative.
        """
        check_amounts("Strategy", setup=self.setup, each=self.each, runs=runs)
        return self.setup + runs * self.each


def compilation_benefit(
    production: float, development: float, *, eager: float, compiled: float, compilation: float
) -> float:
    """What compiling saves for each second that it takes. Above 1 it pays.

    Args:
        production: Runs of the finished program.
        development: Changes of it, each of which is compiled again.
        eager: Seconds of a run that is not compiled.
        compiled: Seconds of one that is.
        compilation: Seconds to compile once.

    Raises:
        ArgumentError: An amount is negative, or compilation takes no time.

    Example:
        >>> round(compilation_benefit(1e6, 0, eager=1 / 1450, compiled=1 / 2150, compilation=30), 1)
        7.5
    """
    check_amounts(
        "compilation_benefit", positive=("compilation",), production=production, development=development,
        eager=eager, compiled=compiled, compilation=compilation,
    )  # fmt: skip
    return production * (eager - compiled) / (compilation * (1 + development))


def break_even(eager: float, compiled: float, compilation: float) -> float:
    """After how many runs compiling has paid; infinity if it never does.

    Raises:
        ArgumentError: A time is negative.

    Example:
        >>> round(break_even(1 / 1450, 1 / 2150, 30))
        133607
    """
    check_amounts("break_even", eager=eager, compiled=compiled, compilation=compilation)
    return compilation / (eager - compiled) if eager > compiled else inf


def cheapest(strategies: Sequence[Strategy], runs: float) -> Strategy:
    """The way that takes the least time for so many runs.

    Example:
        >>> ways = [Strategy("eager", 0, 10e-6), Strategy("JIT", 10, 5e-6), Strategy("AOT", 30, 2e-6)]
        >>> [cheapest(ways, n).name for n in (1e3, 3e6, 1e8)]
        ['eager', 'JIT', 'AOT']
    """
    return min(strategies, key=lambda way: way.seconds(runs))


def crossovers(strategies: Sequence[Strategy]) -> list[tuple[float, Strategy]]:
    """From how many runs on which way is the best one, in order, from 0 on.

    Example:
        >>> ways = [Strategy("eager", 0, 10e-6), Strategy("JIT", 10, 5e-6), Strategy("AOT", 30, 2e-6)]
        >>> [(round(runs), way.name) for runs, way in crossovers(ways)]
        [(0, 'eager'), (2000000, 'JIT'), (6666667, 'AOT')]
    """
    now = min(strategies, key=lambda way: (way.seconds(0), way.each))
    found, runs = [(0.0, now)], 0.0
    while better := [way for way in strategies if way.each < now.each]:
        # Those that are cheaper from the start have been left behind, so each of these costs more before its first run.
        meets = [break_even(now.each, way.each, way.setup - now.setup) for way in better]
        runs, now = min(zip(meets, better, strict=True), key=lambda meeting: (meeting[0], meeting[1].each))
        found.append((runs, now))
    return found


def measure_continuum(
    fn: Callable[..., Any], compile: Callable[[Any], Callable[..., Any]], *args: Any, rounds: int = 21
) -> list[Strategy]:
    """The two lines of a function here: run as it is, and compiled.

    Args:
        fn: A function of tensors.
        compile: What compiles it, such as `ml.compile` or `ml.jit`.
        args: What it is called with.
        rounds: Rounds that count.

    Returns:
        Eager and compiled. The first compiled call, less what a later one takes, is the setup.

    Example:
        >>> import minitorch_lab as ml
        >>> eager, compiled = measure_continuum(lambda x: x.sin() * x, ml.jit, ml.ones(10), rounds=3)
        >>> eager.setup == 0 and compiled.setup > 0
        True
    """
    compiled = compile(fn)
    begin = perf_counter()
    settle(compiled(*args))
    first = perf_counter() - begin
    found = bench(rounds=rounds, eager=lambda: fn(*args), compiled=lambda: compiled(*args))
    each = found["compiled"].seconds.median
    eager = Strategy("eager", 0.0, found["eager"].seconds.median)
    return [eager, Strategy("compiled", max(first - each, 0.0), each)]
