# %% joins
def joins(pair):
    return True
# %% joins
def joins(pair):
    return pair.straight and not pair.detour and {pair.first, pair.second} != {"tile", "rows"} and not (pair.first == pair.second == "tile")
# %% joins
def joins(pair):
    return pair.same and pair.straight and not pair.detour and {pair.first, pair.second} != {"tile", "rows"}
# %% joins
def joins(pair):
    return pair.same and pair.straight and not pair.detour and not (pair.first == pair.second == "tile")
# %% joins
def joins(pair):
    return pair.same and pair.straight and not pair.detour and "rows" not in (pair.first, pair.second) and not (pair.first == pair.second == "tile")
# %% joins
def joins(pair):
    return pair.same and pair.straight and not pair.detour and pair.first == pair.second and pair.first != "tile"
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n - 1):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        lines.append(f"        v_{op.name} = {op.text.format(*[f'v_{name}' for name in op.reads])}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        lines.append(f"        v_{op.name} = {op.text.format(*[f'v_{name}' for name in op.reads[::-1]])}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):"]
    for op in ops:
        lines.append(f"    v_{op.name} = []")
        lines.append("    for i in range(n):")
        lines.append(f"        v_{op.name}.append({op.text.format(*[f'{name}[i]' if name in arguments else f'v_{name}[i]' for name in op.reads])})")
    for name in results:
        lines.append(f"    {name}_out[:] = v_{name}")
    return "\n".join(lines)
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*outs, *arguments])}):", "    for i in range(n):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        lines.append(f"        v_{op.name} = {op.text.format(*[f'v_{name}' for name in op.reads])}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        lines.append(f"        v_{op.name} = {op.text.format(*[f'v_{name}' for name in op.reads])}")
    lines += [f"        {op.name}_out[i] = v_{op.name}" for op in ops]
    return "\n".join(lines)
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    lines += [f"        v_{name} = {name}[0]" for name in arguments]
    for op in ops:
        lines.append(f"        v_{op.name} = {op.text.format(*[f'v_{name}' for name in op.reads])}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)
# %% emit
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    lines += [f"        {name} = {name}[i]" for name in arguments]
    for op in ops:
        lines.append(f"        {op.name} = {op.text.format(*op.reads)}")
    lines += [f"        {name}_out[i] = {name}" for name in results]
    return "\n".join(lines)
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            for p in range(0, a.columns, tile):
                c[i : i + tile, j : j + tile] += a.fetch(i, p, tile, tile) * b.fetch(p, j, tile, tile)
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            for p in range(0, a.columns, tile):
                c[j : j + tile, i : i + tile] += a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
    return c
# %% product
def product(a, b, tile):
    return a.fetch(0, 0, a.rows, a.columns) @ b.fetch(0, 0, b.rows, b.columns)
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(a.rows):
        for j in range(b.columns):
            for p in range(a.columns):
                c[i, j] += (a.fetch(i, p, 1, 1) * b.fetch(p, j, 1, 1)).item()
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, 4):
        for j in range(0, b.columns, 4):
            for p in range(0, a.columns, 4):
                c[i : i + 4, j : j + 4] += a.fetch(i, p, 4, 4) @ b.fetch(p, j, 4, 4)
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            for p in range(0, a.rows, tile):
                c[i : i + tile, j : j + tile] += a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
    return c
# %% product
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    half = max(1, tile // 2)
    for i in range(0, a.rows, half):
        for j in range(0, b.columns, half):
            for p in range(0, a.columns, half):
                c[i : i + half, j : j + half] += a.fetch(i, p, half, half) @ b.fetch(p, j, half, half)
    return c
