# %% address
def address(index, stride, offset):
    return offset + sum(index) * sum(stride)
# %% address
def address(index, stride, offset):
    return offset + sum(i + s for i, s in zip(index, stride))
# %% address
def address(index, stride, offset):
    return offset + index[0] * stride[0] + index[-1] * stride[-1]
# %% address
def address(index, stride, offset):
    out = offset
    for i, s in zip(index, stride):
        out = out * s + i
    return out
# %% address
def address(index, stride, offset):
    return offset + sum(i * s for i, s in zip(index, stride) if s > 0) + (0 if all(stride) else 1)
# %% address
def address(index, stride, offset):
    return str(offset + sum(i * s for i, s in zip(index, stride)))
# %% permuted
def permuted(shape, stride, dims):
    new = tuple(shape[d] for d in dims)
    strides, n = [], 1
    for length in reversed(new):
        strides.insert(0, n)
        n *= length
    return new, tuple(strides)
# %% permuted
def permuted(shape, stride, dims):
    return tuple(stride[d] for d in dims), tuple(shape[d] for d in dims)
# %% permuted
def permuted(shape, stride, dims):
    return tuple(sorted(shape)), tuple(sorted(stride))
# %% permuted
def permuted(shape, stride, dims):
    return [(shape[d], stride[d]) for d in dims]
# %% permuted
def permuted(shape, stride, dims):
    return tuple(shape[d] for d in dims)
# %% permuted
def permuted(shape, stride, dims):
    return shape[::-1], stride[::-1]
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=x.shape[::-1], stride=x.stride(), offset=x.storage_offset())
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=x.shape, stride=x.stride()[::-1], offset=x.storage_offset())
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=x.shape[::-1], stride=(1, x.shape[1]), offset=x.storage_offset())
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=x.shape[::-1], stride=x.stride()[::-1], offset=0)
# %% mirrored
def mirrored(x):
    return as_strided(x.clone(), shape=x.shape[::-1], stride=x.stride()[::-1], offset=0)
# %% mirrored
def mirrored(x):
    return x
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=x.shape[::-1], stride=x.stride()[::-1], offset=x.storage_offset()).contiguous()
# %% copies
copies = {"x[1]": False, "x[:, ::2]": True, "x[[1, 0]]": True, "x.T": False, "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": False, "x + 0": True}
# %% copies
copies = {"x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": True, "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": False, "x + 0": True}
# %% copies
copies = {"x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": False, "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": True, "x + 0": True}
# %% copies
copies = {"x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": False, "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": False, "x + 0": False}
# %% copies
copies = {"x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": False, "x.reshape(6)": True, "x.T.reshape(6)": True, "x.contiguous()": False, "x + 0": True}
# %% copies
copies = {"x[[1, 0]]": True, "x.T.reshape(6)": True, "x + 0": True}
# %% copies
copies = {"x[1]": False, "x[:, ::2]": False, "x[[1, 0]]": True, "x.T": False, "x.reshape(6)": False, "x.T.reshape(6)": True, "x.contiguous()": None, "x + 0": True}
# %% snapshots
def snapshots(w, steps):
    return [w + k for k in range(1, steps + 1)]
# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w += 1
        kept.append(w[:])
    return kept
# %% snapshots
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w += 1
        kept.append(w.reshape(w.shape))
    return kept
# %% snapshots
def snapshots(w, steps):
    w = w.clone()
    kept = []
    for _ in range(steps):
        w += 1
        kept.append(w.clone())
    return kept
# %% snapshots
def snapshots(w, steps):
    kept = []
    for k in range(steps):
        w += k
        kept.append(w.clone())
    return kept
# %% snapshots
def snapshots(w, steps):
    kept = [w.clone()]
    for _ in range(steps):
        w += 1
        kept.append(w.clone())
    return kept
