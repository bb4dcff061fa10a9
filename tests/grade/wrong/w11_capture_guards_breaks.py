# %% anew
anew = {
    "scaled(ml.ones(2))": True,
    "scaled(5 * ml.ones(2))": True,
    "scaled(ml.ones(3))": True,
    "scaled(ml.ones(2).double())": True,
    "scaled(ml.ones(2, requires_grad=True))": True,
    "with ml.no_grad(): scaled(ml.ones(2))": True,
    "scaled(5 + ml.ones(2))": False,
    "scaled(ml.ones(2), 4)": True,
    "scaled(ml.ones(2), 5)": False,
    "rate = 10.0; scaled(ml.ones(2), 4)": False,
    "rate = 10; scaled(ml.ones(2), 4)": True,
}

# %% anew
anew = {
    "scaled(ml.ones(2))": True,
    "scaled(5 * ml.ones(2))": False,
    "scaled(ml.ones(3))": True,
    "scaled(ml.ones(2).double())": True,
    "scaled(ml.ones(2, requires_grad=True))": True,
    "with ml.no_grad(): scaled(ml.ones(2))": True,
    "scaled(5 + ml.ones(2))": False,
    "scaled(ml.ones(2), 4)": True,
    "scaled(ml.ones(2), 5)": True,
    "rate = 10.0; scaled(ml.ones(2), 4)": False,
    "rate = 10; scaled(ml.ones(2), 4)": True,
}

# %% anew
anew = {
    "scaled(ml.ones(2))": True,
    "scaled(5 * ml.ones(2))": False,
    "scaled(ml.ones(3))": False,
    "scaled(ml.ones(2).double())": True,
    "scaled(ml.ones(2, requires_grad=True))": True,
    "with ml.no_grad(): scaled(ml.ones(2))": True,
    "scaled(5 + ml.ones(2))": False,
    "scaled(ml.ones(2), 4)": True,
    "scaled(ml.ones(2), 5)": False,
    "rate = 10.0; scaled(ml.ones(2), 4)": False,
    "rate = 10; scaled(ml.ones(2), 4)": True,
}

# %% guard
def holds(x, seen):
    return x.shape == seen.shape

# %% guard
def holds(x, seen):
    return x.numel() == ml.zeros(*seen.shape).numel() and x.dtype == seen.dtype

# %% guard
def holds(x, seen):
    return x.shape == seen.shape and x.dtype == seen.dtype and x.requires_grad == seen.requires_grad

# %% guard
def holds(x, seen):
    same = x.shape == seen.shape and x.dtype == seen.dtype and x.requires_grad == seen.requires_grad
    return same and type(x) is seen.type and x.device == seen.device

# %% graphs
graphs_of = {
    "prints": 1, "decides": 3, "unrolls": 1, "measures": 1, "asks": 2, "draws": 2, "helped": 2, "chooses": 1,
}

# %% graphs
graphs_of = {
    "prints": 2, "decides": 3, "unrolls": 3, "measures": 1, "asks": 2, "draws": 2, "helped": 2, "chooses": 1,
}

# %% graphs
graphs_of = {
    "prints": 2, "decides": 2, "unrolls": 1, "measures": 1, "asks": 2, "draws": 2, "helped": 2, "chooses": 1,
}

# %% whole
def damped_whole(x):
    return x / x.detach().abs().max() * 2

# %% whole
def damped_whole(x):
    return x.clamp(min=-1, max=1) * 2

# %% whole
def damped_whole(x):
    return x / x.abs().max().clamp(min=1) * 2
