"""Every op of the registry, its sample inputs with symbols for lengths: value and pullback follow from the symbols."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.ir.expressions import Expression
from minitorch_lab.compiler.ir.fake import row_order
from minitorch_lab.compiler.ir.graph import Facts, Graph, Node
from minitorch_lab.compiler.ir.sized import symbols
from minitorch_lab.compiler.ir.sizes import Sizes, mapped_sizes
from minitorch_lab.compiler.ir.symbolic import Capturing
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.core.array import is_float, is_number
from minitorch_lab.core.interpret import grad_enabled, interpreting
from minitorch_lab.func.reverse import vjp
from minitorch_lab.ops.op import OPS
from minitorch_lab.ops.random import Generator
from minitorch_lab.tensors.tensor import Tensor

# Which entries of memory are seen depends on how it lies; and classes are told by number, which a guard asks for.
BY_NUMBER = {"as_strided", "cross_entropy"}
SIZED = {"shape", "size"}  # parameters that are shapes


class Told(Sizes):
    """Sizes that note whose number was asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.exactly: list[str] = []

    def exact(self, expression: Expression) -> int:
        found = expression.replaced(self.replaced)
        if found.constant is None:
            self.exactly.append(str(found))
        return super().exact(expression)


class Symbolic:
    """An op on a sample in which each length from 2 on is a symbol: the graph of its value and of its pullback."""

    def __init__(self, name: str, args: Any, params: dict[str, Any]) -> None:
        self.op, self.sizes, self.table = OPS[name], Told(), dict[int, Any]()
        self.args = [a if is_number(a) else np.asarray(a) for a in args]
        exempt = name == "window"  # its size is that of a window
        self.params = {k: v if exempt or k not in SIZED else self.shape(v) for k, v in params.items()}
        self.graph = Graph()
        layer = Capturing(self.graph)
        boxes = [a if is_number(a) else layer.imagined(f"x{i}", self.facts(a)) for i, a in enumerate(self.args)]
        self.floats = [i for i, a in enumerate(self.args) if not is_number(a) and is_float(a.dtype)]
        with interpreting(layer):
            leaves = self.pulled(boxes)
        self.graph.output([layer.own(x).value for x in leaves])

    def shape(self, shape: tuple[int, ...]) -> tuple[Any, ...]:
        return tuple(self.table.setdefault(n, self.sizes.symbol(f"s{n}", n, 2)) if n > 1 else n for n in shape)

    def facts(self, array: Any) -> Facts:
        shape = self.shape(array.shape)
        return Facts(shape, array.dtype, "cpu", row_order(shape, array.dtype.itemsize))

    def pulled(self, boxes: list[Any], params: dict[str, Any] | None = None) -> list[Any]:
        """The value, and what a cotangent of ones is pulled back to."""

        def of_floats(*xs: Any) -> Any:
            full = list(boxes)
            for i, x in zip(self.floats, xs, strict=True):
                full[i] = x
            return self.op(*full, **(self.params if params is None else params))

        given = [boxes[i] for i in self.floats]
        if not given or all(rule is None for rule in self.op.vjp):
            return [of_floats(*given)]
        value, pull = vjp(of_floats, *given)
        with grad_enabled(False):
            return [value, *pull(ml.ones(*value.shape, dtype=value.dtype))]

    def at(self, more: int) -> tuple[Any, list[Any], dict[str, Any]]:
        """The numbers of the symbols, arrays and parameters where every length is longer by so many."""
        values = {f"s{n}": n + more for n in self.table}
        arrays = [
            a if is_number(a) else np.resize(a, [n + more if n in self.table else n for n in a.shape])
            for a in self.args
        ]
        return values, arrays, {k: mapped_sizes(lambda s: s.at(values), v) for k, v in self.params.items()}


def cases() -> list[Any]:
    found: list[Any] = []
    for name, op in OPS.items():
        for k, (args, params) in enumerate(op.samples(np.random.default_rng(0))):
            if all(0 not in np.shape(a) for a in args) and name not in BY_NUMBER:
                found.append(pytest.param(name, args, params, id=f"{name}-{k}"))
    return found


@pytest.mark.parametrize(("name", "args", "params"), cases())
def test_no_op_asks_for_the_number_of_a_length(name: str, args: Any, params: dict[str, Any]) -> None:
    assert Symbolic(name, args, params).sizes.exactly == []


@pytest.mark.parametrize(
    ("name", "args", "params"), [c for c in cases() if not any(isinstance(p, Generator) for p in c.values[2].values())]
)
def test_one_kernel_serves_other_lengths(name: str, args: Any, params: dict[str, Any]) -> None:
    case = Symbolic(name, args, params)
    kernel, names = compile_numpy(case.graph), symbols(case.graph)
    for more in (0, 1, 3):
        values, arrays, given = case.at(more)
        if not all(relation.holds(values) is holds for relation, holds in case.sizes.relations):
            continue
        try:
            want = case.pulled([a if is_number(a) else ml.tensor(a) for a in arrays], given)
        except (ml.errors.MinitorchError, ValueError):  # no matrix to be factored, or a slice of another length
            assert more
            continue
        taken = [a for a in arrays if not is_number(a)]
        got = kernel(*[values[n] for n in names], *taken)
        for a, b in zip(got, want, strict=True):
            np.testing.assert_array_equal(a, b.value if isinstance(b, Tensor) else b)
    assert isinstance(case.graph.nodes[-1], Node)
