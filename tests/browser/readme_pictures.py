"""Makes the pictures of README.md from the code of README.md: `python -m tests.browser.readme_picture`."""

from __future__ import annotations

import re
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import sync_playwright

from tests.chromium import chromium

ROOT = Path(__file__).resolve().parents[2]


class Picture(NamedTuple):
    """A step of the view Backward, of what a Python block of README.md has recorded."""

    path: Path
    block: int  # counted from 0
    step: int


PICTURES = (
    Picture(ROOT / "book" / "_static" / "backward.png", 0, 9),  # `mul` sends −3 to `a`, where `add` has sent 1
    Picture(ROOT / "book" / "_static" / "double_backward.png", 1, 12),  # the second walk brings 18 to `x`
)


def run_code(picture: Picture, folder: Path) -> dict[str, Any]:
    """Run the block of a picture as a file of its own, and return its names."""
    blocks: list[str] = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    script = folder / f"{picture.path.stem}.py"  # Python remembers the lines of a file by its name
    script.write_text(blocks[picture.block], "utf-8")
    return runpy.run_path(str(script))


def main() -> None:
    """Write the pictures."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        import minitorch_lab as ml

        arguments = ["--no-sandbox"] if sys.platform == "linux" else []
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        for picture in PICTURES:
            page_file = Path(place, f"{picture.path.stem}.html")
            ml.widgets.Backward(run_code(picture, Path(place))["rec"]).to_html(page_file)
            page = browser.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=1.25)
            page.goto(page_file.as_uri())
            view = page.locator("minitorch-view")
            view.evaluate("(element, step) => { element.step = step; }", picture.step)
            page.wait_for_timeout(1000)  # the step's movement ends
            picture.path.parent.mkdir(parents=True, exist_ok=True)
            view.screenshot(path=picture.path)
        browser.close()


if __name__ == "__main__":
    main()
