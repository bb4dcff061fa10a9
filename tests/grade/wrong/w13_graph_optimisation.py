# %% found
found = {
    "x / 2 → x * 0.5": [5.0],
    "x / 3 → x * (1 / 3)": [5.0],
    "relu(relu(x)) → relu(x)": "same",
    "x / x → 1": [0.0],
    "log(exp(x)) → x": [100.0],
    "x + 0 → x": [-0.0],
    "x + x → x * 2": "same",
    "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0],
    "y = x * 1; y += 1 → y = x; y += 1": [1.0],
}

# %% found
found = {
    "x / 2 → x * 0.5": "same",
    "x / 3 → x * (1 / 3)": [5.0],
    "relu(relu(x)) → relu(x)": "same",
    "x / x → 1": "same",
    "log(exp(x)) → x": [100.0],
    "x + 0 → x": [-0.0],
    "x + x → x * 2": "same",
    "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0],
    "y = x * 1; y += 1 → y = x; y += 1": [1.0],
}

# %% found
found = {
    "x / 2 → x * 0.5": "same",
    "x / 3 → x * (1 / 3)": [5.0],
    "relu(relu(x)) → relu(x)": "same",
    "x / x → 1": [0.0],
    "log(exp(x)) → x": [100.0],
    "x + 0 → x": "same",
    "x + x → x * 2": "same",
    "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0],
    "y = x * 1; y += 1 → y = x; y += 1": [1.0],
}

# %% rewrite
def before(x):
    e = (x - x.amax(0, keepdim=True)).exp()
    return e / e.sum(0, keepdim=True)


def after(x):
    return x.softmax(0)

# %% rewrite
def before(x):
    return x.softmax(1)


def after(x):
    return x.log_softmax(1)

# %% rewrite
def before(x):
    e = x.exp()
    return e / e.sum(1, keepdim=True)


def after(x):
    return x.softmax(1)

# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op
        if key in known and node.kind == "call":
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph

# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(sorted(map(repr, made.inputs(node)))), str(node.params)
        if key in known and node.kind == "call":
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph

# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(map(repr, made.inputs(node)))
        if key in known and node.kind == "call":
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
