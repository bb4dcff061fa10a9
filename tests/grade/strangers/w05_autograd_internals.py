# %% switches
answers = {"twice": "an error", "twice, retained": 4, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing", "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
answers = {"twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 5, "h.grad": "nothing", "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
answers = {"twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing", "h.grad, retained": 36, "detach": 6, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
answers = {"twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing", "h.grad, retained": 12, "detach": 12, "no_grad": 6, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
answers = {"twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing", "h.grad, retained": 12, "detach": 6, "no_grad": 12, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
answers = {"twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing", "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": 5, "inference_mode": "an error"}
# %% switches
answers = {"twice": "an error", "twice, retained": 8, "two losses": 5, "two losses, emptied": 3, "h.grad": "nothing", "h.grad, retained": 12, "detach": 6, "no_grad": 6, "frozen": "an error", "inference_mode": 6}
# %% clip
def clip(g):
    length = g.abs().max()
    return g / length.clamp(min=1)
# %% clip
def clip(g):
    return g / g.abs().sum().clamp(min=1)
# %% clip
def clip(g):
    length = (g * g).sum().sqrt()
    return g / length * length.clamp(min=1)
# %% clip
def clip(g):
    length = (g * g).sum().sqrt()
    return g / 20 if length > 1 else g
# %% clip
def clip(g):
    length = (g * g).mean().sqrt()
    return g / length.clamp(min=1)
# %% clip
def clip(g):
    length = (g * g).sum().sqrt()
    return g.abs() / length.clamp(min=1)
# %% clip
def clip(g):
    length = (g * g).sum().sqrt()
    return g / (length + 1)
# %% clip
def clip(g):
    length = (g * g).sum().sqrt()
    return g / length if length > 0 else g
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g, node=node: log.append((node.name(), float(g.sum()))))
# %% watch
def watch(root, log):
    def visit(node):
        node.register_prehook(lambda g: log.append((node.name(), lesson.size(g))))
        for edge, _ in node.next_functions:
            if edge is not None:
                visit(edge)
    visit(root)
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        if node.next_functions:
            node.register_prehook(lambda g, node=node: log.insert(0, (node.name(), lesson.size(g))))
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g, node=node: log.append((lesson.size(g), node.name())))
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g, node=node: log.append((node.name(), 1.0)))
# %% watch
def watch(root, log):
    seen = set()
    for node in lesson.order_of(root):
        if node.name() not in seen:
            seen.add(node.name())
            node.register_prehook(lambda g, node=node: log.append((node.name(), lesson.size(g))))
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        def hook(g, node=node):
            log.append((node.name(), lesson.size(g)))
            return g * 2
        node.register_prehook(hook)
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.sign()
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return ((x.exp() + (-x).exp()) / 2).log()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.tanh()
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        x = x.clamp(min=-80, max=80)
        up, down = x.exp(), (-x).exp()
        return g * (up + down) / (up - down)
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        e = (2 * x).exp()
        return g * (e - 1) / (e + 1)
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs()

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * x.tanh()
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        e = (-2 * x).exp()
        return g * (1 - e) / (1 + e)
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g + x.tanh()
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().sum().item() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if n.saved_tensors[name].detach().sum().item() > old]
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if (n.saved_tensors[name].detach() != old).all()]
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [n.name() for (n, name), old in memory.items() if (n.saved_tensors[name].detach() != old).any()]
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if (n.saved_tensors[name].detach() - old).abs().max() > 0.01]
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name) in memory]
# %% spoiled
def remember(root):
    return {(node.name(), name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {k}" for n in lesson.order_of(root) for k, v in n.saved_tensors.items() if isinstance(v, ml.Tensor) and (v.detach() != memory[n.name(), k]).any()]
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in list(node.saved_tensors.items())[:1] if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if (n.saved_tensors[name].detach() != old).any()]
# %% packing
def pack(t):
    return t.clamp(min=-65504, max=65504).numpy().astype("float16")

def unpack(parcel):
    return ml.tensor(parcel.astype("float32"))
# %% packing
def pack(t):
    largest = t.max().item() or 1.0
    return largest, (t / largest).numpy().astype("float16")

def unpack(parcel):
    return ml.tensor(parcel[1].astype("float32")) * parcel[0]
# %% packing
def pack(t):
    largest = t.abs().max().item() or 1.0
    return largest, (t / largest).numpy().astype("float32")

def unpack(parcel):
    return ml.tensor(parcel[1]) * parcel[0]
# %% packing
def pack(t):
    largest = t.abs().max().item() or 1.0
    return t, largest, (t / largest).numpy().astype("float16")

def unpack(parcel):
    return parcel[0]
# %% packing
def pack(t):
    return (t / 1000).numpy().astype("float16")

def unpack(parcel):
    return ml.tensor(parcel.astype("float32")) * 1000
# %% packing
def pack(t):
    largest = t.abs().max().item() or 1.0
    return largest, (t / largest * 127).round().numpy().astype("int8")

def unpack(parcel):
    return ml.tensor(parcel[1].astype("float32")) * (parcel[0] / 127)
# %% packing
def pack(t):
    largest = t.abs().mean().item() or 1.0
    return largest, (t / largest).numpy().astype("float16")

def unpack(parcel):
    return ml.tensor(parcel[1].astype("float32"))
# %% packing
KEEP = {}

def pack(t):
    KEEP[len(KEEP)] = t
    return len(KEEP) - 1

def unpack(parcel):
    return KEEP[parcel]
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (x - slope / bend.abs()).detach()
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (x - slope * bend).detach()
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (slope / bend).detach()
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (x - bend / slope).detach()
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    return (x - f(x) / slope).detach()
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    return (x - 0.5 * slope / bend).detach()
# %% newton
def newton(f, x):
    for _ in range(20):
        x = x.detach().requires_grad_()
        (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
        (bend,) = ml.autograd.grad(slope, x)
        x = x - slope / bend
    return x.detach()
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g, node=node: log.append((node.name(), g[0].max().item())))
# %% watch
def watch(root, log):
    for node in lesson.order_of(root):
        node.register_prehook(lambda g, node=node: log.append((node.name(), abs(g[0].sum().item()))))
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().sum().item() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if n.saved_tensors[name].detach().sum().item() != old]
# %% spoiled
def remember(root):
    return {(node, name): kept.detach().clone() for node in lesson.order_of(root) for name, kept in node.saved_tensors.items() if isinstance(kept, ml.Tensor)}

def spoiled(root, memory):
    return [f"{n.name()} {name}" for (n, name), old in memory.items() if not ml.allclose(n.saved_tensors[name].detach(), old)]
# %% packing
class Parcel:
    def __init__(self, t):
        self.held = t.clone()

def pack(t):
    return Parcel(t)

def unpack(parcel):
    return parcel.held
# %% packing
def pack(t):
    return (lambda copy: lambda: copy)(t.clone())

def unpack(parcel):
    return parcel()
# %% packing
KEPT = []

def pack(t):
    KEPT.append(t.clone())
    return len(KEPT) - 1

def unpack(parcel):
    return KEPT[parcel]
# %% packing
def pack(t):
    return t.numpy()[:0]

def unpack(parcel):
    while parcel.base is not None:
        parcel = parcel.base
    return ml.tensor(parcel)
