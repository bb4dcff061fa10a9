# %% registers
class Mini:
    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)

    def _walk(self, prefix):
        inside = []
        for name, value in vars(self).items():
            if isinstance(value, ml.nn.Parameter):
                yield prefix + name, value
            elif isinstance(value, Mini):
                inside.append((name, value))
        for name, value in inside:
            yield from value._walk(prefix + name + ".")

    def named_parameters(self):
        found = {}
        for name, p in self._walk(""):
            if not any(p is q for q in found.values()):
                found[name] = p
        return found

    def parameters(self):
        return list(self.named_parameters().values())
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
# %% registers
from collections import OrderedDict

class Mini:
    def __new__(cls, *args, **kwargs):
        self = super().__new__(cls)
        object.__setattr__(self, "registered", OrderedDict())
        return self

    def __setattr__(self, name, value):
        object.__setattr__(self, name, value)
        if isinstance(value, (ml.nn.Parameter, Mini)):
            self.registered[name] = value
        elif name in self.registered:
            del self.registered[name]

    def named_parameters(self):
        first_name = {}
        mine = [(k, v) for k, v in self.registered.items() if not isinstance(v, Mini)]
        for k, v in self.registered.items():
            if isinstance(v, Mini):
                mine += [(f"{k}.{kk}", vv) for kk, vv in v.named_parameters()]
        for k, v in mine:
            first_name.setdefault(id(v), (k, v))
        return tuple(first_name.values())

    def parameters(self):
        return map(lambda pair: pair[1], self.named_parameters())
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
# %% state
from collections import OrderedDict

def live(module, prefix=""):
    found = OrderedDict()
    stack = [(prefix, module)]
    while stack:
        path, each = stack.pop()
        for name, tensor in lesson.own(each).items():
            found[path + name] = tensor
        for name, child in each.named_children():
            stack.append((path + name + ".", child))
    return found


def snapshot(module):
    return OrderedDict((name, ml.tensor(tensor.tolist(), dtype=tensor.dtype)) for name, tensor in live(module).items())


def restore(module, state, strict=True):
    mine = live(module)
    report = {"missing": [], "unexpected": []}
    todo = []
    for name, tensor in mine.items():
        if name not in state:
            report["missing"].append(name)
        elif state[name].shape != tensor.shape:
            raise ml.errors.ShapeError("restore: " + name)
        else:
            todo.append((tensor, state[name]))
    report["unexpected"] = [name for name in state if name not in mine]
    if strict and sum(report.values(), []):
        raise KeyError(str(report))
    for tensor, value in todo:
        tensor.detach().copy_(value)
    return report["missing"], report["unexpected"]
# %% state
import copy

def live(module, prefix=""):
    return {**{prefix + k: v.detach() for k, v in lesson.own(module).items()},
            **{k: v for name, child in module.named_children() for k, v in live(child, prefix + name + ".").items()}}


def snapshot(module):
    return copy.deepcopy(live(module))


def restore(module, state, strict=True):
    class Misfit(Exception):
        pass

    own = live(module)
    missing = tuple(k for k in own if k not in state)
    unexpected = tuple(k for k in state if k not in own)
    bad = [f"{k} should be {own[k].shape}" for k in own if k in state and own[k].shape != state[k].shape]
    if strict:
        bad += [f"{k} missing" for k in missing] + [f"{k} unexpected" for k in unexpected]
    if bad:
        raise Misfit("; ".join(bad))
    for k, v in own.items():
        if k in state:
            v[...] = state[k]
    return [missing, unexpected]
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
# %% norm
class Norm(ml.nn.Module):
    def __init__(self, channels, momentum=0.1, eps=1e-5):
        super().__init__()
        self.momentum, self.eps = momentum, eps
        self.weight = ml.nn.Parameter(ml.ones(channels))
        self.bias = ml.nn.Parameter(ml.zeros(channels))
        self.register_buffer("running_mean", ml.zeros(channels))
        self.register_buffer("running_var", ml.ones(channels))
        self.register_buffer("batches", ml.tensor(0))

    def forward(self, x):
        if self.training:
            rows = len(x)
            mean = x.sum(0) / rows
            squares = ((x - mean) * (x - mean)).sum(0)
            var = squares / rows
            old_mean, old_var = self.running_mean, self.running_var
            with ml.no_grad():
                self.batches += 1
                old_mean.copy_(old_mean + self.momentum * (mean - old_mean))
                old_var.copy_(old_var + self.momentum * (squares / (rows - 1) - old_var))
        else:
            mean, var = self.running_mean, self.running_var
        scale = self.weight / ml.sqrt(var + self.eps)
        return x * scale + (self.bias - mean * scale)
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
# %% measured
from collections import Counter
from functools import partial

def measured(model, x):
    sizes = Counter()

    def note(name, module, args, out):
        sizes[name] += out.itemsize * out.numel()

    handles = [
        module.register_forward_hook(partial(note, name))
        for name, module in model.named_modules()
        if next(module.children(), None) is None
    ]
    try:
        model(x)
    finally:
        [handle.remove() for handle in handles]
    return sizes
# %% measured
import numpy as np
from contextlib import ExitStack

def measured(model, x):
    with ExitStack() as stack:
        names = {id(m): name for name, m in model.named_modules() if not [*m.children()]}
        seen = []
        for m in model.modules():
            if id(m) in names:
                handle = m.register_forward_hook(lambda m, args, out: seen.append((names[id(m)], out.detach().numpy().nbytes)))
                stack.callback(handle.remove)
        model(x)
    return {name: np.sum([size for other, size in seen if other == name]) for name in dict(seen)}
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
# %% adam
import math

def adam(parameter, grad, state, group):
    (b1, b2), lr, eps = group["betas"], group["lr"], group["eps"]
    step = state.setdefault("step", 0) + 1
    m = b1 * state.setdefault("exp_avg", 0 * grad) + (1 - b1) * grad
    v = b2 * state.setdefault("exp_avg_sq", 0 * grad) + (1 - b2) * grad**2
    state.update(step=step, exp_avg=m, exp_avg_sq=v)
    parameter.sub_(lr / (1 - b1**step) * m / (v.sqrt() / math.sqrt(1 - b2**step) + eps))
# %% adam
import numpy as np

def adam(parameter, grad, state, group):
    g = grad.numpy()
    if "moments" not in state:
        state["moments"] = (np.zeros_like(g), np.zeros_like(g), 1.0, 1.0)
    m, v, p1, p2 = state["moments"]
    beta1, beta2 = group["betas"]
    m = beta1 * m + (1 - beta1) * g
    v = beta2 * v + (1 - beta2) * np.square(g)
    p1, p2 = p1 * beta1, p2 * beta2
    state["moments"] = m, v, p1, p2
    new = parameter.detach().numpy() - group["lr"] * (m / (1 - p1)) / (np.sqrt(v / (1 - p2)) + group["eps"])
    parameter.copy_(ml.tensor(new))
# %% adam
def adam(parameter, grad, state, group):
    state["t"] = ml.tensor(state["t"].item() + 1 if "t" in state else 1)
    for name, beta, new in zip("mv", group["betas"], (grad, grad * grad)):
        if name not in state:
            state[name] = ml.zeros_like(parameter)
        state[name] = state[name] * beta + new * (1 - beta)
    t = state["t"].item()
    hat_m, hat_v = (state[name] / (1 - beta**t) for name, beta in zip("mv", group["betas"]))
    parameter.data -= group["lr"] * hat_m / (hat_v.sqrt() + group["eps"])
