# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape)]
    return tuple(lengths), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64

# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    lengths = [1 if i in axes else n for i, n in enumerate(shape) if keepdims or i not in axes]
    return tuple(lengths), dtype if dtype in (ml.float16, ml.float32, ml.float64) else ml.int64

# %% foretell
def foretell_sum(shape, dtype, axes, keepdims):
    summed = {axis % len(shape) for axis in axes}
    lengths = [1 if i in summed else n for i, n in enumerate(shape) if keepdims or i not in summed]
    return tuple(lengths), dtype

# %% choose
def choose(joint):
    return list(joint.primals)

# %% choose
def choose(joint):
    return []

# %% choose
def choose(joint):
    return [str(node) for node in default_partition(joint).saved]

# %% again
def again(node):
    return True

# %% again
def again(node):
    return node.op.name != "uniform"

# %% again
def again(node):
    return node.op.name not in ("matmul", "uniform", "exp", "sin", "tanh")

# %% again
def again(node):
    return str(node) not in ("matmul", "uniform")
