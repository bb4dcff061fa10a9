"""What Python's own modules do about the process: its threads, its log, its random numbers."""

from __future__ import annotations

import asyncio
import logging
import random
import threading
from typing import Any

import minitorch_lab as ml

X = ml.tensor([1.0, 2.0, 3.0, 4.0])


async def doubled(x: Any) -> Any:
    await asyncio.sleep(0)
    return x * 2


def asynchronous(compile: Any) -> Any:
    f = compile(lambda x: asyncio.run(doubled(x)))
    for _ in range(3):
        yield f(X)


def shuffled(compile: Any) -> Any:
    def draw(x):
        order = [0, 1, 2, 3]
        random.shuffle(order)
        return x[order], random.randint(0, 9), random.choice("abc"), random.sample(range(9), 3), random.gauss(0, 1)

    f = compile(draw)
    for k in range(5):
        random.seed(k)
        yield f(X)


def in_a_thread(compile: Any) -> Any:
    def work(x):
        out = []
        thread = threading.Thread(target=lambda: out.append(x * 2))
        thread.start()
        thread.join()
        with lock:
            return out[0] + 1

    lock = threading.Lock()
    f = compile(work)
    for _ in range(3):
        yield f(X)


def logged(compile: Any) -> Any:
    class Kept(logging.Handler):
        def emit(self, record):
            lines.append((record.getMessage(), record.levelname))

    lines: list[Any] = []
    log = logging.getLogger("tests.compile.worlds")
    log.setLevel(logging.INFO)
    log.propagate = False
    log.addHandler(handler := Kept())

    def step(x, k):
        log.info("step %s of %s", k, tuple(x.shape))
        log.debug("unheard")
        return x * k

    f = compile(step)
    for k in range(4):
        yield f(X, k), list(lines)
    log.removeHandler(handler)
