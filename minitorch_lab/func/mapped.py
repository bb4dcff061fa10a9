"""A call with rules of the user's, for a batch: its forward and its rules, each run for all examples at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..autograd.context import FunctionContext
from ..autograd.custom import Again, Call, Flat
from ..core.interpret import interpreting
from ..ops.batching import size_of
from ..ops.broadcast import expand_op, sum_op
from ..tensors.tensor import Tensor
from .boxing import as_tensor


class Mapped(Call):
    """`call` under `vmap`. Each of its rules runs inside a level of its own, for its values outlive no level.

    `batched` says which arguments have the batch, on axis 0; all results have it there. `level` makes such a level.
    """

    def __init__(self, call: Call, batched: list[bool], level: Callable[[], Any]) -> None:
        self.call, self.batched, self.level, self.name = call, batched, level, call.name

    def run(self, args: Flat) -> list[Any]:
        """The results for all examples."""
        v = self.level()
        with interpreting(v):
            outs = self.call.run(self.boxed(v, args))
        return self.fronts(v, outs, args)

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """The results for all examples; the context of the call is kept in `ctx`, opened."""
        v, inner = self.level(), FunctionContext(ctx.needs_input_grad)
        with interpreting(v):
            outs = self.call.forward(inner, self.boxed(v, args), lambda _: self.one_below(v, again, args))
        values = self.fronts(v, outs, args)
        saved = [None if x is None else v.own(x) for x in inner.saved_tensors]
        ctx.save_for_backward(*(None if x is None else x.value for x in saved))
        ctx.materialize = inner.materialize
        ctx.mark_non_differentiable(*(x for x, out in zip(values, outs, strict=True) if inner.is_constant(out)))
        ctx.inner, ctx.flags = inner, [x is not None and x.batched for x in saved]
        inner.settle(())
        inner.free()
        return values

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """One cotangent per argument: for all examples, or added up over them where they share the argument."""
        v, inner, kept = self.level(), ctx.inner, ctx.saved_tensors
        with interpreting(v):
            inner.save_for_backward(*(x if x is None else v.box(x, b) for x, b in zip(kept, ctx.flags, strict=True)))
            result = self.call.backward(inner, [v.box(g, True) if isinstance(g, Tensor) else g for g in grads])
            inner.free()
        found = result if isinstance(result, tuple) else (result,)
        size = next(g.shape[0] for g in grads if isinstance(g, Tensor))
        fronts = [None if x is None else front(v.own(x), size) for x in found]
        shared = [not b for b in self.batched] + [True] * (len(fronts) - len(self.batched))
        return tuple(
            sum_op(x, axis=(0,), keepdims=False) if x is not None and one else x
            for x, one in zip(fronts, shared, strict=True)
        )

    def push(self, args: Flat, tangents: Flat) -> tuple[list[Any], list[Any]]:
        """The results and their tangents, for all examples."""
        v = self.level()
        with interpreting(v):
            outs, moved = self.call.push(self.boxed(v, args), self.boxed(v, tangents))
        return self.fronts(v, outs, args), self.fronts(v, moved, args)

    def boxed(self, v: Any, args: Flat) -> list[Any]:
        """The arguments at the level `v`."""
        pairs = zip(args, self.batched, strict=True)
        return [v.box(as_tensor(a), b) if b or isinstance(a, Tensor) else a for a, b in pairs]

    def fronts(self, v: Any, outs: Flat, args: Flat) -> list[Any]:
        """The results below `v`, all with the batch in front."""
        size = size_of(list(args), self.batched)
        return [front(v.own(x), size) if isinstance(x, Tensor) else x for x in outs]

    def one_below(self, v: Any, again: Again, args: Flat) -> list[Any]:
        """The results of the whole batch from the level below, at the level `v`."""
        with interpreting(v.below):
            outs = again(args)
        return [v.box(x, True) if isinstance(x, Tensor) else x for x in outs]


def front(out: Any, size: int) -> Any:
    """A value of a level of `vmap`, below it, with the batch on axis 0 whether it had one or not."""
    return out.value if out.batched else expand_op(out.value, shape=(size, *out.value.shape))
