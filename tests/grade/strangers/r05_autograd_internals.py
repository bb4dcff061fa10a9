# %% switches
answers = {"twice": "An Error", "twice, retained": 8.0, "two losses": "5", "two losses, emptied": 3, "h.grad": "Nothing", "h.grad, retained": 12, "detach": 6, "no_grad": 6.0, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
import numpy as np
answers = {"twice": "an error", "twice, retained": np.int64(8), "two losses": np.float32(5), "two losses, emptied": np.array(3), "h.grad": "nothing", "h.grad, retained": ml.tensor(12.0), "detach": ml.tensor(6.), "no_grad": 6, "frozen": "nothing", "inference_mode": "an error"}
# %% switches
def tried(program):
    x = ml.tensor(2.0, requires_grad=True)
    try:
        found = program(x)
    except Exception:
        return "an error"
    return "nothing" if found is None else found.item()

def twice(x):
    y = x**2; y.backward(); y.backward(); return x.grad
def kept(x):
    y = x**2; y.backward(retain_graph=True); y.backward(); return x.grad
def two(x):
    (x * 2).backward(); (x * 3).backward(); return x.grad
def emptied(x):
    (x * 2).backward(); x.grad = None; (x * 3).backward(); return x.grad
def inner(x):
    h = x * 3; (h * h).backward(); return h.grad
def retained(x):
    h = x * 3; h.retain_grad(); (h * h).backward(); return h.grad
def detached(x):
    h = x * 3; (h.detach() * x).backward(); return x.grad
def quiet(x):
    with ml.no_grad(): h = x * 3
    (h * x).backward(); return x.grad
def frozen(x):
    w = ml.tensor(5.0, requires_grad=True); x.requires_grad_(False); (w * x).backward(); return x.grad
def infer(x):
    with ml.inference_mode(): h = x * 3
    (h * x).backward(); return x.grad

answers = dict(zip(["twice", "twice, retained", "two losses", "two losses, emptied", "h.grad", "h.grad, retained", "detach", "no_grad", "frozen", "inference_mode"], map(tried, [twice, kept, two, emptied, inner, retained, detached, quiet, frozen, infer])))
# %% switches
answers = {
    **dict.fromkeys(("twice", "inference_mode"), "an error"),
    **dict.fromkeys(("h.grad", "frozen"), "nothing"),
    **dict.fromkeys(("detach", "no_grad"), 6),
    "twice, retained": 2 * 2 * 2, "two losses": 2 + 3, "two losses, emptied": 3, "h.grad, retained": 2 * 6,
}
# %% clip
import numpy as np

def clip(g):
    length = np.linalg.norm(g.numpy())
    return g / float(length) if length > 1 else g
# %% clip
def clip(g):
    return g / max(1.0, (g**2).sum().sqrt().item())
# %% clip
def clip(g):
    length = ml.sqrt(ml.sum(g * g))
    return ml.where(length > 1, g / length.clamp(min=1e-30), g)
# %% clip
def clip(g):
    if (length := math.hypot(*g.tolist())) > 1:
        g = g * (1 / length)
    return g
# %% clip
def clip(g):
    if g.norm() <= 1:
        return None
    return g / g.norm()
# %% clip
def clip(g):
    length = g.norm()
    return g / ml.maximum(length, ml.ones_like(length))
# %% watch
import functools

def watch(root, log):
    def note(node, g):
        log.append((node.name(), lesson.size(g)))

    for node in lesson.order_of(root):
        node.register_prehook(functools.partial(note, node))
# %% watch
class Watcher:
    def __init__(self, name, log):
        self.name, self.log = name, log

    def __call__(self, g):
        self.log.append((self.name, lesson.size(g)))

def watch(root, log):
    seen = []
    def visit(node):
        if node is not None and node not in seen:
            seen.append(node)
            node.register_prehook(Watcher(node.name(), log))
            for edge, _ in node.next_functions:
                visit(edge)
    visit(root)
# %% watch
def watch(root, log):
    return [node.register_prehook(lambda g, name=node.name(): log.append([name, float(lesson.size(g))])) for node in lesson.order_of(root)]
# %% watch
def watch(root, log):
    def hook_for(node):
        def hook(g):
            log.extend([(node.name(), lesson.size(g))])
            return g
        return hook
    for node in set(lesson.order_of(root)):
        node.register_prehook(hook_for(node))
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)
        ctx.save_for_backward(x, y)
        return y

    @staticmethod
    def backward(ctx, g):
        x, _ = ctx.saved_tensors
        return ml.tanh(x) * g
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g * (2 * (2 * x).sigmoid() - 1)
# %% careful
class LogCosh(ml.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return ml.nn.functional.softplus(2 * x) - x - math.log(2)

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        e = (-2 * x.abs()).exp()
        return g * x.sign() * (1 - e) / (1 + e)
# %% careful
class LogCosh(ml.autograd.Function):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x.abs() + (-2 * x.abs()).exp().log1p() - math.log(2)

    def backward(ctx, g):
        x = ctx.saved_tensors[0]
        return (x.tanh() * g,)
# %% spoiled
import numpy as np

def remember(root):
    memory = {}
    for node in lesson.order_of(root):
        for name, value in node.saved_tensors.items():
            if hasattr(value, "numpy"):
                memory[node, name] = np.array(value.detach().numpy())
    return memory

def spoiled(root, memory):
    out = []
    for (node, name), before in memory.items():
        if not np.array_equal(before, node.saved_tensors[name].detach().numpy()):
            out.append(node.name() + " " + name)
    return out
# %% spoiled
def remember(root):
    return {(n, k): v.tolist() for n in lesson.order_of(root) for k, v in n.saved_tensors.items() if isinstance(v, ml.Tensor)}

def spoiled(root, memory):
    return tuple(" ".join([n.name(), k]) for (n, k), v in memory.items() if n.saved_tensors[k].tolist() != v)
# %% spoiled
import copy

def remember(root):
    saved = {}
    def visit(node):
        if node is None or (node, None) in saved:
            return
        saved[node, None] = None
        for name, t in node.saved_tensors.items():
            if type(t).__name__ == "Tensor":
                saved[(node, name)] = copy.deepcopy(t.detach())
        for edge, _ in node.next_functions:
            visit(edge)
    visit(root)
    return {k: v for k, v in saved.items() if v is not None}

def spoiled(root, memory):
    return [f"{node.name()} {name}" for (node, name), old in memory.items() if not ml.equal(old, node.saved_tensors[name].detach())]
# %% spoiled
import pickle

def remember(root):
    return {(n, k): pickle.dumps(v.detach().numpy()) for n in lesson.order_of(root) for k, v in n.saved_tensors.items() if isinstance(v, ml.Tensor)}

def spoiled(root, memory):
    return {f"{n.name()} {k}" if False else f"{n.name()} {k}": 1 for (n, k), v in memory.items() if pickle.loads(v).tolist() != n.saved_tensors[k].tolist()}.keys() if False else [f"{n.name()} {k}" for (n, k), v in memory.items() if pickle.loads(v).tolist() != n.saved_tensors[k].tolist()]
# %% packing
import numpy as np

def pack(t):
    a = t.detach().numpy()
    scale = np.abs(a).max() if np.abs(a).max() > 0 else np.float32(1)
    return scale, (a / scale).astype(np.float16)

def unpack(parcel):
    scale, a = parcel
    return ml.tensor((a.astype(np.float32) * scale).astype(np.float32))
# %% packing
class Parcel:
    def __init__(self, t):
        self.scale = max(t.abs().max().item(), 1e-30)
        self.half = (t / self.scale).numpy().astype("float16")

    def opened(self):
        return ml.tensor(self.half.astype("float32")) * self.scale

def pack(t):
    return Parcel(t)

def unpack(parcel):
    return parcel.opened()
# %% packing
def pack(t):
    m = t.abs().max().item()
    if m == 0:
        m = 1.0
    return [(t / m).half(), m]

def unpack(parcel):
    return parcel[0].float() * parcel[1]
# %% packing
import numpy as np

def pack(t):
    a = t.numpy()
    exponent = int(np.ceil(np.log2(np.abs(a).max()))) if a.any() else 0
    return exponent, np.ldexp(a, -exponent).astype("float16")

def unpack(parcel):
    exponent, half = parcel
    return ml.tensor(np.ldexp(half.astype("float32"), exponent))
# %% packing
def pack(t):
    largest = float(t.abs().max()) or 1.0
    return {"by": largest, "what": (t / largest).numpy().astype("float16").tobytes(), "shape": tuple(t.shape)}

def unpack(parcel):
    import numpy as np
    a = np.frombuffer(parcel["what"], "float16").reshape(parcel["shape"]).astype("float32")
    return ml.tensor(a * parcel["by"])
# %% newton
def newton(f, x):
    y = f(x)
    first = ml.autograd.grad(y, [x], create_graph=True)[0]
    second = ml.autograd.grad(first, [x])[0]
    with ml.no_grad():
        return x - first / second
# %% newton
from minitorch_lab.func import grad

def newton(f, x):
    at = x.detach()
    return at - grad(f)(at) / grad(grad(f))(at)
# %% newton
from minitorch_lab.func import grad, jvp

def newton(f, x):
    slope, bend = jvp(grad(f), (x.detach(),), (ml.ones_like(x.detach()),))
    return (x - slope / bend).detach()
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    slope.backward(inputs=[x]) if False else None
    bend = ml.autograd.grad(slope, x)[0]
    return ml.tensor(x.item() - slope.item() / bend.item())
# %% newton
from minitorch_lab.func import grad, hessian

def newton(f, x):
    x = x.detach()
    return x - grad(f)(x) / hessian(f)(x)
# %% newton
def newton(f, x):
    (slope,) = ml.autograd.grad(f(x), x, create_graph=True)
    (bend,) = ml.autograd.grad(slope, x)
    with ml.no_grad():
        x -= slope / bend
    return x
# %% packing
class Parcel:
    def __init__(self, t):
        self.largest = t.abs().max().item() or 1.0
        self.half = (t / self.largest).numpy().astype("float16")

    def opened(self):
        return ml.tensor(self.half.astype("float32")) * self.largest

def pack(t):
    return Parcel(t)

def unpack(parcel):
    return parcel.opened()
# %% packing
def pack(t):
    largest = t.abs().max().item() or 1.0
    half = (t / largest).numpy().astype("float16")
    return lambda: ml.tensor(half.astype("float32")) * largest

def unpack(parcel):
    return parcel()
