"""Code generation: the loop that the reader's `emit` writes, run on arrays that count how often they are read."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import exp, tanh
from typing import Any

from ...compiler.ir.graph import Graph, Node
from ...compiler.passes.decompose import decompose
from ...core.array import Array, xp
from ...errors import ArgumentError
from ...func.trees import flatten
from ..values import described
from ..verdict import Verdict, answering, attempt, done, not_yet, stopped, unwritten

TEXTS = {
    "add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "div": "{} / {}", "neg": "-{}",
    "relu": "max({}, 0.0)", "exp": "exp({})", "tanh": "tanh({})",
}  # fmt: skip
KNOWN = {"exp": exp, "tanh": tanh}


@dataclass(frozen=True, slots=True)
class Op:
    """One op: the name of its value, its text with a hole for every input, and the names of these."""

    name: str
    text: str
    reads: tuple[str, ...]


Emit = Callable[[list[str], list[Op], list[str]], str]


def ops_of(graph: Graph) -> tuple[list[str], list[Op], list[str]]:
    """Arguments, ops and results of a graph that goes entry by entry.

    Raises:
        ArgumentError: It has another op, or arrays of several shapes.

    Example:
        >>> from minitorch_lab import ones
        >>> from minitorch_lab.lessons.training_step import pure
        >>> ops_of(pure(lambda a, b: (a + b) * 2, ones(3), ones(3)))[1]
        [Op(name='add', text='{} + {}', reads=('a', 'b')), Op(name='mul', text='{} * 2', reads=('add',))]
    """
    arguments = [name_of(n) for n in graph.placeholders]
    results = [name_of(n) for n in flatten(graph.returned)[0] if isinstance(n, Node)]
    odd = [n for n in graph.calls if n.op is None or n.op.name not in TEXTS]
    if odd or len({n.shape for n in (*graph.placeholders, *graph.calls)}) > 1:
        raise ArgumentError(
            f"The loop got {odd[0] if odd else 'arrays of several shapes'}.",
            f"It goes entry by entry, and knows {', '.join(TEXTS)}.",
            "Did you mean a function such as d + (a + b) * c, of arrays of one shape?",
        )
    return arguments, [op_of(n) for n in graph.calls], results


def op_of(node: Node) -> Op:
    """An op, with the numbers that it reads in its text."""
    assert node.op is not None
    holes = ["{}" if isinstance(i, Node) else repr(i) for i in node.inputs]
    return Op(name_of(node), TEXTS[node.op.name].format(*holes), tuple(map(name_of, node.feeds)))


def name_of(node: Node) -> str:
    """The name of a value; not that of a function which a text calls: a name that is assigned is no function."""
    return f"{node.name}_0" if node.name in KNOWN else node.name


def built(source: str) -> Callable[..., None]:
    """The function `kernel` that a source defines."""
    space: dict[str, Any] = dict(KNOWN)
    exec(compile(source, "<your kernel>", "exec"), space)
    return space["kernel"]


def with_loop(emit: Emit) -> Callable[[Graph], Any]:
    """A backend for `ml.compile` that runs what `emit` writes: in Python, so for small arrays."""

    def backend(graph: Graph) -> Any:
        arguments, ops, results = ops_of(decompose(graph))
        kernel = built(emit(arguments, ops, results))
        shape, dtype = graph.placeholders[0].shape, graph.placeholders[0].dtype

        def run(*arrays: Array) -> list[Array]:
            outs = [xp.empty(shape, dtype) for _ in results]
            kernel(outs[0].size, *(x.ravel() for x in arrays), *(x.reshape(-1) for x in outs))
            return outs

        return run

    return backend


# ---- the check ------------------------------------------------------------------------------------------------------
class Counting:
    """An array that counts how often each of its entries is read."""

    def __init__(self, values: Sequence[float]) -> None:
        self.values, self.read = list(values), Counter[int]()

    def __getitem__(self, i: Any) -> Any:
        self.read.update(range(len(self.values))[i] if isinstance(i, slice) else [i])
        return self.values[i]

    def __setitem__(self, i: int, value: float) -> None:
        self.values[i] = value


Case = tuple[list[str], list[Op], list[str]]
CASES: dict[str, Case] = {
    "d + (a + b) * c": (
        ["a", "b", "c", "d"],
        [Op("add", "{} + {}", ("a", "b")), Op("mul", "{} * {}", ("add", "c")), Op("sum", "{} + {}", ("d", "mul"))],
        ["sum"],
    ),
    "x * exp(x)": (["x"], [Op("exp_0", "exp({})", ("x",)), Op("mul", "{} * {}", ("x", "exp_0"))], ["mul"]),
    "two results": (
        ["a", "b"],
        [Op("sub", "{} - {}", ("a", "b")), Op("relu", "max({}, 0.0)", ("sub",)), Op("neg", "-{}", ("sub",))],
        ["sub", "neg", "relu"],
    ),
}  # fmt: skip


def ran(emit: Emit, case: Case, inputs: dict[str, list[float]]) -> tuple[str, dict[str, list[float]], dict[str, int]]:
    """The source, the results, and how often an entry of each argument was read at most."""
    arguments, ops, results = case
    source: Any = emit(list(arguments), list(ops), list(results))
    if not isinstance(source, str):
        how = "Did you forget the return?" if source is None else 'Join the lines: "\\n".join(lines).'
        raise ArgumentError(
            f"emit returns no text but {described(source)}.", "What it returns is compiled, as a file is.", how
        )
    n = len(inputs[arguments[0]])
    read = {name: Counting(inputs[name]) for name in arguments}
    written = {name: Counting([float("nan")] * n) for name in results}
    built(source)(n, *read.values(), *written.values())
    most = {name: max(x.read.values(), default=0) for name, x in read.items()}
    return source, {name: x.values for name, x in written.items()}, most


def wanted(case: Case, inputs: dict[str, list[float]]) -> dict[str, list[float]]:
    """What comes out."""
    arguments, ops, results = case
    out: dict[str, list[float]] = {name: [] for name in results}
    for i in range(len(inputs[arguments[0]])):
        known: dict[str, float] = {name: inputs[name][i] for name in arguments}
        for op in ops:
            text = op.text.format(*(f"known[{name!r}]" for name in op.reads))
            known[op.name] = eval(text, {**KNOWN, "known": known})
        for name in results:
            out[name].append(known[name])
    return out


def shape_of(source: str) -> tuple[int, int]:
    """Loops in a source, and arrays that it makes."""
    parts = list(ast.walk(ast.parse(source)))
    made = [p for p in parts if isinstance(p, ast.List | ast.ListComp | ast.Dict | ast.DictComp)]
    return sum(isinstance(p, ast.For | ast.While | ast.ListComp) for p in parts), len(made)


@answering
def check_emit(emit: Emit) -> Verdict:
    """Check the reader's generator: what its code computes, how many loops it has, and how often it reads."""
    for name, case in CASES.items():
        inputs = {argument: [0.5 * k - i for i in range(5)] for k, argument in enumerate(case[0], 1)}
        found, error = attempt(ran, emit, case, inputs)
        if error is not None or found is None:
            return broken(name, error or TypeError())
        source, values, most = found
        if problem := values_off(name, values, wanted(case, inputs)) or structure(name, case, source, most):
            return problem
    return done(
        "one loop, whatever the ops. Each argument is read once, results are written once, the rest never leaves."
    )


def broken(name: str, error: Exception) -> Verdict:
    """The generator or its code has stopped."""
    if isinstance(error, ArgumentError) and str(error).startswith("emit returns no text"):
        given, _, how = str(error).split("\n  ")
        return not_yet(f"{given} {how}")
    if isinstance(error, KeyError) and "kernel" in str(error):
        return not_yet("your text defines no function kernel(n, ...).")
    if isinstance(error, NameError) or "subscript" in str(error) or "Counting" in str(error):
        return not_yet(
            f"for {name}, your code stops: {error}. An argument is an array, and is read at i; what an op has made in "
            "this round is a plain name."
        )
    return stopped(f"for {name}, your code", error)


def values_off(name: str, values: dict[str, list[float]], right: dict[str, list[float]]) -> Verdict | None:
    """A result that is wrong."""
    for result, numbers in right.items():
        got = values[result]
        if any(x != x for x in got):
            return not_yet(
                f"for {name}, {result}_out was not written, or not all of it. Every result is, also one that other "
                "ops read."
            )
        if any(not abs(x - y) <= 1e-9 for x, y in zip(got, numbers, strict=True)):
            return not_yet(f"for {name}, {result} is {got}, and it is {numbers}.")
    return None


def structure(name: str, case: Case, source: str, most: dict[str, int]) -> Verdict | None:
    """A temporary in memory, a loop too many, or something that is read twice."""
    count, made = shape_of(source)
    if made >= len(case[1]) and count > 1:
        return unwritten("right values, but a loop for every op, and every value in an array of its own.")
    if made:
        return not_yet(
            f"for {name}, your code makes {made} arrays. A value that only this kernel reads is one number at a time: "
            "a plain name, which stays in a register."
        )
    if count != 1:
        return not_yet(
            f"for {name}, your code has {count} loops. One is enough: each entry needs only its own entries."
        )
    twice = next((argument for argument, times in most.items() if times > 1), None)
    if twice is not None:
        return not_yet(
            f"for {name}, {twice} is read {most[twice]} times for every entry. Read it once, into a name, and use that."
        )
    return None
