"""What the forward of a custom function leaves for its backward."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from ..errors import GradientError
from ..tensors.tensor import Tensor, storage_of, tracked
from .node import Node, Saved, stale


class FunctionContext:
    """Saved tensors, and any attribute that `forward` sets.

    `needs_input_grad` says, argument by argument, whether a gradient is asked for.
    """

    materialize = True
    dirty: tuple[Tensor, ...] = ()
    _constant: tuple[Tensor, ...] = ()
    _node: Node | None = None  # while backward runs

    def __init__(self, needs_input_grad: Sequence[bool]) -> None:
        self.needs_input_grad = tuple(needs_input_grad)
        self._kept: list[Any] | None = []  # Saved, or what a saved-tensors hook made of it
        self._own: dict[int, int] = {}  # which of them are results of the call, by their number

    if TYPE_CHECKING:  # whatever the user sets

        def __getattr__(self, name: str) -> Any: ...

        def __setattr__(self, name: str, value: Any) -> None: ...

    # ---- for forward ------------------------------------------------------------------------------------------------
    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep tensors for `backward`: arguments, results or others, with the version that they have now."""
        self._kept = [None if x is None else kept(x) for x in tensors]

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which arguments `forward` has written in place. Each must be among its results."""
        self.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which results have no gradient. Those of whole numbers never have one."""
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros for a result that nothing used (True, as it is at first), or None."""
        self.materialize = value

    # ---- for backward -----------------------------------------------------------------------------------------------
    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """The tensors that were saved, in the same order.

        Raises:
            GradientError: One was written in place since, or a backward pass has freed them.
        """
        if self._kept is None:
            raise GradientError(
                "ctx.saved_tensors of a Function whose backward pass has run.",
                "A backward pass frees the saved tensors as it goes, so the graph can be walked once.",
                "Did you mean backward(retain_graph=True) the first time? Or run the forward pass again.",
            )
        return tuple(map(self.saved_tensor, range(len(self._kept))))

    def saved_tensor(self, i: int) -> Any:
        """One of them."""
        assert self._kept is not None
        return self._opened(i, self._kept[i])

    @property
    def node(self) -> Node:
        """The node whose backward runs."""
        assert self._node is not None
        return self._node

    def _opened(self, i: int, one: Any) -> Any:
        if one is None:
            return None
        one = one if isinstance(one, Saved) else one.open()
        if one.storage.version != one.version and self._node is not None:
            raise stale(self._node, "ctx", one.version, one.storage.version)
        if isinstance(one.value, Tensor):
            return one.value
        return Tensor(one.value, self._end(i) if i in self._own else one.node, one.storage)

    def _end(self, i: int) -> Node | None:
        """The history of a saved result: it is made anew, for the context must not hold its own node."""
        node: Any = self._node
        return None if node is None else node.op.end(node, self._own[i])

    # ---- for the tape -----------------------------------------------------------------------------------------------
    def is_dirty(self, x: Any) -> bool:
        """Whether `x` is an argument that was written."""
        return any(x is other for other in self.dirty)

    def is_constant(self, x: Any) -> bool:
        """Whether `x` was marked as a result without gradient."""
        return any(x is other for other in self._constant)

    def settle(self, outs: Sequence[Any]) -> None:
        """Note which saved tensors are results: their history is the call's own node.

        What `forward` itself has written in place is kept as it is now, whenever it was saved.
        """
        for i, one in enumerate(self._kept or ()):
            if one is not None:
                one.version = one.storage.version
            for k, out in enumerate(outs):
                if one is None or not isinstance(out, Tensor) or one.value is not out.value:
                    continue
                if one.node is None or self.is_dirty(out):
                    self._own[i] = k
        self.dirty = self._constant = ()

    def repack(self, parcel: Any) -> None:
        """Replace what was saved by parcels of it."""
        self._kept = [None if one is None else parcel(one) for one in self._kept or ()]

    def free(self) -> None:
        """Let go of what was saved."""
        self._kept = None

    @contextmanager
    def opened_for(self, node: Node) -> Generator[None]:
        """While the backward of `node` runs."""
        self._node = node
        try:
            yield
        finally:
            self._node = None


def kept(x: Tensor) -> Saved:
    """A tensor with its version. One of a transform is kept whole: on the tape above it is a value."""
    storage = storage_of(x)
    one = Saved()
    one.value, one.node = (x, None) if x.level else (x.value, tracked(x))
    one.storage, one.version = storage, storage.version
    return one
