"""Random programs with views, writes in place and no_grad: recording changes no number, and no picture overlaps."""

from __future__ import annotations

import random
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import run
from tests.widgets.test_layout import boxes, crossed, overlaps

HEAD = (
    "a = ml.tensor([[0.1, -0.2, 0.3], [0.4, 0.5, -0.6]], requires_grad=True)\n"
    "b = ml.tensor([[1.0, -2.0, 3.0], [0.4, 0.5, -0.6]], requires_grad=True)\n"
)

LINES = (
    "{v} = {x} + {y}",
    "{v} = {x} - {y}",
    "{v} = {x} * {y}",
    "{v} = {x}.exp()",
    "{v} = {x}.sin()",
    "{v} = {x}.relu()",
    "{v} = {x} * 2",
    "{v} = {x}.reshape(3, 2).T.reshape(2, 3)",
    "{v} = {x}[:, 1:].sum() + {y}",
    "{v} = {x} * 1; {v}.add_({y})",
    "{v} = {x} * 1; {v}[0] = 1.0",
    "{v} = {x} * 1; w{v} = {v}[0]; w{v}.mul_(2)",
    "with ml.no_grad():\n        {v} = {x} * {y}",
    "{v} = {x}.detach()",
    "{v} = {x} @ {y}.T @ {y}",
    "{v} = {x} + {x}.mean(dim=1, keepdim=True)",
    "{v} = {x}.softmax(dim=-1)",
)


def program(seed: int) -> str:
    """The indented body of a random program, which ends with a backward pass."""
    rng, names, lines = random.Random(seed), ["a", "b"], []
    for k in range(rng.randint(2, 9)):
        lines.append(rng.choice(LINES).format(v=f"v{k}", x=rng.choice(names), y=rng.choice(names)))
        names.append(f"v{k}")
    lines += [f"loss = ({names[-1]} * {rng.choice(names)}).sum() + (a * b).sum()", "loss.backward()"]
    return "    " + "\n    ".join(lines) + "\n"


def gradients(names: dict[str, Any]) -> list[Any]:
    return [names[name].grad.tolist() for name in "ab"]


@pytest.mark.parametrize("seed", range(40))
def test_a_random_program(seed: int) -> None:
    body = program(seed)
    plain: dict[str, Any] = {"ml": ml}
    exec(HEAD + "if True:\n" + body, plain)
    recording = run(HEAD + "with record() as rec:\n" + body + "grads = [x.grad.tolist() for x in (a, b)]\n")
    ends = [event.new.data for event in recording if type(event).__name__ == "Accumulate"]
    flat = [tuple(x for row in grad for x in row) for grad in gradients(plain)]
    assert sorted(map(repr, ends)) == sorted(map(repr, flat))
    for view in (tape_scene, backward_scene):
        graph = view(recording)["graph"]
        assert overlaps(boxes(graph)) == []
        assert crossed(graph) == []
