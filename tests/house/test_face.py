"""What a newcomer sees first: the public names, and the entries of the package's folder, each with a sentence."""

from __future__ import annotations

import pkgutil
import re
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest

import minitorch_lab as ml
from tests.house.source import tracked
from tests.house.test_layers import FRONT, height

ENTRIES = 22
# What the front needs for itself: Python's own names, which no user looks for here.
OWN = {"Any", "TYPE_CHECKING", "annotations"}
# A function that has the name of the file that it stands in: nobody needs the file for anything else.
NAMESAKES = {
    "minitorch_lab.autograd.checkpoint",
    "minitorch_lab.autograd.gradcheck",
    "minitorch_lab.memory.account",
    "minitorch_lab.grade.judge.close",
    "minitorch_lab.grade.judge.session",
}


def entries() -> set[str]:
    """Return what stands in the package's folder for a reader, folders with a slash: type checkers have files too."""
    parts = [path.parts[1:] for path in tracked("minitorch_lab/*") if path.suffix not in (".pyi", ".typed")]
    return {rest[0] + "/" * (len(rest) > 1) for rest in parts}


def described(docstring: str) -> list[str]:
    """Return the entries that a docstring has a sentence for."""
    return re.findall(r"^- `([\w./]+)`: \S.*\.$", re.sub(r"\n  +", " ", docstring), re.MULTILINE)


def namesakes(package: ModuleType) -> list[str]:
    """Return the modules of a package that cannot be reached by their name, for something else has it."""
    parts = {
        part.name: import_module(f"{package.__name__}.{part.name}") for part in pkgutil.iter_modules(package.__path__)
    }
    return [module.__name__ for name, module in parts.items() if getattr(package, name) is not module]


def test_dir_has_the_public_names_and_no_others() -> None:
    assert dir(ml) == sorted(ml.__all__)
    assert [name for name in ml.__all__ if name.startswith("_") or ml.__all__.count(name) > 1] == []
    assert [name for name in ml.__all__ if not hasattr(ml, name)] == []


def test_the_list_of_public_names_is_complete() -> None:
    modules = {name for name, thing in vars(ml).items() if isinstance(thing, ModuleType)}
    assert {name for name in vars(ml) if not name.startswith("_")} - modules - OWN <= set(ml.__all__)
    assert set(ml.ops.FUNCTIONS) <= set(ml.__all__)


def test_at_most_so_many_entries_and_each_has_a_sentence() -> None:
    assert len(entries()) <= ENTRIES
    assert sorted(described(ml.__doc__ or "")) == sorted(entries())


def test_the_sentences_stand_in_the_order_of_the_floors() -> None:
    parts = [entry.removesuffix("/").removesuffix(".py") for entry in described(ml.__doc__ or "")]
    heights = [height(FRONT, FRONT if part == "__init__" else f"{FRONT}.{part}") for part in parts]
    assert heights == sorted(heights)


def test_an_entry_without_a_sentence_is_seen() -> None:
    said = "- `ops/`: every op.\n- `cli.py`:\n- nn\n- `data/`: datasets,\n  and loaders.\n"
    assert described(said) == ["ops/", "data/"]


@pytest.mark.parametrize(
    "name",
    sorted({".".join(p.parent.parts) for p in tracked("minitorch_lab/*__init__.py") if "mini" not in p.parts}),
)
def test_no_module_hides_a_function(name: str) -> None:
    assert set(namesakes(import_module(name))) <= NAMESAKES


def test_a_hidden_module_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    def graph() -> Any: ...

    from minitorch_lab.compiler import ir

    assert namesakes(ir) == []
    monkeypatch.setattr(ir, "graph", graph)
    assert namesakes(ir) == ["minitorch_lab.compiler.ir.graph"]
