"""The checks of 08: right answers are done, and typical wrong ones are told what they believed."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_08_modules as lesson
from minitorch_lab.lessons.lesson_08_modules.registering import CASES, grown
from minitorch_lab.lessons.lesson_08_modules.states import KINDS, built
from minitorch_lab.lessons.lesson_08_modules.stepping import stepped
from tests.grade.answers import variants
from tests.notebooks.inject import parts_of
from tests.notebooks.solutions import s08_modules_and_state as right

NAME = "08_modules_and_state"
PARTS = parts_of(Path(right.__file__).read_text("utf-8"))
CHECKS: dict[str, Callable[[Any], Any]] = {
    "registers": lambda made: lesson.check_registers(made.Mini),
    "state": lambda made: lesson.check_state(made.snapshot, made.restore),
    "norm": lambda made: lesson.check_norm(made.Norm),
    "measured": lambda made: lesson.check_measured(made.measured),
    "adam": lambda made: lesson.check_adam(made.adam),
}


def made(source: str) -> Any:
    """What a source defines, as one namespace."""
    space: dict[str, Any] = {"ml": ml, "lesson": lesson}
    exec(source, space)
    return type("Made", (), {name: staticmethod(part) for name, part in space.items() if callable(part)})


def told(verdict: Any, text: str) -> None:
    assert verdict.state == "not yet"
    assert text in verdict.text


@pytest.mark.parametrize("exercise", CHECKS)
def test_the_solution_is_done(exercise: str) -> None:
    assert CHECKS[exercise](right).done


@pytest.mark.parametrize("exercise", CHECKS)
def test_other_people_s_right_answers_are_done(exercise: str) -> None:
    sources = [source for name, source in variants("strangers", NAME, "r") if name == exercise]
    assert len(sources) >= 3
    for source in sources:
        assert CHECKS[exercise](made(source)).done, source


WRONG = [
    ("registers", "self.own.pop(name, None)", "name", "bias was set to None afterwards"),
    ("registers", "self.inner.pop(name, None)", "name", "first was set to None afterwards"),
    ("registers", "if id(parameter) not in seen:", "if True:", "first.weight and last.weight are one tensor"),
    ("registers", 'f"{prefix}{name}."', 'f"{name}."', "the path goes on through every floor"),
    ("registers", "        super().__setattr__(name, value)\n", "", "weight was assigned and cannot be read"),
    ("registers", "super().__setattr__(name, value)", "setattr(self, name, value)", "without end"),
    ("registers", 'super().__setattr__("own", {})', "self.own = {}", "__setattr__ needs self.own before it is there"),
    ("registers", "ml.nn.Parameter)", "ml.Tensor)", "a plain tensor is an ordinary attribute"),
    ("registers", "[parameter for _, parameter in self.named_parameters()]", "[*self.own.values()]", "gives other"),
    ("registers", "(self):\n        seen = set()", "(self, seen=set()):", "Begin each walk with an empty set"),
    ("registers", "named_parameters(self)", "others(self)", "Only a Mini has it"),
    ("registers", "yield name, parameter", "yield name", "gives pairs: the name, and the parameter"),
    ("state", "tensor.clone()", "tensor", "it shows the same memory"),
    ("state", "f\"{prefix}{name}.\"", "f\"{name}.\"", "a name is the path through the modules"),
    ("state", "tensor.detach() for", "tensor for", "has a grad_fn (CloneBackward)"),
    ("state", "if shapes or (strict", "if (strict", "which copy_ spreads over all"),
    ("state", "return missing, unexpected", "return unexpected, missing", "the two lists are exchanged"),
    ("state", "    return missing, unexpected\n", "", "It gives two lists"),
    ("state", "unexpected {unexpected}, of another shape {shapes}", "", "let one error list all that does not fit"),
    ("state", "missing or unexpected", "missing", "head.scale, which the module has not"),
    ("state", "missing or unexpected", "unexpected", "the state has no body.0.bias"),
    ("state", "if shapes or", "if shapes or missing or unexpected or", "Then it loads what fits, and reports the rest"),
    ("state", "mine[name].copy_(state[name])", "pass", "restore leaves the module as it is"),
    ("state", "mine[name].copy_(state[name])", "mine[name][:] = state[name]", "a tensor without axes"),
    ("state", "live(module).items()}", "module.state_dict().items()}", "snapshot asks the module for state_dict()"),
    ("norm", "(var + self.eps).sqrt()", "(var.sqrt() + self.eps)", "eps stands outside of the root"),
    ("norm", "(var + self.eps).sqrt()", "(var + self.eps)", "Its root is the deviation"),
    ("norm", ", correction=0", "", "by the root of its unbiased variance"),
    ("norm", "x.var(0) - var", "x.var(0, correction=0) - var", "running_var follows the biased variance"),
    ("norm", "x.var(0) - var", "x.std(0) - var", "running_var follows the deviation"),
    ("norm", "+= self.momentum *", "+= (1 - self.momentum) *", "moved by the part 1 − momentum"),
    ("norm", "+= self.momentum *", "+= 1 *", "is that of the last batch alone"),
    ("norm", "+= self.momentum *", "+= 0 *", "is where it began"),
    ("norm", "(x.var(0) - var)", "x.var(0)", "grows with every batch"),
    ("norm", "            mean, var = x", "                mean, var = x", "mean and variance depend on x"),
    ("norm", "            mean, var = x.mean(0), x.var(0, correction=0)\n", "", "In training the batch has its own"),
    ("norm", "if self.training:", "if len(x) > 1:", "What decides is self.training alone"),
    ("norm", " * self.weight + self.bias", "", "then comes · weight + bias"),
    ("norm", '"running_var", ml.ones(channels)', '"running_var", ml.ones(channels), False', "is no buffer, so"),
    ("norm", "x.mean(0), x.var(0, correction=0)", "x.mean(), x.var(correction=0)", "one mean over all entries"),
    ("measured", "sizes.get(name, 0) + ", "", "Add them up"),
    ("measured", "out.itemsize", "4", "A float64 has 8 bytes"),
    ("measured", " * out.itemsize", "", "its entries times its itemsize"),
    ("measured", " if not list(module.children())", "", "Modules with modules inside are left out"),
    ("measured", "handle.remove()", "handle", "hooks are left on the model"),
    ("measured", "    finally:\n", "    except KeyError:\n        pass\n    else:\n", "Remove them in a finally"),
    ("measured", "named_modules()", "named_children()", "and 0.0 is missing"),
    ("measured", "handle.remove()", "[vars(m).update(_hooks=None) for m in model.modules()]", "hook is gone"),
    ("measured", "        return hook\n", "        return lambda *a: hook(*a) or 1\n", "Does a hook of yours return"),
    ("measured", "out.numel()", "args[0].numel()", "it gives out 96"),
    ("measured", "        model(x)\n", "        model(x)\n        model(x)\n", "it gives out 96"),
    ("adam", "root + group[\"eps\"]", "(root**2 + group[\"eps\"]).sqrt()", "eps is added to the root, and not under"),
    ("adam", "m / (1 - beta1**t)", "m", "v is corrected and m is not"),
    ("adam", "(v / (1 - beta2**t)).sqrt()", "v.sqrt()", "m is corrected and v is not"),
    ("adam", "(v / (1 - beta2**t)).sqrt()", "(v / (1 - beta2**t))", "It is divided by its root"),
    ("adam", "grad * grad", "grad", "v is the mean of the squares"),
    ("adam", "    root = ", "    grad *= 2\n    root = ", "your step writes into the gradient"),
    ("adam", "parameter -= ", "parameter += ", "it goes uphill"),
    ("adam", "parameter -= ", "parameter = parameter - ", "the parameter is where it was"),
    ("adam", 'group["betas"]', "0.9, 0.999", "Take both from group"),
    ("adam", 'state["t"] = state.get("t", 0) + 1', 'group["t"] = group.get("t", 0) + 1', "your step changes group"),
    ("adam", 'state.get("t", 0) + 1', 'state.get("t", 0)', "The first step is number 1"),
    ("adam", 'state.get("t", 0)', 'state["t"]', "At its first step the state of a parameter is an empty dict"),
    ("adam", 'state.get("m", 0.0)', "0.0", "The first step is right. Look at what comes over"),
]  # fmt: skip


@pytest.mark.parametrize(("exercise", "old", "new", "text"), WRONG)
def test_wrong_answers_are_told_what_they_believe(exercise: str, old: str, new: str, text: str) -> None:
    source = PARTS[f"{exercise}-exercise"]
    assert old in source
    told(CHECKS[exercise](made(source.replace(old, new))), text)


def test_what_is_remembered_elsewhere_is_not_resumed() -> None:
    count = [0]

    def counting(parameter: Any, grad: Any, state: Any, group: Any) -> None:
        count[0] += 1
        right.adam(parameter, grad, state | {"t": count[0] - 1}, group)
        state["t"] = count[0]

    def forgetful(parameter: Any, grad: Any, state: Any, group: Any) -> None:
        right.adam(parameter, grad, {}, group)

    told(lesson.check_adam(counting), "the same run, a second time, gives other numbers")
    told(lesson.check_adam(forgetful), "after two steps state is empty")


# ---- beside the engine ----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.what)
def test_the_solution_finds_what_a_module_finds(case: Any) -> None:
    mine, theirs = grown(right.Mini, case.program), grown(ml.nn.Module, case.program)
    assert [name for name, _ in mine.named_parameters()] == [name for name, _ in theirs.named_parameters()]


@pytest.mark.parametrize("kind", KINDS)
def test_the_solution_keeps_what_a_state_keeps(kind: str) -> None:
    module = built(kind)
    mine, theirs = right.snapshot(module), ml.nn.Module.state_dict(module)
    assert {name: t.tolist() for name, t in mine.items()} == {name: t.tolist() for name, t in theirs.items()}
    with pytest.raises(NotImplementedError):
        module.state_dict()


def test_a_run_of_the_engine_s_adam_resumes_bit_for_bit() -> None:
    rounds = [[[0.5 * k - 1.0], [1.0]] for k in range(5)]
    groups = [{"lr": 0.1}, {"lr": 0.3}]
    assert stepped(ml.optim.Adam, rounds, groups) == stepped(ml.optim.Adam, rounds, groups, stop=2)


# ---- what is shown --------------------------------------------------------------------------------------------------
def test_what_a_reader_s_module_finds_is_a_tree_for_the_views() -> None:
    model = grown(right.Mini, CASES[2].program)
    shown = lesson.found_by(model)
    assert [name for name, _ in shown.named_parameters()] == ["first.weight", "first.bias", "last.weight"]
    said = ml.widgets.ModuleTree(shown).transcript()
    assert said[0].startswith("1. What is a module made of? `Mini` holds 2 modules, 3 parameters: 13 numbers")
    assert "`first`, Module, holds weight (6,) and bias (3,): 9 numbers to learn" in said[1]


def test_what_cannot_be_shown_is_left_out() -> None:
    found = [("", 1), ("a", 2), ("b.c", ml.nn.Parameter(ml.ones(2)))]
    model = type("Odd", (), {"named_parameters": lambda self: found})
    assert [name for name, _ in lesson.found_by(model()).named_parameters()] == ["b.c"]


def test_bars_are_as_long_as_they_are_large() -> None:
    drawn = lesson.bars({"long": 80, "short": 20.0, "none": 0}).splitlines()
    assert [line.count("█") for line in drawn] == [40, 10, 0]
    assert re.sub(r" +", " ", drawn[1]).startswith("short 20 B")
    assert lesson.bars({}) == "nothing was measured"
