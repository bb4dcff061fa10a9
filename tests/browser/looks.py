"""What the browser tests measure in a page: accessibility, geometry, work. The measuring itself is in looks.js."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

SCRIPT = Path(__file__).with_name("looks.js").read_text(encoding="utf-8")
AXE = Path(__file__).parents[2] / "widgets" / "node_modules" / "axe-core" / "axe.min.js"


def _measure(page: Page, what: str, argument: Any = None) -> Any:
    if page.evaluate("typeof looks") == "undefined":
        page.evaluate(SCRIPT)
    return page.evaluate(f"(argument) => looks.{what}(argument)", argument)


def crowded(page: Page, nth: int = 0) -> list[str]:
    """Texts and boxes of the n-th view that overlap, are cut, or are too small to read."""
    faults: list[str] = _measure(page, "crowded", nth)
    return faults


def violations(page: Page, selector: str = "minitorch-view", *rules: str) -> list[str]:
    """What axe-core finds in our elements, by all of its rules or by those that are named."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = _measure(page, "violations", {"selector": selector, "rules": rules})
    return found


def lost(page: Page) -> list[str]:
    """Controls that cannot be reached with the pointer."""
    controls: list[str] = _measure(page, "lost")
    return controls


def seek_changes(page: Page, steps: list[int]) -> list[int]:
    """How many elements each of these seeks, one after the other, changes: what a busy machine cannot change."""
    counts: list[int] = _measure(page, "seeks", steps)
    return counts


def at(page: Page) -> int:
    """The step that the (first) view of the page shows."""
    return int(page.locator(".box").first.get_attribute("data-step") or -1)


def height(page: Page) -> float:
    """The height of the view in px."""
    box: Any = page.locator("minitorch-view").bounding_box()
    return float(box["height"])
