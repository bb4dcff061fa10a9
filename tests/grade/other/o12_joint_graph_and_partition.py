# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    left = list(shape)
    for axis in sorted((a % len(shape) for a in axes), reverse=True):
        left[axis : axis + 1] = [1] if keepdims else []
    return left, dtype if str(dtype).startswith("float") else ml.int64

# %% choose
def choose(joint):
    best, values = None, lesson.values(joint)
    for bits in range(2 ** len(values)):
        some = [v for i, v in enumerate(values) if bits >> i & 1]
        if lesson.enough(joint, some) and (best is None or sum(v.nbytes for v in some) < sum(v.nbytes for v in best)):
            best = some
    return tuple(best)

# %% again
def again(node):
    return int(node.op.name not in {"matmul", "uniform"})

# %% again
def again(node):
    import numpy as np

    dear = ["matmul", "uniform"]
    return np.all([node.op.name != name for name in dear])
