"""The page for those who come from PyTorch shows the whole table of what is not here."""

from __future__ import annotations

import minitorch_lab as ml
from book.making.coming import HEAD, page
from minitorch_lab.ops.absent import reasons, sentence


def test_every_missing_name_is_on_the_page() -> None:
    text = page()
    assert [name for reason in reasons() for name in reason.names if f"`{name}`" not in text] == []
    assert text.count("\n## ") == len(reasons())


def test_the_example_is_what_is_said() -> None:
    assert sentence("ml", "fft") in " ".join(HEAD.split())
    assert not hasattr(ml, "fft")
