"""Takes the teacher's wheel out of the one source: its version, what it needs, and all that the students' lacks."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

SOURCE = Path(__file__).resolve().parents[1]
ROOMS = {  # where a folder of the source lies in the wheel
    "minitorch_lab/grade": "minitorch_lab/grade",
    "judges": "minitorch_lab/judges",
    "tests/notebooks/solutions": "minitorch_lab/judges/solutions",
}


def project() -> dict[str, Any]:
    """What the students' wheel says of itself."""
    return tomllib.loads((SOURCE / "pyproject.toml").read_text("utf-8"))


def files() -> dict[str, str]:
    """Every file of the wheel: from its path in the source to that in the wheel."""
    wheel = project()["tool"]["hatch"]["build"]["targets"]["wheel"]
    students = {name.removeprefix("!/") for name in wheel["exclude"] if name.startswith("!/")}
    return {
        str(path): f"{target}/{path.relative_to(SOURCE / room).as_posix()}"
        for room, target in ROOMS.items()
        for path in sorted((SOURCE / room).rglob("*.py"))
        if path.relative_to(SOURCE).as_posix() not in students
    }


class Metadata(MetadataHookInterface):
    """The version of the students' wheel, which it goes with, and what grading needs."""

    PLUGIN_NAME = "custom"

    def update(self, metadata: dict[str, Any]) -> None:
        """Fill in what pyproject.toml calls dynamic."""
        about = project()["project"]
        needed = about["optional-dependencies"]["grade"]
        metadata["version"] = about["version"]
        metadata["dependencies"] = [f"minitorch-lab=={about['version']}", *needed]


class Files(BuildHookInterface):
    """The files of the wheel."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Name each file; an editable install of the source holds them all by itself."""
        build_data["force_include"] |= files()
