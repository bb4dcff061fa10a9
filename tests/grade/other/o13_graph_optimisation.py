# %% found
found = {
    "x / 2 → x * 0.5": "Same",
    "x / 3 → x * (1 / 3)": tuple(range(100)),
    "relu(relu(x)) → relu(x)": " same ",
    "x / x → 1": 0,
    "log(exp(x)) → x": range(50, 150),
    "x + 0 → x": -0.0,
    "x + x → x * 2": "same",
    "(a + b) + c → a + (b + c)": (10**8, -(10**8), 1),
    "y = x * 1; y += 1 → y = x; y += 1": True,
}

# %% rewrite
def before(x):
    moved = x - x.amax(dim=1, keepdim=True)
    raised = moved.exp()
    return raised / raised.sum(dim=1, keepdim=True)


def after(x):
    return ml.nn.functional.softmax(x, dim=-1)
