"""custom_vjp and custom_jvp: functions that bring their own derivative. Names and meaning are JAX's."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from inspect import signature
from typing import Any

from ..autograd.context import FunctionContext
from ..autograd.custom import Again, Call, Flat
from ..autograd.hooks import kind_of
from ..core.array import is_float
from ..core.interpret import grad_mode, stack
from ..errors import ArgumentError, GradientError
from ..ops.front import taught
from ..tensors.tensor import Tensor
from .boxing import as_tensor, zeros
from .reverse import vjp
from .trees import Build, flatten

Fn = Callable[..., Any]


class Custom:
    """A function with a rule of its own. A call hands its arguments, flat, to the interpreter in force."""

    @taught
    def __init__(self, fun: Fn, nondiff_argnums: tuple[int, ...] = ()) -> None:
        self.fun, self.nondiff_argnums = fun, tuple(nondiff_argnums)
        update_wrapper(self, fun)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The value of the function."""
        bound = signature(self.fun).bind(*args, **kwargs)
        bound.apply_defaults()
        call = self.call(Site(self, bound.args))
        outs = stack.get().custom(call, call.site.leaves)
        return call.site.rebuilt(outs)

    def call(self, site: Site) -> Ruled:
        """One call, in the shape that interpreters know. Every subclass has its own."""
        raise NotImplementedError


class Site:
    """One call of a custom function: its arguments taken apart, and how to put them together again."""

    def __init__(self, custom: Custom, args: tuple[Any, ...]) -> None:
        n = len(args)
        fixed = {i % n for i in custom.nondiff_argnums}
        self.fun, self.args, self.fixed = custom.fun, args, fixed
        self.name = getattr(custom.fun, "__name__", "function")
        self.static = tuple(args[i] for i in sorted(fixed))
        self.moving = [i for i in range(n) if i not in fixed]
        flat, self.build = flatten([args[i] for i in self.moving])
        self.leaves = [as_tensor(x) for x in flat]
        self.out: Build | None = None  # how the result is put together, once it is known

    def filled(self, leaves: Flat) -> list[Any]:
        """All arguments, with these leaves in those that can be differentiated."""
        full = list(self.args)
        for i, value in zip(self.moving, self.build(list(leaves)), strict=True):
            full[i] = value
        return full

    def opened(self, result: Any) -> list[Any]:
        """The leaves of a result, whose form is noted."""
        flat, self.out = flatten(result)
        return [as_tensor(x) for x in flat]

    def rebuilt(self, leaves: Flat) -> Any:
        """Leaves in the form of the result."""
        assert self.out is not None
        return self.out(list(leaves))


class Ruled(Call):
    """One call of a custom function."""

    def __init__(self, site: Site, *rules: Fn) -> None:
        self.site, self.rules, self.name = site, rules, site.name

    def run(self, args: Flat) -> list[Any]:
        """The function itself, as if it had no rule."""
        return self.site.opened(self.site.fun(*self.site.filled(args)))


class custom_vjp(Custom):  # noqa: N801 (a decorator, under JAX's name)
    """A function whose reverse rule you write: `defvjp(fwd, bwd)`.

    `fwd` takes the arguments of the function and returns (result, residuals); `bwd(residuals, cotangent)` returns a
    tuple, one cotangent per argument, None for zero. Arguments in `nondiff_argnums` are passed as they are, and come
    first in `bwd`. Arguments and results may be nested. Tensors that the function takes from outside count as
    constants. After JAX's `custom_vjp`.

    Args:
        fun: The function.
        nondiff_argnums: Positions of arguments that are no tensors, such as functions or flags.

    Raises:
        ArgumentError: It is called before `defvjp`, or a rule returned something of another form.
        GradientError: It is called inside `jvp`: there is no rule forward.

    Example:
        >>> import minitorch_lab as ml
        >>> @ml.func.custom_vjp
        ... def clip_gradient(x):
        ...     return x
        >>> clip_gradient.defvjp(lambda x: (x, None), lambda _, g: (g.clamp(-1.0, 1.0),))
        >>> ml.func.grad(lambda x: clip_gradient(x) * 10)(ml.tensor(2.0))
        tensor(1.)
    """

    rules: tuple[Fn, Fn] | None = None

    def defvjp(self, fwd: Fn, bwd: Fn) -> None:
        """Set the rule."""
        self.rules = fwd, bwd

    def call(self, site: Site) -> Ruled:
        """One call."""
        if self.rules is None:
            raise undefined(site.name, "custom_vjp", "defvjp(fwd, bwd)")
        return Pulled(site, *self.rules)


class Pulled(Ruled):
    """One call of a `custom_vjp` function."""

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """Run `fwd`. Where it runs unrecorded, the arguments are kept too: a recorded walk runs it again."""
        outs, residuals = self.fwd(args)
        ctx.recorded = grad_mode.get()
        flat, ctx.build = flatten(residuals)
        ctx.plain = [None if isinstance(x, Tensor) else x for x in flat]
        ctx.save_for_backward(*(x if isinstance(x, Tensor) else None for x in (*flat, *([] if ctx.recorded else args))))
        return outs

    def fwd(self, args: Flat) -> tuple[list[Any], Any]:
        """The results, and the residuals.

        Raises:
            ArgumentError: It returned no pair.
        """
        pair = self.rules[0](*self.site.filled(args))
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise ArgumentError(
                f"The fwd of {self.name} returned {kind_of(pair)}.",
                "fwd returns a pair: the result of the function, and what bwd needs of it.",
                "Did you mean return result, (x, y)?",
            )
        return self.site.opened(pair[0]), pair[1]

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """Run `bwd`."""
        saved: Any = ctx.saved_tensors
        kept, args = saved[: len(ctx.plain)], saved[len(ctx.plain) :]
        if grad_mode.get() and not ctx.recorded:
            residuals = self.fwd(args)[1]
        else:
            residuals = ctx.build([p if x is None else x for x, p in zip(kept, ctx.plain, strict=True)])
        result = self.rules[1](*self.site.static, residuals, self.site.rebuilt(grads))
        return tuple(self.spread(result))

    def spread(self, result: Any) -> list[Any]:
        """The cotangents of all leaves, from one per argument.

        Raises:
            ArgumentError: They have not the form of the arguments.
        """
        parts = self.site.build(list(self.site.leaves))
        if not isinstance(result, tuple) or len(result) != len(parts):
            given = f"{len(result)} values" if isinstance(result, tuple) else kind_of(result)
            raise ArgumentError(
                f"The bwd of {self.name} returned {given} for {len(parts)} arguments.",
                "bwd returns a tuple with one cotangent per argument, None where it is zero.",
                "Did you mean (g * 2,), with a comma?",
            )
        found: list[Any] = []
        for i, (part, given) in enumerate(zip(parts, result, strict=True)):
            leaves = flatten(part)[0]
            grads = [None] * len(leaves) if given is None else [as_tensor(g) for g in flatten(given)[0]]
            if len(grads) != len(leaves):
                raise ArgumentError(
                    f"The bwd of {self.name} returned a cotangent with {len(grads)} tensors for argument {i}.",
                    f"That argument has {len(leaves)}, and its cotangent has the same form.",
                    "Build it as the argument is built: the same keys, the same order.",
                )
            found += grads
        return found

    def push(self, args: Flat, tangents: Flat) -> tuple[list[Any], list[Any]]:
        """Refused."""
        raise GradientError(
            f"jvp of {self.name}, which has a custom_vjp rule.",
            "That rule pulls cotangents back; forward mode pushes tangents, and one does not follow from the other.",
            "Did you mean custom_jvp? It serves both modes.",
        )


class custom_jvp(Custom):  # noqa: N801 (a decorator, under JAX's name)
    """A function whose forward rule you write: `defjvp(rule)`, or `defjvps(...)` with one rule per argument.

    `rule(primals, tangents)` gets two tuples and returns (result, tangent of the result), which is linear in the
    tangents. Reverse mode transposes it. Arguments in `nondiff_argnums` come first in the rule. After JAX's
    `custom_jvp`.

    Args:
        fun: The function.
        nondiff_argnums: Positions of arguments that are no tensors, such as functions or flags.

    Raises:
        ArgumentError: It is called before `defjvp`, or the rule returned something of another form.

    Example:
        >>> import minitorch_lab as ml
        >>> @ml.func.custom_jvp
        ... def log1pexp(x):
        ...     return (1 + x.exp()).log()
        >>> log1pexp.defjvps(lambda t, ans, x: t * x.sigmoid())
        >>> x = ml.tensor(0.0)
        >>> ml.func.jvp(log1pexp, (x,), (ml.tensor(1.0),)), ml.func.grad(log1pexp)(x)
        ((tensor(0.6931), tensor(0.5000)), tensor(0.5000))
    """

    rule: Fn | None = None

    def defjvp(self, jvp: Fn) -> Fn:
        """Set the rule. It is given back, so this is a decorator too."""
        self.rule = jvp
        return jvp

    def defjvps(self, *jvps: Fn | None) -> None:
        """Set one rule per argument, `rule(tangent, result, *primals)`; their sum is the tangent. None is zero."""

        def summed(primals: Any, tangents: Any) -> Any:
            out = self(*primals)
            terms = [rule(t, out, *primals) for rule, t in zip(jvps, tangents, strict=True) if rule is not None]
            return out, sum(terms[1:], terms[0]) if terms else zeros(out)

        self.rule = summed

    def call(self, site: Site) -> Ruled:
        """One call."""
        if self.rule is None:
            raise undefined(site.name, "custom_jvp", "defjvp(rule)")
        return Pushed(site, self.rule)


class Pushed(Ruled):
    """One call of a `custom_jvp` function."""

    def push(self, args: Flat, tangents: Flat) -> tuple[list[Any], list[Any]]:
        """Run the rule.

        Raises:
            ArgumentError: It returned no pair of equal form.
        """
        site = self.site
        moves = [zeros(a) if t is None else t for a, t in zip(args, tangents, strict=True)]
        pair = self.rules[0](*site.static, tuple(site.build(list(args))), tuple(site.build(moves)))
        if not isinstance(pair, tuple) or len(pair) != 2:
            raise self.odd(kind_of(pair))
        outs, moved = site.opened(pair[0]), [as_tensor(t) for t in flatten(pair[1])[0]]
        if [tuple(x.shape) for x in outs] != [tuple(t.shape) for t in moved]:
            raise self.odd(f"tangents of shapes {[tuple(t.shape) for t in moved]}")
        return outs, moved

    def odd(self, given: str) -> ArgumentError:
        """The error of a rule that returned something of another form."""
        return ArgumentError(
            f"The jvp rule of {self.name} returned {given}.",
            "A rule returns a pair: the result, and its tangent, of the same form and shape.",
            "Did you mean return result, tangent?",
        )

    def forward(self, ctx: FunctionContext, args: Flat, again: Again) -> list[Any]:
        """The results; the arguments are all that the way back needs."""
        ctx.save_for_backward(*args)
        return again(args)

    def backward(self, ctx: FunctionContext, grads: Flat) -> Any:
        """The transpose of the rule, which is linear in the tangents: its vjp, taken at zero or anywhere."""
        args = ctx.saved_tensors
        moving = [i for i, a in enumerate(args) if is_float(a.dtype)]

        def pushed(*moves: Any) -> list[Any]:
            tangents = dict(zip(moving, moves, strict=True))
            return self.push(args, [tangents.get(i) for i in range(len(args))])[1]

        _, pull = vjp(pushed, *(zeros(args[i]) for i in moving))
        found = dict(zip(moving, pull(list(grads)), strict=True))
        return tuple(found.get(i) for i in range(len(args)))


def undefined(name: str, kind: str, rule: str) -> ArgumentError:
    """The error of a custom function that was called too early."""
    return ArgumentError(
        f"{name} is a {kind} function without a rule.",
        "The rule says how to differentiate it, and there is none to fall back on.",
        f"Call {name}.{rule} once, after the function is defined.",
    )
