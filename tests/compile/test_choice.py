"""Row C13: which implementation an op gets, and why; vector widths."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets.numpy import choice as room
from minitorch_lab.compiler.targets.numpy.choice import LIBRARIES, choice, choices, iterations, vector_loop
from minitorch_lab.lessons.training_step import pure


def told(fn: Any, *examples: Any) -> list[tuple[str, str]]:
    return [(c.kernel, c.why) for c in map(choice, pure(fn, *examples).calls)]


def test_row_C13_256_floats_by_4_are_64_iterations() -> None:
    assert (iterations(256, 4), iterations(256, 1), iterations(256, 16), iterations(0, 4)) == (64, 256, 16, 0)


def test_row_C13_the_same_line_on_other_hardware() -> None:
    assert {device: library for device, (library, _) in LIBRARIES.items()} == {
        "cpu": "OpenBLAS, MKL or Accelerate",
        "cuda": "cuBLAS",
    }
    graph = pure(lambda a: (a @ a).exp(), ml.ones(2, 2))
    for node in graph.nodes[:-1]:
        node.facts.device = "cuda"
    assert [c.kernel for c in map(choice, graph.calls)] == ["cuBLAS", "CuPy"]


def test_row_C13_dtype_layout_and_shape_decide_about_a_product() -> None:
    a, v = ml.ones(4, 4), ml.ones(4)
    assert told(lambda a: a @ a, a) == [("BLAS sgemm", "rows as they lie")]
    assert told(lambda a: a @ a, a.double()) == [("BLAS dgemm", "rows as they lie")]
    assert told(lambda a: a @ a.T, a)[1] == ("BLAS sgemm", "permute is read column by column, no copy")
    assert told(lambda a, v: a @ v, a, v) == [("BLAS sgemv", "one operand is a vector")]
    assert told(lambda a: a[::2, ::2] @ a[:2], a)[-1] == (
        "BLAS sgemm", "after a copy of getitem: BLAS reads rows or columns without gaps"
    )  # fmt: skip
    assert told(lambda a: a @ a, a.long()) == [("np.matmul", "BLAS knows float32 and float64, not int64: a plain loop")]
    assert told(lambda a: a @ a, a.half()) == [
        ("matmul in float32", "float16 is for keeping: rounded once, at the end")
    ]  # fmt: skip


def test_row_C13_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "vector_loop", lambda name, dtype: ("X86_V4", 64 // dtype.itemsize))
    x = ml.ones(4, 4)
    assert told(lambda x: x + x, x) == [("np.add", "16 float32 at once (X86_V4)")]
    assert told(lambda x: x + x, x.double()) == [("np.add", "8 float64 at once (X86_V4)")]
    assert told(lambda x: x[:, ::2].exp(), x)[1] == (
        "np.exp",
        "neighbours in getitem are 8 bytes apart: entry by entry",
    )
    monkeypatch.setattr(room, "vector_loop", lambda name, dtype: None)
    assert told(lambda x: x + x, x)[0][1] == "no vector loop of NumPy's own for float32: what the C compiler made of it"


def test_what_numpy_says_of_this_machine() -> None:
    found = vector_loop("exp", ml.float32)
    assert found is None or found[1] in (4, 8, 16)
    assert vector_loop("no_such_function", ml.float32) is None


def test_row_C13_a_table_of_a_layer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "vector_loop", lambda name, dtype: ("X86_V3", 32 // dtype.itemsize))
    graph = pure(lambda x, w, b: (x @ w.T + b).gelu().sum(0), ml.ones(4, 3), ml.ones(2, 3), ml.ones(2))
    assert (
        choices(graph)
        == """\
value    kernel         why
permute  none           a view: other strides on the memory of w
matmul   BLAS sgemm     permute is read column by column, no copy
add      np.add         8 float32 at once (X86_V3)
gelu     gelu, our own  written with NumPy's calls, where the op is declared
sum      sum, our own   written with NumPy's calls, where the op is declared"""
    )
