"""The check of a step of Adam that the reader writes: its numbers, and a run resumed from its state bit for bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from math import isclose, isnan
from typing import Any

from ...errors import ShapeError
from ...optim import Adam, Optimizer
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import plain
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["Rounds", "check_adam", "optimizer", "resumed", "stepped"]

Update = Callable[[Tensor, Tensor, dict[str, Any], dict[str, Any]], Any]
Rounds = Sequence[Sequence[Sequence[float] | None]]  # for every step a gradient for each parameter, or none


def optimizer(update: Update) -> type[Optimizer]:
    """An optimizer that does the reader's step for each parameter that has a gradient.

    Args:
        update: `update(parameter, grad, state, group)`: changes the parameter in place. `state` is a dict of this
            parameter, empty at first; `group` has "lr", "betas" and "eps".

    Example:
        >>> def descend(parameter, grad, state, group):
        ...     parameter -= group["lr"] * grad
        >>> w = tensor([1.0], requires_grad=True)
        >>> (w * 3).sum().backward()
        >>> optimizer(descend)([w], lr=0.5).step()
        >>> w.tolist()
        [-0.5]
    """

    class Mine(Optimizer):
        """The reader's."""

        def __init__(self, params: Any, lr: float = 0.001, betas: Any = (0.9, 0.999), eps: float = 1e-8) -> None:
            super().__init__(params, {"lr": lr, "betas": betas, "eps": eps})

        def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: dict[str, Any]) -> None:
            """One step for one parameter."""
            update(parameter, grad, state, group)

    return Mine


def stepped(kind: Any, rounds: Rounds, groups: Sequence[dict[str, Any]], stop: int | None = None) -> list[Any]:
    """What the parameters are after these steps: they start at 1, 2, …, and have one group each.

    Args:
        kind: The class of the optimizer.
        rounds: For every step a gradient for each parameter, or None.
        groups: The settings of each group.
        stop: After how many steps the run is saved, thrown away, and resumed by new objects.

    Example:
        >>> [round(w, 4) for w, in stepped(Adam, [[[3.0], None]] * 2, [{"lr": 0.5}] * 2)]
        [0.0, 2.0]
    """
    widths = [max(len(step[k] or [0.0]) for step in rounds) for k in range(len(groups))]
    params = [tensor([k + 1.0] * n, requires_grad=True) for k, n in enumerate(widths)]
    trained = kind([{"params": [p], **group} for p, group in zip(params, groups, strict=True)])
    for number, step in enumerate(rounds):
        if number == stop:
            params, trained = resumed(kind, params, trained)
        for parameter, grad in zip(params, step, strict=True):
            parameter.grad = None if grad is None else tensor(list(grad))
        trained.step()
    return [p.tolist() for p in params]


def resumed(kind: Any, params: Sequence[Tensor], trained: Optimizer) -> tuple[list[Tensor], Optimizer]:
    """New parameters and a new optimizer, which go on from the state of these."""
    saved = deepcopy(trained.state_dict())
    twins = [p.detach().clone().requires_grad_() for p in params]
    new = kind([{"params": [p]} for p in twins])
    new.load_state_dict(saved)
    return twins, new


# ---- the check ------------------------------------------------------------------------------------------------------
ONE = [{"lr": 0.5}]
FIRST: Rounds = [[[100.0, -0.01]]]
FIVE: Rounds = [[[1.0, -2.0]], [[0.5, 0.0]], [[-3.0, 0.25]], [[0.0, 1.0]], [[2.0, 0.125]]]
SMALL = [{"lr": 0.5, "eps": 0.1}]
OTHERS = [{"lr": 0.1, "betas": (0.6, 0.3)}]
TWO: Rounds = [[[1.0], None], [[2.0], None], [[-1.0], [1.0]], [[0.5], [3.0]]]
OUTSIDE = "the same run, a second time, gives other numbers. Something outside of state remembers the first one."
GROUPS = [{"lr": 0.1}, {"lr": 0.01, "betas": (0.5, 0.75)}]


def near(found: Any, wanted: Any) -> bool:
    """Equal to the rounding of float32."""
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(near, found, wanted))
    return abs(found - wanted) <= 2e-5 * (1 + abs(wanted))


@answering
def check_adam(adam: Update) -> Verdict:
    """Check the reader's step beside the engine's Adam, and a run that is cut in two beside one that is whole."""
    mine = optimizer(adam)
    found, error = attempt(stepped, mine, FIRST, ONE)
    if error is not None:
        return step_stopped(error)
    if near(found, [[1 - 50.0, 1 + 0.005]]):
        return unwritten("every entry moves by lr times its gradient: plain descent, without a memory.")
    problem, error = attempt(spoils, adam)
    if error is not None:
        return step_stopped(error)
    if problem is None and repr(stepped(mine, FIRST, ONE)) != repr(found):
        problem = OUTSIDE
    if (problem := problem or first_step(found[0])) is not None:
        return not_yet(problem)
    for rounds, groups, said in (
        (FIVE, ONE, "The first step is right. Look at what comes over from one step to the next: m and v before this "
                    "gradient, and t, which grows by one."),
        (FIVE, SMALL, "With eps=0.1 it is another one: eps is added to the root, and not under it, √v̂ + eps. The "
                      "correction of v comes before."),
        (FIVE, OTHERS, "With betas=(0.6, 0.3) it is another one. Take both from group, and give each its own moment."),
        (TWO, GROUPS, "One of two parameters gets its first gradient later, and has settings of its own. What is "
                      "counted, is counted for each parameter: in state. What is set stands in group."),
    ):  # fmt: skip
        found, error = attempt(stepped, mine, rounds, groups)
        if error is not None:
            return step_stopped(error)
        if not near(found, stepped(Adam, rounds, groups)):
            return not_yet(f"after {len(rounds)} steps a parameter is {short(found)}, not "
                           f"{short(stepped(Adam, rounds, groups))}. {said}")  # fmt: skip
    return cut_in_two(mine) or done(
        "five steps, other betas, two groups: as ml.optim.Adam. A run that was cut in two and resumed is the whole "
        "one, bit for bit."
    )


def step_stopped(error: Exception) -> Verdict:
    """The step ended with an exception."""
    if isinstance(error, KeyError):
        return not_yet(f"your step asks for {error}, which is not there. At its first step the state of a parameter is "
                       "an empty dict: put zeros in. group has lr, betas and eps.")  # fmt: skip
    if isinstance(error, ZeroDivisionError):
        return not_yet("you divide by 1 − βᵗ with t = 0. The first step is number 1: count before you divide.")
    if isinstance(error, ShapeError):
        return not_yet(f"your step stops with ShapeError: {str(error).partition(chr(10))[0]:.90} Is something "
                       "remembered outside of state, from another parameter?")  # fmt: skip
    return stopped("your step", error)


def short(rows: Any) -> list[float]:
    """The numbers of all parameters in one list, in few digits."""
    return [round(v, 4) for row in rows for v in row]


def first_step(found: list[float]) -> str | None:
    """What the first step tells of the formula: gradients 100 and −0.01 both move by lr, which is 0.5."""
    up, down = found[0] - 1, found[1] - 1
    if near([up, down], [-0.5, 0.5]):
        return None
    if isnan(up):
        return "the result is no number. Did you divide by 1 − βᵗ with t = 0? The first step is number 1: count first."
    if isnan(down):
        return "a negative gradient makes it no number. v is the mean of the squares, which have a root."
    if up == down == 0:
        return (
            "the parameter is where it was. Write into it: parameter -= …, or parameter.sub_(…). An assignment, "
            "parameter = …, only gives your own variable another tensor."
        )
    if near([up, down], [0.5, -0.5]):
        return "it goes uphill: the step is subtracted."
    if isclose(up, -0.05 / 0.001**0.5, rel_tol=1e-3):
        return (
            "at the first step m is a tenth of the gradient and v a thousandth of its square, because both began at "
            "zero. Divide m by 1 − β₁ᵗ and v by 1 − β₂ᵗ."
        )
    if isclose(up, -0.05, rel_tol=1e-3) and isclose(down, 0.05, rel_tol=1e-3):
        return "v is corrected and m is not: m̂ = m / (1 − β₁ᵗ)."
    if isclose(up, -0.5 / 0.001**0.5, rel_tol=1e-3):
        return "m is corrected and v is not: v̂ = v / (1 − β₂ᵗ)."
    if abs(up) < 0.02 or abs(down) > 10:
        return "the step is divided by v̂. It is divided by its root."
    return (
        f"gradients of 100 and −0.01 move a parameter by {up:.4g} and {down:.4g}. At the first step m̂ is the gradient "
        "and √v̂ its size, so every entry moves by lr, here 0.5."
    )


def spoils(adam: Update) -> str | None:
    """What else the step has written to."""
    grad, parameter, state = tensor([3.0, -1.0]), tensor([1.0, 1.0]), dict[str, Any]()
    group: dict[str, Any] = {"lr": 0.5, "betas": (0.9, 0.999), "eps": 1e-8}
    before = plain(dict(group))
    for _ in range(2):
        adam(parameter, grad, state, group)
    if grad.tolist() != [3.0, -1.0]:
        return "your step writes into the gradient. Who looks at it afterwards finds something else."
    if not state and parameter.tolist() != [1.0, 1.0]:
        return "after two steps state is empty. Whatever comes over from one step to the next has its place in there."
    if plain(dict(group)) != before:
        return "your step changes group. That holds settings; what is remembered stands in state."
    return None


def cut_in_two(kind: Any) -> Verdict | None:
    """A whole run, and one that is saved and resumed by new objects."""
    rounds = [[[0.3 * k - 0.7], [1.0 / (k + 1)]] for k in range(6)]
    whole = stepped(kind, rounds, GROUPS)
    if stepped(kind, rounds, GROUPS) != whole:
        return not_yet(OUTSIDE)
    for stop in (1, 3):
        found, error = attempt(stepped, kind, rounds, GROUPS, stop)
        if error is not None:
            return step_stopped(error)
        if found != whole:
            return not_yet(f"saved after {stop} steps and resumed, the run ends at {short(found)}, and the whole one "
                           f"at {short(whole)}. Something that counts is not in state, so it is lost.")  # fmt: skip
    return None
