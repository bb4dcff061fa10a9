"""`python -m tests.oracles.opinfo [--write] [name ...]`: what differs, raises or is not refused, of some ops or of all.

With `--write` the record is written again: of all ops, or of those that are named.
"""

from __future__ import annotations

import sys
from multiprocessing import Pool

from .forms import every_op
from .measure import Row, measure
from .record import as_record, load, rewrite, sums


def found(name: str) -> tuple[str, Row]:
    """One op, by name."""
    return name, measure(every_op()[name])


def main(wanted: list[str], write: bool) -> None:
    """Print every finding and the sums."""
    names = [name for name in every_op() if not wanted or name in wanted or name.split()[0] in wanted]
    with Pool(2) as pool:
        rows = dict(pool.imap(found, names))
    for name, row in rows.items():
        for note in row.notes:
            print(f"{name} | {note[:300]}")
    records = {name: as_record(row) for name, row in rows.items()}
    for what, sum_of in sums(records).items():
        print(f"{what}: {sum_of}")
    if write:
        rewrite((load() if wanted else {}) | records)


if __name__ == "__main__":
    main([name for name in sys.argv[1:] if name != "--write"], "--write" in sys.argv)
