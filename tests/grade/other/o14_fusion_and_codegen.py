# %% joins
def joins(pair):
    together = int(pair.same and pair.straight and not pair.detour)
    tiles = [pair.first, pair.second].count("tile")
    return together and not (tiles == 2 or (tiles == 1 and "rows" in (pair.first, pair.second)))

# %% emit
def emit(arguments, ops, results):
    text = f"def kernel(n, {', '.join(list(arguments) + ['to_' + r for r in results])}):\n    i = 0\n    while i < n:\n"
    for name in arguments:
        text += f"        {name}_i = {name}[i]\n"
    for op in ops:
        text += f"        {op.name}_i = " + op.text.format(*[f"({name}_i)" for name in op.reads]) + "\n"
    for name in results:
        text += f"        to_{name}[i] = {name}_i\n"
    return text + "        i += 1\n"

# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for p in range(0, a.columns, tile):
        for i in range(0, a.rows, tile):
            left = a.fetch(i, p, tile, tile)
            for j in range(0, b.columns, tile):
                c[i : i + tile, j : j + tile] = c[i : i + tile, j : j + tile] + left @ b.fetch(p, j, tile, tile)
    return c
