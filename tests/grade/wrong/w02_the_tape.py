# %% kept
answers = {
    "a + b": "both inputs", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its result",
    "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "only the shape",
}

# %% kept
answers = {
    "a + b": "nothing", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its input",
    "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "only the shape",
}

# %% kept
answers = {
    "a + b": "nothing", "a * b": "both inputs", "a * 3": "its input", "a.exp()": "its result",
    "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "only the shape",
}

# %% graph
def names_of(node):
    return [node.name()] + [n for edge, _ in node.next_functions if edge is not None for n in names_of(edge)]

# %% graph
def names_of(node):
    names = [node.name()]
    for edge, _ in node.next_functions:
        names += names_of(edge)
    return names

# %% graph
def names_of(node):
    found = [node]
    for each in found:
        for edge, _ in each.next_functions:
            if edge is not None and edge.name() not in [n.name() for n in found]:
                found.append(edge)
    return [each.name() for each in found]

# %% inplace
suspect = "h += 1"


def bake(x):
    h = x * 3
    s = h.sigmoid()
    h = h + 1
    p = s * h
    s *= 0.5
    return p + s

# %% inplace
suspect = "s *= 0.5"


def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    hidden = s.data
    hidden *= 0.5
    return p + s

# %% inplace
suspect = "s *= 0.5"


def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s.detach() * h
    s = s * 0.5
    return p + s

# %% update
def update(w, lr):
    w -= lr * w.grad

# %% update
def update(w, lr):
    with ml.no_grad():
        w += lr * w.grad

# %% update
def update(w, lr):
    with ml.no_grad():
        w -= w.grad
