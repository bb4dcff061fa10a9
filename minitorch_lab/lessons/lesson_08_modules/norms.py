"""The check of a batch norm that the reader writes: by the batch in training, by what it has kept in evaluation."""

from __future__ import annotations

from typing import Any

from ...nn import BatchNorm1d, Module, Sequential
from ...tensors.factories import tensor, zeros
from ...tensors.tensor import Tensor
from ..values import plain
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["check_norm"]

Rows = list[list[float]]

FIRST: Rows = [[0.0, 10.0], [0.01, 30.0], [0.03, 20.0], [0.04, 0.0]]  # channel 0 varies so little that eps counts
SECOND: Rows = [[1.0, -2.0], [3.0, 4.0], [2.0, 7.0]]
EPS, MOMENTUM = 0.01, 0.25


def near(found: Any, wanted: Any) -> bool:
    """Equal to the rounding of float32."""
    a, b = plain(found), plain(wanted)
    if isinstance(b, list):
        return isinstance(a, list) and len(a) == len(b) and all(map(near, a, b))
    return isinstance(a, int | float) and abs(a - b) <= 1e-4 * (1 + abs(b))


def pair(norm: Any) -> tuple[Any, Any]:
    """The reader's module and the engine's, with the same weights."""
    mine: Any = norm(2, momentum=MOMENTUM, eps=EPS)
    theirs: Any = BatchNorm1d(2, momentum=MOMENTUM, eps=EPS)
    for each in (mine, theirs):
        each.weight.data, each.bias.data = tensor([2.0, 3.0]), tensor([1.0, -1.0])
    return mine, theirs


@answering
def check_norm(norm: Any) -> Verdict:
    """Check the reader's batch norm beside the engine's: two batches, gradients, evaluation, its state."""
    if not isinstance(norm, type) or not issubclass(norm, Module):
        return not_yet("Norm is a class, made from ml.nn.Module.")
    if issubclass(norm, BatchNorm1d.__mro__[1]):
        return not_yet("your Norm is a BatchNorm already. Here you write what it does.")
    both, error = attempt(pair, norm)
    if error is not None:
        return stopped("Norm(2, momentum=0.25, eps=0.01), with weight and bias,", error)
    mine, theirs = both
    x = tensor(FIRST, requires_grad=True)
    out, error = attempt(mine, x)
    if error is not None:
        return stopped("forward", error)
    if not isinstance(out, Tensor) or out.shape != x.shape:
        return not_yet(f"forward gives {getattr(out, 'shape', type(out).__name__)}. It gives a tensor like x, (4, 2).")
    if out is x or out.tolist() == FIRST:
        return unwritten("what goes in comes out.")
    problem = (
        output(out, theirs(x), mine) or what_runs(mine, theirs, "after one batch")
        or in_training(mine, theirs) or in_evaluation(mine, theirs) or inside(norm) or gradients(norm)
    )  # fmt: skip
    return not_yet(problem) if problem is not None else done(
        "two batches and their gradients, running statistics, evaluation of a single row: as nn.BatchNorm1d. And the "
        "state holds all that evaluation needs."
    )


def output(out: Tensor, wanted: Tensor, mine: Any) -> str | None:
    """What the output in training tells of its formula."""
    if near(out, wanted):
        return None
    x = tensor(FIRST)
    mean, biased, unbiased = x.mean(0), x.var(0, correction=0), x.var(0)
    weight, bias = tensor([2.0, 3.0]), tensor([1.0, -1.0])
    ways = {
        "the batch is divided by the root of its unbiased variance, over n − 1. What the batch itself is "
        "normalised by is the mean of its squares, over n: correction=0.": (x - mean) / (unbiased + EPS).sqrt(),
        "eps stands outside of the root and belongs to the variance: √(var + eps).": (x - mean) / (biased.sqrt() + EPS),
        "eps is missing: a channel that hardly varies is blown up.": (x - mean) / biased.sqrt(),
        "the batch is divided by its variance. Its root is the deviation.": (x - mean) / (biased + EPS),
        "the mean is subtracted, and nothing is divided.": x - mean,
    }  # fmt: skip
    running: list[Any] = [getattr(mine, name, None) for name in ("running_mean", "running_var")]
    if all(isinstance(each, Tensor) for each in running):
        followed: Any = (x - running[0]) / (running[1] + EPS).sqrt()
        ways["in training you normalise by the running statistics. In training the batch has its own."] = followed
    for said, even in ways.items():
        if near(out, even * weight + bias):
            return said
    if near(out, (x - mean) / (biased + EPS).sqrt()):
        return "every channel has mean 0 and variance 1, but then comes · weight + bias."
    whole = (x - x.mean()) / (x.var(correction=0) + EPS).sqrt() * weight + bias
    if near(out, whole):
        return "you take one mean over all entries. Each channel has its own: dim=0."
    return f"in training, the first row comes out as {said_of(out)}, not {said_of(wanted)}."


def said_of(out: Tensor) -> list[float]:
    """The first row, in few digits."""
    rows: Any = out.tolist()
    return [round(v, 4) for v in rows[0]]


def what_runs(mine: Any, theirs: Any, when: str) -> str | None:
    """What is wrong with the running statistics."""
    for name in ("running_mean", "running_var"):
        found = getattr(mine, name, None)
        if found is None:
            return f"{name} is not there. Evaluation needs it: self.register_buffer({name!r}, …) in __init__."
        if name not in mine.state_dict():
            return (
                f"{name} is no buffer, so state_dict() leaves it out, and a model that is loaded evaluates with what "
                f"it was born with. In __init__: self.register_buffer({name!r}, …)."
            )
        if name in dict(mine.named_parameters()):
            return f"{name} is a parameter, and an optimizer would train it. It is a buffer."
        if getattr(found, "grad_fn", None) is not None:
            return (
                f"{name} has a grad_fn ({found.grad_fn.name()}): it hangs on the tape of every batch so far, and none "
                "of them can be freed. Update it with ml.no_grad() around."
            )
        wanted = getattr(theirs, name)
        if not near(found, wanted):
            return f"{when}, {unlike(name, found, wanted)}"
    return None


def unlike(name: str, found: Any, wanted: Tensor) -> str:
    """What a wrong running statistic tells of its update."""
    x = tensor(FIRST)
    start = zeros(2) if name == "running_mean" else zeros(2) + 1
    batch, biased = (x.mean(0), x.mean(0)) if name == "running_mean" else (x.var(0), x.var(0, correction=0))
    if near(found, start):
        return f"{name} is where it began. In training it moves towards the batch."
    if near(found, batch):
        return f"{name} is that of the last batch alone. It moves by the part momentum, here {MOMENTUM}."
    if near(found, MOMENTUM * start + (1 - MOMENTUM) * batch):
        return f"{name} moved by the part 1 − momentum. Momentum is the part of the new batch."
    if near(found, start + MOMENTUM * batch):
        return f"{name} grows with every batch. What was there counts 1 − momentum."
    if name == "running_var" and near(found, (1 - MOMENTUM) * start + MOMENTUM * biased):
        return (
            "running_var follows the biased variance, over n. It is to estimate the variance of all data, of which the "
            "batch is a sample: over n − 1, as var() gives it."
        )
    if name == "running_var" and near(found, (1 - MOMENTUM) * start + MOMENTUM * batch.sqrt()):
        return "running_var follows the deviation. It follows the variance."
    return f"{name} is {plain(found)!r:.50}, where {[round(v, 4) for v in plain(wanted)]} is right."


def in_training(mine: Any, theirs: Any) -> str | None:
    """A second batch, of another size."""
    out, error = attempt(mine, tensor(SECOND))
    if error is not None:
        return f"a second batch, of three rows, stops with {type(error).__name__}: {error}"
    if not near(out, theirs(tensor(SECOND))):
        return "the first batch comes out right, and a second one does not. Does the output depend on what came before?"
    return what_runs(mine, theirs, "after a second batch")


def in_evaluation(mine: Any, theirs: Any) -> str | None:
    """Evaluation: a single row, and nothing moves."""
    mine.eval()
    theirs.eval()
    row = tensor([[2.0, 5.0]])
    out, error = attempt(mine, row)
    if error is not None:
        return f"after eval(), a single row stops with {type(error).__name__}: {error}"
    if not near(out, theirs(row)):
        if near(out, tensor([[1.0, -1.0]])):
            return "after eval(), a single row is normalised by itself, and nothing is left of it. Ask self.training."
        return (
            f"after eval(), a row comes out as {said_of(out)}, not {said_of(theirs(row))}. In evaluation the "
            "running mean and the running variance stand for those of the batch."
        )
    if not near(mine(tensor(SECOND)), theirs(tensor(SECOND))):
        return "after eval(), a single row comes out right, and a batch does not. What decides is self.training alone."
    if (problem := what_runs(mine, theirs, "after rows in evaluation")) is not None:
        return f"{problem} In evaluation nothing moves: who is asked must not learn from the question."
    return None


def inside(norm: Any) -> str | None:
    """Modes and states reach it through a model."""
    model, twin = Sequential(norm(2)), Sequential(norm(2))
    model(tensor(FIRST))
    _, error = attempt(twin.load_state_dict, model.state_dict())
    if error is not None:
        return f"the state of one Norm does not fit another: {str(error).partition(chr(10))[0]}"
    rows = tensor(SECOND)
    if not near(twin.eval()(rows), model.eval()(rows)):
        return "a model that has loaded the state of another evaluates otherwise. What does it need that is no buffer?"
    return None


def gradients(norm: Any) -> str | None:
    """The gradients by x and by the parameters, in training."""
    found: list[list[Any]] = []
    for each in pair(norm):
        x = tensor(FIRST, requires_grad=True)
        (each(x) * tensor([[1.0, 2.0], [-3.0, 1.0], [0.5, -1.0], [2.0, 0.0]])).sum().backward()
        found.append([plain(t.grad) for t in (x, each.weight, each.bias)])
    if all(map(near, *found)):
        return None
    return (
        "the output is right, and the gradient is not: mean and variance depend on x, so they are computed where the "
        "tape looks on. Only the update of the running statistics stands under no_grad()."
    )
