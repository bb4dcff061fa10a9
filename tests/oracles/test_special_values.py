"""Every op against PyTorch at both zeros, infinities, NaN and the ends of whole numbers: values, signs, gradients.

A rule that is 0 somewhere must select, not multiply: 0 times infinity is NaN. So cotangents are infinite and NaN here.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml
from minitorch_lab.ops import FUNCTIONS
from minitorch_lab.ops.op import OPS, Op
from tests.ops import laws, specials
from tests.oracles.test_ops import TORCH

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore")]

NEAR = {"float32": 1e-5, "float64": 1e-9}
COTANGENTS = (1.0, 0.0, np.inf, -np.inf, np.nan)

# PyTorch's own answer there depends on how many entries there are: its vectors keep the bound, its last entries x.
TIES = {"maximum", "minimum", "clamp_min", "clamp_max", "clamp_between"}
VALUES = {  # and dtype
    ("gelu", "float32"): "PyTorch's vectors give NaN at infinity, its last entries infinity",
    ("hardsigmoid", "int32"): "the counterpart adds 3 to the largest whole number",
    ("hardsigmoid", "int64"): "the counterpart adds 3 to the largest whole number",
    ("hardsigmoid", "uint8"): "the counterpart adds 3 to the largest whole number",
}
# Rules of which PyTorch's is another formula, and why the difference is no fault.
GRADIENT = {
    "copysign": "ours keeps the sign; PyTorch's divides the result by x, which is NaN at infinity",
    "hardsigmoid": "the counterpart is relu6, whose slope at NaN is another",
    "nan_to_num": "PyTorch multiplies by a mask, ours selects",
    "amax": "PyTorch multiplies by a mask; ours selects, as PyTorch's max() does",
    "amin": "PyTorch multiplies by a mask; ours selects, as PyTorch's min() does",
    "median": "the counterpart takes one of equals, as the median along an axis does",
    "std": "the counterpart has no gradient where all entries are equal, for which PyTorch's std has 0",
    "cross_entropy": "softmax less the truth, times g; PyTorch's is two terms, which are two infinities",
    "standardize": "one formula; the counterpart is five ops, each with its own infinities",
    "recurrence": "the counterpart is a loop; where a rate is infinite the order of products shows",
    "prod": "PyTorch divides by the entries where none is 0; ours never divides",
    "cumprod": "PyTorch divides by the entries where none is 0; ours never divides",
    "logcumsumexp": "as a recurrence; PyTorch's subtracts two infinities of its own",
    "scatter_mul": "PyTorch divides by the entries; ours never divides",
    "power_norm": "PyTorch's is three formulas by order",
}
# Second derivatives at points where a first one is infinite or undefined: NaN there, and a number here.
SECOND = {"pow", "logaddexp", "atan2", "hypot", "norm", "logsumexp", "var", "sigmoid", "gelu"}
LINEAR_ALGEBRA = {
    "solve", "solve_triangular", "inv", "det", "det_sign", "logabsdet", "cholesky", "eigh", "qr", "svd", "completion",
    "pinv", "matmul", "linear",
}  # fmt: skip
OTHER = {
    "weights",
    "probabilities",
    "additem",
    "fold",
    "searchsorted",
    "full",
    "arange",
    "one_hot",
    "transfer",
} | laws.RANDOM


def pair(args: list[Any], live: list[int] | tuple[()] = ()) -> tuple[list[Any], list[Any]]:
    """The inputs on both sides, some as leaves."""
    ours = [ml.tensor(a, requires_grad=i in live) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)]
    theirs = [torch.tensor(a, requires_grad=i in live) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)]
    return ours, theirs


def check(got: Any, want: Any, given: list[Any], zeros: bool, what: str) -> None:
    got, want = got.detach().numpy(), want.detach().numpy(force=True)
    wrong = specials.odd(got, want, NEAR.get(str(want.dtype), 0.0), zeros)
    if wrong.any():
        k = tuple(np.argwhere(wrong)[0])
        at = [a[k] if np.shape(a) == wrong.shape else a for a in given]
        raise AssertionError(f"{what} of {at}: {got[k]} for {want[k]}, {wrong.sum()} of {wrong.size}")


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "int64", "uint8"])
@pytest.mark.parametrize("op", [op for op in specials.ENTRYWISE if op.name not in OTHER], ids=lambda op: op.name)
def test_values_entry_by_entry(op: Op, dtype: str) -> None:
    if (op.name, dtype) in VALUES:
        return
    for args, params in specials.entrywise(op, dtype):
        ours, theirs = pair(args)
        try:
            want, got = TORCH[op.name](*theirs, **params), op(*ours, **params)
        except (RuntimeError, TypeError, ml.errors.MinitorchError):  # not for whole numbers, or not by 0
            return
        if dtype.startswith("float") or got.dtype.name == str(want.numpy().dtype):
            check(got, want, args, op.name not in TIES, "value")


def places(op: Op) -> Iterator[tuple[list[Any], dict[str, Any], list[np.ndarray]]]:
    """Inputs, and cotangents of the result that are special somewhere."""
    if op.entrywise:
        for args, params in specials.entrywise(op, "float64", np.array(specials.NUMBERS)):
            yield args, params, [np.full(args[0].shape, u) for u in COTANGENTS]
        return
    for args, params in specials.with_one(op, [np.inf, -0.0]):
        if all(np.size(a) for a in args):
            shape = op.shape(*map(np.shape, args), **params)
            us = [np.full(shape, 0.7) for _ in range(1 + min(4, int(np.prod(shape))))]
            for n, u in enumerate(us[1:]):
                u.flat[(3 * n) % u.size] = (np.inf, np.nan)[n % 2]
            yield args, params, us


def gradients(grad: Any, out: Any, leaves: list[Any], u: Any, **how: Any) -> list[Any]:
    """The gradients of ⟨u, out⟩."""
    return list(grad((out * u).sum(), leaves, allow_unused=True, retain_graph=True, **how))


@pytest.mark.parametrize(
    "op",
    [op for op in OPS.values() if any(op.vjp) and op.name not in {*GRADIENT, *LINEAR_ALGEBRA, *OTHER}],
    ids=lambda op: op.name,
)
def test_gradients(op: Op) -> None:
    for args, params, us in places(op):
        live = laws.moving(op, args)
        if not live:
            continue
        ours, theirs = pair(args, live)
        a, b = op(*ours, **params), TORCH[op.name](*theirs, **params)
        for u in us:
            again = bool(np.isfinite(u).all())
            found = gradients(ml.autograd.grad, a, [ours[i] for i in live], ml.tensor(u), create_graph=True)
            want = gradients(torch.autograd.grad, b, [theirs[i] for i in live], torch.tensor(u), create_graph=True)
            for i, x, y in zip(live, found, want, strict=True):
                check(x, y, [*args, u], False, f"gradient by input {i}")
            if again and op.name not in SECOND:
                second(args, live, (ours, theirs), (found, want))


def second(args: list[Any], live: list[int], leaves: Any, firsts: Any) -> None:
    """The gradients of the sum of the gradients."""
    both = []
    for library, given, first in zip((ml, torch), leaves, firsts, strict=True):
        moving = [g.sum() for g in first if g is not None and g.requires_grad]
        wanted = [given[i] for i in live]
        found = (
            library.autograd.grad(sum(moving), wanted, allow_unused=True, retain_graph=True)
            if moving
            else [None] * len(live)
        )
        both.append([library.zeros_like(x.detach()) if g is None else g for x, g in zip(wanted, found, strict=True)])
    for i, x, y in zip(live, *both, strict=True):
        check(x, y, args, False, f"second derivative by input {i}")


F = {name: getattr(ml.nn.functional, name) for name in (
    "elu", "hardshrink", "hardswish", "hardtanh", "leaky_relu", "relu6", "selu", "softshrink", "threshold", "celu",
)}  # fmt: skip


@pytest.mark.parametrize("name", F)
def test_activations_in_pieces(name: str) -> None:
    x = np.array([n for n in specials.NUMBERS if np.isfinite(n)] + [-7.0, 7.0])
    extra = {"threshold": (0.25, 3.0)}.get(name, ())
    for u in COTANGENTS:
        ours, theirs = pair([x], [0])
        a, b = F[name](ours[0], *extra), getattr(torch.nn.functional, name)(theirs[0], *extra)
        check(a, b, [x], name != "softshrink", "value")  # PyTorch's vectors round it to the other 0
        (got,) = gradients(ml.autograd.grad, a, ours, ml.tensor(np.full(x.shape, u)))
        (want,) = gradients(torch.autograd.grad, b, theirs, torch.tensor(np.full(x.shape, u)))
        check(got, want, [x, u], False, f"gradient for {u}")


STEEP = {
    "sqrt": lambda t, y: y.sqrt(),
    "log": lambda t, y: y.log(),
    "rsqrt": lambda t, y: y.rsqrt(),
    "a power": lambda t, y: y**0.5,
    "a reciprocal": lambda t, y: 1.0 / y,
    "cross-entropy": lambda t, y: t.nn.functional.cross_entropy(y.log().reshape(2, -1), t.tensor([0, 1])),
}
FLAT = {
    "relu": lambda t, x: x.relu(),
    "relu_": lambda t, x: (x * 1).relu_(),
    "clamp": lambda t, x: x.clamp(min=0),
    "clamp by a tensor": lambda t, x: x.clamp(min=t.zeros_like(x)),
    "softshrink": lambda t, x: t.nn.functional.softshrink(x).abs(),
    "hardswish": lambda t, x: t.nn.functional.hardswish(x - 3),
    "where": lambda t, x: t.where(x > 0, x, 0.0),
    "lerp": lambda t, x: t.lerp(t.zeros_like(x), t.ones_like(x), x.relu()),
    "masked_fill": lambda t, x: x.masked_fill(x <= 0, 0.0),
    "tril": lambda t, x: x.abs().reshape(2, 3).tril(),
    "max": lambda t, x: x.max() - x.detach().max(),
}


@pytest.mark.parametrize("steep", STEEP)
@pytest.mark.parametrize("flat", FLAT)
def test_a_steep_function_of_a_flat_one(flat: str, steep: str) -> None:
    found = []
    for library in (ml, torch):
        x = library.tensor([-2.0, -0.5, 0.0, 0.25, 1.0, 2.0], dtype=library.float64, requires_grad=True)
        y = FLAT[flat](library, x)
        out = STEEP[steep](library, y if steep != "cross-entropy" or y.numel() > 1 else y + library.zeros_like(x))
        out.sum().backward()
        found.append(x.grad)
    check(*found, [], False, f"{steep} of {flat}")


def test_the_determinant_of_singular_matrices() -> None:
    matrices = np.array([[[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]], [[2.0, 1.0], [1.0, 3.0]]])
    found = []
    for library in (ml, torch):
        x = library.tensor(matrices, requires_grad=True)
        found.append(library.autograd.grad(library.linalg.det(x).sum(), x)[0])
    check(*found, [], False, "gradient")


# ---- every function of numbers, outside of where it has a value too -------------------------------------------------

POINTS = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 2.5, -2.5, 0.5, -0.5, 2.0, -2.0, 30.0, 170.0, 200.0])
ROOMS: tuple[tuple[str, Any, Any], ...] = (
    ("", ml, torch),
    ("special.", ml.special, torch.special),
    ("nn.functional.", ml.nn.functional, torch.nn.functional),
)
APART = {  # (function, derivative by which input, None for the value): at which entries, and why
    ("digamma", 0): (lambda x: (x < 0) & (x == np.floor(x)), "PyTorch's is what the sine of a rounded pi gives"),
    ("psi", 0): (lambda x: (x < 0) & (x == np.floor(x)), "as digamma"),
    ("log_ndtr", 0): (np.isneginf, "the slope grows without bound; PyTorch's is NaN"),
    ("copysign", 0): (lambda x, y: ~np.isfinite(x), "ours keeps the sign; PyTorch's divides by x"),
    **{(name, None): (lambda x, y: (x == 0) & (y == 0), "as TIES") for name in (*TIES, "clamp", "clip")},
    ("nan_to_num", 0): (np.isnan, "ours selects"),
    ("softshrink", None): (lambda x: (x == 0) | (abs(x) == 0.5), "PyTorch's vectors round it to the other 0"),
    ("gelu", None): (np.isinf, "PyTorch's vectors give NaN there"),
    ("gelu", 0): (np.isinf, "PyTorch's is NaN where the curve is straight"),
}


def slopes(library: Any, fn: Any, entries: list[np.ndarray]) -> list[Any] | None:
    """The values of a function that works entry by entry, and its derivatives; None if it is no such function."""
    leaves = [library.tensor(x, requires_grad=True) for x in entries]
    try:
        out = fn(*leaves)
        if not library.is_tensor(out) or out.shape != leaves[0].shape or not out.requires_grad:
            return None
        found = library.autograd.grad(out.sum(), leaves, allow_unused=True)
        found = [library.zeros_like(x.detach()) if g is None else g for x, g in zip(leaves, found, strict=True)]
        return [np.asarray(x.detach().tolist()) for x in (out, *found)]
    except (RuntimeError, TypeError, ValueError, IndexError, AttributeError, KeyError):
        return None


def shared() -> Iterator[tuple[str, Any, Any, int]]:
    """The functions of one and of two numbers that both libraries have, and whose result is no random one."""
    for room, ours, theirs in ROOMS:
        for name in sorted(set(FUNCTIONS if ours is ml else ours.__all__) & set(dir(theirs))):
            fn, other = getattr(ours, name), getattr(theirs, name)
            if callable(fn) and callable(other):
                for count in (1, 2):
                    yield room + name, fn, other, count


SHARED = list(shared())


def others_matter(found: list[Any], alone: list[Any]) -> bool:
    """Whether it matters to entries which others there are, and in which order."""
    return any(specials.odd(a, b, 1e-9, False).any() for a, b in zip(found, alone, strict=True))


@pytest.mark.parametrize("count", [1, 2])
def test_functions_of_numbers_outside_of_their_domain(count: int) -> None:
    entries = [POINTS] if count == 1 else [np.repeat(POINTS, len(POINTS)), np.tile(POINTS, len(POINTS))]
    some = np.flatnonzero(np.all([np.abs(x) <= 2.5 for x in entries], axis=0))[::-1]
    wrong, tried = {}, 0
    for name, fn, other, arity in SHARED:
        if arity != count:
            continue
        want, back = (slopes(torch, other, x) for x in (entries, [x[some] for x in entries]))
        if want is None or back is None or others_matter([x[some] for x in want], back):
            continue  # it is random, or looks at more than one entry
        got = slopes(ml, fn, entries)
        assert got is not None, name
        tried += 1
        for k, (a, b) in enumerate(zip(got, want, strict=True)):
            places, _ = APART.get((name.rpartition(".")[2], k - 1 if k else None), (None, ""))
            off = specials.odd(a, b, 1e-6, not k) & ~(places(*entries) if places else False)
            if off.any():
                at = int(np.flatnonzero(off)[0])
                wrong[name, k] = [float(x[at]) for x in (*entries, a, b)], int(off.sum())
    assert tried > (60 if count == 1 else 20)
    assert wrong == {}


def unpooled(t: Any, x: Any, *sizes: int) -> Any:
    found, places = t.nn.functional.max_pool1d(x[None], *sizes, return_indices=True)
    return t.nn.functional.max_unpool1d(found, places, *sizes)


def at(t: Any, *places: float) -> Any:
    return (t.tensor(places, dtype=t.float64),)


# Functions of several ops, of a vector of six and what stands beside its entries.
COMPOSED = {
    "fmax": lambda t, x, y: t.fmax(x, y),
    "fmin": lambda t, x, y: t.fmin(x, y),
    "whole steps towards 0": lambda t, x, y: t.div(x, y, rounding_mode="trunc"),
    "whole steps of a number": lambda t, x, y: t.div(x, 2.0, rounding_mode="trunc"),
    "gradient": lambda t, x, y: t.gradient(x)[0],
    "gradient at a distance": lambda t, x, y: t.gradient(x, spacing=0.5, edge_order=2)[0],
    "gradient at places": lambda t, x, y: t.gradient(x, spacing=at(t, 0.0, 1.0, 3.0, 4.0, 7.0, 7.5))[0],
    "logsigmoid": lambda t, x, y: t.nn.functional.logsigmoid(x),
    "max_unpool": lambda t, x, y: unpooled(t, x, 2),
    "max_unpool of windows that overlap": lambda t, x, y: unpooled(t, x, 3, 1),
    "max_pool": lambda t, x, y: t.nn.functional.max_pool1d(x[None], 3, 1, 1),
    "avg_pool": lambda t, x, y: t.nn.functional.avg_pool1d(x[None], 2),
    "adaptive_max_pool": lambda t, x, y: t.nn.functional.adaptive_max_pool1d(x[None], 4),
    "adaptive_avg_pool": lambda t, x, y: t.nn.functional.adaptive_avg_pool1d(x[None], 4),
}
PAIRED = {"fmax", "fmin", "whole steps towards 0"}


@pytest.mark.parametrize("name", COMPOSED)
def test_functions_of_several_ops(name: str) -> None:
    special = [*specials.NUMBERS, np.nan, 800.0, -800.0]
    cases = [(np.array([1.0, x, 3.0, 4.0, 9.0, 2.0]), np.full(6, y)) for x in special for y in special]
    for xs, ys in cases if PAIRED & {name} else cases[:: len(special)]:
        ours, theirs = pair([xs, ys], [0, 1])
        a, b = (COMPOSED[name](t, *given) for t, given in ((ml, ours), (torch, theirs)))
        check(a, b, [xs, ys], name != "adaptive_avg_pool", "value")
        found, want = (
            t.autograd.grad(out.sum(), given, allow_unused=True)
            for t, out, given in ((ml, a, ours), (torch, b, theirs))
        )
        for got, wanted in zip(found, want, strict=True):
            assert (got is None) == (wanted is None)
            if got is not None:
                check(got, wanted, [xs, ys], False, "gradient")
