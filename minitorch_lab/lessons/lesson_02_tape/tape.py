"""The checks of the lesson "The tape": what ops keep, the graph behind a tensor, writes in place, an update by hand."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ...errors import GradientError
from ...optim.optimizer import Optimizer
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..unaided import unaided
from ..values import alike, described, plain
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten
from ..walks import nodes_of, root_of

__all__ = ["bake", "check_graph", "check_kept", "check_mended", "check_update"]

# ---- what an op keeps -----------------------------------------------------------------------------------------------

WORDS: dict[tuple[str, ...], str] = {
    (): "nothing",
    ("x",): "its input",
    ("out",): "its result",
    ("x", "y"): "both inputs",
    ("y",): "the number 3",
    ("x_shape",): "only the shape",
}

PROGRAMS: dict[str, Callable[[Tensor, Tensor], Tensor]] = {
    "a + b": lambda a, b: a + b,
    "a * b": lambda a, b: a * b,
    "a * 3": lambda a, b: a * 3,
    "a.exp()": lambda a, b: a.exp(),
    "a.sin()": lambda a, b: a.sin(),
    "a.relu()": lambda a, b: a.relu(),
    "a.sum()": lambda a, b: a.sum(),
}

REASONS = {
    "a + b": "the derivative of a sum is 1 whatever came in, so there is nothing to remember.",
    "a * b": "the derivative by a is b, and the one by b is a: each input is needed for the other.",
    "a * 3": "the derivative by a is 3. The 3 wants no gradient, so nobody will ask for a.",
    "a.exp()": "the derivative of exp is exp, and that number is the result. Why compute it twice?",
    "a.sin()": "the derivative is the cosine of the input. From the result alone you would not know its sign.",
    "a.relu()": "it has to know where the result is above 0, no more. And the next op often keeps that result too.",
    "a.sum()": "every entry gets the same gradient, whatever it held. How many there are is all that is needed.",
}


def kept_by(line: str) -> str:
    """What the tape keeps for one of the programs, looked up on a tape.

    Example:
        >>> kept_by("a.exp()")
        'its result'
    """
    a, b = tensor([1.0, 2.0], requires_grad=True), tensor([3.0, 4.0], requires_grad=True)
    return WORDS[tuple(sorted(root_of(PROGRAMS[line](a, b)).saved_tensors))]


@answering
def check_kept(answers: Mapping[str, str | None]) -> Verdict:
    """Check what the reader thinks each op keeps: `answers[line]` is one of the values of `WORDS`."""
    given = {line: answers.get(line) for line in PROGRAMS}
    words = ", ".join(map(repr, WORDS.values()))
    if all(answer is None for answer in given.values()):
        return unwritten(f"write what each line keeps: {words}.")
    right = {line: kept_by(line) for line in PROGRAMS}
    score = f"{sum(alike(given[line], right[line]) for line in PROGRAMS)} of {len(PROGRAMS)} are right."
    for line, answer in given.items():
        if alike(answer, right[line]):
            continue
        if answer is None:
            return not_yet(f"{score} `{line}` has no answer yet.")
        word = next((word for word in WORDS.values() if alike(answer, word)), None)
        if word is None:
            return not_yet(f"{score} {described(answer)} is none of the answers: {words}.")
        return not_yet(f"{score} `{line}` does not keep {word}: {REASONS[line]}")
    return done(f"{score} An op keeps what its derivative is made of, and not a number more.")


# ---- the graph behind a tensor --------------------------------------------------------------------------------------

Listing = Callable[[Any], Sequence[str]]


def chain() -> Tensor:
    """Pow, Mul, AccumulateGrad."""
    x = tensor(2.0, requires_grad=True)
    return (3 * x) ** 2


def diamond() -> Tensor:
    """A value with two readers."""
    v = tensor(1.0, requires_grad=True).exp()
    return v * (1 + v)


def square() -> Tensor:
    """A value that is read twice by one op: two edges to one node."""
    v = tensor(1.0, requires_grad=True).exp()
    return v * v


def twins() -> Tensor:
    """Two different nodes of the same name."""
    x = tensor(2.0, requires_grad=True)
    return (x * 2) + (x * 3)


@answering
@unaided(nodes_of, instead="Follow next_functions, from the root to the leaf.")
def check_graph(names_of: Listing) -> Verdict:
    """Check the reader's function from a grad_fn to the names of all nodes behind it."""
    for build in (chain, diamond, square, twins):
        root = root_of(build())
        found, error = attempt(names_of, root)
        expected = [node.name() for node in nodes_of(root)]
        if error is not None:
            return graph_stopped(error)
        found = plain(found)
        if not isinstance(found, list) or not all(isinstance(name, str) for name in found):
            return no_names(found)
        if found in ([], [root.name()]) and build is chain:
            return unwritten("your list goes no further than the first node. Follow next_functions.")
        problem = graph_problem(build, found, expected)
        if problem is not None:
            return not_yet(problem)
        if sorted(plain(names_of(root))) != sorted(expected):
            return not_yet(
                "right, but asked again about the same graph you list other nodes: what you have seen outlives the "
                "call. A default such as seen=[] is made once; make it anew in every call."
            )
    return done("every node once, leaves included. This walk is the first half of backward().")


def no_names(found: Any) -> Verdict:
    """What comes back is no list of names."""
    if found is None:
        return not_yet("your function returns None. Did you forget the return?")
    held = described(next(part for part in found if not isinstance(part, str))) if isinstance(found, list) else ""
    given = f"a list that holds {held}" if held else described(found)
    return not_yet(f"your function returns {given}. It returns a list of names, which are texts: node.name().")


def graph_stopped(error: Exception) -> Verdict:
    """The reader's function ended with an exception."""
    if "NoneType" in str(error):
        return not_yet(
            "you followed an edge that leads nowhere. In next_functions, None stands for an input that wants no "
            "gradient, such as the 3 in 3 * x: skip it."
        )
    if "tuple" in str(error):
        return not_yet("next_functions holds pairs (node, number). You used a pair as a node: take its first part.")
    if isinstance(error, RecursionError):
        return not_yet("your walk never ends. Does it stop at a node whose next_functions are empty?")
    return stopped("your function", error)


def graph_problem(build: Callable[[], Tensor], found: list[str], expected: list[str]) -> str | None:
    """What is missing from a list of names, or there too often, and the thought that leads to it."""
    name = build.__name__
    if name == "chain" and found == expected[::-1]:
        return "your list runs from the leaf to the result. The graph is linked in reverse: it starts at the result."
    if sorted(found) == sorted(expected):
        return None
    if "AccumulateGrad" not in found:
        return "you stopped one node early: AccumulateGrad is a node too, the one where x's gradient arrives."
    if name == "diamond" and found.count("ExpBackward") > 1:
        return "you listed ExpBackward twice. It has two readers, but it is one node: remember what you have seen."
    if name == "square" and found.count("ExpBackward") > 1:
        return "you listed ExpBackward twice. v * v has two edges to it: look whether a node is there before each one."
    if name == "twins" and found.count("MulBackward") == 1 and found.count("AddBackward") == 1:
        return (
            "x * 2 and x * 3 leave two nodes, and both are called MulBackward. You listed one: either you told nodes "
            "apart by their names, or you followed only one edge of each."
        )
    if len(found) < len(expected):
        lost = next(n for n in expected if found.count(n) < expected.count(n))
        return f"{lost} is missing. A node can have several edges: did you follow all of next_functions?"
    extra = next(n for n in found if found.count(n) > expected.count(n))
    return f"{extra} stands in your list {found.count(extra)} times, and the tape has it {expected.count(extra)} times."


# ---- the in-place bug -----------------------------------------------------------------------------------------------


def bake(x: Tensor) -> Tensor:
    """The program with the bug: two writes in place, one harmless and one not. A reference for the check."""
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    s *= 0.5
    return p + s


def bake_truth(x: Tensor) -> Tensor:
    """What `bake` should compute."""
    h = x * 3
    s = h.sigmoid()
    return s * (h + 1) + s * 0.5


def bake_unseen(x: Tensor) -> Tensor:
    """`bake` with the error silenced by `.data`: the gradient is wrong."""
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    hidden = s.data
    hidden *= 0.5
    return p + s


POINT = [-0.5, 0.25, 1.0]


def gradient_of(fn: Callable[[Tensor], Any]) -> tuple[float, list[float] | None]:
    """Value and gradient of `fn` at a fixed point, summed over its entries; no gradient if none arrives."""
    x = tensor(POINT, requires_grad=True)
    y = fn(x).sum()
    y.backward()
    return y.item(), None if x.grad is None else x.grad.tolist()


def close(a: Sequence[float], b: Sequence[float]) -> bool:
    """Whether two lists of numbers agree to the rounding of float32."""
    return len(a) == len(b) and all(abs(p - q) <= 1e-4 * max(1.0, abs(q)) for p, q in zip(a, b, strict=True))


def respaced(line: Any) -> Any:
    """A line of Python with its usual spaces; anything else as it is.

    Example:
        >>> respaced(" s*=.5"), respaced(None)
        ('s *= 0.5', None)
    """
    try:
        return ast.unparse(ast.parse(line.strip())) if isinstance(line, str) else line
    except SyntaxError:
        return line


@answering
def check_mended(suspect: str | None, mended: Callable[[Tensor], Any]) -> Verdict:
    """Check which write the reader suspects, and the mended program."""
    found, error = attempt(gradient_of, mended)
    if isinstance(error, GradientError) and suspect is None:
        return unwritten("set `suspect` to the line that backward() cannot live with, and mend bake().")
    suspect = respaced(suspect)
    if suspect == "h += 1":
        return not_yet(
            "not h += 1. Who kept the old h? sigmoid kept its result, and the product came later and kept the new h. "
            "A write harms only what was kept before it."
        )
    if suspect != "s *= 0.5":
        return not_yet("`suspect` is one of the two lines that write in place: 'h += 1' or 's *= 0.5'.")
    if isinstance(error, GradientError):
        return still_stale(error)
    if error is not None:
        return stopped("bake()", error)
    return judged(*found)


def still_stale(error: GradientError) -> Verdict:
    """The mended program still ends with an error."""
    text = describe_error(error)
    if "saved" not in str(error).partition("\n")[0]:
        return not_yet(f"the gradient has no way back to x any more: {text}")
    keeper = text.partition(" ")[0]
    return not_yet(
        f"{keeper} still finds its saved value overwritten. Two nodes kept s: sigmoid its result, mul its input. "
        "Mend the write, not one of the readers."
    )


def judged(value: float, gradient: list[float] | None) -> Verdict:
    """What value and gradient of the mended program say."""
    right, wanted = gradient_of(bake_truth)
    assert wanted is not None
    if not close([value], [right]):
        return not_yet(f"now bake() computes something else: {value:.4f} where it was {right:.4f}. Keep the values.")
    if gradient is None:
        return not_yet("no gradient arrives at x: a detach() or no_grad() cut the way back.")
    if close(gradient, gradient_of(bake_unseen)[1] or []):
        return not_yet(
            "no error any more, and a wrong gradient. .data hides the write from the version counter: "
            "the alarm is off, the fire is not."
        )
    if not close(gradient, wanted):
        return not_yet("the values are right and the gradient is not: one of the terms no longer leads back to x.")
    return done("the values are the same and the gradient is right. `s = s * 0.5` makes a new tensor.")


# ---- an update by hand ----------------------------------------------------------------------------------------------


@answering
@unaided(Optimizer.step, instead="Write into w itself, with ml.no_grad().")
def check_update(update: Callable[[Tensor, float], object]) -> Verdict:
    """Check the reader's gradient step: in place, on the same leaf, unseen by the tape."""
    w = tensor([1.0, 2.0], requires_grad=True)
    (w * w).sum().backward()
    _, error = attempt(update, w, 0.25)
    if isinstance(error, GradientError) and "numpy" in str(error).partition("\n")[0]:
        return not_yet(
            "a tensor that wants a gradient is not handed to NumPy, and NumPy is not needed: write with -= into w, and "
            "say that this step is no part of the computation: with ml.no_grad():"
        )
    if isinstance(error, GradientError):
        return not_yet(
            "a leaf that wants a gradient may not be written while the tape is watching. Say that this step is no "
            "part of the computation: with ml.no_grad():"
        )
    if error is not None:
        return stopped("your update", error)
    if not w.requires_grad:
        return not_yet("w wants no gradient any more: the next backward() would pass it by.")
    if w.grad_fn is not None:
        return not_yet("w is a result now and no leaf: the tape saw your step.")
    return (
        stepped(w)
        or elsewhere(update)
        or done("w went from [1, 2] to [0.5, 1], is still a leaf, and its version went up. Optimizers do this.")
    )


def elsewhere(update: Callable[[Tensor, float], object]) -> Verdict | None:
    """What is wrong with a step from another place, with another lr; None if nothing is."""
    w = tensor([-2.0, 0.5], requires_grad=True)
    (w * w).sum().backward()
    _, error = attempt(update, w, 0.1)
    if error is not None or not close(w.tolist(), [-1.6, 0.4]):
        return not_yet(f"right from [1, 2]. From [−2, 0.5], with lr 0.1, w came to {w.tolist()} and not [−1.6, 0.4].")
    return None


def stepped(w: Tensor) -> Verdict | None:
    """What the entries of `w` say against the step: it should have gone from [1, 2] to [0.5, 1]."""
    now = w.tolist()
    if close(now, [1.0, 2.0]):
        if w.grad is None or w.grad.tolist() != [2.0, 4.0]:
            return not_yet("w is as before, and its gradient has changed. The gradient is subtracted from w.")
        return unwritten("w still holds [1, 2]. (w = w - ... inside a function only renames; the caller's w stays.)")
    if close(now, [1.5, 3.0]):
        return not_yet("you went uphill: the gradient points to where the result grows, so subtract it.")
    if close(now, [-1.0, -2.0]):
        return not_yet("you left out lr: the step is lr times the gradient.")
    if not close(now, [0.5, 1.0]):
        return not_yet(f"w went from [1, 2] to {now}. With gradient [2, 4] and lr 0.25 it should be [0.5, 1].")
    if w._version == 0:  # pyright: ignore[reportPrivateUsage]
        return not_yet(
            "right numbers, but written through .data or .numpy(): no version counter noticed. Use ml.no_grad()."
        )
    return None
