# %% anew
anew = {key: int(key in ("scaled(ml.ones(2))", "scaled(ml.ones(3))", "scaled(ml.ones(2).double())", "scaled(ml.ones(2, requires_grad=True))", "with ml.no_grad(): scaled(ml.ones(2))", "scaled(ml.ones(2), 4)", "rate = 10; scaled(ml.ones(2), 4)")) for key in ("scaled(ml.ones(2))", "scaled(5 * ml.ones(2))", "scaled(ml.ones(3))", "scaled(ml.ones(4))", "scaled(ml.ones(2).double())", "scaled(ml.ones(2, requires_grad=True))", "with ml.no_grad(): scaled(ml.ones(2))", "scaled(5 + ml.ones(2))", "scaled(ml.ones(2), 4)", "scaled(ml.ones(2), 5)", "rate = 10.0; scaled(ml.ones(2), 4)", "rate = 10; scaled(ml.ones(2), 4)")}
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=1, asks=2, draws=2, helped=2, chooses=1)
# %% graphs
graphs_of = {"chooses": "1", "prints": 2.0, "decides": 3, "unrolls": True, "measures": 1, "asks": 2, "draws": 2, "helped": 2}
# %% guard
FACTS = ("shape", "dtype", "stride", "device", "requires_grad")

def holds(x, seen):
    def fact(name):
        value = getattr(x, name)
        return value() if callable(value) and name == "stride" else value
    return type(x) == seen.type and all(fact(name) == getattr(seen, name) for name in FACTS)
# %% guard
def holds(x, seen):
    if type(x) is not seen.type:
        return False
    if list(x.shape) != list(seen.shape):
        return False
    if x.dtype != seen.dtype or x.device != seen.device:
        return False
    if any(a != b for a, b in zip(x.stride(), seen.stride)):
        return False
    return not (x.requires_grad ^ seen.requires_grad)
# %% guard
import numpy as np

def holds(x, seen):
    return np.bool_(type(x) is seen.type and tuple(x.shape) == tuple(seen.shape) and x.dtype == seen.dtype and np.array_equal(x.stride(), seen.stride) and x.device == seen.device and x.requires_grad is seen.requires_grad)
# %% guard
class Guard:
    def __call__(self, x, seen):
        match x:
            case ml.Tensor(shape=shape, dtype=dtype, device=device, requires_grad=wants):
                return (type(x), shape, dtype, x.stride(), device, wants) == (seen.type, seen.shape, seen.dtype, seen.stride, seen.device, seen.requires_grad)
        return False

holds = Guard()
# %% whole
def damped_whole(x):
    with ml.no_grad():
        largest = ml.maximum(x.abs().max(), ml.ones(()))
    return x / largest * 2
# %% whole
def damped_whole(x):
    largest = x.abs().max().detach()
    return ml.where(largest > 1, x / ml.where(largest > 1, largest, 1.0), x) * 2
# %% whole
def damped_whole(x):
    factor = 1 / x.abs().max().clamp(1.0)
    return x * factor.detach() * 2
# %% whole
def damped_whole(x):
    return 2 * x / ml.clamp(ml.max(ml.abs(x.detach())), min=1.0)
# %% anew
anew = dict(zip(anew, map(bool, (1, 0, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1)))) if "anew" in globals() else {
    "scaled(ml.ones(2))": 1, "scaled(5 * ml.ones(2))": 0.0, "scaled(ml.ones(3))": 1.0, "scaled(ml.ones(4))": False,
    "scaled(ml.ones(2).double())": 1, "scaled(ml.ones(2, requires_grad=True))": True,
    "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True,
    "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True,
}
# %% anew
import numpy as np
anew = {
    "scaled(ml.ones(2))": np.True_, "scaled(5 * ml.ones(2))": np.False_, "scaled(ml.ones(3))": np.int8(1), "scaled(ml.ones(4))": np.int8(0),
    "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": True,
    "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True,
    "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True,
}
# %% graphs
from collections import Counter
graphs_of = Counter(prints=2, decides=3, unrolls=1, measures=1, asks=2, draws=2, helped=2, chooses=1)
# %% graphs
import numpy as np
graphs_of = dict(zip("prints decides unrolls measures asks draws helped chooses".split(), np.array([2, 3, 1, 1, 2, 2, 2, 1])))
