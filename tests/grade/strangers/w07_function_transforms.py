# %% loss
def loss(scores, label):
    return (scores - scores.max()).softmax(0)[label] * -1
# %% loss
def loss(scores, label):
    return scores.max() - scores[label]
# %% loss
def loss(scores, label):
    moved = scores - scores.max()
    return moved.exp().sum().log() + moved[label]
# %% loss
def loss(scores, label):
    moved = scores - scores.max()
    return (moved.exp().sum().log() - moved[label]) / len(scores)
# %% loss
def loss(scores, label):
    moved = scores - scores.mean()
    return moved.exp().sum().log() - moved[label]
# %% loss
def loss(scores, label):
    moved = scores - scores.max()
    return moved.exp().mean().log() - moved[label]
# %% loss
def loss(scores, label):
    moved = scores - scores.max()
    return (moved.exp().sum() + 1).log() - moved[label]
# %% loss
def loss(scores, label):
    moved = scores - scores.max()
    return moved.exp().sum().log() - moved[0]
# %% loss
def loss(scores, label):
    return ml.nn.functional.cross_entropy(scores.reshape(1, -1), label.reshape(1))
# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: g - lr * w, params, grads)
# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w * (1 - lr * g), params, grads)
# %% step
def step(params, grads, lr):
    return {k: (v if isinstance(v, dict) else v - lr * grads[k]) for k, v in params.items()}
# %% step
def step(params, grads, lr):
    for k, v in params.items():
        params[k] = step(v, grads[k], lr) if isinstance(v, dict) else v - lr * grads[k]
    return params
# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w - 0.1 * g, params, grads)
# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w - lr * g.sign(), params, grads)
# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w - lr * (g + 0.01 * w), params, grads)
# %% step
def step(params, grads, lr):
    return [w - lr * g for w, g in zip(params.values(), grads.values()) if not isinstance(w, dict)]
# %% levels
def parts(x, level):
    return (x.value, x.slope) if isinstance(x, Dual) and x.level <= level else (x, 0.0)
# %% levels
def parts(x, level):
    return (x.value, x.slope) if isinstance(x, Dual) and x.level != level else (x, 0.0)
# %% levels
def parts(x, level):
    return (x.value, x.slope) if isinstance(x, Dual) and x.level == level else (x, 1.0)
# %% levels
def parts(x, level):
    return (x, x.slope) if isinstance(x, Dual) and x.level == level else (x, 0.0)
# %% levels
def parts(x, level):
    return (x.slope, x.value) if isinstance(x, Dual) and x.level == level else (x, 0.0)
# %% levels
def parts(x, level):
    while isinstance(x, Dual) and x.level != level:
        x = x.value
    return (x.value, x.slope) if isinstance(x, Dual) else (x, 0.0)
# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op] = self.counts.get(op, 0) + 1
        return self.below.run(op, args, params)
# %% tally
class Tally(lesson.Floor):
    counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        return self.below.run(op, args, params)
# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 0) + len(args)
        return self.below.run(op, args, params)
# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        self.below.run(op, args, params)
        return self.below.run(op, args, params)
# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 1) + 1
        return self.below.run(op, args, params)
# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        return self.below.run(op, args, {})
# %% batch
def dot_of_many(x, y):
    return (x * y).sum(dim=1, keepdim=True)
# %% batch
def dot_of_many(x, y):
    return (x * y).mean(dim=-1)
# %% batch
def dot_of_many(x, y):
    return (x @ y.T).sum(-1)
# %% batch
def dot_of_many(x, y):
    return (x + y).sum(dim=-1)
# %% batch
def dot_of_many(x, y):
    return x.sum(-1) * y.sum(-1)
# %% batch
def dot_of_many(x, y):
    return (x[0] * y).sum(dim=-1)
# %% batch
def dot_of_many(x, y):
    return ml.stack([(x[k] * y[k]).sum() for k in range(4)])
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * x.tanh()
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * 0.5
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return x, dx * x.sigmoid()
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * (-x).sigmoid()
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * x.sigmoid() * (1 - x.sigmoid())
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx.abs() * x.sigmoid()
# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return x.sigmoid(), dx * x.sigmoid()
# %% step
def step(params, grads, lr):
    new = {}
    for key in params:
        w, g = params[key], grads[key]
        if isinstance(w, dict):
            new[key] = step(w, g, lr)
        else:
            new[key] = w.clone().add_(g, alpha=-lr)
    return new
