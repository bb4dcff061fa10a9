"""Writes in place: each version of a tensor shows what it held, so that every sum in the picture is true."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.widgets import Lab, Tape
from minitorch_lab.widgets.tape import tape_scene
from tests.widgets.runs import ALL, LISTING_1, run

Json = dict[str, Any]

# What an op computes of numbers, and the joint by which a sentence writes it.
RULES: dict[str, Callable[..., Any]] = {
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
    "div": operator.truediv,
    "exp": math.exp,
    "sin": math.sin,
    "log": math.log,
    "neg": operator.neg,
}

WRITES = {
    "three_versions": """\
x = ml.tensor(5.0)
with record() as rec:
    x += 1
    x *= 3
    y = x - 2
""",
    "read_between": """\
x = ml.tensor(5.0)
with record() as rec:
    a = x * 2
    x += 1
    b = x * 2
    x -= 4
    c = a + x
""",
    "of_a_result": """\
x = ml.tensor(2.0, requires_grad=True)
with record() as rec:
    y = x * 3
    y += 1
    y *= 2
    y.backward()
""",
    "by_data": """\
x = ml.tensor(2.0, requires_grad=True)
with record() as rec:
    y = x * 3
    x.data += 1
    z = x * 3
    (y + z).backward()
""",
    "by_data_and_again": """\
x = ml.tensor(2.0, requires_grad=True)
with record() as rec:
    for _ in range(2):
        y = x * 3
        x.data += 1
    z = y + x
    z.backward()
""",
    "by_an_optimizer": """\
w = ml.tensor(2.0, requires_grad=True)
opt = ml.optim.Adam([w], lr=0.5)
with record() as rec:
    for _ in range(3):
        opt.zero_grad()
        loss = w * 3
        loss.backward()
        opt.step()
""",
    "through_a_view": """\
x = ml.tensor([4.0])
with record() as rec:
    v = x.reshape(())
    a = v * 2
    x += 3
    b = v * 2
    c = x * 5
""",
    "a_constant_input": """\
k = ml.tensor(7.0)
x = ml.tensor(2.0)
with record() as rec:
    a = x * k
    k += 1
    b = x * k
    c = a + b
""",
    "without_gradient": """\
x = ml.tensor(3.0, requires_grad=True)
with record() as rec:
    y = x * x
    y.backward()
    with ml.no_grad():
        x -= 0.5
    z = x * x
""",
}


def parsed(text: str) -> float | None:
    """The number that a pill shows, if it is one."""
    try:
        return float(text.replace("−", "-").replace(",", ""))
    except ValueError:
        return None


def frames(scene: Json) -> Iterator[tuple[Json, dict[str, list[str]]]]:
    """Every step, with what each pill says after it: one text, or what it held and holds."""
    pills = {n["id"]: [n["label"]] for n in scene["graph"]["nodes"] if n["kind"] == "const"}
    for step in scene["steps"]:
        for event in step["events"]:
            if event["type"] in ("value", "write"):
                pills[event["id"]] = event["value"].split(" → ")
        yield step, {id: list(texts) for id, texts in pills.items()}


def wired(scene: Json) -> dict[str, tuple[str, list[str], str]]:
    """For every op its name, the pills it reads, in order, and the pill it makes, as the picture has them."""
    nodes = {node["id"]: node for node in scene["graph"]["nodes"]}
    found = {id: (node["label"], list[str](), "") for id, node in nodes.items() if node["kind"] == "op"}
    for edge in scene["graph"]["edges"]:
        if edge["to"] in found:
            found[edge["to"]][1].append(edge["from"])
        if edge["from"] in found:
            found[edge["from"]] = (*found[edge["from"]][:2], edge["to"])
    return found


def check_sums(scene: Json) -> int:
    """Whether each sum that the picture shows is true, then and in every later frame; how many were looked at."""
    ops, done, seen = wired(scene), set[str](), 0
    for step, pills in frames(scene):
        done |= {op for op, (_, _, out) in ops.items() if out in pills}
        for op in done:
            name, inputs, out = ops[op]
            if name not in RULES or not all(t in pills for t in inputs):
                continue
            shown = [[x for x in map(parsed, pills[t]) if x is not None] for t in [*inputs, out]]
            if not all(shown):
                continue
            seen += 1
            true = [
                abs(RULES[name](*numbers[:-1]) - numbers[-1]) <= 2e-3 * max(1.0, *map(abs, numbers))
                for numbers in product(*shown)
            ]
            assert any(true), (step["say"], name, [pills[t] for t in [*inputs, out]])
    return seen


@pytest.mark.parametrize("text", [*WRITES.values(), LISTING_1, *ALL.values()], ids=[*WRITES, "listing_1", *ALL])
def test_every_sum_in_the_picture_is_true(text: str) -> None:
    scene = tape_scene(run(text))
    seen = check_sums(scene)
    assert seen or text not in WRITES.values()


@pytest.mark.parametrize("text", WRITES.values(), ids=WRITES)
def test_the_sentence_and_the_picture_have_the_same_numbers(text: str) -> None:
    scene = tape_scene(run(text))
    makers = {out: (name, inputs) for name, inputs, out in wired(scene).values()}
    for step, pills in frames(scene):
        for event in step["events"]:
            name, inputs = makers.get(event.get("id"), ("", []))
            if "how" in event and name in RULES:
                assert f"{event['how']} = {event['value']}" in step["say"]
                shown = [pills[t][-1] for t in inputs]
                assert all(text in event["how"] for text in shown), (step["say"], shown)


def test_versions_keep_what_they_held() -> None:
    *_, (_, pills) = frames(Tape(run(WRITES["three_versions"])).scene)
    assert [pills[t] for t in ("t1", "t3", "t5", "t7")] == [["5"], ["6"], ["18"], ["16"]]


@pytest.mark.parametrize("view", [Tape, Lab])
def test_batchnorm_counts_from_nothing_to_one(view: Any) -> None:
    """The running statistics of a module are called as its parameters are, and 0 + 1 is 1."""
    model = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    with ml.record() as rec:
        _ = model(ml.randn(4, 3))
    scene = view(rec).scene
    names = {node["label"] for node in scene["graph"]["nodes"]}
    assert check_sums(scene)
    assert {"1.num_batches_tracked", "1.num_batches_tracked′", "1.running_mean", "1.running_mean′′"} <= names
    assert "0 + 1 = 1" in next(step["say"] for step in scene["steps"] if "num_batches_tracked′" in step["say"])


def test_the_gradient_of_a_parameter_has_one_name() -> None:
    w = nn.Linear(1, 1)
    opt = ml.optim.SGD(w.parameters(), lr=0.1)
    with ml.record() as rec:
        for _ in range(2):
            opt.zero_grad()
            w(ml.ones(1, 1)).sum().backward()
            opt.step()
    scene = Tape(rec).scene
    trays = [node["tray"]["label"] for node in scene["graph"]["nodes"] if "tray" in node]
    assert set(trays) == {"weight.grad", "bias.grad"}
    assert not any("′.grad" in step["say"] for step in scene["steps"])


def test_several_tensors_are_them() -> None:
    model = nn.Linear(2, 2)
    opt = ml.optim.SGD(model.parameters(), lr=0.1)
    with ml.record() as rec:
        model(ml.ones(1, 2)).sum().backward()
        opt.step()
    update = next(step["say"] for step in Tape(rec).scene["steps"] if step["phase"] == "update")
    assert update.startswith("`weight` and `bias` are written in place.")
    assert update.endswith("the tape does not see them.")


def test_the_details_say_the_version_that_the_picture_shows() -> None:
    scene = tape_scene(run(WRITES["by_an_optimizer"]))
    shown = {e["id"]: e["version"] for step in scene["steps"] for e in step["events"] if e["type"] == "write"}
    assert len(shown) == 2  # w′, and w″, which the last step writes to and nobody reads again
    for id, version in shown.items():
        assert scene["details"][id].endswith(f"version {version}")
