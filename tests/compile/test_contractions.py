"""Convolutions as kernels: values and gradients beside float64 sums written out here, and beside the ops one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.autodiff.aot import joint
from minitorch_lab.compiler.autodiff.partition import default_partition, min_cut_partition
from minitorch_lab.compiler.loops.ir import Contract
from minitorch_lab.compiler.passes.cropped import cropped
from minitorch_lab.compiler.passes.fold import fold
from minitorch_lab.compiler.schedule.program import scheduled
from minitorch_lab.compiler.targets.llvm.target import target_of
from minitorch_lab.compiler.targets.llvm.transforms.ways import way_of
from tests.compile.test_llvm_backend import close, normal, pure, same, skip_unless_runnable

F = ml.nn.functional
TARGETS = ["host", "generic", "avx2"]


def written_out(x: Any, w: Any, g: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> list[Any]:
    """The convolution, and the gradients of its sum weighted by `g`: one product for each place in a window."""
    x, w, g = (a.astype("float64") for a in (x, w, g))
    (sh, sw), (ph, pw), (dh, dw) = stride, padding, dilation
    framed = np.zeros((x.shape[0], x.shape[1], x.shape[2] + 2 * ph, x.shape[3] + 2 * pw))
    framed[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]] = x
    out, dx, dw_ = np.zeros(g.shape), np.zeros(framed.shape), np.zeros(w.shape)
    o, c = w.shape[0] // groups, w.shape[1]
    for k in range(groups):
        own, from_ = slice(k * o, (k + 1) * o), slice(k * c, (k + 1) * c)
        for i, j in np.ndindex(w.shape[2:]):
            rows = slice(i * dh, i * dh + sh * (g.shape[2] - 1) + 1, sh)
            columns = slice(j * dw, j * dw + sw * (g.shape[3] - 1) + 1, sw)
            seen = framed[:, from_, rows, columns]
            out[:, own] += np.einsum("nchw,oc->nohw", seen, w[own, :, i, j])
            dw_[own, :, i, j] += np.einsum("nohw,nchw->oc", g[:, own], seen)
            dx[:, from_, rows, columns] += np.einsum("nohw,oc->nchw", g[:, own], w[own, :, i, j])
    return [out, dx[:, :, ph : ph + x.shape[2], pw : pw + x.shape[3]], dw_]


def pair(value: Any) -> Any:
    return value if isinstance(value, tuple) else (value, value)


CASES: list[tuple[Any, Any, dict[str, Any]]] = [
    ((2, 3, 8, 32), (5, 3, 3, 3), {"padding": 1}),
    ((2, 3, 7, 33), (5, 3, 3, 3), {"padding": 1}),
    ((1, 4, 6, 21), (9, 4, 2, 3), {}),
    ((2, 2, 9, 40), (3, 2, 3, 5), {"padding": (1, 2)}),
    ((2, 2, 9, 20), (3, 2, 3, 3), {"padding": 2, "dilation": 2}),
    ((2, 2, 12, 24), (3, 2, 2, 3), {"dilation": (3, 2), "padding": (0, 1)}),
    ((2, 3, 9, 40), (4, 3, 3, 3), {"stride": 2, "padding": 1}),
    ((2, 3, 9, 40), (4, 3, 3, 3), {"stride": (2, 1), "padding": 1}),
    ((2, 4, 6, 16), (6, 2, 3, 3), {"padding": 1, "groups": 2}),
    ((2, 4, 6, 16), (4, 1, 3, 3), {"padding": 1, "groups": 4}),
    ((1, 1, 5, 5), (1, 1, 5, 5), {}),
    ((2, 1, 28, 28), (6, 1, 5, 5), {"padding": 2}),
    ((2, 6, 14, 14), (16, 6, 5, 5), {}),
    ((2, 16, 4, 4), (8, 16, 3, 3), {"padding": 1}),
    ((2, 16, 8, 32), (8, 16, 1, 1), {}),
    ((1, 2, 3, 60), (17, 2, 1, 11), {"padding": (0, 5)}),
    ((1, 2, 60, 3), (3, 2, 11, 1), {"padding": (5, 0)}),
    ((1, 1, 1, 40), (1, 1, 1, 3), {"padding": (0, 4)}),
    ((1, 2, 2, 18), (2, 2, 3, 3), {"padding": 3}),
]


@pytest.mark.parametrize(
    ("image", "filters", "settings", "target"),
    [(*case, t) for t in TARGETS for case in (CASES if t == "host" else CASES[:10:2])],
)
def test_values_and_gradients_are_those_of_float64(image: Any, filters: Any, settings: Any, target: str) -> None:
    skip_unless_runnable(target)
    x, w = normal(*image), normal(*filters)
    graph = pure(lambda x, w: F.conv2d(x, w, **settings), ml.tensor(x), ml.tensor(w))
    both = joint(graph, (0, 1)).graph
    g = normal(*both.placeholders[2].shape)
    kernels = same(both, [x, w, g], target)
    wanted = written_out(
        x, w, g, *(pair(settings.get(k, n)) for k, n in (("stride", 1), ("padding", 0), ("dilation", 1))),
        settings.get("groups", 1),
    )  # fmt: skip
    for found, right in zip(kernels(x, w, g), wanted, strict=True):
        close(found, right.astype("float32"), 1e-5)


@pytest.mark.parametrize("target", TARGETS)
def test_float64_and_one_axis(target: str) -> None:
    skip_unless_runnable(target)
    x, w = normal(2, 3, 5, 37).astype("float64"), normal(4, 3, 3, 3).astype("float64")
    graph = pure(lambda x, w: F.conv2d(x, w, padding=1), ml.tensor(x), ml.tensor(w))
    g = normal(2, 4, 5, 37).astype("float64")
    both = joint(graph, (0, 1)).graph
    for found, right in zip(
        same(both, [x, w, g], target, 1e-13)(x, w, g), written_out(x, w, g, (1, 1), (1, 1), (1, 1), 1), strict=True
    ):
        close(found, right, 1e-13)
    x, w = normal(2, 3, 50), normal(4, 3, 5)
    graph = pure(lambda x, w: F.conv1d(x, w, padding=2), ml.tensor(x), ml.tensor(w))
    kernels = same(joint(graph, (0, 1)).graph, [x, w, normal(2, 4, 50)], target)
    assert kinds(kernels.program) == {"pad": 0, "contract": 3, "numpy": 0}


def kinds(program: Any) -> dict[str, int]:
    text = str(program).splitlines()
    starts = {"pad": "numpy pad", "contract": "kernel contract", "numpy": "numpy"}
    return {name: sum(line.startswith(start) for line in text) for name, start in starts.items()}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("where", ["x", "w", "g"])
def test_nan_and_infinities_stay_where_they_belong(where: str, target: str) -> None:
    skip_unless_runnable(target)
    arrays = {"x": normal(2, 3, 6, 20), "w": normal(4, 3, 3, 3), "g": normal(2, 4, 6, 20)}
    flat = arrays[where].reshape(-1)
    flat[0], flat[len(flat) // 2], flat[-1] = np.inf, np.nan, -np.inf
    with np.errstate(all="ignore"):
        graph = pure(lambda x, w: F.conv2d(x, w, padding=1), ml.tensor(arrays["x"]), ml.tensor(arrays["w"]))
        found = same(joint(graph, (0, 1)).graph, [*arrays.values()], target)(*arrays.values())
    assert all(np.isfinite(a).any() for a in found)
    if where == "w":  # the frame is not part of the image: its gradient does not meet the filter's infinity
        assert not np.isnan(found[1][:, 0, -1, -1]).any()


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("width", [150, 160, 200])
def test_the_middle_of_a_wide_row_needs_no_mask(width: int, target: str) -> None:
    """What lies outside is known before the code runs; an infinite filter is met where it is, and nowhere else."""
    skip_unless_runnable(target)
    x, w, g = normal(1, 2, 3, width), normal(3, 2, 3, 3), normal(1, 3, 3, width)
    graph = pure(lambda x, w: F.conv2d(x, w, padding=1), ml.tensor(x), ml.tensor(w))
    kernels = same(joint(graph, (0, 1)).graph, [x, w, g], target)
    close(kernels(x, w, g)[1], written_out(x, w, g, (1, 1), (1, 1), (1, 1), 1)[1].astype("float32"), 1e-5)
    assert "icmp ult <" not in kernels.llvm
    w[:, :, 1, 0] = np.inf
    with np.errstate(all="ignore"):
        dx, wanted = kernels(x, w, g)[1], written_out(x, w, g, (1, 1), (1, 1), (1, 1), 1)[1]
    np.testing.assert_array_equal(np.isfinite(dx), np.isfinite(wanted))
    assert np.isfinite(dx[..., -1]).all()
    assert not np.isfinite(dx[..., :-1]).any()


def test_no_images_and_inputs_that_lie_otherwise() -> None:
    w = normal(4, 3, 3, 3)
    empty = np.zeros((0, 3, 8, 32), "float32")
    same(pure(lambda x, w: F.conv2d(x, w, padding=1), ml.tensor(empty), ml.tensor(w)), [empty, w])
    x = normal(2, 3, 8, 32)
    kernels = same(pure(lambda x, w: F.conv2d(x, w, padding=1), ml.tensor(x), ml.tensor(w)), [x, w])
    last = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    close(kernels(last, w)[0], kernels(x, w)[0])
    close(kernels(np.broadcast_to(x[:1], x.shape), w)[0][1], kernels(x, w)[0][0])
    same(pure(lambda x, w: F.conv2d(x.permute(0, 3, 1, 2), w), ml.tensor(last.transpose(0, 2, 3, 1)), ml.tensor(w)),
         [last.transpose(0, 2, 3, 1), w])  # fmt: skip
    same(pure(lambda x, w: F.conv2d(x.expand(4, 3, 8, 32), w), ml.tensor(x[:1]), ml.tensor(w)), [x[:1], w])


def test_what_surrounds_it_is_fused_or_left_alone() -> None:
    x, w, b, v = normal(2, 3, 8, 32), normal(4, 3, 3, 3), normal(4), normal(2, 4, 3, 3)

    def f(x: Any, w: Any, b: Any, v: Any) -> Any:
        y = (F.conv2d(x, w, b, padding=1) * 2).relu()
        z = F.conv2d(y, v, padding=1)
        return z.tanh(), y.permute(0, 2, 3, 1), y[:, 1:, ::2].sum(), z.softmax(3), z.flip(3)

    kernels = same(pure(f, *map(ml.tensor, (x, w, b, v))), [x, w, b, v])
    assert kinds(kernels.program) == {"pad": 0, "contract": 2, "numpy": 0}


def test_the_loops_read_windows_where_they_lie() -> None:
    both = joint(pure(lambda x, w: F.conv2d(x, w, padding=1), ml.ones(2, 3, 4, 32), ml.ones(5, 3, 3, 3)), (0, 1)).graph
    lines = str(scheduled(cropped(both))).splitlines()
    found = [line.strip() for line in lines if "contract i0" in line or "laid out" in line]
    assert set(found) == {
        "# what overlaps is added up at once: windows of 27648 bytes are not laid out",
        "# windows are read where they lie: columns of 27648 bytes are not laid out",
        "contract i0 in 2, i1 in 5, i2 in 4, i3 in 32: c1 sum= primals_2[27*i1 + 9*k0 + 3*k1 + k2] * "
        "pad_t[612*i0 + 34*i2 + i3 + 204*k0 + 34*k1 + k2] for k0 in 3, k1 in 3, k2 in 3",
        "contract i0 in 2, i1 in 3, i2 in 4, i3 in 32: c3 sum= primals_2[9*i1 + 27*k0 + 3*k1 + k2] * "
        "tangents_1[640*i0 + 32*i2 + i3 + 128*k0 + -32*k1 + -1*k2 + 33] for k0 in 5, k1 in 3, k2 in 3, "
        "where 0 <= i2 + -1*k1 + 1 < 4 and 0 <= i3 + -1*k2 + 1 < 32",
        "contract i0 in 5, i1 in 3, i2 in 3, i3 in 3: c2 sum= tangents_1[128*i0 + 640*k0 + 32*k1 + k2] * "
        "pad_t[204*i1 + 34*i2 + i3 + 612*k0 + 34*k1 + k2] for k0 in 2, k1 in 4, k2 in 32",
    }


def test_the_way_follows_the_lanes() -> None:
    both = joint(pure(lambda x, w: F.conv2d(x, w, padding=1), ml.ones(2, 16, 8, 32), ml.ones(16, 16, 3, 3)), (0, 1))
    found = [s for k in scheduled(cropped(both.graph)).kernels for s in k.statements() if isinstance(s, Contract)]
    for name, least in (("avx512", (8, 2)), ("avx2", (6, 2))):
        ways = [way_of(s, target_of(name)) for s in found]
        assert sorted((w.along, w.rows, w.columns) for w in ways)[:2] == [(False, *least)] * 2
        assert sum(w.along for w in ways) == 1


def test_forward_and_backward_apart_keep_the_image_and_not_its_columns() -> None:
    both = joint(pure(lambda x, w: F.conv2d(x, w, padding=1), ml.ones(2, 3, 4, 32), ml.ones(5, 3, 3, 3)), (0, 1))
    for parts in (default_partition(both), min_cut_partition(both)):
        assert parts.nbytes <= 4 * (2 * 3 * 6 * 34 + 5 * 3 * 3 * 3)
        kept = [normal(*n.shape) for n in parts.backward.placeholders]
        kernels = same(parts.backward, kept)
        assert kinds(kernels.program)["contract"] == 2
        assert kinds(kernels.program)["numpy"] == 0


def test_a_constant_of_one_number_is_no_array_and_another_is_laid_out() -> None:
    x = normal(4, 8)
    kernels = same(fold(pure(lambda x: x * (ml.ones(1, 8) * 3).expand(4, 8), ml.tensor(x))), [x])
    assert constants(kernels) == []
    kernels = same(fold(pure(lambda x: x * (ml.arange(8.0) * 3).exp().expand(4, 8), ml.tensor(x))), [x])
    assert [a.flags.c_contiguous for a in constants(kernels)] == [True]


def constants(kernels: Any) -> list[Any]:
    read = {b for s in kernels.program.steps for b in s.reads}
    return [array for name, array in kernels.scope.items() if name in read and isinstance(array, np.ndarray)]


@pytest.mark.parametrize("seed", range(20))
def test_a_product_that_is_turned_round_in_another_shape(seed: int) -> None:
    rng = np.random.default_rng(seed)
    b, m, k, n = (int(rng.choice(lengths)) for lengths in ((1, 2, 3), (1, 2, 3, 17), (2, 5, 16), (1, 2, 4, 33)))
    shapes = [(b * m * n,), (b * m, n), (m * b * n, 1), (n, m, b), (m, b, n), (b, n, m)]
    left, right = rng.integers(-4, 5, (b, m, k)).astype("float32"), rng.integers(-4, 5, (b, k, n)).astype("float32")
    shape, turned = shapes[seed % len(shapes)], bool(rng.integers(2))

    def f(x: ml.Tensor, y: ml.Tensor) -> tuple[ml.Tensor, ml.Tensor]:
        z = ((x.mT if turned else x) @ y.mT).reshape(shape)
        return z.clone(), z.sum(0)

    compiled, expected = ml.compile(f, backend="llvm"), (left @ right).reshape(shape)
    given = left.transpose(0, 2, 1).copy() if turned else left, right.transpose(0, 2, 1).copy()
    for _ in range(2):
        whole, summed = compiled(*map(ml.tensor, given))
        assert (whole.numpy() == expected).all()
        assert (summed.numpy() == expected.sum(0)).all()
