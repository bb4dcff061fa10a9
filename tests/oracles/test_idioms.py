"""What people write with PyTorch runs here with another import, and gives the same values."""

from __future__ import annotations

import pytest
import torch
from torch.backends import ContextProp

import minitorch_lab as ml
from tests.idioms.reading import HERE, Idiom, differences, read_idioms, read_waiting, run_idiom, with_imports_from

pytestmark = pytest.mark.oracle

PAGES = sorted(path.name for path in HERE.glob("*.md"))
IDIOMS = [(page, idiom) for page in PAGES for idiom in read_idioms(page)]


@pytest.mark.parametrize(("page", "idiom"), IDIOMS, ids=lambda v: v.name if isinstance(v, Idiom) else v)
def test_an_idiom_gives_the_same_values(page: str, idiom: Idiom, monkeypatch: pytest.MonkeyPatch) -> None:
    # PyTorch's own test suite, which `opinfo` imports, forbids scripts to set flags of its back ends.
    monkeypatch.setitem(ContextProp.__init__.__globals__, "__allow_nonbracketed_mutation_flag", True)
    expected = run_idiom(idiom, torch)
    if idiom.name not in read_waiting(page):
        assert differences(run_idiom(idiom, ml), expected) == []
        return
    try:
        found = differences(run_idiom(idiom, ml), expected)
    except Exception:
        return
    assert found != [], f"{idiom.name} runs now: take it off the list of {page}."


@pytest.mark.parametrize("page", PAGES)
def test_what_waits_is_on_the_page(page: str) -> None:
    names = [idiom.name for idiom in read_idioms(page)]
    assert len(set(names)) == len(names) > 0
    assert read_waiting(page) <= set(names)


def test_the_imports_alone_differ() -> None:
    code = "import torch\nimport torch.nn as nn\nfrom torch.nn import Linear\nx = torch.ones(2)"
    changed = "import lib as torch\nimport lib.nn as nn\nfrom lib.nn import Linear\nx = torch.ones(2)"
    assert with_imports_from("lib", code) == changed


@pytest.mark.parametrize(
    "code", ["[torch.ones(2)]", "[torch.ones(3).double()]", "[torch.zeros(3)]", "[3.0]", "torch.ones(3)"]
)
def test_a_difference_is_seen(code: str) -> None:
    there = run_idiom(Idiom("given", "import torch\n[torch.ones(3)]"), torch)
    assert differences(there, there) == []
    assert differences(run_idiom(Idiom("other", f"import torch\n{code}"), ml), there) != []
