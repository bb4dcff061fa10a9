"""A training that is killed at random moments and started again until it is through: what stands then, what is left.

`python -m tests.train.killed_runs 200` kills that often (half an hour or so). With `--train FOLDER` it is the training
itself: two workers, dropout, a schedule and a scaler, saved every other step.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil

import minitorch_lab as ml
from minitorch_lab import nn

EPOCHS, BATCH, EXAMPLES = 6, 16, 320
PATIENCE = 20.0  # seconds that workers and shared memory have to be gone
SHARED = Path("/dev/shm")


class Jittered(ml.data.Dataset[Any]):
    """Digits with noise of their own: what index i looks like depends on i alone."""

    def __init__(self) -> None:
        self.digits, self.noise = ml.data.Digits(train=True), ml.Generator(5)

    def __len__(self) -> int:
        return EXAMPLES

    def __getitem__(self, index: int) -> Any:
        image, label = self.digits[index]
        return image + 0.1 * ml.randn(*image.shape, generator=self.noise.fold_in(index)), label


def train(folder: Path) -> None:
    """One process: go on from what stands in `folder`, and write the final weights and losses there."""
    ml.manual_seed(0)
    random.seed(0)
    model = nn.Sequential(nn.Linear(64, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Dropout(0.2), nn.Linear(48, 10))
    optimizer = ml.optim.Adam(model.parameters(), lr=1e-2)
    loader = ml.data.DataLoader(Jittered(), batch_size=BATCH, shuffle=True, num_workers=2)
    history = ml.fit(
        model, loader, loss=nn.CrossEntropyLoss(), optimizer=optimizer, epochs=EPOCHS, callbacks=[],
        scheduler=ml.optim.lr_scheduler.StepLR(optimizer, step_size=2), scaler=ml.amp.GradScaler(growth_interval=7),
        validate=ml.data.DataLoader(ml.data.Digits(train=False), batch_size=64),
        checkpoint=folder / "run.npz", every=2, resume=True,
    )  # fmt: skip
    found = {"model": model.state_dict(), "losses": history.losses, "accuracies": history.accuracies}
    ml.save({**found, "next": [random.random(), ml.rand(3)]}, folder / "final.npz")


def started(folder: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-m", "tests.train.killed_runs", "--train", str(folder)])


def family(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def kill(process: subprocess.Popen[bytes], after: float) -> bool:
    """Kill it after so many seconds, and see that what it has started is gone soon; False if it was through before."""
    try:
        done = process.wait(after)
    except subprocess.TimeoutExpired:
        done = None
    if done is not None:
        assert done == 0, f"the training ended with {done}"
        return False
    children = family(process)
    process.kill()
    process.wait()
    _, left = psutil.wait_procs(children, PATIENCE)
    assert not left, f"processes are left: {left}"
    end = time.monotonic() + PATIENCE
    while shared := list(SHARED.glob(f"ml-{process.pid}-*")):
        assert time.monotonic() < end, f"shared memory is left: {shared}"
        time.sleep(0.05)
    return True


def entries(tree: Any) -> Iterator[Any]:
    """The numbers of a tree as bytes, which are compared bit for bit."""
    if isinstance(tree, ml.Tensor):
        yield tree.numpy().tobytes()
    elif isinstance(tree, dict):
        for name, value in sorted(tree.items()):
            yield name
            yield from entries(value)
    elif isinstance(tree, (list, tuple)):
        for value in tree:
            yield from entries(value)
    else:
        yield repr(tree)


def steps_of(folder: Path) -> int:
    """How many steps the checkpoint has; 0 if there is none. One that is not whole is an error."""
    path = folder / "run.npz"
    return len(ml.load(path)["losses"]) if path.exists() else 0


def run(kills: int, seed: int = 0) -> tuple[int, int]:
    """Kill trainings until they were killed so often, each in the end through; return the kills and the trainings."""
    moments, killed, trainings = random.Random(seed), 0, 0
    with tempfile.TemporaryDirectory() as name:
        undisturbed = Path(name) / "undisturbed"
        undisturbed.mkdir()
        began = time.monotonic()
        assert started(undisturbed).wait() == 0
        took = time.monotonic() - began
        expected = list(entries(ml.load(undisturbed / "final.npz")))
        while killed < kills:
            folder, trainings, reached = Path(name) / str(trainings), trainings + 1, 0
            folder.mkdir()
            while killed < kills and kill(started(folder), moments.uniform(0, took)):
                killed += 1
                assert steps_of(folder) >= reached, "a restart has lost what was saved"
                reached = steps_of(folder)
            if not (folder / "final.npz").exists():
                assert started(folder).wait() == 0
            assert sorted(file.name for file in folder.iterdir()) == ["final.npz", "run.npz"], "something is left"
            assert list(entries(ml.load(folder / "final.npz"))) == expected, "a resumed run ended otherwise"
    return killed, trainings


if __name__ == "__main__":
    if sys.argv[1] == "--train":
        train(Path(sys.argv[2]))
    else:
        print("{} kills in {} trainings: each ended bit for bit as the undisturbed one".format(*run(int(sys.argv[1]))))
