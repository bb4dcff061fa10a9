"""Views of real recordings, at 900 px in both themes: every step can be read."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

import minitorch_lab as ml
from minitorch_lab.widgets import Backward, Forward, Tape, View
from tests.browser import looks
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.browser


def product() -> ml.Recording:
    """A value that is read twice: exp(v) (1 + exp(v)) at v = ln 2."""
    v1 = ml.tensor(0.6931, requires_grad=True)
    with ml.record() as recording:
        v2 = v1.exp()
        v3 = 1 + v2
        v4 = v2 * v3
        v4.backward()
    return recording


def two_branches() -> ml.Recording:
    """Two ways that meet: x² sin x at 2."""
    x = ml.tensor(2.0, requires_grad=True)
    with ml.record() as recording:
        y = x**2 * x.sin()
        y.backward()
    return recording


def matrices() -> ml.Recording:
    """Tensors of several elements, and a product with itself."""
    x = ml.tensor([[1.0, 2.0], [3.0, 4.0]])
    w = ml.tensor([[0.5, -1.0], [0.25, 1.0]], requires_grad=True)
    b = ml.tensor([0.1, -0.1], requires_grad=True)
    with ml.record() as recording:
        h = ml.tanh(x @ w + b)
        loss = (h * h).sum()
        loss.backward()
    return recording


def training_step() -> ml.Recording:
    """A small network: forward, backward, update."""
    ml.manual_seed(0)
    model = ml.nn.Sequential(ml.nn.Linear(64, 32), ml.nn.ReLU(), ml.nn.Linear(32, 10))
    optimizer = ml.optim.SGD(model.parameters(), lr=0.1)
    x, y = ml.randn(16, 64), ml.randint(0, 10, (16,))
    with ml.record() as recording:
        loss = ml.nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
    return recording


def many_readers() -> ml.Recording:
    """A graph whose values are read in many places, with long edges."""
    p, q = ml.tensor(1.0, requires_grad=True), ml.tensor(2.0, requires_grad=True)
    with ml.record() as recording:
        u = p * q
        v = u + p
        w = u * v
        z = w - q / v
        t = z * u + p
        t.backward()
    return recording


def one_direction() -> ml.Recording:
    """Forward mode: x² sin x at 2, with its tangent."""
    with ml.record() as recording:
        ml.func.jvp(lambda x: x**2 * x.sin(), (ml.tensor(2.0),), (ml.tensor(1.0),))
    return recording


def two_directions() -> ml.Recording:
    """Forward mode, once for each input."""
    x1, x2, on, off = ml.tensor(2.0), ml.tensor(5.0), ml.tensor(1.0), ml.tensor(0.0)

    def f(x1: ml.Tensor, x2: ml.Tensor) -> ml.Tensor:
        return x1.log() + x1 * x2 - x2.sin()

    with ml.record() as recording:
        ml.func.jvp(f, (x1, x2), (on, off))
        ml.func.jvp(f, (x1, x2), (off, on))
    return recording


def hooks() -> ml.Recording:
    """Hooks on a leaf, on a value and on a node."""
    x = ml.tensor(2.0, requires_grad=True)
    with ml.record() as recording:
        y = x * 1
        y.register_hook(lambda g: g.clamp(max=1))
        z = y * 10
        z.grad_fn.register_hook(lambda sent, came: (sent[0] * 2, None))
        x.register_hook(lambda g: g * 3)
        z.backward()
    return recording


def as_results() -> ml.Recording:
    """The walk of func.grad: gradients are returned."""
    with ml.record() as recording:
        ml.func.grad(lambda x1, x2: x1.log() + x1 * x2 - x2.sin(), (0, 1))(ml.tensor(2.0), ml.tensor(5.0))
    return recording


def twice() -> ml.Recording:
    """x³ at 3, and the derivative of its derivative: the first walk makes a band of its own."""
    x = ml.tensor(3.0, requires_grad=True)
    with ml.record() as recording:
        y = x**3
        (g,) = ml.autograd.grad(y, x, create_graph=True)
        ml.autograd.grad(g, x)
    return recording


def checkpointed() -> ml.Recording:
    """A checkpoint between other ops: the walk runs it again."""
    x = ml.tensor(0.5, requires_grad=True)

    def f(x: ml.Tensor) -> ml.Tensor:
        a = x.exp()
        b = a.sin()
        return b * a

    with ml.record() as recording:
        z = ml.autograd.checkpoint(f, x) * 2
        z.backward()
    return recording


def mapped() -> ml.Recording:
    """vmap over 256 examples with shared weights."""

    def score(w: ml.Tensor, x: ml.Tensor) -> ml.Tensor:
        h = (w * x).tanh()
        s = w.sum()
        return (h * s).sum()

    with ml.record() as recording:
        ml.func.vmap(score, in_axes=(None, 0))(ml.tensor([1.0, 2.0, 3.0]), ml.ones(256, 3))
    return recording


def per_example() -> ml.Recording:
    """vmap of grad: the inner walk is part of the program."""
    with ml.record() as recording:
        ml.func.vmap(ml.func.grad(lambda w, x: (w * x).sum().tanh()), (None, 0))(ml.ones(3), ml.ones(8, 3))
    return recording


RECORDED = [
    *((kind, record) for kind in (Tape, Backward) for record in (product, two_branches, matrices)),
    *((kind, record) for kind in (Tape, Backward) for record in (training_step, many_readers)),
    *((Backward, record) for record in (hooks, as_results, twice, checkpointed)),
    *((kind, per_example) for kind in (Tape, Backward)),
    (Tape, mapped),
    *((Forward, record) for record in (one_direction, two_directions)),
]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("kind", "record"), RECORDED)
def test_every_step_can_be_read(
    show: OpenPage, record: Callable[[], ml.Recording], kind: Callable[[ml.Recording], View], theme: str
) -> None:
    view = kind(record())
    page = show(view.scene, theme)
    tall = looks.height(page)
    faults: dict[str, list[int]] = {}
    for step in range(view.steps):
        page.evaluate(f"document.querySelector('minitorch-view').step = {step}")
        for fault in looks.crowded(looks.view(page)):
            faults.setdefault(fault, []).append(step)
        assert looks.height(page) == tall, f"step {step}"
    assert faults == {}


def test_a_tangent_goes_forward_on_its_own_double_line(show: OpenPage) -> None:
    page = show(Forward(one_direction()).scene, step=4)
    assert page.locator(".push.now").count() == 2
    assert page.locator(".chip.tangent.now").all_text_contents() == ["3.637", "−1.665"]
    assert page.locator(".back").count() == 0, "nothing goes back"
    page.locator(".box").focus()
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift")  # cuts off the way back
    assert page.locator(".graph .push.on").count() == 2, "those of x alone"
    assert looks.violations(page) == []


def test_a_hook_is_marked_before_it_fires_and_loud_when_it_does(show: OpenPage) -> None:
    view = Backward(hooks())
    says = [step["say"] for step in view.scene["steps"]]
    page = show(view.scene, step=3)
    assert page.locator(".graph .hooked.on").count() == 0, "the walk has not begun"
    for step, said in enumerate(says):
        page.evaluate(f"document.querySelector('minitorch-view').step = {step}")
        assert page.locator(".graph .hooked.now").count() == ("hook on " in said), said
    assert page.locator(".graph .hooked.on").count() == 3
    assert looks.violations(page) == []


def test_the_band_of_a_walk_is_named_and_holds_its_ops(show: OpenPage) -> None:
    page = show(Backward(twice()).scene)
    assert page.locator(".layer-head").all_text_contents() == ["made by the backward walk"]
    band = page.locator(".layer-band").bounding_box()
    ops = [box.bounding_box() for box in page.locator(".graph .node.op").all()]
    assert band is not None
    inside = [box for box in ops if box is not None and band["y"] < box["y"] < band["y"] + band["height"]]
    assert (len(ops), len(inside)) == (4, 3)
    assert looks.violations(page) == []


def test_what_a_checkpoint_drops_is_dashed_until_it_is_computed_again(show: OpenPage) -> None:
    view = Backward(checkpointed())
    says = [step["say"] for step in view.scene["steps"]]
    done = next(k for k, said in enumerate(says) if said.startswith("The checkpoint is done"))
    page = show(view.scene, step=done)
    assert page.locator(".graph .node.gone").count() == 5
    assert looks.violations(page) == []
    page.locator(".box").focus()
    page.keyboard.press("]")
    page.keyboard.press("]")
    expect(page.locator(".say")).to_contain_text("So the checkpoint runs again, forward, from x.")
    for left in (3, 1, 0):
        page.keyboard.press("ArrowRight")
        assert page.locator(".graph .node.gone").count() == left


def test_the_batch_axis_stands_apart_in_its_pill(show: OpenPage) -> None:
    view = Tape(mapped())
    page = show(view.scene, step=view.steps - 1)
    assert page.locator(".graph .batch-label").all_text_contents() == ["B=256"] * 5
    for pill in page.locator(".graph .node:has(.batch)").all():
        parts = [pill.locator(part).bounding_box() for part in (".batch-label", ".batch-edge", ".val")]
        edges = [(box["x"], box["x"] + box["width"]) for box in parts if box is not None]
        assert len(edges) == 3
        assert edges[0][1] <= edges[1][0] + 1, "the label is left of the line"
        assert edges[1][1] <= edges[2][0] + 1, "one example is right of it"
    assert looks.violations(page) == []
