"""What every view must do wherever it stands, whatever it shows: the bare page, the book and JupyterLab ask the same.

Each function takes the page and the place of the view on it: the n-th `<minitorch-view>`.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import looks

WIDTHS = [320, 700, 1400]
THEMES = ["light", "dark"]
ZOOMED = {"viewport": {"width": 640, "height": 512}, "device_scale_factor": 2}  # 1280 × 1024 at 200 %


def script(page: Page, body: str, nth: int, *more: Any) -> Any:
    """Run a script with the n-th view of the page as `view`."""
    return page.evaluate(
        f"([nth, ...more]) => {{ const view = document.querySelectorAll('minitorch-view')[nth]; {body} }}",
        [nth, *more],
    )


def steps(page: Page, nth: int = 0) -> int:
    """How many steps the view has."""
    return int(script(page, "return view.steps", nth))


def seek(page: Page, step: int, nth: int = 0) -> None:
    """Go to a step."""
    script(page, "view.step = more[0]", nth, step)


def fits(page: Page, nth: int = 0) -> None:
    """Nothing overlaps or is cut, nothing is wider than the window, and the height is the same at every step."""
    seek(page, 0, nth)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert looks.crowded(page, nth) == []
    heights = script(
        page,
        "const height = (k) => { view.step = k; return view.getBoundingClientRect().height };"
        "return [...Array(view.steps).keys()].map(height)",
        nth,
    )
    assert len(set(heights)) == 1, f"the height of view {nth} changes with the step: {heights}"


def can_be_read_zoomed(page: Page, nth: int = 0) -> None:
    """Of a window that is half as large, what stays on top leaves most; the scrubber is there, and can be taken."""
    sizes = script(
        page,
        "const root = view.shadowRoot, size = (name) => root.querySelector(name)?.getBoundingClientRect();"
        "return [(size('.head') ?? size('.bar')).height, size('.track').width, size('.play').height]",
        nth,
    )
    head, track, play = sizes
    assert head < page.evaluate("innerHeight") / 2
    assert track >= 120
    assert play >= 24
    fits(page, nth)


def by_keyboard(page: Page, nth: int = 0, folded: bool = False) -> None:
    """Keys walk it, find a thing in it, select it, and let it go. What is folded is passed in one step."""
    box = page.locator("minitorch-view .box").nth(nth)
    box.focus()
    stops: list[int] = []
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        page.keyboard.press(key)
        stops.append(int(box.get_attribute("data-step") or -1))
    start, first, second, again, home, end = stops
    assert (start, first, again, home, end) == (0, 1, 1, 0, steps(page, nth) - 1)
    assert second == 2 or folded
    page.keyboard.press("ArrowDown")
    found = script(page, "return view.shadowRoot.activeElement.dataset.id", nth)
    page.keyboard.press("Enter")
    view = page.locator("minitorch-view").nth(nth)
    expect(view.locator(f"[data-id='{found}'][data-lit]").first).to_be_attached()
    expect(view.locator(".aloud").first).to_contain_text("Selected:")
    page.keyboard.press("Escape")
    assert view.locator("[data-lit]").count() == 0


def keeps_still(page: Page, nth: int = 0) -> None:
    """With reduced motion, nothing moves when a step is taken."""
    page.emulate_media(reduced_motion="reduce")
    page.locator("minitorch-view .box").nth(nth).press("ArrowRight")
    page.evaluate("new Promise(requestAnimationFrame)")
    assert script(page, "return view.shadowRoot.getAnimations().length", nth) == 0
