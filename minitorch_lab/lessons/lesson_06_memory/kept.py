"""The checks of the lesson "Memory and checkpointing": what is kept, in parts, and in segments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from math import isqrt
from typing import Any

from ... import nn
from ...autograd import checkpoint_sequential
from ...memory import Account, account
from ...nn.functional import cross_entropy
from ...tensors.factories import ones
from ...tensors.random import manual_seed, randint, randn
from ...tensors.tensor import Tensor
from ..charts import area, trade
from ..values import described, whole, whole_numbers
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .deep import ROWS, UNIT, WIDTH, measured, tower
from .second_run import check_run_again, checkpoint_by

__all__ = [
    "area", "check_kept", "check_parts", "check_placement", "check_run_again", "checkpoint_by", "measured", "tower",
    "trade",
]  # fmt: skip


# ---- what is kept ---------------------------------------------------------------------------------------------------

Kept = Callable[[int, Sequence[int]], int]
SHAPES: list[tuple[int, list[int]]] = [(32, [784, 256, 10]), (8, [20, 30, 40, 50]), (100, [5, 7]), (4, [9, 6, 6, 6])]


def network(widths: Sequence[int]) -> nn.Sequential:
    """Linear layers with a ReLU between them."""
    layers: list[nn.Module] = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def kept_after_forward(batch: int, widths: Sequence[int]) -> int:
    """Bytes of activations alive when the forward pass of `network(widths)` is over, as the account counts them."""
    model, x = network(widths), ones(batch, widths[0])
    with account() as found:
        out = model(x)
        size = found.live_by_category["activation"]
    assert out.shape == (batch, widths[-1])
    return size


@answering
def check_kept(kept_bytes: Kept) -> Verdict:
    """Check the reader's formula against the account, on three networks."""
    for batch, widths in SHAPES:
        given, error = attempt(kept_bytes, batch, widths)
        if error is not None:
            return stopped("your formula", error)
        found = whole(given)
        if found == 0:
            return unwritten("the formula still gives 0 bytes.")
        if found is None:
            return not_yet(f"your formula gives {described(given)}. It gives a whole number: the bytes.")
        right = kept_after_forward(batch, widths)
        if found != right:
            said = f"{found:,}" if abs(found) < 10**18 else described(found)
            where = f"For {batch} rows through {' → '.join(map(str, widths))} you say {said}, and it is {right:,}."
            return not_yet(f"{thought(found, batch, widths, right)} {where}")
    return done(f"the account finds the same in {len(SHAPES)} networks. It grows with the batch; the weights do not.")


def thought(found: int, batch: int, widths: list[int], right: int) -> str:
    """The thought that leads to `found`."""
    inner, outer = sum(widths[1:-1]), widths[-1]
    weights = sum(a * b + b for a, b in pairwise(widths))
    thoughts = {
        right // 4: "you counted entries. A float32 is 4 bytes.",
        right // batch: "you counted one row. Every row of the batch has its own results.",
        4 * batch * (2 * inner + outer): "you counted what goes into a ReLU too. Its rule needs only what "
        "comes out, so the input is freed at once.",
        4 * batch * (widths[0] + inner + outer): "you counted the input x. It is kept, but it was there before: the "
        "account has it under input.",
        4 * batch * inner: "you left out the result of the last layer. Nobody keeps it for a rule, but you hold it.",
        4 * weights: "you counted the weights. They are parameters; asked for are the results of the layers.",
        right + 4 * weights: "you counted the weights too. They are there anyway, whatever the batch.",
    }
    if (batch, widths) != SHAPES[0]:  # where the formula was right, the result of the last layer included
        thoughts[4 * batch * sum(widths[1:3])] = "you count two layers, and there may be more: widths says how many."
    return thoughts.get(found, "not these bytes.")


# ---- in parts -------------------------------------------------------------------------------------------------------

Accumulate = Callable[[Any, Tensor, Tensor, int], Any]


@answering
def check_parts(accumulate: Accumulate) -> Verdict:
    """Check the reader's gradient accumulation: the same gradient, and the memory of one part."""
    manual_seed(0)
    model, x, y = network([12, 40, 4]), randn(48, 12), randint(0, 4, (48,))
    cross_entropy(model(x), y).backward()
    right = [p.grad for p in model.parameters()]
    for p in model.parameters():
        p.grad = None
    with account() as found:
        _, error = attempt(accumulate, model, x, y, 6)
    if error is not None:
        return stopped("your function", error)
    rows = [b.shape[0] for b in found.blocks if b.op == "linear" and b.phase == "forward"]
    if 48 in rows:
        return unwritten("the whole batch still runs at once.")
    given = [p.grad for p in model.parameters()]
    if any(g is None for g in given):
        return not_yet("some parameters have no gradient when your function returns. Does each part call backward()?")
    ratio = share(given, right)
    if ratio is None:
        return not_yet(f"{other_sum(sum(rows) // 2)} The gradient is not that of the whole batch.")
    if abs(ratio - 1) > 1e-3:
        return not_yet(f"the gradient came out {ratio:.4g} times as large as that of the whole batch. {scaled(ratio)}")
    if longest_alive(found) > 3 * 8:  # a layer, its activation, and a copy of the part's rows
        return not_yet(
            "the gradient is right, but nothing was saved: the tapes of all parts were alive together. Call backward() "
            "for each part: it frees the part's tape before the next one begins."
        )
    return done("the same gradient, and at any time the results of one part only.")


def longest_alive(found: Account) -> int:
    """The most rows that were alive in the widest layer at one time."""
    return max(m.live["activation"] for m in found.timeline) // (4 * 40)


def share(given: Sequence[Any], right: Sequence[Any]) -> float | None:
    """The number by which all of `right` must be multiplied to give `given`, if there is one."""
    pairs = [(float((a * b).sum()), float((b * b).sum())) for a, b in zip(given, right, strict=True)]
    ratio = sum(a for a, _ in pairs) / sum(b for _, b in pairs)
    far = max(float((a - b * ratio).abs().amax()) for a, b in zip(given, right, strict=True))
    return ratio if far < 1e-5 else None


def scaled(ratio: float) -> str:
    """Why a gradient may be too large or too small."""
    if abs(ratio - 6) < 1e-3:
        return "Each part's loss is a mean over its own rows. The mean of all is a sixth of the sum of the six means."
    if abs(ratio - 1 / 6) < 1e-3:
        return "You divided by the number of parts, and so does something else. Once is enough."
    return "What is each part's loss divided by?"


def other_sum(rows: int) -> str:
    """Why a gradient may be another one altogether."""
    if rows != 48:
        return f"your parts have {rows} rows together, and the batch has 48."
    return "all rows ran, so some gradients were lost: is .grad emptied between the parts, or a part run twice?"


# ---- in segments ----------------------------------------------------------------------------------------------------

Placement = Callable[[int], Sequence[int]]


@answering
def check_placement(placement: Placement) -> Verdict:
    """Check the reader's segments: `checkpoint_sequential` runs with them, and the account counts."""
    for n in (16, 36, 10):
        given, error = attempt(placement, n)
        if error is not None:
            return stopped("your placement", error)
        lengths = whole_numbers(given)
        if not lengths:
            return not_yet(f"for {n} layers your placement gives {described(given)}. It gives a list of whole numbers.")
        if lengths == [16]:
            return unwritten("one segment is the last one, and that is not checkpointed. Nothing is dropped.")
        problem = misplaced(n, lengths) or costly(n, lengths)
        if problem is not None:
            return not_yet(problem)
    return done("with k segments, k - 1 ends and one segment's results are alive: fewest for k near √n. You found it.")


def misplaced(n: int, lengths: list[int]) -> str | None:
    """Whether these are no segments of n layers."""
    if sum(lengths) < n:
        return (
            f"your segments {lengths} hold {sum(lengths)} of {n} layers; the last ones would never run. Where √n is no "
            "whole number, what is left over has to go somewhere."
        )
    if sum(lengths) > n or min(lengths) < 1:
        return f"your segments {lengths} are no way to cut {n} layers: each holds one or more, and together {n}."
    return None


def costly(n: int, lengths: list[int]) -> str | None:
    """Whether these segments need much more memory than there has to be."""
    x = randn(ROWS, WIDTH)
    found = measured(lambda x: checkpoint_sequential(list(tower(n)), lengths, x), x)
    units = found.peak_by_category["activation"] // UNIT
    most = 2 * (isqrt(n - 1) + 1)
    if units <= most:
        return None
    bill = f"with {lengths}, {units} results are alive at the peak, and {most} are enough."
    if max(lengths) == 1:
        return f"the end of every segment is kept, so with segments of one layer nothing is dropped: {bill}"
    if len(lengths) > isqrt(n - 1) + 1:
        return f"every segment but the last leaves its end behind, {len(lengths) - 1} of them here: {bill}"
    if lengths[-1] == max(lengths):
        return f"the last segment is not checkpointed: its {lengths[-1]} results all stay, beside the ends: {bill}"
    return f"when a segment runs again, all its results are there at once, {max(lengths)} in your longest: {bill}"
