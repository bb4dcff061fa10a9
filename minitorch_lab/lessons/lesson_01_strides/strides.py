"""The checks of lesson 01: addresses, strides, who copies, and one memory under several names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import Any

from ...core.array import Shape, memory_of
from ...costmodel import count_flops
from ...tensors.factories import arange, zeros
from ...tensors.tensor import Tensor
from ..mentioned import mentioned
from ..values import described, plain, shown, truth
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .layout import row_major

Call = tuple[Any, ...]
Rival = tuple[Callable[..., Any], str]  # what a misconception would answer, and what to say about it

ENGINES = (
    "the engine has exchanged the axes for you: .T, transpose and permute are one op under many names, and which "
    "numbers change places is what you are to write."
)

# ---- checks that compare answers --------------------------------------------------------------------------------


def judged(name: str, fn: Callable[..., Any], calls: Sequence[Call], truth: Callable[..., Any], rivals: Sequence[Rival],
           wanted: str, praise: str) -> Verdict:  # fmt: skip
    """Ask `fn` every call. A wrong answer is matched with the misconceptions that would give the same ones."""
    answers: list[Any] = []
    right = [settled(truth(*call)) for call in calls]
    for call, model in zip(calls, right, strict=True):
        answer, error = attempt(fn, *call)
        if error is not None:
            return stopped(f"{name}{call}", error)
        if answer is None:
            return unwritten(f"{name} returns None so far.")
        answers.append(settled(answer))
        if not of_type(answers[-1], model):
            return not_yet(f"{name}{call} gives {described(answer)}. It gives {wanted}.")
    if answers == right:
        return done(praise)
    for rival, sentence in rivals:
        if answers == [settled(rival(*call)) for call in calls]:
            return not_yet(sentence)
    k = next(k for k, answer in enumerate(answers) if answer != right[k])
    return not_yet(f"{name}{calls[k]} gives {shown(answers[k])}; it is {right[k]}.")


def settled(answer: Any) -> Any:
    """By value, with lists as tuples, at every depth."""
    known = plain(answer)
    return tuple(map(settled, known)) if isinstance(known, list) else known


def of_type(answer: Any, model: Any) -> bool:
    """Whether an answer is a number where the model is one, and a tuple of what the model holds where it is one."""
    if isinstance(model, tuple):
        return isinstance(answer, tuple) and all(of_type(part, model[0]) for part in answer)
    return isinstance(answer, int | float)


def dot(a: Sequence[int], b: Sequence[int]) -> int:
    """Σ aᵢ · bᵢ."""
    return sum(x * y for x, y in zip(a, b, strict=True))


@answering
def check_address(address: Callable[..., Any]) -> Verdict:
    """Check `address(index, stride, offset)`, the cell of an entry, on every entry of four real tensors."""
    x = arange(24).reshape(2, 3, 4)
    tensors = (arange(6).reshape(2, 3), x, x.permute(2, 0, 1), x[1, 1:], arange(3).expand(2, 3))
    calls = [(i, t.stride(), t.storage_offset()) for t in tensors for i in product(*map(range, t.shape))]
    rivals: list[Rival] = [
        (
            lambda i, s, o: dot(i, s),
            "right for a tensor that starts at cell 0. x[1, 1:] starts further on: where is the offset?",
        ),
        (
            lambda i, s, o: o + dot(i, s[::-1]),
            "the strides are paired from the wrong end: the first index goes with the first stride.",
        ),
        (
            lambda i, s, o: 8 * (o + dot(i, s)),
            "these are bytes. stride() and storage_offset() count entries, and so do the cells.",
        ),
        (
            lambda i, s, o: o + dot([k + 1 for k in i], s),
            "you count from 1. The index of the first entry is 0, so that it adds nothing.",
        ),
        (lambda i, s, o: o + sum(i), "the indices are added, but a step along an axis is as long as its stride."),
    ]
    truth = "offset + Σ index · stride"
    praise = f"{len(calls)} entries of {len(tensors)} tensors, each found in its cell. It is one formula: {truth}."
    return judged("address", address, calls, lambda i, s, o: o + dot(i, s), rivals, "a whole number, the cell", praise)


@answering
def check_permuted(permuted: Callable[..., Any]) -> Verdict:
    """Check `permuted(shape, stride, dims)`, the shape and the strides of a permuted view."""
    cases = (((1, 2, 3, 4), (0, 2, 3, 1)), ((2, 3), (1, 0)), ((2, 3, 4), (2, 0, 1)), ((5, 6, 7), (0, 1, 2)))
    calls: list[Call] = [(shape, row_major(shape), dims) for shape, dims in cases]
    calls += [((2, 3), (1, 2), (1, 0)), ((4, 2, 3), (0, 3, 12), (1, 2, 0))]  # of views

    def truth(shape: Shape, stride: Shape, dims: Shape) -> tuple[Shape, Shape]:
        lengths, steps = (tuple(map(old.__getitem__, dims)) for old in (shape, stride))
        return lengths, steps

    def inverse(shape: Shape, stride: Shape, dims: Shape) -> tuple[Shape, Shape]:
        back = tuple(dims.index(k) for k in range(len(dims)))
        return truth(shape, stride, back)

    rivals: list[Rival] = [
        (
            lambda shape, stride, dims: (truth(shape, stride, dims)[0], row_major(truth(shape, stride, dims)[0])),
            "these are the strides of a fresh tensor of the new shape, as if permute moved the entries. It moves none: "
            "each axis keeps the stride it had.",
        ),
        (
            lambda shape, stride, dims: (truth(shape, stride, dims)[0], stride),
            "the lengths moved and the strides stayed. An axis takes both along, its length and its stride.",
        ),
        (
            lambda shape, stride, dims: (shape, truth(shape, stride, dims)[1]),
            "the strides moved and the lengths stayed. An axis takes both along, its length and its stride.",
        ),
        (
            lambda shape, stride, dims: truth(shape, row_major(shape), dims),
            "right for a fresh tensor. Others have other strides, which come as the argument: a view of a view is "
            "permuted as well.",
        ),
        (
            inverse,
            "this is the permutation backwards. dims[k] says which old axis becomes the new axis k.",
        ),
    ]
    praise = "permute reorders two short tuples. Not one entry moves, however big the tensor is."
    wanted = "two tuples, the new shape and the new strides"
    with count_flops() as ran:
        verdict = judged("permuted", permuted, calls, truth, rivals, wanted, praise)
    return not_yet(ENGINES) if verdict.done and ran.calls.get("permute") else verdict


# ---- who copies ---------------------------------------------------------------------------------------------------

CANDIDATES: dict[str, tuple[Callable[[Tensor], Tensor], str]] = {
    "x[1]": (lambda x: x[1], "a row is a start and a step: a view."),
    "x[:, ::2]": (lambda x: x[:, ::2], "every second column is still one even step: a view."),
    "x[[1, 0]]": (lambda x: x[[1, 0]], "a list of indices may jump about, and no stride can say that: a copy."),
    "x.T": (lambda x: x.T, "the two strides change places, and nothing else happens: a view."),
    "x.reshape(6)": (lambda x: x.reshape(6), "x lies row by row already, so new strides are enough: a view."),
    "x.T.reshape(6)": (
        lambda x: x.T.reshape(6),
        "column by column is no even step through this memory, so the entries move: a copy.",
    ),
    "x.contiguous()": (lambda x: x.contiguous(), "x is contiguous already, so there is nothing to do: x itself."),
    "x + 0": (lambda x: x + 0, "an op writes its result into memory of its own, also where the numbers stay: a copy."),
}


@answering
def check_copies(answers: dict[str, Any]) -> Verdict:
    """Check a dict from expression to True (it copies) or False, against the engine's own storages."""
    open_ones = [text for text in CANDIDATES if answers.get(text) is None]
    if open_ones:
        return unwritten(f"{len(open_ones)} of {len(CANDIDATES)} answers are still None.")
    if odd := [answers[text] for text in CANDIDATES if truth(answers[text]) is None]:
        return not_yet(f"{described(odd[0])} is neither True nor False.")
    x = arange(6).reshape(2, 3)
    wrong = [text for text, (make, _) in CANDIDATES.items() if truth(answers[text]) == shares(x, make(x))]
    if wrong:
        found = " ".join(f"{text}: {CANDIDATES[text][1]}" for text in wrong)
        return not_yet(f"{len(wrong)} of {len(CANDIDATES)} are the other way round. {found}")
    return done("a view wherever a start and even steps can say it, a copy everywhere else.")


def shares(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors lie in the same memory."""
    return memory_of(a.value) is memory_of(b.value)


# ---- a transposed view by hand --------------------------------------------------------------------------------------


@answering
def check_mirrored(mirrored: Callable[[Tensor], Any]) -> Verdict:
    """Check `mirrored(x)`, the transposed view of a matrix made with `as_strided`."""
    matrix = arange(12).reshape(3, 4)
    cases = {
        "a (3, 3) matrix": arange(9).reshape(3, 3),
        "a (3, 4) matrix": matrix,
        "its transpose": matrix.T,
        "its part [1:, 1:]": matrix[1:, 1:],
    }
    for name, x in cases.items():
        with count_flops() as ran:
            t, error = attempt(mirrored, x)
        if error is not None:
            return stopped(f"mirrored of {name}", error)
        if t is None:
            return unwritten("mirrored returns None so far.")
        flaw = flaw_of(t, x)
        if flaw:
            return not_yet(f"for {name}, {flaw}")
        if ran.calls.get("permute"):  # to which all names for it lead
            return not_yet(f"{ENGINES} Say to as_strided yourself where the entries lie.")
    return done("a transpose is two swapped tuples. It costs the same for four numbers and for four billion.")


def flaw_of(t: Any, x: Tensor) -> str:
    """What keeps `t` from being the transposed view of `x`; "" if it is."""
    if not isinstance(t, Tensor) or t.shape != x.T.shape:
        return f"the result is {described(t)} and should have the shape {x.T.shape}: rows become columns."
    if t.tolist() == x.T.tolist():
        return "" if shares(t, x) else "the numbers are right, but they were copied. Only shape and strides may change."
    if t.tolist() == x.reshape(t.shape).tolist():
        return "the entries still come in the order of x. That is a reshape: the strides have to change places too."
    if t.storage_offset() != x.storage_offset():
        return f"the view starts in cell {t.storage_offset()}, but x starts in cell {x.storage_offset()}."
    return f"the strides are {t.stride()}. x has {x.stride()}: which of its steps leads to the next row of the result?"


# ---- one memory, several names --------------------------------------------------------------------------------------


@answering
def check_snapshots(snapshots: Callable[[Tensor, int], Any]) -> Verdict:
    """Check `snapshots(w, steps)`: it adds 1 to `w` in place, `steps` times, and returns what `w` was after each."""
    w = zeros(2)
    given, error = attempt(snapshots, w, 3)
    if error is not None:
        return stopped("snapshots(w, 3)", error)
    kept = list(given) if isinstance(given, Iterable) else []
    if len(kept) != 3 or not all(isinstance(part, Tensor) for part in kept):
        return not_yet(f"snapshots(w, 3) gives {described(given)}. It gives a list of 3 tensors, one for each step.")
    shown = [part.tolist() for part in kept]
    if w.tolist() == [0.0, 0.0]:
        return not_yet(
            "the caller's w is still 0. w = w + 1 makes a new tensor and calls it w; w += 1 writes into the caller's."
        )
    if all(part is w for part in kept):
        told = f"all 3 snapshots show {shown[-1]}, though step 1 left [1.0, 1.0]. A list keeps tensors, not numbers."
        if not mentioned(snapshots) - {"range", "append"}:
            return unwritten(told)
        return not_yet(f"{told} contiguous(), to() and their like give w itself where there is nothing to change.")
    if any(shares(part, w) for part in kept):
        return not_yet(
            f"every snapshot shows {shown[-1]}. A view or detach() of w is a new tensor over the same memory."
        )
    if shown != [[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]:
        return not_yet(f"the snapshots show {shown}; after steps 1, 2 and 3 w holds 1, 2 and 3.")
    return done("each snapshot has memory of its own, and w was still changed in place.")
