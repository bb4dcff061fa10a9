"""Buffer: a tensor that a module keeps with its state, and no optimizer trains."""

from __future__ import annotations

from ..errors import ArgumentError
from ..ops.meant import describe_value
from ..tensors.tensor import PLAIN, Tensor, grounded, storage_of, tracked


class Buffer(Tensor):
    """A tensor that becomes a buffer of the module it is assigned to: `register_buffer` as an assignment.

    `Buffer(t)` shares the memory of `t`. What is assigned to the name later is kept there as the buffer.

    Args:
        data: A tensor of any shape and dtype. Its history is left behind.
        persistent: Whether the buffer is part of `state_dict()`.

    Raises:
        ArgumentError: `data` is not a tensor.

    Example:
        >>> import minitorch_lab as ml
        >>> model = ml.nn.Module()
        >>> model.mean = ml.nn.Buffer(ml.zeros(3))
        >>> model.seen = ml.nn.Buffer(ml.zeros(3), persistent=False)
        >>> [name for name, _ in model.named_buffers()], list(model.state_dict())
        (['mean', 'seen'], ['mean'])
    """

    __slots__ = ("persistent",)

    def __init__(self, data: Tensor, *, persistent: bool = True) -> None:
        if not isinstance(data, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"Buffer got {describe_value(data)}.",
                "A buffer is made from a tensor.",
                "Did you mean Buffer(ml.tensor(data))?",
            )
        super().__init__(grounded(data).value, None, storage_of(data))
        self.persistent = persistent
        self.requires_grad_(tracked(data) is not None)

    def __deepcopy__(self, memo: dict[int, object]) -> Buffer:
        """A buffer of its own, kept in the state or not as this one."""
        twin = super().__deepcopy__(memo)
        memo[id(self)] = made = Buffer(twin, persistent=self.persistent)
        return made


PLAIN.add(Buffer)
