"""The check of the reader's training-memory equation: the four terms of a network, against an account."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

from ... import nn, optim
from ...costmodel import TrainingMemory, plot_training_memory
from ...memory import account
from ...tensors.factories import ones
from ..charts import Chart
from ..values import plain, shown, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Terms = Callable[[Sequence[int], int, str], dict[str, int]]
NAMES = {"weights": "parameter", "gradients": "gradient", "optimizer": "optimizer state", "activations": "activation"}
OPTIMIZERS: dict[str, Callable[[Any], optim.Optimizer]] = {
    "SGD": lambda parameters: optim.SGD(parameters, lr=0.1),
    "momentum": lambda parameters: optim.SGD(parameters, lr=0.1, momentum=0.9),
    "Adam": lambda parameters: optim.Adam(parameters),
}
TRAININGS: list[tuple[tuple[int, ...], int, str]] = [
    ((784, 256, 10), 32, "SGD"),
    ((784, 256, 10), 32, "momentum"),
    ((784, 256, 10), 32, "Adam"),
    ((20, 30, 40, 50), 8, "Adam"),
    ((5, 7), 100, "momentum"),
    ((9, 6, 6, 6), 1, "SGD"),
]


@cache
def counted(widths: tuple[int, ...], batch: int, optimizer: str) -> dict[str, int]:
    """What an account finds at the end of the second forward pass of a training, term by term, in bytes.

    Example:
        >>> counted((5, 7), 100, "Adam")
        {'weights': 168, 'gradients': 168, 'optimizer': 336, 'activations': 2800}
    """
    layers: list[nn.Module] = []
    for before, after in pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    model = nn.Sequential(*layers[:-1])
    trained, x = OPTIMIZERS[optimizer](model.parameters()), ones(batch, widths[0])
    with account() as found:
        model(x).sum().backward()
        trained.step()
        out = model(x)
        live = found.live_by_category
    assert out.shape == (batch, widths[-1])
    return {term: live[category] for term, category in NAMES.items()}


@answering
def check_terms(terms: Terms) -> Verdict:
    """Check the reader's four terms on six trainings."""
    answers: list[Any] = []
    for widths, batch, optimizer in TRAININGS:
        found, error = attempt(terms, list(widths), batch, optimizer)
        if error is not None:
            return stopped("your function", error)
        answers.append(plain(found))
    if all(isinstance(found, dict) and found and not any(found.values()) for found in answers):
        return unwritten("all four terms are 0.")
    for asked, found in zip(TRAININGS, answers, strict=True):
        if not isinstance(found, dict):
            return not_yet(f"your function gives {shown(found)}. It is a dict with four terms, as in the starter.")
        if missing := [term for term in NAMES if term not in found]:
            return not_yet(f"your dict has no term {missing[0]!r}: it has all four, under the names in the starter.")
        for term, right in counted(*asked).items():
            if (mine := whole(found[term])) != right:
                return not_yet(f"{thought(term, mine, right, *asked)} {said(term, found[term], right, *asked)}")
    return done("six trainings, to the byte. Three terms follow from the parameters; the fourth grows with the batch.")


def said(term: str, found: Any, right: int, widths: Sequence[int], batch: int, optimizer: str) -> str:
    """Which term is another one, and where."""
    training = f"{' → '.join(map(str, widths))}, {batch} rows, {optimizer}"
    return f"For {training}, you say {found!r:.20} for {term}; the account finds {right:,}."


def thought(term: str, found: int | None, right: int, widths: Sequence[int], batch: int, optimizer: str) -> str:
    """The thought that leads to a term."""
    weights = 4 * sum(a * b + b for a, b in pairwise(widths))
    matrices = 4 * sum(a * b for a, b in pairwise(widths))
    if found is not None and right and 4 * found == right:
        return "you counted numbers. A float32 has 4 bytes."
    if term in ("weights", "gradients"):
        if found == matrices:
            return "a Linear has a bias too: as many numbers as its result has columns."
        if not found and term == "gradients":
            return "gradients stay until zero_grad() lets go of them, and here nobody has called it."
        return "every parameter counts once" + (", and so does its gradient." if term == "gradients" else ".")
    if term == "optimizer":
        if optimizer == "SGD":
            return "plain SGD keeps nothing from one step to the next."
        if optimizer == "momentum":
            return "momentum keeps one number for every parameter: the velocity."
        if found == weights:
            return "Adam keeps two numbers for every parameter: the mean of its gradients and that of their squares."
        if found == 3 * weights:
            return "the gradients are a term of their own. Adam keeps two numbers for every parameter besides."
        return "Adam keeps two numbers for every parameter."
    inner, outer = sum(widths[1:-1]), widths[-1]
    row, first = 4 * batch, widths[0]
    thoughts = {
        4 * sum(widths[1:]): "that is one row. Every row of the batch has results of its own.",
        row * (2 * inner + outer): "what goes into a ReLU is freed at once: its rule needs only what comes out.",
        row * (first + inner + outer): "the input is kept, but it is data that was there before, and no result.",
        row * inner: "the result of the last layer is held as well: the loss is computed from it.",
    }
    return thoughts.get(found or 0, "activations are what each layer leaves: batch times its columns.")


def stacked(trainings: Mapping[str, TrainingMemory], title: str) -> Chart:
    """The four terms of some trainings, as bars, with a sentence beside them."""
    figure = plot_training_memory(trainings)
    figure.update_layout(title={"text": title, "font": {"size": 14}}, height=340, yaxis={"tickformat": "~s"})
    totals = ", ".join(f"{name} {memory.total / 1e9:,.1f} GB" for name, memory in trainings.items())
    return Chart(figure, f"{title} In all: {totals}.")
