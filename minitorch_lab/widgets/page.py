"""A scene as text: a self-contained page, and the few words shown where widgets cannot be."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

from ..errors import RecordingError

STATIC = Path(__file__).parent / "static"


@functools.cache
def asset(name: str) -> str:
    """The text of a built file of the renderer.

    Raises:
        RecordingError: The renderer has not been built.
    """
    path = STATIC / name
    if not path.is_file():
        raise RecordingError(
            f"The views are not built: {name} is missing.",
            "The renderer is written in TypeScript and built once, in a clone of the repository.",
            "Run `make widgets` there, or install a wheel: it holds the built files.",
        )
    return path.read_text(encoding="utf-8")


def fallback(scene: Mapping[str, Any], step: int) -> str:
    """What a page without widgets shows: the question and the sentence of the step, a few hundred bytes."""
    say = scene["steps"][step]["say"]
    return (
        f"<p><b>{escape(scene['question'])}</b><br>{step + 1} / {len(scene['steps'])}: {escape(say)}<br>"
        "<i>Run this cell in JupyterLab to walk through the steps.</i></p>"
    )


def page(scene: Mapping[str, Any], step: int) -> str:
    """The text of a self-contained page: the scene, the renderer, and the transcript for readers without scripts.

    Example:
        >>> from minitorch_lab.widgets.sample import sample_scene
        >>> text = page(sample_scene(), 1)
        >>> "http" in text.replace("http://www.w3.org/2000/svg", "")
        False
    """
    data = json.dumps(scene, ensure_ascii=False).replace("<", "\\u003c")
    script = asset("minitorch-view.js").replace("</script", "<\\/script")
    title = escape(f"{scene['title']}: {scene['question']}")
    sentences = "\n".join(f"<li>{escape(s['say'])}</li>" for s in scene["steps"])
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark }}
body {{ margin: 16px; font: 14px/1.5 system-ui, sans-serif }}
body {{ background: light-dark(#f3f4f6, #0d0f13); color: light-dark(#16191d, #e9ebee) }}
</style>
<main>
<minitorch-view id="view" step="{step}" deeplink>
<div slot="poster"><h1>{escape(scene["question"])}</h1>
<ol>
{sentences}
</ol></div>
<script type="application/json">{data}</script>
</minitorch-view>
</main>
<script>{script}</script>
</html>
"""
