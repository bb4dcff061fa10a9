"""Training steps: the check of one that shows the model a few rows at a time, and steps as for all of them at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...core.array import float64, xp
from ...nn import Linear, Module
from ...nn.functional import poisson_nll_loss
from ...optim import SGD
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .formats import number

Step = Callable[[Module, Any, Callable[[Tensor, Tensor], Tensor], Tensor, Tensor, int], Any]
SIZES = ((8, 4), (12, 3), (10, 4), (7, 3), (5, 1), (3, 8))  # rows of a batch, rows at once
LR = 0.25


class Watched(Module):
    """A layer that notes how many rows it is shown, each time.

    Example:
        >>> model = Watched([[1.0, 2.0]], [0.5])
        >>> model(tensor([[1.0, 1.0], [0.0, 1.0]], dtype=float64)).tolist(), model.seen
        ([[3.5], [2.5]], [2])
    """

    def __init__(self, weight: Any, bias: Any) -> None:
        super().__init__()
        self.layer = Linear(len(weight[0]), len(weight)).double()
        self.layer.load_state_dict({"weight": tensor(weight, dtype=float64), "bias": tensor(bias, dtype=float64)})
        self.seen: list[int] = []

    def forward(self, x: Tensor) -> Tensor:
        """The layer."""
        self.seen.append(len(x))
        return self.layer(x)


@dataclass
class Case:
    """A batch, and a model with a gradient left over from the step before."""

    x: Tensor
    target: Tensor
    weight: Any
    bias: Any

    def model(self) -> Watched:
        """A new one each time."""
        made = Watched(self.weight, self.bias)
        for p in made.parameters():
            p.grad = p.detach() * 0 + 1.5
        return made

    def weights(self, way: Callable[[Watched, SGD], None]) -> list[float]:
        """All weights after one step that is made in some way."""
        model = self.model()
        way(model, SGD(model.parameters(), lr=LR))
        return [w for p in model.parameters() for w in p.flatten().tolist()]


def case(rows: int) -> Case:
    """One with so many rows."""
    rng = xp.random.default_rng(rows)
    drawn = [rng.normal(size=shape) for shape in ((rows, 3), (rows, 2), (2, 3), (2,))]
    return Case(*(tensor(part, dtype=float64) for part in drawn[:2]), *(part.tolist() for part in drawn[2:]))


def stepping(
    given: Case,
    rows: int,
    weigh: Callable[[int, int, int], float] = lambda n, whole, pieces: n / whole,
    kept: bool = False,
    anew: bool = False,
    each: bool = False,
    full: bool = False,
) -> list[float]:
    """The weights after a step in pieces: the right one, or one with a mistake.

    Args:
        given: The batch.
        rows: Rows at once.
        weigh: What a piece counts, from its rows, those of the batch, and the number of pieces.
        kept: Whether the gradient of the step before is left where it is.
        anew: Whether gradients are put back before every piece.
        each: Whether the weights move after every piece.
        full: Whether a last piece with fewer rows is left out.
    """

    def way(model: Watched, optimizer: SGD) -> None:
        starts = [at for at in range(0, len(given.x), rows) if not full or at + rows <= len(given.x)]
        if not kept:
            optimizer.zero_grad()
        for at in starts:
            if anew:
                optimizer.zero_grad()
            x, target = given.x[at : at + rows], given.target[at : at + rows]
            (poisson_nll_loss(model(x), target) * weigh(len(x), len(given.x), len(starts))).backward()
            if each:
                optimizer.step()
        if not each:
            optimizer.step()

    return given.weights(way)


THOUGHTS: list[tuple[dict[str, Any], str]] = [
    ({"weigh": lambda n, whole, pieces: 1.0},
     "the gradients of your pieces are added as they are. Each is that of a mean over its own rows, so the sum is as "
     "many times too large as there are pieces."),
    ({"weigh": lambda n, whole, pieces: 1 / pieces},
     "you divide by the number of pieces. That is right where all are as long. Here the last one is shorter, and "
     "its rows count more than the others': weigh each piece by its rows."),
    ({"weigh": lambda n, whole, pieces: n},
     "each piece is weighed by its rows, and the sum is not divided by all of them yet."),
    ({"weigh": lambda n, whole, pieces: 1 / n}, "you divide the mean over a piece by its rows once more."),
    ({"weigh": lambda n, whole, pieces: 1 / whole},
     "you divide the mean over a piece by all rows. It is a mean over its own rows already: it counts for as large a "
     "part as it has of the rows."),
    ({"anew": True}, "the gradient is put back before each piece, so only that of the last piece is left."),
    ({"each": True},
     "the weights move after each piece, and the next piece meets other weights. One step, at the end."),
    ({"each": True, "anew": True}, "the weights move after each piece: those are several small steps, and not one."),
    ({"kept": True},
     "a gradient was left over from the step before, and yours was added to it. Begin with zero_grad()."),
    ({"full": True}, "the last piece is missing: it has fewer rows than the others, and they count too."),
]  # fmt: skip


@answering
def check_train_step(train_step: Step) -> Verdict:
    """Check the reader's step in pieces: what the model was shown, the weights afterwards, and the loss."""
    for size, rows in SIZES:
        given = case(size)
        right = stepping(given, rows)
        model = given.model()
        optimizer = SGD(model.parameters(), lr=LR)
        returned, error = attempt(train_step, model, optimizer, poisson_nll_loss, given.x, given.target, rows)
        if error is not None:
            return stopped("your step", error)
        found = [w for p in model.parameters() for w in p.flatten().tolist()]
        where = f"a batch of {size} rows, {rows} at once:"
        before = [w for p in given.model().parameters() for w in p.flatten().tolist()]
        if not model.seen:
            return unwritten("the model was never called.")
        if near(found, before):
            return not_yet(f"{where} no weight has moved. Is optimizer.step() called?")
        if max(model.seen) == size > rows and near(found, right):
            return unwritten(f"the model sees all {size} rows at once, and it may see {rows}.")
        if max(model.seen) > rows:
            return not_yet(f"{where} the model sees {max(model.seen)} rows at once.")
        if not near(found, right):
            known = [said for ways, said in THOUGHTS if near(found, stepping(given, rows, **ways))]
            return not_yet(f"{where} {known[0] if known else 'the weights are not those of one step with all rows.'}")
        loss, wanted = number(returned), poisson_nll_loss(given.model()(given.x), given.target).item()
        if loss is None:
            return not_yet(f"{where} the weights are right. You return {returned!r:.40}, and a step returns its loss.")
        if not near([loss], [wanted]):
            return not_yet(f"{where} the weights are right. The loss of the batch is {wanted:.4f}, and you return "
                           f"{loss:.4f}: pieces count in it as they do in the gradient.")  # fmt: skip
    return done("the same weights as with the whole batch, and the model never saw more rows than it may. Memory for "
                "activations is that of one piece.")  # fmt: skip


def near(found: list[float], wanted: list[float]) -> bool:
    """Equal but for the order of sums."""
    return bool(xp.allclose(found, wanted, rtol=1e-6, atol=1e-9))
