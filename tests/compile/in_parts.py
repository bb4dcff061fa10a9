"""Many random programs, in parts: each has a process of its own, with which goes what compiled functions leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from multiprocessing import get_context
from typing import Any

PART = 250


def wrong_among(agree: Callable[[Any], bool], cases: Sequence[Any]) -> list[Any]:
    """The cases in which compiled and eager do not agree."""
    return [case for case in cases if not agree(case)]


def tried(agree: Callable[[Any], bool], cases: Sequence[Any], start: Callable[[], None] | None = None) -> bool:
    """Try all cases on all cores (or on JOBS), and say what is wrong as it is found.

    Args:
        agree: Whether a case is right: a function of a module, since other processes call it.
        cases: What it is called with.
        start: What each process does first.

    Returns:
        Whether anything was wrong.
    """
    parts = [cases[n : n + PART] for n in range(0, len(cases), PART)]
    jobs = int(os.environ.get("JOBS", "0")) or None
    wrong: list[Any] = []
    with get_context("spawn").Pool(jobs, start, maxtasksperchild=1) as pool:
        for part, found in zip(parts, pool.imap(partial(wrong_among, agree), parts), strict=True):
            wrong += found
            print(f"{part[0]} to {part[-1]}: wrong {found}", flush=True)
    print(f"Python {sys.version.split()[0]}: {len(cases)} programs, wrong: {wrong}")
    return bool(wrong)
