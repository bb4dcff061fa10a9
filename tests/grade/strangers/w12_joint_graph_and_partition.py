# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    return tuple(n for i, n in enumerate(shape) if i not in summed), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), ml.float32 if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), ml.int64 if dtype == ml.bool else dtype
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), dtype if dtype in (ml.float32, ml.float64) else ml.int64
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if (keepdims or i not in summed) and n != 1]
    return tuple(lengths), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axes[0] % len(shape)}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {abs(axis) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [0 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64
# %% choose
def choose(joint):
    return default_partition(joint).saved
# %% choose
def choose(joint):
    return lesson.values(joint)
# %% choose
def choose(joint):
    return [v for v in lesson.values(joint) if v.kind == "placeholder"]
# %% choose
def choose(joint):
    return sorted(lesson.values(joint), key=lambda n: n.nbytes)[:1]
# %% choose
def choose(joint):
    chosen = []
    for value in sorted(lesson.values(joint), key=lambda n: n.nbytes):
        chosen.append(value)
        if lesson.enough(joint, chosen):
            return chosen
    return chosen
# %% choose
def choose(joint):
    from itertools import combinations
    values = lesson.values(joint)
    for count in range(len(values) + 1):
        for some in combinations(values, count):
            if lesson.enough(joint, some):
                return list(some)
# %% choose
def choose(joint):
    from itertools import combinations
    values = lesson.values(joint)
    sets = (s for c in range(len(values) + 1) for s in combinations(values, c))
    return list(max((s for s in sets if lesson.enough(joint, s)), key=lesson.weight))
# %% again
def again(node):
    return node.op.name != "matmul"
# %% again
def again(node):
    return node.op.name in ("matmul", "uniform")
# %% again
def again(node):
    return node.op.name in ("exp", "sin")
# %% again
def again(node):
    return node.op.name not in ("matmul", "uniform", "ge", "cast", "mul")
# %% again
def again(node):
    return node.nbytes < 100
# %% again
def again(node):
    return len(node.inputs) < 2
# %% again
def again(node):
    return None if node.op.name in ("matmul", "uniform") else True
# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    t = ml.zeros(*shape, dtype=dtype).sum(axes, keepdim=keepdims)
    return t.shape, t.dtype
