"""Where things lie in Python's and NumPy's objects: offsets in bytes, for machine code that looks into them."""

from __future__ import annotations

import ctypes

HEAD = object.__basicsize__  # what an object starts with: its count and, in the last word, its type
TYPE = HEAD - 8
DATA, NDIM, LENGTHS, STRIDES, BASE, DTYPE, FLAGS = (HEAD + 8 * i for i in range(7))  # of NumPy's arrays
FIT = 0x0101  # the flags of an array that is C-contiguous and aligned
MEMBER = HEAD + 24  # where the descriptor of a slot has the address of its description
OBJECT = 16  # the kind of a member that holds an object


class Member(ctypes.Structure):
    """CPython's PyMemberDef: the description of a slot."""

    _fields_ = (("name", ctypes.c_char_p), ("kind", ctypes.c_int), ("offset", ctypes.c_ssize_t))


def slot(cls: type, name: str) -> int | None:
    """Where the objects of a class have a slot; None if this interpreter describes slots in another way.

    Example:
        >>> class Pair:
        ...     __slots__ = ("first", "second")
        >>> slot(Pair, "second") - slot(Pair, "first")
        8
    """
    address = ctypes.c_void_p.from_address(id(vars(cls)[name]) + MEMBER).value
    member = Member.from_address(address or 0) if address else None
    fits = member is not None and member.name == name.encode() and member.kind == OBJECT
    return member.offset if member is not None and fits else None
