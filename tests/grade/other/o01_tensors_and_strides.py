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
    (rows, columns), (down, across) = x.shape, x.stride()
    return x.as_strided((columns, rows), (across, down), x.storage_offset())

# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w.add_(1)
        kept.append(w + 0)
    return kept

# %% copies
copies = {
    "mine": True, "x[1]": 0, "x[:, ::2]": 0, "x[[1, 0]]": 1, "x.T": 0, "x.reshape(6)": 0, "x.T.reshape(6)": 1,
    "x.contiguous()": 0, "x + 0": 1,
}
