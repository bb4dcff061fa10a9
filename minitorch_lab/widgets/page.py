"""A scene as text: an element for a page, a self-contained page, and the few words shown where widgets cannot be."""

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


def as_data(scene: Mapping[str, Any]) -> str:
    """The scene as JSON that may stand inside HTML or a script: nothing in it can end either."""
    return json.dumps(scene, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def element(scene: Mapping[str, Any], step: int, *, id: str, attributes: str = "", heading: str = "h1") -> str:
    """The text of a `<minitorch-view>` with its scene inside, and the transcript for readers without scripts.

    A browser that runs scripts takes what stands in `<noscript>` for one word, and lays out nothing of it.

    Example:
        >>> from minitorch_lab.widgets.sample import sample_scene
        >>> print(element(sample_scene(), 1, id="sum").partition("<noscript>")[0])
        <minitorch-view id="sum" step="1">
        <div slot="poster"><h1>What is 1 + 1?</h1>
        <BLANKLINE>
    """
    sentences = "\n".join(f"<li>{escape(s['say'])}</li>" for s in scene["steps"])
    more = f" {attributes}" if attributes else ""
    return f"""<minitorch-view id="{escape(id)}" step="{step}"{more}>
<div slot="poster"><{heading}>{escape(scene["question"])}</{heading}>
<noscript><ol>
{sentences}
</ol></noscript></div>
<script type="application/json">{as_data(scene)}</script>
</minitorch-view>"""


def page(scene: Mapping[str, Any], step: int) -> str:
    """The text of a self-contained page: the scene, the renderer, and the transcript for readers without scripts.

    Example:
        >>> from minitorch_lab.widgets.sample import sample_scene
        >>> text = page(sample_scene(), 1)
        >>> "http" in text.replace("http://www.w3.org/2000/svg", "")
        False
    """
    script = asset("minitorch-view.js").replace("</script", "<\\/script")
    title = escape(f"{scene['title']}: {scene['question']}")
    return f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; scrollbar-gutter: stable }}
body {{ margin: 16px; font: 14px/1.5 system-ui, sans-serif }}
body {{ background: light-dark(#f3f4f6, #0d0f13); color: light-dark(#16191d, #e9ebee) }}
</style>
<main>
{element(scene, step, id="view", attributes="deeplink")}
</main>
<script>{script}</script>
</html>
"""
