"""What CONTRIBUTING.md promises: each kind of addition touches so many files, works, and is told what it lacks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.house.toys import TOYS, add, copy_house, run

FILES = {"op": 1, "optimizer": 1, "pass": 1, "back end": 1, "lesson": 3}
CHECKS = ("tests/house/test_facts.py", "tests/house/test_whole.py")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A scratch copy of the house, with every toy in it."""
    to = tmp_path_factory.mktemp("house")
    copy_house(to)
    for toy in TOYS.values():
        add(toy, to)
    return to


@pytest.mark.parametrize("kind", TOYS)
def test_a_toy_touches_so_many_files_and_works(kind: str, house: Path) -> None:
    toy = TOYS[kind]
    assert len(toy.files) == FILES[kind]
    found = run(house, "-c", toy.program)
    assert (found.stdout.strip(), found.returncode) == (toy.says, 0), found.stderr


def test_with_all_toys_nothing_is_missing(house: Path) -> None:
    found = run(house, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/house/test_layers.py", *CHECKS)
    assert found.returncode == 0, found.stdout


def test_what_each_toy_lacks_is_said_in_a_sentence(house: Path) -> None:
    for toy in TOYS.values():
        name, part, _ = toy.lacking
        text = (house / name).read_text("utf-8")
        (house / name).write_text(text.replace(part, "", 1), "utf-8") if part else (house / name).unlink()
    found = run(house, "-m", "pytest", "-q", "-vv", "-p", "no:cacheprovider", *CHECKS).stdout
    assert [toy.lacking[2] for toy in TOYS.values() if toy.lacking[2] not in " ".join(found.split())] == []
