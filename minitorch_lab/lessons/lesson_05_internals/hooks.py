"""The checks of two exercises with hooks: clipping a cotangent by its length, and a log of the whole walk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...autograd.node import Leaf, Node
from ...core.array import xp
from ...errors import MinitorchError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import plain, shown
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from ..walks import nodes_of, root_of

__all__ = ["check_clip", "check_watch", "size"]

# ---- clipping -------------------------------------------------------------------------------------------------------

Hook = Callable[[Tensor], Any]

LONG, SHORT, ZERO = [12.0, -16.0], [0.3, 0.4], [0.0, 0.0]  # lengths 20, 0.5 and 0


def clipped(g: list[float]) -> list[float]:
    """`g` at length 1 if it is longer."""
    length = sum(k * k for k in g) ** 0.5
    return [k / max(1.0, length) for k in g]


def through(hook: Hook, g: list[float]) -> list[float]:
    """What a leaf gets when `g` comes to its reader, and the hook sits there."""
    x = tensor([0.0, 0.0], requires_grad=True)
    y = x * 1
    y.register_hook(hook)
    y.backward(tensor(g))
    assert x.grad is not None
    return x.grad.tolist()


@answering
def check_clip(hook: Hook) -> Verdict:
    """Check the reader's hook: it shall shorten a cotangent to length 1, and leave a shorter one as it is."""
    cases = LONG, SHORT, ZERO
    found: list[list[float]] = []
    for g in cases:
        sent, error = attempt(through, hook, g)
        if error is not None:
            return clip_stopped(error)
        found.append(sent)
    mine = tensor(LONG)
    hook(mine)
    if mine.tolist() != LONG:
        return not_yet(
            "your hook writes into g. The cotangent is not yours: others may still read that memory. Return a new one."
        )
    if all(map(close, found, cases)):
        return unwritten("[12, −16], of length 20, goes through as it is. (A hook that returns nothing only looks.)")
    problem = clip_problem(*found) or clip_elsewhere(hook)
    return not_yet(problem) if problem is not None else done(
        "long cotangents come out with length 1 and the old direction, short ones pass. That is clip_grad_norm_."
    )  # fmt: skip


def clip_elsewhere(hook: Hook) -> str | None:
    """What is wrong with cotangents of other lengths."""
    for g in ([3.0, 4.0], [-0.9, 0.9], [0.0, -500.0]):
        if not close(sent := through(hook, g), clipped(g)):
            return (
                f"right for a length of 20. {listed(g)} should come out as {listed(clipped(g))}: it is {listed(sent)}."
            )
    return None


def clip_stopped(error: Exception) -> Verdict:
    """The hook ended with an exception, or the engine could not use what it returned."""
    if "'value'" in str(error) or "returned a" in str(error):
        return not_yet("your hook returns no tensor. The walk goes on with what you return, so it has to be one.")
    if "one value" in str(error) or "truth" in str(error) or "ambiguous" in str(error):
        return not_yet("g has two entries, and `if` wants one answer: ask for the length, which is one number.")
    return stopped("your hook", error)


def clip_problem(long: list[float], short: list[float], zero: list[float]) -> str | None:
    """The thought behind what came out for lengths 20, 0.5 and 0."""
    if close(long, [1.0, -1.0]):
        return (
            "you cut each entry by itself: [12, −16] became [1, −1], and points elsewhere. Shorten all by one factor."
        )
    if close(long, [1.0, -16.0]):
        return "you only cut from above: −16 is as long as 16. The length knows no sign."
    if close(long, [12 / 400, -16 / 400]):
        return "you divided by 400, the sum of squares. The length is its root, 20."
    if close(long, [12 / 28, -16 / 28]):
        return "you divided by 28, the sum of the absolute values. The length is the root of the sum of squares, 20."
    if close(long, [12 / 16, -1.0]):
        return "you divided by 16, the largest entry. The length is the root of the sum of squares, 20."
    if close(long, [-3.0, 4.0]):
        return (
            "you divided by 12 − 16, the sum: entries cancel in it. The length is the root of the sum of squares, 20."
        )
    if any(k != k for k in zero):
        return "a cotangent of zeros came out as NaN: 0 / 0. Only what is longer than 1 has to be divided."
    if close(long, clipped(LONG)) and close(short, [0.6, 0.8]):
        return "[0.3, 0.4] is shorter than 1, and you made it longer. Clipping never lengthens."
    if not close(long, clipped(LONG)):
        return f"[12, −16] has length 20. It should come out as [0.6, −0.8], and came out as {listed(long)}."
    if not close(short, SHORT):
        return f"[0.3, 0.4] is shorter than 1 and should pass. It came out as {listed(short)}."
    return None


def close(a: list[float], b: list[float]) -> bool:
    """Equal to the rounding of float32, and to a tiny number that was added against 0 / 0."""
    return all(abs(p - q) <= 1e-3 * max(1.0, abs(q)) for p, q in zip(a, b, strict=True))


def listed(numbers: list[float]) -> str:
    """As they are told: four digits, and a true minus."""
    return "[" + ", ".join(f"{k:.4g}" for k in numbers).replace("-", "−") + "]"


# ---- a log of the walk ----------------------------------------------------------------------------------------------

Log = list[tuple[str, float]]
Watch = Callable[[Any, Log], Any]


def size(g: Any) -> float:
    """The largest absolute value in a cotangent: one number for the log.

    Example:
        >>> size(tensor([1.0, -3.0]))
        3.0
    """
    parts = g if isinstance(g, tuple) else (g,)
    return max((float(xp.abs(part.detach().value).max()) for part in parts if part is not None), default=0.0)


def diamond() -> tuple[Tensor, Tensor]:
    """A leaf, and a result that reads a value twice."""
    x = tensor(0.0, requires_grad=True)
    v = x.exp()
    return x, v * (1 + v) * 5


RIGHT: Log = [("MulBackward", 1.0), ("MulBackward", 5.0), ("AddBackward", 5.0), ("ExpBackward", 15.0)]
LEAF = ("AccumulateGrad", 15.0)


@answering
def check_watch(watch: Watch) -> Verdict:
    """Check the reader's `watch(root, log)`: a hook on every node, which notes its name and the size of what it got."""
    x, y = diamond()
    root, log = root_of(y), []
    _, error = attempt(watch, root, log)
    if error is not None:
        return watch_stopped(error)
    if log:
        return not_yet("the log is filled before the walk: you noted what is there, not what happens. Use a hook.")
    if not any(node.hooks is not None for node in nodes_of(root)):
        return unwritten("no node has a hook, so nobody tells you anything. Follow next_functions from the root.")
    _, error = attempt(y.backward)
    if error is not None:
        return hook_stopped(error)
    problem = log_problem(root, log, x.grad) or measured_otherwise(watch)
    return not_yet(problem) if problem is not None else done(
        f"{len(log)} nodes, each once, in the order of the walk, each with what it got. And the gradient is as before."
    )  # fmt: skip


def watch_stopped(error: Exception) -> Verdict:
    """`watch` itself ended with an exception."""
    if "NoneType" in str(error):
        return not_yet(
            "you followed an edge that leads nowhere. In next_functions, None stands for a constant: skip it."
        )
    if "tuple" in str(error):
        return not_yet("next_functions holds pairs (node, number). You used a pair as a node: take its first part.")
    return stopped("watch()", error)


def hook_stopped(error: Exception) -> Verdict:
    """A hook ended with an exception, or returned what the walk cannot carry."""
    if "positional argument" in str(error):
        return not_yet(
            "a hook was called with another number of arguments than it takes. register_prehook calls it with what the "
            "node got; register_hook calls it with two things, what the node sends and what it got."
        )
    if isinstance(error, AttributeError) and isinstance(error.obj, tuple) and error.name == "name":
        return not_yet(
            "the second argument of your hook has taken the place of the node. register_hook calls it with two things, "
            "what the node sends and what it got, and a default such as node=node is overwritten by the second. "
            "register_prehook calls it with one, what the node got."
        )
    if isinstance(error, AttributeError) and "'tuple'" in str(error):
        return not_yet("what a node gets is a tuple: a part for each of its results. lesson.size takes it as it is.")
    if isinstance(error, AttributeError | MinitorchError):
        return not_yet("your hook returns something, and the walk goes on with that. To look only, return nothing.")
    return stopped("your hook", error)


def log_problem(root: Node, log: list[Any], gradient: Tensor | None) -> str | None:
    """What is wrong with the log, and the thought that leads to it."""
    if odd := [line for line in log if not is_pair(line)]:
        return f"a line of your log is {shown(odd[0])}. It should be a pair: log.append((node.name(), lesson.size(g)))."
    names, right = [name for name, _ in log], [name for name, _ in RIGHT]
    if len(log) >= 4 and len(set(names)) == 1:
        return (
            f"every line of your log says {names[0]}. All hooks read one variable, and they run long after the loop "
            "has ended: bind the node when the hook is made (a function that makes the hook, or node=node)."
        )
    if names.count("ExpBackward") > 1:
        return "ExpBackward ran once, and your log has it twice: it has two readers, and you hooked it once for each."
    if len(log) == 1:
        return "your log has one line. Did you go on from the root to its next_functions?"
    lost = [node.name() for node in nodes_of(root) if not isinstance(node, Leaf) and node.name() not in names]
    if lost or len([name for name in names if name != "AccumulateGrad"]) < len(right):
        return (
            f"{(lost or ['A second MulBackward'])[0]} is not in your log. Two nodes may have one name: compare nodes."
        )
    if gradient is None or gradient.item() != LEAF[1]:
        return "the gradient of x has changed: your hook returns something, and the walk goes on with that."
    return sizes_problem([line for line in log if line[0] != "AccumulateGrad"])


def is_pair(line: Any) -> bool:
    """Whether a line of a log is a name and a number."""
    if not isinstance(line, tuple | list) or len(line) != 2 or not isinstance(line[0], str):
        return False
    number = plain(line[1])
    return isinstance(number, int | float) and abs(number) < 2**1023


def measured_otherwise(watch: Watch) -> str | None:
    """Whether what is noted of a cotangent is its largest entry without the sign, where it has several."""
    x, log = tensor([0.5, -1.0], requires_grad=True), []
    y = (x.sin() * tensor([2.0, -3.0])).sum()
    watch(root_of(y), log)
    _, error = attempt(y.backward)
    found = {name: float(number) for name, number in log}
    if error is None and (found["SinBackward"], found["MulBackward"]) == (3.0, 1.0):
        return None
    return (
        "right for single numbers. The size of [2, −3] is 3 and that of [1, 1] is 1, the largest absolute value: note "
        "lesson.size of what arrives."
    )


def sizes_problem(log: Log) -> str | None:
    """Whether each node's number is the size of what it got."""
    sizes = [float(number) for _, number in log]
    if list(map(tuple, log)) == RIGHT:
        return None
    if sizes == [5.0, 10.0, 5.0, 15.0]:
        return "these are the sizes of what each node sends. Note what it got: that is what a prehook is called with."
    if [name for name, _ in log] != [name for name, _ in RIGHT]:
        return f"the walk ran {', '.join(name for name, _ in RIGHT)}, and your log has another order."
    return f"the sizes should be {[number for _, number in RIGHT]} and are {sizes}: note lesson.size of what arrives."
