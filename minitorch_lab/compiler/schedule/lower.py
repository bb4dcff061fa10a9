"""From groups to kernels: every value of a group becomes an expression at one point of the group's loops."""

from __future__ import annotations

from ...core.array import Shape
from ..ir.extents import usual
from ..loops.affine import Affine, Index, axis, flat
from ..loops.collapse import collapsed, collapsed_tile
from ..loops.expr import Expr, Exprs, parts
from ..loops.ir import Contract, Inside, Kernel, Loop, Reduce, Stmt, Store, Sweep, Tile
from .group import Group, stretch
from .values import Value, in_memory, mapped, through

KEEP_ROW = 64  # the entries that stay in registers; what is costly in a longer row is kept in a row of memory


class Lowering:
    """Makes the kernels of groups.

    Args:
        group: The group of each value.
        names: The buffer of each value that lies in memory.
        stored: The values that kernels write to memory.

    Attributes:
        scratch: The rows of memory that kernels need for themselves: bytes by name.
    """

    def __init__(self, group: dict[Value, Group], names: dict[Value, str], stored: set[Value]) -> None:
        self.group, self.names, self.stored = group, names, stored
        self.exprs = Exprs()
        self.scratch: dict[str, int] = {}
        self.count = 0

    def kernel(self, group: Group) -> Kernel:
        """The kernel of a group."""
        named = group.renamed(axis_names(group))
        self.here, self.vars, self.memo = named, dict[Value, Expr](), dict[tuple[Value, Index], Expr]()
        self.inside = group
        body = self.row(named) if named.kind == "row" else self.contract(named) if named.over else self.tile(named)
        body = [*(s for v in group.home if v.op == "frame" for s in self.border(v)), *body]
        name = f"{title(group)}_{self.count}"
        self.count += 1
        return Kernel(name, body, named.reasons, self.exprs.stands)

    # ---- values -----------------------------------------------------------------------------------------------------
    def value(self, v: Value, index: Index) -> Expr:
        """The value of `v` at a point, found once: a diamond-shaped graph would cost a walk per path."""
        key = (v, index)
        if key not in self.memo:
            self.memo[key] = self.found(v, index)
        return self.memo[key]

    def found(self, v: Value, index: Index) -> Expr:
        """The expression of a value at a point."""
        x = self.exprs
        if v.op == "const":
            return x.const(v.attr, v.dtype)
        if v.op == "iota":
            d, start, step = v.attr
            return x.make("index", v.dtype, attr=index[d] * step + Affine((), start))
        if v.op == "view":
            return self.value(v.src[0], through(v, index))
        own = self.group.get(v) is self.inside
        if own and v in self.vars and index == self.here.home[v]:
            return self.vars[v]
        lies = v in self.names and not (own and index == self.here.home[v])
        if v.op in ("input", "flat") or lies:
            owner, at = in_memory(v, index)
            return x.load(self.names[owner], at, v.dtype)
        if v.op == "frame":
            return self.value(v.src[0], tuple(i + Affine((), -low) for i, low in zip(index, v.attr[0], strict=True)))
        args = tuple(self.value(s, stretch(s, index)) for s in v.src)
        made = args[0] if v.op == "copy" else x.make(v.op, v.dtype, args)
        if v.op != "copy":
            x.stands.setdefault(made, v.node)
        return made

    def store(self, v: Value) -> Store:
        """The store of a value at its own point."""
        home = self.here.home[v]
        return Store(self.names[v], flat(home, v.shape), self.value(v, home))

    # ---- rows -------------------------------------------------------------------------------------------------------
    def row(self, g: Group) -> list[Stmt]:
        """Loops over all axes but one, and passes over that one: as many as reductions wait for each other."""
        length = g.axes.get("j", 1)
        outer = frozenset(a for a in g.axes if a != "j")
        for i, v in enumerate(g.reduced):
            self.vars[v] = self.exprs.make("var", v.dtype, attr=f"r{self.count}_{i}", axes=outer)
            self.exprs.stands[self.vars[v]] = v.node
        stage: dict[Value, int] = {}
        for v in g.home:
            stage[v] = max((stage[s] + (s.op == "reduce") for s, _ in g.reads(v) if s in stage), default=0)
            self.value(v, g.home[v])  # in order, so that a long chain does not recurse
        sweeps = [Sweep("j", length) for _ in range(max(stage.values()) + 2)]
        after: list[list[Store]] = [[] for _ in sweeps]  # what is known of a whole row before the next pass
        for v in g.home:
            if v.op == "reduce":
                value = self.value(v.src[0], g.operand(v, 0))
                sweeps[stage[v]].reduces.append(Reduce(self.vars[v].attr, v.attr[0], value))
            if v in self.stored:
                per_row = length > 1 and "j" not in {a for i in g.home[v] for a in i.axes}
                place = stage[v] + (v.op == "reduce")
                (after[place] if per_row else sweeps[place].stores).append(self.store(v))
        if usual(length) > KEEP_ROW:
            self.keep(g, sweeps, length)
        body: list[Stmt] = []
        for stores, sweep in zip(after, sweeps, strict=True):
            body += [*stores, *([sweep] if sweep.reduces or sweep.stores else [])]
        axes = {a: n for a, n in g.axes.items() if a != "j"}
        if not g.axes:
            return [store for sweep in sweeps for store in sweep.stores]
        if len(body) == 1 and isinstance(body[0], Sweep) and not body[0].reduces:
            return collapsed(axes, body[0], self.exprs, g.reasons)
        return nested(axes, body)

    def keep(self, g: Group, sweeps: list[Sweep], length: int) -> None:
        """A costly value that two passes need goes to a row of memory in the first; the others read it there."""
        first: dict[Expr, int] = {}
        kept: dict[Expr, Expr] = {}
        for t, sweep in enumerate(sweeps):
            values = [r.value for r in sweep.reduces] + [s.value for s in sweep.stores]
            stack, seen = list(values), set[Expr]()
            while stack:
                e = stack.pop()
                if e in seen or e in kept or "j" not in e.axes:
                    continue
                seen.add(e)
                if first.get(e, t) < t and e.dtype == "f32" and any(q.costly for q in parts([e])):
                    name = f"row{len(self.scratch)}"
                    self.scratch[name] = 4 * length
                    kept[e] = self.exprs.load(name, axis("j"), e.dtype, e.axes)
                    g.reasons.append(f"kept in a row of {4 * length} bytes: {e.op}, not computed twice")
                else:
                    stack += e.args
            for e in parts(values):
                first.setdefault(e, t)
        for e, load in kept.items():
            sweeps[first[e]].stores.append(Store(load.attr[0], axis("j"), e))
        for t, sweep in enumerate(sweeps):
            known = {e: load for e, load in kept.items() if first[e] < t}
            memo: dict[Expr, Expr] = {}
            for part in [*sweep.reduces, *sweep.stores]:
                part.value = self.exprs.rewritten(part.value, known.get, memo)

    # ---- tiles ------------------------------------------------------------------------------------------------------
    def tile(self, g: Group) -> list[Stmt]:
        """Loops over the batch, and one contraction with what is done to its result."""
        root, _ = next(iter(g.reduced.items()))
        outer = {a: n for a, n in g.axes.items() if a not in ("m", "n", "k")}
        made = frozenset((*outer, *(a for a in ("m", "n") if a in g.axes)))
        var = self.vars[root] = self.exprs.make("var", root.dtype, attr=f"c{self.count}", axes=made)
        self.exprs.stands[var] = root.node
        a, b = (self.value(s, g.operand(root, i)) for i, s in enumerate(root.src)) if root.op == "matmul" else (
            None,
            self.value(root.src[0], g.operand(root, 0)),
        )  # fmt: skip
        assert b is not None
        for v in g.home:
            self.value(v, g.home[v])
        op = root.attr[0] if root.op == "reduce" else "sum"
        stores = [self.store(v) for v in g.home if v in self.stored]
        tile = Tile(g.axes.get("m", 1), g.axes["n"], g.axes["k"], var.attr, op, a, b, stores)
        return collapsed_tile(outer, tile, self.exprs, g.reasons)

    def contract(self, g: Group) -> list[Stmt]:
        """A contraction over several axes, with what is done to its result."""
        root = next(iter(g.reduced))
        axes = {a: n for a, n in g.axes.items() if a not in g.over}
        var = self.vars[root] = self.exprs.make("var", root.dtype, attr=f"c{self.count}", axes=axes)
        self.exprs.stands[var] = root.node
        a, b = (self.value(s, g.operand(root, i)) for i, s in enumerate(root.src))
        for v in g.home:
            self.value(v, g.home[v])
        points = (*g.home[root], *map(axis, g.over))
        limits = mapped(tuple((const, steps) for const, steps, _ in root.attr.inside), points)
        inside = [Inside(at, n) for at, (_, _, n) in zip(limits, root.attr.inside, strict=True)]
        stores = [self.store(v) for v in g.home if v in self.stored]
        return [Contract(axes, {o: g.axes[o] for o in g.over}, var.attr, a, b, inside, stores)]

    # ---- frames -----------------------------------------------------------------------------------------------------
    def border(self, v: Value) -> list[Stmt]:
        """Fills what a frame has around its source: for each axis what lies before and after it."""
        out: list[Stmt] = []
        number = self.exprs.const(v.attr[1], v.dtype)
        size, low = v.src[0].shape, v.attr[0]
        for d in range(len(v.shape)):
            for first, stop in ((0, low[d]), (low[d] + size[d], v.shape[d])):
                starts = (*low[:d], first, *(0 for _ in v.shape[d + 1 :]))
                lengths = (*size[:d], stop - first, *v.shape[d + 1 :])
                if stop > first:
                    out += self.filled(v, starts, lengths, number)
        return out

    def filled(self, v: Value, starts: Shape, lengths: Shape, number: Expr) -> list[Stmt]:
        """A block of a value, filled with a number."""
        names = [*(f"i{d}" for d in range(len(lengths) - 1)), "j"]
        at = flat(tuple(axis(a) + Affine((), n) for a, n in zip(names, starts, strict=True)), v.shape)
        sweep = Sweep("j", lengths[-1], [], [Store(self.names[v], at, number)])
        return collapsed(dict(zip(names[:-1], lengths[:-1], strict=True)), sweep, self.exprs, [])


def axis_names(g: Group) -> dict[str, str]:
    """The names by which a reader knows the loops: j along rows; m, n and k in tiles; i0, i1, … outside."""
    if g.kind == "row":
        special = {g.last: "j"} if g.last else {}
    elif g.over:
        special = {a: f"k{i}" for i, a in enumerate(g.over)}
    else:
        root, k = next(iter(g.reduced.items()))
        own = [i.alone for i in g.home[root] if i.alone]
        special = {k: "k", own[-1]: "n", **({own[-2]: "m"} if root.op == "matmul" else {})}
    outer = [a for a in g.axes if a not in special]
    return {**{a: f"i{i}" for i, a in enumerate(outer)}, **{a: n for a, n in special.items() if a}}


def title(g: Group) -> str:
    """What a kernel is called: by the kinds of its work."""
    if g.kind == "tile":
        if g.over:
            return "contract"
        return "matmul" if any(v.op == "matmul" for v in g.reduced) else "columns"
    return "rows" if g.reduced else "pointwise"


def nested(axes: dict[str, int], body: list[Stmt]) -> list[Stmt]:
    """Loops around some statements, the first axis outermost."""
    for name, n in reversed(axes.items()):
        body = [Loop(name, n, body)]
    return body
