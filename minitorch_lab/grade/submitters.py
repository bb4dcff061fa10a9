"""Who has handed in what, as Gradescope says it: its folders have numbers, and a list beside them has the names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..errors import ArgumentError

LISTED = "submission_metadata.yml"  # lies beside the folders of an assignment that Gradescope has exported


def submitters(path: Path) -> dict[str, tuple[str, ...]]:
    r"""The students of each folder of an assignment that Gradescope has exported.

    A student is called by their name; where two have the same, by e-mail or number.

    Args:
        path: The file submission_metadata.yml.

    Returns:
        The names of folders with their students: several for a group.

    Raises:
        ArgumentError: It is no such list.

    Example:
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as place:
        ...     _ = Path(place, LISTED).write_text("submission_7:\n  :submitters:\n  - :name: Ada\n    :sid: '1'\n")
        ...     submitters(Path(place, LISTED))
        {'submission_7': ('Ada',)}
    """
    try:
        listed = {folder: [known(each) for each in of.get(":submitters") or ()] for folder, of in loaded(path).items()}
    except Exception as cause:  # a file that may be anything may break a reader of YAML in any way
        raise ArgumentError(
            f"{path.name} is no list of Gradescope's ({type(cause).__name__}).",
            "It says of each folder who has handed it in, with :submitters:, :name:, :sid: and :email:.",
            "Export the submissions once more, and give the archive as it is.",
        ) from cause
    people = {each for group in listed.values() for each in group if each}
    often = Counter(each[0] for each in people)
    return {
        folder: tuple(called(each, often) for each in group if each) for folder, group in listed.items() if any(group)
    }


def called(person: Sequence[str], often: Counter[str]) -> str:
    """What a student is called: the first thing that is known of them, or the next where others have the same."""
    return person[1] if often[person[0]] > 1 and len(person) > 1 else person[0]


def known(person: dict[str, str]) -> tuple[str, ...]:
    """What is known of a student, without what is empty: name, e-mail and number."""
    return tuple(person[key].strip() for key in (":name", ":email", ":sid") if (person.get(key) or "").strip())


def loaded(path: Path) -> Any:
    """What a YAML file says in texts, lists and tables: 007 stays a text, and an object of Ruby's is what it holds."""
    import yaml

    reader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)  # the quick one, where there is one
    return yaml.load(path.read_text("utf-8-sig"), reader)  # it makes no objects, whatever a tag says
