# %% joins
def joins(pair):
    return pair.same and pair.straight and not pair.detour

# %% joins
def joins(pair):
    return pair.same and not pair.detour and {pair.first, pair.second} != {"tile", "rows"} and not (
        pair.first == pair.second == "tile"
    )

# %% joins
def joins(pair):
    return pair.same and pair.straight and {pair.first, pair.second} != {"tile", "rows"} and not (
        pair.first == pair.second == "tile"
    )

# %% joins
def joins(pair):
    return pair.straight and not pair.detour and pair.first == pair.second == "entries"

# %% joins
def joins(pair):
    return pair.same and pair.straight and not pair.detour and "tile" not in (pair.first, pair.second)

# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    for op in ops:
        inputs = [f"{name}[i]" if name in arguments else f"v_{name}" for name in op.reads]
        lines.append(f"        v_{op.name} = {op.text.format(*inputs)}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)

# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        inputs = [f"v_{name}" for name in op.reads]
        lines.append(f"        v_{op.name} = {op.text.format(*inputs)}")
    lines += [f"        {results[-1]}_out[i] = v_{results[-1]}"]
    return "\n".join(lines)

# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    for op in ops:
        inputs = [f"{name}[i]" for name in op.reads]
        lines.append(f"        {op.name} = {op.text.format(*inputs)}")
    lines += [f"        {name}_out[i] = {name}" for name in results]
    return "\n".join(lines)

# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):"]
    lines += [f"    v_{op.name} = [0.0] * n" for op in ops[:1]]
    lines += ["    for i in range(n):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        inputs = [f"v_{name}" for name in op.reads]
        lines.append(f"        v_{op.name} = {op.text.format(*inputs)}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)

# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            for p in range(0, a.columns, tile):
                c[i : i + tile, j : j + tile] = a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
    return c

# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(a.rows // tile):
        for j in range(b.columns // tile):
            for p in range(0, a.columns, tile):
                top, left = i * tile, j * tile
                block = a.fetch(top, p, tile, tile) @ b.fetch(p, left, tile, tile)
                c[top : top + tile, left : left + tile] += block
    return c

# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            c[i : i + tile, j : j + tile] = a.fetch(i, 0, tile, a.columns) @ b.fetch(0, j, b.rows, tile)
    return c

# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(a.rows):
        for j in range(0, b.columns, tile):
            for p in range(0, a.columns, tile):
                c[i : i + 1, j : j + tile] += a.fetch(i, p, 1, tile) @ b.fetch(p, j, tile, tile)
    return c

# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            for p in range(0, a.columns // tile * tile, tile):
                c[i : i + tile, j : j + tile] += a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
    return c
