"""Modules as functions of their state: called with other parameters, and several of them stacked for `vmap`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ..errors import ArgumentError
from ..ops import FUNCTIONS
from ..ops.front import taught

HOMES = ("_parameters", "_buffers")


@contextmanager
def holding(module: Any, values: Mapping[str, Any], strict: bool) -> Generator[None]:
    """`module` with `values` in place of its parameters and buffers, for a while.

    Raises:
        ArgumentError: It has no such parameter; or, under `strict`, some are missing.
    """
    there = [(name, *place_of(module, name)) for name in values]
    if strict:
        known = {name for name, _ in (*module.named_parameters(), *module.named_buffers())}
        if known != set(values):
            raise ArgumentError(
                f"functional_call got {sorted(values)}.", f"Under strict it takes {sorted(known)}.", "Name all of them."
            )
    before = [(home, name, home[name], own, own.get(name)) for _, home, name, own in there]
    try:
        for path, home, name, own in there:
            home[name] = values[path]
            if name in own:
                own[name] = values[path]
        yield
    finally:
        for home, name, value, own, seen in before:
            home[name] = value
            if name in own:
                own[name] = seen


def place_of(module: Any, path: str) -> tuple[dict[str, Any], str, dict[str, Any]]:
    """Where a part of a module stands: in which dict, under which name, in which module's own dict.

    Raises:
        ArgumentError: There is none.
    """
    owner, _, name = path.rpartition(".")
    part = module.get_submodule(owner) if owner else module
    for home in HOMES:
        if name in vars(part)[home]:
            return vars(part)[home], name, vars(part)
    raise ArgumentError(
        f"functional_call got {path!r}.",
        "It takes values for parameters and buffers of the module, by their names.",
        "Compare with module.state_dict().",
    )


@taught
def functional_call(
    module: Callable[..., Any],
    parameter_and_buffer_dicts: Mapping[str, Any] | Sequence[Mapping[str, Any]],
    args: Any = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """`module(*args, **kwargs)`, with other parameters and buffers for this call.

    Args:
        module: A module.
        parameter_and_buffer_dicts: Values by name, or a tuple of several such dicts. What is not named stays.
        args: The arguments, a tuple; or the only one.
        kwargs: Keyword arguments.
        tie_weights: Taken, and changes nothing: a parameter that stands in two places has two names.
        strict: Whether every parameter and buffer must be named.

    Raises:
        ArgumentError: The module has no such part, or lacks one under `strict`.

    Example:
        >>> import minitorch_lab as ml
        >>> model = ml.nn.Linear(1, 1, bias=False)
        >>> ml.func.functional_call(model, {"weight": ml.tensor([[3.0]])}, (ml.tensor([2.0]),))
        tensor([6.])
    """
    given = parameter_and_buffer_dicts
    values = dict(given) if isinstance(given, Mapping) else {k: v for part in given for k, v in part.items()}
    with holding(module, values, strict):
        return module(*(args if isinstance(args, tuple) else (args,)), **(kwargs or {}))


@taught
def stack_module_state(models: Sequence[Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The parameters and the buffers of modules of one kind, stacked by name, for `vmap` over `functional_call`.

    Returns:
        Two dicts of tensors whose axis 0 counts the modules. The parameters are leaves that require gradients.

    Raises:
        ArgumentError: There are no modules, or they are of several kinds.

    Example:
        >>> import minitorch_lab as ml
        >>> params, buffers = ml.func.stack_module_state([ml.nn.Linear(2, 1) for _ in range(3)])
        >>> params["weight"].shape
        (3, 1, 2)
    """
    if not models or len({type(model) for model in models}) > 1:
        raise ArgumentError(
            f"stack_module_state got modules of the classes {sorted({type(model).__name__ for model in models})}.",
            "They are one or more, of one class.",
            "Did you mean a list of equal models?",
        )
    parameters = stacked([dict(model.named_parameters()) for model in models])
    leaves = {name: p.detach().requires_grad_(all_ask(models, name)) for name, p in parameters.items()}
    return leaves, stacked([dict(model.named_buffers()) for model in models])


def all_ask(models: Sequence[Any], name: str) -> bool:
    """Whether the parameter of this name requires a gradient in all of the modules."""
    return all(dict(model.named_parameters())[name].requires_grad for model in models)


def stacked(states: list[dict[str, Any]]) -> dict[str, Any]:
    """The tensors of several dicts, name by name."""
    return {name: FUNCTIONS["stack"]([state[name] for state in states]) for name in states[0]}
