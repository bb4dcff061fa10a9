"""The view "Partition": its cuts are those of the partitioner, its sentences add up."""

from __future__ import annotations

import re
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.autodiff.partition import min_cut_partition
from minitorch_lab.errors import ArgumentError
from minitorch_lab.widgets.compiler_views import joint_of


def chain(x: ml.Tensor, w: ml.Tensor) -> ml.Tensor:
    return (x @ w).sin().exp().tanh()


ARGS = ml.ones(64, 16), ml.ones(16, 64).requires_grad_()


def panel(view: Any) -> Any:
    return view.scene["panels"][0]


def test_the_cut_moves_towards_the_arguments() -> None:
    view = ml.widgets.Partition()
    assert [[i.partition("/")[2] for i in cut["kept"]["ids"]] for cut in panel(view)["cuts"]] == [
        ["primals_1", "matmul", "exp", "tanh"],
        ["primals_1", "matmul", "exp"],
        ["primals_1", "matmul"],
    ]
    say = [step["say"] for step in view.scene["steps"]]
    assert "`tanh` is computed again, not kept. 36\u2009KiB in place of 52\u2009KiB." in say[3]
    assert "Iron law: data −16\u2009KiB, written and read; work +8,192 entries." in say[4]
    assert say[5] == (
        "With less than 20\u2009KiB there is no backward pass: `x` is given, not computed; "
        "`matmul` is too dear to compute twice."
    )


def test_every_cut_is_what_the_partitioner_gives_for_its_budget() -> None:
    both, id, _ = joint_of(chain, ARGS)
    for cut in panel(ml.widgets.Partition(chain, *ARGS))["cuts"]:
        parts = min_cut_partition(both, cut["budget"])
        assert cut["kept"]["ids"] == [f"{id}/{n.name}" for n in parts.saved]
        assert cut["late"]["ids"] == [f"{id}/{n.name}" for n in parts.backward.nodes if n.kind == "call"]
        assert cut["bytes"] == sum(n.nbytes for n in parts.saved)


def test_both_columns_hold_every_graph_in_its_order() -> None:
    shown = panel(ml.widgets.Partition(chain, *ARGS))
    for side, part in (("forward", "early"), ("backward", "late")):
        rows = [row["id"] for row in shown[side]]
        for cut in shown["cuts"]:
            places = [rows.index(i) for i in cut[part]["ids"]]
            assert places == sorted(places)


def test_what_crosses_the_cut_reaches_every_reader_that_is_not_computed_from_other_lines() -> None:
    """An op of the backward graph reads kept values, tangents, or other ops of that graph: nothing else."""
    shown = panel(ml.widgets.Partition(chain, *ARGS))
    for cut in shown["cuts"]:
        kept, late = set(cut["kept"]["ids"]), set(cut["late"]["ids"])
        for read in shown["reads"]:
            if read["to"] in late:
                assert read["from"] in kept | late, read


def test_a_module_s_parameters_have_their_names() -> None:
    layer = ml.nn.Sequential(ml.nn.Linear(4, 8), ml.nn.Tanh())
    names = [row["name"] for row in panel(ml.widgets.Partition(layer, ml.ones(2, 4)))["forward"]]
    assert any(re.search(r"weight$", name) for name in names), names


def test_a_joint_graph_is_shown_as_it_is() -> None:
    both = joint(ml.jit.trace(lambda a: 0.1 * a, ml.ones(1)).graph)
    shown = panel(ml.widgets.Partition(both))
    assert [row["text"] for row in shown["forward"]] == ["primals_1", "mul = mul(0.1, primals_1)"]
    assert [row["text"] for row in shown["backward"]] == ["tangents_1", "mul_1 = mul(tangents_1, 0.1)"]
    assert [cut["kept"]["ids"] for cut in shown["cuts"]] == [[]]


def test_a_compiled_function_is_shown_as_its_calls_have_made_it() -> None:
    f = ml.compile(chain)
    for _ in range(2):
        f(*ARGS).sum().backward()
    assert len(panel(ml.widgets.Partition(f))["cuts"]) == 3


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((3,), "Partition got a int."),
        ((lambda x: x.exp(), ml.ones(2)), "Partition found nothing that wants a gradient."),
        ((ml.compile(chain),), "Partition found no compiled graph"),
    ],
)
def test_what_cannot_be_shown_is_refused(given: Any, message: str) -> None:
    with pytest.raises(ArgumentError) as error:
        ml.widgets.Partition(*given)
    assert str(error.value).startswith(message)
    assert "Did you mean" in str(error.value)
