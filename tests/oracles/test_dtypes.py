"""Element types against PyTorch: where every pair of operands meets, what is refused, and every op in every dtype."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml
from minitorch_lab.core.array import DTYPES, is_float
from minitorch_lab.errors import DTypeError
from minitorch_lab.ops.op import Op
from tests.ops import laws, widths
from tests.ops.test_widths import NARROW, SAMPLES
from tests.oracles.test_ops import TORCH

pytestmark = pytest.mark.oracle

WHOLE = ("int8", "int16", "int32", "int64", "uint8")
ENTRIES = {**{name: [1.5, 3.0] for name in widths.FLOATS}, **{name: [100, 3] for name in WHOLE}, "bool": [True, False]}
ROUNDING = {
    "float16": 2**-10,
    "bfloat16": 2**-7,
    "float32": 2**-22,
    "float64": 2**-51,
}  # one unit in the last place, or
# two: PyTorch divides a number by a tensor in two steps, and powers of float32 differ from library to library
NUMBERS = (True, 7, 0.3)
Made = tuple[str, Any, Any]  # what it is, ours, PyTorch's


def theirs(dtype: str) -> torch.dtype:
    return getattr(torch, dtype)


def pair(entries: Any, dtype: str) -> tuple[Any, Any]:
    return ml.tensor(entries, dtype=dtype), torch.tensor(entries, dtype=theirs(dtype))


def tensors(entries: dict[str, list[Any]] = ENTRIES) -> list[Made]:
    """Each dtype with an axis and without."""
    return [
        (f"{dtype}{'[2]' if axes else '[]'}", *pair(found if axes else found[0], dtype))
        for dtype, found in entries.items()
        for axes in (True, False)
    ]


def operands(entries: dict[str, list[Any]] = ENTRIES) -> Iterator[tuple[Made, Made]]:
    """Every pair of which at least one is a tensor."""
    left, numbers = tensors(), [(repr(n), n, n) for n in NUMBERS]
    right = tensors(entries)
    yield from ((a, b) for a in left for b in (*right, *numbers))
    yield from ((a, b) for a in numbers for b in right)


def outcome(op: Callable[..., Any], *args: Any, refusal: type[Exception]) -> Any:
    try:
        return op(*args)
    except refusal:
        return None


def told(ours: Any, other: Any) -> str | None:
    """What differs, in words."""
    if (ours is None) != (other is None):
        return f"{'refused' if ours is None else ours.dtype.name} against {'refused' if other is None else other.dtype}"
    if ours is None:
        return None
    if f"torch.{ours.dtype.name}" != str(other.dtype):
        return f"{ours.dtype.name} against {other.dtype}"
    rtol = ROUNDING[ours.dtype.name] if is_float(ours.dtype) else 0.0
    if not np.allclose(ours.tolist(), other.tolist(), rtol=rtol, atol=0.0, equal_nan=True):
        return f"{ours.tolist()} against {other.tolist()}"
    return None


OPERATORS = ("add", "sub", "mul", "truediv", "pow", "eq", "ne", "lt", "le", "gt", "ge")
TWO_TENSORS = ("maximum", "minimum", "logical_and", "logical_or")  # PyTorch takes no numbers here
SMALL = {**{name: [0.5, 2.0] for name in widths.FLOATS}, **{name: [2, 3] for name in WHOLE}, "bool": [True, False]}


def mistakes(op: Callable[..., Any], other: Callable[..., Any], pairs: Any) -> list[str]:
    """Where the two differ, over all pairs."""
    wrong = []
    with np.errstate(all="ignore"):
        for (a, x, p), (b, y, q) in pairs:
            problem = told(outcome(op, x, y, refusal=DTypeError), outcome(other, p, q, refusal=RuntimeError))
            wrong += [f"{a}, {b}: {problem}"] if problem else []
    return wrong


def allowed(name: str, pairs: Any) -> list[tuple[Made, Made]]:
    """The pairs without our two differences: here x - True is x - 1, and truth values have no powers."""
    odd = name.lstrip("i") in ("sub", "pow")
    return [(a, b) for a, b in pairs if not (odd and "True" in (a[0], b[0]))]


@pytest.mark.parametrize("name", OPERATORS)
def test_every_pair_meets_where_it_does_in_torch(name: str) -> None:
    op = getattr(operator, name)
    assert mistakes(op, op, allowed(name, operands(SMALL if name == "pow" else ENTRIES))) == []


STEPS = ("floor_divide", "remainder", "fmod")
DIVISORS = {**SMALL, "bool": [True, True]}
PAIRED = ("copysign", "ldexp", "logaddexp2", "heaviside", "xlogy", "clamp_min", "clamp_max", "lerp")


@pytest.mark.parametrize("name", STEPS)
def test_every_pair_divides_by_whole_steps_where_it_does_in_torch(name: str) -> None:
    pairs = [(a, b) for a, b in operands(DIVISORS) if hasattr(a[1], "dtype")]
    pairs = [(a, b) for a, b in pairs if not {a[0][:7], b[0][:7]} & {"float16", "bfloat1"}]  # they round to other steps
    pairs = [(a, b) for a, b in pairs if b[0] != "0.3"]
    assert len(pairs) > 250
    assert mistakes(getattr(ml, name), getattr(torch, name), pairs) == []


@pytest.mark.filterwarnings("ignore:An output with one")  # PyTorch's own, of ldexp
@pytest.mark.parametrize("name", PAIRED)
def test_every_pair_of_floats_and_whole_numbers_meets_where_it_does_in_torch(name: str) -> None:
    ours, other = getattr(ml, name), getattr(torch, name)
    more = (0.25,) if name == "lerp" else ()
    pairs = [(a, b) for a, b in operands(SMALL) if hasattr(a[1], "dtype") and hasattr(b[1], "dtype")]
    pairs = [(a, b) for a, b in pairs if name != "ldexp" or not is_float(b[1].dtype)]  # exponents are whole
    found = {}
    for (a, x, p), (b, y, q) in pairs:
        got = outcome(ours, x, y, *more, refusal=DTypeError)
        want = outcome(other, p, q, *more, refusal=RuntimeError)
        if name in (*widths.NO_KERNEL, "ldexp") and want is None:  # ours take whole numbers too, and truth values
            continue
        if (got is None) != (want is None) or (got is not None and f"torch.{got.dtype.name}" != str(want.dtype)):
            found[a, b] = told(got, want)
        elif got is not None:
            rtol = 8 * ROUNDING[got.dtype.name] if is_float(got.dtype) else 0.0
            np.testing.assert_allclose(got.tolist(), want.tolist(), rtol=rtol, atol=rtol)
    assert found == {}


@pytest.mark.parametrize("name", ["addcmul", "addcdiv", "lerp"])
def test_every_three_meet_where_they_do_in_torch(name: str) -> None:
    wrong = []
    for dtypes in product(("float32", "float64", "int64", "uint8", "bool"), repeat=3):
        given = [pair(SMALL[dtype], dtype) for dtype in dtypes]
        ours = outcome(getattr(ml, name), *(a for a, _ in given), refusal=DTypeError)
        other = outcome(getattr(torch, name), *(b for _, b in given), refusal=RuntimeError)
        if problem := told(ours, other):
            wrong.append(f"{dtypes}: {problem}")
    assert wrong == []


@pytest.mark.parametrize("name", ["frac", "sign", "sgn", "floor", "relu", "abs"])
def test_whole_numbers_and_truth_values_are_taken_where_they_are_in_torch(name: str) -> None:
    for dtype in ("int64", "uint8", "bool"):
        x, y = pair(SMALL[dtype], dtype)
        ours, other = (outcome(getattr(t, name), given, refusal=RuntimeError) for t, given in ((ml, x), (torch, y)))
        assert told(ours, other) is None, dtype


@pytest.mark.parametrize("name", TWO_TENSORS)
def test_every_pair_of_tensors_meets_where_it_does_in_torch(name: str) -> None:
    pairs = [(a, b) for a, b in operands() if hasattr(a[1], "dtype") and hasattr(b[1], "dtype")]
    assert mistakes(getattr(ml, name), getattr(torch, name), pairs) == []


def test_the_branches_of_where_meet_where_they_do_in_torch() -> None:
    ours, other = pair([True, False], "bool")
    assert mistakes(lambda x, y: ml.where(ours, x, y), lambda x, y: torch.where(other, x, y), operands()) == []


@pytest.mark.parametrize("name", ["iadd", "isub", "imul", "itruediv", "ipow"])
def test_what_may_be_written_in_place_is_what_may_be_in_torch(name: str) -> None:
    op = getattr(operator, name)
    pairs = [(a, b) for a, b in operands(SMALL if name == "ipow" else ENTRIES) if hasattr(a[1], "dtype")]
    pairs = [(a, b) for a, b in pairs if len(a[1].shape) >= len(getattr(b[1], "shape", ()))]
    assert mistakes(lambda x, y: op(x.clone(), y), lambda x, y: op(x.clone(), y), allowed(name, pairs)) == []


def test_result_type_promote_types_and_can_cast() -> None:
    for (a, x, p), (b, y, q) in operands():
        assert f"torch.{ml.result_type(x, y).name}" == str(torch.result_type(p, q)), (a, b)
    for a in DTYPES:
        for b in DTYPES:
            assert f"torch.{ml.promote_types(a, b).name}" == str(torch.promote_types(theirs(a), theirs(b)))
            assert ml.can_cast(a, b) == torch.can_cast(theirs(a), theirs(b)), (a, b)


# ---- every op -------------------------------------------------------------------------------------------------------


def both(op: Op, args: list[Any], params: dict[str, Any]) -> tuple[list[Any], Any, list[Any], Any]:
    """The leaves and the result, here and in PyTorch."""
    live, ours = laws.moving(op, args), laws.tensors(op, args, True)
    other = [as_torch(a).requires_grad_(i in live) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)]
    return ours, op(*ours, **params), other, TORCH[op.name](*other, **params)


def as_torch(a: np.ndarray) -> torch.Tensor:
    return torch.tensor(a.tolist(), dtype=theirs(a.dtype.name)).reshape(a.shape)


def near(ours: Any, other: torch.Tensor, tolerance: tuple[float, float]) -> None:
    assert f"torch.{ours.dtype.name}" == str(other.dtype)
    other = other.detach()
    widths.close(ours.detach().value, (other.double() if other.is_floating_point() else other).numpy(), tolerance)


@pytest.mark.filterwarnings("ignore:var")
@pytest.mark.parametrize("dtype", widths.NARROW)
@pytest.mark.parametrize(("op", "args", "params"), NARROW)
def test_every_op_on_two_bytes(op: Op, args: Any, params: dict[str, Any], dtype: str) -> None:
    given = laws.inputs(args, dtype)
    a, ours, b, other = both(op, given, params)
    rtol, atol = widths.GRADIENT[dtype]  # where torch's counterpart here is made of parts, each part rounds
    near(ours, other, (rtol, atol))
    live = laws.moving(op, given)
    if not live:
        return
    u = widths.cotangent(np.zeros(ours.shape), dtype).astype(ours.dtype)
    ours.backward(ml.tensor(u))
    found = torch.autograd.grad(other, [b[i] for i in live], as_torch(u))
    for i, g in zip(live, found, strict=True):
        near(a[i].grad, g, (4 * rtol, 4 * atol))


def with_kernels(case: Any) -> bool:
    op, args, params = case.values
    with np.errstate(all="ignore"):
        return op.name not in widths.NO_KERNEL and not widths.only_floats(op, args, params)


@pytest.mark.filterwarnings("ignore:divide by zero", "ignore:invalid value")
@pytest.mark.parametrize("dtype", WHOLE)
@pytest.mark.parametrize(("op", "args", "params"), list(filter(with_kernels, SAMPLES)))
def test_every_op_on_whole_numbers(op: Op, args: Any, params: dict[str, Any], dtype: str) -> None:
    given, fixed = widths.whole_samples(op, args, params, dtype)
    _, ours, _, other = both(op, given, fixed)
    if op.name in ("any", "all"):  # which PyTorch answers in uint8 for uint8, and for that alone
        other = other.bool()
    near(ours, other, (1e-6, 0.0))


# ---- functions made of several ops ----------------------------------------------------------------------------------

F, G = ml.nn.functional, torch.nn.functional
FUNCTIONS: dict[str, tuple[tuple[int, ...], ...]] = {
    "layer_norm": ((3, 8), (8,), (8,)),
    "rms_norm": ((3, 8), (8,)),
    "group_norm": ((2, 4, 5), (4,), (4,)),
    "batch_norm": ((5, 4), (4,), (4,)),
    "scaled_dot_product_attention": ((2, 5, 4), (2, 6, 4), (2, 6, 4)),
    "conv2d": ((2, 3, 6, 6), (4, 3, 3, 3), (4,)),
    "conv_transpose1d": ((2, 3, 6), (3, 4, 3), (4,)),
    "max_pool2d": ((2, 3, 6, 6),),
    "avg_pool1d": ((2, 3, 6),),
    "linear": ((3, 8), (5, 8), (5,)),
    "gelu": ((3, 8),),
    "cross_entropy": ((4, 5), (4, 5)),
}


def called(lib: Any, name: str, xs: list[Any]) -> Any:
    """The function under the name that both have, with what it needs besides tensors."""
    x, *rest = xs
    match name:
        case "layer_norm" | "rms_norm":
            return getattr(lib, name)(x, (8,), *rest)
        case "group_norm":
            return lib.group_norm(x, 2, *rest)
        case "batch_norm":
            return lib.batch_norm(x, None, None, *rest, True)
        case "max_pool2d" | "avg_pool1d":
            return getattr(lib, name)(x, 2)
        case "cross_entropy":
            return lib.cross_entropy(x, rest[0].softmax(1))
    return getattr(lib, name)(*xs)


@pytest.mark.parametrize("dtype", widths.NARROW)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_several_ops_on_two_bytes(name: str, dtype: str) -> None:
    rng = np.random.default_rng(0)
    arrays = [rng.normal(size=shape).astype(dtype) for shape in FUNCTIONS[name]]
    ours, other = [ml.tensor(a, requires_grad=True) for a in arrays], [as_torch(a).requires_grad_() for a in arrays]
    a, b = called(F, name, ours), called(G, name, other)
    rtol, atol = widths.GRADIENT[dtype]
    near(a, b, (2 * rtol, 2 * atol))
    u = widths.cotangent(np.zeros(a.shape), dtype)
    a.backward(ml.tensor(u))
    b.backward(as_torch(u))
    for x, y in zip(ours, other, strict=True):
        near(x.grad, y.grad, (8 * rtol, 8 * atol))


@pytest.mark.parametrize("dtype", DTYPES)
def test_casts_between_all_dtypes(dtype: str) -> None:
    with np.errstate(all="ignore"):
        for entries in ([300.7, -1.5, 0.0], [70000, -3, 0], [True, False, True]):
            ours, other = ml.tensor(entries).to(dtype), torch.tensor(entries).to(theirs(dtype))
            assert ours.tolist() == other.tolist()
            for second in DTYPES:
                assert ours.to(second).tolist() == other.to(theirs(second)).tolist(), (entries, second)


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_gradient_passes_a_cast_where_it_does_in_torch(dtype: str) -> None:
    entries = [2.5, -1.25, 0.0]
    ours, other = ml.tensor(entries, requires_grad=True), torch.tensor(entries, requires_grad=True)
    a, b = ours.to(dtype), other.to(theirs(dtype))
    assert a.requires_grad == b.requires_grad
    (a.float() * ours).sum().backward()
    (b.float() * other).sum().backward()
    assert ours.grad.tolist() == other.grad.tolist()


@pytest.mark.parametrize("dtype", widths.FLOATS)
def test_finfo(dtype: str) -> None:
    ours, other = ml.finfo(dtype), torch.finfo(theirs(dtype))
    for name in ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution"):
        assert getattr(ours, name) == pytest.approx(getattr(other, name), rel=1e-15), name


@pytest.mark.parametrize("dtype", WHOLE)
def test_iinfo(dtype: str) -> None:
    ours, other = ml.iinfo(dtype), torch.iinfo(theirs(dtype))
    assert (ours.bits, ours.min, ours.max) == (other.bits, other.min, other.max)


@pytest.mark.parametrize("entries", [[1.5, 2.0], [0.1], 1.0, [1e4, 0.1], [1.0, 2.0], [6.1e-5, 1.0]])
@pytest.mark.parametrize("dtype", widths.NARROW)
def test_two_bytes_print_as_in_torch(entries: Any, dtype: str) -> None:
    ours, other = pair(entries, dtype)
    assert repr(ours) == repr(other).replace("torch.", "")
