# %% switches
answers = {
    "twice": 8, "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing",
    "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error",
}

# %% switches
answers = {
    "twice": "an error", "twice, retained": 8, "two losses": 3, "two losses, emptied": 3, "h.grad": "nothing",
    "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error",
}

# %% switches
answers = {
    "twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": 12,
    "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error",
}

# %% clip
def clip(g):
    return g.clamp(min=-1, max=1)

# %% clip
def clip(g):
    return g / (g * g).sum().clamp(min=1)

# %% clip
def clip(g):
    return g / (g * g).sum().sqrt()

# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        log.append((node.name(), 1.0))

# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g: log.append((node.name(), lesson.size(g))))

# %% watch
def watch(root, log):
    root.register_prehook(lambda g: log.append((root.name(), lesson.size(g))))

# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return x.tanh()

# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.abs().tanh()

# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.x = x
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.x.tanh()

# %% spoiled
def remember(root):
    return {
        (node, name): kept
        for node in lesson.order_of(root)
        for name, kept in node.saved_tensors.items()
        if isinstance(kept, ml.Tensor)
    }


def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if (n.saved_tensors[name] != old).any()]

# %% spoiled
def remember(root):
    return {
        (node, name): kept._version
        for node in lesson.order_of(root)
        for name, kept in node.saved_tensors.items()
        if isinstance(kept, ml.Tensor)
    }


def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if n.saved_tensors[name]._version != old]

# %% spoiled
def remember(root):
    return {(root, name): k.detach().clone() for name, k in root.saved_tensors.items() if isinstance(k, ml.Tensor)}


def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if (n.saved_tensors[name].detach() != old).any()]

# %% packing
def pack(t):
    return t.numpy().astype("float16")


def unpack(parcel):
    return ml.tensor(parcel.astype("float32"))

# %% packing
def pack(t):
    largest = t.abs().max().item()
    return largest, (t / largest).numpy().astype("float16")


def unpack(parcel):
    largest, entries = parcel
    return ml.tensor(entries.astype("float32")) * largest

# %% packing
def pack(t):
    return t.numpy().astype("int8")


def unpack(parcel):
    return ml.tensor(parcel.astype("float32"))

# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (x + slope / bend).detach()

# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    return (x - slope).detach()

# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return x - slope / bend
