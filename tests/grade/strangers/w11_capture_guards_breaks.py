# %% guard
def holds(x, seen):
    return isinstance(x, seen.type) and x.shape == seen.shape and x.dtype == seen.dtype and x.stride() == seen.stride and x.device == seen.device and x.requires_grad == seen.requires_grad
# %% guard
def holds(x, seen):
    return type(x) is seen.type and x.shape == seen.shape and x.stride() == seen.stride and x.device == seen.device and x.requires_grad == seen.requires_grad
# %% guard
def holds(x, seen):
    return type(x) is seen.type and x.ndim == len(seen.shape) and x.dtype == seen.dtype and x.stride() == seen.stride and x.device == seen.device and x.requires_grad == seen.requires_grad
# %% guard
def holds(x, seen):
    return type(x) is seen.type and x.shape == seen.shape and x.dtype == seen.dtype and x.stride() == seen.stride and x.requires_grad == seen.requires_grad
# %% guard
def holds(x, seen):
    return False
# %% guard
def holds(x, seen):
    return type(x) is seen.type and x.shape == seen.shape and x.dtype == seen.dtype and sorted(x.stride()) == sorted(seen.stride) and x.device == seen.device and x.requires_grad == seen.requires_grad and x.stride()[0] >= seen.stride[0]
# %% guard
def holds(x, seen):
    return type(x) is seen.type and x.numel() == ml.zeros(*seen.shape).numel() and x.dtype == seen.dtype and x.stride() == seen.stride and x.device == seen.device and x.requires_grad == seen.requires_grad
# %% anew
anew = {"scaled(ml.ones(2))": True, "scaled(5 * ml.ones(2))": False, "scaled(ml.ones(3))": True, "scaled(ml.ones(4))": True, "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": True, "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True, "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True}
# %% anew
anew = {"scaled(ml.ones(2))": False, "scaled(5 * ml.ones(2))": False, "scaled(ml.ones(3))": True, "scaled(ml.ones(4))": False, "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": True, "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True, "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True}
# %% anew
anew = {"scaled(ml.ones(2))": True, "scaled(5 * ml.ones(2))": False, "scaled(ml.ones(3))": True, "scaled(ml.ones(4))": False, "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": True, "with ml.no_grad(): scaled(ml.ones(2))": False, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True, "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True}
# %% anew
anew = {"scaled(ml.ones(2))": True, "scaled(5 * ml.ones(2))": False, "scaled(ml.ones(3))": True, "scaled(ml.ones(4))": False, "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": True, "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True, "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": True, "rate = 10; scaled(ml.ones(2), 4)": True}
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=2, asks=2, draws=2, helped=2, chooses=1)
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=1, asks=1, draws=2, helped=2, chooses=1)
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=1, asks=2, draws=1, helped=2, chooses=1)
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=1, asks=2, draws=2, helped=3, chooses=1)
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=1, asks=2, draws=2, helped=2, chooses=3)
# %% graphs
graphs_of = dict(prints=2, decides=3, unrolls=1, measures=1, asks=2, draws=2, helped=2)
# %% whole
def damped_whole(x):
    largest = x.detach().max()
    return x / largest.clamp(min=1) * 2
# %% whole
def damped_whole(x):
    largest = x.abs().max().detach()
    return ml.where(largest > 1, x / largest, x) 
# %% whole
def damped_whole(x):
    largest = x.detach().abs().max()
    return ml.where(largest > 2, x / largest, x) * 2
# %% whole
def damped_whole(x):
    largest = x.detach().norm()
    return x / largest.clamp(min=1) * 2
# %% whole
def damped_whole(x):
    return x / x.detach().abs().clamp(min=1) * 2
# %% whole
def damped_whole(x):
    largest = x.abs().max().item()
    if largest > 1:
        x = x / largest
    return x * 2
# %% whole
def damped_whole(x):
    return (x / x.detach().abs().max().clamp(min=1) * 2).detach()
# %% anew
anew = {"scaled(ml.ones(2))": True, "scaled(5 * ml.ones(2))": False, "scaled(ml.ones(3))": True, "scaled(ml.ones(4))": False, "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": False, "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": False, "scaled(ml.ones(2), 4)": True, "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True}
# %% anew
anew = {"scaled(ml.ones(2))": True, "scaled(5 * ml.ones(2))": False, "scaled(ml.ones(3))": True, "scaled(ml.ones(4))": False, "scaled(ml.ones(2).double())": True, "scaled(ml.ones(2, requires_grad=True))": True, "with ml.no_grad(): scaled(ml.ones(2))": True, "scaled(5 + ml.ones(2))": True, "scaled(ml.ones(2), 4)": True, "scaled(ml.ones(2), 5)": False, "rate = 10.0; scaled(ml.ones(2), 4)": False, "rate = 10; scaled(ml.ones(2), 4)": True}
