"""Back ends are records: what one says of itself is what the compiler goes by, and nothing hangs on functions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.runtime.modes import backend_in
from minitorch_lab.compiler.schedule.traffic import Traffic
from minitorch_lab.compiler.targets.backends import BACKENDS, backend_of, list_backends, register_backend
from minitorch_lab.compiler.targets.declared import llvm, numpy
from minitorch_lab.compiler.targets.record import Backend


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test registers is forgotten."""
    before = dict(BACKENDS)
    yield
    BACKENDS.clear()
    BACKENDS.update(before)


def shouting(graph: Any) -> Any:
    return backend_of("numpy")(graph)


def test_those_that_are_declared_are_known() -> None:
    assert {"cuda", "eager", "llvm", "numpy"} <= set(list_backends())
    assert all(found.name == name for name, found in BACKENDS.items())
    assert backend_of("llvm") is llvm.BACKEND is backend_of(llvm.BACKEND.make)
    assert backend_of(shouting) == Backend("shouting", shouting)


def test_facts_are_given_with_the_name() -> None:
    register_backend("shouting", takes_sizes=True, device="cpu")(shouting)
    assert backend_of("shouting") == Backend("shouting", shouting, device="cpu", takes_sizes=True)


@pytest.mark.parametrize("sizes", [True, False])
def test_a_backend_that_takes_sizes_is_asked_once_for_many(sizes: bool) -> None:
    made: list[str] = []

    def counting(graph: Any) -> Any:
        made.append(graph.name)
        return shouting(graph)

    f = ml.compile(lambda x: x * 2 + 1, backend=Backend("counting", counting, takes_sizes=sizes))
    counts: list[int] = []
    for n in (3, 4, 5, 6, 7, 8):
        assert f(ml.ones(n)).tolist() == [3.0] * n
        counts.append(len(made))
    assert (counts[3] == counts[-1]) == sizes


def test_in_a_mode_another_function_takes_its_place() -> None:
    found = backend_in("reduce-overhead", "numpy")
    assert found.name == "numpy (reduce-overhead)"
    assert not found.takes_sizes
    assert backend_in("default", "numpy").name == "numpy"
    assert backend_of("eager").in_mode("reduce-overhead") is backend_of("eager")


@pytest.mark.parametrize(
    ("mode", "name"), [("default", "llvm, 2 threads"), ("reduce-overhead", "llvm (reduce-overhead), 2 threads")]
)
def test_threads_are_those_of_the_mode(mode: str, name: str) -> None:
    assert backend_in(mode, "llvm", 2).name == name


def test_explain_counts_what_the_backend_says() -> None:
    counted = Backend("one call", shouting, count=lambda graph, kernel: Traffic(1, 2, 3))
    told = ml.compile.explain(ml.compile(lambda x: (x + 1).exp(), backend=counted), ml.ones(4)).to_dict()
    assert {k: told["kernels"][0]["traffic"][k] for k in ("launches", "flops", "nbytes")} == {
        "launches": 1,
        "flops": 2,
        "nbytes": 3,
    }
    assert told["kernels"][0]["traffic"]["op_by_op"]["launches"] == 2


def test_numpy_asks_nothing_at_once() -> None:
    assert numpy.BACKEND.asked() is None
