"""The budgets at which the cut of a joint graph changes: between two of them a larger budget buys nothing.

Bytes saved plus a price for each entry computed again is, for one cut, a straight line over the price; the cheapest
cuts are the lower envelope of these lines. Its corners are found by trying the price at which two neighbours cost the
same (M. J. Eisner and D. G. Severance, Mathematical techniques for efficient record segmentation, 1976).
"""

from __future__ import annotations

from .aot import Joint
from .partition import Again, Partition, at_price, cheap, default_partition, min_cut_partition, work

DEAR = 1e9  # bytes that an entry may cost: nothing is computed again for that


def entries(parts: Partition) -> int:
    """The entries that computing again passes over."""
    return round(sum(map(work, parts.recomputed)))


def cuts(joint: Joint, again: Again = cheap) -> list[tuple[float, Partition]]:
    """Every cut that some budget gives, the largest budget first, each with the least budget that gives it.

    Example:
        >>> import minitorch_lab as ml
        >>> from minitorch_lab.compiler.autodiff.aot import joint
        >>> both = joint(ml.jit.trace(lambda x: x.sum(1).exp().tanh(), ml.ones(8, 16)).graph)
        >>> [(budget, parts.nbytes, parts.recomputed) for budget, parts in cuts(both)]
        [(1.0, 64, []), (0.5, 32, [tanh])]
    """
    default = default_partition(joint)
    found = envelope(joint, again, at_price(joint, 0.0, again), at_price(joint, DEAR, again))
    budgets = {parts.nbytes / max(default.nbytes, 1) for parts in found if parts.nbytes < default.nbytes}
    return [(1.0, default), *((b, min_cut_partition(joint, b, again)) for b in sorted(budgets, reverse=True))]


def envelope(joint: Joint, again: Again, cheapest: Partition, dearest: Partition) -> list[Partition]:
    """The cuts between the one for the least price and the one for the highest, with both of them."""
    more, less = dearest.nbytes - cheapest.nbytes, entries(cheapest) - entries(dearest)
    if more <= 0 or less <= 0:
        return [cheapest, dearest]
    price = more / less
    middle = at_price(joint, price, again)
    if middle.nbytes + price * entries(middle) >= (cheapest.nbytes + price * entries(cheapest)) * (1 - 1e-9):
        return [cheapest, dearest]
    return [*envelope(joint, again, cheapest, middle), *envelope(joint, again, middle, dearest)[1:]]
