"""The references that submissions are held to are right themselves: beside brute force, on all that judges draw."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from minitorch_lab.grade.judging import reference
from minitorch_lab.grade.writing import read_notebook, split
from minitorch_lab.lessons.grown import grown
from tests.grade.in_process import drawing

HERE = Path(__file__).parents[2]
Program = list[tuple[str, int, int]]


def drawn(lesson: str, exercise: str, seed: int) -> list[Any]:
    """What the judge of an exercise asks with this seed."""
    return list(drawing(lesson, exercise)(np.random.default_rng(seed)).values())


def solution(lesson: str, exercise: str) -> Any:
    """The names that the reference of an exercise defines."""
    text = (HERE / "tests" / "notebooks" / "solutions" / f"s{lesson}.py").read_text("utf-8")
    cells = read_notebook(HERE / "notebooks" / f"{lesson}.ipynb")["cells"]
    imports = next("".join(c["source"]) for c in cells if c["cell_type"] == "code")
    return reference(imports.partition("\n\n")[0], split(text)[f"{exercise}-exercise"])


def reached(program: Program) -> set[int]:
    """The values that the last one is made of, by number: value 0 is exp of the leaf, value k + 1 is of step k."""
    found, pending = set[int](), [len(program)]
    while pending:
        at = pending.pop()
        if at not in found:
            found.add(at)
            if at:
                op, i, j = program[at - 1]
                pending += [i, j] if op in ("mul", "add") else [i]
    return found


def names_by_hand(program: Program) -> list[str]:
    """The names of the nodes behind the last value, each once."""
    made = ["exp", *({"shift": "add"}.get(op, op) for op, _, _ in program)]
    return sorted([*(f"{made[k].capitalize()}Backward" for k in reached(program)), "AccumulateGrad"])


@pytest.mark.parametrize("seed", range(20))
def test_a_graph_lists_every_node_once(seed: int) -> None:
    names_of = solution("02_the_tape", "graph").names_of
    cases = drawn("02_the_tape", "graph", seed)
    for program, start in cases:
        _, values = grown(program, start)
        assert sorted(names_of(values[-1].grad_fn)) == names_by_hand(program)
    # Whatever is drawn, the corners are there: a node with two edges to one, one with several readers, a deep graph.
    assert any(op in ("mul", "add") and i == j for program, _ in cases for op, i, j in program)
    assert any(len(reached(program)) >= 4 for program, _ in cases)
