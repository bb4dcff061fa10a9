"""Function: an op whose forward and backward the user writes, for what the registry does not have."""

from __future__ import annotations

from typing import Any

from ..array import Array, Shape
from ..errors import ArgumentError, GradientError, ShapeError
from ..interpret import grad_enabled, stack
from ..ops.movement import cast
from ..ops.op import Rule, as_given
from ..tensor import Tensor, storage_of, tracked
from .node import Node, Saved, stale
from .tape import save


class FunctionContext:
    """What `forward` leaves for `backward`: saved tensors, and any attribute that it sets.

    `needs_input_grad` says, input by input, whether a gradient is asked for.
    """

    def __init__(self, needs_input_grad: tuple[bool, ...]) -> None:
        self.needs_input_grad = needs_input_grad
        self._kept: list[Any] = []  # Saved, or what a saved-tensors hook made of it
        self._outputs: set[int] = set()  # which of them are what forward returned
        self._node: Node | None = None  # while backward runs

    def save_for_backward(self, *tensors: Tensor) -> None:
        """Keep tensors for `backward`: inputs or outputs of `forward`, with the version that they have now."""
        self._kept = [save(x, tracked(x)) for x in tensors]

    @property
    def saved_tensors(self) -> tuple[Tensor, ...]:
        """The tensors that were saved, in the same order.

        Raises:
            GradientError: One was written in place since.
        """
        return tuple(self._opened(i, kept) for i, kept in enumerate(self._kept))

    def _opened(self, i: int, kept: Any) -> Tensor:
        kept = kept if isinstance(kept, Saved) else kept.open()
        if kept.storage.version != kept.version and self._node is not None:
            raise stale(self._node, "ctx", kept.version, kept.storage.version)
        return Tensor(kept.value, self._node if i in self._outputs else kept.node, kept.storage)

    def settle(self, out: Tensor) -> None:
        """A saved output is watched through the tensor that the user holds."""
        for i, kept in enumerate(self._kept):
            if kept.value is out.value:
                kept.storage = storage_of(out)
                self._outputs.add(i)

    def repack(self, parcel: Any) -> None:
        """Replace what was saved by parcels of it."""
        self._kept = [parcel(kept) for kept in self._kept]


class Function:
    """The base of custom differentiable functions. Write `forward` and `backward` as static methods; call `apply`.

    `forward(ctx, *args)` computes one tensor; what it does is not recorded. `backward(ctx, grad_output)` returns one
    gradient per argument of `forward`, None where there is none. It is recorded under `create_graph=True`, so it can be
    differentiated again if it is written with tensors.

    Example:
        >>> import minitorch_lab as ml
        >>> class MultiplyAdd(ml.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x, y, z):
        ...         ctx.save_for_backward(x, y)
        ...         return x * y + z
        ...     @staticmethod
        ...     def backward(ctx, grad_output):
        ...         x, y = ctx.saved_tensors
        ...         return grad_output * y, grad_output * x, grad_output
        >>> x, y, z = (ml.tensor(v, requires_grad=True) for v in (2.0, 3.0, 4.0))
        >>> MultiplyAdd.apply(x, y, z).backward()
        >>> x.grad, y.grad, z.grad
        (tensor(3.), tensor(2.), tensor(1.))
    """

    @staticmethod
    def forward(ctx: FunctionContext, *args: Any) -> Tensor:
        """The value. Every subclass writes its own."""
        raise ArgumentError(
            "A Function without a forward.", "apply() runs it.", "Write @staticmethod def forward(ctx, x)."
        )

    @staticmethod
    def backward(ctx: FunctionContext, grad_output: Tensor) -> Any:
        """One gradient per argument of `forward`. Every subclass writes its own."""
        raise ArgumentError(
            "A Function without a backward.", "A walk has reached it.", "Write @staticmethod def backward(ctx, g)."
        )

    @classmethod
    def apply(cls, *args: Any) -> Tensor:
        """Run `forward` and leave one node on the tape."""
        op: Any = CustomOp(cls, args)
        return stack.get().run(op, args, {})


class CustomOp:
    """One call of a Function, in the shape of an op: the interpreters see no difference."""

    casts, put, rest, stretches = staticmethod(as_given), None, None, False

    def __init__(self, function: type[Function], args: tuple[Any, ...]) -> None:
        needs = tuple(isinstance(a, Tensor) and tracked(a) is not None for a in args)
        self.name, self.function, self.args = function.__name__, function, args
        self.ctx = FunctionContext(needs)
        self.arity = len(args)
        self.dtypes = tuple(getattr(a, "dtype", None) for a in args)
        self.vjp = tuple(Rule(function.backward, (), None) if need else None for need in needs)

    def impl(self, *_: Array) -> Array:
        """Run the user's forward on the user's own tensors, unrecorded."""
        with grad_enabled(False):
            out = self.function.forward(self.ctx, *self.args)
        if not isinstance(out, Tensor):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ArgumentError(
                f"{self.name}.forward returned a {type(out).__name__}.",
                "forward returns one tensor.",
                "Split a function with several results into one Function each.",
            )
        aliased = any(isinstance(a, Tensor) and out.value is a.value for a in self.args)
        self.args = ()  # what backward needs, the context keeps
        return out.value.copy() if aliased else out.value

    def shape(self, *shapes: Shape, **_: Any) -> Shape:
        """Only the user's forward knows."""
        raise ArgumentError(
            f"The shape of {self.name} is not known without running it.",
            "A Function's forward is the user's code.",
            "Run it, and read out.shape.",
        )

    def rules(self, count: int) -> tuple[Rule | None, ...]:
        """Which inputs a gradient flows to."""
        return self.vjp

    def kept(self, tracked: Any) -> tuple[str, ...]:
        """The context keeps what it was asked to keep."""
        return ("ctx",)

    def together(self, node: Node, g: Tensor) -> tuple[Tensor | None, ...]:
        """All gradients at once, from the user's backward, checked.

        Raises:
            GradientError: Their number is not that of forward's arguments.
            ShapeError: One has not the shape of its argument.
        """
        self.ctx._node = node  # pyright: ignore[reportPrivateUsage]
        result = self.function.backward(self.ctx, g)
        self.ctx._node = None  # pyright: ignore[reportPrivateUsage]
        grads = result if isinstance(result, tuple) else (result,)
        if len(grads) != self.arity:
            raise GradientError(
                f"{self.name}.backward returned {len(grads)} gradients.",
                f"forward takes {self.arity} arguments, so backward returns {self.arity}, None where there is none.",
                "Return one value per argument, in the same order.",
            )
        for i, (grad, edge) in enumerate(zip(grads, node.edges, strict=True)):
            if edge is not None and grad is not None and tuple(grad.shape) != edge.shape:
                raise ShapeError(
                    f"{self.name}.backward returned a gradient of shape {tuple(grad.shape)} for argument {i}.",
                    f"That argument has shape {edge.shape}, and so has its gradient.",
                    "Did you forget to sum over an axis that was broadcast?",
                )
        return tuple(
            grad if grad is None or dtype is None or grad.dtype == dtype else cast(grad, dtype=dtype)
            for grad, dtype in zip(grads, self.dtypes, strict=True)
        )
