"""Makes the picture of README.md from the code of README.md: `python -m tests.browser.readme_picture`."""

from __future__ import annotations

import re
import runpy
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

from tests.chromium import chromium

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "book" / "_static" / "backward.png"
STEP = 9  # the second arrival: `mul` sends −3 to `a`, where `add` has sent 1


def readme_code() -> str:
    """Return the first Python block of README.md."""
    found = re.search(r"```python\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)
    assert found is not None
    return found.group(1)


def run_code(folder: Path) -> dict[str, Any]:
    """Run that block as a file of its own, and return its names."""
    script = folder / "yours.py"
    script.write_text(readme_code(), "utf-8")
    return runpy.run_path(str(script))


def main() -> None:
    """Write the picture: one step of the backward walk."""
    with tempfile.TemporaryDirectory() as place, sync_playwright() as playwright:
        import minitorch_lab as ml

        page_file = Path(place, "backward.html")
        ml.widgets.Backward(run_code(Path(place))["rec"]).to_html(page_file)
        arguments = ["--no-sandbox"] if sys.platform == "linux" else []
        browser = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        page = browser.new_page(viewport={"width": 1000, "height": 800}, device_scale_factor=1.5)
        page.goto(page_file.as_uri())
        view = page.locator("minitorch-view")
        view.evaluate("(element, step) => { element.step = step; }", STEP)
        page.wait_for_timeout(1000)  # the step's movement ends
        PICTURE.parent.mkdir(parents=True, exist_ok=True)
        view.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
