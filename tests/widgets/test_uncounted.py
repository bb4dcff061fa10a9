"""What is easily told wrongly: writes that nobody counts, gradients that no tray takes, idle checkpoints."""

from __future__ import annotations

from minitorch_lab.widgets import Backward, Tape
from tests.widgets.runs import run

DATA = """\
x = ml.tensor([1.0], requires_grad=True)
with record() as rec:
    y = x.exp()
    other = y.data
    other *= 100
    y.sum().backward()
"""
BOTH = """\
x = ml.tensor(3.0, requires_grad=True)
with record() as rec:
    z = x * 2
    z.backward()
    y = x ** 2
    (g,) = ml.autograd.grad(y, x)
"""


def told(text: str, view: type[Tape] | type[Backward]) -> list[str]:
    return [line.partition(". ")[2] for line in view(run(text)).transcript()]


def test_a_write_through_data_is_told_as_one_that_nobody_counts() -> None:
    assert told(DATA, Tape)[4] == (
        "The memory under other now holds 271.8, version 1. `exp` kept y, which shows the same memory, but `.data` has "
        "a counter of its own: for y nobody has counted this write, and backward will not refuse."
    )
    assert "`exp` sends 271.8 to `x`: 1 (from above) × 271.8 (the saved y). The tray fills. Its pin drops." in told(
        DATA, Backward
    )


def test_a_write_through_detach_is_counted() -> None:
    text = DATA.replace("y.data", "y.detach()").replace("    y.sum().backward()\n", "")
    assert "But `exp` kept version 0: backward will refuse." in " ".join(told(text, Tape))


def test_grad_leaves_the_tray_that_backward_has_filled() -> None:
    assert told(BOTH, Tape)[-1].endswith("; the gradient by `x` is 6, and `x.grad` stays as it was.")
    steps = Backward(run(BOTH)).scene["steps"]
    said = [step["say"] for step in steps]
    assert said[-2] == "`pow` sends 6 to `x`: 1 (from above) × 6 (n × xⁿ⁻¹). Its pins drop."
    assert said[-1].startswith("autograd.grad() is over: the gradient by `x` is 6, and `x.grad` stays as it was. ")
    (leaf,) = (node for node in steps[-1]["events"] if node["type"] == "clear")
    passing = next(e for e in steps[-2]["events"] if e["type"] == "sum")
    assert passing["state"] == "wait"
    assert steps[-1]["events"][1] == {"type": "sum", "id": leaf["ids"][0], "text": "2", "state": "ok"}


def test_grad_before_backward_leaves_the_tray_empty() -> None:
    text = BOTH.replace("    z = x * 2\n    z.backward()\n", "") + "    z = x * 2\n    z.backward()\n"
    steps = Backward(run(text)).scene["steps"]
    (over,) = (step for step in steps if step["say"].startswith("autograd.grad() is over"))
    assert [event["type"] for event in over["events"]] == ["clear"]
    assert steps[-1]["say"].startswith("backward() is over: `x.grad` is 2.")


def test_a_checkpoint_that_saves_nothing_says_so() -> None:
    text = """\
x = ml.tensor(0.5, requires_grad=True)
with record() as rec:
    y = ml.autograd.checkpoint(lambda x: {of}, x)
    y.backward()
"""
    assert told(text.replace("{of}", "x.exp().sin()"), Backward)[-1].endswith(
        "1 op ran a second time. So short a checkpoint saves nothing: the tape kept 8\u2009B at its most, and would "
        "have kept 4\u2009B without. It pays where many ops stand between what is kept."
    )
    assert told(text.replace("{of}", "x.sin()"), Backward)[3] == (
        "The checkpoint is done. It keeps `x`, 4\u2009B. Without it no more would be kept, so it drops nothing."
    )
