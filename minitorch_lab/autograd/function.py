"""Function: an op whose forward and backward the user writes, for what the registry does not have."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ..core.interpret import grad_enabled, grad_mode, stack
from ..errors import ArgumentError, GradientError
from ..ops.meant import describe_value
from ..tensors.tensor import Tensor, tracked
from .context import FunctionContext
from .custom import Again, Call, Flat, delivered


class Function:
    """The base of custom differentiable functions. Write `forward` and `backward` as static methods; call `apply`.

    `forward(ctx, *args)` computes a tensor, or a tuple of results; what it does is not recorded. `backward(ctx,
    *grad_outputs)` gets one cotangent per result and returns one gradient per argument of `forward`, None where there
    is none. It is recorded under `create_graph=True`, so it can be differentiated again if it is written with tensors.

    Written in two parts, `forward(*args)` and `setup_context(ctx, inputs, output)`, a Function also works inside
    `grad`, `vjp` and their kin; with `jvp(ctx, *tangents)` inside `jvp`; with `generate_vmap_rule = True`, or a rule
    `vmap(info, in_dims, *args)` of its own, inside `vmap`.

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

    generate_vmap_rule = False
    setup_context: Callable[..., None] | None = None
    jvp: Callable[..., Any] | None = None
    vmap: Callable[..., Any] | None = None

    @staticmethod
    def forward(*args: Any) -> Any:
        """The value. Every subclass writes its own."""
        raise ArgumentError(
            "A Function without a forward.", "apply() runs it.", "Write @staticmethod def forward(ctx, x)."
        )

    @staticmethod
    def backward(ctx: FunctionContext, *grad_outputs: Any) -> Any:
        """One gradient per argument of `forward`. Every subclass writes its own."""
        raise ArgumentError(
            "A Function without a backward.", "A walk has reached it.", "Write @staticmethod def backward(ctx, g)."
        )

    def __call__(self, *args: Any) -> Any:
        """Refused.

        Raises:
            ArgumentError: Always: a Function is applied, not called.
        """
        cls = type(self).__name__
        raise ArgumentError(
            f"A {cls} was called.",
            "A Function is a class of two static methods, and its apply runs them.",
            f"Did you mean {cls}.apply(x)?",
        )

    @classmethod
    def apply(cls, *args: Any) -> Any:
        """Run `forward` and leave one node on the tape."""
        call = Written(cls) if cls.setup_context is None else Split(cls)
        outs = stack.get().custom(call, args)
        return outs[0] if call.single else tuple(outs)


class Written(Call):
    """One call of a Function whose forward fills the context itself."""

    def __init__(self, function: type[Function]) -> None:
        self.name, self.function = function.__name__, function

    def enter(self, transform: str) -> None:
        """Refuse: a transform may run forward at another level than the one that keeps the context."""
        raise ArgumentError(
            f"The Function {self.name} inside {transform}.",
            "Its forward takes ctx, which a transform cannot give it: each level keeps a context of its own.",
            "Write forward(x) and setup_context(ctx, inputs, output) as two methods, or call backward() outside.",
        )

    def run(self, args: Flat) -> list[Any]:
        """The results alone."""
        return self.forward(FunctionContext([False] * len(args)), args, self.run)

    def plain(self, ctx: FunctionContext, args: Flat) -> list[Any]:
        """The results, without history."""
        outs = self.forward(ctx, args, self.run)
        return [x if ctx.is_dirty(x) else delivered(x, None, args) for x in outs]

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """Run the user's forward on the user's own tensors, unrecorded."""
        with grad_enabled(False):
            outs = self.listed(self.function.forward(ctx, *args))
        self.check_dirty(ctx, outs)
        return outs

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """The user's."""
        return self.function.backward(ctx, *grads)

    def listed(self, result: Any) -> list[Any]:
        """What forward returned, as a list.

        Raises:
            ArgumentError: There is no tensor in it.
        """
        self.single = not isinstance(result, tuple)
        outs = [result] if self.single else list(result)
        if not any(isinstance(x, Tensor) for x in outs):
            raise ArgumentError(
                f"{self.name}.forward returned {describe_value(result)} without a tensor.",
                "forward returns a tensor, or a tuple in which some are tensors.",
                "Did you mean return x, y?",
            )
        return outs

    def check_dirty(self, ctx: FunctionContext, outs: list[Any]) -> None:
        """Refuse a forward that keeps to itself what it wrote."""
        if any(not any(x is out for out in outs) for x in ctx.dirty):
            raise GradientError(
                f"{self.name}.forward marked a tensor as dirty and did not return it.",
                "An argument that was written comes from this call now, so it must be one of its results.",
                "Return the tensor itself, or write to x.clone().",
            )


class Split(Written):
    """One call of a Function that computes in `forward` and fills the context in `setup_context`."""

    def enter(self, transform: str) -> None:
        """Welcome: every level sets up a context of its own."""

    def run(self, args: Flat) -> list[Any]:
        """The user's forward, unrecorded."""
        with grad_enabled(False):
            return self.listed(self.function.forward(*args))

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """The results from the level below, and a context at this one."""
        outs = again(args)
        with grad_enabled(False):
            self.remember(ctx, args, outs)
        self.check_dirty(ctx, outs)
        return outs

    def remember(self, ctx: FunctionContext, args: Flat, outs: list[Any]) -> None:
        """Have the user fill the context."""
        assert self.function.setup_context is not None
        self.function.setup_context(ctx, tuple(args), outs[0] if self.single else tuple(outs))

    def batching(self, transform: str) -> Any:
        """The user's own rule for a batch, if there is one.

        Raises:
            ArgumentError: There is none, and it is not said that `forward` and `backward` may be mapped.
        """
        if self.function.vmap is None and not self.function.generate_vmap_rule:
            raise ArgumentError(
                f"The Function {self.name} inside {transform}.",
                "Only its author knows whether forward and backward can run for all examples at once.",
                "Write generate_vmap_rule = True if they are made of ops, or a rule vmap(info, in_dims, *args).",
            )
        return self.function.vmap

    def push(self, args: Flat, tangents: Flat) -> tuple[list[Any], list[Any]]:
        """The results from the level below, and their tangents by the user's jvp.

        Raises:
            ArgumentError: The Function has none.
        """
        if self.function.jvp is None:
            raise ArgumentError(
                f"The Function {self.name} inside jvp.",
                "Its backward pulls cotangents back; forward mode pushes tangents, which takes a rule of its own.",
                "Write @staticmethod def jvp(ctx, *tangents), or use grad or vjp.",
            )
        outs = stack.get().custom(self, args)
        ctx = FunctionContext([t is not None for t in tangents])
        self.remember(ctx, args, outs)
        moved = self.function.jvp(ctx, *tangents)
        return outs, list(moved) if isinstance(moved, tuple) else [moved]


class Once(Function):
    """The identity, with a backward that refuses."""

    generate_vmap_rule = True

    @staticmethod
    def forward(*args: Any) -> Tensor:
        """The first argument; the others only tell the tape what it depends on."""
        return args[0].clone()

    @staticmethod
    def setup_context(ctx: FunctionContext, inputs: Any, output: Any) -> None:
        """Nothing to keep."""

    @staticmethod
    def backward(ctx: FunctionContext, *grad_outputs: Any) -> Any:
        """Refuse."""
        raise GradientError(
            "A second derivative through a backward marked @once_differentiable.",
            "Its author says that it computes outside the tape, so the tape does not know how it changes.",
            "Take first derivatives only, or write that backward with tensors and drop the decorator.",
        )


def once_differentiable(backward: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a Function's `backward` as one that cannot be differentiated: a second derivative becomes an error.

    It then runs unrecorded, so it may use NumPy.

    Example:
        >>> import minitorch_lab as ml
        >>> class Square(ml.autograd.Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     @ml.autograd.once_differentiable
        ...     def backward(ctx, g):
        ...         return g * 2 * ctx.saved_tensors[0]
        >>> x = ml.tensor(3.0, requires_grad=True)
        >>> (slope,) = ml.autograd.grad(Square.apply(x), x, create_graph=True)
        >>> slope.backward()  # doctest: +ELLIPSIS
        Traceback (most recent call last):
        ...
        minitorch_lab.errors.GradientError: A second derivative through a backward marked @once_differentiable...
    """

    @wraps(backward)
    def once(ctx: FunctionContext, *grads: Any) -> Any:
        with grad_enabled(False):
            result = backward(ctx, *grads)
        if not grad_mode.get():
            return result
        inputs = [x for x in (*grads, *ctx.saved_tensors) if isinstance(x, Tensor)]
        sources = [x for x in inputs if x.level or tracked(x) is not None]
        found = result if isinstance(result, tuple) else (result,)
        return tuple(Once.apply(x, *sources) if isinstance(x, Tensor) else x for x in found)

    return once
