"""Functions with several results in the views: both results are one thing, and each gradient takes its own place."""

from __future__ import annotations

from minitorch_lab.widgets import Backward, Tape
from tests.widgets.runs import run

SIN_COS = """\
class SinCos(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        s, c = x.sin(), x.cos()
        ctx.save_for_backward(s, c)
        return s, c
    @staticmethod
    def backward(ctx, gs, gc):
        s, c = ctx.saved_tensors
        return gs * c - gc * s
x = ml.tensor(0.5, requires_grad=True)
with record() as rec:
    s, c = SinCos.apply(x)
    {use}
    y.backward()
"""


def told(use: str, view: type[Tape] | type[Backward]) -> list[str]:
    return [line.partition(". ")[2] for line in view(run(SIN_COS.replace("{use}", use))).transcript()]


def test_the_names_outside_are_the_readers_and_those_inside_say_where() -> None:
    assert told("y = s * c", Tape)[2:8] == [
        "`sin` makes SinCos.s = sin(0.5) = 0.4794. The tape records nothing: no_grad() is on.",
        "`cos` makes SinCos.c = cos(0.5) = 0.8776. The tape records nothing: no_grad() is on.",
        "`SinCos` makes both results at once, and keeps what your forward saved: your backward asks for it.",
        "`[0]` of both results is s: 0.4794.",
        "`[1]` of both results is c: 0.8776.",
        "`mul` makes y = 0.4794 × 0.8776 = 0.4207 and keeps both inputs: each is the other's derivative.",
    ]


def test_each_gradient_takes_its_place() -> None:
    steps = told("y = s * c", Backward)
    assert steps[9:13] == [
        "`[1]` sends 0.4794 to `both results`, into the place of `c`.",
        "`SinCos` must wait: 2 of its results were used, and only 1 gradient has arrived.",
        "`[0]` sends 0.8776 to `both results`, into the place of `s`. Now both are there.",
        "`SinCos` sends 0.5403 to `x`: so says your own backward. The tray fills. Its pins drop.",
    ]
    scene = Backward(run(SIN_COS.replace("{use}", "y = s * c"))).scene
    boxes = [e["text"] for step in scene["steps"] for e in step["events"] if e["type"] == "sum"]
    assert boxes[3:5] == ["(?, 0.4794)", "(0.8776, 0.4794)"]


def test_of_two_results_one_may_be_used() -> None:
    steps = told("y = s * 2", Backward)
    assert "`[0]` sends 2 to `both results`, into the place of `s`." in steps
    assert not [line for line in steps if "must wait" in line]


def test_a_function_that_saves_what_is_neither_argument_nor_result() -> None:
    text = SIN_COS.replace("{use}", "y = s * c").replace("save_for_backward(s, c)", "save_for_backward(x * 1, x * 2)")
    text = text.replace("return gs * c - gc * s", "return gs")
    steps = [line.partition(". ")[2] for line in Tape(run(text)).transcript()]
    assert "`SinCos` makes both results at once, and keeps what your forward saved: your backward asks for it." in steps
