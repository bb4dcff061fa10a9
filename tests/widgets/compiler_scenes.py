"""The scenes of the compiler's views, for `fixtures.py`."""

from __future__ import annotations

import sys
from collections.abc import Callable

from minitorch_lab.widgets.arena import arena_scene
from minitorch_lab.widgets.capture import capture_scene
from minitorch_lab.widgets.compiler_views import capture_example, joint_of, steps_of
from minitorch_lab.widgets.example import arena_example
from minitorch_lab.widgets.frame import Json
from minitorch_lab.widgets.partition import partition_scene
from minitorch_lab.widgets.pipeline import pipeline_scene

COMPILER: dict[str, Callable[[], Json]] = {
    "arena": lambda: arena_scene(arena_example()),
    "partition": lambda: partition_scene(*joint_of(None, ())),
    "pipeline": lambda: pipeline_scene(*steps_of(None, ())),
}
if sys.version_info[:2] == (3, 11):  # other versions of Python have other bytecode
    COMPILER["capture"] = lambda: capture_scene(capture_example())
