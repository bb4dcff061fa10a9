"""What machine code asks of the interpreter: its functions, its truths, and words in its objects."""

from __future__ import annotations

from typing import Any

from .types import I8, I64, POINTER, ir, whole


def outer(module: Any, name: str, result: Any, given: list[Any]) -> Any:
    """A function of the interpreter, as a module calls it."""
    return module.globals.get(name) or ir.Function(module, ir.FunctionType(result, given), name)


def answer(b: Any, module: Any, yes: bool) -> None:
    """Return `True` or `False`, as Python has them."""
    b.ret(b.call(outer(module, "PyBool_FromLong", POINTER, [I64]), [ir.Constant(I64, int(yes))]))


def word(b: Any, p: Any, offset: int) -> Any:
    """The address some bytes further."""
    return b.gep(p, [whole(offset)], source_etype=I8, inbounds=True) if offset else p
