"""fit goes on where an earlier process stopped: bit for bit what would have followed, whatever was killed."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError
from tests.train.killed_runs import entries
from tests.train.killed_runs import run as run_and_kill

EXAMPLES, BATCH, EPOCHS = 22, 4, 3
STEPS = 6  # in an epoch


class Noisy(nn.Module):
    """Draws from all three global generators."""

    def forward(self, x: Any) -> Any:
        return x + 0.01 * (random.random() + float(np.random.rand())) + 0.01 * ml.randn_like(x)


def examples() -> Any:
    x = ml.linspace(-1, 1, EXAMPLES * 3).reshape(EXAMPLES, 3)
    return ml.data.TensorDataset(x, (x.sum(dim=1) > 0).long())


def own_generator() -> Any:
    return ml.data.DataLoader(examples(), batch_size=BATCH, shuffle=True, generator=ml.Generator(3))


def global_generator() -> Any:
    return ml.data.DataLoader(examples(), batch_size=BATCH, shuffle=True)


def workers() -> Any:
    return ml.data.DataLoader(examples(), batch_size=BATCH, shuffle=True, num_workers=2)


def pairs() -> Any:
    return list(ml.data.DataLoader(examples(), batch_size=BATCH))


class Stop(ml.train.Callback):
    """Ends the run after a step or an epoch, as a crash would."""

    def __init__(self, steps: int | None) -> None:
        self.steps = steps

    def on_step(self, history: Any) -> None:
        if len(history.losses) == self.steps:
            raise KeyboardInterrupt


def trained(loader: Any, path: Path | None = None, stop: int | None = None, epochs: int = EPOCHS, **more: Any) -> Any:
    """All that a run is afterwards, as bytes. Everything in it is made anew, as in another process."""
    ml.manual_seed(len(str(path)))  # a process that goes on has drawn other numbers before
    if path is None or not path.exists():
        ml.manual_seed(0)
        random.seed(0)
        np.random.seed(0)
    model = nn.Sequential(Noisy(), nn.Linear(3, 8), nn.BatchNorm1d(8), nn.Dropout(0.3), nn.Tanh(), nn.Linear(8, 2))
    optimizer = ml.optim.AdamW([{"params": model[1].parameters(), "lr": 0.02}, {"params": model[5].parameters()}])
    history = ml.fit(
        model, loader, loss=nn.CrossEntropyLoss(), optimizer=optimizer, epochs=epochs, callbacks=[Stop(stop)],
        scheduler=ml.optim.lr_scheduler.ExponentialLR(optimizer, 0.7), scaler=ml.amp.GradScaler(growth_interval=4),
        validate=pairs(), checkpoint=path, **more,
    )  # fmt: skip
    after = [random.random(), np.random.rand(), ml.rand(2)]
    return list(entries([model.state_dict(), optimizer.state_dict(), history.losses, history.accuracies, after]))


@pytest.mark.parametrize("loader", [own_generator, global_generator, pairs])
def test_a_run_that_is_stopped_anywhere_ends_as_the_undisturbed_one(loader: Callable[[], Any], tmp_path: Path) -> None:
    expected = trained(loader())
    assert trained(loader(), tmp_path / "whole.npz", every=2) == expected, "saving changes nothing"
    for stop in range(1, EPOCHS * STEPS + 1):
        path = tmp_path / f"{stop}.npz"
        with pytest.raises(KeyboardInterrupt):
            trained(loader(), path, stop, every=2)
        assert trained(loader(), path, every=2, resume=True) == expected, stop


def test_a_run_that_is_stopped_again_and_again(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    expected = trained(workers())
    for stop in (3, 5, 9, 17):
        with pytest.raises(KeyboardInterrupt):
            trained(workers(), path, stop, every=1, resume=True)
    assert trained(workers(), path, every=1, resume=True) == expected


def test_a_run_can_be_made_longer(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    trained(own_generator(), path, epochs=1)
    assert trained(own_generator(), path, resume=True) == trained(own_generator())
    assert trained(own_generator(), path, resume=True) == trained(own_generator()), "it is through, and nothing is done"


def test_without_resume_a_run_starts_anew(tmp_path: Path) -> None:
    first = fit(tmp_path / "run.npz")
    assert len(first.losses) == len(fit(tmp_path / "run.npz").losses) == STEPS
    assert len(fit(tmp_path / "run.npz", epochs=2, resume=True).losses) == 2 * STEPS


def fit(path: Any, epochs: int = 1, **more: Any) -> Any:
    model = nn.Linear(3, 2)
    given = {"loader": own_generator(), "optimizer": ml.optim.SGD(model.parameters(), lr=0.1), **more}
    return ml.fit(model, loss=nn.CrossEntropyLoss(), epochs=epochs, callbacks=[], checkpoint=path, **given)


@pytest.mark.parametrize("steps", [1, 3, 6])
def test_every_says_when_a_run_is_saved(steps: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    saved: list[int] = []
    monkeypatch.setattr("minitorch_lab.train.run.save", lambda state, path: saved.append(len(state["losses"])))
    fit(tmp_path / "run.npz", epochs=2, every=steps)
    assert sorted(set(saved)) == sorted({*range(steps, 2 * STEPS + 1, steps), STEPS, 2 * STEPS})
    assert all(before <= after for before, after in pairwise(saved))


def test_what_cannot_be_resumed_is_told(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    with pytest.raises(
        ArgumentError, match=r'(?s)fit got resume=True, and no checkpoint.*Did you mean checkpoint="run'
    ):
        fit(None, resume=True)
    with pytest.raises(ArgumentError, match=r"fit got every=3, and no checkpoint"):
        fit(None, every=3)
    with pytest.raises(ArgumentError, match=r"(?s)fit got every=0.*Did you mean every=100"):
        fit(path, every=0)
    ml.save(nn.Linear(3, 2).state_dict(), path)
    with pytest.raises(ArgumentError, match=r"(?s)a file that it has not written.*model.load_state_dict"):
        fit(path, resume=True)
    fit(path)
    with pytest.raises(ArgumentError, match=r"fit was to resume a run of model, optimizer, loader, and has .*scaler"):
        fit(path, resume=True, scaler=ml.amp.GradScaler())
    smaller = ml.data.DataLoader(examples(), batch_size=2)
    with pytest.raises(ArgumentError, match=r"with 6 batches in an epoch, and the loader has 11"):
        fit(path, resume=True, loader=smaller)


@pytest.mark.skipif(sys.platform != "linux", reason="kills as Linux does, and looks into /dev/shm")
def test_trainings_that_are_killed_at_random_moments_lose_nothing_and_leave_nothing() -> None:
    """Three kills; `python -m tests.train.killed_runs 200` tries more."""
    assert run_and_kill(3, seed=1)[0] == 3
