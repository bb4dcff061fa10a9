"""A compiled function that nobody holds leaves nothing behind: graph, kernel, class, machine code, text."""

from __future__ import annotations

import gc
import linecache
import traceback
from contextlib import suppress
from typing import Any
from weakref import ref

import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim

BACKENDS = ["numpy", "llvm"]


def training(backend: str) -> Any:
    model = nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))
    update = optim.Adam(model.parameters(), lr=0.1)

    @ml.compile(backend=backend)
    def step(x):
        update.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        update.step()
        return loss

    return step


def with_gradients(backend: str) -> Any:
    weight = ml.ones(8, 3, requires_grad=True)
    return ml.compile(lambda x: (x @ weight).tanh().sum(), backend=backend)


def recompiled(backend: str) -> Any:
    return ml.compile(lambda x: x.exp().sum() if x.sum() > 0 else x * 2, backend=backend)


PROGRAMS = {"training": training, "gradients": with_gradients, "branches": recompiled}


def parts(compiled: Any) -> dict[str, ref[Any]]:
    """What a compiled function is made of, as references that keep nothing alive."""
    found: dict[str, Any] = {"itself": compiled, "class": type(compiled), "function": compiled.__wrapped__}
    for name, run in compiled._compiled.space.items():
        region = getattr(run, "region", None)
        if region is not None:
            kernel: Any = region.compiled()
            kernel = getattr(kernel, "kernel", kernel)
            found |= {name: run, f"region of {name}": region, f"arena of {name}": getattr(kernel, "arena", region)}
            found |= {f"page of {name}": kernel, f"code of {name}": getattr(kernel, "scope", {}).get("code", region)}
    found |= {f"graph {i}": graph for i, graph in enumerate(compiled.graphs)}
    return {name: ref(part) for name, part in found.items()}


def used(program: str, backend: str) -> dict[str, ref[Any]]:
    compiled = PROGRAMS[program](backend)
    for _ in range(3):
        out = compiled(ml.ones(4, 8))
        if program == "gradients":
            out.backward()
    compiled(-ml.ones(4, 8))
    assert compiled.graphs
    return parts(compiled)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("program", PROGRAMS)
def test_nothing_of_a_dropped_function_stays(program: str, backend: str) -> None:
    used(program, backend)  # what is made once for all
    gc.collect()
    lines, objects = set(linecache.cache), len(gc.get_objects())
    references = used(program, backend)
    gc.collect()
    assert [name for name, found in references.items() if found() is not None] == []
    del references
    assert len(gc.get_objects()) <= objects + 5
    assert set(linecache.cache) == lines


def test_its_lines_are_there_while_it_is() -> None:
    compiled = ml.compile(lambda x: x.exp().sum())
    compiled(ml.ones(3))
    assert linecache.getline(compiled._compiled.filename, 1) == "def program(x):\n"
    compiled(ml.ones(3, 4))  # written anew
    gc.collect()
    assert "".join(linecache.getlines(compiled._compiled.filename)) == compiled.text
    entry = next(f for f in compiled._compiled.space.values() if hasattr(f, "region"))
    assert linecache.getline(entry.__code__.co_filename, 1).startswith("def f(")


def test_an_error_that_is_kept_keeps_the_lines_of_its_traceback() -> None:
    def failing() -> Exception:
        compiled = ml.compile(lambda x, n: (x * 2).reshape(n))
        compiled(ml.ones(6), 6)
        try:
            compiled(ml.ones(6), 7)
        except Exception as error:
            return error
        raise AssertionError

    error = failing()
    gc.collect()
    generated = [f for f in traceback.extract_tb(error.__traceback__) if f.filename.startswith("<")]
    assert generated
    assert all(f.line for f in generated)


class Held:
    """What an error must not keep."""


def made(x: Any, k: Any) -> Any:
    del k
    y = x * 2
    raise ValueError(y.shape)


def caused(x: Any, k: Any) -> Any:
    try:
        raise KeyError(k)  # noqa: TRY301
    except KeyError as error:
        raise ValueError(x.shape) from error


def met(x: Any, k: Any) -> Any:
    try:
        raise KeyError(k)  # noqa: TRY301
    except KeyError:
        raise ValueError(x.shape)  # noqa: B904


def of_a_builtin(x: Any, k: Any) -> Any:
    return int("a"), x, k


def of_an_attribute(x: Any, k: Any) -> Any:
    return k.missing, x


def of_an_index(x: Any, k: Any) -> Any:
    return [x, k][2]


def of_a_function(x: Any, k: Any) -> Any:
    return made(x + 1, k)


def after_a_break(x: Any, k: Any) -> Any:
    print(end="")
    return made(x + 1, [k])


RAISING = [made, caused, met, of_a_builtin, of_an_attribute, of_an_index, of_a_function, after_a_break]


@pytest.mark.parametrize("f", RAISING)
def test_an_error_that_is_over_keeps_nothing(f: Any) -> None:
    """In later calls the program raises it, whose frame the traceback shows; eager is the measure."""

    def kept(run: Any) -> list[bool]:
        k, x = Held(), ml.ones(2)
        alive = [ref(k), ref(x)]
        with suppress(Exception):
            run(x, k)
        del k, x
        return [held() is not None for held in alive]

    run = ml.compile(f)
    kept(run)
    gc.collect()
    gc.disable()
    try:
        assert kept(run) == kept(run) == kept(f) == [False, False]
    finally:
        gc.enable()
