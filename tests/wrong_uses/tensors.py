"""Wrong uses of tensors, layers and generators."""

from __future__ import annotations

import minitorch_lab as ml
from minitorch_lab import errors

from .use import Use

F = ml.nn.functional


TENSORS: dict[str, Use] = {
    "a write into an expanded view": (
        lambda: ml.ones(3, 1).expand(3, 4).add_(1.0),
        errors.ShapeError,
        """\
add_ on a tensor of shape (3, 4) and strides (1, 0) that cannot be written.
  It was expanded (stride 0), so many of its entries are one number in memory.
  Did you mean x.clone()? Then write to the copy.""",
    ),
    "as_strided out of bounds": (
        lambda: ml.ones(6).as_strided((3, 4), (4, 1)),
        errors.ShapeError,
        """\
as_strided with size (3, 4), stride (4, 1) and storage_offset 0 reads entry 11 of a memory of 6.
  The last entry lies at storage_offset + the sum of stride[i] (size[i] - 1), which must be inside.
  Shorten the view, or its steps.""",
    ),
    "view of what lies otherwise": (
        lambda: ml.ones(2, 3).t().view(6),
        errors.ShapeError,
        """\
view cannot show a tensor of shape (3, 2) and strides (1, 3) as (6,).
  A view keeps the memory; these entries do not lie at even steps in the new shape.
  Did you mean x.reshape(6,)? It copies when it must.""",
    ),
    "a singular system": (
        lambda: ml.linalg.solve(ml.zeros(2, 2), ml.ones(2)),
        errors.LinAlgError,
        """\
solve got a tensor of shape (2, 2) that is singular.
  Its rows depend on each other, so it has no inverse.
  Did you mean A + 1e-6 * ml.eye(n)? Or look for columns that repeat each other.""",
    ),
    "a factorization in two bytes": (
        lambda: ml.linalg.inv(ml.eye(2).half()),
        errors.DTypeError,
        """\
inv got a matrix of dtype float16.
  Elimination subtracts numbers that nearly cancel, and two bytes have too few digits for that.
  Did you mean inv(x.float())? The result can go back with .to(ml.float16).""",
    ),
    "einsum with a letter from nowhere": (
        lambda: ml.einsum("ij,jk->il", ml.ones(2, 3), ml.ones(3, 4)),
        errors.ShapeError,
        """\
einsum got 'ij,jk->il' for the shapes (2, 3), (3, 4).
  A letter of the result stands there once, and in some operand too.
  For example 'ij,jk->ik'.""",
    ),
    "scatter out of range": (
        lambda: ml.zeros(3).scatter(0, ml.tensor([5]), ml.ones(1)),
        errors.ShapeError,
        """\
scatter got an index with numbers from 5 to 5.
  The axis has length 3, so they are at least 0 and at most 2.
  Compare index.min() and index.max() with the shape.""",
    ),
    "gather out of range": (
        lambda: ml.zeros(3).gather(0, ml.tensor([-1])),
        errors.ShapeError,
        """\
gather got an index with numbers from -1 to -1.
  The axis has length 3, so they are at least 0 and at most 2.
  Compare index.min() and index.max() with the shape.""",
    ),
    "one_hot of a negative label": (
        lambda: F.one_hot(ml.tensor([-1, 2]), 3),
        errors.ShapeError,
        """\
one_hot got labels from -1 to 2 and num_classes=3.
  A label is at least 0 and below num_classes.
  Did you mean num_classes=3?""",
    ),
    "cross_entropy with a float target of another shape": (
        lambda: F.cross_entropy(ml.ones(2, 3), ml.ones(2, 4)),
        errors.DTypeError,
        """\
cross_entropy got logits (2, 3) of dtype float32 and a target (2, 4) of dtype float32.
  A target holds either classes (int64, one per row) or probabilities (floats, of the logits' shape).
  Count the rows of the logits and the classes in the target: there must be as many.""",
    ),
    "load_state_dict of another size": (
        lambda: ml.nn.Linear(2, 3).load_state_dict(ml.nn.Linear(2, 4).state_dict()),
        errors.ArgumentError,
        """\
Linear cannot load this state:
    weight has shape (4, 2), here it is (3, 2).
    bias has shape (4,), here it is (3,).
  Names and shapes must be those of state_dict(). Nothing was loaded.
  Build the model with the sizes that it was saved with.""",
    ),
    "the state of no generator": (
        lambda: ml.Generator(0).set_state({"key": [1, 2, 3], "counter": 0}),
        errors.ArgumentError,
        """\
set_state got {'key': [1, 2, 3], 'counter': 0}.
  A state is what get_state() gave: {"key": [two words], "counter": n}, whole numbers from 0 up.
  Did you mean manual_seed(seed)?""",
    ),
    "truth values rounded": (
        lambda: ml.tensor([True]).round(),
        errors.DTypeError,
        """\
round got truth values.
  round is defined for numbers.
  Did you mean x itself, which is whole?""",
    ),
}
