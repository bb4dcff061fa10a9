"""What this machine refuses, before anything runs: said with the user's line.

A code object that is put together wrongly does not raise, it takes the interpreter down. So only instructions that are
listed here are ever copied or run, and a function with any other is refused whole.
"""

from __future__ import annotations

import dis
import inspect
import sys
from types import CodeType, FunctionType
from typing import Any

from ....autograd.anomaly import Place
from ....errors import CaptureError
from .instructions import VERSION

VERSIONS = ((3, 11), (3, 12), (3, 13))
WAY = (
    "This is TorchDynamo's way in small, for the lesson: it copies bytecode, where a mistake takes Python down and a "
    "break inside try or with cannot be resumed."
)
ELSEWHERE = "Did you mean ml.compile? It goes another way, replay, and takes these too."
ALLOWED = {
    *("RESUME", "NOP", "CACHE", "EXTENDED_ARG", "COPY_FREE_VARS", "PRECALL", "KW_NAMES", "PUSH_NULL", "TO_BOOL"),
    *("POP_TOP", "COPY", "SWAP", "LOAD_CONST", "LOAD_GLOBAL", "LOAD_DEREF", "LOAD_ATTR", "LOAD_METHOD"),
    *("LOAD_FAST", "LOAD_FAST_CHECK", "STORE_FAST"),
    *("LOAD_FAST_LOAD_FAST", "STORE_FAST_LOAD_FAST", "STORE_FAST_STORE_FAST"),
    *("UNARY_NEGATIVE", "UNARY_POSITIVE", "UNARY_INVERT", "UNARY_NOT", "BINARY_OP", "COMPARE_OP", "IS_OP"),
    *("CONTAINS_OP", "BINARY_SUBSCR", "BINARY_SLICE", "STORE_SUBSCR", "CALL", "CALL_KW"),
    *("BUILD_TUPLE", "BUILD_LIST", "BUILD_SLICE", "LIST_EXTEND", "UNPACK_SEQUENCE"),
    *("FORMAT_VALUE", "FORMAT_SIMPLE", "FORMAT_WITH_SPEC", "CONVERT_VALUE", "BUILD_STRING"),
    *("POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_FORWARD_IF_TRUE", "POP_JUMP_IF_FALSE", "POP_JUMP_IF_TRUE"),
    *("POP_JUMP_FORWARD_IF_NONE", "POP_JUMP_FORWARD_IF_NOT_NONE", "POP_JUMP_IF_NONE", "POP_JUMP_IF_NOT_NONE"),
    *("JUMP_IF_FALSE_OR_POP", "JUMP_IF_TRUE_OR_POP", "JUMP_FORWARD", "RETURN_VALUE", "RETURN_CONST"),
}
WORDS = (  # the first that is part of the name of an instruction says what the user wrote
    ("EXC", "try"), ("RERAISE", "try"), ("RAISE", "raise"), ("ASSERTION", "assert"), ("WITH", "with"),
    ("YIELD", "yield"), ("ASYNC", "async"), ("AWAIT", "await"), ("SEND", "yield"), ("IMPORT", "an import"),
    ("FOR_ITER", "a loop"), ("GET_ITER", "a loop"), ("BACKWARD", "a loop"), ("LOAD_FAST_AND_CLEAR", "a loop"),
    ("CLOSURE", "a function or class defined inside"), ("MAKE_CELL", "a function or class defined inside"),
    ("MAKE_FUNCTION", "a function or class defined inside"), ("BUILD_CLASS", "a function or class defined inside"),
    ("FUNCTION_EX", "a star in a call"), ("DICT", "a dict"), ("MAP", "a dict"), ("SET", "a set"),
    ("GLOBAL", "a write to a global"), ("DEREF", "a write to a variable of the enclosing function"),
    ("DELETE", "del"), ("STORE_ATTR", "a write to an attribute"), ("MATCH", "match"), ("SUPER", "super()"),
)  # fmt: skip


def check(fn: Any) -> None:
    """Make sure that every instruction of `fn` is one that this machine can copy.

    Raises:
        CaptureError: `fn` is no Python function; or it has a construct that is not listed above; or this Python is
            not one whose bytecode is known here.
    """
    if VERSION not in VERSIONS:
        raise CaptureError(
            f"rewrite() on Python {sys.version.split()[0]}.",
            "Bytecode changes with every version, and here that of 3.11, 3.12 and 3.13 is known.",
            "Did you mean ml.jit.trace, which reads no bytecode?",
        )
    if not isinstance(fn, FunctionType):
        raise CaptureError(
            f"rewrite() got a {type(fn).__name__}.",
            "It rewrites the bytecode of one plain function of tensors.",
            "Did you mean a function that calls it? Or ml.compile.",
        )
    code = fn.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise refusal("a star among the parameters", code, code.co_firstlineno)
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        raise refusal("yield or async", code, code.co_firstlineno)
    line = code.co_firstlineno
    for i in dis.get_instructions(code):
        line = (i.positions.lineno if i.positions else None) or line
        if i.opname not in ALLOWED:
            raise refusal(next((what for part, what in WORDS if part in i.opname), i.opname), code, line)
    if code.co_exceptiontable:
        raise refusal("try or with", code, line)
    if code.co_cellvars:
        raise refusal("a variable that a function inside shares", code, line)


def refusal(what: str, code: CodeType, line: int) -> CaptureError:
    """The error of a construct outside the subset."""
    place = Place(code.co_filename, line)
    return CaptureError(f"rewrite() cannot take {what} in {code.co_name} ({place}).", WAY, ELSEWHERE)
