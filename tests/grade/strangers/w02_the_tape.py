# %% kept
answers = {"a + b": "nothing", "a * b": "its input", "a * 3": "the number 3", "a.exp()": "its result", "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "only the shape"}
# %% kept
answers = {"a + b": "nothing", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its result", "a.sin()": "its result", "a.relu()": "its result", "a.sum()": "only the shape"}
# %% kept
answers = {"a + b": "nothing", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its result", "a.sin()": "its input", "a.relu()": "its input", "a.sum()": "only the shape"}
# %% kept
answers = {"a + b": "nothing", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its result", "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "nothing"}
# %% kept
answers = {"a + b": "nothing", "a * b": "both inputs", "a * 3": "nothing", "a.exp()": "its result", "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "only the shape"}
# %% kept
answers = {"a + b": "only the shape", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its result", "a.sin()": "its input", "a.relu()": "its result", "a.sum()": "only the shape"}
# %% graph
def names_of(node):
    return [node.name()] + [e.name() for e, _ in node.next_functions if e is not None]
# %% graph
def names_of(node):
    found = [node]
    for each in found:
        for edge, _ in each.next_functions:
            if edge is not None and edge not in found:
                found.append(edge)
    return sorted({n.name() for n in found})
# %% graph
def names_of(node):
    found = []
    def visit(n):
        if n is None: return
        if n.name() == "AccumulateGrad": return
        if n not in found:
            found.append(n)
            for e, _ in n.next_functions: visit(e)
    visit(node)
    return [n.name() for n in found]
# %% graph
def names_of(node):
    found = [node]
    while node.next_functions and node.next_functions[0][0] is not None:
        node = node.next_functions[0][0]
        found.append(node)
    return [n.name() for n in found]
# %% graph
def names_of(node):
    found = [node]
    for each in found:
        for edge in {e for e, _ in each.next_functions if e is not None}:
            found.append(edge)
    return [n.name() for n in found]
# %% graph
def names_of(node):
    found = [node]
    for each in found:
        for edge, _ in each.next_functions:
            if edge is not None and edge not in found:
                found.append(edge)
    return [n for n in found]
# %% inplace
suspect = "h += 1"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    s = s * 0.5
    return p + s
# %% inplace
suspect = "s *= 0.5"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    s = s * 0.5
    p = s * h
    return p + s
# %% inplace
suspect = "s *= 0.5"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    return p + s
# %% inplace
suspect = "s *= 0.5"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    p = s * h
    s = s * 0.5
    return p + s
# %% inplace
suspect = "s *= 0.5"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h = (h + 1).detach()
    p = s * h
    return p + s * 0.5
# %% inplace
suspect = "s *= 0.5"

def bake(x):
    h = x.detach() * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    s *= 0.5
    return (p + s).requires_grad_()
# %% update
def update(w, lr):
    with ml.no_grad():
        w = w - lr * w.grad
    return w
# %% update
def update(w, lr):
    with ml.no_grad():
        w -= lr * w
# %% update
def update(w, lr):
    with ml.no_grad():
        w -= lr * w.grad.abs()
# %% update
def update(w, lr):
    with ml.no_grad():
        w -= lr * w.grad / len(w)
# %% update
def update(w, lr):
    with ml.no_grad():
        w -= w.grad * lr * lr
# %% update
def update(w, lr):
    w.requires_grad_(False)
    w -= lr * w.grad
# %% update
def update(w, lr):
    with ml.no_grad():
        w.copy_(-lr * w.grad)
# %% update
def update(w, lr):
    optimizer = ml.optim.SGD([w], lr=lr)
    optimizer.step()
# %% graph
def names_of(node, seen=[]):
    if node is None or node in seen:
        return []
    seen.append(node)
    return [node.name()] + [name for edge, _ in node.next_functions for name in names_of(edge)]
