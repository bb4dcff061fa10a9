"""The check of the exercise "ten switches": what retain_graph, retain_grad, detach and the modes do to a gradient."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ...autograd import inference_mode, no_grad
from ...errors import GradientError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import alike, shown
from ..verdict import Verdict, answering, done, not_yet, unwritten

__all__ = ["check_switches"]

ERROR, NOTHING = "an error", "nothing"  # the answers that are no numbers


class Switch(NamedTuple):
    """A program over the leaf x = 2, why it gives what it gives, and what those believe who say something else."""

    run: Callable[[Tensor], Tensor | None]  # gives the gradient that is asked for
    why: str
    beliefs: Mapping[Any, str]


def twice(x: Tensor) -> Tensor | None:
    """Two walks over one graph."""
    y = x**2
    y.backward()
    y.backward()
    return x.grad


def twice_retained(x: Tensor) -> Tensor | None:
    """The same; the first walk frees nothing."""
    y = x**2
    y.backward(retain_graph=True)
    y.backward()
    return x.grad


def two_losses(x: Tensor) -> Tensor | None:
    """Two walks over two graphs."""
    (x * 2).backward()
    (x * 3).backward()
    return x.grad


def two_losses_emptied(x: Tensor) -> Tensor | None:
    """The same, with the tray emptied in between."""
    (x * 2).backward()
    x.grad = None
    (x * 3).backward()
    return x.grad


def middle(x: Tensor) -> Tensor | None:
    """The gradient of a result."""
    h = x * 3
    (h * h).backward()
    return h.grad


def middle_retained(x: Tensor) -> Tensor | None:
    """The same, asked for."""
    h = x * 3
    h.retain_grad()
    (h * h).backward()
    return h.grad


def detached(x: Tensor) -> Tensor | None:
    """One of the two ways to x is cut."""
    h = x * 3
    (h.detach() * x).backward()
    return x.grad


def unrecorded(x: Tensor) -> Tensor | None:
    """One of the two ways to x was never there."""
    with no_grad():
        h = x * 3
    (h * x).backward()
    return x.grad


def frozen(x: Tensor) -> Tensor | None:
    """Another leaf keeps the walk going."""
    w = tensor(5.0, requires_grad=True)
    x.requires_grad_(False)
    (w * x).backward()
    return x.grad


def inferred(x: Tensor) -> Tensor | None:
    """The product would have to save what must not be saved."""
    with inference_mode():
        h = x * 3
    (h * x).backward()
    return x.grad


BY_HAND = "3x · x is 3x², and 6x is 12: but that counts the way through h, and that way is cut."
TURNED = "that is the way through h alone. The way through h is the one that is cut; x itself is still a factor."

SWITCHES: dict[str, Switch] = {
    "twice": Switch(twice, "the first walk freed what pow had kept.", {
        8: "there is no second walk: the first one freed what pow had kept.",
        4: "the second call does not simply do nothing: it stops, for pow has nothing left to compute with.",
        NOTHING: "the first walk has left its 4 in the tray, and the second call stops with an error.",
    }),
    "twice, retained": Switch(twice_retained, "4 from each walk, added.", {
        4: "retain_graph keeps the graph, and not the old gradient: the second walk adds its own 4.",
        ERROR: "the first walk was told to free nothing.",
        16: "gradients of two walks are added, and not multiplied.",
    }),
    "two losses": Switch(two_losses, "2 and then 3 more.", {
        3: "backward() does not empty the tray first: it adds.",
        6: "gradients of two walks are added, and not multiplied.",
        ERROR: "these are two graphs, each walked once: nothing is missing.",
    }),
    "two losses, emptied": Switch(two_losses_emptied, "only the second walk is left.", {
        5: "the 2 is gone: x.grad = None emptied the tray. It is what zero_grad() does.",
        ERROR: "a leaf with an empty tray is an ordinary leaf: the next walk fills it again.",
        2: "the first walk's 2 was thrown away; the 3 came after that.",
    }),
    "h.grad": Switch(middle, "h is a result. Its cotangent, 12, went through and was not kept.", {
        12: "12 is what went through h. But nobody asked to keep it: only leaves have trays.",
        36: "36 is what x gets. h is no leaf, and keeps nothing.",
        ERROR: "to ask is allowed: the answer is None.",
    }),
    "h.grad, retained": Switch(middle_retained, "2h is 12, and retain_grad() keeps it.", {
        NOTHING: "retain_grad() asked for it before the walk, so it is kept.",
        36: "36 is what x gets: the 12 of h, times 3.",
        6: "6 is the value of h. Its gradient is 2h.",
        ERROR: "retain_grad() is meant for results such as h.",
    }),
    "detach": Switch(detached, "h.detach() is the plain number 6, and d(6x)/dx is 6.", {
        12: BY_HAND,
        3: TURNED,
        18: "that would be all three ways at once. What is cut sends nothing.",
        ERROR: "detach() shares memory with h, but nobody writes to it: there is nothing to complain about.",
        NOTHING: "x is a factor itself: one way leads to it.",
    }),
    "no_grad": Switch(unrecorded, "h was made while the tape looked away: a plain 6.", {
        12: BY_HAND,
        3: TURNED,
        ERROR: "a tensor without history may be used like any other number. (inference_mode() is stricter.)",
        NOTHING: "only h was made inside the block. The product was made outside, and x is one of its factors.",
    }),
    "frozen": Switch(frozen, "x is a plain number now, and nothing is sent to it.", {
        5: "5 would be sent to x if it wanted anything. It was told not to.",
        2: "2 is what w gets. x is frozen, and gets nothing.",
        ERROR: "w still wants a gradient, so the walk has somewhere to go.",
        0: "a frozen leaf does not get a 0, it gets nothing at all: no work is done for it.",
    }),
    "inference_mode": Switch(inferred, "mul would have to keep h, and h has no version counter.", {
        6: "with no_grad() it would be 6. But h has no version counter here, so mul may not keep it: an error at once.",
        12: "the way through h was never recorded; and more: mul may not even keep h, which has no version counter.",
        NOTHING: "it does not come to a gradient: mul may not keep h, which has no version counter.",
    }),
}  # fmt: skip


def outcome(name: str) -> Any:
    """What a program really gives: the program is run.

    Example:
        >>> outcome("twice"), outcome("two losses")
        ('an error', 5)
    """
    try:
        gradient = SWITCHES[name].run(tensor(2.0, requires_grad=True))
    except GradientError:
        return ERROR
    return NOTHING if gradient is None else round(gradient.item())


@answering
def check_switches(answers: Mapping[str, Any]) -> Verdict:
    """Check what the reader thinks each of the ten programs gives."""
    given = {name: answers.get(name) for name in SWITCHES}
    if all(answer is None for answer in given.values()):
        return unwritten(f"write a number, {ERROR!r} or {NOTHING!r} for each of the ten.")
    right = {name: outcome(name) for name in SWITCHES}
    score = f"{sum(alike(given[name], right[name]) for name in SWITCHES)} of {len(SWITCHES)} are right."
    for name, answer in given.items():
        if alike(answer, right[name]):
            continue
        if answer is None:
            return not_yet(f"{score} {name!r} has no answer yet.")
        switch = SWITCHES[name]
        belief = next((said for thought, said in switch.beliefs.items() if alike(answer, thought)), None)
        hint = belief or f"no walk ends with that. Follow the ways from the result to the leaf: {switch.why}"
        return not_yet(f"{score} {name!r} is not {shown(answer)}: {hint}")
    return done(f"{score} The graph, the tray and the way are three things, and each has its own switch.")
