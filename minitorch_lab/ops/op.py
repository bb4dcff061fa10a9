"""The Op record: everything that is true of one op, in one place."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from inspect import Parameter, signature
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeAlias

from ..core.array import Array, DType, Shape, is_float
from ..core.interpret import stack
from ..errors import ArgumentError
from .prose import PLAIN, Prose
from .word import WORDS, Word

Sample: TypeAlias = tuple[tuple[Any, ...], dict[str, Any]]

OPS: dict[str, Op] = {}
INPUTS = {"x": 0, "y": 1, "z": 2}
FACTS = frozenset({"shapes", *(f"{name}_{fact}" for name in INPUTS for fact in ("shape", "dtype", "device"))})
FACTS_AND_REST = FACTS | {"*"}


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """The pullback of one input: from the cotangent of the output to the cotangent of that input.

    The names of its parameters after the first say what the tape must keep alive for it: `x`, `y`, `z` are the inputs,
    `out` the result, `x_shape` and `x_dtype` facts without data, `shapes` those of all inputs, `i` the position of this
    input, and `*rest` the index arrays. Keyword-only parameters are the op's own.
    """

    pull: Callable[..., Any]
    wants: tuple[str, ...]
    plain: (
        str | None
    )  # the name of the one array it wants, if that is all: the common case, which the walk runs in line


def rule(pull: Callable[..., Any] | None) -> Rule | None:
    """The rule that `pull` spells out; None stays None: no gradient flows to that input."""
    if pull is None:
        return None
    wants = tuple(names(pull)[1:])
    return Rule(pull, wants, only(wants))


def only(wants: tuple[str, ...]) -> str | None:
    """The one array that is wanted, if that is all."""
    return wants[0] if len(wants) == 1 and wants[0] in ("x", "y", "z", "out") else None


def names(fn: Callable[..., Any]) -> list[str]:
    """The positional parameters of `fn`; a starred one is `*`."""
    kinds = [p for p in signature(fn).parameters.values() if p.kind is not Parameter.KEYWORD_ONLY]
    return ["*" if p.kind is Parameter.VAR_POSITIONAL else p.name for p in kinds if p.kind is not Parameter.VAR_KEYWORD]


op: Any = None  # in the copy of a function that an op has: the op


def general(*args: Any, **params: Any) -> Any:
    """The call of an op: the interpreter in force runs it. `op` is a global of the copy that the op has."""
    return stack.get().run(op, args, params)


def as_given(*operands: Any) -> DType | None:
    """The dtype rule of ops that take their inputs as they are."""
    return None


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """One operation on arrays. Declaring it registers it; the laws in `tests/ops` then hold it to its word.

    Calling an op runs it under whatever interpreter is in force, so the same line of a rule computes on raw arrays
    during `backward()` and on tensors, recorded again, under `create_graph=True`. The function that is called is its
    `call`, which `autograd.short` writes from the record.
    """

    name: str
    impl: Callable[..., Array]  # (*arrays, **params) -> array
    shape: Callable[..., Shape]  # (*shapes, **params) -> shape; raises ShapeError where the inputs do not fit
    vjp: tuple[Rule | None, ...]  # one rule per input; the last one speaks for all further inputs
    samples: Callable[[Any], list[Sample]]  # rng -> inputs and parameters that the laws try
    casts: Callable[..., DType | None] = as_given  # the dtype to which inputs are brought first, or None
    jvp: Callable[..., Any] | None = (
        None  # (op, tangents, args, out, params) -> tangent; without one, vjp twice gives it
    )
    batch: Callable[..., Any] | None = None  # (op, args, batched, params) -> out with the batch in front
    put: Callable[..., Any] | None = None  # a view op's way back: (base, new, **params) -> base with `new` in its place
    stretches: bool = False  # may an input be broadcast? then the backward loop sums its cotangent back
    rest: int | None = None  # from which input on the index arrays of `*rest` stand
    gives: DType | str | Callable[..., DType] | None = (
        None  # the dtype of the result, the parameter that names it, or how it follows; None: that of the inputs
    )
    numbers: str = "anywhere"  # where a user may give Python numbers: also in "one place", "second", "nowhere"
    doc: tuple[str, ...] = ()  # for ops that users call as they are: a sentence, a call, its result
    entrywise: bool = False  # does an entry of the result follow from one entry of each input?
    moves: bool = False  # are the entries of the result entries of the inputs, and no others? so of every view
    commutes: bool = False  # may the two inputs change places, bit for bit?
    reduces: str = ""  # what is done with the entries along an axis: "sum", "max" or "min"
    word: Word | None = None  # how kernels compute it entry by entry
    program: Callable[..., Any] | None = None  # the op in simpler ones; None for one that back ends must know
    operands: Callable[..., Any] | None = None  # the op with the numbers among its parameters as inputs of other ops
    autocast: str = ""  # in what it runs in a block of autocast: "low", "full", or as its inputs come
    work: Callable[..., int] | None = None  # (*shapes, shape of the result) -> FLOP, of what is made of products
    reaches: Callable[..., int] | None = None  # (*shapes, **params) -> how many entries its last input chooses among
    below: Callable[..., int] | None = None  # (*shapes, **params) -> of places that it finds: how many there are
    refuses: bool = False  # may it refuse entries, of whatever shape? a call that nobody reads is made all the same
    expensive: bool = False  # is its result kept rather than computed again, though it is no product?
    effect: str = ""  # what a run does besides giving a value: it "draws" random numbers, or "sends" to others
    prose: Prose = PLAIN  # the op in the words of the views
    arity: int = field(init=False)  # how many inputs have a rule of their own
    keeps: tuple[tuple[str, ...], ...] = field(init=False)  # what the tape saves, for each set of tracked inputs
    call: Any = field(init=False)  # what calling the op calls

    def __post_init__(self) -> None:
        """Work out `keeps` and enter the registry."""
        object.__setattr__(self, "arity", len(self.vjp))
        object.__setattr__(self, "moves", self.moves or self.put is not None)
        object.__setattr__(self, "call", call_of(self, general))
        masks = range(1 << len(self.vjp))
        object.__setattr__(self, "keeps", tuple(self._wanted(mask) for mask in masks))
        if OPS.setdefault(self.name, self) is not self:
            raise ArgumentError(
                f"op {self.name!r} is declared twice.", "A name belongs to one op.", "Choose another name."
            )
        if self.word is not None:
            WORDS[self.name] = self.word

    def _wanted(self, mask: int) -> tuple[str, ...]:
        tracked = [r for i, r in enumerate(self.vjp) if r is not None and mask >> i & 1]
        return tuple(sorted({want for r in tracked for want in r.wants if want != "i"}))

    def rules(self, count: int) -> tuple[Rule | None, ...]:
        """The rules of `count` inputs."""
        vjp = self.vjp
        return vjp if len(vjp) == count else vjp[:count] + vjp[-1:] * (count - len(vjp))

    def kept(self, tracked: Sequence[int]) -> tuple[str, ...]:
        """What the tape saves when the inputs at the positions `tracked` need a gradient."""
        last = len(self.vjp) - 1
        mask = 0
        for i in tracked:
            mask |= 1 << min(i, last)
        return self.keeps[mask]

    def spends(self, kept: Collection[str], count: int) -> bool:
        """Whether a walk uses up what a node of `count` inputs keeps: entries, and not facts about them alone."""
        if FACTS.issuperset(kept):
            return False
        return "*" not in kept or self.rest is None or count > self.rest or not FACTS_AND_REST.issuperset(kept)

    def stops(self, params: dict[str, Any]) -> bool:
        """Whether no gradient can pass: the result has a dtype without fractions, which cannot change by a little."""
        return isinstance(self.gives, str) and not is_float(params[self.gives])

    if TYPE_CHECKING:

        def __call__(self, *args: Any, **params: Any) -> Any: ...  # noqa: D102

    def __repr__(self) -> str:
        """The name of the op."""
        return f"<op {self.name}>"


def call_of(op: Op, fn: Any) -> Any:
    """A copy of `fn` for one op, which is its global `op`."""
    copy = FunctionType(fn.__code__, {**fn.__globals__, "op": op}, op.name)
    copy.__qualname__ = op.name
    return copy


if not TYPE_CHECKING:
    Op.__call__ = Op.call  # the descriptor of the field: Python finds an op's own function without a call between
