"""A row of a table: one piece of work by several libraries, checked against float64, timed, and held to its bars."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from bench.libraries import values

# isort: split
import numpy as np

import minitorch_lab as ml
from minitorch_lab.costmodel.measure import Bench, Spread, format_time

HEAD = "| work | ours | peer | theirs | ours ÷ theirs | quartiles | bar | |\n|---|--:|---|--:|--:|--:|--:|---|"


@dataclass
class Row:
    """`programs` makes a fresh program by each library, ours first. `bars`: the ratio that the upper quartile holds."""

    work: str
    programs: dict[str, Callable[[], Any]]
    bars: dict[str, float]
    exact: Callable[[], Any] | None = None
    tolerance: float = 1e-3  # of the largest entry
    nbytes: float | None = None
    flop: float | None = None
    options: dict[str, Any] = field(default_factory=dict[str, Any])

    def lines(self) -> Iterator[str]:
        """The lines of the table. A program that cannot be run says why."""
        ready, refused = {}, {}
        for name, make in self.programs.items():
            try:
                program = make()
                self.check(program())
                ready[name] = program
            except Exception as error:
                refused[name] = f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"
        ours = next(iter(self.programs))
        if ours in ready and len(ready) > 1:
            found = ml.bench(**{"agree": None, "nbytes": self.nbytes, "flop": self.flop, **self.options, **ready})
            yield from self.measured(found, ours)
        for name, why in refused.items():
            yield f"| {self.work} | | {name} | | | | {self.bars.get(name, '')} | not run: {why[:90]} |"

    def check(self, result: Any) -> None:
        """Refuse to time what is wrong."""
        if self.exact is None:
            return
        for found, wanted in zip(values(result), values(self.exact()()), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=0, atol=self.tolerance * np.abs(wanted).max(initial=1e-30))

    def measured(self, found: Bench, ours: str) -> Iterator[str]:
        """One line for each peer."""
        mine = found[ours].seconds.median
        rate = f", {self.nbytes / mine / 1e9:.1f} GB/s" if self.nbytes else ""
        rate += f", {self.flop / mine / 1e9:.0f} GFLOP/s" if self.flop else ""
        for t in found.timed[1:]:
            ratio = found.ratio(ours, to=t.name)
            yield line(
                self.work, format_time(mine) + rate, t.name, format_time(t.seconds.median), ratio, self.bars.get(t.name)
            )


def line(work: str, ours: str, peer: str, theirs: str, ratio: Spread, bar: float | None) -> str:
    """A line of the table; the upper quartile must hold the bar."""
    verdict = "" if bar is None else "held" if ratio.upper <= bar else "**missed**"
    spread = f"{ratio.lower:.3f} – {ratio.upper:.3f}"
    return f"| {work} | {ours} | {peer} | {theirs} | {ratio.median:.3f} | {spread} | {bar or ''} | {verdict} |"
