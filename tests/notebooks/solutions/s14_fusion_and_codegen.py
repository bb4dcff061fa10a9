"""Solutions to 14_fusion_and_codegen: what stands after `# %% id` goes into the cell with that id."""

from minitorch_lab.lessons import lesson_14_fusion as lesson

# %% guess-two
launches_of_two = (2, 1)
mb_of_two = (16, 8)

# %% guess-chain
gb_op_by_op = 1.0
gb_as_one = 0.2

# %% guess-three
bytes_of_three = (36_000, 20_000)

# %% guess-softmax
kernels_of_softmax = 1
kernels_of_layers = 2


# %% joins-exercise
def joins(pair):
    if not pair.same or not pair.straight or pair.detour:
        return False
    kinds = {pair.first, pair.second}
    two_products = pair.first == pair.second == "tile"
    return not two_products and kinds != {"tile", "rows"}


# %% emit-exercise
def emit(arguments, ops, results):
    outs = [f"{name}_out" for name in results]
    lines = [f"def kernel(n, {', '.join([*arguments, *outs])}):", "    for i in range(n):"]
    lines += [f"        v_{name} = {name}[i]" for name in arguments]
    for op in ops:
        inputs = [f"v_{name}" for name in op.reads]
        lines.append(f"        v_{op.name} = {op.text.format(*inputs)}")
    lines += [f"        {name}_out[i] = v_{name}" for name in results]
    return "\n".join(lines)


# %% guess-loads
one_by_one = 65_536
one_by_sixteen = 34_816
four_by_four = 16_384


# %% product-exercise
def product(a, b, tile):
    c = lesson.zeros(a.rows, b.columns)
    for i in range(0, a.rows, tile):
        for j in range(0, b.columns, tile):
            for p in range(0, a.columns, tile):
                c[i : i + tile, j : j + tile] += a.fetch(i, p, tile, tile) @ b.fetch(p, j, tile, tile)
    return c


# %% guess-order
fetches_less = "grouped"
