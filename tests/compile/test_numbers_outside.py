"""Numbers by which entries are read or written: a warm compiled call refuses what eager refuses, in its words."""

from __future__ import annotations

import math
from typing import Any

import pytest

import minitorch_lab as ml

F = ml.nn.functional

USES = {
    "scatter": lambda x, y: ml.zeros(4, 5).scatter(1, y[:, None], x[:, :1]),
    "scatter a number": lambda x, y: ml.zeros(4, 5).scatter(1, y[:, None], 1.0),
    "scatter_": lambda x, y: ml.zeros(4, 5).scatter_(1, y[:, None], x[:, :1]),
    "scatter_add": lambda x, y: ml.zeros(4, 5).scatter_add(1, y[:, None], x[:, :1]),
    "scatter_add wide": lambda x, y: ml.zeros(4, 50).scatter_add(1, y[:, None] * 10, x[:, :1]),
    "scatter_add computed": lambda x, y: ml.zeros(4, 5).scatter_add(1, (y * 1)[:, None], x[:, :1].exp()) * 2,
    "amax": lambda x, y: ml.zeros(4, 5).scatter_reduce(1, y[:, None], x[:, :1], "amax"),
    "prod": lambda x, y: ml.zeros(4, 5).scatter_reduce(1, y[:, None], x[:, :1], "prod"),
    "mean": lambda x, y: ml.zeros(4, 5).scatter_reduce(1, y[:, None], x[:, :1], "mean"),
    "index_add": lambda x, y: ml.zeros(5, 5).index_add(0, y, x),
    "index_copy": lambda x, y: ml.zeros(5, 5).index_copy(0, y, x),
    "index_fill": lambda x, y: ml.zeros(5, 5).index_fill(0, y, 1.0),
    "index_put": lambda x, y: ml.zeros(5, 5).index_put((y,), x),
    "index_put, adding": lambda x, y: ml.zeros(5, 5).index_put((y,), x, accumulate=True),
    "index_select": lambda x, y: x.index_select(1, y),
    "gather": lambda x, y: x.gather(1, y[:, None]),
    "gather of what is computed": lambda x, y: x.log_softmax(1).gather(1, y[:, None]),
    "gather by what is computed": lambda x, y: x.exp().gather(1, ml.where(y == 1, 0, y)[:, None]),
    "gather, chosen": lambda x, y: ml.where(y[:, None] > 1, (x * 2).gather(1, y[:, None]), 0.0),
    "gather of windows": lambda x, y: (x * 2).unfold(1, 4, 1).gather(2, y[:, None, None].expand(4, 2, 1)),
    "take": lambda x, y: x.take(y * 4),
    "take_along_dim": lambda x, y: ml.take_along_dim(x.exp(), y[:, None], 1),
    "x[:, y]": lambda x, y: x.exp()[:, y],
    "x[rows, y]": lambda x, y: x.exp()[ml.arange(4), y],
    "embedding": lambda x, y: F.embedding(y, ml.zeros(5, 2)),
    "embedding_bag": lambda x, y: F.embedding_bag(y[None], ml.zeros(5, 2)),
    "one_hot": lambda x, y: F.one_hot(y, 5),
    "cross_entropy": lambda x, y: F.cross_entropy(x, y),
    "cross_entropy, none": lambda x, y: F.cross_entropy(x, y, reduction="none"),
    "cross_entropy, ignoring": lambda x, y: F.cross_entropy(x, y, ignore_index=0),
    "cross_entropy, weighted": lambda x, y: F.cross_entropy(x, y, weight=ml.ones(5)),
    "cross_entropy, smooth": lambda x, y: F.cross_entropy(x, y, label_smoothing=0.1),
    "nll_loss": lambda x, y: F.nll_loss(x.log_softmax(1), y),
    "multi_margin_loss": lambda x, y: F.multi_margin_loss(x, y),
}  # fmt: skip
INSIDE, BEYOND, BEFORE, FAR = [1, 2, 3, 0], [1, 2, 9, 2], [1, -7, 2, 2], [1, 2, 2, 1 << 40]


def refusal(f: Any, x: Any, y: Any) -> tuple[str, str] | None:
    """What is refused, and in which words; None if nothing is."""
    try:
        f(x, y)
    except Exception as error:
        return type(error).__name__, str(error)
    return None


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("use", USES)
def test_what_is_outside_is_refused(use: str, backend: str) -> None:
    x, inside = ml.randn(4, 5), ml.tensor(INSIDE)
    compiled = ml.compile(USES[use], backend=backend)
    assert ml.allclose(compiled(x, inside).float(), USES[use](x, inside).float())
    for numbers in (BEYOND, BEFORE, FAR):
        expected = refusal(USES[use], x, ml.tensor(numbers))
        assert expected is not None
        assert refusal(compiled, x, ml.tensor(numbers)) == expected
    assert ml.allclose(compiled(x, inside).float(), USES[use](x, inside).float())


UNREAD = {
    "cholesky": (ml.linalg.cholesky, ml.eye(3), -ml.eye(3)),
    "inv": (ml.linalg.inv, ml.eye(3), ml.zeros(3, 3)),
    "solve": (lambda x: ml.linalg.solve(x, ml.ones(3)), ml.eye(3), ml.zeros(3, 3)),
    "svd": (ml.linalg.svd, ml.eye(3), ml.full((3, 3), math.nan)),
    "bernoulli": (ml.bernoulli, ml.full((3,), 0.5), ml.full((3,), 1.5)),
    "multinomial": (lambda x: ml.multinomial(x, 2), ml.ones(3), -ml.ones(3)),
    **{use: (lambda y, f=f: f(ml.ones(4, 5), y), ml.tensor(INSIDE), ml.tensor(BEYOND)) for use, f in USES.items()},
}


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("use", UNREAD)
def test_what_nobody_reads_is_refused_too(use: str, backend: str) -> None:
    call, good, bad = UNREAD[use]

    def unread(x: ml.Tensor, y: ml.Tensor) -> ml.Tensor:
        call(y)
        return x * 2

    for trained in (False, True):
        compiled, x = ml.compile(unread, backend=backend), ml.randn(4, requires_grad=trained)
        for y in (good, good, bad, good):
            assert refusal(compiled, x, y) == refusal(unread, x, y)
        assert refusal(unread, x, bad) is not None


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_labels_that_are_ignored_first(backend: str) -> None:
    compiled, x = ml.compile(lambda x, y: F.cross_entropy(x, y), backend=backend), ml.randn(4, 5)
    for labels in ([1, -100, 3, 0], INSIDE, [-100, -100, 0, 4]):
        assert ml.allclose(compiled(x, ml.tensor(labels)), F.cross_entropy(x, ml.tensor(labels)))
    assert refusal(compiled, x, ml.tensor(BEYOND)) == refusal(F.cross_entropy, x, ml.tensor(BEYOND))


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_numbers_from_the_end_that_come_later(backend: str) -> None:
    compiled, x = ml.compile(lambda x, i: ml.take_along_dim(x, i, 1), backend=backend), ml.randn(2, 5)
    for numbers in ([[0], [4]], [[-1], [2]]):
        index = ml.tensor(numbers)
        assert compiled(x, index).tolist() == ml.take_along_dim(x, index, 1).tolist()


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_other_lengths(backend: str) -> None:
    compiled = ml.compile(lambda x, i: x.log_softmax(1).gather(1, i), backend=backend)
    for rows, length in ((4, 5), (3, 7), (6, 4), (2, 9)):
        x, last = ml.randn(rows, length), ml.full((rows, 1), length - 1)
        assert ml.allclose(compiled(x, last), x.log_softmax(1).gather(1, last))
        eager = refusal(lambda x, i: x.log_softmax(1).gather(1, i), x, last + 1)
        assert eager is not None
        assert refusal(compiled, x, last + 1) == eager
