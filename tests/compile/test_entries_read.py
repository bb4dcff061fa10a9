"""What a function of the library reads of entries is true of the call at hand: the next one reads it anew."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.capture.bytecode.engine import ENTRIES, READS
from minitorch_lab.tensors.tensor import Tensor

F = ml.nn.functional
T = ml.tensor
X, ROWS = T([1.0, 2.0, 3.0]), ml.arange(12).float().reshape(4, 3)
CASES: dict[str, tuple[Any, ...]] = {
    "repeat_interleave": (ml.repeat_interleave, (X, T([1, 2, 3])), (X, T([2, 3, 1])), (X, T([-1, 2, 1]))),
    "its length given": (
        lambda x, r: ml.repeat_interleave(x, r, output_size=6), (X, T([1, 2, 3])), (X, T([2, 3, 1]))
    ),
    "arange": (lambda n: ml.arange(n), (T(3),), (T(4),)),
    "arange from 0": (lambda n: ml.arange(0, n), (T(3),), (T(4),)),
    "tensor_split": (lambda x, t: list(ml.tensor_split(x, t)), (ROWS, T([1, 2])), (ROWS, T([2, 3]))),
    "tensor_split in so many": (lambda x, t: list(ml.tensor_split(x, t)), (ROWS, T(2)), (ROWS, T(4))),
    "hsplit": (lambda x, t: list(ml.hsplit(x, t)), (ROWS, T([1])), (ROWS, T([2]))),
    "bags": (F.embedding_bag, (T([0, 1, 2, 3]), ROWS, T([0, 2])), (T([0, 1, 2, 3]), ROWS, T([0, 3]))),
    "padded bags": (
        lambda i, w: F.embedding_bag(i, w, padding_idx=0), (T([[0, 1], [2, 3]]), ROWS), (T([[1, 1], [0, 3]]), ROWS)
    ),
    "a mask put": (
        lambda x, m, v: x.index_put((m,), v), (X, T([True, False, True]), T(5.0)), (X, T([False, True, True]), T(5.0))
    ),
    "a mask added": (
        lambda x, m, v: x.index_put((m,), v, accumulate=True),
        (X, T([True, False, True]), T(5.0)), (X, T([False, True, True]), T(5.0)),
    ),
    "a mask read": (lambda x, m: x[m] * 2, (X, T([True, False, True])), (X, T([False, False, True]))),
    "full_like": (ml.full_like, (T([1, 2]), T(3)), (T([1, 2]), T(4))),
    "alpha of a sum": (lambda x, a: ml.add(x, x, alpha=a), (X, T(2.0)), (X, T(1.0)), (X, T(0.5))),
    "alpha in place": (lambda x, a: x.clone().sub_(x, alpha=a), (X, T(2.0)), (X, T(1.0)), (X, T(0.5))),
    "an entry written": (lambda x, i, v: put_at(x, i, v), (ROWS, T(0), T([9.0])), (ROWS, T(1), T([8.0]))),
    "item": (lambda x: x * x[0].item(), (X,), (X * 2,)),
    "tolist": (lambda x: x * sum(x.tolist()), (X,), (X * 2,)),
    "numpy": (lambda x: x * float(x.numpy().sum()), (X,), (X * 2,)),
    "quantile": (lambda x, q: x.quantile(q), (X, T(0.5)), (X, T(0.25)), (X, T(1.5))),
    "dropout": (F.dropout, (X, 0.1), (X, 0.5), (X, 0.7), (X, 1.0), (X, 0.2)),
    "embedding": (F.embedding, (T([0, 1]), ROWS), (T([0, -1]), ROWS), (T([0, 9]), ROWS)),
    "index_select": (lambda i, w: w.index_select(0, i), (T([0, 1]), ROWS), (T([0, -1]), ROWS)),
    "index_add": (lambda i, w: w.index_add(0, i, w[:2]), (T([0, 1]), ROWS), (T([0, -1]), ROWS)),
    "index_fill": (lambda i, w: w.index_fill(0, i, 1.0), (T([0, 1]), ROWS), (T([0, -1]), ROWS)),
    "index_copy": (lambda i, w: w.index_copy(0, i, w[:2]), (T([0, 1]), ROWS), (T([0, -1]), ROWS)),
    "index_select of nothing": (lambda i, w: w[:, :0].index_select(0, i), (T([0, 1]), ROWS), (T([0, 7]), ROWS)),
    "bernoulli": (lambda p: ml.bernoulli(p), (T([0.5, 0.5]),), (T([0.5, 1.5]),)),
    "multinomial": (lambda p: ml.multinomial(p, 2), (T([0.5, 0.5]),), (T([0.5, float("nan")]),)),
}  # fmt: skip


def put_at(x: Any, i: Any, v: Any) -> Any:
    """A copy in which one entry is `v`."""
    x = x.clone()
    x[i, T(1)] = v
    return x


def told(f: Any, args: tuple[Any, ...]) -> str:
    """What a call gives, or what it is refused with."""
    ml.manual_seed(0)
    try:
        found = f(*args)
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return str([x.tolist() for x in found] if isinstance(found, list) else found.tolist())


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("case", CASES)
def test_every_call_reads_its_own_entries(case: str, backend: str) -> None:
    f, *calls = CASES[case]
    compiled = ml.compile(f, backend=backend)
    for args in (*calls, calls[0]):
        assert told(compiled, args) == told(f, args)


def test_every_method_that_reads_entries_is_watched() -> None:
    assert {f.__name__ for f in ENTRIES} == {name for name in READS if callable(getattr(Tensor, name))} == READS
