# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    import numpy as np

    new = np.zeros(shape, bool).sum(tuple(axes), keepdims=keepdims).shape
    return list(new), dtype if str(dtype).startswith("float") else ml.int64

# %% choose
def choose(joint):
    return min_cut_partition(joint, 0.0).saved

# %% again
def again(node):
    return int(node.op.name not in {"matmul", "uniform"})

# %% again
def again(node):
    import numpy as np

    dear = ["matmul", "uniform"]
    return np.all([node.op.name != name for name in dear])
