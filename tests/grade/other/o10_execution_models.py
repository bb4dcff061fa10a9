# %% mended
def mended(x):
    above = (x.sum() > 0).float()
    return x * 2 * above + x * 3 * (1 - above)

# %% mended
def mended(x):
    return x * ml.where(x.sum() > 0, ml.tensor(2.0), ml.tensor(3.0))

# %% tame
def tame(x, limit: float):
    steps = 0
    large = x.abs().max() >= limit
    while large:
        x = x * 0.5
        steps = steps + 1
        large = x.abs().max() >= limit
    return x, steps

# %% evaluate
def evaluate(graph, args):
    known = dict(zip([n for n in graph.nodes if n.kind == "placeholder"], args))

    def value(thing):
        if isinstance(thing, (tuple, list)):
            return type(thing)(value(part) for part in thing)
        if not isinstance(thing, lesson.Node):
            return thing
        if thing not in known:
            is_constant = thing.kind == "get_attr"
            known[thing] = thing.payload if is_constant else thing.op(*map(value, thing.inputs), **thing.params)
        return known[thing]

    return value(graph.nodes[-1].inputs[0])
