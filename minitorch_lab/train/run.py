"""A training run as data: all that a later process needs to go on where this one stands, bit for bit."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, Protocol

from ..core.array import float64, xp
from ..errors import ArgumentError
from ..nn import Module
from ..optim import Optimizer
from ..optim.lr_scheduler import LRScheduler
from ..tensors.factories import tensor
from ..tensors.random import get_rng_state, set_rng_state
from ..tensors.serialize import load, save
from .amp.scaler import GradScaler
from .base import History

VERSION = 1


class Loader(Protocol):
    """Batches of (input, target), as often as asked. A `DataLoader` is one, and so is a list of pairs."""

    def __len__(self) -> int:
        """How many batches there are."""
        ...

    def __iter__(self) -> Iterator[Any]:
        """One pass over them."""
        ...


@dataclass
class Run:
    """What takes part in a run of `fit`, and how far it has come.

    Attributes:
        model: Its weights and buffers are part of the state.
        loader: Its place in the pass and its generator are part of it, if it is a `DataLoader`.
        optimizer: Its settings and all that it remembers of each parameter are part of it.
        scheduler: Its epoch.
        scaler: Its scale, and how long that has held.
        history: Every loss and accuracy so far.
        epoch: How many epochs are over, validation included.
    """

    model: Module
    loader: Loader
    optimizer: Optimizer
    scheduler: LRScheduler | None
    scaler: GradScaler | None
    history: History
    epoch: int = 0
    skip: int = 0  # batches of the next pass that a loader without a state has given already

    def batches(self) -> Iterator[Any]:
        """The batches of the pass that is under way: all, or those that an earlier process has not come to."""
        skip, self.skip = self.skip, 0
        return islice(self.loader, skip, None)

    # ---- there and back -------------------------------------------------------------------------------------------
    def parts(self) -> dict[str, Any]:
        """What has a state of its own, by the name under which it is saved."""
        found: dict[str, Any] = {
            "model": self.model,
            "optimizer": self.optimizer,
            "scheduler": self.scheduler,
            "scaler": self.scaler,
            "loader": self.loader if hasattr(self.loader, "load_state_dict") else None,
        }
        return {name: part for name, part in found.items() if part is not None}

    def state_dict(self) -> dict[str, Any]:
        """The whole run as tensors and plain values."""
        history = self.history
        return {
            "fit": VERSION,
            "epoch": self.epoch,
            "steps_per_epoch": history.steps_per_epoch,
            "losses": tensor(history.losses, dtype=float64),
            "accuracies": tensor(history.accuracies, dtype=float64),
            "generators": generators(),
            "parts": {name: part.state_dict() for name, part in self.parts().items()},
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Go on where the run of this state stood.

        Raises:
            ArgumentError: It is no such state, or one of a run with other parts or another number of batches.
        """
        parts = self.parts()
        check(state, parts, self.history.steps_per_epoch)
        for name, part in parts.items():
            part.load_state_dict(state["parts"][name])
        self.history.losses[:] = state["losses"].tolist()
        self.history.accuracies[:] = state["accuracies"].tolist()
        self.epoch = state["epoch"]
        taken = len(self.history.losses) - self.epoch * self.history.steps_per_epoch
        self.skip = 0 if "loader" in parts else taken
        restore(state["generators"])

    def save(self, path: str | PathLike[str] | None) -> None:
        """Write the state under `path`, if there is one, at once: a killed process leaves a whole state there."""
        if path is not None:
            save(self.state_dict(), path)

    def resume(self, path: str | PathLike[str] | None) -> None:
        """Go on from the state under `path`; without one the run starts from its beginning.

        Raises:
            ArgumentError: What stands there is no state of such a run.
        """
        if path is not None and Path(path).exists():
            self.load_state_dict(load(path))


def generators() -> dict[str, Any]:
    """Where the global sequences of random numbers stand: ours, Python's and NumPy's."""
    state: Any = xp.random.get_state()
    name, keys, *rest = state
    return {"minitorch_lab": get_rng_state(), "random": random.getstate(), "numpy": (name, keys.tolist(), *rest)}


def restore(states: Mapping[str, Any]) -> None:
    """Have the global sequences go on where they stood."""
    set_rng_state(states["minitorch_lab"])
    random.setstate(states["random"])
    xp.random.set_state(states["numpy"])


def check(state: Any, parts: Mapping[str, Any], steps: int) -> None:
    """Refuse what is no state of a run with these parts and so many batches.

    Raises:
        ArgumentError: It is not.
    """
    if not isinstance(state, Mapping) or state.get("fit") != VERSION:  # pyright: ignore[reportUnknownMemberType]
        raise ArgumentError(
            "fit was to resume from a file that it has not written.",
            "A checkpoint of fit holds the model, the optimizer, the place in the data, and the generators.",
            "Did you mean another path? Weights alone are loaded by model.load_state_dict(ml.load(path)).",
        )
    there: Any = state["parts"]
    if there.keys() != parts.keys():
        raise ArgumentError(
            f"fit was to resume a run of {', '.join(there)}, and has {', '.join(parts)}.",
            "A run goes on with what it had.",
            "Give fit the same scheduler=, scaler= and kind of loader as before.",
        )
    if state["steps_per_epoch"] != steps:
        raise ArgumentError(
            f"fit was to resume a run with {state['steps_per_epoch']} batches in an epoch, and the loader has {steps}.",
            "The place in the data means something for the same batches only.",
            "Give fit the same dataset and batch_size as before.",
        )
