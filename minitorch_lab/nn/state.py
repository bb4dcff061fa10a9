"""Loading a state: every name and shape is checked before anything is copied."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..errors import ArgumentError
from ..tensors.interchange import as_tensor
from ..tensors.tensor import Tensor
from .uninitialized import Uninitialized, filled

WRAPPED = "_orig_mod."  # in the names that PyTorch gives to the parts of a compiled module


class KeyReport(NamedTuple):
    """The names that a module has and a state lacks (`missing_keys`), and the reverse (`unexpected_keys`)."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        """The names, in the words of PyTorch."""
        found = f"missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys}"
        return f"_IncompatibleKeys({found})" if any(self) else "<All keys matched successfully>"


def load_state(owner: str, own: Mapping[str, Tensor], given: Mapping[str, Tensor], strict: bool) -> KeyReport:
    """Copy `given` into the tensors of `own`, or raise one error that lists all that does not fit."""
    given = {name if name in own else name.replace(WRAPPED, ""): tensor for name, tensor in given.items()}
    missing = [name for name in own if name not in given]
    unexpected = [name for name in given if name not in own]
    misshapen = [name for name in own if name in given and not alike(own[name], given[name])]
    if misshapen or (strict and (missing or unexpected)):
        lines = [f"{name} is missing." + guess(name, unexpected) for name in missing if strict]
        lines += [f"{name} is not expected." for name in unexpected if strict]
        lines += [
            f"{name} has shape {tuple(given[name].shape)}, here it is {tuple(own[name].shape)}." for name in misshapen
        ]
        raise ArgumentError(
            f"{owner} cannot load this state:\n    " + "\n    ".join(lines),
            "Names and shapes must be those of state_dict(). Nothing was loaded.",
            "Did you mean strict=False? It skips names that do not match."
            if not misshapen
            else "Build the model with the sizes that it was saved with.",
        )
    for name, tensor in own.items():
        if name in given:
            value: Any = given[name]
            filled(tensor, value if isinstance(value, Tensor) else as_tensor(value))  # it may be another library's
    return KeyReport(missing, unexpected)


def alike(own: Tensor, given: Tensor) -> bool:
    """Whether the shapes are equal; a tensor that has none yet takes any."""
    return isinstance(own, Uninitialized) or tuple(given.shape) == tuple(own.shape)


def guess(name: str, unexpected: list[str]) -> str:
    """A hint that an unexpected name may be meant, if one is close."""
    close = get_close_matches(name, unexpected, n=1)
    return f" Is it {close[0]}?" if close else ""
