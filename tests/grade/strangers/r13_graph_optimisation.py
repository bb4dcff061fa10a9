# %% found
import numpy as np
found = {
    "x / 2 → x * 0.5": "SAME",
    "x / 3 → x * (1 / 3)": np.arange(1, 50, dtype=float),
    "relu(relu(x)) → relu(x)": "same",
    "x / x → 1": [float("inf"), float("nan")],
    "log(exp(x)) → x": [-200.0],
    "x + 0 → x": np.array([-0.0]),
    "x + x → x * 2": "same",
    "(a + b) + c → a + (b + c)": np.array([1e20, -1e20, 1.0]),
    "y = x * 1; y += 1 → y = x; y += 1": ml.tensor([1.0]),
}
# %% found
found = dict.fromkeys(["x / 2 → x * 0.5", "relu(relu(x)) → relu(x)", "x + x → x * 2"], "same")
found["x / 3 → x * (1 / 3)"] = [float(k) for k in range(1, 100)]
found["x / x → 1"] = [math.inf] if "math" in globals() else [float("inf")]
found["log(exp(x)) → x"] = [float("-inf"), 89.0]
found["x + 0 → x"] = [-0.0, 1.0]
found["(a + b) + c → a + (b + c)"] = [1.0, 1e8, -1e8]
found["y = x * 1; y += 1 → y = x; y += 1"] = [0]
# %% found
claims = ("x / 2 → x * 0.5", "x / 3 → x * (1 / 3)", "relu(relu(x)) → relu(x)", "x / x → 1", "log(exp(x)) → x", "x + 0 → x", "x + x → x * 2", "(a + b) + c → a + (b + c)", "y = x * 1; y += 1 → y = x; y += 1")
numbers = [[0.0], [-0.0], [5.0], [100.0], [1e8, -1e8, 1.0], [1.0, 2.0, 3.0]]

def differ(name):
    for some in numbers:
        if "(a" in name and len(some) < 3:
            continue
        one, other = lesson.tried(name, some)
        if repr(one) != repr(other):
            return some
    return "same"

found = {name: differ(name) for name in claims}
# %% rewrite
def before(x):
    top = x.amax(1, keepdim=True)
    e = (x - top).exp()
    total = e.sum(1, keepdim=True)
    return e / total

def after(x):
    return x.softmax(dim=1)
# %% rewrite
def before(scores):
    e = ml.exp(scores - ml.amax(scores, 1, keepdim=True))
    return e / ml.sum(e, 1, keepdim=True)

def after(scores):
    return ml.softmax(scores, 1)
# %% rewrite
before = lambda x: (lambda e: e / e.sum(dim=1, keepdim=True))(ml.exp(x - x.amax(dim=1, keepdim=True)))
after = lambda x: x.softmax(1)
# %% rewrite
def before(x):
    return (e := (x - x.amax(1, keepdim=True)).exp()) / e.sum(1, keepdim=True)

def after(x):
    return ml.nn.functional.softmax(x, 1)
# %% share
def share(graph):
    made, known = lesson.Copy(graph), {}
    fixed = set(lesson.results(graph))
    for node in graph.nodes:
        match node.kind:
            case "call" if node not in fixed and not lesson.draws(node):
                key = f"{node.op.name}|{[str(i) + str(id(i)) if hasattr(i, 'kind') else repr(i) for i in made.inputs(node)]}|{node.params}|{node.grad}"
                if (other := known.get(key)) is None:
                    known[key] = made.copy(node)
                else:
                    made.let(node, other)
            case _:
                made.copy(node)
    return made.graph
# %% found
found = {"x / 2 → x * 0.5": "same", "relu(relu(x)) → relu(x)": "same", "x + x → x * 2": "same"} | {
    "x / 3 → x * (1 / 3)": [k / 7 for k in range(30)],
    "x / x → 1": (0,),
    "log(exp(x)) → x": [1e3, -1e3],
    "x + 0 → x": [float("-0")],
    "(a + b) + c → a + (b + c)": [2.0**30, -(2.0**30), 2.0**-30],
    "y = x * 1; y += 1 → y = x; y += 1": [3],
}
# %% share
def share(graph):
    made = lesson.Copy(graph)
    seen, kept = {}, lesson.results(graph)
    for node in graph.nodes:
        if node.kind != "call" or node in kept or lesson.draws(node):
            made.copy(node)
            continue
        inputs = tuple((type(i), repr(i), id(i) if hasattr(i, "kind") else 0) for i in made.inputs(node))
        key = (node.op, inputs, tuple((k, repr(node.params[k])) for k in sorted(node.params)), node.grad)
        twin = seen.setdefault(key, None)
        if twin is None:
            seen[key] = made.copy(node)
        else:
            made.let(node, twin)
    return made.graph
# %% share
from collections import defaultdict

def share(graph):
    made = lesson.Copy(graph)
    bins = defaultdict(list)
    for node in graph.nodes:
        if node.kind == "call" and not lesson.draws(node) and node not in lesson.results(graph):
            mine = [repr(i) for i in made.inputs(node)]
            for inputs, params, grad, new in bins[node.op.name]:
                if inputs == mine and params == repr(node.params) and grad is node.grad:
                    made.let(node, new)
                    break
            else:
                bins[node.op.name].append((mine, repr(node.params), node.grad, made.copy(node)))
        else:
            made.copy(node)
    return made.graph
