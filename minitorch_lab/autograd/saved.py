"""What the tape saves, in the user's hands: each saved tensor goes through `pack`, and comes back through `unpack`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from ..core.interpret import grad_enabled, interpreting
from ..errors import ArgumentError, DTypeError, ShapeError
from ..ops.front import taught
from ..ops.meant import describe_value
from ..tensors.tensor import Storage, Tensor
from .eager import Eager
from .layer import Layer, tape_in_force
from .node import Node, Saved
from .scope import Scope

Pack = Callable[[Tensor], Any]
Unpack = Callable[[Any], Tensor]


class Parcel:
    """One packed tensor. `reads` rules of its node ask for it in one walk; it is unpacked once for all of them."""

    __slots__ = ("dtype", "hooks", "left", "node", "opened", "packed", "reads", "shape")

    def __init__(self, hooks: Packing, kept: Saved, reads: int) -> None:
        self.hooks, self.node, self.shape = hooks, kept.node, tuple(kept.value.shape)
        self.dtype = kept.value.dtype
        self.packed = hooks.called(hooks.pack, Tensor(kept.value, None, kept.storage))
        self.reads, self.left = reads, 0
        self.opened: Saved | None = None

    def open(self) -> Saved:
        """What was saved, with the history that it had.

        Raises:
            ArgumentError: The unpack hook returned no tensor.
            ShapeError: It returned a tensor of another shape.
            DTypeError: It returned a tensor of another dtype.
        """
        if self.opened is None:
            self.opened, self.left = self.unpacked(), self.reads
        kept = self.opened
        self.left -= 1
        if self.left <= 0:
            self.opened = None
        return kept

    def unpacked(self) -> Saved:
        """The tensor that the user's hook makes of the parcel, checked."""
        x = self.hooks.called(self.hooks.unpack, self.packed)
        if not isinstance(x, Tensor):
            raise ArgumentError(
                f"The unpack hook returned {describe_value(x)}.",
                "unpack gives back the tensor that pack was given.",
                "Return a tensor from unpack.",
            )
        if tuple(x.shape) != self.shape:
            raise ShapeError(
                f"The unpack hook returned a tensor of shape {tuple(x.shape)} for one of shape {self.shape}.",
                "unpack gives back the tensor that pack was given.",
                "Keep the shape in what pack returns.",
            )
        if x.dtype != self.dtype:
            raise DTypeError(
                f"The unpack hook returned a tensor of dtype {x.dtype} for one of dtype {self.dtype}.",
                "unpack gives back the tensor that pack was given.",
                f"Did you mean x.to(ml.{self.dtype})?",
            )
        kept = Saved()
        kept.value, kept.node, kept.storage, kept.version = x.value, self.node, Storage(), 0
        return kept


class Packed(dict[str, Any]):
    """The `saved` of a node whose tensors are parcels: reading one opens it, so a walk sees no difference."""

    def __getitem__(self, name: str) -> Any:
        return opened(super().__getitem__(name))

    def items(self) -> Any:
        """Names and what was saved under them, opened."""
        return {name: self[name] for name in self}.items()

    def values(self) -> Any:
        """What was saved, opened."""
        return {name: self[name] for name in self}.values()


def opened(kept: Any) -> Any:
    """A parcel's content, also inside a tuple; anything else as it is."""
    if isinstance(kept, tuple):
        return tuple(map(opened, kept))
    return kept.open() if isinstance(kept, Parcel) else kept


class Packing(Layer):
    """Packs what the nodes that are made in its block save. Of two such blocks the inner one counts."""

    def __init__(self, under: Eager, pack: Pack, unpack: Unpack) -> None:
        super().__init__(under.under if isinstance(under, Packing) else under)
        self.pack, self.unpack = pack, unpack

    def made(self, node: Node) -> None:
        """Pack what `node` saved."""
        saved = node.saved
        if not saved or isinstance(saved, Packed):
            return
        if "ctx" in saved:
            saved["ctx"].repack(self.parcel)
            return
        assert node.op is not None
        rules = zip(node.edges, node.op.rules(len(node.edges)), strict=True)
        reads = Counter(want for edge, rule in rules if edge is not None and rule is not None for want in rule.wants)
        node.saved = Packed({name: self.packed(kept, reads[name]) for name, kept in saved.items()})

    def packed(self, kept: Any, reads: int) -> Any:
        """`kept` as a parcel if it is a tensor, or as a tuple of parcels.

        What the op itself has written over, as in `x.mul_(x)`, stays as it is: the walk will say that it is stale.
        """
        if isinstance(kept, tuple):
            return tuple(self.packed(part, reads) for part in kept)
        fresh = isinstance(kept, Saved) and kept.storage.version == kept.version
        return self.parcel(kept, reads) if fresh else kept

    def parcel(self, kept: Saved, reads: int = 1) -> Parcel:
        """One packed tensor."""
        return Parcel(self, kept, reads)

    def called(self, hook: Callable[[Any], Any], x: Any) -> Any:
        """Call the user's code, on the tape below and unrecorded."""
        with interpreting(self.under), grad_enabled(False):
            return hook(x)


@taught
def saved_tensors_hooks(pack_hook: Pack, unpack_hook: Unpack) -> Scope:
    """Have every tensor that the tape saves in the block replaced by `pack_hook(tensor)`, whatever that is.

    When a walk needs the tensor it takes `unpack_hook(packed)`. The hooks may quantise, write to disk, or drop and
    recompute. As in PyTorch, versions are not checked: a hook that keeps the tensor itself keeps its memory, and sees
    writes to it.

    Args:
        pack_hook: From a tensor without history, which it must not write to, to anything.
        unpack_hook: From that to a tensor of the same shape and dtype.

    Raises:
        GradientError: Inside a function that a transform runs.

    Example:
        >>> import minitorch_lab as ml
        >>> x = ml.tensor([1.0, 2.0], requires_grad=True)
        >>> with ml.autograd.saved_tensors_hooks(lambda t: t.tolist(), ml.tensor):
        ...     y = (x * x).sum()
        >>> y.backward()
        >>> x.grad
        tensor([2., 4.])
    """

    @contextmanager
    def block() -> Generator[None]:
        with interpreting(Packing(tape_in_force("saved_tensors_hooks"), pack_hook, unpack_hook)):
            yield

    return Scope(block)
