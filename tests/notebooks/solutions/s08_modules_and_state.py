"""Solutions to 08_modules_and_state: what stands after `# %% id` goes into the cell with that id."""

import minitorch_lab as ml
from minitorch_lab.lessons import lesson_08_modules as lesson

# %% guess-found
finds_scale = "yes"
finds_shift = "no"
finds_layers = "no"
finds_seen = "no"


# %% registers-exercise
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
        return [parameter for _, parameter in self.named_parameters()]


# %% guess-tied
numbers_of_tied = 1600
names_in_the_state = 2

# %% guess-shares
weight_in_best = 2

# %% guess-prefix
missing = ["head.weight", "head.bias"]


# %% state-exercise
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
    shapes = [name for name in mine if name in state and state[name].shape != mine[name].shape]
    if shapes or (strict and (missing or unexpected)):
        raise ValueError(f"missing {missing}, unexpected {unexpected}, of another shape {shapes}")
    for name in mine:
        if name in state:
            mine[name].copy_(state[name])
    return missing, unexpected


# %% guess-dropout
numbers_in_training = [0, 2]
numbers_in_evaluation = [1]

# %% guess-norm
out_for_the_3 = 1
running_variance = 1.5

# %% guess-freeze
frozen_body_changes = "yes"


# %% norm-exercise
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
            with ml.no_grad():
                mean += self.momentum * (x.mean(0) - mean)
                var += self.momentum * (x.var(0) - var)
            mean, var = x.mean(0), x.var(0, correction=0)
        return (x - mean) / (var + self.eps).sqrt() * self.weight + self.bias


# %% guess-hooks
with_a_look = 10
with_a_word = 11
with_a_pre_hook = 100


# %% measured-exercise
def measured(model, x):
    sizes = {}

    def watch(name):
        def hook(module, args, out):
            sizes[name] = sizes.get(name, 0) + out.numel() * out.itemsize

        return hook

    modules = [(name, module) for name, module in model.named_modules() if not list(module.children())]
    handles = [module.register_forward_hook(watch(name)) for name, module in modules]
    try:
        model(x)
    finally:
        for handle in handles:
            handle.remove()
    return sizes


# %% guess-remembers
numbers_in_adam = 2020
keys_in_the_file = "numbers"

# %% guess-groups
new_head_learns = "no"


# %% adam-exercise
def adam(parameter, grad, state, group):
    beta1, beta2 = group["betas"]
    t = state["t"] = state.get("t", 0) + 1
    m = state["m"] = beta1 * state.get("m", 0.0) + (1 - beta1) * grad
    v = state["v"] = beta2 * state.get("v", 0.0) + (1 - beta2) * grad * grad
    root = (v / (1 - beta2**t)).sqrt()
    parameter -= group["lr"] * m / (1 - beta1**t) / (root + group["eps"])


# %% guess-resume
without_generator = 1
without_optimizer = 2
without_schedule = 3
without_statistics = "never"
