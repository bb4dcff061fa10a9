"""Guards for readers: those of a compiled function in words, and a guard of the reader's own that the compiler runs."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, NamedTuple

from ...compiler.capture.api import regional
from ...compiler.capture.bytecode.compiled import Compiled
from ...compiler.capture.bytecode.guards import Answer
from ...compiler.capture.bytecode.wording import Wording
from ...compiler.explain import Explanation
from ...compiler.runtime.modes import choices
from ...compiler.runtime.optimized import optimized
from ...compiler.targets.backends import backend_of
from ...core.array import DType, float64
from ...nn.parameter import Parameter
from ...tensors.factories import ones, tensor, zeros
from ...tensors.tensor import Tensor
from ..values import described, truth
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

__all__ = ["Seen", "check_guard", "guarded", "guards"]


# ---- in words -------------------------------------------------------------------------------------------------------


def guards(compiled: Any) -> str:
    """What a compiled function asks before it runs its graphs: what is asked, and the answers seen so far.

    Example:
        >>> import minitorch_lab as ml
        >>> f = ml.compile(lambda x, k: x * k)
        >>> _ = f(ml.ones(2), 3), f(ml.ones(2), 4)
        >>> print(guards(f))
        gradients on: True
        x: a Tensor f32[2] on cpu, no gradient
        k: 3, or an int
    """
    answers: dict[str, list[str]] = {}
    for guard in asked(compiled):
        known = answers.setdefault(what := said(guard["stands_for"]), [])
        known += [words for a in guard["answers"] if (words := worded(what, a["means"])) not in known]
    return "\n".join(f"{what}: {', or '.join(known)}" for what, known in answers.items())


def asked(compiled: Any) -> list[dict[str, Any]]:
    """The guards of a compiled function, as `explain` tells them."""
    return Explanation.of(compiled).to_dict()["guards"]


def said(subject: str) -> str:
    """What is asked, without the names that only the program has."""
    for pattern, words in WORDS.items():
        subject = re.sub(pattern, words, subject)
    return subject


WORDS = {
    r"^grad_mode\.get\(\)$": "gradients on",
    r"^'(\w+)' in globals_of_\w+$": r"a global of yours named \1",
    r"^(\w+) is \1_\d+$": r"the builtin \1",
    r"^bool\(\w+\)$": "the truth of a tensor",
    r"^([a-z]\w*?)(_\d+)?\.__code__$": r"the code of \1",
}


def worded(what: str, answer: str) -> str:
    """An answer, for readers."""
    same = answer.startswith("the code of ") or (what.startswith("the builtin ") and answer == "True")
    return "as it was" if same else answer.replace("a int", "an int")


# ---- a guard of the reader's own ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Seen:
    """What was true of a tensor when a graph was captured. Strides count entries, as `x.stride()` does."""

    type: type
    shape: tuple[int, ...]
    dtype: DType
    stride: tuple[int, ...]
    device: str
    requires_grad: bool


Holds = Callable[[Tensor, Seen], Any]


class OwnGuards(Compiled):
    """A compiled function that asks the reader's `holds(x, seen)` of its tensors."""

    def __init__(self, fn: Callable[..., Any], holds: Holds) -> None:
        super().__init__(fn, regional(backend_of("numpy"), choices(None, None)), dynamic=False)
        self.wording = OwnWording(self.wording, holds)


class OwnWording(Wording):
    """Tests that call the reader's function."""

    def __init__(self, plain: Wording, holds: Holds) -> None:
        super().__init__(plain.pool, lambda: None, plain.keep)
        self.holds = holds
        self.seen: dict[Answer, Seen] = {}

    def test(self, subject: str, key: Answer) -> str:
        """For a tensor, a call of the reader's function. The same question has the same words."""
        if key[0] != "tensor":
            return super().test(subject, key)
        kind, dtype, shape, strides, device, grad = key[1:]
        strides = tuple(s // dtype.itemsize for s in strides)
        seen = self.seen.setdefault(key, Seen(kind, shape, dtype, strides, device, grad))
        return f"{self.pool(self.holds)}({subject}, {self.pool(seen)})"


def guarded(fn: Callable[..., Any], holds: Holds) -> Any:
    """`fn`, compiled, with `holds` in place of the compiler's guards of tensors.

    Example:
        >>> import minitorch_lab as ml
        >>> f = guarded(lambda x: x * x.shape[0], lambda x, seen: True)
        >>> f(ml.ones(2)), f(ml.ones(1))
        (tensor([2., 2.]), tensor([2.]))
    """
    return optimized(OwnGuards(fn, holds))


class Pair(NamedTuple):
    """A function, two calls of it that need two graphs, and the belief of those who run the first graph for both."""

    fn: Callable[[Tensor], Any]
    first: Callable[[], Tensor]
    second: Callable[[], Tensor]
    belief: str


def by_length(x: Tensor) -> Tensor:
    """The length is a number in the graph."""
    return x.sum() * x.shape[0]


def by_gradient(x: Tensor) -> Tensor:
    """Python asks whether a gradient is wanted."""
    return x * 2 if x.requires_grad else x * 3


def by_type(x: Tensor) -> Tensor:
    """Python asks for the type."""
    return x * 2 if isinstance(x, Parameter) else x * 3


def through_a_view(x: Tensor) -> Tensor:
    """Writes to x, where reshape gives a view, and to a copy where it cannot."""
    y = x.reshape(x.numel())
    y += 1
    return y


PAIRS = [
    Pair(by_length, lambda: ones(2), lambda: ones(3),
         "a graph captured for length 2 ran for length 3, and 2 is a number in it. Compare the shapes."),
    Pair(by_length, lambda: ones(2, 3), lambda: ones(3, 2),
         "a graph for (2, 3) ran for (3, 2). The number of axes, or of entries, is not enough: x.shape == seen.shape."),
    Pair(by_length, lambda: ones(2, 2)[:, :1], lambda: ones(1, 2).view(1, 2),
         "a graph for (2, 1) ran for (1, 2). Strides and the number of entries are not enough: compare the shapes."),
    Pair(lambda x: x * 2 + 1, lambda: ones(3), lambda: ones(3, dtype=float64),
         "a graph for float32 ran for float64, and gave float32. Its kernel writes into memory of that dtype: compare "
         "the dtypes."),
    Pair(by_gradient, lambda: ones(2), lambda: ones(2, requires_grad=True),
         "the graph for a tensor without gradient ran for one with. A function may ask for it, and take another way: "
         "compare requires_grad."),
    Pair(by_type, lambda: ones(2, requires_grad=True), lambda: Parameter(ones(2)),
         "the graph for a Tensor ran for a Parameter. isinstance() may ask for it: compare type(x), with is."),
    Pair(through_a_view, lambda: zeros(2, 3).view(2, 3), lambda: zeros(3, 2).T,
         "x lies in memory in another order now, reshape gives a copy instead of a view, and a write through it went "
         "to x all the same. Compare the strides: x.stride()."),
    Pair(through_a_view, lambda: zeros(2, 2).view(2, 2), lambda: zeros(2, 2).T,
         "x is square, and lies in another order now: the graph of the first one ran. Compare strides one by one."),
]  # fmt: skip


@answering
def check_guard(holds: Holds) -> Verdict:
    """Check the reader's guard: let compiled functions run with it, where it has to say no, and where yes."""
    raised: list[Exception] = []
    odd: list[Any] = []

    def asked(x: Any, seen: Any) -> Any:  # a guard that raises has another answer, and the call is captured again
        answer, error = attempt(holds, x, seen)
        if error is not None:
            raised.append(error)
            raise error
        if truth(answer) is None:
            odd.append(answer)
        return answer

    turned = [Pair(pair.fn, pair.second, pair.first, pair.belief) for pair in PAIRS]
    for pair in [*PAIRS, *turned]:
        compiled = guarded(pair.fn, asked)
        for make in (pair.first, pair.first, pair.second):
            got, error = attempt(outcome, compiled, make())
            if raised:
                return guard_stopped(raised[0])
            if odd:
                given = described(odd[0])
                return not_yet(f"your guard gives {given}. It gives True or False: may the graph run again?")
            if error is not None or got != outcome(pair.fn, make()):
                return belief(pair, holds)
    if anywhere(holds):
        return not_yet("a graph captured on another device would run here, and its kernel looks for memory there. "
                       "Compare the devices: x.device == seen.device.")  # fmt: skip
    return too_strict(holds)


def guard_stopped(error: Exception) -> Verdict:
    """The reader's guard ended with an exception."""
    if "Seen" in str(error):
        facts = ", ".join(field.name for field in fields(Seen))
        return not_yet(f"seen is no tensor: it says what was true of one, and has {facts}. Compare those with what is "
                       "true of x, one by one.")  # fmt: skip
    return stopped("your guard", error)


def anywhere(holds: Holds) -> bool:
    """Whether a guard does not care on which device a tensor is."""
    x = ones(2)
    seen = [Seen(type(x), x.shape, x.dtype, x.stride(), device, False) for device in ("elsewhere", "another")]
    answer, error = attempt(lambda: any(holds(x, each) for each in seen))
    return error is None and bool(answer)


def belief(pair: Pair, holds: Holds) -> Verdict:
    """What those think whose guard lets this pair through."""
    if pair is PAIRS[0] and always_yes(holds):
        return unwritten(f"your guard says yes to everything. {pair.belief[0].upper()}{pair.belief[1:]}")
    return not_yet(pair.belief)


def always_yes(holds: Holds) -> bool:
    """Whether a guard accepts a tensor of which nothing is as it was."""
    seen = Seen(Parameter, (7, 7), float64, (0, 0), "elsewhere", True)
    answer, error = attempt(holds, ones(2), seen)
    return error is None and truth(answer) is True


def outcome(fn: Callable[[Tensor], Any], x: Tensor) -> Any:
    """What a call gives, and what x holds afterwards."""
    out = fn(x)
    return out.tolist(), str(out.dtype), out.requires_grad, x.tolist()


def uncalled(holds: Holds) -> bool:
    """Whether a guard compares the method that tells the strides, and not the strides."""
    x = ones(2)
    seen = Seen(type(x), x.shape, x.dtype, x.stride, x.device, x.requires_grad)  # pyright: ignore[reportArgumentType]
    answer, error = attempt(holds, x, seen)
    return error is None and truth(answer) is True


def too_strict(holds: Holds) -> Verdict:
    """Whether graphs are used again at all: six calls alike, but for their numbers, are one capture."""
    compiled = guarded(lambda x: x * 2, holds)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k in range(6):
            compiled(tensor([1.0, float(k)]))
        count = compiled.captures
        compiled(tensor([9.0, 9.0]))
    if count > 1 and uncalled(holds):
        return not_yet("it never lets a wrong one through, and a right one neither: x.stride is the method, and it "
                       "equals no tuple. Call it: x.stride() == seen.stride.")  # fmt: skip
    if count > 1:
        return not_yet(f"it never lets a wrong one through, and six calls that differ in their numbers alone were "
                       f"captured {count} times: it asks for something that is in no graph, such as the numbers, or "
                       "whether x is the same object.")  # fmt: skip
    return done(f"{len(PAIRS)} pairs of calls got graphs of their own, in either order, and six calls with other "
                "numbers shared one.")  # fmt: skip
