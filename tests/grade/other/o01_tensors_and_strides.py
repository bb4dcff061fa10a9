# %% address
def address(index, stride, offset):
    for i, s in zip(index, stride):
        offset += i * s
    return offset

# %% permuted
def permuted(shape, stride, dims):
    return [shape[d] for d in dims], [stride[d] for d in dims]

# %% mirrored
def mirrored(x):
    return x.transpose(0, 1)

# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w.add_(1)
        kept.append(w + 0)
    return kept
