"""A small course with one lesson, its judge and its solution. Its hidden texts hold a canary each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from minitorch_lab.grade import Course, LessonFiles, Limits
from tests.grade.notebooks import code, notebook, write

CANARY = "canary-3f9c"  # stands in the judge, the solution and the environment, and must never come out

IMPORTS = code("imports", "import math\n\nimport numpy as np\n\nimport minitorch_lab as ml")
STARTERS = {
    "softmax": "def softmax(x):\n    return x",
    "cube": "def cube_rule(g, x):\n    return g",
    "table": 'answers = {"a + b": None, "a * b": None}',
}
SOLUTIONS = {
    "softmax": "def softmax(x):\n    e = np.exp(x - x.max(-1, keepdims=True))\n    return e / e.sum(-1, keepdims=True)",
    "cube": "def cube_rule(g, x):\n    return g * 3 * x**2",
    "table": 'answers = {"a + b": "nothing", "a * b": "both inputs"}',
}

JUDGE = [
    """
import numpy as np

from minitorch_lab.grade.judge import Refused, check, close, draw, submission

HIDDEN = "CANARY"


def right(x):
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)
""",
    """
s, rng = submission("softmax"), draw("softmax")

with check("softmax of drawn rows", points=3, hint="Divide by the sum of the row.") as this:
    for _ in range(3):
        x = rng.normal(size=tuple(rng.integers(2, 6, 2)))
        got = s.softmax(x)
        this.wrong_if(close(got, np.exp(x) / np.exp(x).sum()), "You divided by the sum of all rows.")
        assert close(got, right(x)), HIDDEN
""",
    """
with check("softmax of large numbers", points=2, hint="Subtract the largest of the row first."):
    x = 1000 * rng.normal(size=(2, 4))
    assert close(s.softmax(x), right(x)), HIDDEN
""",
    """
s, rng = submission("cube"), draw("cube")

with check("the rule of the cube", points=3, hint="The derivative of x³ is 3x².") as this:
    x, g = rng.normal(size=5), rng.normal(size=5)
    got = s.cube_rule(g, x)
    this.wrong_if(close(got, g * x**2), "The factor 3 is missing.")
    assert close(got, 3 * g * x**2), HIDDEN

with check("the rule on tensors", points=1, hint="It takes tensors, too."):
    got = s.cube_rule(s.ml.tensor(g), s.ml.tensor(x)).numpy()
    assert close(got, 3 * g * x**2), HIDDEN
""",
    """
s = submission("table")

with check("what the tape keeps", points=1, hint="Look at the tape."):
    assert close(s.answers, {"a + b": "nothing", "a * b": "both inputs"}), HIDDEN
""",
]


def judge() -> dict[str, Any]:
    """The judge of the lesson."""
    sources = [source.strip().replace("CANARY", CANARY) for source in JUDGE]
    return notebook(*(code(f"judge-{number}", source) for number, source in enumerate(sources)))


def answered(**cells: str) -> dict[str, Any]:
    """The lesson solved, with these cells in place of their solutions."""
    sources = {**SOLUTIONS, **cells}
    return notebook(IMPORTS, *(code(f"{name}-exercise", source) for name, source in sources.items()))


def small_course(folder: Path, limits: Limits) -> Course:
    """Write the course into `folder / "course"`."""
    lesson = notebook(IMPORTS, *(code(f"{name}-exercise", source) for name, source in STARTERS.items()))
    solved = answered(softmax=SOLUTIONS["softmax"] + f"\n\n# {CANARY}")
    files = LessonFiles(
        write(folder / "lesson.ipynb", lesson),
        write(folder / "judge.ipynb", judge()),
        write(folder / "solved.ipynb", solved),
    )
    return Course.create(folder / "course", "small", {"small": files}, limits)
