"""The instructions that move, make and combine values. One function each; it returns where to jump, or None.

Where versions of CPython differ in the name only, one function has several names.
"""

from __future__ import annotations

import contextlib
import operator
from collections.abc import Callable
from types import CellType
from typing import Any

from .door import (
    NULL,
    as_python,
    concat,
    contains,
    delete_global,
    is_,
    load_global,
    make_dict,
    make_list,
    make_set,
    make_slice,
    make_tuple,
    store_global,
    super_attr,
)
from .versions import COMPARE_BOOL, INTRINSICS, METHOD_BIT

Meaning = Callable[[Any, Any, Any], int | None]
INSTRUCTIONS: dict[str, Meaning] = {}

BINARY: dict[str, Any] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "@": operator.matmul, "**": operator.pow, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<<": operator.lshift, ">>": operator.rshift,
}  # fmt: skip
BINARY.update({f"{sign}=": getattr(operator, "i" + f.__name__.rstrip("_")) for sign, f in BINARY.items()})
COMPARE: dict[str, Any] = {
    "<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
UNARY = {"UNARY_NEGATIVE": operator.neg, "UNARY_POSITIVE": operator.pos, "UNARY_INVERT": operator.invert}
CONVERT = {1: str, 2: repr, 3: ascii}


def means(*names: str) -> Callable[[Meaning], Meaning]:
    """Enter a function as the meaning of these instructions."""

    def enter(meaning: Meaning) -> Meaning:
        INSTRUCTIONS.update(dict.fromkeys(names, meaning))
        return meaning

    return enter


# ---- the stack ------------------------------------------------------------------------------------------------------
@means("NOP", "RESUME", "PRECALL", "COPY_FREE_VARS", "END_FOR")
def nothing(m: Any, f: Any, i: Any) -> None:
    """Bookkeeping of CPython's."""


@means("POP_TOP")
def pop_top(m: Any, f: Any, i: Any) -> None:
    """Drop the topmost value."""
    f.pop()


@means("PUSH_NULL")
def push_null(m: Any, f: Any, i: Any) -> None:
    """The empty slot before or after a callable."""
    f.push(NULL)


@means("COPY")
def copy(m: Any, f: Any, i: Any) -> None:
    """A value from further down, once more."""
    f.push(f.stack[-i.arg])


@means("SWAP")
def swap(m: Any, f: Any, i: Any) -> None:
    """Exchange the topmost value with one further down."""
    f.stack[-1], f.stack[-i.arg] = f.stack[-i.arg], f.stack[-1]


@means("LOAD_CONST")
def load_const(m: Any, f: Any, i: Any) -> None:
    """A constant of the code."""
    f.push(m.world.literal(i.argval))


@means("RETURN_GENERATOR")
def return_generator(m: Any, f: Any, i: Any) -> None:
    """The generator exists already; what CPython pushes here is dropped next."""
    f.push(None)


# ---- variables ------------------------------------------------------------------------------------------------------
def variable(f: Any, name: str) -> Any:
    """The value of a local variable."""
    if name not in f.locals:
        text = f"cannot access local variable '{name}' where it is not associated with a value"
        raise as_python(UnboundLocalError, text)
    return f.locals[name]


def assign(f: Any, name: str, value: Any) -> None:
    """Give a local variable a value, or take it away."""
    if value is NULL:
        f.locals.pop(name, None)
    else:
        f.locals[name] = value


@means("LOAD_FAST", "LOAD_FAST_CHECK", "LOAD_CLOSURE")
def load_fast(m: Any, f: Any, i: Any) -> None:
    """A local variable."""
    f.push(variable(f, i.argval))


@means("LOAD_FAST_AND_CLEAR")
def load_fast_and_clear(m: Any, f: Any, i: Any) -> None:
    """A comprehension borrows a name."""
    f.push(f.locals.pop(i.argval, NULL))


@means("LOAD_FAST_LOAD_FAST")
def load_two(m: Any, f: Any, i: Any) -> None:
    """Two local variables."""
    for name in i.argval:
        f.push(variable(f, name))


@means("STORE_FAST")
def store_fast(m: Any, f: Any, i: Any) -> None:
    """Assign to a local variable."""
    assign(f, i.argval, f.pop())


@means("STORE_FAST_STORE_FAST")
def store_two(m: Any, f: Any, i: Any) -> None:
    """Assign to two."""
    for name in i.argval:
        assign(f, name, f.pop())


@means("STORE_FAST_LOAD_FAST")
def store_and_load(m: Any, f: Any, i: Any) -> None:
    """Assign to one, load another."""
    assign(f, i.argval[0], f.pop())
    f.push(variable(f, i.argval[1]))


@means("DELETE_FAST")
def delete_fast(m: Any, f: Any, i: Any) -> None:
    """Forget a local variable."""
    variable(f, i.argval)
    del f.locals[i.argval]


@means("LOAD_GLOBAL", "LOAD_NAME")
def load_from_globals(m: Any, f: Any, i: Any) -> None:
    """A global variable or a builtin."""
    if i.arg & 1 and i.opname == "LOAD_GLOBAL":
        f.push(NULL)
    f.push(m.world.do(load_global, f.globals, i.argval))


@means("STORE_GLOBAL")
def store_in_globals(m: Any, f: Any, i: Any) -> None:
    """Assign to a global variable."""
    m.world.do(store_global, f.globals, i.argval, f.pop())


@means("DELETE_GLOBAL")
def delete_from_globals(m: Any, f: Any, i: Any) -> None:
    """Forget a global variable."""
    m.world.do(delete_global, f.globals, i.argval)


@means("MAKE_CELL")
def make_cell(m: Any, f: Any, i: Any) -> None:
    """A variable that an inner function shares: an object with one attribute."""
    held = [f.locals[i.argval]] if i.argval in f.locals else []
    f.locals[i.argval] = m.world.do(CellType, *held)


@means("LOAD_DEREF")
def load_deref(m: Any, f: Any, i: Any) -> None:
    """What a cell holds."""
    with contextlib.suppress(ValueError):
        f.push(m.world.do(getattr, f.locals[i.argval], "cell_contents"))
        return
    free = i.argval in f.code.co_freevars
    kind, what = (NameError, "free") if free else (UnboundLocalError, "local")
    where = "where it is not associated with a value" + (" in enclosing scope" if free else "")
    raise as_python(kind, f"cannot access {what} variable '{i.argval}' {where}")


@means("STORE_DEREF")
def store_deref(m: Any, f: Any, i: Any) -> None:
    """Assign to what a cell holds."""
    m.world.do(setattr, f.locals[i.argval], "cell_contents", f.pop())


# ---- operators ------------------------------------------------------------------------------------------------------
@means("BINARY_OP")
def binary_op(m: Any, f: Any, i: Any) -> None:
    """`a + b`, `a += b`."""
    a, b = f.popn(2)
    f.push(m.operate(BINARY[i.argrepr], a, b))


@means("COMPARE_OP")
def compare_op(m: Any, f: Any, i: Any) -> None:
    """`a < b`."""
    result = m.operate(COMPARE[i.argval.removeprefix("bool(").removesuffix(")")], *f.popn(2))
    f.push(m.truth(result) if i.arg & COMPARE_BOOL else result)


@means("IS_OP")
def is_op(m: Any, f: Any, i: Any) -> None:
    """`a is b`."""
    a, b = f.popn(2)
    f.push(m.world.do(is_, a, b) != bool(i.arg))


@means("CONTAINS_OP")
def contains_op(m: Any, f: Any, i: Any) -> None:
    """`a in b`."""
    a, b = f.popn(2)
    f.push(m.within(b, a) != bool(i.arg))


@means(*UNARY)
def unary_op(m: Any, f: Any, i: Any) -> None:
    """`-a`."""
    f.push(m.ask(UNARY[i.opname], f.pop()))


@means("UNARY_NOT")
def unary_not(m: Any, f: Any, i: Any) -> None:
    """`not a`."""
    f.push(not m.truth(f.pop()))


@means("TO_BOOL")
def to_bool(m: Any, f: Any, i: Any) -> None:
    """What an `if` looks at, from 3.13 on."""
    f.push(m.truth(f.pop()))


@means("BINARY_SUBSCR")
def binary_subscr(m: Any, f: Any, i: Any) -> None:
    """`x[k]`."""
    f.push(m.getitem(*f.popn(2)))


@means("BINARY_SLICE")
def binary_slice(m: Any, f: Any, i: Any) -> None:
    """`x[a:b]`."""
    x, lo, hi = f.popn(3)
    f.push(m.world.do(operator.getitem, x, m.world.do(make_slice, lo, hi)))


@means("STORE_SLICE")
def store_slice(m: Any, f: Any, i: Any) -> None:
    """`x[a:b] = value`."""
    value, x, lo, hi = f.popn(4)
    m.world.do(operator.setitem, x, m.world.do(make_slice, lo, hi), value)


@means("STORE_SUBSCR")
def store_subscr(m: Any, f: Any, i: Any) -> None:
    """`x[k] = value`."""
    value, x, k = f.popn(3)
    hook = m.method(type(x), "__setitem__")
    if hook is None:
        m.world.do(operator.setitem, x, k, value)
    else:
        m.call(hook, x, k, value)


@means("DELETE_SUBSCR")
def delete_subscr(m: Any, f: Any, i: Any) -> None:
    """`del x[k]`."""
    x, k = f.popn(2)
    hook = m.method(type(x), "__delitem__")
    if hook is None:
        m.world.do(operator.delitem, x, k)
    else:
        m.call(hook, x, k)


# ---- attributes -----------------------------------------------------------------------------------------------------
@means("LOAD_ATTR")
def load_attr(m: Any, f: Any, i: Any) -> None:
    """`x.name`."""
    value = m.getattr(f.pop(), i.argval)
    if i.arg & METHOD_BIT:
        f.push(NULL)
    f.push(value)


@means("LOAD_METHOD")
def load_method(m: Any, f: Any, i: Any) -> None:
    """`x.name`, about to be called."""
    f.stack[-1:] = [NULL, m.getattr(f.stack[-1], i.argval)]


@means("LOAD_SUPER_ATTR")
def load_super_attr(m: Any, f: Any, i: Any) -> None:
    """`super().name`."""
    _, cls, me = f.popn(3)
    if i.arg & 1:
        f.push(NULL)
    f.push(m.world.do(super_attr, cls, me, i.argval))


@means("STORE_ATTR")
def store_attr(m: Any, f: Any, i: Any) -> None:
    """`x.name = value`."""
    value, x = f.popn(2)
    m.setattr(x, i.argval, value)


@means("DELETE_ATTR")
def delete_attr(m: Any, f: Any, i: Any) -> None:
    """`del x.name`."""
    m.delattr(f.pop(), i.argval)


# ---- building -------------------------------------------------------------------------------------------------------
BUILD = {
    "BUILD_TUPLE": make_tuple, "BUILD_LIST": make_list, "BUILD_SET": make_set, "BUILD_SLICE": make_slice,
    "BUILD_STRING": concat,
}  # fmt: skip


@means(*BUILD)
def build(m: Any, f: Any, i: Any) -> None:
    """`[a, b]`."""
    f.push(m.world.do(BUILD[i.opname], *f.popn(i.arg)))


@means("BUILD_MAP")
def build_map(m: Any, f: Any, i: Any) -> None:
    """`{k: v}`."""
    f.push(m.world.do(make_dict, *f.popn(2 * i.arg)))


@means("BUILD_CONST_KEY_MAP")
def build_const_key_map(m: Any, f: Any, i: Any) -> None:
    """`{"k": v}`."""
    *values, keys = f.popn(i.arg + 1)
    f.push(m.world.do(make_dict, *[x for pair in zip(keys, values, strict=True) for x in pair]))


@means("LIST_APPEND")
def list_append(m: Any, f: Any, i: Any) -> None:
    """One entry of a list comprehension."""
    value = f.pop()
    m.world.do(list.append, f.stack[-i.arg], value)


@means("SET_ADD")
def set_add(m: Any, f: Any, i: Any) -> None:
    """One entry of a set comprehension."""
    value = f.pop()
    m.world.do(set.add, f.stack[-i.arg], value)


@means("MAP_ADD")
def map_add(m: Any, f: Any, i: Any) -> None:
    """One entry of a dict comprehension."""
    k, value = f.popn(2)
    m.world.do(operator.setitem, f.stack[-i.arg], k, value)


@means("LIST_EXTEND")
def list_extend(m: Any, f: Any, i: Any) -> None:
    """`[*xs]`."""
    for x in m.listing(f.pop()):
        m.world.do(list.append, f.stack[-i.arg], x)


@means("SET_UPDATE")
def set_update(m: Any, f: Any, i: Any) -> None:
    """`{*xs}`."""
    for x in m.listing(f.pop()):
        m.world.do(set.add, f.stack[-i.arg], x)


@means("DICT_UPDATE", "DICT_MERGE")
def dict_update(m: Any, f: Any, i: Any) -> None:
    """`{**d}`; a keyword given twice in a call is refused."""
    other = m.mapping(f.pop())
    into = f.stack[-i.arg]
    for k in m.listing(other):
        if i.opname == "DICT_MERGE" and m.truth(m.world.do(contains, into, k)):
            raise as_python(TypeError, f"got multiple values for keyword argument '{k}'")
        m.world.do(operator.setitem, into, k, m.world.do(operator.getitem, other, k))


@means("LIST_TO_TUPLE")
def list_to_tuple(m: Any, f: Any, i: Any) -> None:
    """`(*xs,)`."""
    f.push(m.world.do(make_tuple, *m.listing(f.pop())))


@means("CALL_INTRINSIC_1")
def call_intrinsic(m: Any, f: Any, i: Any) -> None:
    """From 3.12 on: several rare instructions in one."""
    kind = i.argrepr or INTRINSICS[i.arg]
    x = f.pop()
    if kind == "INTRINSIC_LIST_TO_TUPLE":
        x = m.world.do(make_tuple, *m.listing(x))
    elif kind == "INTRINSIC_UNARY_POSITIVE":
        x = m.world.do(operator.pos, x)
    f.push(x)


@means("UNPACK_SEQUENCE")
def unpack_sequence(m: Any, f: Any, i: Any) -> None:
    """`a, b = xs`."""
    xs = m.taken(m.iterator(f.pop()), i.arg + 1)
    if len(xs) < i.arg:
        raise as_python(ValueError, f"not enough values to unpack (expected {i.arg}, got {len(xs)})")
    if len(xs) > i.arg:
        raise as_python(ValueError, f"too many values to unpack (expected {i.arg})")
    f.stack.extend(reversed(xs))


@means("UNPACK_EX")
def unpack_ex(m: Any, f: Any, i: Any) -> None:
    """`a, *b, c = xs`."""
    before, after = i.arg & 255, i.arg >> 8
    xs = m.listing(f.pop())
    if len(xs) < before + after:
        raise as_python(ValueError, f"not enough values to unpack (expected at least {before + after}, got {len(xs)})")
    end = len(xs) - after
    f.stack.extend(reversed([*xs[:before], m.world.do(make_list, *xs[before:end]), *xs[end:]]))


# ---- text -----------------------------------------------------------------------------------------------------------
@means("FORMAT_VALUE")
def format_value(m: Any, f: Any, i: Any) -> None:
    """`{x!r:spec}` in an f-string, up to 3.12."""
    convert, has_spec = i.argval
    spec = f.pop() if has_spec else ""
    x = f.pop()
    f.push(m.call(format, m.call(convert, x) if convert else x, spec))


@means("CONVERT_VALUE")
def convert_value(m: Any, f: Any, i: Any) -> None:
    """`!r`."""
    f.push(m.call(CONVERT[i.arg], f.pop()))


@means("FORMAT_SIMPLE")
def format_simple(m: Any, f: Any, i: Any) -> None:
    """`{x}`."""
    f.push(m.call(format, f.pop(), ""))


@means("FORMAT_WITH_SPEC")
def format_with_spec(m: Any, f: Any, i: Any) -> None:
    """`{x:spec}`."""
    f.push(m.call(format, *f.popn(2)))
