"""Trying many programs in other processes, some at a time; one that dies or hangs is replaced."""

from __future__ import annotations

import signal
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any

from tests.compile.deep.observe import differences
from tests.compile.deep.write import program

PART, LONG = 200, 60


def one(seed: int, executors: tuple[str, ...]) -> list[dict[str, Any]]:
    """What is wrong with one program."""
    try:
        found = differences(program(seed), executors)
    except Exception as error:
        return [{"seed": seed, "executor": "the harness", "kind": "raised", "text": repr(error)}]
    return [{"seed": seed, "executor": d.executor, "kind": d.kind, "text": str(d)} for d in found]


def work(seeds: list[int], executors: tuple[str, ...], pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for seed in seeds:
        pipe.send((seed, one(seed, executors)))


def tried(seeds: list[int], executors: tuple[str, ...], told: Callable[[int, list[dict[str, Any]]], None]) -> None:
    """Try some programs in another process, which is replaced where it dies or hangs."""
    context = get_context("spawn")
    while seeds:
        mine, theirs = context.Pipe(False)
        worker = context.Process(target=work, args=(seeds[:PART], executors, theirs))
        worker.start()
        theirs.close()
        part = seeds[:PART]
        while part:
            try:
                found = mine.recv()[1] if mine.poll(LONG) else hung(part[0], f"took more than {LONG} s")
            except EOFError:
                worker.join()
                found = hung(part[0], f"the process ended with {worker.exitcode}")
            told(part[0], found)
            seeds.pop(0)
            part.pop(0)
            if found and found[0]["kind"] == "hung":
                break
        if worker.is_alive():
            worker.join(1) if not part else worker.kill()
        worker.join()


def hung(seed: int, why: str) -> list[dict[str, Any]]:
    return [{"seed": seed, "executor": "the process", "kind": "hung", "text": why}]
