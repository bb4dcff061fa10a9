"""Operations as they are counted, against tables worked out by hand. Rows C7 and C8 of the list of systems."""

from __future__ import annotations

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.costmodel import count_flops
from minitorch_lab.errors import GradientError

# ResNet-50 (K. He and others, 2015; the stride of a block in its 3×3 convolution): width, blocks, stride of each stage.
STAGES = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))


def conv(inner: int, outer: int, kernel: int, stride: int = 1) -> list[nn.Module]:
    return [nn.Conv2d(inner, outer, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(outer)]


class Bottleneck(nn.Module):
    def __init__(self, channels: int, width: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            *conv(channels, width, 1), nn.ReLU(), *conv(width, width, 3, stride), nn.ReLU(), *conv(width, 4 * width, 1)
        )
        same = stride == 1 and channels == 4 * width
        self.past = nn.Identity() if same else nn.Sequential(*conv(channels, 4 * width, 1, stride))

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        return (self.body(x) + self.past(x)).relu()


class ResNet50(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        blocks, channels = [], 64
        for width, count, stride in STAGES:
            for i in range(count):
                blocks.append(Bottleneck(channels, width, stride if i == 0 else 1))
                channels = 4 * width
        self.stem = nn.Sequential(*conv(3, 64, 7, 2), nn.ReLU(), nn.MaxPool2d(3, 2, 1))
        self.blocks, self.head = nn.Sequential(*blocks), nn.Linear(channels, 1000)

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        return self.head(self.blocks(self.stem(x)).mean((2, 3)))


def by_hand() -> int:
    """MACs from the table of layers: each convolution has outputs · kernel² · channels."""
    side, channels, total = 56, 64, 112 * 112 * 64 * 49 * 3
    for width, count, stride in STAGES:
        for i in range(count):
            before, side = side, side // (stride if i == 0 else 1)
            total += before**2 * channels * width + side**2 * (9 * width * width + 4 * width * width)
            total += side**2 * channels * 4 * width if i == 0 else 0
            channels = 4 * width
    return total + channels * 1000


def test_row_c7_resnet50_takes_4_09_gmac() -> None:
    model = ResNet50().eval()
    assert sum(p.numel() for p in model.parameters()) == 25_557_032
    with ml.no_grad(), count_flops() as count:
        assert model(ml.zeros(1, 3, 224, 224)).shape == (1, 1000)
    assert count.macs == by_hand() == 4_089_184_256
    assert f"{count.macs / 1e9:.2f} GMAC, {count.products / 1e9:.1f} GFLOP" == "4.09 GMAC, 8.2 GFLOP"
    assert count.total < 1.02 * count.products


def test_row_c8_one_step_of_the_mlp_takes_26_2_mflop() -> None:
    """32×784×256×10: x needs no gradient, so the first layer has no product for it."""
    x, target = ml.zeros(32, 784), ml.zeros(32).long()
    model = nn.Sequential(nn.Linear(784, 256), nn.ReLU(), nn.Linear(256, 10))
    with count_flops() as forward:
        loss = nn.functional.cross_entropy(model(x), target)
    first, second = 2 * 32 * 784 * 256, 2 * 32 * 256 * 10
    assert (forward.products, first, second) == (first + second, 12_845_056, 163_840)
    with count_flops() as backward:
        loss.backward()
    assert backward.products == first + 2 * second
    assert round((forward.products + backward.products) / 1e6, 1) == 26.2
    assert forward.by_op["relu"] == 32 * 256


def test_counting_changes_no_gradient() -> None:
    x = ml.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    (x @ x).exp().sum().backward()
    plain, x.grad = x.grad, None
    with count_flops():
        (x @ x).exp().sum().backward()
    assert x.grad is not None
    assert not x.grad.requires_grad
    assert x.grad.equal(plain)


def test_addition_counts_what_it_drops() -> None:
    with count_flops() as count:
        ml.ones(3, 4).sum(1)
        ml.ones(3, 4).reshape(12).flip(0)
        ml.ones(3).add_(1.0)
    assert (count.by_op["sum"], count.by_op["flip"], count.by_op["add"]) == (9, 0, 3)
    assert count.calls["reshape"] == 1


def test_a_transform_is_refused() -> None:
    def inside(x: ml.Tensor) -> ml.Tensor:
        with count_flops():
            return x * x

    with pytest.raises(GradientError) as caught:
        ml.func.grad(inside)(ml.tensor(2.0))
    assert str(caught.value) == (
        "count_flops() inside a function that grad, vjp, jvp or vmap runs.\n"
        "  It works on the tape of backward(), and a transform has its own.\n"
        "  Open count_flops() around the transform."
    )


def test_row_c7_the_blas_and_what_it_costs() -> None:
    """AXPY, GEMV and GEMM with their factors, against NumPy; and their FLOP: a product of matrices takes 2nmk."""
    rng = np.random.default_rng(0)
    n, m, k, alpha, beta = 5, 4, 3, -0.5, 2.0
    x, y, a = rng.normal(size=m), rng.normal(size=m), rng.normal(size=(n, m))
    b, c, z = rng.normal(size=(m, k)), rng.normal(size=(n, k)), rng.normal(size=n)
    with count_flops() as axpy:
        np.testing.assert_allclose(ml.tensor(y).add_(ml.tensor(x), alpha=alpha).numpy(), alpha * x + y)
    with count_flops() as gemv:
        got = ml.addmv(ml.tensor(z), ml.tensor(a), ml.tensor(x), beta=beta, alpha=alpha)
    np.testing.assert_allclose(got.numpy(), alpha * a @ x + beta * z)
    with count_flops() as gemm:
        got = ml.addmm(ml.tensor(c), ml.tensor(a), ml.tensor(b), beta=beta, alpha=alpha)
    np.testing.assert_allclose(got.numpy(), alpha * a @ b + beta * c)
    assert (axpy.products, gemv.products, gemm.products) == (0, 2 * n * m, 2 * n * m * k)
    assert gemm.total - gemm.products == 3 * n * k  # both factors and the sum
