"""Blocks of autocast: what each op runs in, and the check of a reader's dtypes for a list of ops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from ...autograd.autocast import autocast
from ...core.array import as_dtype, promote_types
from ...ops.op import OPS
from ...tensors.factories import ones
from ...tensors.tensor import Tensor
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

Line = tuple[str, str, tuple[str, ...]]  # the result's name, the op, the names of what it reads
Program = Sequence[Line]
Dtypes = Callable[[Program, dict[str, str], str], Mapping[str, Any]]

CALLS: dict[str, Callable[..., Tensor]] = {
    "matmul": lambda x, y: x @ y,
    "add": lambda x, y: x + y,
    "mul": lambda x, y: x * y,
    "where": lambda x, y: x.where(x > 0, y),
    "relu": lambda x: x.relu(),
    "tanh": lambda x: x.tanh(),
    "exp": lambda x: x.exp(),
    "log": lambda x: x.log(),
    "softmax": lambda x: x.softmax(-1),
    "sum": lambda x: x.sum(-1, keepdim=True).expand(2, 2),
}
SAYS = {"low": "low", "full": "float32", "": "widest"}


def runs_in(op: str) -> str:
    """What autocast has an op run in: "low", "float32", or "widest": the widest dtype of its inputs.

    Example:
        >>> runs_in("matmul"), runs_in("exp"), runs_in("add")
        ('low', 'float32', 'widest')
    """
    return SAYS[OPS[op].autocast] if op in OPS else "float32"  # softmax is a function of several ops


def widest(dtypes: Sequence[Any]) -> str:
    """The narrowest dtype that holds what all of these hold.

    Example:
        >>> widest(["float16", "float32"]), widest(["bfloat16", "bfloat16"]), widest(["bfloat16", "float16"])
        ('float32', 'bfloat16', 'float32')
    """
    return str(reduce(promote_types, map(as_dtype, dtypes)))


def run_in_block(program: Program, given: Mapping[str, str], low: str) -> dict[str, str]:
    """The dtype of every result, asked of the ops themselves: they run in a block.

    Example:
        >>> run_in_block([("h", "matmul", ("x", "x")), ("y", "exp", ("h",))], {"x": "float32"}, "float16")
        {'h': 'float16', 'y': 'float32'}
    """
    held = {name: ones(2, 2, dtype=as_dtype(dtype)) for name, dtype in given.items()}
    with autocast("cpu", dtype=as_dtype(low)):
        for name, op, reads in program:
            held[name] = CALLS[op](*(held[each] for each in reads))
    return {name: str(held[name].dtype) for name, _, _ in program}


LAYER: Program = (
    ("h", "matmul", ("x", "w")),
    ("b1", "add", ("h", "b")),
    ("a", "relu", ("b1",)),
    ("s", "matmul", ("a", "w")),
    ("p", "softmax", ("s",)),
)
SINGLE = {"x": "float32", "w": "float32", "b": "float32"}

PROGRAMS: list[tuple[Program, dict[str, str], str]] = [
    ([("y", "matmul", ("x", "w"))], SINGLE, "bfloat16"),
    ([("y", "exp", ("x",))], {"x": "float16"}, "float16"),
    ([("y", "relu", ("x",))], SINGLE, "bfloat16"),
    ([("h", "matmul", ("x", "w")), ("y", "tanh", ("h",))], SINGLE, "float16"),
    ([("h", "matmul", ("x", "w")), ("y", "add", ("h", "b"))], SINGLE, "bfloat16"),
    ([("h", "matmul", ("x", "w")), ("s", "sum", ("h",)), ("y", "mul", ("h", "s"))], SINGLE, "float16"),
    ([("h", "exp", ("x",)), ("y", "matmul", ("h", "w"))], SINGLE, "bfloat16"),
    (LAYER, SINGLE, "bfloat16"),
    ([("h", "matmul", ("x", "x")), ("y", "exp", ("h",))], {"x": "float64"}, "float16"),
    ([("y", "add", ("x", "w"))], {"x": "float16", "w": "bfloat16"}, "bfloat16"),
    ([("h", "matmul", ("x", "x")), ("y", "where", ("h", "w"))], {"x": "bfloat16", "w": "bfloat16"}, "float16"),
]


@answering
def check_dtypes(dtypes: Dtypes) -> Verdict:
    """Check the reader's dtypes against what the ops do: eleven programs run in a block."""
    answers: list[dict[str, str]] = []
    for program, given, low in PROGRAMS:
        answer, error = attempt(dtypes, list(program), dict(given), low)
        if error is not None:
            return stopped("your function", error)
        if not isinstance(answer, Mapping):
            return not_yet(f"you return {described(answer)}. It is a dict: to each result its dtype.")
        found = settled(answer)  # pyright: ignore[reportUnknownArgumentType]
        if missing := [name for name, _, _ in program if name not in found]:
            return not_yet(f"{missing[0]} is missing: the result of {line_of(program, missing[0])}.")
        answers.append(found)
    made = [(found[name], low) for found, (program, _, low) in zip(answers, PROGRAMS, strict=True)
            for name, _, _ in program]  # fmt: skip
    if all(dtype == low for dtype, low in made):
        return unwritten("for you everything runs in the low dtype.")
    for found, (program, given, low) in zip(answers, PROGRAMS, strict=True):
        right = run_in_block(program, given, low)
        for name, op, reads in program:
            known = given | right
            if found[name] != right[name]:
                took = ", ".join(f"{each}: {known[each]}" for each in reads)
                said = f"{name} = {op}({took}) is {right[name]} in a block of {low}, and you say {found[name]}."
                return not_yet(f"{said} {why(op, [known[each] for each in reads], found[name], low)}")
    return done("eleven programs run in blocks of autocast, and every result has the dtype that you say.")


def settled(answer: Mapping[str, Any]) -> dict[str, str]:
    """Names of dtypes, however they were written down: "float32", ml.float32, " Float32 "."""
    return {str(name): str(dtype).strip().lower() for name, dtype in answer.items()}


def line_of(program: Program, name: str) -> str:
    """The line that makes a value, as it would be written."""
    return next(f"{op}({', '.join(reads)})" for made, op, reads in program if made == name)


def why(op: str, inputs: list[str], given: str, low: str) -> str:
    """What an op runs in, where a reader thought otherwise."""
    how = runs_in(op)
    if "float64" in inputs:
        return "float64 is left as it is: who asks for it wants the digits."
    if how == "low":
        return "A product runs in the low dtype, whatever its inputs had: they are cast first."
    if how == "float32":
        return f"{op} adds up or overflows, so it runs in float32, whatever its inputs had."
    if given == low:
        return f"{op} is no product: autocast casts nothing for it, and it runs in the widest dtype of its inputs."
    return f"{op} runs in the widest dtype of its inputs, and autocast casts nothing for it."
