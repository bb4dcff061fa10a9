"""Optimizer: parameters in groups, a state for each, and one step over all of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias
from warnings import warn

from ..autograd import enable_grad, no_grad
from ..errors import ArgumentError, GradientError
from ..ops.absent import unknown
from ..ops.front import taught
from ..ops.meant import describe_value, shown
from ..tensors.tensor import Tensor
from .options import unusual
from .state import Group, check_fit, restored, state_of

Parameters: TypeAlias = Iterable[Tensor] | Iterable[Mapping[str, Any]]


class Optimizer:
    """The base of all optimizers. A subclass says in `update` what one step does to one parameter.

    Args:
        params: Leaf tensors, such as `model.parameters()`; or groups, each a dict with "params" and its own settings.
        defaults: The settings of groups that do not name their own.

    Attributes:
        param_groups: One dict per group: its parameters under "params", and its settings, which may be changed.
        state: What is remembered of each parameter, such as its momentum: a dict, made when it is first asked for.

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

    kernels: ClassVar[tuple[str, ...]] = ("capturable",)  # PyTorch's choices of a kernel that it has, beside `foreach`

    @taught
    def __init__(self, params: Parameters, defaults: Mapping[str, Any]) -> None:
        """Sort the parameters into groups and check them."""
        self.defaults = dict(defaults)
        self.param_groups: list[Group] = []
        self.state: defaultdict[Tensor, dict[str, Any]] = defaultdict(dict)
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
        unknown = [key for key in group if key not in ("params", "maximize") and key not in self.defaults]
        if unknown:
            raise ArgumentError(
                f"{owner} got a group with the setting {unknown[0]!r}.",
                f"Its settings are {', '.join(unusual(self.defaults))}.",
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

    def step(self, closure: Callable[[], Any] | None = None) -> Any:
        """Update every parameter that has a gradient, in place. Gradients are left as they are.

        What `update` puts into the state of a parameter is kept; where it puts nothing, nothing is.

        Args:
            closure: Called first: it computes the loss anew, walks back from it and returns it.

        Returns:
            What `closure` returned, or None.
        """
        loss = None
        if closure is not None:
            check_closure(type(self).__name__, closure)
            with enable_grad():
                loss = closure()
        with no_grad():
            for group in self.param_groups:
                for parameter in group["params"]:
                    grad = parameter.grad
                    if grad is None:
                        continue
                    if group.get("maximize"):
                        grad = -grad
                    known = self.state.get(parameter)
                    state: dict[str, Any] = {} if known is None else known
                    self.update(parameter, grad, state, group)
                    if known is None and state:
                        self.state[parameter] = state
        return loss

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

    @taught
    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from a saved state: settings and memory are taken over, tensors are copied.

        Raises:
            ArgumentError: The state is of other groups or parameters. Nothing is taken over then.
        """
        check_fit(type(self).__name__, self.param_groups, state_dict)
        self.state = restored(self.param_groups, state_dict)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Say what was probably meant by an attribute that is not there."""
            raise unknown(type(self).__name__, "optimizer", name, partial(dir, type(self)))

    def __repr__(self) -> str:
        """The settings of each group."""
        groups = [", ".join(f"{k}={v}" for k, v in unusual(group).items()) for group in self.param_groups]
        return f"{type(self).__name__}({'; '.join(groups)})"


def as_groups(owner: str, params: Parameters) -> list[Mapping[str, Any]]:
    """`params` as a list of groups; bare tensors are one group."""
    if isinstance(params, Tensor):
        raise ArgumentError(
            f"{owner} got one tensor.",
            "It takes an iterable of parameters.",
            f"Did you mean {owner}([parameter], ...)?",
        )
    model = whose(params)
    unseen = plain_lists(model)
    given = list(params)
    if not given:
        raise nothing_to_train(owner, model, unseen)
    if unseen:
        warn(f"{owner} does not train all layers.\n  {unseen}\n  Did you mean nn.ModuleList(layers)?", stacklevel=5)
    return [g for g in given if isinstance(g, Mapping)] if isinstance(given[0], Mapping) else [{"params": given}]


def whose(params: Any) -> Any:
    """The model whose `parameters()` these are; None of a list, or of a generator that was read to its end."""
    frame = getattr(params, "gi_frame", None)
    return None if frame is None else frame.f_locals.get("self")


def nothing_to_train(owner: str, model: Any, unseen: str) -> ArgumentError:
    """The error of an optimizer without parameters: the layers or tensors that its model keeps where nobody looks."""
    hint = "Did you mean model.parameters(), of a model that has some? Call it anew: it can be read once."
    if unseen:
        hint = f"{unseen} Did you mean nn.ModuleList(layers), or nn.ModuleDict?"
    elif hasattr(model, "modules"):
        loose = next(loose_tensors(model), "")
        hint = f"{loose} Did you mean nn.Parameter(tensor)?" if loose else hint
    return ArgumentError(f"{owner} got no parameters.", "An optimizer needs at least one tensor to train.", hint)


def loose_tensors(model: Any) -> Iterator[str]:
    """The tensors with a gradient that are attributes of a model's modules, and no parameters; each as a sentence."""
    for module in model.modules():
        for name, value in vars(module).items():
            if isinstance(value, Tensor) and value.requires_grad:
                yield f"{type(module).__name__}.{name} is a plain tensor; a module counts only Parameters."


def plain_lists(model: Any) -> str:
    """Which layers `model.parameters()` does not find, as they stand in a plain list or dict; "" if there are none."""
    for module in model.modules() if hasattr(model, "modules") else ():
        for name, value in vars(module).items():
            if not name.startswith("_") and isinstance(value, (list, tuple, dict)):
                parts: Any = value.values() if isinstance(value, dict) else value
                if any(map(has_parameters, parts)):
                    kind = type(value).__name__
                    return f"{type(module).__name__}.{name} is a plain {kind}, in which no module looks for layers."
    return ""


def has_parameters(part: Any) -> bool:
    """Whether it is a module with something to train."""
    return hasattr(part, "named_parameters") and next(part.parameters(), None) is not None


def tensors_in(owner: str, params: Any) -> list[Tensor]:
    """The parameters of a group as a list."""
    if isinstance(params, Tensor):
        return [params]
    found = list(params)
    for parameter in found:
        if not isinstance(parameter, Tensor):
            raise ArgumentError(
                f"{owner} got {describe_value(parameter)} among its parameters.",
                "Parameters are tensors.",
                "Did you mean model.parameters() instead of model.named_parameters() or the model itself?",
            )
    return found


def check_closure(owner: str, closure: Any) -> None:
    """Refuse what cannot be called, such as a loss.

    Raises:
        ArgumentError: It cannot.
    """
    if not callable(closure):
        raise ArgumentError(
            f"{owner}.step got {describe_value(closure)}.",
            "It takes nothing, or a function that computes the loss anew.",
            "Did you mean loss.backward(), and then step()?",
        )


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
                f"{owner} got {name}={shown(value)}.",
                f"{name} is a number that is not negative.",
                setting_hint(name, value),
            )


def setting_hint(name: str, value: Any) -> str:
    """The nearest value of a setting that is a number of at least zero."""
    try:
        number = float(value) if isinstance(value, (str, Real)) else -1.0
    except ValueError:
        number = -1.0
    if isinstance(value, str) and number >= 0:
        return f"Did you mean {name}={number:g}, without the quotation marks?"
    if name == "lr" and isinstance(value, Real):
        return "A step already goes downhill: write lr=0.01, not lr=-0.01."
    return f"Did you mean {name}={0.01 if name == 'lr' else 0.0}?"
