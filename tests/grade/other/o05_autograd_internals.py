# %% clip
def clip(g):
    length = g.norm().item()
    return g / length if length > 1 else g

# %% clip
def clip(g):
    return g * min(1.0, 1.0 / max((g * g).sum().item() ** 0.5, 1e-12))

# %% watch
def watch(root, log):
    def note(node):
        return lambda g: log.append([node.name(), lesson.size(g)])

    seen, pending = set(), [root]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            node.register_prehook(note(node))
            pending += [edge for edge, _ in node.next_functions if edge is not None]

# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x.tanh())
        return x.abs() + (1 + (-2 * x.abs()).exp()).log() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        return g * ctx.saved_tensors[0]

# %% spoiled
def remember(root):
    kept = []
    for node in lesson.order_of(root):
        for name, value in node.saved_tensors.items():
            if isinstance(value, ml.Tensor):
                kept.append((node, name, value.detach().numpy().copy()))
    return kept


def spoiled(root, memory):
    for node, name, before in memory:
        if not (node.saved_tensors[name].detach().numpy() == before).all():
            yield f"{node.name()} {name}"

# %% packing
def pack(t):
    scale = float(t.abs().max()) / 32767 or 1.0
    return {"scale": scale, "whole": (t / scale).round().numpy().astype("int16")}


def unpack(parcel):
    return ml.tensor(parcel["whole"].astype("float32") * parcel["scale"])

# %% newton
def newton(f, x):
    x = x.detach().requires_grad_()
    first = ml.func.grad(f)(x)
    second = ml.func.grad(ml.func.grad(f))(x)
    return (x - first / second).detach()
