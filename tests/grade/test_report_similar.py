"""Copies under other names are flagged, and right answers that were written apart are not."""

from __future__ import annotations

import ast
import builtins
from itertools import combinations
from pathlib import Path

from click.testing import CliRunner

from minitorch_lab.cli import commands
from minitorch_lab.grade import Limits
from minitorch_lab.grade.release import judged_lessons
from minitorch_lab.grade.similar import ALIKE, alike, own_prints, prints, share
from tests.grade.answers import Answers, right, starters, variants
from tests.grade.course import SOLUTIONS, answered, small_course
from tests.grade.notebooks import write


class Renamed(ast.NodeTransformer):
    """Gives own names others."""

    def __init__(self, tree: ast.AST) -> None:
        stored = (node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
        taken = {*stored, *(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))} - {*dir(builtins)}
        self.names = {name: f"my_{k}" for k, name in enumerate(sorted(taken))}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        return ast.arg(self.names[node.arg])


def renamed(source: str) -> str:
    """A copy that is to look like work of one's own: other names, other comments."""
    tree = ast.parse(source)
    return "# all mine\n" + ast.unparse(ast.fix_missing_locations(Renamed(tree).visit(tree)))


def wholes(lesson: str) -> list[Answers]:
    """Whole submissions that have no answer in common: exercises that were answered in several ways."""
    ways: dict[str, list[str]] = {}
    for exercise, source in variants("other", lesson):
        ways.setdefault(f"{exercise}-exercise", []).append(source)
    most = max(map(len, ways.values()), default=0)
    return [{cell: found[k] for cell, found in ways.items() if k < len(found)} for k in range(most)]


def common(lesson: str) -> list[str]:
    return [*starters(lesson).values(), *right(lesson).values()]


def measured() -> tuple[int, int, int, int]:
    """Copies found and copies made; pairs written apart that were flagged, and all of them."""
    found = made = flagged = apart = 0
    for lesson in judged_lessons():
        given = common(lesson)
        submissions = wholes(lesson)
        for k, answers in enumerate(submissions):
            mine = own_prints(answers.values(), given)
            if share(mine, mine):  # enough of its own to say anything
                made += 1
                found += share(mine, own_prints(map(renamed, answers.values()), given)) >= ALIKE
                apart += len(submissions[k + 1 :])
                flagged += sum(share(mine, own_prints(o.values(), given)) >= ALIKE for o in submissions[k + 1 :])
    return found, made, flagged, apart


def test_copies_are_found_and_work_of_ones_own_is_not_flagged() -> None:
    found, made, flagged, apart = measured()
    print(f"copies found {found} of {made}, written apart and flagged {flagged} of {apart}")
    assert made >= 15
    assert apart >= 5
    assert found == made
    assert flagged == 0


def test_what_was_handed_out_or_is_the_references_counts_for_nobody() -> None:
    for lesson in judged_lessons():
        same = {"ada": [*right(lesson).values()], "bob": [*map(renamed, right(lesson).values())]}
        assert alike(same, common(lesson)) == []


def test_no_source_is_too_odd_to_be_looked_at() -> None:
    assert not prints("def (")
    assert not prints("\0")
    for one, two in combinations([prints("x = 1"), prints(""), prints("def (")], 2):
        assert share(one, two) == 0.0


def test_the_command_names_the_pair_and_nobody_else(tmp_path: Path) -> None:
    course = small_course(tmp_path, Limits())
    mine = "def softmax(x):\n    top = x.max(-1)\n    out = []\n    for row, t in zip(x, top):\n"
    mine += "        out.append(np.exp(row - t))\n    return np.array([r / sum(r) for r in out])"
    for student, source in {"ada": mine, "bob": renamed(mine), "eve": SOLUTIONS["softmax"]}.items():
        (tmp_path / "in" / student).mkdir(parents=True)
        write(tmp_path / "in" / student / "small.ipynb", answered(softmax=source))
    words = ["similar", str(tmp_path / "in"), "--course", str(course.path), "--lesson", "small"]
    said = CliRunner().invoke(commands, words, catch_exceptions=False).output.splitlines()
    assert said == ["100%  ada  bob", "Of 3 submissions 1 pair is built alike. That is a question, and no answer."]
