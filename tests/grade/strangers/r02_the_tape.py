# %% kept
answers = {"a + b": "Nothing", "a * b": "Both inputs", "a * 3": "The number 3", "a.exp()": "its result ", "a.sin()": "Its input", "a.relu()": "Its result", "a.sum()": "Only the shape"}
# %% kept
answers = dict(zip(["a + b", "a * b", "a * 3", "a.exp()", "a.sin()", "a.relu()", "a.sum()"], ["nothing", "both inputs", "the number 3", "its result", "its input", "its result", "only the shape"]))
# %% kept
answers: dict[str, str] = {"a + b": "nothing", "a * b": "both inputs", "a * 3": "the number 3", "a.exp()": "its result", "a.sin()": "its input", "a.relu()": "its input", "a.sum()": "only the shape"}
answers["a.relu()"] = "its result"
# %% kept
answers = {
    "a + b": "nothing",
    "a * b": "both" " inputs",
    "a * 3": f"the number {3}",
    "a.exp()": "its result",
    "a.sin()": "its input",
    "a.relu()": "its result",
    "a.sum()": "only the shape",
}
# %% graph
def names_of(node):
    names, seen = [], set()

    def visit(n):
        if n is None or n in seen:
            return
        seen.add(n)
        names.append(n.name())
        for nxt, _ in n.next_functions:
            visit(nxt)

    visit(node)
    return names
# %% graph
from collections import deque

def names_of(node):
    queue, found = deque([node]), {node: None}
    while queue:
        for nxt, index in queue.popleft().next_functions:
            if nxt is not None and nxt not in found:
                found[nxt] = None
                queue.append(nxt)
    return [n.name() for n in found]
# %% graph
def names_of(node):
    def walk(n, seen):
        if n and n not in seen:
            seen.append(n)
            for m in n.next_functions:
                walk(m[0], seen)
        return seen

    return list(map(lambda n: n.name(), walk(node, [])))
# %% graph
class Names:
    def __init__(self):
        self.seen = []

    def __call__(self, node):
        self.seen = []
        self.go(node)
        return [n.name() for n in self.seen]

    def go(self, node):
        if all(node is not other for other in self.seen):
            self.seen.append(node)
            [self.go(edge) for edge, _ in node.next_functions if edge is not None]

names_of = Names()
# %% graph
def names_of(node):
    layer, seen = {node}, {node}
    while layer := {edge for n in layer for edge, _ in n.next_functions if edge is not None} - seen:
        seen |= layer
    return (n.name() for n in sorted(seen, key=lambda n: n is not node))
# %% inplace
suspect = "s *= 0.5"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    return (s * h) + s * 0.5
# %% inplace
suspect = "s  *=  0.5"

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    p = s * h
    half = s.clone()
    half.mul_(0.5)
    return p + half
# %% inplace
suspect = 's *= 0.5'

def bake(x: "ml.Tensor") -> "ml.Tensor":
    s = ml.sigmoid(3 * x)
    h = 3 * x + 1
    return s * h + s / 2
# %% inplace
suspect = " s *= 0.5 "

def bake(x):
    h = x * 3
    s = h.sigmoid()
    h += 1
    return s * (h + 0.5)
# %% update
def update(w, lr):
    with ml.no_grad():
        w[:] = w - lr * w.grad
# %% update
@ml.no_grad()
def update(w, lr):
    w -= lr * w.grad
# %% update
def update(w, lr):
    with ml.no_grad():
        w.add_(w.grad, alpha=-lr)
    return w
# %% update
def update(w, lr):
    with ml.inference_mode() if False else ml.no_grad():
        w.sub_(lr * w.grad.detach())
# %% update
def update(w, lr):
    was = ml.is_grad_enabled()
    ml.set_grad_enabled(False)
    try:
        w -= w.grad * lr
    finally:
        ml.set_grad_enabled(was)
# %% update
def update(w, lr):
    with ml.no_grad():
        w -= lr * w.grad
    w.grad = None
# %% update
def update(w, lr):
    with ml.no_grad():
        w -= lr * w.grad
        w.grad.zero_()
