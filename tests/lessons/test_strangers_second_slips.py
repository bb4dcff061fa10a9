"""More slips of strangers: wrong answers that were taken, finished functions handed in, faults that were misnamed."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.partition import cheap, min_cut_partition
from minitorch_lab.compiler.memory.plan import best_of_orders
from minitorch_lab.compiler.passes.cse import cse
from minitorch_lab.errors import ArgumentError
from minitorch_lab.func import custom_jvp, grad, jacfwd, jvp, vmap
from minitorch_lab.grade.selfcheck import read
from minitorch_lab.lessons import lesson_01_strides as strides
from minitorch_lab.lessons import lesson_02_tape as tape
from minitorch_lab.lessons import lesson_03_backward as back
from minitorch_lab.lessons import lesson_04_modes as modes
from minitorch_lab.lessons import lesson_05_internals as internals
from minitorch_lab.lessons import lesson_06_memory as memory
from minitorch_lab.lessons import lesson_07_transforms as transforms
from minitorch_lab.lessons import lesson_10_models as models
from minitorch_lab.lessons import lesson_11_capture as capture
from minitorch_lab.lessons import lesson_12_partition as partition
from minitorch_lab.lessons import lesson_13_passes as passes
from minitorch_lab.lessons import lesson_15_planning as planning
from minitorch_lab.lessons.predict import predicted

# ---- guesses, by value ----------------------------------------------------------------------------------------------

SAME: list[tuple[Any, Any]] = [
    ("(5, 1)", (5, 1)), ("5, 1", (5, 1)), ("(1, 0)", (1, 0)), (271.8282, 271.83), ("271.83", 271.8282),
    ("error", "an error"),
    ("second", "the second"), ("column", "a column"), ("result", "its result"), ("17 million", "about 17 million"),
    ("None", "nothing"), ("none", None), (None, None), (True, "yes"), ("no", False), ("(3*x) ** 2", "(3 * x)**2"),
    ("[PowBackward, MulBackward]", ["PowBackward", "MulBackward"]), ("4,194,304", 4194304), ('"An error."', "an error"),
]  # fmt: skip
OTHERS: list[tuple[Any, Any]] = [
    (8001, 8000), (271.93, 271.83), ("the first", "the second"), ("(5, 2)", (5, 1)), ("a", "b"), (10**400, 5),
    ("a row", "a column"), ("5, 1, 1", (5, 1)), (float("nan"), 1.5), (abs, 5),
]  # fmt: skip


@pytest.mark.parametrize(("guess", "truth"), SAME)
def test_a_right_guess_is_right_however_it_is_written(guess: Any, truth: Any) -> None:
    assert predicted(guess, truth, "So.").state == "right"


@pytest.mark.parametrize(("guess", "truth"), OTHERS)
def test_a_wrong_guess_stays_wrong(guess: Any, truth: Any) -> None:
    verdict = predicted(guess, truth, "So.")
    assert verdict.state == "not quite"
    assert len(verdict.text) < 100


def test_switches_take_none_and_words_without_their_article() -> None:
    from tests.notebooks.solutions.s05_autograd_internals import answers

    mine = {**answers, "twice": "error", "h.grad": None, "frozen": "None"}
    assert internals.check_switches(mine).done
    assert "'detach' has no answer yet" in internals.check_switches({**mine, "detach": None}).text


# ---- finished functions, handed in ----------------------------------------------------------------------------------


def counted_by_numpy(shape: Any, dtype: Any, axes: Any, keepdims: bool) -> Any:
    out = np.zeros(shape, dtype).sum(axis=tuple(axes), keepdims=keepdims)
    return out.shape, ml.int64 if out.dtype == np.int64 else dtype


def foretold(shape: Any, dtype: Any, axes: Any, keepdims: bool) -> Any:
    axis = tuple(a % len(shape) for a in axes)
    found = partition.foretell("sum", partition.fake(*shape, dtype=dtype), axis=axis, keepdims=keepdims)
    return found.shape, found.dtype


def stepped(w: Any, lr: float) -> None:
    ml.optim.SGD([w], lr=lr).step()


def permuted(shape: Any, stride: Any, dims: Any) -> Any:
    view = ml.zeros(*shape).permute(*dims)
    return view.shape, view.stride()


def permuted_all(shape: Any, stride: Any, dims: Any) -> Any:
    view = strides.as_strided(ml.zeros(1000), shape, stride).permute(*dims)
    return view.shape, view.stride()


HANDED_IN: dict[str, tuple[Callable[[], Any], str]] = {
    "order_of": (lambda: back.check_order(back.order_of), "your answer calls nodes_of"),
    "names": (lambda: tape.check_graph(lambda n: [m.name() for m in back.order_of(n)]), "your answer calls nodes_of"),
    "min-cut": (lambda: partition.check_choice(lambda j: min_cut_partition(j).saved), "calls min_cut_partition"),
    "fewest": (lambda: partition.check_choice(partition.fewest), "calls fewest"),
    "cheap": (lambda: partition.check_again(cheap), "calls cheap"),
    "cse": (lambda: passes.check_share(cse), "calls cse"),
    "lives": (lambda: planning.check_lives(planning.lives_of), "calls lives_of"),
    "planner": (lambda: planning.check_planner(best_of_orders), "calls best_of_orders"),
    "jacfwd": (lambda: modes.check_columns(lambda f, x: jacfwd(f)(x)), "calls jacfwd"),
    "cross-entropy": (lambda: transforms.check_loss(ml.nn.functional.cross_entropy), "cross_entropy has done it"),
    "an optimizer": (lambda: tape.check_update(stepped), "your answer calls step"),
    "a sum that runs": (lambda: partition.check_foretelling(counted_by_numpy), "your rule makes an array"),
    "a fake": (lambda: partition.check_foretelling(foretold), "calls foretold"),
    "permute": (lambda: strides.check_permuted(permuted), "right for a fresh tensor"),
    "permute of a view": (lambda: strides.check_permuted(permuted_all), "the engine has exchanged the axes"),
}


@pytest.mark.parametrize("name", HANDED_IN)
def test_a_finished_function_is_no_answer(name: str) -> None:
    asked, told = HANDED_IN[name]
    verdict = asked()
    assert verdict.state == "not yet"
    assert told in verdict.text


def tame_by_eight(x, limit: float):  # pyright: ignore
    steps = 0
    for _ in range(8):
        if x.abs().max() >= limit:  # pyright: ignore
            x = x / 2  # pyright: ignore
            steps += 1
    return x, steps  # pyright: ignore


def nan_everywhere(root: Any, order: Any) -> dict[Any, float]:
    return dict.fromkeys(order, float("nan"))


# ---- faults by their names ------------------------------------------------------------------------------------------


def none_as_it_was(root: Any, memory: Any) -> list[str]:
    return [
        f"{node.name()} {name}"
        for (node, name), before in memory.items()
        if not (node.saved_tensors[name].detach() == before).any()
    ]


def with_two(root: Any, log: Any) -> None:
    for node in internals.order_of(root):
        node.register_hook(lambda g, node=node: log.append((node.name(), internals.size(g))))


def without_grad(fn: Any, x: Any, g: Any) -> Any:
    x = x.detach()
    with ml.enable_grad():
        z = fn(x)
    z.backward(g)
    return x.grad


class Floorless(transforms.Floor):
    def __init__(self) -> None:
        self.counts: dict[str, int] = {}

    def run(self, op: Any, args: Any, params: Any) -> Any:
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        return self.below.run(op, args, params)  # pyright: ignore


class Unnoted(models.Recorder):
    def __init__(self, graph: Any) -> None:
        self.graph = graph


@custom_jvp
def branching(x: Any) -> Any:
    return (-x.abs()).exp().log1p() + x.relu()


@branching.defjvp
def branching_rule(primals: Any, tangents: Any) -> Any:
    (x,), (dx,) = primals, tangents
    slope = 1 / (1 + (-x).exp()) if x > 0 else x.exp() / (1 + x.exp())
    return branching(x), slope * dx


def by_pythons_max(scores: Any, label: Any) -> Any:
    shifted = scores - max(scores)
    return shifted.exp().sum().log() - shifted[label]


def by_math(scores: Any, label: Any) -> Any:
    return math.log(sum(math.exp(v) for v in scores)) - scores[label]


def shifted_by_a_pair(scores: Any, label: Any) -> Any:
    return (scores - scores.max(dim=0)).exp().sum().log() - scores[label]


class Levelled:
    """A Dual of some level."""

    def __init__(self, value: Any, slope: Any, level: int) -> None:
        self.value, self.slope, self.level = value, slope, level

    def __add__(self, other: Any) -> Any:
        level, (a, da), (b, db) = both(self, other)
        return Levelled(a + b, da + db, level)

    def __mul__(self, other: Any) -> Any:
        level, (a, da), (b, db) = both(self, other)
        return Levelled(a * b, da * b + a * db, level)

    __radd__, __rmul__ = __add__, __mul__


next_level = count(1).__next__


def both(x: Any, y: Any) -> Any:
    level = max(getattr(x, "level", 0), getattr(y, "level", 0))
    return level, parts(x, level), parts(y, level)


def parts(x: Any, level: int) -> Any:
    return (x.value, x.slope) if isinstance(x, Levelled) and x.level <= level else (x, 0.0)


def slope_of(f: Any, x: Any) -> Any:
    level = next_level()
    return parts(f(Levelled(x, 1.0, level)), level)[1]


def contiguous_ones(w: Any, steps: int) -> list[Any]:
    kept: list[Any] = []
    for _ in range(steps):
        w += 1
        kept.append(w.contiguous())
    return kept


def falling(layers: int) -> list[int]:
    kept, at, step = [], 0, int((2 * layers) ** 0.5)
    while step > 0 and at + step < layers:
        at += step
        kept.append(at)
        step -= 1
    return kept


def rootless(root: Any, order: Any) -> dict[Any, float]:
    held = {root: 1.0}
    for node in order:
        for (edge, _), part in zip(node.next_functions, back.pull(node, held[node]), strict=False):
            if edge is not None:
                held[edge] = held.get(edge, 0) + part
    return {node: g for node, g in held.items() if node is not root}


MISNAMED: dict[str, tuple[Callable[[], Any], str]] = {
    "eight rounds": (lambda: models.check_tame(tame_by_eight), "x is still above the limit"),
    "NaN": (lambda: back.check_walk(nan_everywhere), "came out as nan instead of 10"),
    "any of all": (
        lambda: internals.check_spoiled(
            lambda root: {
                (node, name): kept.detach().clone()
                for node in internals.order_of(root)
                for name, kept in node.saved_tensors.items()
                if isinstance(kept, ml.Tensor)
            },
            none_as_it_was,
        ),
        "Ask whether any entry differs",
    ),
    "a second argument": (lambda: internals.check_watch(with_two), "has taken the place of the node"),
    "a leaf that asks for nothing": (lambda: memory.check_run_again(without_grad), "asks for no gradient"),
    "two layers": (
        lambda: memory.check_kept(lambda batch, widths: 4 * batch * (widths[1] + widths[2])), "you count two layers"
    ),
    "no super, counting": (lambda: transforms.check_tally(Floorless), "does not call super().__init__()"),
    "no super, recording": (lambda: models.check_notes(Unnoted), "does not call super().__init__(graph)"),
    "a branch in a rule": (lambda: transforms.check_softplus(branching), "decides by a number"),
    "max of Python": (lambda: transforms.check_loss(by_pythons_max), "in `shifted = scores - max(scores)`"),
    "exp of math": (lambda: transforms.check_loss(by_math), "those of math take numbers"),
    "a pair of max": (lambda: transforms.check_loss(shifted_by_a_pair), "Take its .values."),
    "outer levels": (lambda: transforms.check_levels(slope_of), "takes a Dual of an outer level apart"),
    "contiguous": (lambda: strides.check_snapshots(contiguous_ones), "give w itself"),
    "stretches that fall": (lambda: planning.check_keep(falling), "Most is alive when stretch 8 of 8 runs again"),
    "no root": (lambda: back.check_walk(rootless), "not for the leaf alone."),
    "a name for a cell": (lambda: strides.check_address(lambda i, s, o: "0"), "gives the str '0'. It gives a whole"),
    "nodes for names": (lambda: tape.check_graph(lambda node: [node]), "a list that holds a Node"),
    "the root for a list": (lambda: back.check_order(lambda root: root), "your order is a Node. It is a list of nodes"),
    "nothing for a list": (lambda: back.check_order(lambda root: None), "your order is None"),
    "text for bytes": (lambda: memory.check_kept(lambda batch, widths: "12"), "your formula gives the str '12'"),  # pyright: ignore
    "seen for a tensor": (lambda: capture.check_guard(lambda x, seen: x == seen), "seen is no tensor"),
    "names for keys": (
        lambda: back.check_walk(lambda root, order: {node.name(): 1.0 for node in order}), "The keys are the nodes"
    ),
    "a tangent too many": (
        lambda: modes.check_columns(lambda f, x: jvp(f, x, ml.ones(2))[1]), "primals is a tuple"
    ),
}  # fmt: skip


@pytest.mark.parametrize("slip", MISNAMED)
def test_a_fault_is_told_by_its_name(slip: str) -> None:
    asked, told = MISNAMED[slip]
    verdict = asked()
    assert verdict.state == "not yet"
    assert told in verdict.text


def test_success_says_only_what_happened() -> None:
    forward = modes.check_hvp(lambda f, x, v: jvp(grad(f), (x,), (v,))[1])
    twice = modes.check_hvp(lambda f, x, v: grad(lambda z: (grad(f)(z) * v).sum())(x))
    pushed = modes.check_hvp(lambda f, x, v: grad(lambda z: jvp(f, (z,), (v,))[1])(x))
    assert "This is forward over reverse." in forward.text
    assert "This is reverse over reverse" in twice.text
    assert "This is reverse over forward" in pushed.text
    assert forward.done
    assert twice.done
    assert pushed.done
    factor = models.check_mended(lambda x: (c := (x.sum() > 0) * 1.0) * x * 2 + (1 - c) * x * 3)
    assert factor.done
    assert "no ml.where among them" in factor.text


def test_sentences_begin_with_a_capital_after_a_full_stop() -> None:
    for verdict in (
        memory.check_kept(lambda batch, widths: 17),
        capture.check_guard(lambda x, seen: True),
        partition.check_choice(lambda joint: partition.values(joint)),
        partition.check_choice(lambda joint: joint.primals[:1]),
    ):
        _, *others = verdict.text.replace("…", "").split(". ")
        assert [text for text in others if text[:1].islower() and text.split()[0].isalpha()] == [], verdict


def test_a_missing_notebook_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "01_tensors_and_strides.ipynb").write_text("{}")
    with pytest.raises(ArgumentError, match=r"There is no file .*(?s:.)*Did you mean .*01_tensors_and_strides.ipynb\?"):
        read(tmp_path / "01_tensors.ipynb")
    with pytest.raises(ArgumentError, match=r"(?s)It is a folder.*are 01_tensors_and_strides\."):
        read(tmp_path)
    with pytest.raises(ArgumentError, match=r"There is no folder .*lost either"):
        read(tmp_path / "lost" / "nope.ipynb")


def test_vmapped_passes_are_passes() -> None:
    def columns(f: Any, x: Any) -> Any:
        return vmap(lambda way: jvp(f, (x,), (way,))[1], out_dims=1)(ml.eye(len(x)))  # pyright: ignore

    assert modes.check_columns(columns).done
