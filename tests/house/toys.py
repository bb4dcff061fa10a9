"""Small additions of each kind that CONTRIBUTING.md names, as files; and a scratch copy of the house to add them to."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

from tests.house.source import ROOT, tracked

COPIED = ("minitorch_lab/*.py", "minitorch_lab/data/*", "tests/house/*", "judges/*", "notebooks/*", "pyproject.toml")


class Toy(NamedTuple):
    """An addition: what stands in which file, at its end if there is one; a program that shows it, and what that says.

    `lacking` takes a piece out of a file, and is what `make check` says then.
    """

    files: dict[str, str]
    program: str
    says: str
    lacking: tuple[str, str, str]


OP = Toy(
    {
        "minitorch_lab/ops/activations.py": """
softclip = elementwise(
    "softclip",
    lambda x, out=None: xp.divide(x, 1.0 + xp.abs(x), out=out),
    partials=(lambda x: 1.0 / ((1.0 + abs(x)) * (1.0 + abs(x))),),
    casts=floating,
    doc=("x / (1 + |x|).", "ml.ops.FUNCTIONS['softclip'](ml.tensor([1.0]))", "tensor([0.5000])"),
    program=lambda x: x / (abs(x) + 1.0),
)
"""
    },
    """
import minitorch_lab as ml
softclip = ml.ops.FUNCTIONS["softclip"]
x = ml.tensor([3.0, -1.0], dtype=ml.float64, requires_grad=True)
assert ml.autograd.gradcheck(softclip, (x,))
from minitorch_lab.compiler.passes.decompose import decompose
from minitorch_lab.compiler.schedule.program import scheduled
print(softclip(x).tolist(), scheduled(decompose(ml.jit.trace(softclip, ml.ones(2)).graph)).kernels[0].name)
""",
    "[0.75, -0.5] pointwise_0",
    (
        "minitorch_lab/ops/activations.py",
        "    program=lambda x: x / (abs(x) + 1.0),\n",
        "softclip has no `program`: write it in simpler ops, so that kernels can compute it.",
    ),
)
OPTIMIZER = Toy(
    {
        "minitorch_lab/optim/signed.py": '''"""Steps of one size."""

from __future__ import annotations

from typing import Any

from ..tensors.tensor import Tensor
from .optimizer import Group, Optimizer, Parameters


class Signed(Optimizer):
    """`p -= lr * sign(g)`."""

    def __init__(self, params: Parameters, lr: float = 1e-3) -> None:
        """Take over the parameters."""
        super().__init__(params, {"lr": lr})

    def check(self, group: Group) -> None:
        """Any setting will do."""

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """One step for one parameter."""
        parameter.sub_(grad.sign() * group["lr"])
'''
    },
    """
import minitorch_lab as ml
from minitorch_lab.optim.signed import Signed
w = ml.tensor([1.0, -2.0], requires_grad=True)
optimizer = Signed([w], lr=0.5)
(w * w).sum().backward()
optimizer.step()
print(w.tolist())
""",
    "[0.5, -1.5]",
    (
        "minitorch_lab/optim/signed.py",
        '    """`p -= lr * sign(g)`."""\n',
        "minitorch_lab/optim/signed.py: Signed has no docstring: say in a sentence what it does.",
    ),
)
PASS = Toy(
    {
        "minitorch_lab/compiler/passes/once.py": '''"""An absolute value is its own absolute value."""

from __future__ import annotations

from typing import Any

from ..ir.graph import Graph, Node
from ..ir.rewrite import Found, Rewriter, Tally, named


def once(graph: Graph, tally: Tally | None = None) -> Graph:
    """The graph without absolute values of absolute values."""
    return Once(graph, tally).rewritten()


class Once(Rewriter):
    """Leaves out the second one."""

    made_by = "once"

    def rule(self, node: Node, inputs: tuple[Any, ...]) -> Found | None:
        """The first one."""
        return ("abs of abs", inputs[0]) if named(node) == named(inputs[0]) == "abs" else None
'''
    },
    """
import minitorch_lab as ml
from minitorch_lab.compiler.passes.pipeline import optimize
graph = ml.jit.trace(lambda x: x.abs().abs() * 2, ml.ones(2)).graph
print(" ".join(node.name for node in optimize(graph, ["once", "dce"]).nodes))
""",
    "x abs mul output",
    (
        "minitorch_lab/compiler/passes/once.py",
        ", tally: Tally | None = None",
        "minitorch_lab/compiler/passes/once.py: once(graph, tally) is missing: a pass takes a graph and a tally.",
    ),
)
BACKEND = Toy(
    {
        "minitorch_lab/compiler/targets/declared/whispering.py": '''"""`whispering`: op by op, and says so."""

from __future__ import annotations

from ...ir.graph import Graph
from ..record import Backend, Runs
from .eager import op_by_op


def whispering(graph: Graph) -> Runs:
    """The graph, run op by op."""
    print(graph.name)
    return op_by_op(graph)


BACKEND = Backend("whispering", whispering)
'''
    },
    """
import minitorch_lab as ml
print(ml.compile(lambda x: x * 2, backend="whispering")(ml.ones(1)).tolist())
""",
    "graph_0\n[2.0]",
    (
        "minitorch_lab/compiler/targets/declared/whispering.py",
        'BACKEND = Backend("whispering", whispering)\n',
        "minitorch_lab/compiler/targets/declared/whispering.py: BACKEND is missing: say what the back end can.",
    ),
)
CELLS = [
    {"cell_type": "markdown", "id": "title", "metadata": {}, "source": ["# 16. Doubling"]},
    {
        "cell_type": "code",
        "id": "imports",
        "metadata": {},
        "source": ["from minitorch_lab.lessons import lesson_16_doubling as lesson"],
        "execution_count": 1,
        "outputs": [],
    },
]
LESSON = Toy(
    {
        "notebooks/16_doubling.ipynb": json.dumps({"cells": CELLS, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}),
        "minitorch_lab/lessons/lesson_16_doubling/__init__.py": '''"""What lesson 16, "Doubling", uses."""

from __future__ import annotations

from collections.abc import Callable

from ..verdict import Verdict, done, not_yet

__all__ = ["check_twice"]


def check_twice(twice: Callable[[float], float]) -> Verdict:
    """Check the exercise."""
    return done("2 · 3 is 6.") if twice(3.0) == 6.0 else not_yet("you added 2 instead of multiplying.")
''',
        "judges/16_doubling.py": '''"""The judge of lesson 16."""

# %% twice
title, points = "Twice", 1


def probe(twice, /, x):
    return twice(x)


def draws(rng):
    return {"at random": (float(rng.normal()),)}
''',
    },
    """
from minitorch_lab.lessons.lesson_16_doubling import check_twice
print(check_twice(lambda x: x + 2), check_twice(lambda x: 2 * x))
""",
    "not yet: you added 2 instead of multiplying. done: 2 · 3 is 6.",
    ("judges/16_doubling.py", "", "Lesson 16_doubling has no judge: write judges/16_doubling.py."),
)
TOYS = {"op": OP, "optimizer": OPTIMIZER, "pass": PASS, "back end": BACKEND, "lesson": LESSON}


def copy_house(to: Path) -> None:
    """Copy what the toys need of the house."""
    for path in tracked(*COPIED):
        (to / path).parent.mkdir(parents=True, exist_ok=True)
        (to / path).write_bytes((ROOT / path).read_bytes())
    subprocess.run(["git", "init", "-q"], cwd=to, check=True)


def add(toy: Toy, to: Path) -> None:
    """Add the files of a toy to a house."""
    for name, text in toy.files.items():
        path = to / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text((path.read_text("utf-8") if path.exists() else "") + text, "utf-8")


def run(house: Path, *command: str) -> subprocess.CompletedProcess[str]:
    """Run Python in a house."""
    there = os.environ | {"PYTHONPATH": str(house)}
    return subprocess.run([sys.executable, *command], cwd=house, env=there, capture_output=True, text=True, check=False)
