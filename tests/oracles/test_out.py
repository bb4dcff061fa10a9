"""`out=`: results written into tensors that are there, one or several, beside PyTorch."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

SEVERAL = {
    "max": lambda t, x, out: t.max(x, 1, out=out), "min": lambda t, x, out: t.min(x, 0, out=out),
    "sort": lambda t, x, out: t.sort(x, 1, out=out), "topk": lambda t, x, out: t.topk(x, 2, 1, out=out),
    "kthvalue": lambda t, x, out: t.kthvalue(x, 2, 1, out=out), "mode": lambda t, x, out: t.mode(x, 1, out=out),
    "cummax": lambda t, x, out: t.cummax(x, 1, out=out), "qr": lambda t, x, out: t.linalg.qr(x, out=out),
    "eigh": lambda t, x, out: t.linalg.eigh(x + x.mT, out=out),
    "slogdet": lambda t, x, out: t.linalg.slogdet(x, out=out),
}  # fmt: skip
MAKERS = {
    "zeros": lambda t, out: t.zeros(2, 3, out=out), "ones": lambda t, out: t.ones(2, 3, out=out),
    "full": lambda t, out: t.full((2, 3), 7.0, out=out), "eye": lambda t, out: t.eye(2, 3, out=out),
    "arange": lambda t, out: t.arange(6, out=out.view(6)).view(2, 3),
    "linspace": lambda t, out: t.linspace(0, 1, 6, out=out.view(6)).view(2, 3),
}  # fmt: skip


@pytest.mark.parametrize("name", SEVERAL)
def test_several_results(name: str) -> None:
    rows = [[3.0, 1.0, 2.0], [4.0, 1.5, 9.0], [0.5, 7.0, 2.5]]
    found: list[Any] = []
    for t in (ml, torch):
        plain = {
            "qr": t.linalg.qr, "eigh": lambda x, t=t: t.linalg.eigh(x + x.mT), "slogdet": t.linalg.slogdet,
        }.get(name, lambda x, t=t: SEVERAL[name](t, x, None))  # fmt: skip
        x = t.tensor(rows)
        out = tuple(t.zeros_like(part) for part in plain(x))
        result = SEVERAL[name](t, x, out)
        assert all(a is b for a, b in zip(result, out, strict=True))
        assert type(result).__name__ != "list"
        found.append([part.tolist() for part in out])
    ours, theirs = ([abs(n) if name in ("qr", "eigh") else n for n in flat(parts)] for parts in found)  # up to signs
    assert ours == pytest.approx(theirs, abs=1e-5)


def flat(parts: list[Any]) -> list[float]:
    return [x for part in parts for x in (flat(part) if isinstance(part, list) else [part])]


@pytest.mark.parametrize("name", MAKERS)
def test_makers(name: str) -> None:
    out = ml.full((2, 3), -1.0)
    assert MAKERS[name](ml, out).tolist() == MAKERS[name](torch, torch.full((2, 3), -1.0)).tolist()
    assert out.tolist() == MAKERS[name](torch, torch.full((2, 3), -1.0)).tolist()


def test_one_tensor_for_two_results() -> None:
    with pytest.raises(ml.errors.ArgumentError, match="gives a tuple of 2"):
        ml.max(ml.ones(2, 2), 1, out=ml.empty(2))
    with pytest.raises(ml.errors.ArgumentError, match="gives one tensor"):
        ml.sin(ml.ones(2), out=(ml.empty(2),))
