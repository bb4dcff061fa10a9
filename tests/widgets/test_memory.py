"""The view "Memory" and the laboratory: what they say, what they link, and what they add up to."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, RecordingError
from minitorch_lab.recording import Recording
from minitorch_lab.recording import events as ev
from minitorch_lab.widgets.backward import backward_scene
from minitorch_lab.widgets.example import backward_example, memory_example
from minitorch_lab.widgets.frame import Json, combine
from minitorch_lab.widgets.laboratory import lab_scene
from minitorch_lab.widgets.memory import memory_scene
from minitorch_lab.widgets.tape import tape_scene


@pytest.fixture(scope="module")
def example() -> Recording:
    return memory_example()


@pytest.fixture(scope="module")
def scene(example: Recording) -> Json:
    return memory_scene(example)


def test_the_worked_example_tells_its_bytes(scene: Json) -> None:
    """784 → 256 → 10 on 32 examples in float32: parameters 814,120 B, and the peak where W1.grad is made."""
    say = [step["say"] for step in scene["steps"]]
    assert "814,120 B of parameters and 100,352 B of inputs are there" in say[0]
    assert say[3] == (
        "`relu` makes h, 32,768 B of activation: backward of `relu` and `matmul` will need it. "
        "x @ W1 + b1 is released. Alive: 947,240 B."
    )
    (at_peak,) = [text for text in say if "Here is the peak" in text]
    assert at_peak.startswith("The rule of `matmul` makes W1.grad, 802,816 B of gradient.")
    assert "1,795,672 B" in at_peak
    assert "4 ops of one line (`add_scaled`) need no new memory: they write in place." in say[-2]


BYTES, RELEASED = re.compile(r"([\d,]+) B"), re.compile(r"\d+ blocks of [\d,]+ B are released")


def told(text: str) -> int:
    return sum(int(found.replace(",", "")) for found in BYTES.findall(text))


def two_steps() -> Recording:
    x, y, w = ml.rand(8, 3), ml.ones(8), ml.zeros(3, requires_grad=True)
    with ml.record() as rec:
        for _ in range(2):
            p = (x @ w).sigmoid()
            loss = -(y * p.log() + (1 - y) * (1 - p).log()).mean()
            loss.backward()
            with ml.no_grad():
                w -= 0.1 * w.grad  # pyright: ignore[reportOperatorIssue]
            w.grad = None
    return rec


def small_step() -> Recording:
    x, y = ml.ones(100, requires_grad=True), ml.ones(100)
    with ml.record() as rec:
        a = x.exp()
        b = a * y
        loss = -b.mean()
        loss.backward()
    return rec


@pytest.mark.parametrize("recorded", [small_step, two_steps, memory_example])
def test_what_is_told_adds_up(recorded: Callable[[], Recording]) -> None:
    """From what is there before the first op, by all that comes and goes, to what is alive after each step."""
    scene = memory_scene(recorded())
    blocks = scene["panels"][0]["blocks"]
    first, *steps, last = scene["steps"]
    before, _, later = first["say"].partition(" Another ")
    alive, inputs, since = told(before), told(later), first["at"]
    for step in steps:
        say = step["say"]
        made = told(RELEASED.sub("", say.partition(" Here is")[0].partition(" Alive")[0]))
        gone = [one for one in blocks if one["died"] is not None and one["born"] <= since < one["died"] <= step["at"]]
        brief = told("".join(re.findall(r"([\d,]+ B) of that is gone again", say)))
        alive += made - sum(one["bytes"] for one in gone) - (brief if " Here is" in say else 2 * brief)
        inputs -= sum(told(found) for found in re.findall(r"Now .*?, ([\d,]+ B) of input\.", say))
        assert f"Alive: {alive:,} B." in say
        assert RELEASED.search(say) or all(one["name"].removeprefix("the ") in say for one in gone)
        since = step["at"]
    assert inputs == 0
    assert f"The peak was {scene['panels'][0]['peak']['bytes']:,} B." in last["say"]


def test_the_blocks_of_a_walk_are_called_by_what_they_hold() -> None:
    names = [block["name"] for block in memory_scene(small_step())["panels"][0]["blocks"]]
    assert names == ["x", "a", "y", "b", "b.mean()", "loss", "the seed", "∂b", "∂a", "x.grad"]
    say = [step["say"] for step in memory_scene(two_steps())["steps"]]
    assert any("∂p by log and ∂p are released" in text for text in say)


def test_the_peak_is_that_of_an_account() -> None:
    def step() -> None:
        w = ml.ones(250, requires_grad=True)
        (w * 2).exp().sum().backward()

    with ml.record() as rec, ml.memory.account() as found:
        step()
    panel = memory_scene(rec)["panels"][0]
    assert panel["peak"]["bytes"] == found.peak
    assert sum(b["bytes"] for b in panel["blocks"] if b["died"] is None) == found.live


def test_every_block_is_linked_with_its_line_its_op_and_its_tensor(scene: Json) -> None:
    names = {block["name"]: block["id"] for block in scene["panels"][0]["blocks"]}
    links = scene["links"]
    relu = next(id for id in links[names["h"]] if id.startswith("o"))
    assert "l1" in links[names["h"]]
    assert names["h"] in links["l1"]
    assert names["h"] in links[relu]
    assert any(id.startswith("t") for id in links[names["W1"]])
    assert scene["details"]["o1"] == "matmul · makes x @ W1"
    assert scene["details"][names["W1.grad"]].startswith("`W1.grad` · gradient · 802,816 B · shape (784, 256)")


def test_owners_are_modules_names_and_lines() -> None:
    model = ml.nn.Sequential(ml.nn.Linear(4, 4), ml.nn.ReLU())
    with ml.record() as rec:
        model(ml.ones(2, 4)).sum().backward()
    owners = {owner["label"] for owner in memory_scene(rec)["panels"][0]["owners"]}
    assert any(name.endswith("0") for name in owners)
    assert any(name.startswith("line ") for name in owners)


def test_many_moments_are_told_by_line() -> None:
    with ml.record() as rec:
        x = ml.ones(4, requires_grad=True)
        for _ in range(100):
            x = x * 2
        x.sum().backward()
    say = [step["say"] for step in memory_scene(rec)["steps"]]
    assert len(say) < 10
    assert any(text.startswith("100 ops of `mul ×100` (`mul`) make 100 blocks") for text in say)


def test_without_memory_it_says_what_to_do() -> None:
    empty = Recording()
    empty.complete = True
    with pytest.raises(RecordingError) as error:
        memory_scene(empty)
    assert " ".join(str(error.value).split()) == (
        "Memory got a recording in which no memory was seen. The view shows the births and deaths of what tensors hold "
        "while the block runs. Put the lines that compute inside `with ml.record() as rec:`; older recordings have to "
        "be made again."
    )


# ---- on one scrubber -------------------------------------------------------------------------------------


def test_the_clock_never_runs_back(example: Recording) -> None:
    for scene in (backward_scene(example), tape_scene(example), memory_scene(example), lab_scene(example)):
        at = [step["at"] for step in scene["steps"]]
        assert at == sorted(at)
        assert at[-1] < len(example)


def test_the_first_tells_and_the_second_fills_in(example: Recording) -> None:
    tape, memory = tape_scene(example), memory_scene(example)
    both = combine(tape, memory)
    told, own = [step["say"] for step in both["steps"]], [step["say"] for step in tape["steps"]]
    assert [say for say in told if say in own] == own
    read = next(step for step in both["steps"] if step["say"].startswith("`matmul` is read"))
    assert any(id.startswith("a") for id in read["focus"])  # the blocks that its rule makes
    assert [panel["id"] for panel in both["panels"]] == ["tape", "memory"]
    ops = [op.id for op in example.each(ev.Op)][:3]
    for op in ops:  # a step that runs an op marks its node and its block
        step = next(step for step in both["steps"] if op in step["focus"])
        assert any(id.startswith("a") for id in step["focus"])


def test_the_other_way_round_the_graph_still_fills(example: Recording) -> None:
    both = combine(memory_scene(example), tape_scene(example))
    drawn = {event["id"] for step in both["steps"] for event in step["events"] if event["type"] == "value"}
    assert {op.output for op in example.each(ev.Op)[:6]} <= drawn


def test_kept_bars_keep_their_steps(example: Recording) -> None:
    backward = backward_scene(example)
    both = combine(backward, memory_scene(example))
    for before, after in zip(backward["kept"], both["kept"], strict=True):
        for (a, b), (c, d) in zip(before["spans"], after["spans"], strict=True):
            assert backward["steps"][a]["say"] == both["steps"][c]["say"]
            assert backward["steps"][b]["say"] == both["steps"][d]["say"]


def test_views_of_two_recordings_are_not_combined(example: Recording) -> None:
    with pytest.raises(ArgumentError) as error:
        combine(memory_scene(example), backward_scene(backward_example()))
    assert " ".join(str(error.value).split()) == (
        "Memory | Backward got views of two recordings. Views are combined on the clock of one recording. "
        "Did you mean ml.widgets.Compare(rec_a, rec_b)? It shows both on one axis."
    )
    with pytest.raises(ArgumentError) as error:
        combine(tape_scene(example), backward_scene(example))
    assert " ".join(str(error.value).split()) == (
        "Tape | Backward got two views with a graph. A picture has room for one graph, and every number of the two "
        "would stand there twice. Did you mean Tape(rec) | Memory(rec), and Backward(rec) below it?"
    )


def test_views_combine_with_a_bar(example: Recording) -> None:
    both = ml.widgets.Tape(example) | ml.widgets.Memory(example)
    assert both.scene["title"] == "Tape | Memory"
    with pytest.raises(ArgumentError, match="puts two views of one recording on one scrubber"):
        _ = both | 3
