"""The instructions that jump, loop, call, raise and match."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from types import CellType, MethodType
from typing import Any

from .door import NULL, as_python, import_missing, import_module, make_function, make_tuple, matches
from .generators import Generator
from .opcodes import Meaning
from .versions import SEND_POPS, past_loop

CONTROL: dict[str, Meaning] = {}
ABSENT: Any = object()  # no module has it
SEQUENCE, MAPPING, MATCH_SELF = 1 << 5, 1 << 6, 1 << 22  # the bits by which CPython itself tells what a class is


def means(*names: str) -> Callable[[Meaning], Meaning]:
    """Enter a function as the meaning of these instructions."""

    def enter(meaning: Meaning) -> Meaning:
        CONTROL.update(dict.fromkeys(names, meaning))
        return meaning

    return enter


def jumps(condition: str) -> tuple[str, ...]:
    """The names of a conditional jump: 3.11 has one for each direction."""
    return tuple(f"POP_JUMP_{way}IF_{condition}" for way in ("", "FORWARD_", "BACKWARD_"))


# ---- jumps ----------------------------------------------------------------------------------------------------------
@means("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
def jump(m: Any, f: Any, i: Any) -> int:
    """Go elsewhere."""
    return i.argval


@means(*jumps("TRUE"))
def jump_if_true(m: Any, f: Any, i: Any) -> int | None:
    """The end of a `while`, or `or`."""
    return i.argval if m.truth(f.pop()) else None


@means(*jumps("FALSE"))
def jump_if_false(m: Any, f: Any, i: Any) -> int | None:
    """An `if`."""
    return None if m.truth(f.pop()) else i.argval


@means(*jumps("NONE"))
def jump_if_none(m: Any, f: Any, i: Any) -> int | None:
    """`if x is not None`."""
    return i.argval if f.pop() is None else None


@means(*jumps("NOT_NONE"))
def jump_if_not_none(m: Any, f: Any, i: Any) -> int | None:
    """`if x is None`."""
    return i.argval if f.pop() is not None else None


@means("JUMP_IF_TRUE_OR_POP", "JUMP_IF_FALSE_OR_POP")
def jump_or_pop(m: Any, f: Any, i: Any) -> int | None:
    """`a or b`, `a and b` in 3.11."""
    if m.truth(f.stack[-1]) is (i.opname == "JUMP_IF_TRUE_OR_POP"):
        return i.argval
    f.pop()
    return None


# ---- loops and generators -------------------------------------------------------------------------------------------
@means("GET_ITER", "GET_YIELD_FROM_ITER")
def get_iter(m: Any, f: Any, i: Any) -> None:
    """`for ... in xs`, `yield from xs`."""
    f.push(m.iterator(f.pop()))


@means("FOR_ITER")
def for_iter(m: Any, f: Any, i: Any) -> int | None:
    """The next round of a `for`, or out of it."""
    try:
        f.push(m.expecting(m.next, f.stack[-1]))
    except StopIteration:
        f.pop()
        return past_loop(f.listing, i.argval)
    return None


@means("RETURN_VALUE")
def return_value(m: Any, f: Any, i: Any) -> None:
    """`return`."""
    f.state = "done"


@means("RETURN_CONST")
def return_const(m: Any, f: Any, i: Any) -> None:
    """`return None`."""
    f.push(m.world.literal(i.argval))
    f.state = "done"


@means("YIELD_VALUE")
def yield_value(m: Any, f: Any, i: Any) -> None:
    """`yield`."""
    f.state = "suspended"


@means("SEND")
def send(m: Any, f: Any, i: Any) -> int | None:
    """One round of `yield from`."""
    value = f.pop()
    it = f.stack[-1]
    try:
        step = it.send if type(it) is Generator else partial(m.call, it.send)
        f.push(m.expecting(m.next, it) if value is None else m.expecting(step, value))
    except StopIteration as stop:
        if SEND_POPS:
            f.pop()
        f.push(stop.value)
        return i.argval
    return None


@means("END_SEND")
def end_send(m: Any, f: Any, i: Any) -> None:
    """The value of a `yield from`, without its iterator."""
    del f.stack[-2]


@means("CLEANUP_THROW")
def cleanup_throw(m: Any, f: Any, i: Any) -> None:
    """An error thrown into a `yield from`: a StopIteration is its end."""
    error = f.pop()
    if not isinstance(error, StopIteration):
        raise error
    f.popn(2)
    f.push(None)
    f.push(error.value)


# ---- calls ----------------------------------------------------------------------------------------------------------
@means("KW_NAMES")
def kw_names(m: Any, f: Any, i: Any) -> None:
    """The keywords of the call that follows; `dis` does not look them up on 3.11."""
    f.keywords = f.code.co_consts[i.arg]


@means("CALL", "CALL_KW")
def call(m: Any, f: Any, i: Any) -> None:
    """`f(a, k=b)`. The callable and its self, or an empty slot, come in either order."""
    names = f.pop() if i.opname == "CALL_KW" else f.keywords
    f.keywords = ()
    a, b, *args = f.popn(i.arg + 2)
    function, args = (b, args) if a is NULL else (a, args) if b is NULL else (a, [b, *args])
    split = len(args) - len(names)
    if function is super and not args:
        args, split = owner(f), 2
    f.push(m.call(function, *args[:split], **dict(zip(names, args[split:], strict=True))))


def owner(f: Any) -> list[Any]:
    """What `super()` without arguments means: the class whose method this is, and the first argument."""
    me = f.locals[f.code.co_varnames[0]]
    return [f.locals["__class__"].cell_contents, me.cell_contents if isinstance(me, CellType) else me]


@means("CALL_FUNCTION_EX")
def call_function_ex(m: Any, f: Any, i: Any) -> None:
    """`f(*xs, **d)`."""
    extra = f.pop() if i.arg & 1 else None
    named = {} if extra is None else {k: m.world.do(operator.getitem, extra, k) for k in m.listing(extra)}
    args = m.listing(f.pop())
    a, b = f.popn(2)
    f.push(m.call(b if a is NULL else a, *args, **named))


@means("MAKE_FUNCTION")
def begin_function(m: Any, f: Any, i: Any) -> None:
    """`def`, `lambda`: 3.11 and 3.12 say all at once."""
    f.making = {}
    f.making["code"] = f.pop()
    for bit in (8, 4, 2, 1):
        if (i.arg or 0) & bit:
            f.making[bit] = f.pop()
    finish_function(m, f)


@means("SET_FUNCTION_ATTRIBUTE")
def function_attribute(m: Any, f: Any, i: Any) -> None:
    """3.13 says it in instructions that follow."""
    f.pop()
    f.making[i.arg] = f.pop()
    finish_function(m, f)


def finish_function(m: Any, f: Any) -> None:
    """Make the function once everything has been said."""
    if f.listing.instructions[f.ip + 1].opname == "SET_FUNCTION_ATTRIBUTE":
        f.push(None)
        return
    parts = f.making
    f.push(m.world.do(make_function, parts["code"], f.globals, parts.get(1), parts.get(2), parts.get(8)))


# ---- errors and `with` ----------------------------------------------------------------------------------------------
@means("RAISE_VARARGS")
def raise_varargs(m: Any, f: Any, i: Any) -> None:
    """`raise`, `raise e`, `raise e from cause`."""
    if i.arg == 0:
        raise f.handled or as_python(RuntimeError, "No active exception to reraise")
    cause = f.pop() if i.arg == 2 else NULL
    error = f.pop()
    if isinstance(error, type):
        error = m.call(error)
    if not isinstance(error, BaseException):
        error = as_python(TypeError, "exceptions must derive from BaseException")
    if cause is not NULL:
        m.world.do(setattr, error, "__cause__", m.call(cause) if isinstance(cause, type) else cause)
    raise error


@means("PUSH_EXC_INFO")
def push_exc_info(m: Any, f: Any, i: Any) -> None:
    """Into an `except`."""
    error = f.pop()
    f.push(f.handled)
    f.push(error)
    f.handled = error


@means("POP_EXCEPT")
def pop_except(m: Any, f: Any, i: Any) -> None:
    """Out of it."""
    f.handled = f.pop()


@means("CHECK_EXC_MATCH")
def check_exc_match(m: Any, f: Any, i: Any) -> None:
    """`except Kind`."""
    wanted = f.pop()
    f.push(m.world.do(matches, f.stack[-1], wanted))


@means("RERAISE")
def reraise(m: Any, f: Any, i: Any) -> None:
    """No handler fits: the error goes on."""
    raise f.pop()


@means("LOAD_ASSERTION_ERROR")
def load_assertion_error(m: Any, f: Any, i: Any) -> None:
    """What `assert` raises."""
    f.push(AssertionError)


@means("BEFORE_WITH")
def before_with(m: Any, f: Any, i: Any) -> None:
    """Into a `with`."""
    manager = f.pop()
    enter, leave = m.getattr(type(manager), "__enter__"), m.getattr(type(manager), "__exit__")
    f.push(MethodType(leave, manager))
    f.push(m.call(enter, manager))


@means("WITH_EXCEPT_START")
def with_except_start(m: Any, f: Any, i: Any) -> None:
    """Out of a `with` by an error."""
    error = f.stack[-1]
    f.push(m.call(f.stack[-4], type(error), error, None))


# ---- match ----------------------------------------------------------------------------------------------------------
@means("GET_LEN")
def get_len(m: Any, f: Any, i: Any) -> None:
    """The length of what is matched."""
    f.push(m.world.do(len, f.stack[-1]))


@means("MATCH_SEQUENCE")
def match_sequence(m: Any, f: Any, i: Any) -> None:
    """`case [a, b]`."""
    f.push(bool(type(f.stack[-1]).__flags__ & SEQUENCE))


@means("MATCH_MAPPING")
def match_mapping(m: Any, f: Any, i: Any) -> None:
    """`case {"k": a}`."""
    f.push(bool(type(f.stack[-1]).__flags__ & MAPPING))


@means("MATCH_KEYS")
def match_keys(m: Any, f: Any, i: Any) -> None:
    """The values of the keys of a mapping pattern."""
    x, keys = f.stack[-2:]
    values = [m.call(m.getattr(x, "get"), k, NULL) for k in keys]
    f.push(None if any(v is NULL for v in values) else m.world.do(make_tuple, *values))


@means("MATCH_CLASS")
def match_class(m: Any, f: Any, i: Any) -> None:
    """`case Point(a, y=b)`."""
    x, cls, names = f.popn(3)
    if not m.truth(m.world.do(isinstance, x, cls)):
        f.push(None)
    elif i.arg and cls.__flags__ & MATCH_SELF:
        f.push(m.world.do(make_tuple, x))
    else:
        wanted = (*(m.listing(m.getattr(cls, "__match_args__"))[: i.arg] if i.arg else ()), *names)
        f.push(m.world.do(make_tuple, *[m.getattr(x, name) for name in wanted]))


# ---- imports --------------------------------------------------------------------------------------------------------
@means("IMPORT_NAME")
def import_name(m: Any, f: Any, i: Any) -> None:
    """`import`."""
    fromlist, level = f.pop(), f.pop()
    f.push(m.world.do(import_module, i.argval, f.globals, fromlist, level))


@means("IMPORT_FROM")
def import_from(m: Any, f: Any, i: Any) -> None:
    """`from ... import name`."""
    module = f.stack[-1]
    found = m.getattr(module, i.argval, ABSENT)
    f.push(m.world.look(import_missing, module, i.argval) if found is ABSENT else found)
