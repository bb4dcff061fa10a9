# %% address
def address(index, stride, offset):
    return sum(i * s for i, s in zip(index, stride))

# %% address
def address(index, stride, offset):
    return offset + sum(i * s for i, s in zip(index, reversed(stride)))

# %% address
def address(index, stride, offset):
    return 8 * (offset + sum(i * s for i, s in zip(index, stride)))

# %% permuted
def permuted(shape, stride, dims):
    return tuple(shape[d] for d in dims), stride

# %% permuted
def permuted(shape, stride, dims):
    return shape, tuple(stride[d] for d in dims)

# %% permuted
def permuted(shape, stride, dims):
    back = [dims.index(k) for k in range(len(dims))]
    return tuple(shape[d] for d in back), tuple(stride[d] for d in back)

# %% mirrored
def mirrored(x):
    return x.T.clone()

# %% mirrored
def mirrored(x):
    return x.reshape(x.shape[::-1])

# %% mirrored
def mirrored(x):
    return as_strided(x, shape=x.shape[::-1], stride=x.stride()[::-1])

# %% copies
copies = {
    "x[1]": True, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": False,
    "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": False, "x + 0": True,
}

# %% copies
copies = {
    "x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": False, "x.T": False,
    "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": False, "x + 0": True,
}

# %% copies
copies = {
    "x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": False,
    "x.reshape(6)": False, "x.T.reshape(6)": False, "x.contiguous()": False, "x + 0": True,
}

# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w = w + 1
        kept.append(w)
    return kept

# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w += 1
        kept.append(w.detach())
    return kept

# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        kept.append(w.clone())
        w += 1
    return kept
