"""Kernels spelled out: whatever is changed in one, its text changes; names do not matter."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

import pytest

from minitorch_lab.compiler.loops.affine import Affine, axis
from minitorch_lab.compiler.loops.expr import Expr, Exprs
from minitorch_lab.compiler.loops.ir import Blocking, Contract, Inside, Kernel, Loop, Pieces, Reduce, Store, Sweep, Tile
from minitorch_lab.compiler.loops.spell import spelled

X = Exprs()
P, J = axis("i"), axis("j")
LOAD = X.load("a", P * 3 + J, "f32")
HALF = X.const(0.5, "f32")
VALUE = X.make("mul", "f32", (LOAD, HALF))
INDEX = X.make("index", "i64", attr=J)
VAR = X.make("var", "f32", attr="r0_0", axes=("i",))
BUFFERS = {"a": "B0", "b": "B1"}
NAMES = {"buffer", "var"}  # renamed everywhere, they mean the same


def text(*body: Any, buffers: dict[str, str] = BUFFERS) -> str:
    return spelled(Kernel("k", list(body)), buffers)


STATEMENTS: dict[str, Any] = {
    "store": Store("b", J, VALUE),
    "reduce": Reduce("r0_0", "sum", VALUE),
    "sweep": Sweep("j", 9, [Reduce("r0_0", "sum", LOAD)], [Store("b", J, VAR)]),
    "tile": Tile(4, 5, 6, "c0", "sum", LOAD, VALUE, [Store("b", J, VALUE)], [("k", "m", 1)]),
    "contract": Contract({"i": 3, "j": 4}, {"k": 5}, "c0", LOAD, VALUE, [Inside(P, 7)], [Store("b", J, VALUE)]),
    "inside": Inside(P + J, 7),
    "pieces": Pieces(3, [Store("b", J, VALUE)], []),
    "blocking": Blocking(2, 3, False),
    "loop": Loop("i", 3, [Store("b", J, VALUE)]),
}
OTHERS = [
    ("q", "p"),
    (11, 12),
    (VAR, INDEX),
    (P, J),
    ([], [Store("a", P, HALF)]),
    ({"q": 2}, {"p": 2}),
    (None, HALF),
    (True, False),
]


@pytest.mark.parametrize(
    ("name", "field"), [(name, f.name) for name, s in STATEMENTS.items() for f in fields(s) if f.name not in NAMES]
)
def test_every_field_of_a_statement_is_in_it(name: str, field: str) -> None:
    statement = STATEMENTS[name]
    old = getattr(statement, field)
    pair = next(p for p in OTHERS if isinstance(p[0], type(old)))
    other = next(x for x in pair if x != old)
    assert text(statement) != text(replace(statement, **{field: other}))


def expressions() -> dict[str, Expr]:
    return {
        "op": X.make("add", "f32", (LOAD, HALF)),
        "dtype": X.make("mul", "f64", (LOAD, HALF)),
        "order": X.make("mul", "f32", (HALF, LOAD)),
        "the last digit": X.make("mul", "f32", (LOAD, X.const(0.5 + 2**-53, "f32"))),
        "a sign": X.make("mul", "f32", (LOAD, X.const(-0.5, "f32"))),
        "the dtype of a number": X.make("mul", "f32", (LOAD, X.const(0.5, "f64"))),
        "the kind of a number": X.make("mul", "f32", (LOAD, X.const(1, "i64"))),
        "a truth value": X.make("mul", "f32", (LOAD, X.const(True, "i64"))),
        "a step": X.make("mul", "f32", (X.load("a", P * 4 + J, "f32"), HALF)),
        "an offset": X.make("mul", "f32", (X.load("a", P * 3 + J + Affine((), 1), "f32"), HALF)),
        "a buffer": X.make("mul", "f32", (X.load("b", P * 3 + J, "f32"), HALF)),
        "the dtype of a load": X.make("mul", "f32", (X.load("a", P * 3 + J, "i64"), HALF)),
        "the loops it depends on": X.make("mul", "f32", (Exprs().load("a", P * 3 + J, "f32", "k"), HALF)),
        "an index": X.make("mul", "f32", (INDEX, HALF)),
        "a cast": X.make("cast", "f32", (VALUE,)),
    }


def test_every_part_of_an_expression_is_in_it() -> None:
    found = {name: text(Store("b", J, e)) for name, e in expressions().items()} | {"itself": text(Store("b", J, VALUE))}
    assert len(set(found.values())) == len(found), found


def test_zeros_of_two_signs_are_two_numbers() -> None:
    assert text(Store("b", J, X.const(0.0, "f32"))) != text(Store("b", J, X.const(-0.0, "f32")))


def test_what_is_shared_is_said_once() -> None:
    other = Exprs()
    twin = other.make("mul", "f32", (other.load("a", P * 3 + J, "f32"), other.const(0.5, "f32")))
    both = X.make("add", "f32", (VALUE, VALUE)), X.make("add", "f32", (VALUE, twin))
    assert text(Store("b", J, both[0])) != text(Store("b", J, both[1]))


def test_names_do_not_matter() -> None:
    one = text(Sweep("j", 9, [Reduce("r0_0", "sum", LOAD)], [Store("b", J, VAR)]))
    var, load = X.make("var", "f32", attr="r7_3", axes=("i",)), X.load("sum", P * 3 + J, "f32")
    body = Sweep("j", 9, [Reduce("r7_3", "sum", load)], [Store("j", J, var)])
    assert text(body, buffers={"sum": "B0", "j": "B1"}) == one
