"""What the browser tests measure in a page: accessibility, geometry, work. The measuring itself is in looks.js.

A view is the locator of its host, in whose shadow root it stands: `view(page)`, in JupyterLab `lab.hosts(page).nth(k)`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

SCRIPT = Path(__file__).with_name("looks.js").read_text(encoding="utf-8")
AXE = Path(__file__).parents[2] / "widgets" / "node_modules" / "axe-core" / "axe.min.js"


def view(page: Page, nth: int = 0) -> Locator:
    """The n-th `<minitorch-view>` of a page."""
    return page.locator("minitorch-view").nth(nth)


def _prepare(page: Page) -> None:
    if page.evaluate("typeof looks") == "undefined":
        page.evaluate(SCRIPT)


def _measure(host: Locator, what: str, *more: Any) -> Any:
    _prepare(host.page)
    return host.evaluate(f"(host, more) => looks.{what}(host, ...more)", list(more))


def crowded(host: Locator) -> list[str]:
    """Texts and boxes of a view that overlap, are cut, or are too small to read."""
    faults: list[str] = _measure(host, "crowded")
    return faults


def lost(host: Locator) -> list[str]:
    """Controls of a view that cannot be reached with the pointer."""
    controls: list[str] = _measure(host, "lost")
    return controls


def wider(host: Locator) -> float:
    """By how many px a view is wider than the place it is given; not at all, when this is 0 or less."""
    return float(_measure(host, "wider"))


def seek(host: Locator, step: int) -> None:
    """Go to a step."""
    _measure(host, "seek", step)


def heights(host: Locator) -> list[float]:
    """The height of a view at each of its steps, in px."""
    found: list[float] = _measure(host, "heights")
    return found


def seek_changes(host: Locator, steps: list[int]) -> list[int]:
    """How many elements each of these seeks, one after the other, changes: what a busy machine cannot change."""
    counts: list[int] = _measure(host, "seeks", steps)
    return counts


def violations(page: Page, selector: str = "minitorch-view", *rules: str) -> list[str]:
    """What axe-core finds in our elements, by all of its rules or by those that are named."""
    return violations_in(page.locator(selector), *rules)


def violations_in(places: Locator, *rules: str) -> list[str]:
    """What axe-core finds in these elements, by all of its rules or by those that are named."""
    _prepare(places.page)
    if places.page.evaluate("typeof axe") == "undefined":
        places.page.evaluate(AXE.read_text(encoding="utf-8"))
    found: list[str] = places.evaluate_all("(places, rules) => looks.violations(places, rules)", list(rules))
    return found


def at(page: Page) -> int:
    """The step that the (first) view of the page shows."""
    return int(page.locator(".box").first.get_attribute("data-step") or -1)


def height(page: Page) -> float:
    """The height of the view in px."""
    box: Any = page.locator("minitorch-view").bounding_box()
    return float(box["height"])
