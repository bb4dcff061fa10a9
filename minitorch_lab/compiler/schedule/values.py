"""Values: a pure graph in the few forms that kernels know, and the nodes that are left to NumPy.

A view is one affine map per axis of what it shows: source index = const + Σ coefficient · own index. Reductions keep
the axis that they reduce, at length 1, and reduce one axis at a time.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...core.array import Shape
from ...ops.axes import numel
from ..ir.graph import ABBREVIATED, Node
from ..loops.affine import Affine, Index, flat

Maps = tuple[tuple[int, dict[int, int]], ...]  # for each axis a constant, and the steps by numbered axes
LEAF = ("input", "const", "iota")
MOVE = ("view", "flat")


@dataclass(eq=False, slots=True, repr=False)
class Value:
    """One value: a leaf (`input`, `const`, `iota`), a move (`view`, `flat`), what adds up, or entry by entry.

    What adds up is a `reduce`, a `matmul` or a `contract`; a `frame` lays its source into a larger array.

    `attr` is the name of an input, the number of a constant, the axis, start and step of an iota, the maps of a view,
    the op and axis of a reduction, the `Contraction` of a contract, the corner and the number of a frame.
    """

    op: str
    src: tuple[Value, ...]
    shape: Shape
    dtype: str
    attr: Any = None
    node: Node | None = None  # what it stands for in the graph
    scalar: bool = field(init=False)  # one number, made of numbers: its readers compute it themselves

    def __post_init__(self) -> None:
        """Work out whether it is a number."""
        alone = self.op not in ("reduce", "matmul", "contract") and all(s.scalar for s in self.src)
        self.scalar = numel(self.shape) == 1 and alone

    def __repr__(self) -> str:
        """`add f32[3, 4]`."""
        return f"{self.op} {self.dtype}[{', '.join(map(str, self.shape))}]"

    @property
    def nbytes(self) -> int:
        """The bytes of its entries."""
        return numel(self.shape) * SIZES[self.dtype]


SIZES = {"f32": 4, "f64": 8, "i64": 8, "i32": 4, "b8": 1}


def word(node: Node) -> str:
    """The dtype of a node as the kernels write it."""
    return ABBREVIATED.get(node.dtype.name, node.dtype.name)


def through(view: Value, index: Index) -> Index:
    """Where the entry of a view at `index` lies in what it shows."""
    return mapped(view.attr, index)


def mapped(maps: Maps, index: Index) -> Index:
    """What maps give for the counters in `index`."""
    out: list[Affine] = []
    for const, steps in maps:
        at = Affine((), const)
        for d, k in steps.items():
            at = at + index[d] * k
        out.append(at)
    return tuple(out)


def base(v: Value) -> Value:
    """What a move moves."""
    while v.op in MOVE:
        v = v.src[0]
    return v


def in_memory(v: Value, index: Index) -> tuple[Value, Affine]:
    """The value whose memory is read for the entry of `v` at `index`, and where in it."""
    while v.op == "view":
        v, index = v.src[0], through(v, index)
    at = flat(index, v.shape)
    return base(v), at  # what is below a `flat` lies in row order


def computed(v: Value) -> bool:
    """Whether a kernel has to be found for it."""
    return v.op not in LEAF and v.op not in MOVE
