"""Where a gradient by the rules and one by differences part, and what may be wrong with the rule."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ..core.array import Array, xp
from ..errors import GradientError
from ..tensors.tensor import Tensor


class Tolerance(NamedTuple):
    """The step of the differences, and how far a gradient may be from them."""

    eps: float
    atol: float
    rtol: float


class Case(NamedTuple):
    """One output by one input: what the rules give, and the output's values on both sides of each input entry."""

    input: int
    output: int
    x: Tensor
    out_shape: tuple[int, ...]
    analytic: Array  # (entries of the input, entries of the output), as are the next two
    up: Array
    down: Array
    value: Array  # of the output
    again: Callable[[], Array]  # the rules once more

    def numeric(self, eps: float) -> Array:
        """Central differences."""
        return (self.up - self.down) / (2 * eps)


def explained(case: Case, tolerance: Tolerance) -> GradientError | None:
    """The error that says what is wrong; None if nothing is."""
    analytic, numeric = case.analytic, case.numeric(tolerance.eps)
    gap = xp.abs(analytic - numeric)
    allowed = tolerance.atol + tolerance.rtol * xp.abs(numeric)
    wrong = ~(gap <= allowed)  # NaN is wrong too
    if not wrong.any():
        return None
    worst = int(xp.argmax(xp.where(wrong, xp.nan_to_num(gap, nan=xp.inf), -1.0)))
    k, o = divmod(worst, analytic.shape[1])
    at = entry(k, case.x.shape)
    of = entry(o, case.out_shape)
    return GradientError(
        f"gradcheck: output {case.output}{of} by input {case.input}{at}: the rules give {analytic[k, o]:.6g}, "
        f"differences give {numeric[k, o]:.6g}: off by {gap[k, o]:.3g}.",
        f"{allowed[k, o]:.3g} is allowed there (atol + rtol·|difference|). "
        f"{int(wrong.sum())} of {wrong.size} entries are off by more than that.",
        f"Likely cause: {cause(case, wrong, tolerance)}",
    )


def entry(k: int, shape: tuple[int, ...]) -> str:
    """The index of entry `k`, as one would type it; nothing for a single number."""
    return "[" + ", ".join(str(int(i)) for i in xp.unravel_index(k, shape)) + "]" if shape else ""


def cause(case: Case, wrong: Array, tolerance: Tolerance) -> str:
    """What the pattern of the differences suggests; the first that fits."""
    analytic, numeric = case.analytic, case.numeric(tolerance.eps)

    def fits(guess: Any) -> bool:
        return bool((xp.abs(analytic - guess) <= 10 * (tolerance.atol + tolerance.rtol * xp.abs(guess))).all())

    if case.x.dtype.itemsize < 8:
        return f"the input is {case.x.dtype}: a step of {tolerance.eps:g} drowns in rounding. Use dtype=ml.float64."
    if not xp.isfinite(analytic).all():
        return "the rule gives NaN or infinity: ml.autograd.detect_anomaly() names the line."
    if not xp.isfinite(numeric).all():
        return "the function is not finite around this point. Choose another."
    if kinks(case, tolerance)[wrong].all():
        return "a kink: the function has no derivative here, its slopes to the left and right differ. Move the input."
    if not xp.array_equal(analytic, case.again()):
        return "chance: the rule gives another gradient each time. Draw its random numbers in forward, and save them."
    if not analytic.any():
        return "no gradient arrives: the rule gives zero, or a detach() or no_grad() cuts the way back."
    if fits(-numeric):
        return "the sign: every entry is minus what it should be."
    factor = float((analytic * numeric).sum() / (numeric * numeric).sum()) if numeric.any() else 0.0
    if factor and fits(factor * numeric):
        n = round(1 / factor)
        mean = n > 1 and abs(n * factor - 1) < 1e-3
        sums = f" Did the rule forget to sum over a broadcast axis of length {n}?" if mean else ""
        return f"a factor: every entry is {factor:.4g} times what it should be.{sums}"
    if not analytic[wrong].any() and (analytic != 0).any(axis=1)[wrong.any(axis=1)].all():
        return "a part is missing: did the rule forget to sum over an axis that was broadcast, or drop a term?"
    if transposed(case, numeric) is not None and fits(transposed(case, numeric)):
        return "the axes: the gradient is the transpose of what it should be."
    return "none of the usual ones (factor, sign, missing sum, kink). Compare the rule with the formula by hand."


def kinks(case: Case, tolerance: Tolerance) -> Array:
    """Where the slope to the right is not the slope to the left."""
    right, left = (case.up - case.value) / tolerance.eps, (case.value - case.down) / tolerance.eps
    return xp.abs(right - left) > 100 * tolerance.atol + 10 * tolerance.rtol * xp.maximum(xp.abs(right), xp.abs(left))


def transposed(case: Case, numeric: Array) -> Array | None:
    """The Jacobian by the transposed input; None if that has another shape."""
    shape = case.x.shape
    if len(shape) != 2 or shape[0] != shape[1]:
        return None
    return numeric.reshape(*shape, -1).swapaxes(0, 1).reshape(numeric.shape)
