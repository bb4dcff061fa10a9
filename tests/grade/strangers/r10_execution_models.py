# %% times
import numpy as np
times = {
    "eager": dict(runs=np.int64(3), prints="3", shows="A Number"),
    "static": dict(runs=1.0, prints=True, shows=" a name"),
    "trace": dict(runs=1, prints=1, shows="a number"),
    "script": dict(runs=0, prints=3, shows="a number"),
}
# %% times
times = {name: {"runs": r, "prints": p, "shows": s} for name, r, p, s in [("eager", 3, 3, "a number"), ("static", 1, 1, "a name"), ("trace", 1, 1, "a number"), ("script", 0, 3, "a number")]}
# %% times
times = {"eager": {"shows": "a number", "prints": 3, "runs": 3}, "script": {"runs": False, "prints": 3, "shows": "a number"}, "trace": {"runs": 1, "prints": 1, "shows": "a number"}, "static": {"runs": 1, "prints": 1, "shows": "a name"}}
# %% times
from collections import OrderedDict
def row(runs, prints, shows="a number"):
    return OrderedDict(runs=runs, prints=prints, shows=shows)
times = OrderedDict(eager=row(3, 3), static=row(1, 1, "a name"), trace=row(1, 1), script=row(0, 3))
# %% mended
def mended(x):
    condition = x.sum() > 0
    return ml.where(condition, 2, 3) * x
# %% mended
def mended(x):
    return x * (3 - (x.sum() > 0).float())
# %% mended
def mended(x):
    twice, thrice = x * 2, x * 3
    return twice.where(ml.sum(x) > 0, thrice)
# %% mended
mended = lambda x: ml.where((x.sum() > 0).expand(x.shape), 2 * x, 3 * x)
# %% mended
def mended(x):
    choice = ml.stack([x * 3, x * 2])
    return ml.where(x.sum() <= 0, choice[0], choice[1])
# %% tame
def tame(x, limit: float):
    n = 0
    while not (x.abs().max() < limit):
        x = x / 2
        n = n + 1
    return (x, n)
# %% tame
def tame(x: ml.Tensor, limit: float):
    steps: int = 0
    while limit <= ml.abs(x).max():
        x, steps = x / 2.0, steps + 1
    return x, steps
# %% tame
def tame(x, limit: float):
    """Halve x until it is small."""
    steps = 0
    while ml.max(ml.abs(x)) >= limit:
        steps += 1
        x = x * 0.5
    return x, steps
# %% tame
def tame(x, limit: float):
    steps = 0
    going = True
    while going:
        if x.abs().max() < limit:
            going = False
        else:
            x = x / 2
            steps += 1
    return x, steps
# %% evaluate
def evaluate(graph, args):
    env = {}
    args = list(args)

    def load(i):
        return env[i] if isinstance(i, lesson.Node) else i

    for node in graph.nodes:
        match node.kind:
            case "placeholder":
                env[node] = args.pop(0)
            case "get_attr":
                env[node] = node.payload
            case "call":
                env[node] = node.op(*map(load, node.inputs), **node.params)
            case "output":
                out = node.inputs[0]
                return tuple(map(load, out)) if isinstance(out, tuple) else load(out)
# %% evaluate
class Interpreter:
    def __call__(self, graph, args):
        self.values = {}
        self.args = iter(args)
        for node in graph.nodes:
            result = getattr(self, node.kind)(node)
            self.values[id(node)] = result
        return result

    def get(self, i):
        if isinstance(i, (tuple, list)):
            return tuple(self.get(p) for p in i)
        return self.values[id(i)] if isinstance(i, lesson.Node) else i

    def placeholder(self, node):
        return next(self.args)

    def get_attr(self, node):
        return node.payload

    def call(self, node):
        return node.op(*[self.get(i) for i in node.inputs], **node.params)

    def output(self, node):
        return self.get(node.inputs[0])

evaluate = Interpreter()
# %% evaluate
def evaluate(graph, args):
    names, k = {}, 0
    for node in graph.nodes[:-1]:
        if node.kind == "placeholder":
            names[node.name] = args[k]
            k += 1
        elif node.kind == "get_attr":
            names[node.name] = node.payload
        else:
            names[node.name] = node.op(*(names[i.name] if isinstance(i, lesson.Node) else i for i in node.inputs), **node.params)
    last = graph.nodes[-1].inputs[0]
    return [names[n.name] for n in last] if isinstance(last, tuple) else names[last.name]
# %% evaluate
from functools import cache

def evaluate(graph, args):
    given = dict(zip((n for n in graph.nodes if n.kind == "placeholder"), args))

    @cache
    def value(node):
        if node in given:
            return given[node]
        if node.kind == "get_attr":
            return node.payload
        return node.op(*(value(i) if isinstance(i, lesson.Node) else i for i in node.inputs), **node.params)

    wanted = graph.nodes[-1].inputs[0]
    return value(wanted) if isinstance(wanted, lesson.Node) else tuple(map(value, wanted))
# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        if isinstance(a, ml.Tensor):
            if (known := self.known.get(id(a))) is None:
                node = self.graph.get_attr(a, lesson.facts_of(a))
                self.remember(a, node)
                return node
            return known[1]
        return a

    def run(self, op, args, params):
        inputs = tuple(map(self.node_of, args))
        out = self.below.run(op, args, params)
        node = self.graph.call(op, inputs, params, lesson.facts_of(out))
        self.remember(out, node)
        return out
# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        try:
            return self.known[id(a)][1]
        except KeyError:
            if not hasattr(a, "shape"):
                return a
            self.remember(a, self.graph.get_attr(a, lesson.facts_of(a)))
            return self.node_of(a)

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        self.remember(out, self.graph.call(op, tuple(self.node_of(a) for a in args), dict(params), lesson.facts_of(out)))
        return out
# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        match a:
            case ml.Tensor() if id(a) in self.known:
                return self.known[id(a)][1]
            case ml.Tensor():
                constant = self.graph.get_attr(a, lesson.facts_of(a))
                self.remember(a, constant)
                return constant
            case number:
                return number

    def run(self, op, args, params):
        inputs = []
        for a in args:
            inputs.append(self.node_of(a))
        out = super().run(op, args, params) if False else self.below.run(op, args, params)
        facts = lesson.facts_of(out)
        self.remember(out, self.graph.call(op, tuple(inputs), params, facts))
        return out
# %% notes
class Notes(lesson.Recorder):
    def node_of(self, a):
        if type(a) in (int, float, bool):
            return a
        if id(a) not in self.known:
            self.remember(a, self.graph.get_attr(a, lesson.facts_of(a)))
        tensor, node = self.known[id(a)]
        return node

    def run(self, op, args, params):
        out = self.below.run(op, args, params)
        node = self.graph.call(op, [self.node_of(a) for a in args], params, lesson.facts_of(out))
        self.remember(out, node)
        return out
