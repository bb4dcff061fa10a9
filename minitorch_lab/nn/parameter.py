"""Parameter: a leaf tensor that a module collects and an optimizer trains."""

from __future__ import annotations

from ..core.array import is_float
from ..errors import ArgumentError, GradientError
from ..ops.meant import describe_value
from ..tensors.tensor import PLAIN, Tensor, grounded, storage_of


def outside_transforms(data: Tensor) -> Tensor:
    """The tensor that a transform's box holds: a parameter belongs to no transform, wherever its layer is made.

    Raises:
        ArgumentError: It is another one for each example of a `vmap`.
    """
    shape = tuple(data.shape)
    while isinstance(data.value, Tensor):
        data = data.value
    if tuple(data.shape) != shape:
        raise ArgumentError(
            f"Parameter got a tensor of shape {shape} that is another one for each example.",
            "A parameter belongs to no transform, so it cannot differ along a batch that vmap maps.",
            "Make the layer outside of vmap.",
        )
    return data


class Parameter(Tensor):
    """A leaf tensor whose class says: train me.

    `Parameter(t)` shares the memory of `t`, is a leaf, and requires a gradient. A module that is given one as an
    attribute lists it among its `parameters()`. With `requires_grad_(False)` it is frozen and still belongs to its
    module. It has room for marks of yours (`w.no_weight_decay = True`), which copies and pickles keep.

    Args:
        data: A tensor of floats, of any shape. Its history is left behind.
        requires_grad: False makes a parameter that is frozen from the start.

    Raises:
        ArgumentError: `data` is not a tensor.
        GradientError: `data` holds integers or booleans and `requires_grad` is True.

    Example:
        >>> import minitorch_lab as ml
        >>> w = ml.nn.Parameter(ml.zeros(2, 3))
        >>> w.requires_grad, w.is_leaf, isinstance(w, ml.nn.Parameter), isinstance(w + 1, ml.nn.Parameter)
        (True, True, True, False)
    """

    __slots__ = ("__dict__",)

    def __init__(self, data: Tensor, requires_grad: bool = True) -> None:
        if not isinstance(data, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"Parameter got {describe_value(data)}.",
                "A parameter is made from a tensor.",
                "Did you mean Parameter(ml.tensor(data))?",
            )
        if requires_grad and not is_float(data.dtype):
            raise GradientError(
                f"Parameter got a tensor of dtype {data.dtype}.",
                "Only tensors of floats can require grad.",
                "Did you mean a buffer, self.register_buffer(name, data), or Parameter(data, requires_grad=False)?",
            )
        data = outside_transforms(data)
        super().__init__(grounded(data).value, None, storage_of(data))
        self.requires_grad_(requires_grad)


PLAIN.add(Parameter)
