"""What eager takes, a compiled call takes; and what eager refuses it refuses in the same words, in every call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.nn import functional as F  # noqa: N812

Fn = Callable[[ml.Tensor], ml.Tensor]
ONE = ml.tensor([0])
NONE = ml.tensor(0)
OF_A_NUMBER: dict[str, Fn] = {
    "gather": lambda x: x.gather(0, NONE),
    "scatter": lambda x: x.scatter(0, NONE, x),
    "scatter_add": lambda x: x.scatter_add(0, NONE, x),
    "index_select": lambda x: x.index_select(0, ONE),
    "index_add": lambda x: x.index_add(0, ONE, x),
    "index_fill": lambda x: x.index_fill(0, ONE, 2.0),
    "take_along_dim": lambda x: ml.take_along_dim(x, NONE, 0),
    "sort": lambda x: x.sort(0)[0],
    "topk": lambda x: x.topk(1, 0)[0],
    "kthvalue": lambda x: x.kthvalue(1, 0)[0],
    "median": lambda x: x.median(0)[0],
    "max": lambda x: x.max(0)[0],
    "cummax": lambda x: x.cummax(0)[0],
    "cumsum": lambda x: x.cumsum(0),
    "softmax": lambda x: x.softmax(0) * x,
    "flip": lambda x: x.flip(0),
}
REFUSED: dict[str, Fn] = {
    "roll of a number": lambda x: x.sum().roll(1, 0),
    "conv1d of vectors": lambda x: F.conv1d(x, x),
    "cross_entropy of a vector": lambda x: F.cross_entropy(x, ml.tensor([1])),
    "cross_entropy of a number": lambda x: F.cross_entropy(x.sum(), ml.tensor(1)),
    "max_pool1d of a vector": lambda x: F.max_pool1d(x, 2),
    "cat with a number": lambda x: ml.cat([x, 3]),  # type: ignore[list-item]
    "index_select past the end": lambda x: x.index_select(0, ml.tensor([7])),
}


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("name", OF_A_NUMBER)
def test_a_number_is_a_vector_of_one_where_an_axis_is_named(name: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    fn = OF_A_NUMBER[name]
    compiled = ml.compile(fn, backend=backend)
    for number in (2.0, 2.0, 3.0):
        x = ml.tensor(number, requires_grad=True)
        out = compiled(x)
        as_vector = 2 * number if name in ("scatter_add", "index_add") else 2.0 if name == "index_fill" else number
        assert (out.tolist(), out.shape) == (as_vector, ())
        out.backward()
        slope = {"scatter_add": 2.0, "index_add": 2.0, "index_fill": 0.0}.get(name, 1.0)
        assert x.grad is not None
        assert x.grad.item() == slope


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_call_is_refused_in_the_same_words_each_time(name: str) -> None:
    fn = REFUSED[name]
    compiled, x = ml.compile(fn), ml.tensor([2.0, 3.0])
    words = told(fn, x)
    assert words is not None
    assert [told(compiled, x) for _ in range(3)] == [words] * 3


def told(fn: Fn, x: ml.Tensor) -> tuple[type, str] | None:
    try:
        fn(x)
    except Exception as error:
        return type(error), str(error)
    return None


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
@pytest.mark.parametrize("masked", ["key_padding_mask", "attn_mask"])
def test_a_mask_of_truth_values_hides_sources(masked: str, backend: str) -> None:
    if backend == "llvm":
        pytest.importorskip("llvmlite")
    ml.manual_seed(0)
    attention = ml.nn.MultiheadAttention(4, 2, batch_first=True)
    compiled = ml.compile(lambda x, mask: attention(x, x, x, **{masked: mask})[0], backend=backend)
    for length in (3, 4, 3, 5):
        hidden = ml.arange(length) == length - 1
        mask: Any = hidden.reshape(1, length) if masked == "key_padding_mask" else hidden.expand(length, length)
        for _ in range(3):
            x = ml.randn(1, length, 4)
            wanted = attention(x, x[:, :-1], x[:, :-1])[0]  # nothing to hide
            assert ml.allclose(compiled(x, mask), wanted, atol=1e-6)
