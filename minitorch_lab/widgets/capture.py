"""The view "Capture": how a function becomes graphs, instruction by instruction, and why a graph breaks.

It has no recording: its clock counts its own steps.
"""

from __future__ import annotations

from ..compiler.capture.bytecode.watching import Watch
from .capture_panels import graphs, guards, link_instructions, machine
from .capture_steps import Telling
from .captured import Story, story
from .frame import Json, framed

QUESTION = "How does a function become graphs?"


def capture_scene(watch: Watch, question: str = QUESTION) -> Json:
    """The scene of the view "Capture", of the function that was captured first."""
    told = story(watch)
    telling = Telling(told)
    first = told.captures[0].walk.moments[0]
    listing = told.listings[first.code]
    telling.stages.append({"at": 0, "code": 0, "op": None, "stack": [], "variables": []})
    telling.step("start", f"{question} {introduced(told)}")
    for number, one in enumerate(told.captures):
        telling.capture(number, one)
    links, details = link_instructions(telling)
    return framed(
        "capture",
        question,
        telling.steps,
        [machine(telling), graphs(telling), guards(telling)],
        source=[
            {"id": one.line_id(no), "no": no, "text": text}
            for one in dict.fromkeys([listing, *told.listings.values()])
            for no, text in one.lines
        ],
        links=links,
        details=details,
    )


def introduced(told: Story) -> str:
    """What is to be seen."""
    count = len(told.captures)
    calls = f", for {count} calls that no graph was there for" if count > 1 else ""
    return f"`{told.name}` is called: Python runs bytecode, and that is what is captured{calls}."
