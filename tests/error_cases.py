"""Wrong calls, the errors that answer them, and what those say, word for word."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import minitorch_lab as ml
from minitorch_lab import errors
from minitorch_lab.ops.window import window_op


def freed() -> None:
    x = ml.tensor(2.0, requires_grad=True)
    y = x * x
    y.backward()
    y.backward()


def stale() -> None:
    x = ml.ones(2, requires_grad=True)
    y = x.exp()
    y += 1
    y.sum().backward()


def into_a_leaf() -> None:
    x = ml.ones(2, requires_grad=True)
    x += 1


def scalars_only() -> None:
    ml.ones(3, requires_grad=True).backward()


def nan_seed() -> None:
    x = ml.ones(2, requires_grad=True)
    (x * 2).backward(ml.tensor([1.0, float("nan")]))


CASES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "matmul": (
        lambda: ml.zeros(32, 784) @ ml.zeros(10, 784),
        errors.ShapeError,
        """\
matmul cannot contract (32, 784) with (10, 784).
  The left operand's last axis (784) must equal the right operand's second-to-last (10).
  Did you mean x @ w.T? That gives (32, 10).""",
    ),
    "broadcast": (
        lambda: ml.zeros(2, 3) + ml.zeros(4),
        errors.ShapeError,
        """\
add cannot combine the shapes (2, 3) and (4,).
  Axes are matched from the right; two lengths fit if they are equal or one of them is 1.
  Compare the shapes axis by axis; unsqueeze() adds an axis of length 1.""",
    ),
    "column": (
        lambda: ml.zeros(2) * ml.zeros(2, 3),
        errors.ShapeError,
        """\
mul cannot combine the shapes (2,) and (2, 3).
  Axes are matched from the right; two lengths fit if they are equal or one of them is 1.
  Did you mean x.reshape(2, 1)?""",
    ),
    "reshape": (
        lambda: ml.zeros(2, 3).reshape(4),
        errors.ShapeError,
        """\
reshape cannot turn (2, 3) into (4,).
  The number of entries must stay: 6 against 4.
  Did you mean reshape(-1)? One size may be -1: it is then worked out.""",
    ),
    "view": (
        lambda: ml.zeros(2, 3).view(4),
        errors.ShapeError,
        """\
view cannot turn (2, 3) into (4,).
  The number of entries must stay: 6 against 4.
  Did you mean view(-1)? One size may be -1: it is then worked out.""",
    ),
    "a write into an expanded tensor": (
        lambda: ml.zeros(3, 1).expand(3, 2).add_(1),
        errors.ShapeError,
        """\
add_ on a tensor of shape (3, 2) and strides (1, 0) that cannot be written.
  It was expanded (stride 0), so many of its entries are one number in memory.
  Did you mean x.clone()? Then write to the copy.""",
    ),
    "a write into windows": (
        lambda: window_op(ml.zeros(7), axis=(0,), size=(3,), step=(1,), dilation=(1,)).add_(1),
        errors.ShapeError,
        """\
add_ on a tensor of shape (5, 3) and strides (1, 1) that cannot be written.
  Its windows overlap, so many of its entries are one number in memory.
  Did you mean x.clone()? Then write to the copy.""",
    ),
    "wrong axis": (
        lambda: ml.zeros(2, 3).sum(dim=2),
        errors.ShapeError,
        """\
sum got dim=2 for a tensor with 2 axes.
  Its dims are 0 to 1, or -2 to -1 counted from the end.
  Did you mean dim=1?""",
    ),
    "index": (
        lambda: ml.zeros(2, 3)[2],
        errors.ShapeError,
        """\
An index that reaches outside a tensor of shape (2, 3): index 2 is out of bounds for axis 0 with size 2.
  Along an axis of length n the indices run from 0 to n-1, or from -n to -1 counted from the end.
  Compare the index with x.shape.""",
    ),
    "dtype": (
        lambda: ml.zeros(2, 2) @ ml.zeros(2, 2, dtype=ml.float64),
        errors.DTypeError,
        """\
A matrix product got float32 and float64.
  All operands need the same dtype: a silent cast of a matrix would cost a copy.
  Did you mean y.to(ml.float32)?""",
    ),
    "dtype of the input of a layer": (
        lambda: ml.nn.Linear(2, 3)(ml.zeros(4, 2, dtype=ml.float64)),
        errors.DTypeError,
        """\
linear got an input of dtype float64 and parameters of dtype float32.
  A layer computes in the dtype of its parameters.
  Did you mean x.to(ml.float32) as the input?""",
    ),
    "dtype of the input of a convolution": (
        lambda: ml.nn.Conv1d(2, 3, 1)(ml.zeros(4, 2, 5, dtype=ml.int64)),
        errors.DTypeError,
        """\
conv1d got an input of dtype int64 and parameters of dtype float32.
  A layer computes in the dtype of its parameters.
  Did you mean x.to(ml.float32) as the input?""",
    ),
    "write of another dtype": (
        lambda: ml.arange(2).add_(ml.ones(2)),
        errors.DTypeError,
        """\
add_ would write float32 into a tensor of dtype int64.
  A write in place keeps the dtype of what is written to.
  Did you mean x = x.add(y)? That makes a new tensor of dtype float32.""",
    ),
    "unknown dtype": (
        lambda: ml.zeros(2, dtype="uint16"),
        errors.DTypeError,
        """\
There is no dtype uint16 here.
  Tensors hold float16, bfloat16, float32, float64, int8, int16, int32, int64, uint8 or bool.
  Did you mean int32?""",
    ),
    "mean of integers": (
        lambda: ml.arange(3).mean(),
        errors.DTypeError,
        """\
mean got a tensor of dtype int64.
  mean is defined for floats.
  Did you mean x.float().mean(...)?""",
    ),
    "no such device": (
        lambda: ml.zeros(2, device="gpu"),
        errors.DeviceError,
        """\
There is no device 'gpu'.
  The devices are "cpu" and "cuda".
  Did you mean "cuda", the GPU, or "cpu"?""",
    ),
    "double backward": (
        freed,
        errors.GradientError,
        """\
MulBackward has nothing left to compute with: an earlier backward() freed what it had saved.
  A backward pass frees the saved tensors as it goes, so the graph can be walked once.
  Did you mean backward(retain_graph=True) the first time? Or run the forward pass again.""",
    ),
    "stale": (
        stale,
        errors.GradientError,
        """\
ExpBackward saved 'out' at version 0, and its memory is now at version 1.
  A tensor that an op keeps for its gradient must not be written in place before backward().
  Did you mean the op without the underscore (y = y + 1)? Or write to x.clone().""",
    ),
    "leaf": (
        into_a_leaf,
        errors.GradientError,
        """\
add_ on a leaf that requires a gradient.
  The gradient belongs to the value that the leaf had; a write would lose it.
  Did you mean with ml.no_grad(): ..., as an optimizer does? Or y = x.clone() first.""",
    ),
    "not a scalar": (
        scalars_only,
        errors.GradientError,
        """\
backward() from a tensor of shape (3,).
  A gradient is that of one number; for more, say how much each entry counts.
  Did you mean x.sum().backward(), or x.backward(ml.ones_like(x))?""",
    ),
    "no gradient": (
        lambda: ml.ones(()).backward(),
        errors.GradientError,
        """\
backward() from a tensor that depends on nothing that requires a gradient.
  A gradient needs a leaf to arrive at, and every op on the way to it recorded.
  Did you mean ml.tensor(..., requires_grad=True)? Or, if a leaf has it, did something cut the way: \
detach(), .data, .item(), numpy(), ml.tensor(loss), no_grad(), argmax, a comparison or .long()?""",
    ),
    "integers": (
        lambda: ml.arange(3).requires_grad_(),
        errors.GradientError,
        """\
requires_grad on a tensor of dtype int64.
  Only floats can change by a little, so only they have gradients.
  Did you mean x.float().requires_grad_()?""",
    ),
    "NaN seed": (
        nan_seed,
        errors.GradientError,
        """\
backward() got a cotangent with NaN entries.
  Every gradient would come out NaN.
  Find where it went wrong: x.isnan().any() on the values that led to it.""",
    ),
    "keyword": (
        lambda: ml.zeros(2, 3).sum(keep_dim=True),
        errors.ArgumentError,
        """\
sum got the keyword keep_dim.
  sum takes dim, keepdim.
  Did you mean keepdim=True?""",
    ),
    "misspelt keyword": (
        lambda: ml.tensor(1.0, require_grad=True),
        errors.ArgumentError,
        """\
tensor got the keyword require_grad.
  tensor takes data, dtype, device, requires_grad.
  Did you mean requires_grad=True?""",
    ),
    "not a tensor": (
        lambda: ml.maximum(ml.zeros(2), [1, 2]),
        errors.ArgumentError,
        """\
maximum got a list.
  Its inputs are tensors and numbers.
  Did you mean ml.tensor([1, 2])?""",
    ),
    "labels": (
        lambda: ml.cross_entropy(ml.zeros(2, 3), ml.tensor([0, 3])),
        errors.ShapeError,
        """\
cross_entropy got classes 0 to 3 for 3 logits per row.
  A class is at least 0 and at most 2.
  Count classes from 0, or widen the last layer.""",
    ),
    "one-hot labels": (
        lambda: ml.cross_entropy(ml.zeros(2, 3), ml.zeros(2, 3).long()),
        errors.ShapeError,
        """\
cross_entropy got logits of shape (2, 3) and a target of shape (2, 3).
  Logits (N, C) take one class per row: a target of shape (2,).
  Did you mean target.argmax(dim=1)?""",
    ),
    "numpy": (
        lambda: ml.ones(2, requires_grad=True).numpy(),
        errors.GradientError,
        """\
numpy() of a tensor that requires a gradient.
  An array has no history, so the gradient would silently stop.
  Did you mean x.detach().numpy()?""",
    ),
    "truth": (
        lambda: bool(ml.ones(2) > 0),
        errors.ShapeError,
        """\
The truth of a tensor of shape (2,).
  Only a single number is true or false.
  Did you mean .any() or .all()?""",
    ),
    "nothing to reduce": (
        lambda: ml.zeros(0, 3).amax(dim=0),
        errors.ShapeError,
        """\
amax got a tensor of shape (0, 3) and an axis of length 0 to reduce.
  Of no entries there is no amax.
  Check what emptied the tensor, or reduce another dim.""",
    ),
    "ragged": (
        lambda: ml.tensor([[1.0], [1.0, 2.0]]),
        errors.ShapeError,
        """\
tensor got rows of unequal length.
  A tensor is a full grid of numbers.
  Pad the short rows.""",
    ),
}
