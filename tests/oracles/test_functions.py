"""Functions made of several ops, side by side with PyTorch: values, gradients, second derivatives, in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import minitorch_lab as ml

pytestmark = pytest.mark.oracle


def leaf(lib: Any, a: Any) -> Any:
    """An array as a tensor, a leaf if it holds floats; anything else as it is."""
    return lib.tensor(a, requires_grad=a.dtype.kind == "f") if isinstance(a, np.ndarray) else a


def derivatives(lib: Any, fn: Any, arrays: tuple[Any, ...]) -> list[np.ndarray]:
    """The value of `fn`, its gradients, and its second derivatives along fixed directions."""
    leaves = [leaf(lib, a) for a in arrays]
    live = [x for x in leaves if getattr(x, "requires_grad", False)]
    out = fn(lib, *leaves)
    rng = np.random.default_rng(9)
    first = lib.autograd.grad(out, live, lib.tensor(rng.normal(size=tuple(out.shape))), create_graph=True)
    total = sum((g * lib.tensor(rng.normal(size=tuple(g.shape)))).sum() for g in first)
    second = lib.autograd.grad(total, live, allow_unused=True) if total.requires_grad else [None] * len(live)
    found = [out, *first, *(lib.zeros_like(x) if s is None else s for s, x in zip(second, live, strict=True))]
    return [x.detach().numpy() for x in found]


def same(fn: Any, *arrays: Any) -> None:
    """`fn(library, *tensors)` means the same here and there."""
    for ours, theirs in zip(derivatives(ml, fn, arrays), derivatives(torch, fn, arrays), strict=True):
        assert ours.shape == theirs.shape
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-11)


def agree(name: str, *arrays: Any, **params: Any) -> None:
    """`nn.functional.<name>(*arrays, **params)` means the same here and there."""
    same(lambda lib, *xs: getattr(lib.nn.functional, name)(*xs, **params), *arrays)


def normal(*shape: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng([seed, *shape]).normal(size=shape)


CONVOLUTIONS = [
    {},
    {"stride": 2},
    {"padding": 1},
    {"dilation": 2},
    {"groups": 2},
    {"stride": 2, "padding": 2, "dilation": 2, "groups": 2},
]


@pytest.mark.parametrize("setting", CONVOLUTIONS, ids=str)
@pytest.mark.parametrize("n", [1, 2])
def test_convolutions(n: int, setting: dict[str, int]) -> None:
    lengths, kernel = (9, 8)[:n], (3, 2)[:n]
    w = normal(6, 4 // setting.get("groups", 1), *kernel)
    agree(f"conv{n}d", normal(2, 4, *lengths), w, normal(6), **setting)
    agree(f"conv{n}d", normal(4, *lengths), w, **setting)


@pytest.mark.parametrize("setting", [*CONVOLUTIONS, {"stride": 3, "output_padding": 2, "padding": 1}], ids=str)
@pytest.mark.parametrize("n", [1, 2])
def test_transposed_convolutions(n: int, setting: dict[str, int]) -> None:
    lengths, kernel = (5, 4)[:n], (3, 2)[:n]
    w = normal(4, 6 // setting.get("groups", 1), *kernel)
    agree(f"conv_transpose{n}d", normal(2, 4, *lengths), w, normal(6), **setting)
    agree(f"conv_transpose{n}d", normal(4, *lengths), w, **setting)


def test_convolution_settings_per_axis() -> None:
    setting = {"stride": (2, 1), "padding": (0, 2), "dilation": (1, 2)}
    agree("conv2d", normal(2, 3, 7, 8), normal(4, 3, 3, 2), normal(4), **setting)
    agree("conv_transpose2d", normal(2, 3, 4, 5), normal(3, 4, 3, 2), normal(4), **setting, output_padding=(1, 0))


PAIRS = st.tuples(st.integers(1, 3), st.integers(1, 3))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    lengths=st.tuples(st.integers(1, 9), st.integers(1, 9)),
    kernel=PAIRS,
    stride=PAIRS,
    dilation=PAIRS,
    padding=st.tuples(st.integers(0, 3), st.integers(0, 3)),
    groups=st.integers(1, 3),
    batch=st.integers(1, 2),
)
def test_convolutions_of_generated_shapes(
    lengths: Any, kernel: Any, stride: Any, dilation: Any, padding: Any, groups: int, batch: int
) -> None:
    reach = [d * (k - 1) + 1 for d, k in zip(dilation, kernel, strict=True)]
    setting = {"stride": stride, "dilation": dilation, "padding": padding, "groups": groups}
    x = normal(batch, 2 * groups, *lengths)
    if all(n + 2 * p >= r for n, p, r in zip(lengths, padding, reach, strict=True)):
        agree("conv2d", x, normal(groups, 2, *kernel), normal(groups), **setting)
    whole = [s * (n - 1) + r - 2 * p for n, s, r, p in zip(lengths, stride, reach, padding, strict=True)]
    assume(min(whole) > 0)
    agree("conv_transpose2d", x, normal(2 * groups, 1, *kernel), normal(groups), **setting)


def test_a_convolution_of_no_examples() -> None:
    agree("conv2d", normal(0, 3, 5, 5), normal(4, 3, 3, 3), normal(4))


@pytest.mark.parametrize("setting", [{}, {"stride": 1}, {"stride": 2, "padding": 1}], ids=str)
@pytest.mark.parametrize("name", ["max_pool1d", "max_pool2d", "avg_pool1d", "avg_pool2d"])
def test_pooling(name: str, setting: dict[str, int]) -> None:
    lengths = (9, 8)[: int(name[-2])]
    agree(name, normal(2, 3, *lengths), kernel_size=3, **setting)
    agree(name, normal(3, *lengths), kernel_size=3, **setting)


def test_max_pool_with_dilation_and_ties() -> None:
    agree("max_pool2d", normal(2, 3, 9, 8), kernel_size=(3, 2), dilation=(2, 3), stride=1)
    agree("max_pool2d", np.zeros((1, 1, 4, 4)), kernel_size=2)


@pytest.mark.parametrize(("shape", "last"), [((3, 4), (4,)), ((2, 3, 4), (3, 4)), ((0, 4), (4,))])
def test_layer_and_rms_norm(shape: tuple[int, ...], last: tuple[int, ...]) -> None:
    x, w, b = normal(*shape), normal(*last), normal(*last, seed=1)
    same(lambda lib, x, w, b: lib.nn.functional.layer_norm(x, last, w, b), x, w, b)
    same(lambda lib, x: lib.nn.functional.layer_norm(x, last, eps=0.1), x)
    same(lambda lib, x, w: lib.nn.functional.rms_norm(x, last, w), x, w)
    same(lambda lib, x: lib.nn.functional.rms_norm(x, last, eps=0.1), x)


@pytest.mark.parametrize("groups", [1, 2, 4])
def test_group_norm(groups: int) -> None:
    x, w, b = normal(2, 4, 3, 2), normal(4), normal(4, seed=1)
    same(lambda lib, x, w, b: lib.nn.functional.group_norm(x, groups, w, b), x, w, b)


@pytest.mark.parametrize("shape", [(5, 3), (2, 3, 4), (2, 3, 4, 2)])
def test_batch_norm(shape: tuple[int, ...]) -> None:
    mean, var = normal(3, seed=2), np.abs(normal(3, seed=3))
    x, w, b = normal(*shape), normal(3), normal(3, seed=1)
    same(lambda lib, x, w, b: lib.nn.functional.batch_norm(x, None, None, w, b, training=True), x, w, b)
    same(lambda lib, *xwb: lib.nn.functional.batch_norm(xwb[0], lib.tensor(mean), lib.tensor(var), *xwb[1:]), x, w, b)


@pytest.mark.parametrize("padding_idx", [None, 0, -1])
def test_embedding(padding_idx: int | None) -> None:
    index = np.array([[0, 2, 2], [4, 0, 1]])
    agree("embedding", index, normal(5, 3), padding_idx=padding_idx)


def attend(*arrays: Any, mask: Any = None, **params: Any) -> None:
    def call(lib: Any, q: Any, k: Any, v: Any) -> Any:
        given = None if mask is None else lib.tensor(mask)
        return lib.nn.functional.scaled_dot_product_attention(q, k, v, given, **params)

    same(call, *arrays)


def test_attention() -> None:
    q, k, v = normal(2, 3, 4, 5), normal(2, 3, 6, 5), normal(2, 3, 6, 7)
    attend(q, k, v)
    attend(q, k, v, scale=0.3)
    attend(q, k, v, is_causal=True)
    attend(q[0, 0], k[0, 0], v[0, 0], is_causal=True)
    for mask in (normal(4, 6), np.tril(np.ones((4, 6), bool)), normal(2, 1, 4, 6)):
        attend(q, k, v, mask=mask)


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize("dim", [0, 1, -1])
def test_sort_and_topk(dim: int, descending: bool) -> None:
    x = np.random.default_rng(0).permutation(12).reshape(3, 4) * 0.5
    same(lambda _, x: x.sort(dim=dim, descending=descending)[0], x)
    same(lambda _, x: x.topk(2, dim=dim, largest=descending)[0], x)
    a, b = ml.tensor(x), torch.tensor(x)
    assert a.argsort(dim, descending).tolist() == b.argsort(dim, descending).tolist()
    assert a.topk(2, dim).indices.tolist() == b.topk(2, dim).indices.tolist()


def test_equals_keep_their_order() -> None:
    x = np.array([1.0, 0.0, 1.0, 0.0])
    for descending in (False, True):
        theirs = torch.tensor(x).sort(descending=descending, stable=True)[1]
        assert ml.tensor(x).sort(descending=descending).indices.tolist() == theirs.tolist()


def test_rows_and_scatter() -> None:
    index, grid = np.array([2, 0, 2]), np.array([[0, 1, 2, 0], [1, 2, 0, 2]])
    same(lambda _, x, i, y: x.index_add(0, i, y), normal(3, 4), index, normal(3, 4, seed=1))
    same(lambda _, x, i, y: x.index_add(1, i, y), normal(3, 4), index, normal(3, 3, seed=1))
    same(lambda _, x, i: x.index_select(1, i), normal(3, 4), index)
    same(lambda _, x, i, y: x.scatter(0, i, y), normal(3, 4), grid, normal(2, 4, seed=1))
    same(lambda _, x, i, y: x.scatter_add(0, i, y), normal(3, 4), grid, normal(2, 4, seed=1))
    same(lambda _, x: x.tril(-1) + x.triu(1), normal(2, 3, 4))


EQUATIONS = [
    ("ij,jk->ik", (3, 4), (4, 5)),
    ("ij,kj", (3, 4), (5, 4)),
    ("bij,bjk->bik", (2, 3, 4), (2, 4, 5)),
    ("bhqd,bhkd->bhqk", (2, 3, 4, 5), (2, 3, 6, 5)),
    ("i,j->ij", (3,), (4,)),
    ("i,i->", (3,), (3,)),
    ("i,i->i", (3,), (3,)),
    ("ij->ji", (3, 4)),
    ("ij->", (3, 4)),
    ("ij->j", (3, 4)),
    ("ii->i", (3, 3)),
    ("ii", (3, 3)),
    ("bii->b", (2, 3, 3)),
    ("ij,jk,kl->il", (2, 3), (3, 4), (4, 5)),
    ("ij,jk,kl->lji", (2, 3), (3, 4), (4, 5)),
    ("...ij,...jk->...ik", (2, 1, 3, 4), (6, 4, 5)),
    ("...i,i->...", (2, 3, 4), (4,)),
    ("b...->...b", (2, 3, 4)),
    ("ij,k->j", (3, 4), (5,)),
    ("iij,jk->ik", (3, 3, 4), (4, 2)),
    ("ij,jk->ik", (3, 1), (4, 5)),
    ("iii->i", (3, 3, 3)),
    ("ij,ij->ij", (3, 0), (3, 0)),
    ("ij,jk->ik", (3, 0), (0, 2)),
]


@pytest.mark.parametrize(("equation", "shapes"), [(e, s) for e, *s in EQUATIONS], ids=[e[0] for e in EQUATIONS])
def test_einsum(equation: str, shapes: list[tuple[int, ...]]) -> None:
    arrays = [normal(*s, seed=i) for i, s in enumerate(shapes)]
    same(lambda lib, *xs: lib.einsum(equation, *xs), *arrays)


def test_vmap_and_jvp_of_a_convolution() -> None:
    x, w = ml.tensor(normal(3, 2, 4, 6, 6)), ml.tensor(normal(5, 4, 3, 3))
    ours = ml.func.vmap(lambda x: ml.nn.functional.conv2d(x, w, padding=1))(x)
    loop = ml.stack([ml.nn.functional.conv2d(one, w, padding=1) for one in x])
    np.testing.assert_allclose(ours.numpy(), loop.numpy(), rtol=1e-12, atol=1e-12)
    t = ml.tensor(normal(2, 4, 6, 6, seed=1))
    _, moved = ml.func.jvp(lambda x: ml.nn.functional.conv2d(x, w, padding=1), (x[0],), (t,))
    np.testing.assert_allclose(moved.numpy(), ml.nn.functional.conv2d(t, w, padding=1).numpy(), rtol=1e-12, atol=1e-12)


def test_a_convolution_is_contiguous() -> None:
    out = ml.nn.functional.conv2d(ml.ones(2, 3, 5, 5), ml.ones(4, 3, 3, 3))
    assert out.is_contiguous()
    assert out.view(2, -1).shape == (2, 36)


@settings(max_examples=80, deadline=None, derandomize=True)
@given(st.data())
def test_einsum_of_generated_equations(data: Any) -> None:
    length = {c: data.draw(st.integers(1, 3)) for c in "abcd"}
    terms = data.draw(st.lists(st.text("abcd", max_size=3), min_size=1, max_size=3))
    shapes = [
        tuple(data.draw(st.sampled_from([length[c], 1])) if t.count(c) == 1 else length[c] for c in t) for t in terms
    ]
    letters = sorted(set("".join(terms)))
    out = data.draw(st.permutations(letters).flatmap(lambda p: st.integers(0, len(p)).map(lambda n: "".join(p[:n]))))
    arrays = [normal(*s, seed=i) for i, s in enumerate(shapes)]
    equation = ",".join(terms) + "->" + out
    same(lambda lib, *xs: lib.einsum(equation, *xs), *arrays)


def test_gradients_example_by_example() -> None:
    F = ml.nn.functional  # noqa: N806
    x, w = ml.tensor(normal(5, 1, 6, 6)), ml.tensor(normal(4, 1, 3, 3))

    def loss(w: Any, x: Any) -> Any:
        out = F.max_pool2d(F.group_norm(F.conv2d(x.unsqueeze(0), w), 2), 2)
        return (out * out * out).sum()

    at_once = ml.func.vmap(ml.func.grad(loss), in_axes=(None, 0))(w, x)
    loop = ml.stack([ml.func.grad(loss)(w, one) for one in x])
    np.testing.assert_allclose(at_once.numpy(), loop.numpy(), rtol=1e-9, atol=1e-11)
