"""L-BFGS: steps by the curvature that the last gradients show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd import enable_grad, no_grad
from ..errors import ArgumentError
from ..ops.front import taught
from ..ops.join import cat
from ..tensors.factories import zeros_like
from ..tensors.tensor import Tensor
from .line_search import Point, strong_wolfe
from .optimizer import Group, Optimizer, Parameters


class LBFGS(Optimizer):
    """Limited-memory BFGS (J. Nocedal, Updating Quasi-Newton Matrices with Limited Storage, 1980, two-loop recursion).

    One `step(closure)` takes up to `max_iter` steps; the closure clears the gradients, computes the loss, walks back
    and returns it. All parameters are one group.

    Args:
        params: Leaf tensors.
        lr: The length of a step along its direction, not negative.
        max_iter: Steps in one call.
        max_eval: Calls of the closure in one call; 1.25 times `max_iter` if left out.
        tolerance_grad: Stop where no entry of the gradient is larger.
        tolerance_change: Stop where no entry moves by more, or the loss by less.
        history_size: How many pairs of steps and changes of the gradient are kept.
        line_search_fn: "strong_wolfe" searches for the length of each step, and `lr` is where the search begins.

    Raises:
        ArgumentError: A setting is out of range, there is more than one group, or `step` got no closure.
        GradientError: A parameter is not a leaf.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([3.0, -2.0], requires_grad=True)
        >>> optimizer = ml.optim.LBFGS([w], lr=0.5)
        >>> def closure():
        ...     optimizer.zero_grad()
        ...     loss = (w * w * ml.tensor([1.0, 10.0])).sum()
        ...     loss.backward()
        ...     return loss
        >>> first = optimizer.step(closure)
        >>> closure().item() < 1e-6
        True
    """

    @taught
    def __init__(
        self,
        params: Parameters,
        lr: float = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ) -> None:
        """Check the settings and take over the parameters."""
        if line_search_fn not in (None, "strong_wolfe"):
            raise ArgumentError(
                f"LBFGS got line_search_fn={line_search_fn!r}.",
                "It takes steps of length lr, or searches along the line.",
                'Did you mean line_search_fn="strong_wolfe"?',
            )
        settings = {
            "lr": lr,
            "max_iter": max_iter,
            "max_eval": max_iter * 5 // 4 if max_eval is None else max_eval,
            "tolerance_grad": tolerance_grad,
            "tolerance_change": tolerance_change,
            "history_size": history_size,
            "line_search_fn": line_search_fn,
        }
        super().__init__(params, settings)
        if len(self.param_groups) > 1:
            raise ArgumentError(
                f"LBFGS got {len(self.param_groups)} groups.", "It moves all parameters together.", "Give one list."
            )

    def gradient(self) -> Tensor:
        """All gradients as one vector; zeros where there is none."""
        parts = [zeros_like(p) if p.grad is None else p.grad for p in self.param_groups[0]["params"]]
        return cat([part.detach().reshape(-1) for part in parts])

    def move(self, direction: Tensor, length: float) -> None:
        """Go along a direction."""
        start = 0
        for p in self.param_groups[0]["params"]:
            p.add_(direction[start : start + p.numel()].reshape(p.shape), alpha=length)
            start += p.numel()

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Take up to `max_iter` steps.

        Returns:
            What `closure` returned first.

        Raises:
            ArgumentError: There is no closure.
        """
        if closure is None:
            raise ArgumentError(
                "LBFGS.step got no closure.",
                "It computes the loss several times in one step.",
                "Write optimizer.step(closure), where closure clears the gradients, walks back and returns the loss.",
            )
        group = self.param_groups[0]
        state = self.state[group["params"][0]]
        with no_grad():
            with enable_grad():
                first = closure()
            self.run(state, group, closure, first.item())
        return first

    def run(self, state: dict[str, Any], group: Group, closure: Callable[[], Any], loss: float) -> None:
        """The steps of one call, from the gradients and the loss that are there."""
        grad, calls = self.gradient(), 1
        if grad.abs().max().item() <= group["tolerance_grad"]:
            return
        for n in range(1, group["max_iter"] + 1):
            direction = self.direction(state, group, grad)
            fresh = state["steps"] == 1
            length = min(1.0, 1.0 / grad.abs().sum().item()) * group["lr"] if fresh else group["lr"]
            slope = (grad * direction).sum().item()
            if slope > -group["tolerance_change"]:
                return
            point, most = Point(0.0, loss, slope, grad), group["max_eval"] - calls
            if group["line_search_fn"]:
                point, asked = self.searched(closure, point, direction, length, most, group["tolerance_change"])
                length, calls = point.at, calls + asked
            state.update(grad=grad, direction=direction, length=length)
            self.move(direction, length)
            if n == group["max_iter"]:
                return
            if not group["line_search_fn"]:
                point, calls = self.valued(closure, direction, length), calls + 1
            new, grad = point.loss, point.grad
            still = (direction * length).abs().max().item() <= group["tolerance_change"]
            flat = abs(new - loss) < group["tolerance_change"]
            if calls >= group["max_eval"] or grad.abs().max().item() <= group["tolerance_grad"] or still or flat:
                return
            loss = new

    def valued(self, closure: Callable[[], Any], direction: Tensor, at: float) -> Point:
        """The loss and the gradient where the parameters are: `at` along a direction."""
        with enable_grad():
            loss = closure().item()
        grad = self.gradient()
        return Point(at, loss, (grad * direction).sum().item(), grad)

    def searched(
        self, closure: Callable[[], Any], start: Point, direction: Tensor, length: float, most: int, narrow: float
    ) -> tuple[Point, int]:
        """How far to go, and how many calls of the closure it took. The parameters stay where they were."""
        parameters = self.param_groups[0]["params"]
        before = [p.clone() for p in parameters]

        def at(length: float) -> Point:
            self.move(direction, length)
            point = self.valued(closure, direction, length)
            for p, old in zip(parameters, before, strict=True):
                p.copy_(old)
            return point

        return strong_wolfe(at, start, length, most, narrow / direction.abs().max().item())

    def direction(self, state: dict[str, Any], group: Group, grad: Tensor) -> Tensor:
        """Downhill, by the curvature that the pairs show: minus the inverse Hessian times the gradient."""
        if not state:
            state.update(steps=0, pairs=[], scale=1.0)
        else:
            change, moved = grad - state["grad"], state["direction"] * state["length"]
            product = (change * moved).sum().item()
            if product > 1e-10:
                state["pairs"] = [*state["pairs"], (moved, change, 1.0 / product)][-group["history_size"] :]
                state["scale"] = product / (change * change).sum().item()
        state["steps"] += 1
        q, shares = -grad, []
        for moved, change, inverse in reversed(state["pairs"]):
            shares.append((moved * q).sum() * inverse)
            q = q - change * shares[-1]
        q = q * state["scale"]
        for (moved, change, inverse), share in zip(state["pairs"], reversed(shares), strict=True):
            q = q + moved * (share - (change * q).sum() * inverse)
        return q
