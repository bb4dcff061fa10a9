"""The checks of two exercises with saved tensors: a detector of silent writes, and a pair of hooks that halves them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from ...autograd import no_grad, saved_tensors_hooks
from ...errors import DTypeError, ShapeError
from ...tensors.factories import tensor
from ...tensors.tensor import Tensor
from ..values import described, plain
from ..verdict import Verdict, answering, attempt, describe_error, done, not_yet, stopped, unwritten
from ..walks import nodes_of, root_of
from .parcels import hidden, weigh

__all__ = ["check_packing", "check_spoiled", "kept_bytes"]

# ---- a detector of silent writes ------------------------------------------------------------------------------------

Remember = Callable[[Any], Any]
Spoiled = Callable[[Any, Any], Any]
Write = Callable[[Tensor], None]


class Trap(NamedTuple):
    """A program that ends with the memory that will be overwritten, and what that spoils."""

    line: str
    program: Callable[[Tensor], tuple[Tensor, Tensor]]
    spoils: list[str]


def exponential(x: Tensor) -> tuple[Tensor, Tensor]:
    """exp keeps its result."""
    y = x.exp()
    return y, y.data


def square(x: Tensor) -> tuple[Tensor, Tensor]:
    """pow keeps its input, one node further down than the root."""
    h = x * 2
    return (h**2).sum(), h.data


def harmless(x: Tensor) -> tuple[Tensor, Tensor]:
    """add keeps nothing."""
    h = x * 3
    return h + 1, h.data


def counted(x: Tensor) -> tuple[Tensor, Tensor]:
    """detach() shares the version counter: the engine sees this one as well."""
    h = x * 3
    return h * h, h.detach()


def namesakes(x: Tensor) -> tuple[Tensor, Tensor]:
    """Two nodes of one name, of which one loses what it keeps."""
    h = x.exp()
    return (h - 1).exp(), h.data


def untouched(x: Tensor) -> tuple[Tensor, Tensor]:
    """Something else is overwritten."""
    return x.exp().sin(), tensor([5.0])


TRAPS = (
    Trap("y = x.exp(), then y.data *= 100", exponential, ["ExpBackward out"]),
    Trap("y = ((x * 2) ** 2).sum(), then h.data *= 100 with h = x * 2", square, ["PowBackward x"]),
    Trap("y = x * 3 + 1, then h.data *= 100 with h = x * 3", harmless, []),
    Trap("y = x.exp().sin(), and nothing overwritten", untouched, []),
    Trap("y = (h - 1).exp() with h = x.exp(), then h.data *= 100", namesakes, ["ExpBackward out"]),
    Trap("y = h * h, then h.detach() *= 100", counted, ["MulBackward x", "MulBackward y"]),
)


@answering
def check_spoiled(remember: Remember, spoiled: Spoiled) -> Verdict:
    """Check the reader's detector: `remember(root)` before the writes, `spoiled(root, memory)` after them."""
    found: list[list[str]] = []
    for trap in TRAPS:
        answer, error = attempt(lambda trap=trap: detect(trap, remember, spoiled, times(100.0)))
        if error is not None:
            return detector_stopped(error)
        answer = plain(answer)
        if not isinstance(answer, list) or not all(isinstance(line, str) for line in answer):
            given = described(answer)
            return not_yet(f'spoiled() returns {given}. It returns a list of lines such as "ExpBackward out".')
        found.append(sorted(answer))
    if found == [trap.spoils for trap in TRAPS]:
        for write, missed in WRITES:
            again, error = attempt(
                lambda write=write: [sorted(plain(detect(trap, remember, spoiled, write))) for trap in TRAPS]
            )
            if error is not None or again != found:
                return not_yet(missed)
        return done(f"{len(TRAPS)} programs, and nothing slips through: copies see what no counter counts.")
    if not any(found):
        return nothing_found(remember)
    if found == [*[[]] * (len(TRAPS) - 1), TRAPS[-1].spoils]:
        return not_yet("you found the write through detach() only. You compare versions, and .data raises none.")
    if found[0] == ["ExpBackward out"] and found[1] == []:
        return missed_pow(remember)
    trap, answer = next((trap, answer) for trap, answer in zip(TRAPS, found, strict=True) if answer != trap.spoils)
    if not trap.spoils or len(answer) > len(trap.spoils):
        return not_yet(f"a false alarm. In {trap.line}, {(set(answer) - set(trap.spoils)).pop()} is as it was.")
    return not_yet(f"in {trap.line}, you found {answer or 'nothing'}. It spoils {', '.join(trap.spoils)}.")


def missed_pow(remember: Remember) -> Verdict:
    """What the root keeps was found, and not what the node below it keeps: looked at, or not?"""
    root = root_of(square(tensor([1.0, 0.0], requires_grad=True))[0])
    kept = remember(root)
    held = next((t for t in held_in(kept) if t.shape == (2,)), None)
    if held is None:
        return not_yet("you found what the root keeps, and missed pow, one node further down. Go through "
                       "lesson.order_of(root).")  # fmt: skip
    return not_yet(
        "you remember what pow keeps, one node further down, and do not see that it has changed. It was [2, 0] and is "
        "[200, 0]: one entry differs, and 100 times 0 is 0. Ask whether any entry differs, (a != b).any(). Both "
        "not (a == b).any() and (a != b).all() ask whether all of them do."
    )


def held_in(kept: Any) -> list[Tensor]:
    """The tensors in what was remembered, however it is nested."""
    if isinstance(kept, Tensor):
        return [kept]
    parts = [*kept.values()] if isinstance(kept, dict) else kept if isinstance(kept, list | tuple) else []
    return [found for part in parts for found in held_in(part)]


def times(by: float) -> Write:
    """A write that multiplies."""

    def write(memory: Tensor) -> None:
        memory *= by

    return write


def turned(memory: Tensor) -> None:
    """A write that leaves the entries and their sum, and not their places."""
    memory.copy_(memory.flip(0).clone())


WRITES: list[tuple[Write, str]] = [
    (times(0.01), "numbers that became larger are found, and numbers that became smaller are not: use !=."),
    (times(1.001), "large changes are found, and one by a thousandth is not: use !=, a copy is equal to the bit."),
    (times(1.0 + 2**-22), "a change of the last digit is not found: use !=, a copy is equal to the bit."),
    (turned, "entries that have changed places are not found. Compare entry by entry, and not a sum or a largest one."),
]


def detect(trap: Trap, remember: Remember, spoiled: Spoiled, write: Write) -> Any:
    """What the detector says of a program."""
    y, memory = trap.program(tensor([1.0, 0.0], requires_grad=True))  # 100 times 0 is 0: the other entry tells
    root = root_of(y)
    kept = remember(root)
    with no_grad():
        write(memory)
    return spoiled(root, kept)


def nothing_found(remember: Remember) -> Verdict:
    """Every answer was an empty list: nothing written yet, or compared with itself."""
    y, memory = exponential(tensor([1.0], requires_grad=True))
    kept = remember(root_of(y))
    held = list(kept.values()) if isinstance(kept, dict) else []
    if not held:
        return unwritten("nothing is remembered yet, so nothing is missed.")
    before = held[0].item() if isinstance(held[0], Tensor) else held[0]
    with no_grad():
        memory *= 100
    if isinstance(held[0], Tensor) and held[0].item() != before:
        return not_yet(
            "what you remembered has changed too: it is the same memory, so you compare it with itself. Keep a copy, "
            "clone(); detach() and .data share the memory."
        )
    return not_yet("you remember something, and spoiled() finds no difference: does it look at saved_tensors again?")


def detector_stopped(error: Exception) -> Verdict:
    """The reader's detector ended with an exception."""
    if "has no attribute" in str(error) and any(word in str(error) for word in ("'int'", "'float'", "'tuple'")):
        return not_yet(
            "a node keeps numbers and shapes too, and nobody can overwrite those. Take the tensors only: "
            "isinstance(kept, ml.Tensor)."
        )
    if isinstance(error, KeyError):
        return not_yet("you looked for something that was not remembered. Use the same pairs (node, name) both times.")
    return stopped("your detector", error)


# ---- packing --------------------------------------------------------------------------------------------------------

Pack = Callable[[Tensor], Any]
Unpack = Callable[[Any], Any]


def kept_bytes(y: Tensor) -> int:
    """The bytes that the nodes behind `y` keep alive: each memory once, however many nodes keep it.

    Example:
        >>> x = tensor([1.0, 2.0], requires_grad=True)
        >>> kept_bytes(x.sin() * x)
        16
    """
    kept = [t for node in nodes_of(root_of(y)) for t in node.saved_tensors.values() if isinstance(t, Tensor)]
    return sum({t.data_ptr(): t.nbytes for t in kept}.values())


ENTRIES = [0.5, -1.25, 3.0, 0.001, -2.0, 0.1, 0.0, 1.5]
SMALL = [1e-4, -3e-4, 2.3e-5, 0.0]
LARGE = [1e5, -2.5e5, 3e4, 0.0]
BELOW = [-1e5, 0.5, 1.0, 0.25]
ZEROS = [0.0, 0.0, 0.0, 0.0]


@answering
def check_packing(pack: Pack, unpack: Unpack) -> Verdict:
    """Check the reader's pair: half the bytes, gradients to three digits, and no NaN where numbers are large or 0."""
    parcels: list[int] = []

    def weighing(t: Tensor) -> Any:
        parcel = pack(t)
        parcels.append(weigh(parcel))
        return parcel

    for entries in (ENTRIES, LARGE, SMALL, BELOW, ZEROS):
        gradient, error = attempt(packed_gradient, weighing, unpack, entries)
        if error is not None:
            return packing_stopped(error)
        if problem := gradient_problem(entries, gradient):
            return not_yet(problem)
    return weighed(pack, unpack)


def packed_gradient(pack: Pack, unpack: Unpack, entries: list[float]) -> list[float]:
    """The gradient of Σ x² by x, where pow keeps x as a parcel. It is 2x."""
    x = tensor([entries, entries], requires_grad=True)
    with saved_tensors_hooks(pack, unpack):
        y = (x**2).sum()
    y.backward()
    assert x.grad is not None
    return x.grad[0].tolist()


def gradient_problem(entries: list[float], gradient: list[float]) -> str | None:
    """What came out instead of 2x."""
    wanted = [2 * x for x in entries]
    if any(g != g for g in gradient):
        return (
            "a tensor of zeros came back as NaN: 0 / 0. If you divide by the largest entry, mind the case of 0."
            if entries is ZEROS
            else "NaN came back: 0 · ∞. Does a large number fit into what you pack?"
        )
    if any(abs(g) == float("inf") for g in gradient):
        return (
            "100000 came back as infinity: float16 ends at 65504. Divide by the largest entry, keep that number "
            "too, and multiply again in unpack."
        )
    far = max(zip(gradient, wanted, strict=True), key=lambda pair: abs(pair[0] - pair[1]))
    if abs(far[0] - far[1]) > 2e-3 * max(map(abs, wanted)):
        if all(g == round(g) for g in gradient) and entries is ENTRIES:
            return "your parcels hold whole numbers: fractions are gone, and with them the gradient. Use float16."
        return f"a gradient of {far[1]:.6g} came out as {far[0]:.6g}. unpack gives back what pack got, to three digits."
    return None


def weighed(pack: Pack, unpack: Unpack) -> Verdict:
    """Right numbers: what they weigh, for a tensor of 4000 bytes, and whether more is kept than that."""
    sizes: list[int] = []

    def weighing(t: Tensor) -> Any:
        parcel = pack(t)
        sizes.append(weigh(parcel))
        return parcel

    x = tensor([k / 1000 for k in range(1000)], requires_grad=True)
    with saved_tensors_hooks(weighing, unpack):
        y = ((x + 1) ** 2).sum()  # nobody but pow wants x + 1
    (size,) = sizes
    y.backward()
    if size == 4000:
        return unwritten("4000 bytes go in, and a parcel weighs 4000: nothing is saved yet.")
    if size > 4000:
        return not_yet(
            f"4000 bytes go in, and a parcel weighs {size}: Python's numbers and lists are larger than arrays."
        )
    if size > 2100:
        return not_yet(f"4000 bytes go in, and a parcel weighs {size}. Two bytes per entry are enough: float16.")
    if hidden(pack):
        return not_yet(f"a parcel weighs {size}, but what was packed is still held somewhere: keep the parcel alone.")
    return done(f"4000 bytes go in, {size} are kept, and gradients are right to three digits.")


def packing_stopped(error: Exception) -> Verdict:
    """One of the two hooks ended with an exception, or gave something that the walk refused."""
    if "The unpack hook returned" not in str(error):
        return stopped("your pair of hooks", error)
    if isinstance(error, DTypeError):
        return not_yet(f"{describe_error(error)} In NumPy it is .astype('float32').")
    more = "" if isinstance(error, ShapeError) else " ml.tensor(...) makes one."
    return not_yet(f"{describe_error(error)}{more}")
