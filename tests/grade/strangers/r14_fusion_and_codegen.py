# %% joins
def joins(pair):
    if pair.detour:
        return False
    if not (pair.same and pair.straight):
        return False
    match (pair.first, pair.second):
        case ("tile", "tile") | ("tile", "rows") | ("rows", "tile"):
            return False
        case _:
            return True
# %% joins
FORBIDDEN = {("tile", "tile"), ("tile", "rows"), ("rows", "tile")}
joins = lambda pair: all([pair.same, pair.straight, not pair.detour, (pair.first, pair.second) not in FORBIDDEN])
# %% joins
import numpy as np

def joins(pair):
    kinds = sorted((pair.first, pair.second))
    bad = kinds.count("tile") == 2 or kinds == ["rows", "tile"]
    return np.bool_(pair.same) & np.bool_(pair.straight) & ~np.bool_(pair.detour) & ~np.bool_(bad)
# %% joins
class Rule:
    def __call__(self, pair):
        return self.near(pair) and self.kinds(pair)

    def near(self, pair):
        return pair.same and pair.straight and not pair.detour

    def kinds(self, pair):
        if "tile" not in (pair.first, pair.second):
            return True
        return {pair.first, pair.second} == {"tile", "entries"}

joins = Rule()
# %% emit
def emit(arguments, ops, results):
    header = "def kernel(n, " + ", ".join(list(arguments) + [r + "_out" for r in results]) + "):"
    body = []
    for a in arguments:
        body.append(f"x_{a} = {a}[i]")
    for op in ops:
        body.append(f"x_{op.name} = " + op.text.format(*("x_" + r for r in op.reads)))
    for r in results:
        body.append(f"{r}_out[i] = x_{r}")
    return "\n".join([header, "    for i in range(n):"] + ["        " + line for line in body])
# %% emit
from textwrap import indent

def emit(arguments, ops, results):
    reads = [f"_{a} = {a}[i]" for a in arguments]
    work = [f"_{op.name} = {op.text.format(*[f'_{r}' for r in op.reads])}" for op in ops]
    writes = [f"{r}_out[i] = _{r}" for r in results]
    loop = "for i in range(n):\n" + indent("\n".join(reads + work + writes), "    ")
    return f"def kernel(n, {', '.join(list(arguments) + [r + '_out' for r in results])}):\n{indent(loop, '    ')}\n"
# %% emit
def emit(arguments, ops, results):
    names = {a: f"in_{k}" for k, a in enumerate(arguments)} | {op.name: f"t{k}" for k, op in enumerate(ops)}
    out = [f"def kernel(n, {', '.join([*arguments, *(f'{r}_out' for r in results)])}):", "\tfor i in range(n):"]
    out += [f"\t\t{names[a]} = {a}[i]" for a in arguments]
    out += [f"\t\t{names[op.name]} = {op.text.format(*map(names.get, op.reads))}" for op in ops]
    out += [f"\t\t{r}_out[i] = {names[r]}" for r in results]
    return "\n".join(out)
# %% emit
def emit(arguments, ops, results):
    text = [f"def kernel(n, {', '.join([*arguments, *[r + '_out' for r in results]])}):"]
    text.append(f"    for i, ({', '.join('e_' + a for a in arguments)},) in enumerate(zip({', '.join(f'{a}[:n]' for a in arguments)})):")
    for op in ops:
        text.append(f"        e_{op.name} = {op.text.format(*('e_' + r for r in op.reads))}")
    for r in results:
        text.append(f"        {r}_out[i] = e_{r}")
    return "\n".join(text)
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            total = 0
            for p in range(0, a.columns, tile):
                total = total + a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
            c[i : i + tile, j : j + tile] = total
    return c
# %% product
from itertools import product as every
import numpy as np

def product(a, b, tile):
    c = np.zeros((a.rows, b.columns))
    for i, j, p in every(range(0, a.rows, tile), range(0, b.columns, tile), range(0, a.columns, tile)):
        left, right = a.fetch(i, p, tile, tile), b.fetch(p, j, tile, tile)
        c[i : i + left.shape[0], j : j + right.shape[1]] += np.matmul(left, right)
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    i = 0
    while i < a.rows:
        j = 0
        while j < b.columns:
            h, w = min(tile, a.rows - i), min(tile, b.columns - j)
            p = 0
            while p < a.columns:
                d = min(tile, a.columns - p)
                c[i : i + h, j : j + w] += a.fetch(i, p, h, d).dot(b.fetch(p, j, d, w))
                p += d
            j += w
        i += h
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)

    def block(i, j, p=0):
        if p >= a.columns:
            return 0
        return a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile) + block(i, j, p + tile)

    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            c[i : i + tile, j : j + tile] = block(i, j)
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for j in range(0, b.columns, tile):
        for i in range(0, a.rows, tile):
            for p in range(0, a.columns, tile):
                c[i : i + tile, j : j + tile] += a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
    return c.tolist()
