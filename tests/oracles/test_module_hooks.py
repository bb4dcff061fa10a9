"""Hooks of modules beside PyTorch's: the same events, in the same order, with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

BOTH = (ml, torch)


def said(x: Any) -> Any:
    if isinstance(x, (tuple, list)):
        return [said(part) for part in x]
    return np.round(x.detach().numpy(), 9).tolist() if hasattr(x, "detach") else x


def model(lib: Any, log: list[Any]) -> Any:
    class Scale(lib.nn.Module):
        def __init__(self, factor: float) -> None:
            super().__init__()
            self.factor = lib.nn.Parameter(lib.tensor(factor, dtype=lib.float64))

        def forward(self, x: Any, y: Any, *, shift: float = 0.0) -> Any:
            log.append(("forward", said(self.factor), shift))
            return x * self.factor + shift, x * y

    class Model(lib.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.first, self.second = Scale(2.0), Scale(3.0)

        def forward(self, x: Any, y: Any) -> Any:
            a, b = self.first(x, y, shift=1.0)
            return self.second(a, b)[0] + b

    return Model()


def noted(log: list[Any], name: str, answer: Any = None) -> Any:
    def hook(module: Any, *given: Any) -> Any:
        log.append((name, type(module).__name__, said(given)))
        return None if answer is None else answer(*given)

    return hook


def watch(m: Any, log: list[Any]) -> list[Any]:
    first, second = m.first, m.second
    return [
        m.register_forward_pre_hook(noted(log, "pre")),
        m.register_forward_hook(noted(log, "post")),
        m.register_full_backward_hook(noted(log, "back")),
        m.register_full_backward_pre_hook(noted(log, "back pre")),
        first.register_forward_pre_hook(noted(log, "pre 1", lambda a: (a[0] * 2, a[1]))),
        first.register_forward_pre_hook(noted(log, "pre 2")),
        first.register_forward_pre_hook(noted(log, "pre 0"), prepend=True),
        first.register_forward_pre_hook(
            lambda module, a, k: (log.append(("kw", said(a), k)), (a, {"shift": 5.0}))[1], with_kwargs=True
        ),
        first.register_forward_hook(noted(log, "post 1", lambda a, out: (out[0] * 10, out[1]))),
        first.register_forward_hook(
            lambda module, a, k, out: log.append(("post kw", said(a), k, said(out))), prepend=True, with_kwargs=True
        ),
        second.register_full_backward_pre_hook(noted(log, "b pre 1", lambda go: (go[0] * 2, go[1]))),
        second.register_full_backward_pre_hook(noted(log, "b pre 0"), prepend=True),
        second.register_full_backward_hook(noted(log, "b 1", lambda gi, go: (gi[0] * 3, gi[1]))),
        second.register_full_backward_hook(noted(log, "b 2")),
        first.register_full_backward_hook(noted(log, "b first")),
    ]


@pytest.mark.parametrize("removed", [None, 4, 8, 10, 12])
@pytest.mark.parametrize("inputs", [(True, True), (True, False), (False, False)])
def test_the_order_of_module_hooks(removed: int | None, inputs: tuple[bool, bool]) -> None:
    logs: list[Any] = []
    for lib in BOTH:
        log: list[Any] = []
        m = model(lib, log)
        handles = watch(m, log)
        if removed is not None:
            handles[removed].remove()
        x, y = (lib.tensor([1.0 + i, 2.0], dtype=lib.float64, requires_grad=on) for i, on in enumerate(inputs))
        m(x, y).sum().backward()
        with lib.no_grad():
            m(x, y)
        logs.append([*log, said([p.grad for p in m.parameters()]), said([x.grad, y.grad])])
    assert logs[0] == logs[1]
    assert len(logs[0]) > 20


@pytest.mark.parametrize("answer", [lambda gi, go: (gi[0],) * 3, lambda gi, go: (gi[0][:1], gi[1])])
def test_what_a_backward_hook_may_not_return(answer: Any) -> None:
    for lib in BOTH:
        m = model(lib, [])
        m.second.register_full_backward_hook(noted([], "wrong", answer))
        x = lib.ones(2, dtype=lib.float64, requires_grad=True)
        out = m(x, x)
        with pytest.raises((RuntimeError, ValueError, TypeError)):
            out.sum().backward()
