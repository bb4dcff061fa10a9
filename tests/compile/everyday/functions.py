"""Functions made of functions, classes made of fields: functools and dataclasses."""

from __future__ import annotations

import dataclasses
import functools
import operator
from dataclasses import dataclass, field
from functools import partial, partialmethod, reduce, singledispatch, total_ordering, wraps
from typing import Any

import minitorch_lab as ml
from tests.compile.everyday.table import Made, everyday, three, vec


# ---- functools ------------------------------------------------------------------------------------------------------
@everyday
def dispatch_by_type() -> Made:
    @singledispatch
    def scale(s: Any, x: Any) -> Any:
        return x

    @scale.register
    def _(s: float, x: Any) -> Any:
        return x * s

    @scale.register(str)
    def _(s: Any, x: Any) -> Any:
        return x + len(s)

    return (lambda x: scale(2.0, x) + scale("ab", x) + scale(None, x)), three()


@everyday
def dispatch_by_type_of_tensor() -> Made:
    @singledispatch
    def double(x: Any) -> Any:
        return "other"

    @double.register
    def _(x: ml.Tensor) -> Any:
        return x * 2

    @double.register(list)
    def _(x: Any) -> Any:
        return [double(y) for y in x]

    return (lambda x: double([x, [x, 1]])), three()


@everyday
def cached_function() -> Made:
    @functools.cache
    def table(n: int) -> float:
        return sum(i * 0.5 for i in range(n))

    return (lambda x: x * table(4) + table(3)), three()


@everyday
def cached_without_size() -> Made:
    @functools.cache
    def table(n: int) -> float:
        return n * 0.5

    return (lambda x: x * table(len(x))), three()


@everyday
def cached_method_result() -> Made:
    class Net:
        def __init__(self) -> None:
            self.made = 0

        @functools.cached_property
        def scale(self) -> float:
            self.made += 1
            return 2.5

        def __call__(self, x: Any) -> Any:
            return x * self.scale + self.scale

    net = Net()
    return net, three(), lambda: (net.made, net.scale)


@everyday
def cached_tensor() -> Made:
    class Net:
        @functools.cached_property
        def mask(self) -> Any:
            return ml.ones(3, dtype=ml.float64) * 2

        def __call__(self, x: Any) -> Any:
            return x * self.mask

    return Net(), three()


@everyday
def partial_methods() -> Made:
    class Op:
        def power(self, x: Any, n: int) -> Any:
            return x**n

        square = partialmethod(power, n=2)
        cube = partialmethod(power, n=3)

    op = Op()
    return (lambda x: op.square(x) + op.cube(x)), three()


@everyday
def partial_functions() -> Made:
    def affine(x: Any, a: float, b: float = 0.0) -> Any:
        return x * a + b

    half = partial(affine, a=0.5)
    return (lambda x: half(x) + partial(affine, b=2.0)(x, 3.0) + half(x, b=1.0)), three()


@everyday
def wrapped_function() -> Made:
    def twice(f: Any) -> Any:
        @wraps(f)
        def run(*args: Any, **kwargs: Any) -> Any:
            return f(*args, **kwargs) * 2

        return run

    @twice
    def g(x: Any, k: float = 1.0) -> Any:
        return x * k

    return (lambda x: g(x, k=3.0)), three()


@everyday
def decorates_inside() -> Made:
    def f(x: Any) -> Any:
        def logged(g: Any) -> Any:
            @wraps(g)
            def run(y: Any) -> Any:
                return g(y) + 1

            return run

        @logged
        def h(y: Any) -> Any:
            """Doc."""
            return y * 2

        return h(x), h.__name__, h.__doc__

    return f, three()


@everyday
def reduced() -> Made:
    return (lambda x: (reduce(operator.mul, [x, x + 1, x + 2]), reduce(lambda a, b: a * b, (2, 3), 1))), three()


@everyday
def ordered_class() -> Made:
    @total_ordering
    class Level:
        def __init__(self, n: int) -> None:
            self.n = n

        def __eq__(self, other: Any) -> bool:
            return self.n == other.n

        def __lt__(self, other: Any) -> bool:
            return self.n < other.n

    a, b = Level(1), Level(2)
    return (lambda x: x * (a <= b) + (a >= b) + (a != b) + (a > b)), three()


@everyday
def compares_by_function() -> Made:
    return (lambda x: [x * n for n in sorted([3, 1, 2], key=functools.cmp_to_key(lambda a, b: b - a))]), three()


# ---- dataclasses ----------------------------------------------------------------------------------------------------
@dataclass
class Config:
    lr: float = 0.1
    layers: tuple[int, ...] = (3, 4)
    name: str = "net"
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Frozen:
    scale: float
    shift: float = 1.0

    def __post_init__(self) -> None:
        if self.scale < 0:
            raise ValueError("negative scale")

    @property
    def both(self) -> float:
        return self.scale + self.shift


@dataclass(slots=True, order=True)
class Slotted:
    n: int
    x: Any = field(default=None, compare=False)


@dataclass
class Output:
    loss: Any
    logits: Any = None


CONFIG = Config()


@everyday
def replaces_a_field() -> Made:
    def f(x: Any) -> Any:
        c = dataclasses.replace(CONFIG, lr=0.5)
        return x * c.lr + CONFIG.lr, c.name

    return f, three()


@everyday
def replaces_in_frozen() -> Made:
    return (lambda x: x * dataclasses.replace(Frozen(2.0), shift=3.0).both), three()


@everyday
def returns_a_dataclass() -> Made:
    return (lambda x: Output(loss=x.sum(), logits=x * 2)), three()


@everyday
def dataclass_with_factory() -> Made:
    def f(x: Any) -> Any:
        c = Config(lr=0.3)
        c.extra["x"] = x * c.lr
        return c

    return f, three()


@everyday
def fields_of_a_dataclass() -> Made:
    def f(x: Any) -> Any:
        names = [g.name for g in dataclasses.fields(CONFIG)]
        return x * len(names), names, dataclasses.is_dataclass(CONFIG)

    return f, three()


@everyday
def dataclass_as_dict() -> Made:
    def f(x: Any) -> Any:
        d = dataclasses.asdict(CONFIG)
        return x * d["lr"], sorted(d), dataclasses.astuple(Frozen(1.0))

    return f, three()


@everyday
def invalid_dataclass() -> Made:
    def f(x: Any) -> Any:
        try:
            Frozen(-1.0)
        except ValueError as error:
            return x, str(error)
        return None

    return f, three()


@everyday
def frozen_is_refused() -> Made:
    frozen = Frozen(1.0)

    def f(x: Any) -> Any:
        try:
            frozen.scale = 2.0  # type: ignore[misc]
        except dataclasses.FrozenInstanceError as error:
            return x, str(error)
        return None

    return f, three()


@everyday
def dataclass_equality() -> Made:
    return (
        lambda x: x * (Frozen(1.0) == Frozen(1.0)) + (Frozen(1.0) != Frozen(2.0)) + (Slotted(1) < Slotted(2))
    ), three()


@everyday
def dataclass_as_argument() -> Made:
    def f(out: Any, scale: float = 1.0) -> Any:
        out.loss = out.loss * scale
        return out

    return f, [(Output(vec(1.0)), 2.0), (Output(vec(2.0)), 3.0), (Output(vec(3.0), vec(1.0)), 4.0)]
