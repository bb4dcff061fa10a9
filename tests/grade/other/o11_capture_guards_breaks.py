# %% guard
def holds(x, seen):
    mine = (type(x), tuple(x.shape), x.dtype, tuple(x.stride()), x.device, x.requires_grad)
    return mine == (seen.type, tuple(seen.shape), seen.dtype, tuple(seen.stride), seen.device, seen.requires_grad)

# %% guard
def holds(x, seen):
    for name in ("shape", "dtype", "device", "requires_grad"):
        if getattr(x, name) != getattr(seen, name):
            return 0
    return int(x.__class__ is seen.type and x.stride() == seen.stride)

# %% whole
def damped_whole(x):
    largest = ml.where(x.abs().max() > 1, x.abs().max(), ml.ones(())).detach()
    return x / largest * 2

# %% whole
def damped_whole(x):
    with ml.no_grad():
        by = x.abs().amax().clamp(min=1)
    return 2 * x / by
