"""A lesson that was run, as a page: its views are elements that need no kernel, its charts data for our script."""

from __future__ import annotations

import json
from html import escape
from typing import Any

import nbformat

from minitorch_lab.widgets.page import as_data, element

WIDGET = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
PLOTLY = "application/vnd.plotly.v1+json"


def lesson_page(notebook: Any, name: str) -> Any:
    """The notebook as MyST-NB shall read it. What a widget of another kind drew (a progress bar) is left out."""
    models = notebook.metadata.pop("widgets", {}).get(STATE, {}).get("state", {})
    for cell in notebook.cells:
        if cell.cell_type == "code":
            shown = [outputs(output, models, f"{cell.id}-{k}") for k, output in enumerate(cell.outputs, start=1)]
            cell.outputs = [output for several in shown for output in several]
            cell.metadata["tags"] = [*cell.metadata.get("tags", []), *hidden(cell.metadata.get("jupyter", {}))]
    notebook.cells.insert(1, nbformat.v4.new_markdown_cell(take_away(name)))
    return notebook


def outputs(output: Any, models: dict[str, Any], id: str) -> list[Any]:
    """An output as the book shows it: itself, in another form, or nothing."""
    data = output.get("data", {})
    if WIDGET in data:
        state = models.get(data[WIDGET]["model_id"], {}).get("state", {})
        if "scene" not in state:
            return []
        text = element(state["scene"], state.get("step", 0), id=id, heading="p")
        return [html(output, text)]
    return [html(output, chart(data[PLOTLY], data.get("text/plain", "")))] if PLOTLY in data else [output]


def html(output: Any, text: str) -> Any:
    """The output with that text in its place."""
    return nbformat.v4.new_output("display_data", {"text/html": text}, metadata=dict(output.get("metadata", {})))


def chart(figure: dict[str, Any], text: str) -> str:
    """A figure for `book.js`, and its sentence for those who cannot see it."""
    layout = figure.get("layout", {})
    said = "".join(text) or titled(layout)
    height = layout.get("height", 360)
    return (
        f'<figure class="chart"><div class="plot" role="img" aria-label="{escape(said)}" data-height="{height}"></div>'
        f'<script type="application/json">{as_data(json.loads(json.dumps(figure)))}</script>'
        f"<noscript>{escape(said)}</noscript></figure>"
    )


def titled(layout: dict[str, Any]) -> str:
    """What a figure without a sentence is about: its title, else what it draws over what."""
    names = [layout.get(key, {}).get("title", {}).get("text", "") for key in ("yaxis", "xaxis")]
    return layout.get("title", {}).get("text") or "A chart: " + " over ".join(filter(None, names)) + "."


def hidden(jupyter: dict[str, Any]) -> list[str]:
    """What the lesson folds away, in MyST-NB's words."""
    names = {"source_hidden": "hide-input", "outputs_hidden": "hide-output"}
    return [tag for key, tag in names.items() if jupyter.get(key)]


def take_away(name: str) -> str:
    """The button that hands out the lesson: the notebook as students get it, nothing solved."""
    return (
        f'<p class="take"><a class="take-away" href="../notebooks/{name}.ipynb" download>Run this yourself</a> '
        "<span>The notebook, for JupyterLab: <code>make lab</code>, or "
        "<code>pip install 'minitorch-lab[lab]'</code> and <code>minitorch-lab lab</code>.</span></p>"
    )
