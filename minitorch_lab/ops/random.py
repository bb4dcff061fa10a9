"""Random numbers from keys and counters: entry i of a draw depends on the generator's key and on counter + i alone.

So a shape drawn whole or in parts, in another order, or by several workers holds the same numbers: the idea of JAX.
"""

from __future__ import annotations

from math import pi, prod
from typing import Any

from ..core.array import Array, DType, Shape, int64, xp
from ..core.device import CPU
from ..errors import ArgumentError, DTypeError
from .batching import as_it_is
from .hosted import on_cpu
from .op import Op
from .threefry import Words, count, halves, joined, threefry


def is_state(state: Any) -> bool:
    """Whether this is the state of a generator."""
    if not isinstance(state, dict) or set(state) != {"key", "counter"}:  # pyright: ignore[reportUnknownArgumentType]
        return False
    key: Any = state["key"]
    numbers = [*key, state["counter"]] if isinstance(key, (list, tuple)) else []  # pyright: ignore
    return len(numbers) == 3 and all(isinstance(n, int) and n >= 0 for n in numbers)


class Generator:
    """A key and a counter. Each number that is drawn moves the counter on by one; nothing else is state.

    Args:
        seed: A whole number; equal seeds give equal sequences. Without one, the operating system chooses.
        device: Where the numbers are wanted. They are drawn on the CPU, and are the same everywhere.

    Raises:
        ArgumentError: The seed is no whole number.

    Example:
        >>> import minitorch_lab as ml
        >>> whole = ml.rand(5, generator=Generator(7))
        >>> parts = Generator(7)
        >>> ml.cat([ml.rand(2, generator=parts), ml.rand(3, generator=parts)]).equal(whole)
        True
        >>> ml.rand(2, generator=Generator(7).at(3)).equal(whole[3:])
        True
    """

    __slots__ = ("began", "counter", "key")
    device = CPU

    def __init__(self, seed: Any = None, device: Any = None) -> None:
        seed = None if isinstance(seed, str) else seed  # it is the device, by its place
        self.key: tuple[int, int] = (0, 0)
        self.counter = self.began = 0
        self.manual_seed(xp.random.SeedSequence().entropy % 2**63 if seed is None else seed)  # pyright: ignore

    def manual_seed(self, seed: int) -> Generator:
        """Start the same sequence of numbers that `seed` always starts."""
        self.began = whole("manual_seed", seed)
        self.key, self.counter = halves(self.began), 0
        return self

    def seed(self) -> int:
        """Start a sequence that the operating system chooses. Returns its seed."""
        self.manual_seed(xp.random.SeedSequence().entropy % 2**63)  # pyright: ignore
        return self.began

    def initial_seed(self) -> int:
        """The seed with which the sequence began."""
        return self.began

    # ---- where it stands --------------------------------------------------------------------------------------------
    def get_state(self) -> dict[str, Any]:
        """Where the sequence stands, as plain values that `ml.save` can write."""
        return {"key": list(self.key), "counter": self.counter}

    def set_state(self, state: dict[str, Any]) -> Generator:
        """Go on from where the sequence stood.

        Raises:
            ArgumentError: It is no state of a generator.
        """
        if not is_state(state):
            raise ArgumentError(
                f"set_state got {state!r}.",
                'A state is what get_state() gave: {"key": [two words], "counter": n}, whole numbers from 0 up.',
                "Did you mean manual_seed(seed)?",
            )
        high, low = state["key"]
        self.key, self.counter = (int(high), int(low)), int(state["counter"])
        return self

    def at(self, counter: int) -> Generator:
        """Another generator with this key, at `counter`: a part of the sequence without what comes before it."""
        return derived(self.key, whole("at", counter))

    # ---- other keys -------------------------------------------------------------------------------------------------
    def fold_in(self, data: int) -> Generator:
        """A generator with a key of its own for each whole number: one per worker, layer, step or example.

        It depends on the key of this one, not on its counter, and is JAX's `fold_in`. After deriving others, draw from
        those: the bits of number i are also the key of `fold_in(i)`.
        """
        high, low = threefry(self.key, halves(whole("fold_in", data)))
        return derived((int(high[0]), int(low[0])), 0)

    def split(self, n: int = 2) -> tuple[Generator, ...]:
        """`n` generators whose sequences have nothing to do with each other: `fold_in` of 0 to n-1.

        Example:
            >>> a, b = Generator(0).split()
            >>> a.key != b.key, a.key == Generator(0).split(5)[0].key
            (True, True)
        """
        return tuple(self.fold_in(i) for i in range(n))

    # ---- drawing ----------------------------------------------------------------------------------------------------
    def words(self, shape: Shape) -> tuple[Array, Array]:
        """64 random bits for each entry of `shape`, as two words; the counter moves on."""
        return self.drawn(self.key, shape, shape)

    def words_of(self, keys: Array, shape: Shape) -> tuple[Array, Array]:
        """The same with a sequence for each of `keys`: row i is what `fold_in(keys[i])` has at this counter."""
        keys = xp.asarray(keys)
        apart = threefry(self.key, halves(keys))
        each = tuple(k.reshape((*keys.shape, *(1,) * len(shape))) for k in apart)
        return self.drawn(each, shape, (*keys.shape, *shape))

    def drawn(self, key: Words, shape: Shape, whole_shape: Shape) -> tuple[Array, Array]:
        """The words at the next counters, one for each entry of `shape`."""
        start, self.counter = self.counter, self.counter + prod(shape)
        high, low = threefry(key, count(start, shape))
        return high.reshape(whole_shape), low.reshape(whole_shape)

    def __repr__(self) -> str:
        """Key and counter."""
        return f"Generator(key=({self.key[0]:#010x}, {self.key[1]:#010x}), counter={self.counter})"


def derived(key: tuple[int, int], counter: int) -> Generator:
    """A generator with this key."""
    return Generator(0).set_state({"key": list(key), "counter": counter})


def whole(name: str, number: Any) -> int:
    """The number, if it is whole.

    Raises:
        ArgumentError: It is not.
    """
    if isinstance(number, (int, xp.integer)):
        return int(number)
    raise ArgumentError(
        f"{name} got {number!r}.", "Seeds, keys and counters are whole numbers.", f"Did you mean {name}(0)?"
    )


DEFAULT = Generator()

# ---- from bits to numbers -------------------------------------------------------------------------------------------


DIGITS = {"float64": 53, "float32": 24, "float16": 11, "bfloat16": 8}  # the bits of a number in [0.5, 1)


def check_real(name: str, dtype: DType) -> None:
    """Refuse deviates that are to be whole numbers.

    Raises:
        DTypeError: The dtype holds no floats.
    """
    if dtype.name not in DIGITS:
        raise DTypeError(
            f"{name} got dtype={dtype}.", "Its numbers are fractions: the dtype holds floats.", "Did you mean randint?"
        )


def even(words: tuple[Array, Array], dtype: DType) -> Array:
    """Numbers in [0, 1): as many leading bits as the dtype holds, so float32 is float64 cut short."""
    check_real("rand", dtype)
    digits = DIGITS[dtype.name]
    if digits > 32:
        return (joined(*words) >> xp.uint64(64 - digits)) * 2.0**-digits
    return ((words[0] >> xp.uint32(32 - digits)).astype("float32") * xp.float32(2.0**-digits)).astype(dtype, copy=False)


def bell(words: tuple[Array, Array], dtype: DType) -> Array:
    """Normal deviates, one for each pair of words: a point's distance from the origin, and its angle.

    G. Box and M. Muller, A Note on the Generation of Random Normal Deviates, 1958. No deviate is larger than 6.8.
    """
    check_real("randn", dtype)
    real = xp.float64 if dtype.itemsize == 8 else xp.float32
    distance, angle = ((w.astype(real) + real(0.5)) * real(2.0**-32) for w in words)
    return (xp.sqrt(real(-2) * xp.log(distance)) * xp.cos(real(2 * pi) * angle)).astype(dtype, copy=False)


def uniform_impl(*, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """Even deviates in [0, 1)."""
    return even(generator.words(shape), dtype)


def normal_impl(*, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """Normal deviates."""
    return bell(generator.words(shape), dtype)


def integers_impl(*, low: int, high: int, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """Whole numbers: 64 bits modulo the span, which favours none by more than span/2⁶⁴."""
    span = xp.uint64(high - low)
    return ((joined(*generator.words(shape)) % span).astype(int64) + low).astype(dtype)


def permutation_impl(*, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """The places 0 to n-1 along the last axis, in the order of random words."""
    return xp.argsort(joined(*generator.words(shape)), -1, kind="stable").astype(dtype)


@on_cpu
def keyed_impl(keys: Array, *, shape: Shape, dtype: DType, generator: Generator) -> Array:
    """Even deviates of `shape` for each key."""
    return even(generator.words_of(keys, shape), dtype)


SHAPES: tuple[Shape, ...] = ((3, 4), (0, 4))


def drawn(name: str, impl: Any, **params: Any) -> Op:
    """An op without inputs that draws a shape."""
    given = {"dtype": xp.dtype("float64"), "generator": DEFAULT} | params
    return Op(
        name=name,
        impl=impl,
        shape=lambda *, shape, **_: shape,
        vjp=(None,),
        samples=lambda rng: [((), {"shape": shape, **given}) for shape in SHAPES],
        gives="dtype",
        effect="draws",
    )


uniform = drawn("uniform", uniform_impl)
normal = drawn("normal", normal_impl)
integers = drawn("integers", integers_impl, low=0, high=5, dtype=int64)
permutation = drawn("permutation", permutation_impl, dtype=int64)
keyed_uniform = Op(
    name="keyed_uniform",
    impl=keyed_impl,
    shape=lambda keys, *, shape, **_: (*keys, *shape),
    vjp=(None,),
    samples=lambda rng: [
        ((xp.arange(3),), {"shape": shape, "dtype": xp.dtype("float64"), "generator": DEFAULT}) for shape in SHAPES
    ],
    batch=as_it_is,
    gives="dtype",
    effect="draws",
)
