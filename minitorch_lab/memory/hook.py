"""Who gives NumPy the memory of its arrays: a handler (NEP 49) that serves large ones from an allocator of ours.

The handler is machine code, as NumPy calls it at moments when no Python may run: an array may die while an error is on
its way. So `free` of a block of ours only puts it on a list, whose links lie in the freed blocks themselves; the
allocator takes them back when it is next asked for something. `malloc` of a large array asks Python. Everything else,
small arrays first of all, goes to the handler that was there before.

NumPy keeps the handler with each array, so what was served dies by it whenever that is, and switching off needs no
care: outside the block NumPy's own handler is in force, as if nothing had been.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from ..core.array import xp
from ..errors import ArgumentError

SET, GET = 304, 305  # PyDataMem_SetHandler and PyDataMem_GetHandler in the table of NumPy's functions for C
NAME = b"mem_handler"
TAKEN = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_size_t)  # bytes → address; 0: there is none; 1: ask the other one
REGROWN = ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)
IMMORTAL: list[Any] = []  # an array may outlive everything else, and its memory is freed through these


class Calls(ctypes.Structure):
    """NumPy's PyDataMemAllocator."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("context", "malloc", "calloc", "realloc", "free"))


class Handler(ctypes.Structure):
    """NumPy's PyDataMem_Handler."""

    _fields_ = (("name", ctypes.c_char * 127), ("version", ctypes.c_uint8), ("calls", Calls))


class Context(ctypes.Structure):
    """What the machine code looks at: the range of addresses, the freed blocks, whom to ask, and the other handler."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("begin", "end", "freed")),
        ("least", ctypes.c_size_t),
        *((name, ctypes.c_void_p) for name in ("take", "regrow", "context", "malloc", "calloc", "realloc", "free")),
    )


FIELDS = {name: number for number, (name, _) in enumerate(Context._fields_)}  # pyright: ignore
RECORD = "{ " + ", ".join("i64" for _ in FIELDS) + " }"


def field(into: str, name: str) -> str:
    """LLVM's lines that read a field of the context."""
    return (
        f"  %{into}_at = getelementptr {RECORD}, ptr %me, i64 0, i32 {FIELDS[name]}\n"
        f"  %{into} = load i64, ptr %{into}_at\n"
    )


def ours(address: str) -> str:
    """LLVM's lines that say whether an address lies in the range."""
    return (
        f"{field('begin', 'begin')}{field('end', 'end')}"
        f"  %at = ptrtoint ptr {address} to i64\n"
        "  %from = icmp uge i64 %at, %begin\n  %to = icmp ult i64 %at, %end\n  %ours = and i1 %from, %to\n"
        "  br i1 %ours, label %mine, label %other\n"
    )


def handed(call: str, result: str, names: str, types: str) -> str:
    """LLVM's lines that hand a call on to the handler that was there before."""
    out = "" if result == "void" else "%passed = "
    return (
        f"other:\n{field('under', 'context')}  %below = inttoptr i64 %under to ptr\n{field('how', call)}"
        f"  %there = inttoptr i64 %how to ptr\n  {out}call {result} %there(ptr %below, {names})\n"
        f"  ret {result}{'' if result == 'void' else ' %passed'}\n"
    )


def served(nbytes: str, zero: bool) -> str:
    """LLVM's lines that ask Python for memory if it is much, and hand the call on if Python says so."""
    clear = f"  call void @llvm.memset.p0.i64(ptr %got, i8 0, i64 {nbytes}, i1 false)\n" if zero else ""
    return (
        f"{field('least', 'least')}  %much = icmp uge i64 {nbytes}, %least\n  br i1 %much, label %ask, label %other\n"
        f"ask:\n{field('take', 'take')}  %asked = inttoptr i64 %take to ptr\n"
        f"  %got = call ptr %asked(i64 {nbytes})\n  %answer = ptrtoint ptr %got to i64\n"
        "  switch i64 %answer, label %here [ i64 0, label %none i64 1, label %other ]\n"
        f"here:\n{clear}  ret ptr %got\nnone:\n  ret ptr null\n"
    )


def source() -> str:
    """The handler in LLVM's assembly."""
    freed = f"getelementptr {RECORD}, ptr %me, i64 0, i32 {FIELDS['freed']}"
    return "\n".join(
        [
            "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)",
            "define ptr @malloc_(ptr %me, i64 %n) {",
            served("%n", False) + handed("malloc", "ptr", "i64 %n", "i64") + "}",
            "define ptr @calloc_(ptr %me, i64 %count, i64 %size) {",
            "  %n = mul i64 %count, %size",
            served("%n", True) + handed("calloc", "ptr", "i64 %count, i64 %size", "i64, i64") + "}",
            "define ptr @realloc_(ptr %me, ptr %old, i64 %n) {",
            ours("%old") + f"mine:\n{field('grow', 'regrow')}  %grown = inttoptr i64 %grow to ptr",
            "  %new = call ptr %grown(ptr %old, i64 %n)\n  ret ptr %new",
            handed("realloc", "ptr", "ptr %old, i64 %n", "ptr, i64") + "}",
            "define void @free_(ptr %me, ptr %old, i64 %n) {",
            ours("%old") + f"mine:\n  %list = {freed}\n  %next = load i64, ptr %list\n  store i64 %next, ptr %old",
            "  store i64 %at, ptr %list\n  ret void",
            handed("free", "void", "ptr %old, i64 %n", "ptr, i64") + "}",
            "define i64 @drain_(ptr %me) {",
            f"  %list = {freed}\n  %first = load i64, ptr %list\n  store i64 0, ptr %list\n  ret i64 %first\n}}",
        ]
    )


@cache
def code() -> Any:
    """The machine code: a function from a name to its address.

    Raises:
        ArgumentError: llvmlite is not installed.
    """
    try:
        from ..compiler.targets.llvm.machine import loaded
        from ..compiler.targets.llvm.target import host
    except ModuleNotFoundError:
        raise ArgumentError(
            "caching_allocator needs llvmlite, which is not installed.",
            "NumPy calls the handler of its memory as machine code, and llvmlite makes that.",
            'Did you mean pip install "minitorch-lab[llvm]"?',
        ) from None
    text = source()
    made = loaded(text, host(), lambda: text)
    IMMORTAL.append(made)
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(made.engine))  # also when Python ends
    return made.engine.get_function_address


def numpy_call(number: int, *arguments: Any) -> Callable[..., Any]:
    """A function of NumPy's for C, by its number: it gives an object."""
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    table = pointer(xp._core._multiarray_umath._ARRAY_API, None)  # pyright: ignore
    address = ctypes.cast(table, ctypes.POINTER(ctypes.c_void_p))[number]
    return ctypes.PYFUNCTYPE(ctypes.py_object, *arguments)(address)


class Hook:
    """A handler of NumPy's that serves arrays of at least `least` bytes.

    Args:
        begin, end: The range of addresses from which `take` serves.
        least: Smaller arrays are none of its business.
        take: From a number of bytes to an address; 0 where there is none, 1 to have the usual handler asked.
        regrow: The same for a block that is there, whose first bytes it copies.
    """

    def __init__(
        self, begin: int, end: int, least: int, take: Callable[[int], int], regrow: Callable[[int, int], int]
    ) -> None:
        address = code()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        before = numpy_call(GET)()
        usual = Handler.from_address(pointer(before, NAME)).calls
        asked = TAKEN(take), REGROWN(regrow)
        self.context = Context(
            begin, end, None, least, *(ctypes.cast(f, ctypes.c_void_p) for f in asked),
            usual.context, usual.malloc, usual.calloc, usual.realloc, usual.free,
        )  # fmt: skip
        me = ctypes.addressof(self.context)
        calls = Calls(me, *(address(f"{name}_") for name in ("malloc", "calloc", "realloc", "free")))
        self.handler = Handler(b"minitorch_lab", 1, calls)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        self.capsule = make(ctypes.addressof(self.handler), NAME, None)
        self.drain = ctypes.PYFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)(address("drain_"))
        kept = (self.context, self.handler, asked, before, self.capsule)
        IMMORTAL.append(kept)
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(kept))

    def switch_on(self) -> Any:
        """Put the handler in force, for this thread; return the one that was."""
        return numpy_call(SET, ctypes.py_object)(self.capsule)

    @staticmethod
    def switch_back(before: Any) -> None:
        """Put another one in force again."""
        numpy_call(SET, ctypes.py_object)(before)

    def freed(self) -> Iterator[int]:
        """The addresses that were freed since this was asked last."""
        at = self.drain(ctypes.addressof(self.context))
        while at:
            following = ctypes.c_uint64.from_address(at).value
            yield at
            at = following
