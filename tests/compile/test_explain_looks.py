"""How `ml.compile.explain` looks: on a console, and in a notebook of either theme."""

from __future__ import annotations

import re
from io import StringIO

import pytest
from rich.console import Console

import minitorch_lab as ml
from minitorch_lab.compiler.explain import explain
from tests.compile.explain_samples import generating, leaky, print_break


def test_a_notebook_shows_the_text_on_its_own_ground() -> None:
    bundle = explain(leaky, ml.tensor([1.0]))._repr_mimebundle_()
    assert bundle["text/plain"].startswith("leaky: ")
    assert bundle["text/html"].startswith("<pre")
    assert "color: inherit" in bundle["text/html"]
    assert "type(x) is Tensor" in bundle["text/html"]
    assert "&lt;" not in bundle["text/plain"]


def test_printed_on_a_console_of_the_reader_s() -> None:
    page = Console(file=StringIO(), width=200, color_system=None)
    told = explain(leaky, ml.tensor([1.0]))
    told.print(page)
    assert [line.rstrip() for line in page.file.getvalue().splitlines()] == str(told).splitlines()


def luminance(colour: str) -> float:
    """As WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("ground", ["#ffffff", "#111111"])  # JupyterLab's two themes
def test_its_colours_can_be_read_on_both_grounds(ground: str) -> None:
    page = Console(file=StringIO(), width=120, record=True, force_terminal=True, color_system="truecolor")
    for told in (explain(leaky, ml.tensor([1.0])), explain(generating, ml.ones(2)), explain(print_break, ml.ones(2))):
        told.print(page)
    shown = page.export_html(inline_styles=True, code_format="{code}")
    assert "background" not in shown, "a box of another colour than the page"
    colours = set(re.findall(r"(?<!-)color: (#[0-9a-f]{6})", shown))
    assert len(colours) >= 3
    for colour in colours:
        low, high = sorted((luminance(colour), luminance(ground)))
        assert (high + 0.05) / (low + 0.05) >= 4.1, colour
