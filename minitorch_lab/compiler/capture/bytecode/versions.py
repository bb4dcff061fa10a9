"""What differs between CPython 3.11, 3.12 and 3.13, and bytecode as lists of instructions.

`dis` leaves out caches and resolves jumps, so most differences are names of instructions: `control.py` and `opcodes.py`
give several names to one meaning. What is left stands here.
"""

from __future__ import annotations

import dis
import sys
from dataclasses import dataclass
from types import CodeType
from typing import Any

VERSION = sys.version_info[:2]
METHOD_BIT = 1 if VERSION >= (3, 12) else 0  # LOAD_ATTR's low bit asks for two slots, as LOAD_METHOD did
COMPARE_BOOL = 16 if VERSION >= (3, 13) else 0  # COMPARE_OP's bit for "and convert to bool"
LOOP_END = 2 if VERSION >= (3, 13) else 1  # FOR_ITER lands on END_FOR, from 3.13 on also on a POP_TOP: both are skipped
SEND_POPS = VERSION < (3, 12)  # SEND takes the exhausted iterator away; later END_SEND does
INTRINSICS = {3: "INTRINSIC_STOPITERATION_ERROR", 5: "INTRINSIC_UNARY_POSITIVE", 6: "INTRINSIC_LIST_TO_TUPLE"}


@dataclass(eq=False, slots=True)
class Listing:
    """A code object as the machine reads it."""

    instructions: list[Any]
    at: dict[int, int]  # the place in `instructions` of what stands at a byte offset
    handlers: list[Any]  # the exception table: start, end, target, depth, lasti


LISTINGS: dict[CodeType, Listing] = {}


def listing(code: CodeType) -> Listing:
    """The instructions of `code`, without the caches between them."""
    if code not in LISTINGS:
        everything = list(dis.get_instructions(code))
        real = [i for i in everything if i.opname not in ("CACHE", "EXTENDED_ARG")]
        at = {i.offset: n for n, i in enumerate(real)}
        for i in everything:  # a jump may land on an EXTENDED_ARG: it means the instruction that this one extends
            if i.offset not in at:
                at[i.offset] = next((n for n, j in enumerate(real) if j.offset > i.offset), len(real) - 1)
        LISTINGS[code] = Listing(real, at, list(getattr(dis.Bytecode(code), "exception_entries", ())))
    return LISTINGS[code]


def past_loop(found: Listing, target: int) -> int:
    """The offset at which a `for` goes on after its last round."""
    place = found.at[target]
    if found.instructions[place].opname == "END_FOR":
        place += LOOP_END
    return found.instructions[place].offset
