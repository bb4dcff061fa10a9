"""Optimizer: parameters in groups, a state for each, and one step over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, TypeAlias

from ..autograd import no_grad
from ..errors import ArgumentError, GradientError
from ..ops.front import taught
from ..tensor import Tensor
from .state import Group, check_fit, restored, state_of

Parameters: TypeAlias = Iterable[Tensor] | Iterable[Mapping[str, Any]]


class Optimizer:
    """The base of all optimizers. A subclass says in `update` what one step does to one parameter.

    Args:
        params: Leaf tensors, such as `model.parameters()`; or groups, each a dict with "params" and its own settings.
        defaults: The settings of groups that do not name their own.

    Attributes:
        param_groups: One dict per group: its parameters under "params", and its settings, which may be changed.
        state: What the optimizer remembers of each parameter, such as its momentum.

    Raises:
        ArgumentError: There are no parameters, one is no tensor or is given twice, or a setting has no meaning.
        GradientError: A parameter is not a leaf: it was computed, so a new value for it would be lost.

    Example:
        >>> import minitorch_lab as ml
        >>> class SignDescent(ml.optim.Optimizer):
        ...     def update(self, parameter, grad, state, group):
        ...         parameter.sub_(group["lr"] * (grad / grad.abs()))
        >>> w = ml.tensor([1.0, 1.0], requires_grad=True)
        >>> (w * ml.tensor([3.0, -5.0])).sum().backward()
        >>> SignDescent([w], {"lr": 0.5}).step()
        >>> w.tolist()
        [0.5, 1.5]
    """

    @taught
    def __init__(self, params: Parameters, defaults: Mapping[str, Any]) -> None:
        """Sort the parameters into groups and check them."""
        self.defaults = dict(defaults)
        self.param_groups: list[Group] = []
        self.state: dict[Tensor, dict[str, Any]] = {}
        for group in as_groups(type(self).__name__, params):
            self.add_param_group(group)

    def add_param_group(self, group: Mapping[str, Any]) -> None:
        """Train more parameters, with settings of their own: `{"params": [...], "lr": 0.01}`."""
        owner = type(self).__name__
        if "params" not in group:
            raise ArgumentError(
                f'{owner} got a group with no "params".',
                "A group names its parameters.",
                'Did you mean {"params": [...], "lr": 0.1}?',
            )
        unknown = [key for key in group if key != "params" and key not in self.defaults]
        if unknown:
            raise ArgumentError(
                f"{owner} got a group with the setting {unknown[0]!r}.",
                f"Its settings are {', '.join(self.defaults)}.",
                "Check the spelling.",
            )
        new: Group = {**self.defaults, **group, "params": tensors_in(owner, group["params"])}
        taken = {id(p) for old in self.param_groups for p in old["params"]}
        for parameter in new["params"]:
            check_trainable(owner, parameter)
            if id(parameter) in taken:
                raise ArgumentError(
                    f"{owner} got the same parameter twice.",
                    "Each parameter is updated once per step.",
                    "Give it in one group only.",
                )
            taken.add(id(parameter))
        self.check(new)
        self.param_groups.append(new)

    def check(self, group: Group) -> None:
        """Raise ArgumentError if a setting of `group` has no meaning."""
        at_least_zero(type(self).__name__, group, "lr")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget all gradients, or set them to zero where they are: `backward()` adds to what is there."""
        for group in self.param_groups:
            for parameter in group["params"]:
                if set_to_none:
                    parameter.grad = None
                elif parameter.grad is not None:
                    parameter.grad.detach().zero_()

    def step(self) -> None:
        """Update every parameter that has a gradient, in place. Gradients are left as they are.

        What `update` puts into the state of a parameter is kept; where it puts nothing, nothing is.
        """
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    grad = parameter.grad
                    if grad is None:
                        continue
                    known = self.state.get(parameter)
                    state: dict[str, Any] = {} if known is None else known
                    self.update(parameter, grad, state, group)
                    if known is None and state:
                        self.state[parameter] = state

    def update(self, parameter: Tensor, grad: Tensor, state: dict[str, Any], group: Group) -> None:
        """Change `parameter` in place, given its gradient, what is remembered of it, and its group's settings."""
        owner = type(self).__name__
        raise ArgumentError(
            f"{owner} has no update.",
            "step() calls update for each parameter that has a gradient.",
            f"Write def update(self, parameter, grad, state, group): ... in class {owner}.",
        )

    def state_dict(self) -> dict[str, Any]:
        """What is remembered, under "state" by the parameter's number, and the settings, under "param_groups".

        Tensors share memory with the optimizer's own. `ml.save` writes the whole to a file.

        Example:
            >>> import minitorch_lab as ml
            >>> ml.optim.SGD([ml.zeros(2, requires_grad=True)], lr=0.5).state_dict()["param_groups"][0]["params"]
            [0]
        """
        return state_of(self.param_groups, self.state)

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a saved state: settings and memory are taken over, tensors are copied.

        Raises:
            ArgumentError: The state is of other groups or parameters. Nothing is taken over then.
        """
        check_fit(type(self).__name__, self.param_groups, state_dict)
        self.state = restored(self.param_groups, state_dict)

    def __repr__(self) -> str:
        """The settings of each group."""
        groups = [", ".join(f"{k}={v}" for k, v in group.items() if k != "params") for group in self.param_groups]
        return f"{type(self).__name__}({'; '.join(groups)})"


def as_groups(owner: str, params: Parameters) -> list[Mapping[str, Any]]:
    """`params` as a list of groups; bare tensors are one group."""
    if isinstance(params, Tensor):
        raise ArgumentError(
            f"{owner} got one tensor.",
            "It takes an iterable of parameters.",
            f"Did you mean {owner}([parameter], ...)?",
        )
    given = list(params)
    if not given:
        raise ArgumentError(
            f"{owner} got no parameters.",
            "An optimizer needs at least one tensor to train.",
            "Did you mean model.parameters()? A generator is empty after its first use.",
        )
    return [g for g in given if isinstance(g, Mapping)] if isinstance(given[0], Mapping) else [{"params": given}]


def tensors_in(owner: str, params: Any) -> list[Tensor]:
    """The parameters of a group as a list."""
    if isinstance(params, Tensor):
        return [params]
    found = list(params)
    for parameter in found:
        if not isinstance(parameter, Tensor):
            raise ArgumentError(
                f"{owner} got a {type(parameter).__name__} among its parameters.",
                "Parameters are tensors.",
                "Did you mean model.parameters() instead of model.named_parameters() or the model itself?",
            )
    return found


def check_trainable(owner: str, parameter: Tensor) -> None:
    """Raise GradientError unless `parameter` is a leaf."""
    if not parameter.is_leaf:
        raise GradientError(
            f"{owner} got a tensor that was computed (grad_fn={parameter.grad_fn!r}).",
            "An optimizer trains leaves: tensors that nothing else determines.",
            "Did you mean x.detach().requires_grad_()? It starts a new leaf from the value.",
        )


def at_least_zero(owner: str, group: Group, *names: str) -> None:
    """Raise ArgumentError if one of the settings `names` of `group` is negative or no number."""
    for name in names:
        value = group[name]
        if not isinstance(value, Real) or not float(value) >= 0:
            raise ArgumentError(
                f"{owner} got {name}={value!r}.",
                f"{name} is a number that is not negative.",
                "A step already goes downhill: write lr=0.01, not lr=-0.01."
                if name == "lr"
                else f"Did you mean {name}=0.0?",
            )
