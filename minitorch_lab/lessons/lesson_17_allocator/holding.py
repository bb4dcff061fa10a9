"""The check of the reader's reading of a snapshot: which line holds how many bytes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..values import plain, shown, whole
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten
from .trace import Line, Request, allocator_of, serve, snapshot

Snapshot = list[dict[str, Any]]
Holders = Callable[[Snapshot], dict[int | None, int]]
KIB, MIB = 1 << 10, 1 << 20
# Line and size of blocks, in order; those with a minus are given back in the end.
PROGRAMS: dict[str, list[tuple[int | None, int]]] = {
    "one block": [(3, 100 * KIB)],
    "two lines": [(3, 100 * KIB), (4, 200 * KIB)],
    "one line, twice": [(3, 100 * KIB), (4, 10 * KIB), (3, 300 * KIB)],
    "one of them given back": [(3, 100 * KIB), (4, -500 * KIB), (5, 10 * KIB)],
    "the first given back": [(3, -100 * KIB), (4, 500 * KIB)],
    "odd sizes": [(3, 1000), (7, 700), (3, 1)],
    "two segments": [(3, 100 * KIB), (3, 3 * MIB), (4, 30 * MIB), (4, -2 * MIB)],
    "a line that nobody knows": [(None, 100 * KIB), (3, 10 * KIB), (None, 1)],
    "all given back": [(3, -100 * KIB), (4, -100 * KIB)],
}


def snapshot_after(program: Sequence[tuple[int | None, int]]) -> Snapshot:
    """The snapshot of an allocator that has run a program: line and size of each block, negative if it is given back.

    Example:
        >>> [block["state"] for block in snapshot_after([(3, -1000), (4, 600)])[0]["blocks"]]
        ['inactive', 'active_allocated', 'inactive']
    """
    lines = [None if line is None else Line("model.py", line, "") for line, _ in program]
    made = [Request("allocate", f"b{k}", abs(n), "", lines[k]) for k, (_, n) in enumerate(program)]
    gone = [Request("free", f"b{k}", -n, "", lines[k]) for k, (_, n) in enumerate(program) if n < 0]
    allocator = allocator_of(1 << 30)
    serve([*made, *gone], allocator)
    return snapshot(allocator)


def lines_of(snapshot: Snapshot, key: str = "size", every: bool = False) -> dict[int | None, int]:
    """Bytes of blocks by line: of those in use, or of every one.

    Example:
        >>> lines_of(snapshot_after([(3, 1000), (3, 600)]))
        {3: 2048}
    """
    held: dict[int | None, int] = {}
    for segment in snapshot:
        for block in segment["blocks"]:
            if every or block["state"] == "active_allocated":
                line = block["frames"][0]["line"] if block["frames"] else None
                held[line] = held.get(line, 0) + block[key]
    return held


@answering
def check_holders(holders: Holders) -> Verdict:
    """Check the reader's reading of nine snapshots."""
    answers: dict[str, Any] = {}
    for name, program in PROGRAMS.items():
        found, error = attempt(holders, snapshot_after(program))
        if isinstance(error, IndexError):
            return not_yet(
                f"your function stops with IndexError: {error}. A block whose line nobody knows has no frames: its "
                "bytes go under None."
            )
        if error is not None:
            return stopped("your function", error)
        answers[name] = plain(found)
    if not any(answers.values()):
        return unwritten("for you no line holds anything.")
    for name, program in PROGRAMS.items():
        if not isinstance(answers[name], dict):
            return not_yet(f"your function gives {shown(answers[name])}. It is a dict: from a line's number to bytes.")
        if (problem := wrong_holders(snapshot_after(program), answers[name])) is not None:
            return not_yet(f"{problem} The snapshot: {name}.")
    return done("nine snapshots. Blocks in use only, with the bytes that they take up, line by line.")


def wrong_holders(taken: Snapshot, found: dict[Any, Any]) -> str | None:
    """What is wrong with who holds what."""
    wanted = lines_of(taken)
    mine = {key: number for key, n in found.items() if (number := whole(n)) is None or number}
    if mine == wanted:
        return None
    if any(isinstance(key, str | tuple) for key in mine):
        return 'the keys are numbers of lines: block["frames"][0]["line"].'
    if mine == {k: n for k, n in lines_of(taken, every=True).items() if n}:
        return 'you count free blocks too. A block is in use if its "state" is "active_allocated".'
    if mine == lines_of(taken, "requested_size"):
        return (
            'you add up "requested_size". That is what was asked for; the block takes up "size", and nobody else can '
            "have the rest."
        )
    if mine == lines_of(taken[:1]):
        return "you read the first segment only. A snapshot is a list of segments, each with its blocks."
    if None in wanted and mine == {line: n for line, n in wanted.items() if line is not None}:
        return "a block without frames is in use all the same. Its bytes go under None."
    each_alone = [lines_of([{"blocks": [block]}]) for segment in taken for block in segment["blocks"]]
    if mine == {line: n for alone in each_alone for line, n in alone.items()}:
        return "a line may hold several blocks: add up, where you write over."
    for line, n in wanted.items():
        if mine.get(line) != n:
            who = "blocks without a line hold" if line is None else f"line {line} holds"
            return f"{who} {n:,} bytes, and you say {mine.get(line, 0)}."
    return "you name a line that holds nothing: who holds nothing is left out."
