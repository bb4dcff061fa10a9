"""Eager execution: an op runs at once, on the memory that its inputs hold, and leaves a node on the tape.

Views share memory with their base, and a write in place is physical. What the tape sees of a write is functional:
the old value goes in, a new one comes out; a write through a view is a `put` into its base, so the base gets a new
node as well, and the other views find theirs when they are next asked.
"""

from __future__ import annotations

from collections import deque
from typing import Any

from ..core.array import (
    as_array,
    can_hold,
    device_of,
    is_float,
    memory_of,
    to_device,
    xp,
)
from ..core.interpret import GROUND, Interpreter, autocast_mode, grad_enabled, grad_mode, interpreting, stack, uncast
from ..errors import DeviceError, DTypeError, GradientError, ShapeError
from ..ops.indexing import setitem
from ..ops.misfit import check_flag
from ..ops.movement import cast
from ..ops.narrow import suited
from ..ops.op import Op, as_given
from ..ops.precision import run_in_block
from ..ops.strided import as_strided_op, root_of
from ..tensors.tensor import Link, Tensor, View, grounded, home, storage_of, tracked
from .calls import alike, elsewhere, explained, fitted, met, misfit, operands
from .context import FunctionContext
from .custom import Call, Flat, delivered, ends, history, node_of
from .cut import SCALARS, start
from .node import Leaf, Node
from .pullback import OnArrays, OnTensors
from .tape import finish, held, record, save, shape_of
from .walk import Rules, walk
from .writes import asks, forbid_leaf, forbid_tangle, forbid_unwatched


class Eager(Interpreter):
    """The imperative tape on NumPy or CuPy."""

    level, below = 0, GROUND

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Run `op` now; record it if a gradient flows through it and gradients are on."""
        if autocast_mode.get():
            return run_in_block(op, args, params, self)
        if op.casts is not as_given and not alike(args):
            args = met(op, args, self)
            op = suited(op, args)
        if op.put is not None and isinstance(args[0], Tensor):
            grounded(args[0])
        try:
            value = op.impl(*map(held, args), **params)
        except Exception as error:
            raise explained(op, args, params, error) from None
        node = record(op, args, params) if grad_mode.get() else None
        out = as_view(value, node, op, args, params)
        if node is not None:
            finish(node, out)
        return out

    def inplace(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """Write `op(x, *args)` into the memory of `x`."""
        node = None
        if not alike((x, *args)):
            args = operands(op, args)
            if (dtype := elsewhere(op, x, args)) is not None:
                return self.rounded(op, x, args, params, dtype)
            args = fitted(op, x, args, self)
            op = suited(op, (x, *args))
        on = grad_mode.get()
        if on:
            forbid_leaf(x, op)
            from_base(x)
            node = record(op, (x, *args), params)
            if x.link is not None and (node is not None or any(map(asks, (x, *args)))):
                forbid_unwatched(x, f"{op.name}_ on")
            if node is not None and node.saved and "x" in node.saved:  # it needs what it is about to overwrite
                node.saved["x"] = save(Tensor(x.value.copy()), x.node)
        storage = storage_of(grounded(x))
        version = storage.version  # read before the write: in memory whose writes nobody counts it is refused
        forbid_tangle(op, x, args, params, storage)
        try:
            op.impl(x.value, *map(held, args), out=x.value, **params)
        except Exception as error:
            raise misfit(op, x, args, params, error) from None
        storage.version = version + 1
        if node is not None:
            finish(node, x)
        if on and (node is not None or x.node is not None):
            rebind(x, node)
        return x

    def custom(self, call: Call, args: Flat) -> list[Any]:
        """Run a call with rules of the user's, and leave one node, whatever it did inside."""
        ctx = FunctionContext([history(a, 0) is not None for a in args])
        node = node_of(call, ctx, args, 0)
        if node is None:
            return call.plain(ctx, args)
        with grad_enabled(False):
            outs = call.forward(ctx, args, call.run)
        pairs = zip(outs, ends(node, outs, ctx), strict=True)
        result = [overwritten(x, end, call) if ctx.is_dirty(x) else delivered(x, end, args) for x, end in pairs]
        ctx.settle(outs)
        return result

    def rounded(self, op: Op, x: Tensor, args: tuple[Any, ...], params: dict[str, Any], dtype: Any) -> Tensor:
        """Write into `x` what `op` computes in another dtype.

        Raises:
            DTypeError: It would lose its fraction there, or become a truth value.
        """
        if not can_hold(x.dtype, dtype):
            raise DTypeError(
                f"{op.name}_ would write {dtype} into a tensor of dtype {x.dtype}.",
                "A write in place keeps the dtype of what is written to.",
                f"Did you mean x = x.{op.name}(y)? That makes a new tensor of dtype {dtype}.",
            )
        return self.inplace(setitem, x, (self.run(op, (x, *args), params),), {"index": (...,)})

    def require(self, x: Tensor, on: bool) -> Tensor:
        """Make `x` a leaf that asks for a gradient, or one that does not. Its gradient and its hooks stay with it."""
        check_flag("requires_grad_", on)
        node = tracked(x)
        if on and not is_float(x.dtype):
            raise GradientError(
                f"requires_grad on a tensor of dtype {x.dtype}.",
                "Only floats can change by a little, so only they have gradients.",
                "Did you mean x.float().requires_grad_()?",
            )
        if node is not None and node.op is not None and not on:
            raise GradientError(
                "requires_grad=False on a tensor that an op has made.",
                "Its history says what it depends on; only a leaf can choose.",
                "Did you mean x.detach()?",
            )
        if node is not None and not on:
            x.resting, x.node = node, None
        elif node is None and on:
            x.node = woken(x)
        return x

    def remake(self, x: Tensor) -> None:
        """Bring the history of a view up to date with a write to its base."""
        remake(x)

    # ---- backward ---------------------------------------------------------------------------------------------------
    def backward(self, root: Tensor, gradient: Any, retain: bool, create: bool) -> None:
        """Walk the tape from `root`, adding to the gradients of the leaves."""
        node = start(root, "backward()")
        seed = self.seed(root, gradient)
        top = self if stack.get() is self else home(root)  # layers on this tape have their say
        rules = top.rules(retain, create)
        top.drive({node: rules.opened(seed)}, rules, rules.ground, create)

    def drive(self, seeds: dict[Node, Any], rules: Rules, ground: Interpreter, create: bool) -> None:
        """Walk the tape from the roots in `seeds` to the end; `ground` runs the ops inside the rules."""
        if autocast_mode.get():
            with uncast():
                return self.drive(seeds, rules, ground, create)
        token = stack.var.set(ground)
        mode = grad_mode.set(True) if create else None  # arrays are not recorded anyway
        try:
            deque(walk(seeds, rules), maxlen=0)  # runs it to the end, the quickest way
        finally:
            stack.var.reset(token)
            if mode is not None:
                grad_mode.reset(mode)

    def rules(self, retain: bool, create: bool) -> OnArrays:
        """Who runs the rules: on arrays, or on tensors so that the walk can itself be differentiated."""
        return OnTensors(self, retain) if create else OnArrays(self, retain)

    def seed(self, root: Tensor, gradient: Any, what: str = "backward()") -> Tensor:
        """The cotangent that the walk starts with, which was called as `what`."""
        if gradient is None:
            if root.value.size != 1:
                raise GradientError(
                    f"{what} from a tensor of shape {root.shape}.",
                    "A gradient is that of one number; for more, say how much each entry counts.",
                    f"Did you mean {SCALARS[what]}?",
                )
            return Tensor(to_device(xp.ones(root.value.shape, root.value.dtype), device_of(root.value)))
        g = gradient if isinstance(gradient, Tensor) else Tensor(as_array(gradient, root.dtype))
        value = g.value
        if type(value) is not type(root.value) and g.device != root.device:
            raise DeviceError(
                f"{what} from a tensor on {root.device} got a cotangent on {g.device}.",
                "The walk runs where the tensors lie.",
                f'Did you mean gradient.to("{root.device}")?',
            )
        if value.shape != root.value.shape:
            raise ShapeError(
                f"{what} from a tensor of shape {root.shape} got a cotangent of shape {g.shape}.",
                "The cotangent has one number per entry of the output.",
                f"Did you mean gradient.reshape{root.shape}?"
                if value.size == root.value.size
                else f"Did you mean ml.full{(root.shape, value.item())}?"
                if not value.shape
                else "Did you mean ml.ones_like(y)?",
            )
        line = value if value.ndim == 1 else value.reshape(-1)
        if (square := line.dot(line)) != square:  # NaN, for one pass over the memory
            raise GradientError(
                f"{what} got a cotangent with NaN entries.",
                "Every gradient would come out NaN.",
                "Find where it went wrong: x.isnan().any() on the values that led to it.",
            )
        return g if value.dtype is root.value.dtype or value.dtype == root.value.dtype else cast(g, dtype=root.dtype)


# ---- dtypes, and calls that do not fit ------------------------------------------------------------------------------


# ---- views and writes -----------------------------------------------------------------------------------------------


def as_view(value: Any, node: Node | None, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
    """The result as a tensor: a View if it shares memory and history with the first input."""
    base = args[0] if args else None
    if op.put is None or len(args) > 1 or not isinstance(base, Tensor) or memory_of(value) is not memory_of(base.value):
        return Tensor(value, node)
    if op.vjp == (None,) or base.is_inference():  # detach: memory is shared, history is not
        return Tensor(value, None, storage_of(base))
    view = View(value, node, storage_of(base))
    view.link = Link(base, op, params)
    return view


def woken(x: Tensor) -> Leaf:
    """The leaf at which gradients of `x` arrive from now on: the one that rested, or a new one."""
    rest = getattr(x, "resting", None)
    leaf = rest if isinstance(rest, Leaf) else Leaf(x.shape)
    leaf.shape, leaf.grad = x.shape, getattr(rest, "grad", None)
    return leaf


def overwritten(x: Tensor, end: Node | None, call: Call) -> Tensor:
    """An argument that a call has written in place: it comes from the call now."""
    forbid_leaf(x, call)
    rebind(x, end)
    return x


def link_of(x: Tensor) -> Link | None:
    """How a view hangs on its base: by strides, once a base has become another view of its memory (`t_`)."""
    link = x.link
    if link is not None and storage_of(x).relaid:
        root = root_of(x)
        at = {"size": tuple(x.shape), "stride": x.stride(), "offset": x.storage_offset()}
        link.base, link.op = root, as_strided_op
        link.params = {**at, "lies": (root.stride(), root.storage_offset())}
    return link


def from_base(x: Tensor) -> bool:
    """A view may hang on a base further down than its node speaks of (`as_strided` does): for a write, from there."""
    link = link_of(x)
    if link is None:
        return False
    moved = from_base(link.base)
    if x.node is None or not (moved or (x.node.op is link.op and x.node.params is not link.params)):
        return False
    remake(x)
    return True


def rebind(x: Tensor, node: Node | None) -> None:
    """`x` now comes from `node`; so its base comes from putting it back, and other views follow when they are asked."""
    if x.node is not None and x.node.hooks is not None and node is not None:
        x.node.hand_over(node)
    x.node = node
    link = link_of(x)
    if link is None:
        return
    put = link.op.put
    assert put is not None
    link.seen = storage_of(x).version
    old, new = ghost(link.base, tracked(link.base)), ghost(x, node)
    with interpreting(Shadow()):
        back = put(old, new, **link.params)
    rebind(link.base, back.node)
    remake(x)


def remake(x: Tensor) -> None:
    """Give a view the node that it would have if it were made now, also under no_grad; its memory is current anyway."""
    link = link_of(x)
    assert link is not None
    if link.unwatched and tracked(link.base) is not None:
        link.seen = -1  # it stays to be asked
        forbid_unwatched(x, "a write into the base of")
    old, x.node = x.node, shadowed(link.op, (ghost(link.base, tracked(link.base)),), link.params).node
    if old is not None and old.hooks is not None and x.node is not None:
        old.hand_over(x.node)


class Shadow(Interpreter):
    """Runs nothing: its tensors have shapes and histories, and no memory. The tape of a write through a view."""

    def run(self, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        """The node of `op`, and the shape of its result."""
        return shadowed(op, args, params)


def shadowed(op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
    """What `op` would leave on the tape."""
    node = record(op, args, params)
    shape = op.shape(*[shape_of(a) for a in args], **params)
    out = Tensor(xp.broadcast_to(xp.empty((), args[0].dtype), shape), node)
    if node is not None:
        finish(node, out)
    return out


def ghost(x: Tensor, node: Node | None) -> Tensor:
    """A stand-in for `x` of which only the shape, the dtype and the node matter."""
    return Tensor(xp.broadcast_to(xp.empty((), x.dtype), x.shape), node)
