"""Pictures larger than their window: they show that they go on, follow the step, and have no empty room beside them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

import minitorch_lab as ml
from minitorch_lab.widgets import Backward
from tests.browser import looks
from tests.browser.conftest import OpenPage

pytestmark = pytest.mark.browser


def chain() -> dict[str, Any]:
    """A picture several windows wide."""
    x = ml.tensor(0.5, requires_grad=True)
    with ml.record() as recording:
        y = x
        for _ in range(8):
            y = (y * 1.5).sin()
        y.backward()
    return Backward(recording).scene


def penalty() -> dict[str, Any]:
    """Two bands: a loss that contains a gradient."""
    x = ml.tensor(1.0, requires_grad=True)
    with ml.record() as recording:
        y = x**3
        (slope,) = ml.autograd.grad(y, x, create_graph=True)
        loss = slope**2
        ml.autograd.grad(loss, x)
    return Backward(recording).scene


def fades(page: Page) -> list[float]:
    """How far the picture fades to the left and to the right."""
    style = "e => ['--w', '--e'].map(side => parseFloat(e.style.getPropertyValue(side)))"
    found: list[float] = page.locator(".more").evaluate(style)
    return found


INSIDE = """(view, ids) => {
    const root = view.shadowRoot, pic = root.querySelector('.pic').getBoundingClientRect();
    return ids.every(id => {
        const box = root.querySelector(`.node[data-id="${id}"]`).getBoundingClientRect();
        return box.left >= pic.left && box.right <= pic.right; }) }"""


def test_a_picture_fades_where_it_goes_on_and_follows_the_step(show: OpenPage) -> None:
    scene = chain()
    page = show(scene)
    assert fades(page) == [0, 40]
    page.locator(".box").focus()
    seen: set[tuple[bool, ...]] = set()
    for k, step in enumerate(scene["steps"][1:], start=1):
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Shift")  # cuts off what moves
        assert looks.at(page) == k
        actors = step["focus"] if len(step["focus"]) <= 2 else step["focus"][:1]  # a whole loop is one step
        assert page.locator("minitorch-view").evaluate(INSIDE, actors), step["say"]
        seen.add(tuple(fade > 0 for fade in fades(page)))
    assert seen == {(True, True), (False, True), (True, False)}


def test_a_picture_that_fits_cannot_be_scrolled(show: OpenPage) -> None:
    page = show(penalty(), width=1120)
    room = "e => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
    assert page.locator(".pic").evaluate(room) == [0, 0]
    assert fades(page) == [0, 0]


def test_two_bands_their_controls_and_their_words_fit_one_window(show: OpenPage) -> None:
    page = show(penalty(), width=1120)
    box, say = page.locator(".box").bounding_box(), page.locator(".say").bounding_box()
    assert box is not None
    assert say is not None
    assert say["y"] + say["height"] - box["y"] < 900  # of a window of 1000 a notebook's own bars take the rest
