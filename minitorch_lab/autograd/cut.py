"""What is told of a walk that has no way to go: what cut the history of a tensor, where that can be seen."""

from __future__ import annotations

from ..core.array import is_float
from ..core.interpret import grad_mode
from ..errors import GradientError
from ..tensors.tensor import Tensor, tracked
from .node import Node

CUTS = "detach(), .data, .item(), numpy(), ml.tensor(loss), no_grad(), argmax, a comparison or .long()"

SCALARS = {  # what to call where the start is no single number
    "backward()": "x.sum().backward(), or x.backward(ml.ones_like(x))",
    "autograd.grad": "autograd.grad(y.sum(), x), or grad_outputs=ml.ones_like(y)",
    "autograd.backward": "autograd.backward(y.sum()), or grad_tensors=ml.ones_like(y)",
}


def start(root: Tensor, what: str) -> Node:
    """The node at which a walk from `root` starts.

    Raises:
        GradientError: There is none. `what` was called.
    """
    node = tracked(root)
    if node is not None:
        return node
    if not is_float(root.dtype):
        raise GradientError(
            f"{what} from a tensor of dtype {root.dtype}, which depends on nothing that requires a gradient.",
            "Whole numbers and truth values change in jumps, so argmax, x > 0 and x.long() end the way of a gradient.",
            "Did you mean a smooth stand-in: softmax for argmax, sigmoid for x > 0, x itself for x.long()?",
        )
    if not grad_mode.get():
        raise GradientError(
            f"{what} from a tensor that depends on nothing that requires a gradient, as far as was recorded.",
            "Inside no_grad() no op is recorded, so there is no way back through it.",
            "Did you mean to compute the loss outside no_grad(), or with ml.enable_grad()?",
        )
    raise GradientError(
        f"{what} from a tensor that depends on nothing that requires a gradient.",
        "A gradient needs a leaf to arrive at, and every op on the way to it recorded.",
        f"Did you mean ml.tensor(..., requires_grad=True)? Or, if a leaf has it, did something cut the way: {CUTS}?",
    )


def target(x: Tensor, place: int) -> Node:
    """Where the gradient of input number `place` arrives.

    Raises:
        GradientError: It requires none.
    """
    node = tracked(x)
    if node is None:
        raise GradientError(
            f"autograd.grad got input {place}, which requires no gradient.",
            "The gradient is by tensors that required one while the outputs were computed from them.",
            "Did you mean x.requires_grad_() before the outputs are computed?",
        )
    return node
