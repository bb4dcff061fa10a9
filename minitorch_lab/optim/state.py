"""The state of an optimizer as plain data: parameters become numbers, counted through the groups."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from ..errors import ArgumentError
from ..tensors.tensor import Tensor

Group: TypeAlias = dict[str, Any]


def numbered(groups: Sequence[Group]) -> list[Tensor]:
    """All parameters in order: the place of each is its number."""
    return [p for group in groups for p in group["params"]]


def state_of(groups: Sequence[Group], state: Mapping[Tensor, dict[str, Any]]) -> dict[str, Any]:
    """What is remembered of each parameter, by its number, and the settings of each group."""
    parameters = numbered(groups)
    number = {id(p): i for i, p in enumerate(parameters)}
    return {
        "state": {i: dict(state[p]) for i, p in enumerate(parameters) if p in state},
        "param_groups": [{**group, "params": [number[id(p)] for p in group["params"]]} for group in groups],
    }


def check_fit(owner: str, groups: Sequence[Group], given: Mapping[str, Any]) -> None:
    """Refuse a state whose groups are not like `groups`.

    Raises:
        ArgumentError: There are other parts, other numbers of groups or parameters, or buffers of other shapes.
    """
    if not {"state", "param_groups"} <= given.keys():
        raise ArgumentError(
            f"{owner} got a state with {', '.join(map(repr, given)) or 'nothing'}.",
            'The state of an optimizer has "state" and "param_groups".',
            "Did you mean checkpoint['optimizer']? The state of a model goes to the model.",
        )
    here, there = ([len(g["params"]) for g in side] for side in (groups, given["param_groups"]))
    if here != there:
        raise ArgumentError(
            f"{owner} got a state for groups of {there} parameters; here they are {here}.",
            "A state goes to an optimizer of the same groups.",
            "Build the optimizer as it was when it was saved.",
        )
    for number, parameter in zip(order(given), numbered(groups), strict=True):
        for name, value in given["state"].get(number, {}).items():
            if isinstance(value, Tensor) and value.ndim and value.shape != parameter.shape:
                raise ArgumentError(
                    f"{owner} got {name} of shape {value.shape} for a parameter of shape {parameter.shape}.",
                    "What is remembered of a parameter has its shape.",
                    "Give the parameters in the order in which they were saved.",
                )


def order(given: Mapping[str, Any]) -> list[int]:
    """The numbers that a saved state gives to the parameters, in the order of its groups."""
    return [number for group in given["param_groups"] for number in group["params"]]


def restored(groups: Sequence[Group], given: Mapping[str, Any]) -> defaultdict[Tensor, dict[str, Any]]:
    """Take over the settings of a saved state, and return what it remembers, copied."""
    for group, saved in zip(groups, given["param_groups"], strict=True):
        group.update({name: value for name, value in saved.items() if name != "params"})
    pairs = zip(order(given), numbered(groups), strict=True)
    kept = {p: copied(given["state"][number], p) for number, p in pairs if number in given["state"]}
    return defaultdict(dict, kept)


def copied(entries: Mapping[str, Any], parameter: Tensor) -> dict[str, Any]:
    """The entries, with tensors of their own on the device of the parameter."""
    return {
        k: v.detach().clone().to(device=parameter.device) if isinstance(v, Tensor) else v for k, v in entries.items()
    }
