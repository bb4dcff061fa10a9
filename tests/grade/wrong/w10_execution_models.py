# %% times
times = {
    "eager": {"runs": 4, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"},
    "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "script": {"runs": 0, "prints": 3, "shows": "a number"},
}

# %% times
times = {
    "eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"},
    "trace": {"runs": 1, "prints": 1, "shows": "a name"}, "script": {"runs": 0, "prints": 3, "shows": "a number"},
}

# %% times
times = {
    "eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"},
    "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "script": {"runs": 1, "prints": 3, "shows": "a number"},
}

# %% mended
def mended(x):
    return ml.where(x > 0, x * 2, x * 3)

# %% mended
def mended(x):
    return ml.where(x.sum() > 0, x * 3, x * 2)

# %% mended
def mended(x):
    return x * (2 if x.sum().item() > 0 else 3)

# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return {"x": x, "steps": steps}

# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().max() > limit:
        x = x / 2
        steps += 1
    return x, steps

# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x /= 2
        steps += 1
    return x, steps

# %% evaluate
def evaluate(graph, args):
    values, given = {}, iter(args)
    for node in graph.nodes:
        if node.kind == "placeholder":
            values[node] = next(given)
        elif node.kind == "get_attr":
            values[node] = node.payload
        elif node.kind == "call":
            out = values[node] = node.op(*[values[i] if isinstance(i, lesson.Node) else i for i in node.inputs])
    return out

# %% evaluate
def evaluate(graph, args):
    values, given = {}, iter(args)
    for node in graph.nodes:
        if node.kind == "placeholder":
            values[node] = next(given)
        elif node.kind == "call":
            inputs = [values[i] if isinstance(i, lesson.Node) else i for i in node.inputs]
            values[node] = node.op(*inputs, **node.params)
    return values[graph.nodes[-1].inputs[0]]

# %% evaluate
def evaluate(graph, args):
    values, given = {}, iter(args)
    for node in graph.nodes:
        if node.kind == "placeholder":
            values[node] = next(given)
        elif node.kind == "get_attr":
            values[node] = node.payload
        elif node.kind == "call":
            inputs = [values[i] if isinstance(i, lesson.Node) else i for i in node.inputs]
            out = values[node] = node.op(*inputs, **node.params)
    return out

# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        return self.known[id(a)][1]

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        inputs = tuple(self.node_of(a) for a in args)
        self.remember(out, self.graph.call(op, inputs, params, lesson.facts_of(out)))
        return out

# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        if not isinstance(a, ml.Tensor):
            return a
        if id(a) not in self.known:
            return self.graph.get_attr(a, lesson.facts_of(a))
        return self.known[id(a)][1]

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        inputs = tuple(self.node_of(a) for a in args)
        self.remember(out, self.graph.call(op, inputs, params, lesson.facts_of(out)))
        return out

# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        if not isinstance(a, ml.Tensor):
            return a
        if id(a) not in self.known:
            self.remember(a, self.graph.get_attr(a, lesson.facts_of(a)))
        return self.known[id(a)][1]

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        inputs = tuple(self.node_of(a) for a in args)
        self.remember(out, self.graph.call(op, inputs, {}, lesson.facts_of(out)))
        return out
