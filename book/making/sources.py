"""Pages of source code. Sphinx knows one name for all that a file defines; ours are public under several."""

from __future__ import annotations

import re
from typing import Any

BACK = re.compile(r'<a class="viewcode-back"[^>]*>.*?</a>')


def on_page(app: Any, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Called for every page: on those of code, the ways back that would lead nowhere are taken out."""
    if name.startswith("_modules/") and "body" in context:
        context["body"] = BACK.sub("", context["body"])


def setup(app: Any) -> dict[str, bool]:
    """Called by Sphinx."""
    app.connect("html-page-context", on_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
