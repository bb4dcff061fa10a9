"""From LLVM's text to machine code, and from machine code to functions that Python can call.

`object_code` depends on nothing but its arguments, so a cache may keep what it gives.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import llvmlite
import llvmlite.binding as llvm

from ....core.array import xp
from ..cache import disk, key_of
from .target import Target

FASTCALL = 0x80  # METH_FASTCALL: the function gets its arguments as an array of objects


# What kernels call of the interpreter.
WORDS = (
    "PyBool_FromLong",
    "PyEval_SaveThread",
    "PyEval_RestoreThread",
    "PyErr_Occurred",
    "PyFloat_AsDouble",
    "PyLong_AsLongLong",
)


class Method(ctypes.Structure):
    """CPython's PyMethodDef: how a function of C is shown to Python."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@cache
def prepare() -> None:
    """Let LLVM know the processor it runs on."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    for name in WORDS:
        llvm.add_symbol(name, ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0)


def machine(target: Target) -> Any:
    """LLVM's description of the target. No optimisation pass is run: level 3 is that of the instruction selection."""
    prepare()
    return llvm.Target.from_default_triple().create_target_machine(cpu=target.cpu, features=target.features, opt=3)


def object_code(text: str, target: Target) -> bytes:
    """The object file of a module."""
    prepare()
    module = llvm.parse_assembly(text)
    module.verify()
    return machine(target).emit_object(module)


def loaded(spelled: str, target: Target, write: Callable[[], str]) -> Code:
    """Machine code, from the cache on disk if an earlier process has left it there.

    Args:
        spelled: All that the code does, on which processor.
        target: That processor.
        write: Gives LLVM's text, which is not needed where the code is found.
    """
    return Code(disk().get(key_of(spelled, **versions()), lambda: object_code(write(), target)), target)


def versions() -> dict[str, str]:
    """Who else decides what the code is: LLVM, and the layout of Python's objects and NumPy's arrays."""
    return {
        "llvm": f"{llvmlite.__version__} {llvm.llvm_version_info} {llvm.get_default_triple()}",
        "numpy": xp.__version__,
        "object": str(object.__basicsize__),
    }


class Code:
    """Machine code in memory: `functions` gives what Python calls."""

    def __init__(self, code: bytes, target: Target) -> None:
        prepare()
        self.engine: Any = llvm.create_mcjit_compiler(llvm.parse_assembly(""), machine(target))
        self.engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self.engine.finalize_object()
        self.methods: list[Method] = []

    def function(self, name: str, known: Any = xp.ndarray) -> Callable[..., bool]:
        """A function of the code, as one of Python's builtin functions, which says yes or no.

        `known` is the object that it has at hand besides its arguments.
        """
        address = self.engine.get_function_address(name)
        method = Method(name.encode(), address, FASTCALL, b"A compiled kernel.")
        self.methods.append(method)  # Python keeps only a pointer to it
        make = ctypes.pythonapi.PyCFunction_NewEx
        make.restype, make.argtypes = ctypes.py_object, [ctypes.POINTER(Method), ctypes.py_object, ctypes.py_object]
        return make(ctypes.byref(method), known, None)
