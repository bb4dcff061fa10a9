"""Guards: what a program may rely on of a value, the expression that asks for it, and words for a new answer."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GenericAlias,
    MethodDescriptorType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any

from ....autograd.scope import Opening
from ....core.array import device_of, xp
from ....ops.op import Op
from ....tensors.tensor import Tensor
from .shapes import differs, lengths_test, shape_text
from .tree import Raised

Answer = tuple[Any, ...]

# Guarded by identity, hence constants of the program. What has no case in `answer` is guarded by its type alone.
BY_IDENTITY = (
    type(None), bool, type, FunctionType, ModuleType, type(...), type(NotImplemented), CodeType, xp.dtype,
    MethodDescriptorType, WrapperDescriptorType, GenericAlias, Op, Enum, Opening,
)  # fmt: skip
ON_CPU = frozenset({xp.ndarray, *(xp.dtype(c).type for c in "?bBhHiIlLefd")})  # NumPy hands back 0-d results as numbers
MANY = 1  # after so many values one is not guarded by value any more
FACTS = ("type", "dtype", "shape", "strides", "device", "requires_grad")


def answer(v: Any) -> Answer:
    """The facts about a value that a program may rely on."""
    if issubclass(type(v), Tensor):
        array = v.value
        return ("tensor", type(v), array.dtype, array.shape, array.strides, device_of(array), v.requires_grad)
    if type(v) is Raised:
        return ("raised", type(v.error))
    if issubclass(type(v), BY_IDENTITY) or (type(v) is BuiltinFunctionType and not bound(v)):
        return ("is", v)
    if type(v) in (int, str, bytes, range):
        return ("equals", v)
    if type(v) is tuple and all(type(x) in (int, str) for x in v):
        return ("keys", v, tuple(map(type, v)))
    if type(v) is slice and {type(v.start), type(v.stop), type(v.step)} <= {int, bool, type(None)}:
        return ("shown", slice, repr(v))
    return ("type", type(v))


def pinned(key: Answer) -> bool:
    """Whether an answer tells which value it is, so that it is a constant of the program."""
    return key[0] in ("is", "equals", "shown")


def bound(f: Any) -> bool:
    """Whether a function written in C is the method of an object: `xs.append`."""
    return not (f.__self__ is None or isinstance(f.__self__, (ModuleType, type)))


def varies(subject: str, v: Any, key: Answer, seen: list[Answer]) -> bool:
    """Whether other values come to a place in other calls: numbers, tuples of them, functions of one code."""
    if type(v) is FunctionType:
        same = any(k[0] == "is" and getattr(k[1], "__code__", None) is v.__code__ for k in seen)
        return same and subject.isidentifier()
    if key[0] == "keys":
        return subject.isidentifier() and len(seen) >= MANY
    return may_vary(subject) and key[0] in ("equals", "float") and type(v) in (int, float) and len(seen) >= MANY


def varying(v: Any, key: Answer) -> Answer:
    """What is asked of a value in whose place others come: of a function its code, of others their type."""
    if type(v) is FunctionType:
        return ("code", v.__code__)
    if key[0] == "keys":
        return ("type", type(v))
    return ("any", type(v)) if type(v) is int or key[0] == "float" else key


def steadily(name: str) -> str:
    """The subject of a guard for the value of a number, which is given up when another value comes."""
    return f"({name})"


def may_vary(subject: str) -> bool:
    """Whether a guard for a value is given up when another value comes."""
    return subject.isidentifier() or subject.startswith("(")


def asked(kind: str, v: Any) -> Answer:
    """The answer to a question that is not about what a value is: the number of a float or size, whether it holds."""
    return (kind, v, str(v)) if kind == "float" else (kind, v)


def test(subject: str, key: Answer, ref: Callable[[Any], str]) -> str:
    """The expression that is true where `subject` has the answer `key`; `ref` writes a constant."""
    if key[0] == "holds":
        return subject if key[1] else f"not {subject}"
    if key[0] == "size":
        return f"{subject} == {key[1]}"
    asks = question(subject, key)
    if " " in subject:
        subject = f"({subject})"
    match key:
        case ("tensor", *facts):
            return tensor_test(subject, facts, ref)
        case ("any", kind):
            return f"type({subject}) is {ref(kind)}"
        case ("code", code):
            return f"type({subject}) is {ref(FunctionType)} and {subject}.__code__ is {ref(code)}"
        case ("raised", kind):
            return f"type({subject}) is Raised and type({subject}.error) is {ref(kind)}"
        case ("is", bool()) if asks:
            return asks
        case ("is", v):
            return f"{subject} is {ref(v)}"
        case ("equals", v) if subject.startswith("len("):
            return f"{subject} == {v!r}"
        case ("equals", v):
            return f"type({subject}) is {type(v).__name__} and {subject} == {v!r}"
        case ("shown", kind, text):
            return f"type({subject}) is {ref(kind)} and repr({subject}) == {text!r}"
        case ("float", v, _):
            return f"type({subject}) is float and {subject} == {ref(v)} and copysign(1.0, {subject}) == {sign(v)}"
        case ("keys", v, _) if subject.startswith("tuple(") and all(type(x) is str for x in v):
            return f"{subject} == {ref(v)}"
        case ("keys", v, kinds):
            first = "" if subject.startswith("tuple(") else f"type({subject}) is tuple and "
            return f"{first}tuple(map(type, {subject})) == {ref(kinds)} and {subject} == {v!r}"
        case _:
            return f"type({subject}) is {ref(key[1])}"


def question(subject: str, key: Answer) -> str:
    """A subject that is a question by itself, as the test that it has its answer; or nothing."""
    for word in (" is ", " in "):
        if subject.count(word) == 1 and type(key[1]) is bool:
            return subject if key[1] else subject.replace(word, {" is ": " is not ", " in ": " not in "}[word])
    return subject if subject.startswith(("plain_leaves(", "labels_fit(")) and key[1] is True else ""


def sign(v: float) -> float:
    """1.0 or -1.0, also for zeros."""
    return -1.0 if str(v).startswith("-") else 1.0


def tensor_test(x: str, facts: list[Any], ref: Callable[[Any], str]) -> str:
    """The same for a tensor. A view may have to bring its history up to date, so it is asked more politely."""
    kind, dtype, shape, strides, device, grad = facts
    grown = f"{x}.requires_grad is {grad}" if hasattr(kind, "link") and kind.link is not None else (
        f"{x}.node is {'not ' if grad else ''}None"
    )  # fmt: skip
    on_cpu = f"type(_a := {x}.value) {'is ndarray' if shape else 'in ON_CPU'}"
    where = on_cpu if device == "cpu" else f"device_of(_a := {x}.value) == {device!r}"
    same = f"_a.dtype is {ref(dtype)} and {lengths_test('_a', shape, strides)}"
    return f"type({x}) is {ref(kind)} and {where} and {same} and {grown}"


def told(subject: str, seen: list[Answer], new: Answer) -> str:
    """Why a guard failed: what was seen before, and what came now."""
    old: Answer = seen[-1] if seen else ("nothing",)
    if new[0] == "tensor" == old[0]:
        parts = [
            f"{name} {shape_text(a) if name == 'shape' else shown(a)}, now {shown(b)}"
            for name, a, b in zip(FACTS, old[1:], new[1:], strict=True)
            if differs(name, a, b, new[3]) and not (name == "strides" and differs("shape", old[3], new[3], new[3]))
        ]
        return f"{subject}: {'; '.join(parts)}"
    return f"{subject}: {worded(old)}, now {worded(new)}"


def worded(key: Answer) -> str:
    """An answer in words."""
    match key:
        case ("tensor", kind, *_):
            return f"a {kind.__name__}"
        case ("raised", kind):
            return f"raised {kind.__name__}"
        case ("is", v):
            return shown(v)
        case ("keys", v, _):
            return repr(v)
        case ("equals", v) | ("float", v, _) | ("size", v) | ("holds", v):
            return repr(v)
        case ("shown", _, text):
            return text
        case ("any", kind) | ("type", kind):
            return f"a {kind.__name__}"
        case ("code", code):
            return f"a {code.co_qualname}"
        case _:
            return str(key[0])


def shown(v: Any) -> str:
    """A constant in few words."""
    return getattr(v, "__qualname__", None) or repr(v)
