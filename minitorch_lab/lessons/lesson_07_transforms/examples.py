"""The checks of lesson 07 about many examples at once and about a step of training written as a function."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import log
from typing import Any

from ...costmodel import count_flops
from ...errors import GradientError
from ...func import grad, vmap
from ...func.trees import flatten
from ...ops import FUNCTIONS
from ...tensors.factories import eye, tensor
from ...tensors.tensor import Tensor
from ..mentioned import line_of
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

softmax: Callable[..., Any] = FUNCTIONS["softmax"]


def tree_map(fn: Callable[..., Any], *trees: Any) -> Any:
    """`fn` applied leaf by leaf: to one nested structure, or to the leaves of several that are built alike.

    Example:
        >>> tree_map(lambda a, b: a + b, {"b": (2, 3), "w": 1}, {"b": (20, 30), "w": 10})
        {'b': (22, 33), 'w': 11}
    """
    build = flatten(trees[0])[1]
    return build([fn(*leaves) for leaves in zip(*(flatten(tree)[0] for tree in trees), strict=True)])


def near(a: Any, b: Any, tolerance: float = 1e-5) -> bool:
    """Whether two tensors are equal to rounding."""
    return isinstance(a, Tensor) and tuple(a.shape) == tuple(b.shape) and bool(((a - b).abs() <= tolerance).all())


# ---- softmax and cross-entropy: p − y -------------------------------------------------------------------------------

SCORES = tensor([[2.0, 0.0, -1.0], [0.5, 1.5, 0.0], [-1.0, 0.0, 3.0], [0.0, 0.0, 0.0]])
LABELS = tensor([0, 2, 2, 1])
HUGE = tensor([[1000.0, 0.0, -1000.0]])


@answering
def check_loss(loss: Callable[[Any, Any], Any]) -> Verdict:
    """Check `loss(scores, label)` of one example by its gradients for a batch."""
    per_example = vmap(grad(loss))
    made, error = attempt(per_example, SCORES, LABELS)
    if error is not None:
        return loss_stopped(error)
    p: Any = softmax(SCORES, dim=1)
    y: Any = eye(3)[LABELS]
    if near(made, p - y):
        return steady(per_example, loss)
    if near(made, -y):
        return unwritten("the loss pulls the right score up by 1, and no other score down. It could grow for ever.")
    right = (p * y).sum(dim=1, keepdim=True)
    thoughts = [
        (p, "these are the p alone: log-sum-exp is there, and the score of the label is not. Subtract it."),
        (y - p, "the sign is turned: this loss grows when the answer gets better. It is log-sum-exp minus the score."),
        (right * (p - y), "you took minus the probability. Cross-entropy is minus its *logarithm*."),
        (right * (y - p), "this is the probability itself, which should grow. The loss is minus its *logarithm*."),
        (
            (p - y) * (1 / 3),
            "you took the mean over the classes. An example has one term: that of its label.",
        ),
        ((p - y) * (1 / log(2.0)), "right, in bits. The logarithm of a loss is the natural one, here and elsewhere."),
        (p * 0.0, "your loss does not depend on the scores."),
    ]
    for wrong, said in thoughts:
        if near(made, wrong):
            return not_yet(said)
    got = [round(v, 3) for v in made[0].tolist()]
    want = [round(v, 3) for v in (p - y)[0].tolist()]
    return not_yet(f"for the scores {SCORES[0].tolist()} and the label 0 the gradient is {got}. It should be {want}.")


def loss_stopped(error: Exception) -> Verdict:
    """The reader's loss ended with an exception."""
    text = str(error)
    if isinstance(error, GradientError) and "grad of a function whose result is" in text:
        return not_yet("your loss is no single number. One example has one loss: pick the term of its label.")
    if "inside vmap" in text:
        line = line_of(error)
        where = f", in `{line}`" if line else ""
        return not_yet(f"you asked for a Python number, or decided by one{where}. All examples run the same lines: "
                       f"{in_tensors(line)}")  # fmt: skip
    if "dim" in text or "axis" in text:
        return not_yet("you counted the axis of the batch. Inside, there is one example, and its scores have one axis.")
    return stopped("your loss", error)


def in_tensors(line: str) -> str:
    """How a line is written with tensors that asks for a number."""
    if "math." in line:
        return "ml.exp and ml.log take tensors, and those of math take numbers."
    if re.search(r"(?<![.\w])(max|min|sum|sorted)\(", line):
        return "scores.max() and scores.sum() are tensors; Python's max compares numbers, one by one."
    return "stay with tensors, and write scores[label], scores.max(), ml.exp."


def steady(per_example: Callable[..., Any], loss: Callable[[Any, Any], Any]) -> Verdict:
    """The gradients are right; is the loss, and are they for large scores?"""
    values, p = [float(loss(s, k)) for s, k in zip(SCORES, LABELS, strict=True)], softmax(SCORES, dim=1)
    wanted = [-log(p[k, label].item()) for k, label in enumerate(LABELS.tolist())]
    if not near(tensor(values), tensor(wanted)):
        return not_yet(
            f"the gradients are right, and the loss is {values[0]:.4g} where it should be {wanted[0]:.4g}: something "
            "is added that does not move. A loss of 0 means that the right answer is certain."
        )
    made = per_example(HUGE, tensor([0]))
    with count_flops() as ran:
        loss(SCORES[0], LABELS[0])
    if ran.calls.get("cross_entropy"):
        return not_yet("the engine's cross_entropy has done it for you, and that is what you are to write here: the "
                       "logarithm of the sum of ml.exp, minus the score of the label.")  # fmt: skip
    if not near(made, tensor([[0.0, 0.0, 0.0]])):
        return not_yet(
            f"right, but for the scores [1000, 0, −1000] you get {made[0].tolist()}: exp(1000) is no number. Subtract "
            "the largest score first; the loss stays the same."
        )
    return done("p − y, for every example of the batch, and you wrote it for one. Large scores are no trouble.")


# ---- a step as a function -------------------------------------------------------------------------------------------


def nested(*numbers: float) -> dict[str, Any]:
    """Parameters in a dict of dicts."""
    a, b, c = (tensor([x]) for x in numbers)
    return {"hidden": {"bias": a, "weight": b}, "out": c}


Step = Callable[[Any, Any, Any], Any]
W, G, LR = (1.0, 2.0, -3.0), (0.5, -1.0, 4.0), 0.1


@answering
def check_step(step: Step) -> Verdict:
    """Check `step(params, grads, lr)`: new parameters, and the old ones as they were."""
    params, grads = nested(*W), nested(*G)
    made, error = attempt(step, params, grads, LR)
    if error is not None:
        return step_stopped(error)
    if made is params and flatten(params)[0][0].item() == W[0]:
        return unwritten("step still returns the parameters that it was given.")
    if made is None:
        return not_yet("step returns nothing. A function that changes nothing has to return what is new.")
    if not isinstance(made, dict):
        return not_yet(f"step returns {described(made)}. It returns the new parameters, in dicts like the old ones.")
    if flatten(params)[0][0].item() != W[0]:
        return not_yet("the old parameters have changed. Whoever still holds them is surprised; and a transform, which "
                       "may run step many times, is wrong. Make new tensors: w − lr · g.")  # fmt: skip
    if set(made) != set(params):
        return not_yet("the new parameters are not built like the old ones: keys 'hidden' and 'out', nested alike.")
    if odd := [x for x in flatten(made)[0] if not isinstance(x, Tensor) or x.numel() != 1]:
        return not_yet(f"among the new parameters is {described(odd[0])}, where a tensor of one number was.")
    leaves, error = attempt(lambda: [x.item() for x in flatten(made)[0]])
    if error is not None or leaves is None or len(leaves) != 3:
        return not_yet("the new parameters are not nested like the old ones. tree_map keeps the form for you.")
    return not_yet(said) if (said := step_flaw(leaves)) else tuned(step, params, grads)


def step_stopped(error: Exception) -> Verdict:
    """The reader's step ended with an exception."""
    if isinstance(error, TypeError | AttributeError) and "dict" in str(error):
        return not_yet("you computed with a dict. It holds dicts, and those the tensors: go down to the leaves, as "
                       "lesson.tree_map does.")  # fmt: skip
    return stopped("step", error)


def step_flaw(leaves: list[float]) -> str | None:
    """The thought that leads to these new parameters; None where they are right."""

    def close(wanted: list[float]) -> bool:
        return all(abs(a - b) < 1e-5 for a, b in zip(leaves, wanted, strict=True))

    pairs, lr = list(zip(W, G, strict=True)), LR
    thoughts = [
        ([a + lr * b for a, b in pairs], "you walk uphill: the gradient points where the loss grows. Subtract."),
        ([a - b for a, b in pairs], "lr is missing: the step is as long as the gradient."),
        ([lr * b for _, b in pairs], "this is the step itself. Subtract it from the old parameters."),
        ([-lr * b for _, b in pairs], "this is the step itself. Add it to the old parameters."),
        ([b for _, b in pairs], "these are the gradients."),
        ([a * (1 - lr) for a, _ in pairs], "every parameter shrinks, whatever its gradient: grads is not in it."),
        (list(W), "nothing has moved: step returns the parameters that it was given."),
    ]
    if close([a - lr * b for a, b in pairs]):
        return None
    known = next((said for wanted, said in thoughts if close(wanted)), None)
    return known or f"from {list(W)}, gradients {list(G)} and lr 0.1 came {leaves}. It is w − lr · g for each leaf."


def tuned(step: Step, params: Any, grads: Any) -> Verdict:
    """A right step, differentiated by its learning rate."""

    def after(lr: Any) -> Any:
        return sum((x * x).sum() for x in flatten(step(params, grads, lr))[0])

    slope, error = attempt(grad(after), tensor(LR))
    right = sum(-2 * g * (w - LR * g) for w, g in zip(W, G, strict=True))
    if error is not None or not abs(slope.item() - right) <= 1e-3:
        return not_yet("right, but the way from lr to the result is cut: .detach(), no_grad() or float(lr) does "
                       "that. lr has to stay a tensor, and the step on the tape: then one can ask how the next "
                       "loss depends on it.")  # fmt: skip
    return done("the old parameters stay, and step itself can be differentiated: by the parameters, and by lr.")
