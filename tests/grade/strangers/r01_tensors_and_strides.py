# %% address
import numpy as np

def address(index, stride, offset):
    return offset + np.dot(index, stride)
# %% address
from functools import reduce

def address(index, stride, offset):
    return reduce(lambda total, pair: total + pair[0] * pair[1], zip(index, stride), offset)
# %% address
def address(index: tuple[int, ...], stride: tuple[int, ...], offset: int) -> int:
    if not index:
        return offset
    return address(index[1:], stride[1:], offset + index[0] * stride[0])
# %% address
def address(index, stride, offset):
    match index:
        case ():
            return offset
        case (first, *rest):
            return first * stride[0] + address(tuple(rest), stride[1:], offset)
# %% address
def address(i, st, off=0):
    return ml.tensor([a * b for a, b in zip(i, st)]).sum() + off
# %% permuted
from operator import itemgetter

def permuted(shape, stride, dims):
    pairs = list(zip(shape, stride))
    pairs = [pairs[d] for d in dims]
    return list(zip(*pairs))
# %% permuted
import numpy as np

def permuted(shape, stride, dims):
    order = list(dims)
    return np.array(shape)[order], np.array(stride)[order]
# %% permuted
def permuted(shape, stride, dims):
    new_shape = [0] * len(dims)
    new_stride = [0] * len(dims)
    for k, old in enumerate(dims):
        new_shape[k] = shape[old]
        new_stride[k] = stride[old]
    return tuple(new_shape), tuple(new_stride)
# %% permuted
def permuted(shape, stride, dims):
    return tuple(map(shape.__getitem__, dims)), tuple(map(stride.__getitem__, dims))
# %% permuted
class _Permute:
    def __call__(self, shape, stride, dims):
        def pick(values):
            for d in dims:
                yield values[d]
        return tuple(pick(shape)), tuple(pick(stride))

permuted = _Permute()
# %% mirrored
def mirrored(x):
    rows, columns = x.shape
    down, across = x.stride()
    return as_strided(x, (columns, rows), (across, down), x.storage_offset())
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=list(reversed(x.shape)), stride=list(reversed(x.stride())), offset=x.storage_offset())
# %% mirrored
def mirrored(x):
    (h, w), (sh, sw) = x.shape, x.stride()
    view = as_strided(x, shape=(w, h), stride=(sw, sh), offset=x.storage_offset())
    assert view.shape == (w, h)
    return view
# %% mirrored
import numpy as np

def mirrored(x):
    shape, stride = (tuple(int(v) for v in np.array(a)[::-1]) for a in (x.shape, x.stride()))
    return as_strided(x, shape=shape, stride=stride, offset=x.storage_offset())
# %% mirrored
def mirrored(x):
    return as_strided(x, shape=(x.size(1), x.size(0)), stride=(x.stride(1), x.stride(0)), offset=x.storage_offset())
# %% copies
copies = dict.fromkeys(copies, False) | {"x[[1, 0]]": True, "x.T.reshape(6)": True, "x + 0": True} if "copies" in globals() else {
    name: name in ("x[[1, 0]]", "x.T.reshape(6)", "x + 0")
    for name in ("x[1]", "x[:, ::2]", "x[[1, 0]]", "x.T", "x.reshape(6)", "x.T.reshape(6)", "x.contiguous()", "x + 0")
}
# %% copies
x = ml.arange(6).reshape(2, 3)
copies = {
    name: eval(name).data_ptr() not in range(x.data_ptr(), x.data_ptr() + 48) if hasattr(x, "data_ptr") else None
    for name in ("x[1]", "x[:, ::2]", "x[[1, 0]]", "x.T", "x.reshape(6)", "x.T.reshape(6)", "x.contiguous()", "x + 0")
}
# %% copies
copies = {"x[1]": 0, "x[:, ::2]": 0, "x[[1, 0]]": 1, "x.T": 0, "x.reshape(6)": 0, "x.T.reshape(6)": 1, "x.contiguous()": 0, "x + 0": 1}
# %% copies
from collections import OrderedDict
copies = OrderedDict([("x + 0", True), ("x[1]", False), ("x[:, ::2]", False), ("x[[1, 0]]", True), ("x.T", False), ("x.reshape(6)", False), ("x.T.reshape(6)", True), ("x.contiguous()", False)])
# %% snapshots
def snapshots(w, steps):
    return [w.add_(1).clone() for _ in range(steps)]
# %% snapshots
import copy

def snapshots(w, steps):
    kept = []
    for _ in range(steps):
        w += 1
        kept.append(copy.deepcopy(w))
    return kept
# %% snapshots
def snapshots(w, steps):
    kept = ()
    while len(kept) < steps:
        w[:] = w + 1
        kept = (*kept, ml.tensor(w.tolist()))
    return kept
# %% snapshots
def snapshots(w, steps):
    def each():
        for _ in range(steps):
            w.copy_(w + 1)
            yield w.detach().clone()
    return list(each())
# %% snapshots
def snapshots(w, steps):
    if steps == 0:
        return []
    w += 1
    return [w * 1] + snapshots(w, steps - 1)
