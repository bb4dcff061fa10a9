# %% times
times = {"eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 3, "shows": "a name"}, "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "script": {"runs": 0, "prints": 3, "shows": "a number"}}
# %% times
times = {"eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a number"}, "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "script": {"runs": 0, "prints": 3, "shows": "a number"}}
# %% times
times = {"eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"}, "trace": {"runs": 4, "prints": 1, "shows": "a number"}, "script": {"runs": 0, "prints": 3, "shows": "a number"}}
# %% times
times = {"eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"}, "trace": {"runs": 1, "prints": 4, "shows": "a number"}, "script": {"runs": 0, "prints": 3, "shows": "a number"}}
# %% times
times = {"eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"}, "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "script": {"runs": 0, "prints": 0, "shows": "a number"}}
# %% times
times = {"eager": {"runs": 3, "prints": 3, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"}, "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "script": {"runs": 0, "prints": 3}}
# %% mended
def mended(x):
    if x.sum() > 0:
        return x * 2
    return x * 3
# %% mended
def mended(x):
    return ml.where(x.sum() >= 0.1, x * 2, x * 3)
# %% mended
def mended(x):
    return ml.where(x.sum() > 0, x * 2, x)
# %% mended
def mended(x):
    return ml.where(x.max() > 0, x * 2, x * 3)
# %% mended
def mended(x):
    return ml.where(x.mean().abs() > 0, x * 2, x * 3)
# %% mended
def mended(x):
    return ml.where(x[0] > 0, x * 2, x * 3)
# %% mended
def mended(x):
    return ml.where(x.sum() > 0, x * 2, x * 3).sum()
# %% tame
def tame(x, limit: float):
    steps = 0
    while x.max() >= limit:
        x = x / 2
        steps += 1
    return x, steps
# %% tame
def tame(x, limit: float):
    steps = 1
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return x, steps
# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().sum() >= limit:
        x = x / 2
        steps += 1
    return x, steps
# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return steps, x
# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().max() >= 1.0:
        x = x / 2
        steps += 1
    return x, steps
# %% tame
def tame(x, limit: float):
    steps = 0
    if x.abs().max() >= limit:
        x = x / 2
        steps += 1
    return x, steps
# %% tame
def tame(x, limit: float):
    steps = 0
    while x.abs().max() >= limit:
        x = x - x / 3
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
            inputs = [values[i] if isinstance(i, lesson.Node) else i for i in node.inputs]
            values[node] = node.op(*inputs[::-1], **node.params)
    result = graph.nodes[-1].inputs[0]
    return values[result] if isinstance(result, lesson.Node) else tuple(values[part] for part in result)
# %% evaluate
def evaluate(graph, args):
    values, given = {}, iter(args)
    for node in graph.nodes:
        if node.kind == "placeholder":
            values[node] = next(given)
        elif node.kind == "get_attr":
            values[node] = ml.zeros_like(node.payload)
        elif node.kind == "call":
            inputs = [values[i] if isinstance(i, lesson.Node) else i for i in node.inputs]
            values[node] = node.op(*inputs, **node.params)
    result = graph.nodes[-1].inputs[0]
    return values[result] if isinstance(result, lesson.Node) else tuple(values[part] for part in result)
# %% evaluate
def evaluate(graph, args):
    values, given = {}, iter(args)
    for node in graph.nodes:
        if node.kind == "placeholder":
            values[str(node.op)] = next(given)
        elif node.kind == "get_attr":
            values[str(node.op)] = node.payload
        elif node.kind == "call":
            inputs = [values[str(i.op)] if isinstance(i, lesson.Node) else i for i in node.inputs]
            values[str(node.op)] = node.op(*inputs, **node.params)
    result = graph.nodes[-1].inputs[0]
    return values[str(result.op)] if isinstance(result, lesson.Node) else tuple(values[str(part.op)] for part in result)
# %% evaluate
def evaluate(graph, args):
    values, given = {}, iter(args)
    for node in graph.nodes:
        if node.kind == "placeholder":
            values[node] = next(given)
        elif node.kind == "get_attr":
            values[node] = node.payload
        elif node.kind == "call":
            values[node] = node.op(*[values[i] for i in node.inputs if isinstance(i, lesson.Node)], **node.params)
    result = graph.nodes[-1].inputs[0]
    return values[result] if isinstance(result, lesson.Node) else tuple(values[part] for part in result)
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
            values[node] = node.op(*inputs, **node.params)
    result = graph.nodes[-1].inputs[0]
    return values[result] if isinstance(result, lesson.Node) else values[result[0]]
# %% evaluate
def evaluate(graph, args):
    return args[0]
# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        if not isinstance(a, ml.Tensor):
            return a
        node = self.graph.get_attr(a, lesson.facts_of(a))
        self.remember(a, node)
        return node

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        self.remember(out, self.graph.call(op, tuple(self.node_of(a) for a in args), params, lesson.facts_of(out)))
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
        self.graph.call(op, tuple(self.node_of(a) for a in args), params, lesson.facts_of(out))
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
        self.remember(out, self.graph.call(op, tuple(self.node_of(a) for a in args if isinstance(a, ml.Tensor)), params, lesson.facts_of(out)))
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
        self.remember(out, self.graph.call(op, tuple(self.node_of(a) for a in args), params, lesson.facts_of(args[0])))
        return out
# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        if id(a) not in self.known:
            self.remember(a, self.graph.get_attr(ml.tensor(a) if not isinstance(a, ml.Tensor) else a, lesson.facts_of(ml.tensor(a) if not isinstance(a, ml.Tensor) else a)))
        return self.known[id(a)][1]

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        self.remember(out, self.graph.call(op, tuple(self.node_of(a) for a in args), params, lesson.facts_of(out)))
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
        self.remember(out, self.graph.call(op, tuple(self.node_of(a) for a in args)[::-1], params, lesson.facts_of(out)))
        return out
