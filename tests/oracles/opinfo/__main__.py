"""`python -m tests.oracles.opinfo [name ...]`: what differs, raises or is not refused, of some ops or of all."""

from __future__ import annotations

import sys
from multiprocessing import Pool

import torch

from .forms import every_op
from .measure import Row, measure


def measured(name: str) -> tuple[str, Row]:
    """One op, by name."""
    torch.set_num_threads(1)
    return name, measure(every_op()[name])


def main(wanted: list[str]) -> None:
    """Print every finding and the sums."""
    names = [name for name in every_op() if not wanted or name in wanted or name.split()[0] in wanted]
    with Pool(2) as pool:
        rows = dict(pool.imap(measured, names))
    for name, row in rows.items():
        for note in row.notes:
            print(f"{name} | {note[:300]}")
    total = sum(rows.values(), Row())
    print(f"{total.calls} calls, {sum(total.differing.values())} differ: {dict(total.differing)}")
    print(f"{sum(total.raising.values())} raise: {dict(total.raising.most_common())}")
    print(f"{total.refused} of {total.to_refuse} refused")


if __name__ == "__main__":
    main(sys.argv[1:])
