# %% registers
class Mini:
    def named_parameters(self):
        return [(k, v) for k, v in vars(self).items() if isinstance(v, ml.nn.Parameter)]

    def parameters(self):
        return [p for _, p in self.named_parameters()]
# %% registers
class Mini:
    def named_parameters(self, prefix=""):
        for name, value in vars(self).items():
            if isinstance(value, ml.nn.Parameter):
                yield prefix + name, value
            elif isinstance(value, Mini):
                yield from value.named_parameters(f"{prefix}{name}.")

    def parameters(self):
        return [p for _, p in self.named_parameters()]
# %% registers
class Mini:
    def named_parameters(self, prefix="", seen=set()):
        inside = [(name, value) for name, value in vars(self).items() if isinstance(value, Mini)]
        for name, value in vars(self).items():
            if isinstance(value, ml.nn.Parameter) and id(value) not in seen:
                seen.add(id(value))
                yield prefix + name, value
        for name, value in inside:
            yield from value.named_parameters(f"{prefix}{name}.", seen)

    def parameters(self):
        return [p for _, p in self.named_parameters()]
# %% registers
class Mini:
    def named_parameters(self):
        own = {name: value for name, value in vars(self).items() if isinstance(value, ml.Tensor)}
        for name, value in vars(self).items():
            if isinstance(value, Mini):
                own |= {f"{name}.{k}": v for k, v in value.named_parameters().items()}
        return {name: p for k, (name, p) in enumerate(own.items()) if not any(p is q for q in [*own.values()][:k])}

    def parameters(self):
        return list(self.named_parameters().values())
# %% registers
class Mini:
    own, inner = {}, {}

    def __setattr__(self, name, value):
        if isinstance(value, ml.nn.Parameter | Mini):
            (self.inner if isinstance(value, Mini) else self.own)[name] = value
        self.__dict__[name] = value

    def named_parameters(self):
        return [*self.own.items(), *((f"{k}.{kk}", p) for k, m in self.inner.items() for kk, p in m.own.items())]

    def parameters(self):
        return [p for _, p in self.named_parameters()]
# %% state
def live(module, prefix=""):
    inner = {k: v for name, child in module.named_children() for k, v in live(child, prefix + name + ".").items()}
    return {prefix + k: v.detach() for k, v in lesson.own(module).items()} | inner


def snapshot(module):
    return {k: v for k, v in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    lists = [k for k in mine if k not in state], [k for k in state if k not in mine]
    bad = [k for k in mine if k in state and mine[k].shape != state[k].shape]
    if bad or (strict and any(lists)):
        raise ValueError(f"{lists} {bad}")
    for k in mine.keys() & state.keys():
        mine[k].copy_(state[k])
    return lists
# %% state
def live(module, prefix=""):
    inner = {k: v for name, child in module.named_children() for k, v in live(child, prefix + name + ".").items()}
    return {prefix + k: v.detach() for k, v in lesson.own(module).items()} | inner


def snapshot(module):
    return {k: v.clone() for k, v in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    lists = [k for k in mine if k not in state], [k for k in state if k not in mine]
    bad = [k for k in mine if k in state and mine[k].shape != state[k].shape]
    if strict and (bad or any(lists)):
        raise ValueError(f"{lists} {bad}")
    for k in mine.keys() & state.keys():
        mine[k].copy_(state[k])
    return lists
# %% state
def live(module, prefix=""):
    inner = {k: v for name, child in module.named_children() for k, v in live(child, prefix + name + ".").items()}
    return {prefix + k: v.detach() for k, v in lesson.own(module).items()} | inner


def snapshot(module):
    return {k: v.clone() for k, v in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    lists = [k for k in mine if k not in state], [k for k in state if k not in mine]
    bad = [k for k in mine if k in state and mine[k].shape != state[k].shape]
    if bad or (strict and any(lists)):
        raise ValueError(f"{lists} {bad}")
    for k in mine.keys() & state.keys():
        mine[k].copy_(state[k])
    return lists[::-1]
# %% state
def live(module, prefix=""):
    inner = {k: v for name, child in module.named_children() for k, v in live(child, name + ".").items()}
    return {prefix + k: v.detach() for k, v in lesson.own(module).items()} | inner


def snapshot(module):
    return {k: v.clone() for k, v in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    lists = [k for k in mine if k not in state], [k for k in state if k not in mine]
    bad = [k for k in mine if k in state and mine[k].shape != state[k].shape]
    if bad or (strict and any(lists)):
        raise ValueError(f"{lists} {bad}")
    for k in mine.keys() & state.keys():
        mine[k].copy_(state[k])
    return lists
# %% state
def snapshot(module):
    return {k: v.detach().clone() for k, v in [*module.named_parameters(), *module.named_buffers()]}


def restore(module, state, strict=True):
    return tuple(module.load_state_dict(state, strict))
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight, self.bias = ml.nn.Parameter(ml.ones(channels)), ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            with ml.no_grad():
                mean.lerp_(x.mean(0), self.momentum)
                var.lerp_(x.var(0), self.momentum)
            mean, var = x.mean(0), x.var(0, correction=0)
        return (x - mean) / (var.sqrt() + self.eps) * self.weight + self.bias
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight, self.bias = ml.nn.Parameter(ml.ones(channels)), ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            with ml.no_grad():
                mean.lerp_(x.mean(0), self.momentum)
                var.lerp_(x.var(0), self.momentum)
            mean, var = x.mean(0), x.var(0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight, self.bias = ml.nn.Parameter(ml.ones(channels)), ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if len(x) > 1:
            with ml.no_grad():
                mean.lerp_(x.mean(0), self.momentum)
                var.lerp_(x.var(0), self.momentum)
            mean, var = x.mean(0), x.var(0, correction=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight, self.bias = ml.nn.Parameter(ml.ones(channels)), ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            with ml.no_grad():
                mean.lerp_(x.mean(0), self.momentum)
                var.lerp_(x.var(0), self.momentum)
                mean, var = x.mean(0), x.var(0, correction=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight, self.bias = ml.nn.Parameter(ml.ones(channels)), ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels), persistent=False)

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            with ml.no_grad():
                mean.lerp_(x.mean(0), self.momentum)
                var.lerp_(x.var(0), self.momentum)
            mean, var = x.mean(0), x.var(0, correction=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias
# %% measured
def measured(model, x):
    sizes = {}

    def watch(name):
        return lambda module, args, out: sizes.update({name: out.numel() * out.itemsize})

    handles = [m.register_forward_hook(watch(name)) for name, m in model.named_modules() if not [*m.children()]]
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes = {}

    def watch(name):
        return lambda module, args, out: sizes.update({name: sizes.get(name, 0) + out.numel() * 4})

    handles = [m.register_forward_hook(watch(name)) for name, m in model.named_modules() if not [*m.children()]]
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes = {}

    def watch(name):
        return lambda module, args, out: sizes.update({name: sizes.get(name, 0) + out.numel() * out.itemsize})

    handles = [m.register_forward_hook(watch(name)) for name, m in model.named_modules()]
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes = {}

    def watch(name):
        return lambda module, args, out: sizes.update({name: sizes.get(name, 0) + out.numel() * out.itemsize})

    handles = [m.register_forward_hook(watch(name)) for name, m in model.named_modules() if not [*m.children()]]
    model(x)
    for handle in handles:
        handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes = {}

    def watch(name):
        return lambda module, args, out: sizes.update({name: sizes.get(name, 0) + out.numel() * out.itemsize})

    handles = [m.register_forward_hook(watch(name)) for name, m in model.named_children() if not [*m.children()]]
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
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
    parameter -= group["lr"] * (m / (1 - beta1**t)) / (v / (1 - beta2**t) + group["eps"]).sqrt()
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * m / ((v / (1 - beta2**t)).sqrt() + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / (v.sqrt() + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = 0.9, 0.999
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
# %% adam
COUNT = [0]


def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    COUNT[0] += 1
    t, m, v = COUNT[0], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
