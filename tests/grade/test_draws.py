"""What judges draw: every corner class that they name, always; so the score of a code does not depend on its luck."""

from __future__ import annotations

import numpy as np
import pytest

from minitorch_lab.grade.release import judged_lessons
from tests.grade.answers import injected, right, starters, variants
from tests.grade.in_process import drawing, exercises, judged

EVERY = [(name, exercise) for name in judged_lessons() for exercise in exercises(name)]

# Right in most places and wrong in one corner: each once had its points in some grades and not in others.
LUCKY = {
    "division by the size of y": ("03_backward", "ratio", "def rule_for_x(g, x, y):\n    return g / abs(y)\n"
        "def rule_for_y(g, x, y):\n    return -g * x / y**2\n"),
    "no entry where the gradient is 0": ("03_backward", "walk", "def gradients(root, order):\n"
        "    held = {node: 0.0 for node in order} | {root: 1.0}\n    for node in order:\n"
        "        for (edge, _), part in zip(node.next_functions, lesson.pull(node, held[node])):\n"
        "            if edge is not None:\n                held[edge] += part\n"
        "    return {node: part for node, part in held.items() if part}\n"),
    "the sign of x lost": ("03_backward", "cube", "def cube_rule(g, x):\n    return g * 3 * abs(x) * x\n"),
    "one level": ("03_backward", "order", "def order(root):\n"
        "    return [root, *(edge for edge, _ in root.next_functions if edge is not None)]\n"),
    "a node once its first reader is there": ("03_backward", "order", "def order(root):\n    found = [root]\n"
        "    for node in found:\n"
        "        found += [e for e in dict.fromkeys(e for e, _ in node.next_functions) if e and e not in found]\n"
        "    return found\n"),
    "double edges counted once": ("03_backward", "order", "def order(root):\n"
        "    nodes = lesson.order_of(root)\n"
        "    waits = {n: sum(n in {e for e, _ in m.next_functions} for m in nodes) for n in nodes}\n"
        "    found, ready = [], [root]\n"
        "    while ready:\n"
        "        found.append(node := ready.pop())\n"
        "        for edge, _ in node.next_functions:\n"
        "            if edge is not None:\n"
        "                waits[edge] -= 1\n"
        "                if waits[edge] == 0:\n"
        "                    ready.append(edge)\n"
        "    return found\n"),
    "no negative axis": ("12_joint_graph_and_partition", "foretell", "def foretell_sum(shape, dtype, axes, keepdims):\n"
        "    lengths = [1 if i in axes else n for i, n in enumerate(shape) if keepdims or i not in axes]\n"
        "    return tuple(lengths), dtype if str(dtype).startswith('float') else ml.int64\n"),
}  # fmt: skip


@pytest.mark.parametrize(("name", "exercise"), EVERY)
def test_a_judge_draws_the_same_classes_whatever_the_seed(name: str, exercise: str) -> None:
    draws = drawing(name, exercise)
    if draws is None:
        return  # an answer that is no function is asked nothing
    classes = {frozenset(draws(np.random.default_rng(seed))) for seed in range(200)}
    assert len(classes) == 1
    assert len(min(classes)) >= 3


@pytest.mark.parametrize("lucky", LUCKY)
def test_what_is_wrong_in_one_corner_is_wrong_in_every_grade(lucky: str) -> None:
    name, exercise, source = LUCKY[lucky]
    cell = injected(starters(name)[f"{exercise}-exercise"], source)
    assert all(judged(name, exercise, cell, seed) for seed in range(20))


@pytest.mark.family(4)
@pytest.mark.parametrize("name", judged_lessons())
def test_right_answers_are_right_with_another_seed(name: str) -> None:
    others = [(e, injected(starters(name)[f"{e}-exercise"], source)) for e, source in bank("other", name)]
    for exercise, cell in [*((e, right(name)[f"{e}-exercise"]) for e in exercises(name)), *others]:
        assert judged(name, exercise, cell, seed=1) == "", exercise


@pytest.mark.family(4)
@pytest.mark.parametrize("name", judged_lessons())
def test_wrong_answers_are_wrong_with_another_seed(name: str) -> None:
    for exercise, source in bank("wrong", name):
        cell = injected(starters(name)[f"{exercise}-exercise"], source)
        assert judged(name, exercise, cell, seed=1).startswith("Failed"), source


def bank(folder: str, name: str) -> list[tuple[str, str]]:
    """The answers of a folder, if it has any for this lesson."""
    try:
        return variants(folder, name)
    except FileNotFoundError:
        return []
