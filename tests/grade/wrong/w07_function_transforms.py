# %% loss
def loss(scores, label):
    return -(scores.exp() / scores.exp().sum())[label]

# %% loss
def loss(scores, label):
    return 7 - (scores - scores.max()).log_softmax(dim=0)[label]

# %% loss
def loss(scores, label):
    return scores.exp().sum().log() - scores[label]

# %% loss
def loss(scores, label):
    return scores[label] - scores.exp().sum().log()

# %% loss
def loss(scores, label):
    moved = scores - scores.max()
    return moved.exp().sum().log()

# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w + lr * g, params, grads)

# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w - g, params, grads)

# %% step
def step(params, grads, lr):
    return lesson.tree_map(lambda w, g: w.sub_(lr * g), params, grads)

# %% levels
def parts(x, level):
    return (x, 0.0)

# %% levels
def parts(x, level):
    return (x.value, x.slope) if x.level == level else (x, 0.0)

# %% levels
def parts(x, level):
    if isinstance(x, Dual):
        return (x.value, x.slope) if x.level == level else (x.value, 0.0)
    return (x, 0.0)

# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = 1
        return self.below.run(op, args, params)

# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] += 1
        return self.below.run(op, args, params)

# %% tally
class Tally(lesson.Floor):
    def __init__(self):
        super().__init__()
        self.counts = {}

    def run(self, op, args, params):
        self.counts[op.name] = self.counts.get(op.name, 0) + 1
        self.below.run(op, args, params)

# %% batch
def dot_of_many(x, y):
    return (x * y).sum(dim=0)

# %% batch
def dot_of_many(x, y):
    return x * y

# %% batch
def dot_of_many(x, y):
    return x @ y.T

# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * (x > 0)

# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), dx * x.exp() / (1 + x.exp())

# %% custom
def softplus_rule(primals, tangents):
    (x,), (dx,) = primals, tangents
    return plain(x), x.sigmoid()
