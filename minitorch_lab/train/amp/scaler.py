"""Loss scaling: gradients below 2^-24 are 0 in float16, so the loss is multiplied before the walk, and they after it.

P. Micikevicius and others, Mixed Precision Training, 2018, section 3.2. The scale is found by trying: an overflow skips
a step and halves it, and after many steps without one it doubles.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...autograd import no_grad
from ...core.array import float16, float32
from ...errors import ArgumentError, GradientError
from ...ops.front import taught
from ...ops.meant import describe_value
from ...optim import Optimizer
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor


class GradScaler:
    """Scales a loss so that its gradients fit into float16, and keeps a step from being taken with infinite ones.

    A round is `scaler.scale(loss).backward()`, `scaler.step(optimizer)`, `scaler.update()`. To look at gradients
    between, such as to clip them, call `scaler.unscale_(optimizer)` first. bfloat16 has the range of float32 and needs
    no scaler.

    Args:
        device: "cuda" or "cpu", as in PyTorch: the scale goes where the loss is, whatever is named.
        init_scale: The scale to begin with.
        growth_factor: The scale is multiplied by it after `growth_interval` rounds with finite gradients.
        backoff_factor: And by this one after a round with a gradient that is inf or NaN.
        growth_interval: How many finite rounds in a row it takes to grow.
        enabled: False makes every method do nothing, and `step` a plain step.

    Raises:
        ArgumentError: The growth factor is not above 1, the backoff factor not below, or the interval less than 1.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.tensor([1.0], requires_grad=True)
        >>> optimizer, scaler = ml.optim.SGD([w], lr=0.5), ml.amp.GradScaler("cpu", init_scale=8.0)
        >>> scaler.scale((w * 2).sum()).backward()
        >>> w.grad
        tensor([16.])
        >>> scaler.step(optimizer)
        >>> scaler.update()
        >>> w.detach(), scaler.get_scale()
        (tensor([0.]), 8.0)
    """

    @taught
    def __init__(
        self,
        device: str = "cuda",
        init_scale: float = 2.0**16,
        growth_factor: float = 2.0,
        backoff_factor: float = 0.5,
        growth_interval: int = 2000,
        enabled: bool = True,
    ) -> None:
        """Begin with the scale given."""
        self.device, self._enabled = device, enabled
        check("growth_factor", growth_factor, growth_factor > 1.0, "is above 1", 2.0)
        check("backoff_factor", backoff_factor, 0.0 < backoff_factor < 1.0, "lies between 0 and 1", 0.5)
        check("growth_interval", growth_interval, growth_interval >= 1, "is 1 round or more", 2000)
        self._scale = rounded(init_scale)
        self._growth_factor, self._backoff_factor = growth_factor, backoff_factor
        self._growth_interval, self._growth_tracker = growth_interval, 0
        self._used = False  # whether a loss was scaled yet
        self._found: dict[int, bool] = {}  # by the identity of an optimizer, since the last update: inf or NaN found?
        self._stepped: set[int] = set()

    # ---- a round ----------------------------------------------------------------------------------------------------
    def scale(self, outputs: Any) -> Any:
        """A loss times the scale; of a list, tuple or other iterable of losses, each of them.

        Raises:
            ArgumentError: It is no tensor.
        """
        if not self._enabled:
            return outputs
        self._used = True
        if isinstance(outputs, Tensor):
            return outputs * tensor(self._scale, dtype=float32, device=outputs.device)
        if isinstance(outputs, (list, tuple)):
            return type(outputs)(map(self.scale, outputs))  # pyright: ignore[reportUnknownVariableType]
        if isinstance(outputs, Iterable):
            return map(self.scale, outputs)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        raise ArgumentError(
            f"scale got {describe_value(outputs)}.",
            "It scales the loss: a tensor, or several in a list or tuple.",
            "Did you mean scaler.scale(loss).backward()?",
        )

    def unscale_(self, optimizer: Optimizer) -> None:
        """Divide the gradients of an optimizer's parameters by the scale, and look whether one is inf or NaN.

        Raises:
            GradientError: It was done in this round already, or no loss was scaled, or a gradient is float16.
        """
        if not self._enabled:
            return
        self.check_used("unscale_")
        if id(optimizer) in self._stepped:
            raise GradientError(
                "unscale_() is being called after step().",
                "A round is scale, unscale_, step, update: the gradients were used already.",
                "Did you mean to call it before scaler.step(optimizer)?",
            )
        if id(optimizer) in self._found:
            raise GradientError(
                "unscale_() has already been called on this optimizer since the last update().",
                "The gradients would be divided by the scale twice.",
                "Did you mean to call scaler.update() once at the end of each round?",
            )
        grads = [p.grad for group in optimizer.param_groups for p in group["params"] if p.grad is not None]
        if any(g.dtype == float16 for g in grads):
            raise GradientError(
                "unscale_() got a gradient of dtype float16.",
                "What is small there is lost before it is scaled: parameters and their gradients are float32.",
                'Did you mean ml.autocast("cuda", dtype=ml.float16) around a model of float32, not model.half()?',
            )
        if grads:
            self._found[id(optimizer)] = self.divide(grads)

    def divide(self, grads: list[Tensor]) -> bool:
        """Divide gradients by the scale, in place. Whether one of them is inf or NaN."""
        inverse, found = rounded(1.0 / self._scale), False
        with no_grad():
            for g in grads:
                found = found or not bool(g.isfinite().all())
                g.mul_(inverse)
        return found

    def step(self, optimizer: Optimizer, *args: Any, **kwargs: Any) -> Any:
        """`optimizer.step()` with gradients as they are without a scale; nothing, if one of them is inf or NaN.

        Raises:
            GradientError: There were two steps in a round, or no gradients at all.
            ArgumentError: A closure was given.
        """
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        if "closure" in kwargs or args:
            raise ArgumentError(
                "GradScaler.step got a closure.",
                "A closure computes losses anew, and none of them would be scaled.",
                "Did you mean scaler.step(optimizer)? LBFGS works without a scaler.",
            )
        self.check_used("step")
        if id(optimizer) in self._stepped:
            raise GradientError(
                "step() has already been called since the last update().",
                "A round has one step for each optimizer.",
                "Did you mean to call scaler.update() after it?",
            )
        if id(optimizer) not in self._found:
            self.unscale_(optimizer)
        if id(optimizer) not in self._found:
            raise GradientError(
                "No inf checks were recorded for this optimizer.",
                "None of its parameters has a gradient.",
                "Did you mean scaler.scale(loss).backward() before it?",
            )
        self._stepped.add(id(optimizer))
        return None if self._found[id(optimizer)] else optimizer.step()

    def update(self, new_scale: Any = None) -> None:
        """End the round: the scale shrinks if a gradient overflowed, and grows after enough rounds without.

        Args:
            new_scale: The scale from now on, instead.

        Raises:
            GradientError: No gradients were looked at in this round.
        """
        if not self._enabled:
            return
        self.check_used("update")
        if new_scale is not None:
            self._scale = rounded(float(new_scale))
        elif not self._found:
            raise GradientError(
                "No inf checks were recorded prior to update.",
                "Whether the scale was too large shows in the gradients of a step.",
                "Did you mean scaler.step(optimizer) before scaler.update()?",
            )
        elif any(self._found.values()):
            self._scale, self._growth_tracker = rounded(self._scale * self._backoff_factor), 0
        else:
            self._growth_tracker += 1
            if self._growth_tracker == self._growth_interval:
                grown = rounded(self._scale * self._growth_factor)
                self._scale, self._growth_tracker = grown if grown < float("inf") else self._scale, 0
        self._found, self._stepped = {}, set()

    def check_used(self, name: str) -> None:
        """Refuse to go on before a loss was scaled.

        Raises:
            GradientError: None was.
        """
        if not self._used:
            raise GradientError(
                f"{name}() before any loss was scaled.",
                "The gradients are those of a loss times the scale.",
                "Did you mean scaler.scale(loss).backward(), in place of loss.backward()?",
            )

    # ---- what it knows ----------------------------------------------------------------------------------------------
    def get_scale(self) -> float:
        """The scale in force; 1 if the scaler is not enabled."""
        return self._scale if self._enabled else 1.0

    def get_growth_factor(self) -> float:
        """By what the scale is multiplied when it grows."""
        return self._growth_factor

    def set_growth_factor(self, new_factor: float) -> None:
        """Set it."""
        check("growth_factor", new_factor, new_factor > 1.0, "is above 1", 2.0)
        self._growth_factor = new_factor

    def get_backoff_factor(self) -> float:
        """By what the scale is multiplied after an overflow."""
        return self._backoff_factor

    def set_backoff_factor(self, new_factor: float) -> None:
        """Set it."""
        check("backoff_factor", new_factor, 0.0 < new_factor < 1.0, "lies between 0 and 1", 0.5)
        self._backoff_factor = new_factor

    def get_growth_interval(self) -> int:
        """How many finite rounds in a row it takes to grow."""
        return self._growth_interval

    def set_growth_interval(self, new_interval: int) -> None:
        """Set it."""
        check("growth_interval", new_interval, new_interval >= 1, "is 1 round or more", 2000)
        self._growth_interval = new_interval

    def is_enabled(self) -> bool:
        """Whether it scales at all."""
        return self._enabled

    def state_dict(self) -> dict[str, Any]:
        """What a checkpoint must hold to go on; empty if it is not enabled."""
        if not self._enabled:
            return {}
        return {
            "scale": self.get_scale(),
            "growth_factor": self._growth_factor,
            "backoff_factor": self._backoff_factor,
            "growth_interval": self._growth_interval,
            "_growth_tracker": self._growth_tracker,
        }

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from there.

        Raises:
            ArgumentError: It is empty, or lacks something: a scaler that was not enabled has nothing to tell.
        """
        if not self._enabled:
            return
        names = set(GradScaler(self.device).state_dict())
        if missing := sorted(names - set(state_dict)):
            raise ArgumentError(
                f"GradScaler.load_state_dict got a state without {', '.join(missing)}.",
                "It is what state_dict() gave of a scaler with enabled=True.",
                "Did you mean GradScaler(enabled=False) here too?"
                if not state_dict
                else "Give it a whole state_dict().",
            )
        self._scale = rounded(state_dict["scale"])
        self._growth_factor, self._backoff_factor = state_dict["growth_factor"], state_dict["backoff_factor"]
        self._growth_interval, self._growth_tracker = state_dict["growth_interval"], state_dict["_growth_tracker"]


def rounded(scale: float) -> float:
    """A scale as float32 holds it: as the loss is multiplied."""
    return tensor(scale, dtype=float32).item()


def check(name: str, value: Any, fits: bool, rule: str, nearest: Any) -> None:
    """Refuse a setting that has no meaning.

    Raises:
        ArgumentError: It does not fit.
    """
    if not fits:
        raise ArgumentError(f"GradScaler got {name}={value!r}.", f"It {rule}.", f"Did you mean {name}={nearest}?")
