# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("found", {})

    def __setattr__(self, name, value):
        if isinstance(value, ml.Tensor | Mini):
            self.found[name] = value
        super().__setattr__(name, value)

    def named_parameters(self):
        for name, part in self.found.items():
            if isinstance(part, Mini):
                yield from ((f"{name}.{below}", p) for below, p in part.named_parameters())
            else:
                yield name, part

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]

# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("found", {})

    def __setattr__(self, name, value):
        if isinstance(value, ml.nn.Parameter | Mini):
            self.found[name] = value
        super().__setattr__(name, value)

    def named_parameters(self):
        for name, part in self.found.items():
            if isinstance(part, Mini):
                yield from ((f"{name}.{below}", p) for below, p in part.named_parameters())
            else:
                yield name, part

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]

# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        if isinstance(value, ml.nn.Parameter):
            self.mine[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def named_parameters(self):
        yield from self.own.items()
        for name, module in self.inner.items():
            yield from ((f"{name}.{below}", p) for below, p in module.named_parameters())

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]

# %% registers
class Mini:
    def __init__(self):
        self.own = {}

    def __setattr__(self, name, value):
        if isinstance(value, ml.nn.Parameter | Mini):
            self.mine[name] = value
        self.__dict__[name] = value

    def named_parameters(self):
        return list(self.own.items())

    def parameters(self):
        return list(self.own.values())

# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: p.detach().clone() for name, p in module.named_parameters()}


def restore(module, state, strict=True):
    mine = live(module)
    missing = [name for name in mine if name not in state]
    unexpected = [name for name in state if name not in mine]
    shapes = [name for name in mine if name in state and state[name].shape != mine[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in mine:
        if name in state:
            mine[name].copy_(state[name])
    return missing, unexpected

# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.detach() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    missing = [name for name in mine if name not in state]
    unexpected = [name for name in state if name not in mine]
    shapes = [name for name in mine if name in state and state[name].shape != mine[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in mine:
        if name in state:
            mine[name].copy_(state[name])
    return missing, unexpected

# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    missing = [name for name in mine if name not in state]
    unexpected = [name for name in state if name not in mine]
    for name in mine:
        if name in state:
            mine[name].copy_(state[name])
    if strict and (missing or unexpected):
        raise KeyError(f"missing {missing}, unexpected {unexpected}")
    return missing, unexpected

# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    mine = live(module)
    missing = [name for name in mine if name not in state]
    unexpected = [name for name in state if name not in mine]
    if strict and (missing or unexpected):
        raise KeyError(f"missing {missing}, unexpected {unexpected}")
    for name in mine:
        if name in state:
            mine[name].copy_(state[name])
    return missing, unexpected

# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean(0), x.var(0, correction=0)
            with ml.no_grad():
                self.running_mean += self.momentum * (mean - self.running_mean)
                self.running_var += self.momentum * (var - self.running_var)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias

# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.running_mean, self.running_var = ml.zeros(channels), ml.ones(channels)

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            with ml.no_grad():
                mean += self.momentum * (x.mean(0) - mean)
                var += self.momentum * (x.var(0) - var)
            mean, var = x.mean(0), x.var(0, correction=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias

# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = self.running_mean, self.running_var
        if self.training:
            mean, var = x.mean(0), x.var(0, correction=0)
            self.running_mean = (1 - self.momentum) * self.running_mean + self.momentum * mean
            self.running_var = (1 - self.momentum) * self.running_var + self.momentum * x.var(0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias

# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        mean, var = x.mean(0), x.var(0, correction=0)
        if self.training:
            with ml.no_grad():
                self.running_mean += self.momentum * (mean - self.running_mean)
                self.running_var += self.momentum * (x.var(0) - self.running_var)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias

# %% measured
def measured(model, x):
    sizes = {}
    for name, module in model.named_modules():
        if not list(module.children()):
            module.register_forward_hook(lambda m, a, out, name=name: sizes.update({name: out.numel() * out.itemsize}))
    model(x)
    return sizes

# %% measured
def measured(model, x):
    sizes, handles = {}, []
    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(
                module.register_forward_hook(lambda m, a, out: sizes.update({name: out.numel() * out.itemsize}))
            )
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes

# %% measured
def measured(model, x):
    sizes, handles = {}, []
    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(
                module.register_forward_hook(lambda m, a, out, name=name: sizes.setdefault(name, out.numel() * out.itemsize))
            )
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes

# %% measured
def measured(model, x):
    sizes, handles = {}, []
    for name, module in model.named_modules():
        handles.append(
            module.register_forward_hook(lambda m, a, out, name=name: sizes.update({name: out.numel() * out.itemsize}))
        )
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes

# %% adam
def adam(parameter, grad, state, group):
    beta1, beta2 = group["betas"]
    m = state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * grad
    v = state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * grad * grad
    parameter -= group["lr"] * m / (v.sqrt() + group["eps"])

# %% adam
def adam(parameter, grad, state, group):
    beta1, beta2 = group["betas"]
    t = group["t"] = group.get("t", 0) + 1
    m = state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * grad
    v = state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * grad * grad
    root = (v / (1 - beta2**t)).sqrt()
    parameter -= group["lr"] * m / (1 - beta1**t) / (root + group["eps"])

# %% adam
def adam(parameter, grad, state, group, moments={}):
    beta1, beta2 = group["betas"]
    t = state["t"] = state.get("t", 0) + 1
    m, v = moments.get(id(parameter), (0.0, 0.0)) if t > 1 else (0.0, 0.0)
    m = beta1 * m + (1 - beta1) * grad
    v = beta2 * v + (1 - beta2) * grad * grad
    moments[id(parameter)] = m, v
    root = (v / (1 - beta2**t)).sqrt()
    parameter -= group["lr"] * m / (1 - beta1**t) / (root + group["eps"])

# %% adam
def adam(parameter, grad, state, group):
    beta1, beta2 = group["betas"]
    t = state["t"] = state.get("t", 0) + 1
    m = state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * grad
    v = state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * grad * grad
    parameter = parameter - group["lr"] * m / (1 - beta1**t) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
