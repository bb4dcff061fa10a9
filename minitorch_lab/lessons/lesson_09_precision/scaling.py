"""Loss scaling: the check of a reader's scaler, and a training run with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isclose
from typing import Any, NamedTuple

from ...autograd.autocast import autocast
from ...autograd.modes import no_grad
from ...core.array import float16, xp
from ...data import DataLoader, Digits
from ...nn import Linear, ReLU, Sequential
from ...nn.functional import cross_entropy
from ...optim import SGD
from ...tensors.factories import tensor
from ...tensors.random import manual_seed
from ..charts import BLUE, ORANGE, Chart
from ..values import described, plain, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .formats import number

Scaler = Callable[[list[Any], float, int, int], Any]  # gradients, the scale, finite rounds so far, the interval


# ---- exercise: a scaler ---------------------------------------------------------------------------------------------
NAN, INF = float("nan"), float("inf")


class Round(NamedTuple):
    """One round: gradients of the loss times the scale, the scale, finite rounds before it, and the interval."""

    grads: list[list[float]]
    scale: float
    good: int
    interval: int
    what: str

    @property
    def finite(self) -> bool:
        """Whether all entries are."""
        return all(xp.isfinite(g).all() for g in self.grads)

    @property
    def after(self) -> tuple[list[list[float]] | None, float, int]:
        """What is right: gradients, scale, finite rounds."""
        if not self.finite:
            return None, self.scale / 2, 0
        unscaled = [[x / self.scale for x in g] for g in self.grads]
        grows = self.good + 1 == self.interval
        return unscaled, self.scale * (2 if grows else 1), 0 if grows else self.good + 1


FEW = [[8.0, -4.0], [2.0]]
ROUNDS = (
    Round(FEW, 8.0, 0, 4, "small gradients"),
    Round([[0.5], [1.0, 3.0], [-16.0]], 1024.0, 2, 4, "three gradients"),
    Round([[INF, 1.0], [2.0]], 8.0, 1, 4, "inf in the first"),
    Round([[8.0, 1.0], [-INF]], 8.0, 2, 4, "-inf in the last"),
    Round([[8.0, 1.0], [NAN, 1.0], [2.0]], 64.0, 0, 4, "one entry is NaN"),
    Round([[8.0, INF], [-INF, 1.0]], 64.0, 3, 4, "inf and -inf"),
    Round(FEW, 8.0, 3, 4, "the 4th of 4 rounds"),
    Round(FEW, 16.0, 4, 6, "the 5th of 6 rounds"),
    Round([[0.0, 0.0], [0.0]], 2.0, 0, 1, "an interval of 1"),
    Round([[NAN]], 1.0, 0, 1, "NaN, a scale of 1"),
)


@answering
def check_scaler(scaler: Scaler) -> Verdict:
    """Check the reader's scaler in ten rounds."""
    answers: list[tuple[Any, float, int]] = []
    for asked in ROUNDS:
        grads = [xp.array(g, "float32") for g in asked.grads]
        found, error = attempt(scaler, grads, asked.scale, asked.good, asked.interval)
        if error is not None:
            return stopped("your scaler", error)
        parts, _ = attempt(lambda found=found: list(found))
        if parts is None or len(parts) != 3:
            return not_yet(f"you return {described(found)}. Return three: gradients or None, the scale, the count.")
        given, scale, good = parts[0], number(parts[1]), whole(parts[2])
        if scale is None or good is None:
            return not_yet(f"{asked.what}: the scale and the count are numbers, and you return {parts[1:]!r:.60}.")
        answers.append((given, scale, good))
    pairs = list(zip(ROUNDS, answers, strict=True))
    if all(found[1:] == (asked.scale, asked.good) and alike(found[0], asked.grads) for asked, found in pairs):
        return unwritten("gradients, scale and count come back as they were.")
    for asked, (given, scale, good) in pairs:
        if problem := wrong(asked, given, scale, good):
            return not_yet(f"{asked.what}: {problem}")
    return done("the scale backs off where something overflows, no such step is taken, and it grows again in time.")


def alike(given: Any, wanted: Sequence[Sequence[float]]) -> bool:
    """Whether gradients hold these entries."""
    lists = plain(given)
    if not isinstance(lists, list) or len(lists) != len(wanted):  # pyright: ignore[reportUnknownArgumentType]
        return False
    return all(
        xp.shape(a) == xp.shape(b) and xp.allclose(a, b, rtol=1e-5, atol=0, equal_nan=True)
        for a, b in zip(lists, wanted, strict=True)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    )


def wrong(asked: Round, given: Any, scale: float, good: int) -> str | None:
    """What is wrong with a round, if anything."""
    grads, next_scale, count = asked.after
    if grads is None:
        return wrong_overflow(asked, given, scale, good)
    if given is None:
        return "you skip this step, and every entry is finite."
    if not alike(given, grads):
        return wrong_gradients(asked, given)
    if not isclose(scale, next_scale, rel_tol=1e-6):
        return wrong_growth(asked, scale)
    if good != count:
        if count == 0:
            return f"the scale has grown, and the count goes on at {good}. It begins again at 0."
        return f"finite rounds in a row: that makes {count}, and you count {good}."
    return None


def wrong_overflow(asked: Round, given: Any, scale: float, good: int) -> str | None:
    """What is wrong with a round in which something overflowed."""
    if given is not None:
        return ("you hand the gradients on, and the step would be taken with them: every weight that they touch is "
                "lost for good. Return None in their place.")  # fmt: skip
    if isclose(scale, asked.scale):
        return "you skip the step, and the scale stays. It was too large: halve it, or the next round is lost as well."
    if not isclose(scale, asked.scale / 2):
        return f"the scale goes from {asked.scale:g} to {scale:g}. It backs off to a half, {asked.scale / 2:g}."
    if good != 0:
        return f"finite rounds are counted in a row, and this one ends it. You go on with {good}, and it is 0."
    return None


def wrong_gradients(asked: Round, given: Any) -> str:
    """What is wrong with gradients that should be those of the loss itself."""
    if alike(given, asked.grads):
        return "the gradients are still those of the loss times the scale. Divide them by it."
    if alike(given, [[x * asked.scale for x in g] for g in asked.grads]):
        return "you multiply by the scale once more. The loss was multiplied by it, so the gradients are divided."
    if alike(given, [[x / asked.scale / 2 for x in g] for g in asked.grads]):
        return "you divide by the new scale. These gradients were made with the old one."
    return f"divided by {asked.scale:g}, the gradients are {asked.after[0]}, and you return {plain(given)!r:.60}."


def wrong_growth(asked: Round, scale: float) -> str:
    """What is wrong with a scale after a finite round."""
    grown, row = asked.after[1] > asked.scale, asked.good + 1
    if grown and isclose(scale, asked.scale):
        return f"the scale doubles after {asked.interval} of them, and this is number {row}. Yours stays."
    if not grown and isclose(scale, 2 * asked.scale):
        return f"your scale grows already. Finite rounds in a row: {row}, and it takes {asked.interval}."
    return f"the scale goes from {asked.scale:g} to {scale:g}, and should be {asked.after[1]:g}."


# ---- a training run with it -----------------------------------------------------------------------------------------
class Ran(NamedTuple):
    """The scale and the loss of every step, and which steps were skipped."""

    scales: list[float]
    losses: list[float]
    skipped: list[int]


def run_with(scaler: Scaler, start: float = 2.0**24, interval: int = 20, epochs: int = 6) -> Ran:
    """Train a network on the digits in float16, with a scaler of the reader's.

    Raises:
        Exception: Whatever the scaler ends with.
    """
    manual_seed(0)
    model = Sequential(Linear(64, 32), ReLU(), Linear(32, 10))
    optimizer, loader = SGD(model.parameters(), lr=0.5), DataLoader(Digits(), 64, shuffle=True, drop_last=True)
    scale, good, ran = start, 0, Ran([], [], [])
    for _ in range(epochs):
        for x, label in loader:
            optimizer.zero_grad()
            with autocast("cpu", dtype=float16):
                loss = cross_entropy(model(x), label)
            (loss * scale).backward()
            ran.losses.append(loss.item())
            ran.scales.append(scale)
            held = [p.grad.numpy().copy() for p in model.parameters() if p.grad is not None]
            grads, scale, good = scaler(held, scale, good, interval)
            scale, good = number(scale) or 1.0, whole(good) or 0
            if grads is None:
                ran.skipped.append(len(ran.scales) - 1)
                continue
            with no_grad():
                for p, g in zip(model.parameters(), grads, strict=True):
                    p.grad = tensor(xp.asarray(plain(g), "float32"))
            optimizer.step()
    return ran


def scale_curve(scaler: Scaler) -> Any:
    """The scale in a training run with the reader's scaler, and the steps that it skipped."""
    import plotly.graph_objects as go

    ran, error = attempt(run_with, scaler)
    if error is not None or ran is None:
        return stopped("your scaler", error or ValueError())
    figure: Any = go.Figure()
    figure.add_scatter(y=ran.scales, name="scale", mode="lines", line={"color": BLUE, "shape": "hv"})
    figure.add_scatter(
        x=ran.skipped, y=[ran.scales[k] for k in ran.skipped], name="skipped", mode="markers",
        marker={"color": ORANGE, "symbol": "x", "size": 9},
    )  # fmt: skip
    figure.update_layout(
        template="plotly_white", title={"text": "Your scaler at work", "font": {"size": 14}}, height=340,
        xaxis={"title": {"text": "step"}}, yaxis={"title": {"text": "scale"}, "type": "log", "exponentformat": "power"},
        legend={"orientation": "h", "x": 1, "xanchor": "right", "y": 1, "yanchor": "bottom"},
        margin={"l": 70, "r": 20, "t": 60, "b": 50},
    )  # fmt: skip
    return Chart(figure, f"{len(ran.scales)} steps, {len(ran.skipped)} of them skipped; the loss went from "
                 f"{ran.losses[0]:.1f} to {ran.losses[-1]:.1f}.")  # fmt: skip
