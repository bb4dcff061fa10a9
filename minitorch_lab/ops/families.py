"""Families of ops. What follows from the kind of an op is worked out here, once; a member is a few lines."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from inspect import Parameter, signature
from operator import add
from typing import Any

from ..core.array import Array, DType, Shape, bool_, default_dtype, int64, is_float, promote, xp
from ..errors import DTypeError, ShapeError
from .axes import together
from .batching import aligned
from .op import OPS, Op, Rule, Sample, names, only, rule

Pull = Callable[..., Any]


# ---- dtypes: where the inputs of an op meet -----------------------------------------------------------------------


def promoted(*operands: Any) -> DType:
    """Inputs meet in PyTorch's promoted dtype."""
    return promote(*operands)


def floating(*operands: Any) -> DType:
    """As `promoted`, and integers become float32: for functions whose values are real numbers."""
    dtype = promote(*operands)
    return dtype if is_float(dtype) else default_dtype()


def added_up(x: Any) -> DType:
    """Sums and products of integers and truth values are int64; of floats they keep the dtype."""
    return x.dtype if is_float(x.dtype) else int64


def numeric(name: str, instead: str) -> Callable[..., DType]:
    """As `promoted`, for ops that mean nothing for truth values; `instead` is what was probably meant."""

    def meet(*operands: Any) -> DType:
        if any(getattr(x, "dtype", None) == bool_ for x in operands):
            raise DTypeError(f"{name} got truth values.", f"{name} is defined for numbers.", f"Did you mean {instead}?")
        return promote(*operands)

    return meet


def counted(name: str, instead: str) -> Callable[..., DType]:
    """As `promoted`, for ops that mean nothing where all inputs are truth values; beside numbers those are 0 and 1."""

    def meet(*operands: Any) -> DType:
        dtype = promote(*operands)
        if dtype == bool_:
            raise DTypeError(f"{name} got truth values.", f"{name} is defined for numbers.", f"Did you mean {instead}?")
        return dtype

    return meet


def only_floats(name: str) -> Callable[..., None]:
    """The dtype rule of ops that mean nothing for integers (the mean of integers is not an integer)."""

    def check(x: Array, *rest: Any) -> None:
        if not is_float(x.dtype):
            raise DTypeError(
                f"{name} got a tensor of dtype {x.dtype}.",
                f"{name} is defined for floats.",
                f"Did you mean x.float().{name}(...)?",
            )

    return check


# ---- shapes -------------------------------------------------------------------------------------------------------


def same_shape(shape: Shape, *_: Any, **__: Any) -> Shape:
    """The result has the shape of the first input."""
    return shape


def broadcast(name: str) -> Callable[..., Shape]:
    """The shape rule of ops that stretch axes of length 1."""

    def shape(*shapes: Shape, **_: Any) -> Shape:
        try:
            return together(*shapes)
        except ShapeError:
            a, b = next((a, b) for a in shapes for b in shapes if not fits(a, b))
            hint = ""
            if len(shapes) == 2:  # the names of the operands are known
                tall = next((k for k, s in enumerate(shapes) if len(s) == 1 and shapes[1 - k][-2:-1] == s), None)
                hint = "" if tall is None else f"Did you mean {'xy'[tall]}.reshape({shapes[tall][0]}, 1)?"
            raise ShapeError(
                f"{name} cannot combine the shapes {a} and {b}.",
                "Axes are matched from the right; two lengths fit if they are equal or one of them is 1.",
                hint or "Compare the shapes axis by axis; unsqueeze() adds an axis of length 1.",
            ) from None

    return shape


def fits(a: Shape, b: Shape) -> bool:
    """Whether two shapes broadcast."""
    return all(m == n or 1 in (m, n) for m, n in zip(a[::-1], b[::-1], strict=False))


# ---- elementwise --------------------------------------------------------------------------------------------------


def reals(*shapes: Shape) -> Callable[[Any], list[Sample]]:
    """Samples: normal deviates of `shapes`, and a batch of none of them."""

    def samples(rng: Any) -> list[Sample]:
        empty = [(0, *s[1:]) if len(s) == len(shapes[0]) else s for s in shapes]
        return [(tuple(rng.normal(size=s) for s in shape), {}) for shape in (shapes, empty)]

    return samples


def between(low: float, high: float) -> Callable[[Any], list[Sample]]:
    """Samples: one input, evenly drawn between `low` and `high`."""
    return lambda rng: [((rng.uniform(low, high, (3, 4)),), {}), ((rng.uniform(low, high, (0, 4)),), {})]


def distinct(rng: Any) -> list[Sample]:
    """Samples: one input with distinct entries, none of them at a kink (0) and none tied."""
    return [((rng.permutation(12).reshape(3, 4) * 0.3 - 1.0,), {}), ((xp.zeros((0, 4)),), {})]


def elementwise(
    name: str,
    impl: Callable[..., Array],
    *,
    partials: tuple[Pull | None, ...] = (),
    vjp: tuple[Pull | None, ...] = (),
    samples: Callable[[Any], list[Sample]] | None = None,
    casts: Callable[..., DType | None] = promoted,
    **facts: Any,
) -> Op:
    """An op that works entry by entry, its inputs broadcast against each other. `facts` are further fields of `Op`.

    `partials[i]` is the derivative of an output entry by the same entry of input i, and the rule is g times that;
    where g enters otherwise, `vjp[i]` gives the whole rule.
    """
    rules = tuple(map(rule, vjp)) if vjp else tuple(map(scaled, partials))
    arity = len(rules)
    shapes = ((3, 4), (4,), (3, 1))[:arity]
    types = getattr(impl, "types", ())  # of a NumPy function: what it makes of what
    return Op(
        name=name,
        impl=impl,
        shape=broadcast(name),
        vjp=rules,
        samples=samples or reals(*shapes),
        casts=casts,
        jvp=by_rules,
        batch=aligned,
        stretches=arity > 1,
        entrywise=True,
        gives=bool_ if "dd->?" in types or "d->?" in types else None,
        **facts,
    )


def by_rules(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
    """The jvp of an entry-by-entry op: its rules multiply by the same derivatives, whichever way they are used."""
    named = dict(zip(("x", "y", "z"), args, strict=False), out=out)
    terms = [
        r.pull(t, *[named[w] for w in r.wants], **params)
        for t, r in zip(tangents, op.vjp, strict=True)
        if t is not None and r is not None
    ]
    return reduce(add, terms) if terms else None


def scaled(partial: Pull | None) -> Rule | None:
    """The rule g · partial."""
    if partial is None:
        return None
    wants = tuple(names(partial))
    keywords = any(
        p.kind in (Parameter.KEYWORD_ONLY, Parameter.VAR_KEYWORD) for p in signature(partial).parameters.values()
    )
    if len(wants) == 1 and not keywords:
        return Rule(lambda g, kept: g * partial(kept), wants, only(wants))
    return Rule(lambda g, *kept, **params: g * partial(*kept, **params), wants, None)


def nothing(g: Any) -> Any:
    """The rule of a function that is flat wherever it has a slope: a gradient of zeros, as in PyTorch."""
    return OPS["where"](False, g, 0.0)


# ---- linear in the first input ------------------------------------------------------------------------------------


def linear(
    name: str,
    impl: Callable[..., Array],
    *,
    shape: Callable[..., Shape],
    vjp: Pull,
    samples: Callable[[Any], list[Sample]],
    batch: Callable[..., Any],
    jvp: Callable[..., Any] | None = None,
    rest: int | None = None,
    **facts: Any,
) -> Op:
    """An op that moves, copies or adds up entries of its first input. Further inputs are indices."""
    rules = (rule(vjp),) if rest is None else (rule(vjp), None)
    return Op(
        name=name,
        impl=impl,
        shape=shape,
        vjp=rules,
        samples=samples,
        rest=rest,
        batch=batch,
        jvp=jvp or by_itself,
        **facts,
    )


def by_itself(op: Op, tangents: list[Any], args: list[Any], out: Any, params: dict[str, Any]) -> Any:
    """The jvp of a linear op: the op."""
    return None if tangents[0] is None else op(tangents[0], *args[1:], **params)
