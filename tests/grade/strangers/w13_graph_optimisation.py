# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": "same", "relu(relu(x)) → relu(x)": "same", "x / x → 1": [0.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": "same", "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0], "y = x * 1; y += 1 → y = x; y += 1": [1.0]}
# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": [5.0], "relu(relu(x)) → relu(x)": [-1.0], "x / x → 1": [0.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": "same", "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0], "y = x * 1; y += 1 → y = x; y += 1": [1.0]}
# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": [5.0], "relu(relu(x)) → relu(x)": "same", "x / x → 1": [1.0, 2.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": "same", "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0], "y = x * 1; y += 1 → y = x; y += 1": [1.0]}
# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": [5.0], "relu(relu(x)) → relu(x)": "same", "x / x → 1": [0.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": [3e38], "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0], "y = x * 1; y += 1 → y = x; y += 1": [1.0]}
# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": [5.0], "relu(relu(x)) → relu(x)": "same", "x / x → 1": [0.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": "same", "(a + b) + c → a + (b + c)": [1.0, 2.0, 3.0], "y = x * 1; y += 1 → y = x; y += 1": [1.0]}
# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": [5.0], "relu(relu(x)) → relu(x)": "same", "x / x → 1": [0.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": "same", "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0], "y = x * 1; y += 1 → y = x; y += 1": "same"}
# %% found
found = {"x / 2 → x * 0.5": "same", "x / 3 → x * (1 / 3)": [], "relu(relu(x)) → relu(x)": "same", "x / x → 1": [0.0], "log(exp(x)) → x": [100.0], "x + 0 → x": [-0.0], "x + x → x * 2": "same", "(a + b) + c → a + (b + c)": [1e8, -1e8, 1.0], "y = x * 1; y += 1 → y = x; y += 1": [1.0]}
# %% rewrite
def before(x):
    shifted = (x - x.amax(1, keepdim=True)).exp()
    return shifted / shifted.sum(1, keepdim=True)

def after(x):
    return before(x)
# %% rewrite
def before(x):
    shifted = (x - x.amax(1, keepdim=True)).exp()
    return shifted / shifted.sum(1, keepdim=True)

def after(x):
    return x.softmax(0)
# %% rewrite
def before(x):
    shifted = (x - x.amax(1, keepdim=True)).exp()
    return shifted / shifted.sum(1, keepdim=True)

def after(x):
    return x.log_softmax(1)
# %% rewrite
def before(x):
    return (x - x.amax(1, keepdim=True)).exp()

def after(x):
    return x.softmax(1)
# %% rewrite
def before(x):
    return x.softmax(1)

def after(x):
    return x.softmax(1)
# %% rewrite
def before(x):
    shifted = (x - x.amax(1, keepdim=True)).exp()
    return shifted / shifted.sum(1, keepdim=True)

def after(x):
    return x
# %% rewrite
def before(x):
    shifted = (x - x.amax(1, keepdim=True)).exp()
    return shifted / shifted.sum(1, keepdim=True)

def after(x):
    e = x.exp()
    return e / e.sum(1, keepdim=True)
# %% share
def share(graph):
    return graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    for node in graph.nodes:
        made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(map(repr, node.inputs)), str(node.params), node.grad
        if key in known and node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph):
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(map(repr, made.inputs(node))), str(node.params), node.grad
        if key in known and node.kind == "call" and not lesson.draws(node):
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(map(repr, made.inputs(node))), str(node.params), node.grad
        if key in known and node.kind == "call" and node not in lesson.results(graph):
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, tuple(map(repr, made.inputs(node))), str(node.params)
        if key in known and node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph):
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    last = None
    for node in graph.nodes:
        key = node.op, tuple(map(repr, made.inputs(node))), str(node.params), node.grad
        if last is not None and last[0] == key and node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph):
            made.let(node, last[1])
        else:
            last = key, made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    for node in graph.nodes:
        key = node.op, frozenset(map(repr, made.inputs(node))), str(node.params), node.grad
        if key in known and node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph):
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}
    results = lesson.results(graph)
    for node in graph.nodes:
        if node.kind != "call" or lesson.draws(node) or node in results:
            made.copy(node)
            continue
        key = (node.op.name, tuple(id(i) if not isinstance(i, (int, float)) else (type(i), i) for i in made.inputs(node)), repr(sorted(node.params.items())), node.grad)
        if key in known:
            made.let(node, known[key])
        else:
            known[key] = made.copy(node)
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    seen = []
    for node in graph.nodes:
        plain = node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph)
        inputs = tuple(made.inputs(node)) if node.kind == "call" else None
        twin = next((new for op, ins, params, grad, new in seen if plain and op is node.op and len(ins) == len(inputs) and all(a is b or (a == b and type(a) is type(b)) for a, b in zip(ins, inputs)) and params == node.params and grad == node.grad), None)
        if twin is not None:
            made.let(node, twin)
        else:
            new = made.copy(node)
            if plain:
                seen.append((node.op, inputs, node.params, node.grad, new))
    return made.graph
# %% share
def share(graph):
    made = lesson.Copy(graph)
    known = {}

    def key_of(node):
        return node.op, tuple(made.inputs(node)), tuple(sorted((k, repr(v)) for k, v in node.params.items())), node.grad

    for node in graph.nodes:
        free = node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph)
        if free and key_of(node) in known:
            made.let(node, known[key_of(node)])
        else:
            key = key_of(node) if free else node
            known[key] = made.copy(node)
    return made.graph
