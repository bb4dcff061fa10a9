"""While something is recorded, watching subclasses stand where the engine names the classes that they watch.

No engine file knows of this, and none pays for it: after the last recording everything is as it was. A watching class
records only where a recording is under it, so another thread sees no difference.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from threading import Lock
from types import ModuleType
from typing import Any

from .. import autograd, func
from ..autograd.checkpoint import Frame
from ..autograd.eager import as_view
from ..autograd.gradients import Collecting
from ..autograd.tape import held
from ..autograd.walk import walk
from ..func.batch import Vmap
from ..func.forward import Forward
from ..func.reverse import Arriving, Tape
from .segments import WatchedFrame
from .timing import timed_held, timed_linked
from .transforms import WatchedForward, WatchedTape, WatchedVmap
from .walks import WatchedArriving, WatchedCollecting, watched_walk

WATCHED: dict[Any, Any] = {
    Tape: WatchedTape,
    Forward: WatchedForward,
    Vmap: WatchedVmap,
    Arriving: WatchedArriving,
    walk: watched_walk,
    Collecting: WatchedCollecting,
    Frame: WatchedFrame,
    held: timed_held,
    as_view: timed_linked,
}

lock = Lock()
recordings = 0  # how many run now, in all threads


@contextmanager
def watched() -> Generator[None]:
    """Have the watching classes in force for a while."""
    global recordings
    with lock:
        recordings += 1
        if recordings == 1:
            install(there=True)
    try:
        yield
    finally:
        with lock:
            recordings -= 1
            if recordings == 0:
                install(there=False)


def install(there: bool) -> None:
    """Put every watching class where the class that it watches is named, or back."""
    for module in modules():
        for plain, watching in WATCHED.items():
            old, new = (plain, watching) if there else (watching, plain)
            for name in [name for name, thing in vars(module).items() if thing is old]:
                setattr(module, name, new)


def modules() -> list[ModuleType]:
    """The modules that name what is watched."""
    rooms = tuple(room.__name__ + "." for room in (autograd, func))
    return [module for name, module in sys.modules.items() if name.startswith(rooms)]
