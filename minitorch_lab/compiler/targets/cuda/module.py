"""A program as a page of CUDA C, and what is launched for it, step by step."""

from __future__ import annotations

import re
from math import prod

from ....core.words import plural
from ....ops.word import WORDS
from ...loops.affine import ZERO, Affine, axis, flat
from ...loops.expr import parts
from ...loops.ir import Kernel, values_of
from ...schedule.program import Program
from ...schedule.values import SIZES
from .helpers import HELPERS, helpers
from .kernels import Printer
from .launches import Launch, Piece, Product, Work, find_read, find_written, operands, pieces
from .numbers import Numbers
from .words import TYPES
from .writer import Names

# Names that a page uses itself, or C++ does.
USED = re.compile(r"[ijkmnty]|[icr]\d+(_\d+)?|[mnk]0|row\d*|trip|left|right|of_row|_+.*")
KEYWORDS = """
alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const constexpr
const_cast continue decltype default delete do double dynamic_cast else enum explicit export extern false float for
friend goto if inline int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected
public register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch
template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t
while xor xor_eq blockIdx threadIdx blockDim gridDim warpSize
"""
LIBRARY = {name for op, word in WORDS.items() if word.function for name in (op, word.function)}
RESERVED = {*KEYWORDS.split(), *HELPERS, *(f"{name}{f}" for name in LIBRARY for f in ("", "f"))}


class Module:
    """Writes the page of a program.

    Args:
        program: The kernels.
        numbers: How kernels get Python numbers.
        least: The multiplications from which on cuBLAS computes a product. It needs a launch of its own, and another
            for what is done to the product; a page's own kernel has neither, but uses a fraction of the GPU.

    Attributes:
        text: CUDA C.
        work: What is launched for each step that is a kernel.
    """

    def __init__(self, program: Program, numbers: Numbers, least: int) -> None:
        self.program, self.numbers, self.least = program, numbers, least
        self.dtypes = {name: v.dtype for name, v in program.values.items()}
        large = any(prod(v.shape) >= 1 << 31 for v in program.values.values())
        self.whole = "long long" if large else "int"
        self.number = {n.name for n in program.numbers}
        self.order = {n.name: i for i, n in enumerate(program.graph.nodes)}  # in which parameters are named
        self.called: dict[str, str] = {}
        self.functions: list[str] = []
        self.work = {s: self.worked(s.kernel) for s in program.steps if s.kernel is not None}
        body = "\n\n".join(self.functions)
        count = len(self.functions)
        head = f"// {program.graph.name}: {plural(count, 'function')}"
        self.text = "\n\n".join(["\n".join([head, *helpers(body)]), body]) + "\n"

    # ---- launches ---------------------------------------------------------------------------------------------------
    def worked(self, kernel: Kernel) -> Work:
        """What is launched for a kernel."""
        work = Work()
        for i, piece in enumerate(pieces(kernel)):
            out = self.multiplied(piece, work)
            after = epilogue(piece) if out else piece
            if after is not None:
                given = {piece.tile.var: out} if out and piece.tile else {}
                work.launches.append(self.function(kernel, after, [] if i else kernel.reasons, given))
        return work

    def multiplied(self, piece: Piece, work: Work) -> str | None:
        """Let cuBLAS compute a product, if it should, into the buffer that is returned."""
        t = piece.tile
        if t is None or t.a is None or piece.points * t.m * t.n * t.k < self.least:
            return None
        found = operands(piece, t)
        if found is None:
            return None
        axes = {**piece.loops, "m": t.m, "n": t.n}
        read = {self.program.storage(e.attr[0]) for e in parts(values_of(t)) if e.op == "load"}
        fits = [
            s.buffer for s in t.stores
            if s.at == row_order(axes) and self.dtypes[s.buffer] == t.b.dtype
            and self.program.storage(s.buffer) not in read
        ]  # fmt: skip
        out = fits[0] if fits else f"product_{piece.name}"
        if not fits:
            work.between[out] = prod(axes.values()) * SIZES[t.b.dtype]
            self.dtypes[out] = t.b.dtype
        work.launches.append(Product(*found, out, tuple(axes.values())))
        return out

    # ---- functions --------------------------------------------------------------------------------------------------
    def function(self, kernel: Kernel, piece: Piece, reasons: list[str], given: dict[str, str]) -> Launch:
        """Write the function of a piece; `given` says in which buffers results of products lie."""
        scratch = self.program.scratch
        made = [b for b in find_written(piece.body) if b not in scratch]
        touched = [b for b in dict.fromkeys((*given.values(), *find_read(piece.body), *made)) if b not in scratch]
        touched.sort(key=lambda b: self.order.get(b, len(self.order)))
        numbers = [b for b in touched if b in self.number]
        pointer = {b: self.parameter(self.program.storage(b)) for b in touched}
        changed = {pointer[b] for b in made}
        texts = {b: self.numbers.text(pointer[b]) for b in numbers}
        names = Names(pointer, texts, kernel.stands, self.whole, set(pointer.values()))
        at = row_order(piece.loops)
        printer = Printer(kernel, piece, names, scratch, {v: f"{pointer[b]}[{at}]" for v, b in given.items()})
        own = {pointer[b]: b for b in touched}
        said = [
            self.numbers.parameter(TYPES[self.dtypes[b]], p) if b in numbers
            else f"{'' if p in changed else 'const '}{TYPES[self.dtypes[b]]}* __restrict__ {p}"
            for p, b in own.items()
        ]  # fmt: skip
        x, y = printer.threads
        head = f'extern "C" __global__ void __launch_bounds__({x * y}) {piece.name}({", ".join(said)}) {{'
        notes = [f"// {piece.name}: {printer.summary}", *(f"//   {r}" for r in reasons)]
        self.functions.append("\n".join([*notes, head, *printer.lines, "}"]))
        return Launch(piece.name, printer.grid, printer.threads, [self.program.storage(b) for b in own.values()])

    def parameter(self, buffer: str) -> str:
        """What a buffer is called in the page: C++ has other reserved words than Python, and only letters of ASCII."""
        if buffer not in self.called:
            name = re.sub(r"\W", "x", buffer, flags=re.ASCII)
            while USED.fullmatch(name) or name in RESERVED or name in self.called.values():
                name += "_"
            self.called[buffer] = name
        return self.called[buffer]


def epilogue(piece: Piece) -> Piece | None:
    """What is done, entry by entry, to a product that lies in memory; None if it only lies there."""
    t = piece.tile
    assert t is not None
    if len(t.stores) == 1 and t.stores[0].value.op == "var":
        return None
    return Piece(piece.name, {**piece.loops, "m": t.m, "n": t.n}, [*t.stores])


def row_order(axes: dict[str, int]) -> Affine:
    """Where an entry of an array over some axes lies, one after the other."""
    return flat(tuple(axis(a) if n > 1 else ZERO for a, n in axes.items()), tuple(axes.values()))


def spoken(program: Program) -> bool:
    """Whether there are words for all that the kernels of a program compute."""
    inner = (e for k in program.kernels for e in parts(k.values()))
    return all(e.op in ("const", "load", "index", "var") or e.op in WORDS for e in inner)
