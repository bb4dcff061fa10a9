"""Ten training programs compile as one graph, train as they do eagerly, and take a third batch size as they are."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets import backends
from tests.programs.running import Run, program, train

# Batch sizes: two of them, then others, which are also the width of a layer by chance.
FIRST, LATER = (9, 9, 13, 13, 13), (7, 16, 8, 4, 24)
NAMES = ["gpt", "rnn", "lstm", "gru", "cnn", "vae", "gan", "dqn", "diffusion", "ode"]
NEAR = {"numpy": 0.0, "llvm": 1e-6}


@cache
def eagerly(name: str, sizes: tuple[int, ...]) -> Run:
    return train(program(name), sizes)


def compiled(name: str, backend: str, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch) -> Run:
    """The program under a compiler whose kernels are counted."""
    made, own = [0], backends.BACKENDS[backend]

    def counting(graph: Any) -> Any:
        made[0] += 1
        return own(graph)

    monkeypatch.setitem(backends.BACKENDS, "counting", replace(own, name="counting", make=counting))
    compile = partial(ml.compile, backend="counting", fullgraph=True)
    return train(program(name), sizes, compile, kernels=lambda: made[0])


@pytest.mark.family(2)
@pytest.mark.parametrize("backend", NEAR)
@pytest.mark.parametrize("name", NAMES)
def test_it_trains_to_the_losses_of_eager_and_a_third_batch_size_compiles_nothing(
    name: str, backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    want, got = eagerly(name, FIRST + LATER), compiled(name, backend, FIRST + LATER, monkeypatch)
    assert_close(got.losses, want.losses, NEAR[backend])
    assert_close(got.weights, want.weights, 10 * NEAR[backend])
    assert got.captured[len(FIRST) :] == got.compiled[len(FIRST) :] == [0] * len(LATER)


def assert_close(got: list[Any], want: list[Any], near: float) -> None:
    for a, b in zip(got, want, strict=True):
        np.testing.assert_allclose(a, b, rtol=near, atol=near)
