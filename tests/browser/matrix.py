"""What every view must do wherever it stands, whatever it shows: the bare page, the book and JupyterLab ask the same.

A view is the locator of its host, in whose shadow root it stands: a `<minitorch-view>`, or in JupyterLab what anywidget
has made. Nothing here asks more of a host: steps are counted and taken by what a reader sees.
"""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser import looks

WIDTHS = [320, 700, 1400]
THEMES = ["light", "dark"]
ZOOMED = {"viewport": {"width": 640, "height": 512}, "device_scale_factor": 2}  # 1280 × 1024 at 200 %


def steps(view: Locator) -> int:
    """How many steps the view has."""
    return int(view.locator(".range").get_attribute("max") or 0) + 1


def fits(view: Locator) -> None:
    """Nothing overlaps or is cut, nothing is wider than its place, and the height is the same at every step."""
    looks.seek(view, 0)
    assert looks.wider(view) <= 0
    assert looks.crowded(view) == []
    heights = looks.heights(view)
    assert len(set(heights)) == 1, f"the height changes with the step: {heights}"


def can_be_read_zoomed(view: Locator) -> None:
    """Of a window that is half as large, what stays on top leaves most; the scrubber is there, and can be taken."""
    sizes: list[float] = view.evaluate(
        "({ shadowRoot: root }) => { const size = (name) => root.querySelector(name)?.getBoundingClientRect();"
        "return [(size('.head') ?? size('.bar')).height, size('.track').width, size('.play').height] }"
    )
    head, track, play = sizes
    assert head < view.page.evaluate("innerHeight") / 2
    assert track >= 120
    assert play >= 24
    fits(view)


def is_accessible(view: Locator) -> None:
    """Axe-core finds nothing where something is loud, and nothing where a part of a picture has the focus."""
    looks.seek(view, steps(view) // 2)
    assert looks.violations_in(view) == []
    view.locator(".node, .stop").first.focus()
    assert looks.violations_in(view) == []


def by_keyboard(view: Locator) -> None:
    """Keys walk it, find a thing in it, select it, and let it go. What is folded is passed in one step."""
    keyboard, box = view.page.keyboard, view.locator(".box")
    box.focus()
    stops: list[int] = []
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End"):
        keyboard.press(key)
        stops.append(int(box.get_attribute("data-step") or -1))
    start, first, second, again, home, end = stops
    assert (start, first, again, home, end) == (0, 1, 1, 0, steps(view) - 1)
    assert second == 2 or view.locator(".node.fold").count() > 0
    keyboard.press("ArrowDown")
    found = view.evaluate("({ shadowRoot }) => shadowRoot.activeElement.dataset.id")
    keyboard.press("Enter")
    expect(view.locator(f"[data-id='{found}'][data-lit]").first).to_be_attached()
    expect(view.locator(".aloud").first).to_contain_text("Selected:")
    keyboard.press("Escape")
    assert view.locator("[data-lit]").count() == 0


def keeps_still(view: Locator) -> None:
    """With reduced motion, nothing moves when a step is taken."""
    view.page.emulate_media(reduced_motion="reduce")
    looks.seek(view, 0)
    view.locator(".box").press("ArrowRight")
    view.page.evaluate("new Promise(requestAnimationFrame)")
    assert view.evaluate("({ shadowRoot }) => shadowRoot.getAnimations().length") == 0
