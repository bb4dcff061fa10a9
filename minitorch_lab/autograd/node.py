"""The nodes of the tape: one per recorded op, and one per leaf."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from typing import Any
from weakref import ref

from ..core.array import Shape
from ..errors import GradientError
from ..ops.misfit import check_callable
from ..ops.op import Op
from ..tensors.tensor import Tensor

next_order = count(0, -1).__next__  # falls, so that the smallest order is the node made last
NOTHING: dict[str, Any] = {}


class Node:
    """One op on the tape. It points at the nodes of the op's inputs, never at tensors: an output would be a cycle.

    `saved` holds what the rules need, by the names of their parameters; it is None once a backward pass has freed it.
    As in PyTorch, a node that keeps shapes alone is not freed.
    """

    output_nr = 0  # which of the results of its op a cotangent that comes here is of
    __slots__ = ("__weakref__", "edges", "grad", "hooks", "op", "order", "params", "saved", "shape")

    op: Op | None
    edges: tuple[Node | None, ...]
    saved: dict[str, Any] | None
    params: dict[str, Any]
    shape: Shape
    order: float
    hooks: Hooks | None
    grad: Tensor | None

    def name(self) -> str:
        """`MulBackward` for the op `mul`."""
        assert self.op is not None
        return "".join(part[:1].upper() + part[1:] for part in self.op.name.split("_")) + "Backward"

    @property
    def next_functions(self) -> tuple[tuple[Node | None, int], ...]:
        """The nodes that the cotangent goes to next, one per input, each with the number of its output."""
        return tuple((None, 0) if edge is None else (edge.function, edge.output_nr) for edge in self.edges)

    @property
    def function(self) -> Node:
        """The node that the user sees: a result of several stands for the node of the call."""
        return self

    @property
    def saved_tensors(self) -> dict[str, Any]:
        """What the node keeps, by the names of the rule's parameters: tensors, numbers and shapes.

        Raises:
            GradientError: A backward pass has freed it.
        """
        if self.saved is None:
            raise freed(self)
        if "ctx" in self.saved:
            return {str(i): x for i, x in enumerate(self.saved["ctx"].saved_tensors)}
        return {k: Tensor(v.value, v.node, v.storage) if isinstance(v, Saved) else v for k, v in self.saved.items()}

    def register_hook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(grad_inputs, grad_outputs)`, two tuples, after this node has run.

        What it returns, a tuple, replaces the grad_inputs.
        """
        return Handle(self.hook_list().after, hook)

    def register_prehook(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(grad_outputs)`, a tuple, before this node runs, after the hooks of its tensors.

        What it returns, a tuple, replaces the cotangents.
        """
        return Handle(self.hook_list().before, hook)

    def on_tensor(self, hook: Callable[..., Any]) -> Handle:
        """Call `hook(cotangent)` for the tensor whose history this is."""
        check_callable("register_hook", hook)
        return Handle(self.hook_list().tensor, hook)

    def on_filled(self, x: Tensor, hook: Callable[..., Any]) -> Handle:
        """Refused: only a leaf collects a gradient."""
        raise GradientError(
            "register_post_accumulate_grad_hook on a tensor that an op has made.",
            "Only a leaf adds gradients up in .grad.",
            "Did you mean x.register_hook(hook)? It sees the cotangent of any tensor.",
        )

    def hand_over(self, node: Node) -> None:
        """A tensor was written and comes from `node` now: `retain_grad()` follows the tensor, its hooks stay."""
        hooks = self.hook_list()
        if hooks.retain:
            hooks.retain, node.hook_list().retain = False, True

    def expose(self, views: tuple[Node, ...] = ()) -> Node:
        """This node, whose cotangent is about to be watched: all that depends on it must lead through it.

        So it does, but for the results of a call that stands for many ops. `views` hang on it.
        """
        if getattr(self.op, "put", None) is not None and self.edges[0] is not None:
            self.edges[0].expose((self, *views))
        return self

    def hook_list(self) -> Hooks:
        """The hooks of this node, made when first needed."""
        if self.hooks is None:
            self.hooks = Hooks()
        return self.hooks

    def __repr__(self) -> str:
        """As PyTorch prints a grad_fn."""
        return f"<{self.name()}>"


class Leaf(Node):
    """Where a gradient arrives. It owns the gradient, so that a tensor and its node are no reference cycle."""

    __slots__ = ()

    def __init__(self, shape: Shape) -> None:
        self.op, self.edges, self.saved, self.params, self.shape = None, (), NOTHING, NOTHING, shape
        self.order, self.hooks, self.grad = next_order(), None, None

    def name(self) -> str:
        """PyTorch's name for the end of the line."""
        return "AccumulateGrad"

    def on_filled(self, x: Tensor, hook: Callable[..., Any]) -> Handle:
        """Call `hook(x)` once the gradient is there. The leaf holds `x` weakly: a strong hold would be a cycle."""
        check_callable("register_post_accumulate_grad_hook", hook)
        tensor = ref(x)
        return Handle(self.hook_list().filled, lambda: hook(tensor()))


class Saved:
    """What the tape keeps of a tensor: the value, its node, the storage and the version that it had.

    Not the tensor itself: an op that saves its own output would be a cycle.
    """

    __slots__ = ("node", "storage", "value", "version")


class Hooks:
    """What a node does besides its rule, in the order in which it does it."""

    __slots__ = ("after", "before", "filled", "retain", "tensor")

    def __init__(self) -> None:
        self.tensor: dict[int, Callable[..., Any]] = {}  # on the cotangent of one tensor
        self.retain = False  # keep that cotangent
        self.before: dict[int, Callable[..., Any]] = {}  # on all cotangents of the node
        self.filled: dict[int, Callable[..., Any]] = {}  # a leaf's, once its gradient is there
        self.after: dict[int, Callable[..., Any]] = {}  # on what the node sends on


class Handle:
    """The way to take a hook back; as a `with` block, at its end."""

    def __init__(self, hooks: dict[int, Callable[..., Any]], hook: Callable[..., Any]) -> None:
        self.hooks, self.key = hooks, next_order()
        hooks[self.key] = hook

    def remove(self) -> None:
        """Unregister the hook; a second call does nothing."""
        self.hooks.pop(self.key, None)

    def __enter__(self) -> Handle:
        """The handle."""
        return self

    def __exit__(self, *_: Any) -> None:
        """Unregister."""
        self.remove()


def freed(node: Node) -> GradientError:
    """The error of a second walk over a tape that the first one freed."""
    return GradientError(
        f"{node.name()} has nothing left to compute with: an earlier backward() freed what it had saved.",
        "A backward pass frees the saved tensors as it goes, so the graph can be walked once.",
        "Did you mean backward(retain_graph=True) the first time? Or run the forward pass again.",
    )


def stale(node: Node, name: str, then: int, now: int) -> GradientError:
    """The error of a saved tensor that was written in place before it was used."""
    return GradientError(
        f"{node.name()} saved {name!r} at version {then}, and its memory is now at version {now}.",
        "A tensor that an op keeps for its gradient must not be written in place before backward().",
        "Did you mean the op without the underscore (y = y + 1)? Or write to x.clone().",
    )
