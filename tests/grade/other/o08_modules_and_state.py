# %% registers
class Mini(object):
    def __init__(self):
        self.__dict__["_parameters"] = dict()
        self.__dict__["_modules"] = dict()

    def __setattr__(self, key, val):
        params, mods = self.__dict__["_parameters"], self.__dict__["_modules"]
        if isinstance(val, ml.nn.Parameter):
            mods.pop(key, None)
            params[key] = val
        elif isinstance(val, Mini):
            params.pop(key, None)
            mods[key] = val
        else:
            params.pop(key, None)
            mods.pop(key, None)
        self.__dict__[key] = val

    def named_parameters(self, prefix="", memo=None):
        memo = set() if memo is None else memo
        out = []
        for key, p in self._parameters.items():
            if id(p) not in memo:
                memo.add(id(p))
                out.append([prefix + key, p])
        for key, m in self._modules.items():
            out.extend(m.named_parameters(prefix + key + ".", memo))
        return out

    def parameters(self):
        for _, p in self.named_parameters():
            yield p
# %% state
def live(module, prefix=""):
    def walk(module, prefix):
        for name, tensor in lesson.own(module).items():
            yield ".".join([*prefix, name]), tensor
        for name, child in module.named_children():
            yield from walk(child, [*prefix, name])

    return dict(walk(module, []))


def snapshot(module):
    with ml.no_grad():
        return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    missing, unexpected = mine.keys() - state.keys(), state.keys() - mine.keys()
    wrong = {name for name in mine.keys() & state.keys() if tuple(mine[name].shape) != tuple(state[name].shape)}
    problems = [*wrong, *((missing | unexpected) if strict else ())]
    if problems:
        raise RuntimeError("cannot load: " + ", ".join(sorted(problems)))
    with ml.no_grad():
        for name in mine.keys() & state.keys():
            mine[name].copy_(state[name])
    return missing, unexpected
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum = momentum
        self.eps = eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.running_mean = ml.nn.Buffer(ml.zeros(channels))
        self.running_var = ml.nn.Buffer(ml.ones(channels))

    def statistics(self, x):
        if not self.training:
            return self.running_mean, self.running_var
        self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * x.mean(0).detach()
        self.running_var = (1 - self.momentum) * self.running_var + self.momentum * x.var(0).detach()
        return x.mean(dim=0, keepdim=True), x.var(dim=0, keepdim=True, correction=0)

    def forward(self, x):
        mean, var = self.statistics(x)
        return self.weight * ((x - mean) * (var + self.eps) ** -0.5) + self.bias
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    class Watch:
        def __init__(self, name):
            self.name, sizes[name] = name, 0

        def __call__(self, module, args, out):
            n = 1
            for k in out.shape:
                n *= k
            sizes[self.name] += n * out.dtype.itemsize
            return out

    try:
        for name, module in model.named_modules():
            if len(list(module.named_children())) == 0:
                handles.append(module.register_forward_hook(Watch(name)))
        with ml.no_grad():
            model(x)
    finally:
        while handles:
            handles.pop().remove()
    return sizes
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
