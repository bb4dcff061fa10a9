"""Solutions to the exercises of 01_tensors_and_strides: what stands after `# %% id` goes into the cell with that id."""

from minitorch_lab.lessons.lesson_01_strides.layout import as_strided


# %% address-exercise
def address(index, stride, offset):
    return offset + sum(i * s for i, s in zip(index, stride, strict=True))


# %% permuted-exercise
def permuted(shape, stride, dims):
    return tuple(shape[d] for d in dims), tuple(stride[d] for d in dims)


# %% mirrored-exercise
def mirrored(x):
    return as_strided(x, shape=x.shape[::-1], stride=x.stride()[::-1], offset=x.storage_offset())


# %% copies-exercise
copies = {
    "x[1]": False,
    "x[:, ::2]": False,
    "x[[1, 0]]": True,
    "x.T": False,
    "x.reshape(6)": False,
    "x.T.reshape(6)": True,
    "x.contiguous()": False,
    "x + 0": True,
}


# %% snapshots-exercise
def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w += 1
        kept.append(w.clone())
    return kept
