"""TorchDynamo's way in small: the listings as text, and rewritten functions beside the ones they were made from."""

from __future__ import annotations

import argparse
import ast
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.errors import CaptureError
from minitorch_lab.lessons.lesson_11_capture.rewriting import rewrite
from minitorch_lab.lessons.lesson_11_capture.rewriting.assemble import assemble
from minitorch_lab.lessons.lesson_11_capture.rewriting.instructions import read
from minitorch_lab.lessons.lesson_11_capture.rewriting.listing import listing
from minitorch_lab.lessons.lesson_11_capture.rewriting.refusals import check
from tests.compile import rewriting_samples

# ---- row A6: the five listings --------------------------------------------------------------------------------------
LISTINGS = {  # the same on every version: what differs is the calling convention, which a listing leaves out
    "original": """\
 0 LOAD_FAST             a
 2 LOAD_CONST            0
 4 COMPARE_OP            >
 6 POP_JUMP_IF_FALSE     to 12
 8 LOAD_FAST             a
10 RETURN_VALUE
12 LOAD_CONST            0.1
14 LOAD_FAST             a
16 BINARY_OP             *
18 RETURN_VALUE""",
    "rewritten": """\
 0 LOAD_GLOBAL           __compiled_fn_0
 2 LOAD_FAST             a
 4 CALL                  1
 6 UNPACK_SEQUENCE       1
 8 POP_JUMP_IF_FALSE     to 18
10 LOAD_GLOBAL           __resume_at_8_1
12 LOAD_FAST             a
14 CALL                  1
16 RETURN_VALUE
18 LOAD_GLOBAL           __resume_at_12_2
20 LOAD_FAST             a
22 CALL                  1
24 RETURN_VALUE""",
    "__resume_at_8_1": """\
 0 LOAD_FAST             a
 2 RETURN_VALUE""",
    "__resume_at_12_2": """\
 0 LOAD_CONST            0.1
 2 LOAD_FAST             a
 4 BINARY_OP             *
 6 RETURN_VALUE""",
    "__resume_at_12_2 rewritten": """\
 0 LOAD_GLOBAL           __compiled_fn_2
 2 LOAD_FAST             a
 4 CALL                  1
 6 UNPACK_SEQUENCE       1
 8 RETURN_VALUE""",
    "final": """\
 0 LOAD_GLOBAL           __compiled_fn_0
 2 LOAD_FAST             a
 4 CALL                  1
 6 UNPACK_SEQUENCE       1
 8 POP_JUMP_IF_FALSE     to 14
10 LOAD_FAST             a
12 RETURN_VALUE
14 LOAD_GLOBAL           __compiled_fn_2
16 LOAD_FAST             a
18 CALL                  1
20 UNPACK_SEQUENCE       1
22 RETURN_VALUE""",
}


def leaky_relu(a: Any) -> Any:
    if a > 0:
        return a
    return 0.1 * a


def test_row_a6_the_five_listings() -> None:
    machine = rewrite(leaky_relu, ml.tensor(1.0))
    assert machine.listings == LISTINGS
    assert list(machine.listings) == list(LISTINGS)
    assert str(machine).startswith("===== original =====\n 0 LOAD_FAST             a\n")


def test_row_a6_the_listings_are_those_of_the_functions_that_run() -> None:
    machine = rewrite(leaky_relu, ml.tensor(1.0))
    assert listing(machine.function.__code__) == LISTINGS["rewritten"]
    assert listing(machine.final.__code__) == LISTINGS["final"]
    assert {name: listing(fn.__code__) for name, fn in machine.continuations.items()} == {
        name: LISTINGS[name] for name in ("__resume_at_8_1", "__resume_at_12_2")
    }


def test_row_a6_three_graphs_one_of_them_empty_and_two_continuations() -> None:
    machine = rewrite(leaky_relu, ml.tensor(1.0))
    assert [str(graph) for graph in machine.graphs] == [
        "__compiled_fn_0(a: f32[]):\n    gt: b8[] = gt(a, 0)\n    return (gt,)",
        "__compiled_fn_1():\n    return ()",
        "__compiled_fn_2(a: f32[]):\n    mul: f32[] = mul(0.1, a)\n    return (mul,)",
    ]
    assert list(machine.continuations) == ["__resume_at_8_1", "__resume_at_12_2"]
    assert machine.skipped == ["__resume_at_8_1"]
    (why,) = machine.breaks
    assert why.startswith("a jump on a value that only the run will tell (test_rewriting.py, line ")
    assert why.endswith(": if a > 0:)")


@pytest.mark.parametrize("value", [2.0, -3.0])
def test_row_a6_values_and_gradients_on_both_branches(value: float) -> None:
    machine = rewrite(leaky_relu, ml.tensor(1.0))
    expected = (value, 1.0) if value > 0 else (0.1 * value, 0.1)
    runs: list[Callable[..., Any]] = [leaky_relu, machine, machine.function, machine.final]
    for run in runs:
        a = ml.tensor(value, dtype=ml.float64, requires_grad=True) if run is not machine else ml.tensor(value)
        a.requires_grad_()
        out = run(a)
        out.backward()
        assert a.grad is not None
        assert (out.item(), a.grad.item()) == pytest.approx(expected)
        assert (out is a) == (value > 0)


def test_row_a6_a_continuation_runs_alone() -> None:
    assert rewrite(leaky_relu, ml.tensor(1.0)).continuations["__resume_at_12_2"](ml.tensor(5.0)).item() == 0.5


# ---- row A6: print --------------------------------------------------------------------------------------------------
def talks(x: Any) -> Any:
    y = x * 2
    print("halfway", y.shape)
    return y + 1


def test_row_a6_print_in_the_middle_makes_two_graphs(capsys: pytest.CaptureFixture[str]) -> None:
    machine = rewrite(talks, ml.ones(2))
    assert capsys.readouterr().out == ""  # nothing of the function runs while it is captured
    assert [[node.name for node in graph.calls] for graph in machine.graphs] == [["mul"], ["add"]]
    assert (
        machine.listings["final"]
        == """\
 0 LOAD_GLOBAL           __compiled_fn_0
 2 LOAD_FAST             x
 4 CALL                  1
 6 UNPACK_SEQUENCE       1
 8 STORE_FAST            __out_0_0
10 LOAD_GLOBAL           print
12 LOAD_CONST            'halfway'
14 LOAD_CONST            (2,)
16 CALL                  2
18 POP_TOP
20 LOAD_GLOBAL           __compiled_fn_1
22 LOAD_FAST             __out_0_0
24 CALL                  1
26 UNPACK_SEQUENCE       1
28 RETURN_VALUE"""
    )
    assert machine(ml.tensor([1.0, 2.0])).tolist() == [3.0, 5.0]
    assert capsys.readouterr().out == "halfway (2,)\n"
    assert machine.breaks[0].startswith("a call of print, into which this machine does not look")


# ---- row A6: an unknown call ----------------------------------------------------------------------------------------
def asks(x: Any) -> Any:
    y = rewriting_samples.unknown(x + 1)
    return y.exp() + y


def test_row_a6_what_follows_an_unknown_call_is_captured_when_it_is_reached() -> None:
    machine = rewrite(asks, ml.ones(2))
    called = [[node.name for node in graph.calls] for graph in machine.graphs]
    assert called == [["add"]]
    assert list(machine.continuations) == ["__resume_at_12_1"]
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    out = machine(x)
    assert out.tolist() == asks(x).tolist()
    assert [[node.name for node in graph.calls] for graph in machine.graphs] == [["add"], ["exp", "add"]]
    machine(x)
    machine.final(x)
    assert list(machine.continuations) == ["__resume_at_12_1", "__resume_at_12_2"]  # once for this kind of tensor
    machine.function(ml.ones(3))
    assert str(machine.graphs[-1].placeholders[0].facts) == "f32[3]"


# ---- where the versions differ --------------------------------------------------------------------------------------
def sliced(x: Any) -> Any:
    if x.sum() > 0:
        return x[1:]
    return x


CUT = {
    False: " 0 LOAD_FAST             x\n 2 LOAD_CONST            1\n 4 LOAD_CONST            None\n"
    " 6 BUILD_SLICE           2\n 8 BINARY_SUBSCR\n10 RETURN_VALUE",
    True: " 0 LOAD_FAST             x\n 2 LOAD_CONST            1\n 4 LOAD_CONST            None\n"
    " 6 BINARY_SLICE\n 8 RETURN_VALUE",
}


def test_row_a6_a_slice_is_one_step_from_3_12_on() -> None:
    machine = rewrite(sliced, ml.ones(3))
    (name, *_) = machine.continuations
    assert machine.listings[name] == CUT[sys.version_info >= (3, 12)]
    assert machine(ml.tensor([1.0, 2.0, 3.0])).tolist() == [2.0, 3.0]


# ---- code objects ---------------------------------------------------------------------------------------------------
def functions_of(*modules: Any) -> list[FunctionType]:
    return [f for m in modules for f in vars(m).values() if isinstance(f, FunctionType) and f.__module__ == m.__name__]


def test_what_is_read_and_assembled_again_is_the_same_code() -> None:
    taken = 0
    for fn in functions_of(argparse, ast, os, os.path, textwrap, rewriting_samples):
        try:
            check(fn)
        except CaptureError:
            continue
        code = fn.__code__
        again = assemble(read(code), code, code.co_name)
        assert listing(again) == listing(code)
        assert again.co_stacksize <= code.co_stacksize
        assert {line for *_, line in again.co_lines()} >= {s.line for s in read(code)}
        taken += 1
    assert taken > 20


def test_long_code_has_long_arguments_and_long_jumps() -> None:
    text = (
        "def f(x):\n    y = x\n    if x > 0:\n"
        + "".join(f"        y = y + {i}.5\n" for i in range(300))
        + "    return y"
    )
    names: dict[str, Any] = {}
    exec(text, names)
    f = names["f"]
    f.__code__ = assemble(read(f.__code__), f.__code__, "f")
    assert f(1.0) == 1.0 + sum(i + 0.5 for i in range(300))
    assert f(-1.0) == -1.0


def ran(*args: str) -> subprocess.CompletedProcess[str]:
    """The samples in a process of their own: a wrong code object would end it."""
    command = [sys.executable, "-m", "tests.compile.rewriting_samples", *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("count", [(), ("60",)], ids=["samples", "random"])
def test_rewritten_functions_do_what_the_functions_do(count: tuple[str, ...]) -> None:
    done = ran(*count)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_the_comparison_sees_a_difference() -> None:
    def unlike(x: Any, y: Any) -> Any:
        return x * len(rewriting_samples.SEEN)

    machine = rewrite(unlike, ml.ones(3), ml.ones(3))
    x, y = rewriting_samples.INPUTS[0]
    assert rewriting_samples.outcome(rewriting_samples.printing, x, y) != rewriting_samples.outcome(machine, x, y)
