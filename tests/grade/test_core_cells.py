"""An honest answer keeps its points, wherever in the notebook its parts stand and whatever Jupyter allows around it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from minitorch_lab.grade import Course, Isolation, Limits, grade_one, probe
from minitorch_lab.grade.extract import submitted
from minitorch_lab.grade.inside.helpers import Other, asked_for
from tests.grade.course import IMPORTS, SOLUTIONS, STARTERS, small_course
from tests.grade.notebooks import code, notebook, write


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Course:
    return small_course(tmp_path_factory.mktemp("cells"), Limits())


@pytest.fixture(scope="module")
def isolation() -> Isolation:
    return probe()


SOFTMAX, CUBE, TABLE = SOLUTIONS["softmax"], SOLUTIONS["cube"], SOLUTIONS["table"]
SPREAD = [
    IMPORTS,
    code("a", "from functools import reduce\nfrom operator import *"),
    code("b", "import numpy\n\nTHREE = 3\n\ndef thrice(x):\n    return THREE * square(x)"),
    code("softmax-exercise", "def softmax(x):\n    e = positive(x)\n    return truediv(e, numpy.sum(e, -1)[:, None])"),
    code("cube-exercise", "def cube_rule(g, x):\n    return reduce(mul, [g, thrice(x)])"),
    code("table-exercise", "answers = Table().answers"),
    code("c", "def positive(x):\n    return numpy.exp(x - x.max(-1, keepdims=True))\n\n1 / 0"),
    code("e", "LINES = ['a + b', 'a * b']\nWHAT = ['nothing']\nWHAT.append('both inputs')"),
    code("d", "class Table:\n    answers = dict(zip(LINES, WHAT))\n\ndef square(x):\n    return x**2"),
]  # fmt: skip
MAGICS = [
    IMPORTS,
    code("softmax-exercise", f"%timeit -n 1 softmax(np.ones((2, 2)))\n!pip install nothing\n{SOFTMAX}\nsoftmax?"),
    code("cube-exercise", f"%%time\n{CUBE}"),
    code("table-exercise", "from IPython import get_ipython\nget_ipython().run_line_magic('matplotlib', 'inline')\n"
        f"get_ipython().magic('autoreload 2')\nif get_ipython() is not None:\n    {TABLE}"),
]  # fmt: skip
ONE_ANOTHER_S = [
    code("imports", IMPORTS["source"] + "\nfrom math import exp as e_to"),
    code("cube-exercise", CUBE + "\nTABLE = {'a + b': 'nothing', 'a * b': 'both inputs'}"),
    code("helper", "%pylab inline\ndef shift(x): return x - x.max(-1, keepdims=True)\nprint(shift(np.ones(3)))"),
    code("softmax-exercise", "def softmax(x):\n    e = np.vectorize(e_to)(shift(x))\n    return e / e.sum(1)[:, None]"),
    code("table-exercise", "answers = TABLE"),
]  # fmt: skip

PRINTED = [
    IMPORTS,
    code("write", f"%%writefile mywork.py\n{CUBE}"),
    code("softmax-exercise", f"{SOFTMAX}\nfor k in range(100_000): print(k, 'the softmax of a row')"),
    code("cube-exercise", "from mywork import cube_rule as rule\n\ndef cube_rule(g, x):\n    print('x' * 3_000_000)\n"
        "    return rule(g, x)"),
    code("table-exercise", TABLE),
]  # fmt: skip


@pytest.mark.parametrize(
    "cells", [SPREAD, MAGICS, ONE_ANOTHER_S, PRINTED], ids=["spread", "magics", "one another's", "printed"]
)
def test_honest_notebooks_earn_everything(
    cells: list[dict[str, Any]], course: Course, isolation: Isolation, tmp_path: Path
) -> None:
    result = grade_one(write(tmp_path / "s.ipynb", notebook(*cells)), course, isolation=isolation)
    assert {e.name: (e.score, e.raised, e.line) for e in result.exercises if e.score != e.points} == {}


def own(*sources: str, above: bool = True) -> list[Other]:
    return [Other(source, True, above) for source in sources]


@pytest.mark.parametrize(
    ("answer", "others", "there", "asked"),
    [
        ("f(1)", own("def f(x): return x", "x = train()"), {}, ["def f(x): return x"]),
        ("def f(): return f", own("def f(): return 2"), {}, []),
        ("def g(): return f()\ndef f(): return 1", own("def f(): return 2"), {}, []),
        ("x", own("x = 1", "x = 2"), {}, ["x = 2"]),
        ("x", own("x = 1\nx += 1"), {}, ["x = 1", "x += 1"]),
        ("len([1])", own("len = 3"), {}, []),
        ("math.pi", [Other("import math\nx = 1", False, True)], {"math": 1}, []),
        ("math.pi", [Other("import math\nx = 1", False, True)], {}, ["import math"]),
        ("f(1)", [Other("def f(x): ...", False, True), *own("def f(x): return x")], {"f": 1}, ["def f(x): return x"]),
        ("f(1)", own("def f(x): return y", "y = 1", above=False), {}, ["def f(x): return y", "y = 1"]),
        ("f(1)", [*own("def f(x): return 1"), *own("def f(x): return 2", above=False)], {}, ["def f(x): return 1"]),
        ("pi", own("from math import *", "x = 1"), {}, ["from math import *"]),
        ("f(1)", own("%time\ndef f(x): return x"), {}, ["def f(x): return x"]),
        ("f(1)", own("def f(x) return x", "(" * 3000), {}, []),
        ("f(1", own("f = 1"), {}, []),
        ("for k in range(3):\n    text = k\n    print(text)", own("text = train()\nk = 2"), {}, []),
        ("with a() as b:\n    b.c = [d for d in b if (e := d)]", own("a = 1\nb = c = d = e = 2"), {}, ["a = 1"]),
        ("for k in range(3):\n    total = total + k", own("total = 0"), {}, ["total = 0"]),
        ("try:\n    n += 1\nexcept E as e:\n    print(e)", own("n = 0\ne = 1\nclass E(Exception): pass"), {},
            ["n = 0", "class E(Exception): pass"]),
    ],
)  # fmt: skip
def test_only_what_is_asked_for_is_run(
    answer: str, others: list[Other], there: dict[str, Any], asked: list[str]
) -> None:
    assert asked_for([answer], others, there) == asked


def test_a_cell_is_the_student_s_own_once_it_differs(course: Course) -> None:
    book = notebook(IMPORTS, code("x", "y = 1"), *(code(f"{n}-exercise", s) for n, s in STARTERS.items()))
    taken = submitted(json.dumps(book).encode(), list(course.lessons.values()))
    assert taken.others_of("cube") == [
        (IMPORTS["source"], False, True), ("y = 1", True, True), (STARTERS["softmax"], False, True),
        (STARTERS["table"], False, False),
    ]  # fmt: skip


def test_a_helper_changes_the_drawn_numbers_and_a_note_of_the_lesson_does_not(course: Course) -> None:
    def digest(*more: dict[str, Any]) -> str:
        book = notebook(*more, *(code(f"{n}-exercise", s) for n, s in SOLUTIONS.items()))
        return submitted(json.dumps(book).encode(), list(course.lessons.values())).digest

    assert digest() == digest(IMPORTS) != digest(code("h", "helper = 1")) != digest(code("h", "helper = 2"))
