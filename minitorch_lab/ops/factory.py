"""Ops that make tensors from nothing: constants, ranges and random numbers."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from ..array import Array, DType, Shape, converted, float32, float_limits, is_float, is_narrow, xp
from ..errors import DTypeError
from .op import Op, Sample


class Generator:
    """The source of random numbers behind `rand` and its kin: NumPy's PCG64, seeded by `manual_seed`."""

    def __init__(self, seed: int | None = None) -> None:
        self.source = xp.random.default_rng(seed)

    def manual_seed(self, seed: int) -> Generator:
        """Start the same sequence of numbers that `seed` always starts."""
        self.source = xp.random.default_rng(seed)
        return self

    def get_state(self) -> dict[str, Any]:
        """Where the sequence stands, as plain values that `ml.save` can write."""
        return deepcopy(dict(self.source.bit_generator.state))

    def set_state(self, state: dict[str, Any]) -> Generator:
        """Go on from where the sequence stood."""
        self.source.bit_generator.state = state
        return self


DEFAULT = Generator()


def nothing(params: dict[str, Any]) -> Any:
    """Samples: no inputs, these parameters, and an empty shape."""
    cases: list[Sample] = [((), params)]
    if "shape" in params:
        cases.append(((), {**params, "shape": (0, 4)}))
    return lambda rng: cases


def factory(name: str, impl: Any, shape: Any, params: dict[str, Any]) -> Op:
    """An op without inputs."""
    return Op(name=name, impl=impl, shape=shape, vjp=(None,), samples=nothing(params), gives="dtype")


def given(*, shape: Shape, **_: Any) -> Shape:
    """The shape is a parameter."""
    return shape


def check_real(name: str, dtype: DType) -> None:
    """Refuse deviates that are to be whole numbers."""
    if not is_float(dtype):
        raise DTypeError(
            f"{name} got dtype={dtype}.", "Its numbers are fractions: the dtype holds floats.", "Did you mean randint?"
        )


def uniform_impl(*, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """Even deviates in [0, 1). Of two bytes they are rounded down, or some would come out as 1.

    Raises:
        DTypeError: The dtype holds no floats.
    """
    check_real("rand", dtype)
    if not is_narrow(dtype):
        return generator.source.random(shape, dtype)
    steps = 2.0 / float(float_limits(dtype).eps)  # so many numbers, evenly apart, lie in [0, 1)
    return converted(xp.floor(generator.source.random(shape, float32) * steps) / steps, dtype)


def normal_impl(*, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """Normal deviates.

    Raises:
        DTypeError: The dtype holds no floats.
    """
    check_real("randn", dtype)
    return converted(generator.source.standard_normal(shape, float32 if is_narrow(dtype) else dtype), dtype)


SAMPLE: dict[str, Any] = {"shape": (3, 4), "dtype": xp.dtype("float64")}
RANDOM: dict[str, Any] = {**SAMPLE, "generator": DEFAULT}

full = factory("full", lambda *, shape, value, dtype: xp.full(shape, value, dtype), given, {**SAMPLE, "value": 2.0})
arange = factory(
    "arange",
    lambda *, start, end, step, dtype: xp.arange(start, end, step).astype(dtype),
    lambda *, start, end, step, dtype: (len(xp.arange(start, end, step)),),
    {"start": 0, "end": 5, "step": 2, "dtype": xp.dtype("int64")},
)
uniform = factory("uniform", uniform_impl, given, RANDOM)
normal = factory("normal", normal_impl, given, RANDOM)
integers = factory(
    "integers",
    lambda *, low, high, shape, dtype, generator: generator.source.integers(low, high, shape).astype(dtype),
    given,
    {**RANDOM, "low": 0, "high": 5},
)
permutation = factory(
    "permutation",
    lambda *, n, dtype, generator: generator.source.permutation(n).astype(dtype),
    lambda *, n, dtype, generator: (n,),
    {"n": 5, "dtype": xp.dtype("int64"), "generator": DEFAULT},
)
