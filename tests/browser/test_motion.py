"""Views that move, in a real browser: what is left is what was drawn, whatever was cut off; nothing moves unasked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from minitorch_lab.widgets.page import page
from tests.widgets.fixtures import scene

from .conftest import watch

pytestmark = pytest.mark.browser

ROOT = "document.querySelector('minitorch-view').shadowRoot"
MOVING = ("twice", "tape", "fusion", "lab", "folded", "memory")
# Shows a moment between two steps, and says how everything that moves looks there.
LOOK = """
([moment]) => {
  const view = document.querySelector("minitorch-view"), length = view.at(moment);
  const css = ["transform", "translate", "scale", "opacity", "visibility", "fill", "stroke", "strokeDashoffset"];
  const looks = ({ effect: { target } }) => [target.outerHTML, ...css.map((name) => getComputedStyle(target)[name])];
  const moving = view.shadowRoot.getAnimations().filter((a) => !(a instanceof CSSTransition));
  return [length, moving.map((a) => looks(a).join().replace(/mask-\\d+/g, "mask"))];
}
"""
# Presses keys, cuts off what moves, and says what is drawn. How many animations there were, and how many are left.
WALK = """
([keys]) => {
  const root = document.querySelector("minitorch-view").shadowRoot, box = root.querySelector(".box");
  const press = (key) => box.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, composed: true }));
  const moving = () => root.getAnimations().filter((a) => !(a instanceof CSSTransition)).length;
  const drawn = () => [...root.querySelectorAll(".pictures, .left, .say, .count")].map((e) => e.outerHTML).join("");
  let moved = 0, left = 0;
  const pictures = keys.map((some) => {
    some.forEach(press);
    moved += moving();
    press("Shift");
    left += moving();
    return drawn();
  });
  return { pictures, moved, left };
}
"""


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Open a scene for a reader who wants motion, or one who does not; at the end the page must have been quiet."""
    pages: list[tuple[Page, list[str]]] = []

    def open_page(of: dict[str, Any], reduced: bool = False) -> Page:
        path = tmp_path / "view.html"
        path.write_text(page(of, 0), encoding="utf-8")
        new = browser.new_page(viewport={"width": 900, "height": 900}, reduced_motion="reduce" if reduced else None)
        pages.append((new, watch(new)))
        new.goto(path.as_uri())
        new.wait_for_selector("minitorch-view .count")
        return new

    yield open_page
    for new, faults in pages:
        new.close()
        assert faults == []


@pytest.mark.parametrize("name", MOVING)
def test_what_is_left_is_what_is_drawn_without_motion(opened: Callable[..., Page], name: str) -> None:
    of = scene(name)
    n = len(of["steps"])
    keys = [["ArrowRight"]] * n + [["ArrowLeft"]] * n + [["ArrowRight"] * 10, ["ArrowLeft", "ArrowRight", "ArrowLeft"]]
    lively, calm = (opened(of, reduced).evaluate(WALK, [keys]) for reduced in (False, True))
    assert lively["pictures"] == calm["pictures"]
    assert lively["moved"] > 0 or name == "memory"
    assert (lively["left"], calm["moved"]) == (0, 0)


def test_the_same_moment_is_the_same_picture(opened: Callable[..., Page]) -> None:
    view = opened(scene("twice"))
    for moment in (2.4, 8.6, 9.5):
        length, first = view.evaluate(LOOK, [moment])
        _, elsewhere = view.evaluate(LOOK, [moment - 0.2])
        assert 240 <= length <= 2200
        assert len(first) > 3
        assert elsewhere != first
        assert view.evaluate(LOOK, [moment]) == [length, first]


def test_a_score_goes_to_its_end_and_pauses_in_the_middle(opened: Callable[..., Page]) -> None:
    view = opened(scene("twice"))
    moving = f"{ROOT}.getAnimations().filter((a) => !(a instanceof CSSTransition))"
    view.evaluate(f"{ROOT}.querySelector('.box').focus()")
    view.evaluate("document.querySelector('minitorch-view').step = 2")
    view.keyboard.press("Space")
    view.wait_for_function(f"{moving}.length > 0")
    view.keyboard.press("Space")
    assert view.evaluate(f"{moving}.every((a) => a.playState === 'paused')")
    view.keyboard.press("Space")
    assert view.evaluate(f"{moving}.some((a) => a.playState === 'running')")
    view.keyboard.press("Space")
    view.keyboard.press("ArrowLeft")
    view.wait_for_function(f"{moving}.length === 0")
    assert view.evaluate("document.querySelector('minitorch-view').step") == 2
