# %% graph
def names_of(node):
    seen, waiting = set(), {node}
    while waiting:
        each = waiting.pop()
        seen.add(each)
        waiting |= {edge for edge, _ in each.next_functions if edge is not None} - seen
    return [node.name(), *(each.name() for each in seen - {node})]

# %% graph
def names_of(node, seen=None):
    seen = {} if seen is None else seen
    if node is not None and id(node) not in seen:
        seen[id(node)] = node.name()
        for edge, _ in node.next_functions:
            names_of(edge, seen)
    return tuple(seen.values())

# %% inplace
suspect = "s*=0.5"


def bake(x):
    h = x * 3
    s = h.sigmoid()
    return s * (h + 1) + s / 2

# %% inplace
suspect = "s *= .5"


def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    t = s.clone()
    t *= 0.5
    return p + t

# %% update
def update(w, lr):
    with ml.no_grad():
        w.copy_(w - lr * w.grad)

# %% update
def update(w, lr):
    with ml.no_grad():
        w.sub_(w.grad * lr)
