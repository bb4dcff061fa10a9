"""The gradient mode of a compiled function: its own layers' and its caller's, however often it is captured."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.trace import trace
from minitorch_lab.compiler.explain import explain
from minitorch_lab.compiler.runtime.region import Region
from minitorch_lab.compiler.targets.backends import backend_of

LAYERS: dict[str, Any] = {
    "no_grad": ml.no_grad(),
    "enable_grad": ml.enable_grad(),
    "inference_mode": ml.inference_mode(),
    "inference_mode(False)": ml.inference_mode(False),
    "set_grad_enabled(False)": lambda f: ml.set_grad_enabled(False)(f),
    "enable_grad(no_grad)": lambda f: ml.enable_grad()(ml.no_grad()(f)),
    "no_grad(enable_grad)": lambda f: ml.no_grad()(ml.enable_grad()(f)),
}
SCALE = 1.0


def facts(x: ml.Tensor) -> tuple[bool, bool, bool]:
    """Whether a result has a history, whether it is one of inference mode, and the mode that is left."""
    return x.requires_grad, x.is_inference(), ml.is_grad_enabled()


@pytest.mark.parametrize("outer", [True, False])
@pytest.mark.parametrize("dynamic", [False, None])
@pytest.mark.parametrize("layer", LAYERS)
def test_outer_layer_keeps_its_mode_in_every_capture(
    layer: str, dynamic: bool | None, outer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another shape and another global are captured in the mode that the layer sets, and leave the caller's."""
    w = ml.nn.Linear(2, 2)
    f = LAYERS[layer](lambda x: (w(x) * SCALE).sum())
    compiled = ml.compile(f, dynamic=dynamic)
    with ml.set_grad_enabled(outer):
        for n, scale in ((4, 1.0), (2, 1.0), (3, 1.0), (1, 1.0), (4, 2), (2, 1.0)):
            monkeypatch.setitem(globals(), "SCALE", scale)
            x = ml.ones(n, 2)
            assert facts(compiled(x)) == facts(f(x))
            assert compiled(x).item() == pytest.approx(f(x).item())


def test_layers_keep_their_graphs() -> None:
    """A layer that only changes the mode is no reason to run eagerly."""
    told = explain(ml.no_grad()(lambda x: x * 2 + 1), ml.ones(2)).to_dict()
    assert (told["eager"], len(told["regions"])) == ("", 1)


@pytest.mark.parametrize("layer", LAYERS)
@pytest.mark.parametrize("whole", [True, False])
def test_outer_layer_is_no_break(layer: str, whole: bool) -> None:
    """A decorator of a mode, on a function or a method, is entered by the program, or the program runs inside it."""

    class Model(ml.nn.Linear):
        @LAYERS[layer]
        def score(self, x: Any, scale: float = 2.0) -> Any:
            return self(x) * scale

    model = Model(3, 2)
    compiled = ml.compile(model.score if whole else LAYERS[layer](lambda x: model(x) * 2), fullgraph=True)
    for n in (4, 5, 6, 7):
        x = ml.ones(n, 3)
        assert facts(compiled(x)) == facts(model.score(x))
        assert compiled(x).allclose(model.score(x))
    assert compiled.captures == 2
    assert not compiled.reason


@pytest.mark.parametrize("layer", ["no_grad", "enable_grad", "set_grad_enabled(False)", "enable_grad(no_grad)"])
def test_layers_inside_are_no_breaks(layer: str) -> None:
    """Decorated functions, methods and generators that a compiled function calls."""
    w = ml.nn.Linear(2, 2)

    @LAYERS[layer]
    def scored(x: Any) -> Any:
        return w(x)

    @LAYERS[layer]
    def rows(x: Any) -> Any:
        for i in range(2):
            yield w(x) * i

    def f(x: Any) -> Any:
        return scored(x), w(x), sum(rows(x)), w(x)

    compiled = ml.compile(f, fullgraph=True)
    for _ in range(2):
        for got, want in zip(compiled(ml.ones(3, 2)), f(ml.ones(3, 2)), strict=True):
            assert facts(got) == facts(want)
            assert got.allclose(want)


@pytest.mark.parametrize("dynamic", [None, False])
def test_program_runs_in_inference_mode(dynamic: bool | None) -> None:
    """Inference mode around a compiled call marks what the graphs make, views of arguments and writes as eagerly."""
    model: Any = ml.nn.Sequential(ml.nn.Linear(3, 3), ml.nn.Tanh())

    def f(x: Any) -> Any:
        y = model(x)
        y[0] = 0.0
        return y, y.T, x[1:], y.sum()

    compiled = ml.compile(f, fullgraph=True, dynamic=dynamic)
    for n in (4, 5, 6, 7, 4):
        x = ml.ones(n, 3)
        with ml.inference_mode():
            found, wanted = compiled(x), f(x)
        for got, want in zip(found, wanted, strict=True):
            assert facts(got) == facts(want)
            assert got.allclose(want)
        assert all(facts(a) == facts(b) for a, b in zip(compiled(x), f(x), strict=True))
    assert compiled.captures == (4 if dynamic is None else 8)


def switch(x: Any) -> None:
    """Change the mode for good, in a call that capture does not look into."""
    exec("ml.set_grad_enabled(on)", {"ml": ml, "on": x})


def test_call_that_changes_the_mode_is_not_done_again_but_its_mode_is() -> None:
    """The mode that an unknown call has left is the one in which the rest of the call is captured."""
    w, calls = ml.nn.Linear(2, 2), list[int]()

    def f(x: Any, on: bool) -> Any:
        calls.append(1)
        switch(on)
        return w(x).sum()

    compiled = ml.compile(f, dynamic=False)
    with ml.enable_grad():
        for n, on in ((4, False), (2, False), (3, True), (1, True), (2, True), (4, False)):
            assert compiled(ml.ones(n, 2), on).requires_grad is on
            assert ml.is_grad_enabled() is on
    assert len(calls) == 6


def test_graph_compiled_under_no_grad_still_records() -> None:
    """One more branch, first taken under no_grad(), has the graph before it compiled anew; it records as before."""
    ln: Any = ml.nn.LayerNorm(4)

    def f(x: Any, last: bool) -> Any:
        h = ln(x)
        return ln(h[:, [-1]]) if last else ln(h).sum()

    compiled, x = ml.compile(f), ml.randn(3, 3, 4)
    assert compiled(x, False).requires_grad
    with ml.no_grad():
        assert not compiled(x, True).requires_grad
    out = compiled(x, False)
    assert out.requires_grad
    out.backward()
    assert ln.weight.grad is not None
    found, ln.weight.grad = ln.weight.grad, None
    f(x, False).backward()
    assert found.allclose(ln.weight.grad)


@pytest.mark.parametrize("wanted", [True, False])
def test_region_is_the_same_in_whichever_mode_it_is_made(wanted: bool) -> None:
    """A region knows from its graph what is recorded, and asks its caller's mode when it runs."""
    w = ml.ones(3, requires_grad=True)

    def f(x: Any) -> Any:
        y = x * 2
        y *= w
        return y.exp()

    graph = trace(f, ml.ones(3)).graph
    with ml.set_grad_enabled(wanted):
        region = Region(graph, backend_of("numpy"))
    assert region(ml.ones(3)).requires_grad
    with ml.no_grad():
        assert not region(ml.ones(3)).requires_grad


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_another_mode_under_the_same_name(backend: str) -> None:
    modes, w = {"block": ml.no_grad}, ml.ones(3, requires_grad=True)

    def f(x: ml.Tensor) -> ml.Tensor:
        with modes["block"]():
            return x * w

    compiled = ml.compile(f, backend=backend)
    for block in (ml.no_grad, ml.no_grad, ml.enable_grad, ml.inference_mode, ml.no_grad, ml.enable_grad):
        modes["block"] = block
        assert compiled(ml.ones(3)).requires_grad is f(ml.ones(3)).requires_grad is (block is ml.enable_grad)
