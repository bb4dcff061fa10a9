# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if name not in seen:
                seen.add(name)
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    own, inner = {}, {}

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self, seen=set()):
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.Tensor) and value.requires_grad:
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, list):
            for k, each in enumerate(value):
                self.inner[f"{name}.{k}"] = each
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        self.own = {}
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        setattr(self, name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return [parameter for _, parameter in self.named_parameters()]
# %% registers
class Mini:
    def __init__(self):
        super().__setattr__("own", {})
        super().__setattr__("inner", {})

    def __setattr__(self, name, value):
        self.own.pop(name, None)
        self.inner.pop(name, None)
        if isinstance(value, ml.nn.Parameter):
            self.own[name] = value
        elif isinstance(value, Mini):
            self.inner[name] = value
        super().__setattr__(name, value)

    def everywhere(self, prefix=""):
        for name, parameter in self.own.items():
            yield prefix + name, parameter
        for name, module in self.inner.items():
            yield from module.everywhere(f"{prefix}{name}.")

    def named_parameters(self):
        seen = set()
        for name, parameter in self.everywhere():
            if id(parameter) not in seen:
                seen.add(id(parameter))
                yield name, parameter

    def parameters(self):
        return list(self.own.values())
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
    return missing, unexpected
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
    return missing, unexpected
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            with ml.no_grad():
                own[name].copy_(state[name])
    return missing, unexpected
# %% state
def snapshot(module):
    state = {name: p.detach().clone() for name, p in module.named_parameters()}
    return state | {name: b.clone() for name, b in module.named_buffers()}


def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
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
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if strict and (shapes or missing or unexpected):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
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
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
    return unexpected, missing
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError("the state does not fit")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
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
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].copy_(state[name])
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
    for path, value in state.items():
        *owners, name = path.split(".")
        owner = module
        for each in owners:
            owner = getattr(owner, each)
        if isinstance(getattr(owner, name), ml.nn.Parameter):
            value = ml.nn.Parameter(value)
        setattr(owner, name, value)
    return [], []
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    report = module.load_state_dict(state, strict)
    return report.missing_keys, report.unexpected_keys
# %% state
def live(module, prefix=""):
    found = {prefix + name: tensor.detach() for name, tensor in lesson.own(module).items()}
    for name, child in module.named_children():
        found |= live(child, f"{prefix}{name}.")
    return found


def snapshot(module):
    return {name: tensor.clone() for name, tensor in live(module).items()}


def restore(module, state, strict=True):
    own = live(module)
    missing = [name for name in own if name not in state]
    unexpected = [name for name in state if name not in own]
    shapes = [name for name in own if name in state and state[name].shape != own[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in own:
        if name in state:
            own[name].data = state[name]
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
        return (x - mean) / (var.sqrt() + self.eps) * self.weight + self.bias
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var, n = x.var(0), 1e9
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(self.momentum).add_(mean, alpha=1 - self.momentum)
            self.running_var.mul_(self.momentum).add_(var * n / (n - 1), alpha=1 - self.momentum)
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        with ml.no_grad():
            mean = x.mean(0)
            var = ((x - mean) ** 2).mean(0)
            n = x.shape[0]
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
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
        if x.shape[0] == 1:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.copy_(mean)
            self.running_var.copy_(var * n / (n - 1))
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            pass
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
        return (x - mean) / (var + self.eps).sqrt()
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels), persistent=False)

    def forward(self, x):
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.running_mean = ml.nn.Parameter(ml.zeros(channels), requires_grad=False)
        self.register_buffer("running_var", ml.ones(channels))

    def forward(self, x):
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean(0)
        var = ((x - mean) ** 2).mean(0)
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
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
        if not self.training:
            return (x - self.running_mean) / (self.running_var + self.eps).sqrt() * self.weight + self.bias
        mean = x.mean()
        var = ((x - mean) ** 2).mean()
        n = x.shape[0]
        with ml.no_grad():
            self.running_mean.mul_(1 - self.momentum).add_(mean, alpha=self.momentum)
            self.running_var.mul_(1 - self.momentum).add_(var * n / (n - 1), alpha=self.momentum)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = out.numel() * out.itemsize

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * 4

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel()

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + args[0].numel() * out.itemsize

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize

        return hook

    for name, module in model.named_modules():
        handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    model(x)
    for handle in handles:
        handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize

        return hook

    for name, module in model.named_children():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for module in model.modules():
            module._hooks = None
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize
            return sizes[name]

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes
# %% measured
def measured(model, x):
    sizes, handles = {}, []

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize

        return hook

    for name, module in model.named_modules():
        if not list(module.children()):
            handles.append(module.register_forward_hook(watch(name)))
    try:
        model(x)
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
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)) + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    grad *= 1.5
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter += group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
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
# %% adam
MEMORY = {}


def adam(parameter, grad, state, group):
    state = MEMORY.setdefault(id(parameter), {})
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    state["t"] += 1
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
# %% adam
def adam(parameter, grad, state, group):
    if not state:
        state["t"], state["m"], state["v"] = 0, ml.zeros_like(grad), ml.zeros_like(grad)
    beta1, beta2 = group["betas"]
    t, m, v = state["t"], state["m"], state["v"]
    m.mul_(beta1).add_(grad, alpha=1 - beta1)
    v.mul_(beta2).add_(grad * grad, alpha=1 - beta2)
    parameter -= group["lr"] * (m / (1 - beta1**t)) / ((v / (1 - beta2**t)).sqrt() + group["eps"])
    state["t"] += 1
