"""What the layers and their functions say when they are used wrongly, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import errors, nn
from minitorch_lab.nn import functional as F  # noqa: N812

CASES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "channels last": (
        lambda: F.conv2d(ml.zeros(1, 8, 8, 3), ml.zeros(4, 3, 3, 3)),
        errors.ShapeError,
        """\
conv2d got an input of shape (1, 8, 8, 3) with 8 channels, a weight of shape (4, 3, 3, 3) and groups=1.
  This weight takes 3 channels, and groups divides the channels on both sides.
  Did you mean x.permute(0, 3, 1, 2)? Channels come before height and width.""",
    ),
    "no channels": (
        lambda: F.conv2d(ml.zeros(8, 8), ml.zeros(4, 3, 3, 3)),
        errors.ShapeError,
        """\
conv2d got an input of shape (8, 8) and a weight of shape (4, 3, 3, 3).
  It takes an input (batch, channels, height, width) and a weight with 4 axes.
  Give it an axis for 3 channels.""",
    ),
    "kernel too large": (
        lambda: nn.Conv2d(3, 4, 3)(ml.zeros(1, 3, 2, 2)),
        errors.ShapeError,
        """\
A window of 3 entries does not fit on an axis of length 2 (shape (1, 3, 2, 2)).
  The input, with its padding, must be at least as long as a window along each axis.
  Did you mean padding=1, or a smaller kernel?""",
    ),
    "no stride": (
        lambda: nn.Conv2d(3, 4, 3, stride=0),
        errors.ArgumentError,
        """\
A window over 2 axes got stride=0.
  stride is a whole number of at least 1, or a tuple with one for each of the 2.
  Did you mean stride=1?""",
    ),
    "wrong bias": (
        lambda: F.conv1d(ml.zeros(1, 4, 8), ml.zeros(6, 4, 3), ml.zeros(5)),
        errors.ShapeError,
        """\
A convolution with 6 channels going out got a bias of shape (5,).
  The bias has one number for each of them: shape (6,).
  Did you mean bias=None?""",
    ),
    "too much padding": (
        lambda: F.max_pool2d(ml.zeros(1, 1, 4, 4), 2, padding=2),
        errors.ArgumentError,
        """\
max_pool2d got padding=2 for kernel_size=2.
  The padding is at most half a window: a window of padding alone has no value.
  Did you mean padding=1?""",
    ),
    "other last axis": (
        lambda: nn.LayerNorm(4)(ml.zeros(2, 3)),
        errors.ShapeError,
        """\
layer_norm got an input of shape (2, 3) and normalized_shape=(4,).
  normalized_shape names the lengths of the last axes, at least of one.
  Did you mean normalized_shape=(3,)?""",
    ),
    "norm of integers": (
        lambda: F.layer_norm(ml.tensor([1, 2]), 2),
        errors.DTypeError,
        """\
layer_norm got an input of dtype int64.
  What has mean 0 and variance 1 is not whole: the input holds floats.
  Did you mean x.float()?""",
    ),
    "one example": (
        lambda: nn.BatchNorm1d(3)(ml.zeros(1, 3)),
        errors.ArgumentError,
        """\
batch_norm got an input of shape (1, 3) in training.
  The variance of a channel needs more than one entry per channel.
  Did you mean model.eval(), or a larger batch?""",
    ),
    "groups and channels swapped": (
        lambda: nn.GroupNorm(8, 4),
        errors.ArgumentError,
        """\
GroupNorm got num_groups=8 and num_channels=4.
  The groups divide the channels evenly.
  Did you mean GroupNorm(4, 8)? The groups come first.""",
    ),
    "no such row": (
        lambda: nn.Embedding(3, 2)(ml.tensor([0, 3])),
        errors.ShapeError,
        """\
embedding got an index with numbers from 0 to 3.
  The axis has length 3, so they are at least 0 and at most 2.
  Compare index.min() and index.max() with the shape.""",
    ),
    "two masks": (
        lambda: F.scaled_dot_product_attention(*[ml.zeros(2, 3)] * 3, ml.ones(2, 2), is_causal=True),
        errors.ArgumentError,
        """\
scaled_dot_product_attention got a mask and is_causal=True.
  is_causal makes the mask itself.
  Did you mean is_causal=False? Give one mask that says both.""",
    ),
    "heads": (
        lambda: nn.MultiheadAttention(10, 4),
        errors.ArgumentError,
        """\
MultiheadAttention got embed_dim=10 and num_heads=4.
  The heads share the width evenly.
  Did you mean num_heads=2?""",
    ),
    "a list is called": (
        lambda: nn.ModuleList([nn.ReLU()])(ml.zeros(1)),
        errors.ArgumentError,
        """\
A ModuleList was called.
  It keeps modules, and says not in which order they run.
  Did you mean nn.Sequential(*modules), or: for layer in modules: x = layer(x)?""",
    ),
    "einsum lengths": (
        lambda: ml.einsum("ij,jk->ik", ml.zeros(2, 3), ml.zeros(4, 5)),
        errors.ShapeError,
        """\
einsum got 'ij,jk->ik' for the shapes (2, 3), (4, 5).
  'j' names axes of the lengths 3 and 4.
  For example 'ij,jk->ik'.""",
    ),
    "too many": (
        lambda: ml.tensor([1.0, 2.0]).topk(3),
        errors.ArgumentError,
        """\
topk got k=3 for an axis of length 2.
  k is at least 0 and at most the length of the axis.
  Did you mean k=2?""",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_error_teaches(case: str) -> None:
    call, kind, text = CASES[case]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text


def test_a_target_that_may_look_nowhere_takes_nothing() -> None:
    x = ml.ones(2, 3, requires_grad=True)
    out = F.scaled_dot_product_attention(x, x, x, ml.tensor([[True, False], [False, False]]))
    assert out.tolist() == [[1.0] * 3, [0.0] * 3]
    out.sum().backward()
    assert not x.grad.isnan().any()
