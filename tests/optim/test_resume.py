"""Row C6: a run that is saved and resumed in the middle is the run that never stopped, bit for bit."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError
from minitorch_lab.optim.lr_scheduler import CosineAnnealingLR, StepLR

KINDS = [
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("Adam", {"lr": 0.01}),
    ("AdamW", {"lr": 0.01, "weight_decay": 0.1}),
]


class Run:
    """A model with dropout and running statistics, its optimizer and its schedule."""

    def __init__(self, kind: str, settings: dict[str, Any]) -> None:
        self.model = nn.Sequential(
            nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.Flatten(), nn.Dropout(0.3), nn.Linear(64, 3)
        )
        self.optimizer = getattr(ml.optim, kind)(self.model.parameters(), **settings)
        self.schedule = CosineAnnealingLR(self.optimizer, T_max=10)

    def epochs(self, n: int) -> None:
        for _ in range(n):
            x, y = ml.randn(8, 1, 6, 6), ml.randint(0, 3, (8,))
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.model(x), y).backward()
            self.optimizer.step()
            self.schedule.step()

    def state(self) -> dict[str, Any]:
        parts = {name: getattr(self, name).state_dict() for name in ("model", "optimizer", "schedule")}
        return {**parts, "rng": ml.get_rng_state()}

    def resume(self, state: dict[str, Any]) -> None:
        for name in ("model", "optimizer", "schedule"):
            getattr(self, name).load_state_dict(state[name])
        ml.set_rng_state(state["rng"])


@pytest.mark.parametrize(("kind", "settings"), KINDS)
def test_row_c6_save_and_resume_give_the_same_run_bit_for_bit(kind: str, settings: Any, tmp_path: Path) -> None:
    ml.manual_seed(0)
    whole = Run(kind, settings)
    whole.epochs(3)
    ml.save(whole.state(), tmp_path / "run.npz")
    whole.epochs(4)
    ml.manual_seed(1)
    second = Run(kind, settings)
    second.epochs(1)  # whatever happened before, the state overrules it
    second.resume(ml.load(tmp_path / "run.npz"))
    second.epochs(4)
    a, b = whole.state(), second.state()
    assert a["model"].keys() == b["model"].keys()
    for name in a["model"]:
        assert a["model"][name].numpy().tobytes() == b["model"][name].numpy().tobytes(), name
    for i, entry in a["optimizer"]["state"].items():
        for name, value in entry.items():
            assert np.array_equal(np.asarray(value), np.asarray(b["optimizer"]["state"][i][name]))
    assert (a["rng"], a["schedule"]) == (b["rng"], b["schedule"])


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    given = {
        "tensors": [ml.ones(2, 3), ml.tensor(2), ml.tensor([True]), ml.zeros(0, 4, dtype=ml.float64)],
        7: ("text", None, True, 0.1, float("inf"), 2**100, {}, [], ()),
    }
    ml.save(given, tmp_path / "x.pt")
    found = ml.load(tmp_path / "x.pt")
    assert [(t.dtype, t.shape, t.tolist()) for t in found["tensors"]] == [
        (t.dtype, t.shape, t.tolist()) for t in given["tensors"]
    ]
    assert found[7] == given[7]
    assert list(found) == list(given)
    ml.save(ml.ones(2).expand(3, 2).T, tmp_path / "view.npz")
    assert ml.load(tmp_path / "view.npz").shape == (2, 3)


def test_only_plain_things_are_saved(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="Did you mean obj"):
        ml.save({"model": nn.Linear(2, 1)}, tmp_path / "x.npz")
    assert not (tmp_path / "x.npz").exists()


def test_what_requires_a_gradient_does_so_when_it_comes_back_from_an_open_file() -> None:
    file = io.BytesIO()
    ml.save([ml.ones(2, requires_grad=True), nn.Linear(2, 1).weight, ml.ones(2), ml.ones(2, dtype=ml.int64)], file)
    file.seek(0)
    back = ml.load(file)
    assert [x.requires_grad for x in back] == [True, True, False, False]
    assert all(x.is_leaf for x in back)
    assert not file.closed
    for wrong in (3, io.StringIO(), None):
        with pytest.raises(ArgumentError, match="open for bytes"):
            ml.save([], wrong)  # pyright: ignore[reportArgumentType]


def test_a_foreign_file_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", x=np.ones(2))
    (tmp_path / "text.npz").write_text("no archive")
    for name in ("other.npz", "text.npz"):
        with pytest.raises(ArgumentError, match="which save has not written"):
            ml.load(tmp_path / name)


def test_a_state_of_another_optimizer_is_refused_whole() -> None:
    one = ml.optim.Adam([ml.ones(2, requires_grad=True)], lr=0.5)
    two = ml.optim.Adam([ml.ones(2, requires_grad=True), ml.ones(3, requires_grad=True)], lr=0.1)
    with pytest.raises(ArgumentError, match=r"groups of \[2\] parameters; here they are \[1\]"):
        one.load_state_dict(two.state_dict())
    with pytest.raises(ArgumentError, match="The state of a model goes to the model"):
        one.load_state_dict({"weight": ml.ones(2)})
    w = ml.ones(3, requires_grad=True)
    other = ml.optim.Adam([w], lr=0.1)
    w.sum().backward()
    other.step()
    with pytest.raises(ArgumentError, match=r"exp_avg of shape \(3,\) for a parameter of shape \(2,\)"):
        one.load_state_dict(other.state_dict())
    assert one.param_groups[0]["lr"] == 0.5


def test_a_loaded_state_is_a_copy() -> None:
    w = ml.ones(2, requires_grad=True)
    optimizer = ml.optim.Adam([w], lr=0.1)
    w.sum().backward()
    optimizer.step()
    state = optimizer.state_dict()
    optimizer.load_state_dict(state)
    optimizer.step()
    assert state["state"][0]["exp_avg"].tolist() == pytest.approx([0.1, 0.1])


def test_schedules_teach() -> None:
    optimizer = ml.optim.SGD([ml.ones(1, requires_grad=True)], lr=0.1)
    with pytest.raises(ArgumentError, match="StepLR got step_size=0"):
        StepLR(optimizer, step_size=0)
    with pytest.raises(ArgumentError, match="A schedule changes the rates of an optimizer"):
        StepLR([ml.ones(1)], step_size=2)
    with pytest.raises(ArgumentError, match="2 functions for 1 groups"):
        ml.optim.lr_scheduler.LambdaLR(optimizer, [lambda e: 1.0] * 2)


def test_a_group_that_is_added_later_keeps_its_rate() -> None:
    optimizer = ml.optim.SGD([ml.ones(1, requires_grad=True)], lr=0.4)
    schedule = StepLR(optimizer, step_size=1, gamma=0.5)
    optimizer.add_param_group({"params": [ml.ones(1, requires_grad=True)], "lr": 0.3})
    schedule.step()
    assert schedule.get_last_lr() == [0.2, 0.3]
