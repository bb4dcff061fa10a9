"""ParameterList and ParameterDict: parameters that are found, in a list or by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..tensors.tensor import Tensor
from .collection import Collection, Named, Numbered
from .parameter import Parameter


class OfParameters(Collection):
    """What both share: the kind of their parts, and how they are shown."""

    home, kind = "_parameters", "parameters"

    def made(self, value: Any) -> Any:
        """A plain tensor as a parameter; what is one already, as it is."""
        return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value

    def __repr__(self) -> str:
        """One line for each."""
        lines = [f"  ({k}): Parameter of shape {tuple(p.shape)}, {p.dtype}" for k, p in self.parts().items()]
        return "\n".join([f"{type(self).__name__}(", *lines, ")"]) if lines else f"{type(self).__name__}()"


class ParameterList(OfParameters, Numbered):
    """A list of parameters, under the names "0", "1", … Plain tensors become parameters.

    Raises:
        ArgumentError: Something that is given is no tensor.
        BoundsError: The index is out of range.

    Example:
        >>> import minitorch_lab as ml
        >>> weights = ml.nn.ParameterList([ml.zeros(2), ml.ones(3)])
        >>> len(weights), weights[1].tolist(), [name for name, _ in weights.named_parameters()]
        (2, [1.0, 1.0, 1.0], ['0', '1'])
    """

    def __init__(self, values: Iterable[Any] = ()) -> None:
        """Keep the parameters."""
        super().__init__()
        self.extend(values)


class ParameterDict(OfParameters, Named):
    """Parameters by name. Plain tensors become parameters.

    Raises:
        ArgumentError: Something that is given is no tensor, or there is none of a name.

    Example:
        >>> import minitorch_lab as ml
        >>> weights = ml.nn.ParameterDict({"left": ml.zeros(2), "right": ml.ones(3)})
        >>> list(weights), weights["left"].tolist(), "up" in weights
        (['left', 'right'], [0.0, 0.0], False)
    """

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None) -> None:
        """Keep the parameters under their names."""
        super().__init__()
        self.update(parameters or {})
