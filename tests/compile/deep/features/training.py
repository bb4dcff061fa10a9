"""Training: modules, optimizers, custom functions, the transforms of `ml.func`, compiled functions within others."""

# ruff: noqa: E501
from tests.compile.deep.features.feature import Feature

MODULES = Feature(
    prelude="""
nn, F = ml.nn, ml.nn.functional

class Net(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.a, self.norm, self.b = nn.Linear(3, 4), norm, nn.Linear(4, 3)
        self.drop, self.act, self.calls = nn.Dropout(0.25), F.relu, 0
        self.register_buffer('mean', ml.zeros(3))
    def forward(self, x):
        self.calls += 1
        h = self.drop(self.act(self.norm(self.a(x))))
        y = self.b(h)
        with ml.no_grad():
            self.mean.mul_(0.5).add_(y.detach().reshape(-1, 3).mean(0))
        return y

class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3)])
        self.scale = nn.Parameter(ml.ones(3))
        self.by_name = nn.ModuleDict({'relu': nn.ReLU(), 'id': nn.Identity()})
        self.last = None
    def forward(self, x, which='relu'):
        for layer in self.layers:
            x = layer(x)
        self.last = x
        return self.by_name[which](x) * self.scale
""",
    world=("ml.manual_seed(4)", "net = Net(nn.LayerNorm(4))", "plain = Plain()", "bn = nn.BatchNorm1d(3)", "seq = nn.Sequential(nn.Linear(3, 3), nn.GELU())"),
    passed=("net", "plain", "bn", "seq"),
    tensors=("net($t)", "plain($t)", "plain($t, 'id')", "seq($t)", "bn(ml.stack([$v.reshape(-1)[:3], w, w * 2]))", "F.linear($t, plain.layers[0].weight)", "F.layer_norm($v * 1.0, (3,))", "F.mse_loss($v * 1.0, ml.zeros_like($v * 1.0))", "net.mean + $t", "sum(p.sum() for p in net.parameters())", "plain.scale * $t", "F.cross_entropy(ml.stack([$v.reshape(-1)[:3], w]), ml.tensor([0, 2]))", "nn.Linear(3, 3)($t)", "net.a.weight[0] * $t"),
    ints=("net.calls", "len(plain.layers)", "sum(p.numel() for p in plain.parameters())", "len(net.state_dict())"),
    conditions=("net.training", "bn.training", "isinstance(net.norm, nn.LayerNorm)", "net.a.weight.grad is None", "'a.weight' in net.state_dict()", "hasattr(net, 'b')"),
    parameters=("plain.scale", "net.b.bias"),
    statements=(
        "$v = net($t)", "$v = plain($t)", "$v = bn(ml.stack([$v.reshape(-1)[:3], w])).sum(0)", "net($t).sum().backward()", "(plain($t) ** 2).mean().backward()", "net.eval()", "net.train()", "net.train($c)", "net.zero_grad()", "bn.eval(); $v = bn($v.reshape(-1, 3)[:2])", "net.calls = n", "net.act = F.tanh", "log.append(net.calls)", "plain.last = None", "log.append(plain.last)",
        "for p in net.parameters():\n    if p.grad is not None: p.grad.clamp_(-1, 1) if hasattr(p.grad, 'clamp_') else None", "with ml.no_grad():\n    for p in plain.parameters(): p.mul_(0.9)", "$u = {name: p.detach().clone() for name, p in plain.named_parameters()}; log.append(len($u))", "for q, p in zip(net.parameters(), plain.parameters()): n += p.ndim", "$v = plain.layers[n % 3]($v)", "net.mean.add_(1)", "log.append([name for name, _ in net.named_buffers()])",
        "plain.extra = $t", "log.append(len(seq))", "net.mean = net.mean * 0.5", "$v = $v + plain.scale.grad if plain.scale.grad is not None else $v", "loss = F.mse_loss(net($t), plain($t).detach()); loss.backward(); log.append(loss.detach())", "$v = seq[1](seq[0]($v))", "plain.scale = nn.Parameter(plain.scale.detach() * 2)", "net.load_state_dict(net.state_dict())",
    ),
    heads=("for layer in plain.layers:", "for p in plain.parameters():", "for name, p in net.named_parameters():", "if net.training:", "with ml.no_grad():"),
    results=("net.mean", "plain.last", "net.a.weight.grad", "list(plain.parameters())[:2]", "net.state_dict()"),
    between=("net.eval()", "net.train()", "net.norm = nn.Identity()", "net.norm = nn.RMSNorm(4)", "net.act = F.gelu", "net.drop.p = 0.5", "plain.layers.append(nn.ReLU())", "plain.layers[1] = nn.Sigmoid()", "net.requires_grad_(False)", "net.a.requires_grad_(True)", "bn.eval()", "bn.train()", "plain = Plain()", "net.zero_grad()", "plain.scale.requires_grad_(False)", "hook = net.a.register_forward_hook(lambda m, a, out: out * 2)", "net.a.weight = nn.Parameter(ml.ones(4, 3) * 0.25)"),
    after=("r[0].sum().backward()", "(r[0] * r[1]).sum().backward()", "net.zero_grad()", "with ml.no_grad():\n    for p in net.parameters(): p -= 0.1 * p.grad if p.grad is not None else 0", "log.append(net(ml.ones(3)))", "log.append(net.calls)"),
)  # fmt: skip

OPTIMIZERS = Feature(
    needs=("modules",),
    world=(
        "opt = ml.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)", "adam = ml.optim.Adam(plain.parameters(), lr=0.05, eps=0.01)", "adamw = ml.optim.AdamW([w, *seq.parameters()], lr=0.05, eps=0.01, weight_decay=0.1)", "plan = ml.optim.lr_scheduler.StepLR(opt, 1, 0.5)",
    ),
    passed=("opt", "adam", "adamw"),
    statements=(
        "opt.zero_grad(); (net($t) ** 2).mean().backward(); opt.step()", "adam.zero_grad(); loss = (plain($t) ** 2).mean(); loss.backward(); adam.step(); log.append(loss.detach())", "adamw.zero_grad(); (seq($t) * w).sum().backward(); adamw.step()", "opt.step()", "adam.step()", "adamw.step()", "opt.zero_grad()", "adam.zero_grad(set_to_none=False)", "plan.step()",
        "opt.param_groups[0]['lr'] = 0.01", "opt.param_groups[0]['lr'] *= 0.5", "adam.zero_grad(); F.mse_loss(plain($t), ml.zeros(3) + n).backward(); adam.step(); adam.zero_grad(); (plain($t) * k).sum().backward(); adam.step()", "log.append(opt.param_groups[0]['lr'])", "log.append(len(adam.state))", "loss = F.cross_entropy(net($t).reshape(-1, 3), ml.tensor([1]).expand($v.reshape(-1, 3).shape[0])); adam.zero_grad(); loss.backward(); opt.step()",
        "for _ in range(2): opt.zero_grad(); (net($t) ** 2).sum().backward(); opt.step()", "sgd = ml.optim.SGD([w], lr=0.1); (w * $t).sum().backward(); sgd.step(); sgd.zero_grad()", "z2 = net($t); opt.zero_grad(); z2.sum().backward(); print(n); opt.step()", "fake = net($t); opt.zero_grad(); plain(fake.detach()).sum().backward(); adam.step(); (plain(fake) * k).sum().backward(); opt.step()",
    ),
    results=("opt.param_groups[0]['lr']", "len(opt.state)"),
    between=("opt.param_groups[0]['lr'] = 0.02", "adam = ml.optim.Adam(plain.parameters(), lr=0.1, eps=0.01)", "opt.zero_grad()", "plan.step()", "opt.load_state_dict(opt.state_dict())", "opt.param_groups[0]['momentum'] = 0.0", "opt.param_groups[0]['weight_decay'] = 0.1"),
    after=("r[0].sum().backward(); opt.step()", "opt.zero_grad()", "adam.step()", "r[1].sum().backward(); adamw.step()"),
)  # fmt: skip

CUSTOM = Feature(
    prelude="""
class Twist(ml.autograd.Function):
    @staticmethod
    def forward(ctx, a, by):
        ctx.save_for_backward(a)
        ctx.by = by
        return a * by
    @staticmethod
    def backward(ctx, g):
        (a,) = ctx.saved_tensors
        return g * ctx.by + a * 0, None

inner = compile(lambda t, n: (t * n).tanh())

@compile
def pieces(t):
    u = t.sigmoid()
    return u.sum(), u, t * 2
""",
    world=("offset = ml.tensor([0.5, 1.0, 0.0])",),
    passed=("offset",),
    tensors=("Twist.apply($t, 2)", "inner($t, n)", "pieces($t)[1]", "pieces($t)[0] * $t", "ml.autograd.checkpoint(lambda q: (q * w).tanh(), $t)", "ml.func.grad(lambda q: (q * q * offset).sum())($v.detach() * 1.0)", "ml.func.vmap(lambda q: q * 2)($v * 1.0)", "ml.func.jvp(lambda q: q.tanh(), ($v.detach() * 1.0,), (ml.ones_like($v * 1.0),))[1]", "ml.func.vjp(lambda q: q * offset, $v.detach() * 1.0)[0]"),
    statements=(
        "$v = Twist.apply($t, k); ($v * w).sum().backward()", "$u = pieces($t); $u[0].backward(retain_graph=True) if $u[0].requires_grad else None", "$v = inner($t, n); $v = inner($v, 2)", "$u, q, m = pieces($t); $v = q + m", "$u = w.register_hook(lambda g: log.append('hook')); (w * $t).sum().backward(); $u.remove()",
        "$u = w.register_hook(lambda g: g * n); (w * $t).sum().backward(); $u.remove()", "$u = ml.autograd.grad(pieces($t * w)[0], w)[0]; $v = $v * $u", "offset.add_(1)", "with ml.autograd.saved_tensors_hooks(lambda q: q, lambda q: q): $v = ($t * w).tanh()", "with ml.inference_mode(): $u = $t * 2", "$v = ml.autograd.checkpoint(lambda q: q.exp() * k, $v)",
    ),
    results=("inner(x, n)", "pieces(y)"),
    between=("offset = offset * 2", "inner = compile(lambda t, n: t + n)", "handle = w.register_hook(lambda g: g * 3)", "handle.remove()", "offset.mul_(2)"),
    after=("r[0].sum().backward()", "log.append(pieces(x)[1])", "ml.autograd.grad(r[0].sum(), w, allow_unused=True)", "pieces(w)[0].backward()"),
)  # fmt: skip

TRAINING = {"modules": MODULES, "optimizers": OPTIMIZERS, "custom": CUSTOM}
