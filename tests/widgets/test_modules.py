"""The view "ModuleTree": every parameter and buffer once, repeats together, and linked with a recording."""

from __future__ import annotations

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.frame import combine
from minitorch_lab.widgets.modules import module_example, modules_scene


def test_the_worked_example_adds_up() -> None:
    model = module_example()
    scene = modules_scene(model)
    rows = scene["panels"][0]["rows"]
    assert [row["id"] for row in rows if row["kind"] == "parameter"] == [f"m:{n}" for n, _ in model.named_parameters()]
    assert [row["id"] for row in rows if row["kind"] == "buffer"] == [f"m:{n}" for n, _ in model.named_buffers()]
    assert rows[0]["count"] == sum(p.numel() for p in model.parameters()) == 204_042
    assert rows[0]["facts"] == ["training", "1 hook"]
    say = [step["say"] for step in scene["steps"]]
    assert say[1] == "`0`, Linear, holds weight (256, 784) and bias (256,): 200,960 numbers to learn, 98 % of all."
    assert say[2] == (
        "`1`, BatchNorm1d, holds weight (256,) and bias (256,), and the buffers running_mean, running_var and "
        "num_batches_tracked: 512 numbers to learn, under 1 % of all."
    )
    assert say[3] == "`2`, ReLU, has no parameters: nothing to learn."


def test_modules_that_repeat_are_one_row() -> None:
    layers = [nn.Sequential(nn.Linear(8, 8), nn.ReLU()) for _ in range(12)]
    rows = modules_scene(nn.Sequential(nn.Linear(4, 8), *layers))["panels"][0]["rows"]
    assert len(rows) < 10
    (together,) = [row for row in rows if "12 alike (1 to 12)" in row["what"]]
    assert together["count"] == 12 * 72


def test_what_is_frozen_or_shared_or_in_another_mode_says_so() -> None:
    class Tied(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first = nn.Linear(4, 4, bias=False)
            self.second = nn.Linear(4, 4, bias=False)
            self.second.weight = self.first.weight
            self.frozen = nn.Linear(4, 4, bias=False).requires_grad_(False).eval()

    facts = {row["id"]: row["facts"] for row in modules_scene(Tied())["panels"][0]["rows"]}
    assert "shared with first.weight" in facts["m:second.weight"]
    assert "shared with second.weight" in facts["m:first.weight"]
    said = [step["say"] for step in modules_scene(Tied())["steps"]]
    assert "weight is the same tensor as `second.weight`, counted once in all" in said[1]
    assert "weight is the same tensor as `first.weight`, counted once in all" in said[2]
    assert "frozen" in facts["m:frozen.weight"]
    assert facts["m:frozen"] == ["eval"]


def test_with_a_recording_it_is_on_its_clock_and_linked() -> None:
    model = nn.Sequential(nn.Linear(4, 3), nn.ReLU(), nn.Linear(3, 1))
    with ml.record() as rec:
        loss = model(ml.ones(2, 4)).sum()
        loss.backward()
    scene = modules_scene(model, rec)
    assert any("reads `0.weight`" in step["say"] for step in scene["steps"])
    assert any(id.startswith("o") for id in scene["links"]["m:0.weight"])
    both = combine(backward_scene(rec), scene)
    assert [panel["id"] for panel in both["panels"]] == ["tree"]
    lit = {id for step in both["steps"] for id in step["focus"]}
    assert {"m:0", "m:2"} <= lit


def test_what_the_top_itself_reads_is_told_under_its_own_name() -> None:
    class Scaled(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = nn.Parameter(ml.ones(2))

        def forward(self, x: ml.Tensor) -> ml.Tensor:
            return x * self.scale

    model = Scaled()
    with ml.record() as rec:
        model(ml.ones(2))
    assert modules_scene(model, rec)["steps"][1]["say"] == "`Scaled`: `mul` reads `scale`."


def test_what_is_no_module_is_refused() -> None:
    with pytest.raises(ArgumentError, match="ModuleTree got a int"):
        modules_scene(3)  # pyright: ignore[reportArgumentType]
