"""Many random programs, in parts: each has a process of its own, with which goes what compiled functions leave."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from multiprocessing import get_context
from typing import Any

PART = 250


def wrong_among(agree: Callable[[Any], bool], cases: Sequence[Any]) -> list[Any]:
    """The cases in which compiled and eager do not agree."""
    return [case for case in cases if not agree(case)]


def tried(
    agree: Callable[[Any], bool],
    cases: Sequence[Any],
    start: Callable[[], None] | None = None,
    differing: Mapping[Any, str] | None = None,
) -> bool:
    """Try all cases on all cores (or on JOBS), and say what is wrong as it is found.

    Args:
        agree: Whether a case is right: a function of a module, since other processes call it.
        cases: What it is called with.
        start: What each process does first.
        differing: The cases that `compile` says must differ, and why. One of them that agrees is wrong too.

    Returns:
        Whether anything was wrong.
    """
    expected = {case: why for case, why in (differing or {}).items() if case in cases}
    parts = [cases[n : n + PART] for n in range(0, len(cases), PART)]
    jobs = int(os.environ.get("JOBS", "0")) or None
    wrong: list[Any] = []
    with get_context("spawn").Pool(jobs, start, maxtasksperchild=1) as pool:
        for part, found in zip(parts, pool.imap(partial(wrong_among, agree), parts), strict=True):
            wrong += found
            print(f"{part[0]} to {part[-1]}: wrong {found}", flush=True)
    for case, why in expected.items():
        print(f"{case} {'differs, as it must' if case in wrong else 'does not differ'}: {why}")
    wrong = [case for case in cases if (case in wrong) != (case in expected)]
    print(f"Python {sys.version.split()[0]}: {len(cases)} programs, wrong: {wrong}")
    return bool(wrong)
