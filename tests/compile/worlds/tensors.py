"""Functions of tensors, modules and optimizers that are other than in the call before: facts, hooks, parts, history."""

from __future__ import annotations

import copy
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def ones(*shape: int, **how: Any) -> Any:
    return ml.ones(*shape, **how)


def gradients_wanted_or_not(compile: Any) -> Any:
    w = ones(2)
    f = compile(lambda x: (x * w, w.requires_grad, w.is_leaf, (x * w).requires_grad))
    yield f(X)
    w.requires_grad_()
    yield f(X)
    w.requires_grad = False
    yield f(X)
    w = ones(2, requires_grad=True) * 2
    yield f(X)
    w = w.detach()
    yield f(X)


def gradients_set_and_let_go(compile: Any) -> Any:
    w = ones(2, requires_grad=True)

    @compile
    def f(x):
        (x * w).sum().backward()
        return w.grad.clone(), w.grad is kept[0]

    kept: list[Any] = [None]
    yield f(X), f(X)
    w.grad = None
    yield f(X)
    w.grad = kept[0] = ones(2) * 5
    yield f(X), kept
    w.grad.zero_()
    yield f(X), kept

    @compile
    def g(x):
        if w.grad is None:
            return x
        w.grad = None
        return x * 2

    yield g(X), g(X), w.grad
    w.grad = ones(2)
    yield g(X), w.grad

    @compile
    def h(x):
        w.grad = x * 3
        w.grad += 1
        return w.grad is x

    yield h(X), w.grad, h(X), w.grad


def data_replaced(compile: Any) -> Any:
    w = ones(2, requires_grad=True)
    f = compile(lambda x: (x * w).sum())
    yield f(X)
    w.data = ml.tensor([3.0, 4.0])
    yield f(X)
    w.data = ones(2, dtype=ml.float64)
    yield f(X)
    w.data = ones(2, 2)
    yield f(X)
    w.data[0, 0] = 9
    yield f(X)

    @compile
    def g(x):
        w.data = w.data * 2
        w.data.add_(1)
        return w + 0

    w = ones(2, requires_grad=True)
    yield g(X), g(X), w


def strides_and_views(compile: Any) -> Any:
    base = ml.arange(6.0).reshape(2, 3)
    f = compile(lambda x: (x.is_contiguous(), x.stride(), x.reshape(-1), x.sum(0)))
    yield f(base), f(base.T), f(base[:, ::2]), f(base.T.contiguous()), f(base[:1].expand(2, 3)), f(base)
    v = base[0]

    @compile
    def g(x):
        v.add_(1)
        base[1] = v * 2
        return base.sum(), v

    yield g(X), g(X), base
    v = base[1]
    yield g(X), base
    v = ones(3)
    yield g(X), base


def dtypes_and_devices(compile: Any) -> Any:
    f = compile(lambda x: (x + 1, x.dtype, x / 2, x.sum()))
    for dtype in (ml.float32, ml.float64, ml.int64, ml.bool, ml.float32):
        yield f(X.to(dtype))
    yield f(ml.tensor(3)), f(ml.tensor([])), f(ml.tensor(2.5))


def hooks_of_tensors(compile: Any) -> Any:
    w, log = ones(2, requires_grad=True), []

    @compile
    def f(x):
        loss = (x * w).sum()
        loss.backward()
        return loss

    yield f(X), w.grad
    handle = w.register_hook(lambda g: log.append(g.tolist()) or g * 10)
    yield f(X), w.grad, log
    handle.remove()
    yield f(X), w.grad, log

    @compile
    def g(x):
        y = x * w
        y.register_hook(lambda g: g * 2)
        y.retain_grad()
        y.sum().backward()
        return y.grad

    yield g(X), w.grad, g(X), w.grad


def hooks_of_modules_come_and_go(compile: Any) -> Any:
    net, log = nn.Linear(2, 2), []
    net.weight.data, net.bias.data = ones(2, 2), ones(2)
    f = compile(lambda x: net(x))
    yield f(X)
    first = net.register_forward_hook(lambda m, args, out: out * 2)
    yield f(X)
    second = net.register_forward_pre_hook(lambda m, args: log.append("pre") or (args[0] * 3,))
    yield f(X), log
    first.remove()
    yield f(X), log
    second.remove()
    yield f(X), log


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Identity()])
        self.table = nn.ModuleDict({"a": nn.ReLU()})
        self.w = nn.Parameter(ones(2))
        self.register_buffer("b", ones(2))
        self.act = ml.tanh

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        for name, layer in self.table.items():
            x = layer(x) + len(name)
        return self.act(x * self.w + self.b), self.training


def parts_of_modules(compile: Any) -> Any:
    net = Net()
    f = compile(lambda x: net(x))
    yield f(X)
    net.layers.append(nn.ReLU())
    yield f(-X)
    net.table["bb"] = nn.Identity()
    yield f(-X)
    del net.table["a"]
    yield f(-X)
    net.layers[0] = nn.Tanh()
    yield f(-X)
    net.w = nn.Parameter(ones(2) * 3)
    yield f(X)
    net.b = ones(2) * 5
    yield f(X)
    net.act = lambda x: x * 100
    yield f(X)
    net.w = None
    yield outcome(f, X)
    net.w = nn.Parameter(ones(2))
    net.eval()
    yield f(X)
    del net.b
    yield outcome(f, X)
    net.b = 2
    yield f(X)


def a_state_loaded(compile: Any) -> Any:
    net = nn.Sequential(nn.Linear(2, 2), nn.BatchNorm1d(2))
    state = {k: v.clone() * 0 + 2 for k, v in net.state_dict().items()}
    f = compile(lambda x: net(x))
    x = ml.arange(6.0).reshape(3, 2)
    ml.manual_seed(3)
    for p in net.parameters():
        p.data = ones(*p.shape)
    yield f(x), net[1].running_mean
    net.load_state_dict(state)
    yield f(x), net[1].running_mean, net[1].num_batches_tracked
    net.eval()
    yield f(x), net[1].running_mean
    net.train()
    net[1].momentum = 0.9
    yield f(x), net[1].running_mean
    for eps in (1.0, 2.0, 4.0):
        net[1].eps = eps
        yield f(x)


def a_number_that_is_compared(compile: Any) -> Any:
    f = compile(lambda x, a: ml.addcmul(x, x, x, value=a))
    for a in (0.5, 2.0, 1.0):
        yield f(ml.arange(3), a)  # a product with 1 stays whole


def the_default_dtype(compile: Any) -> Any:
    f = compile(lambda x: x / 2)
    try:
        for dtype in (ml.float32, ml.float64, ml.float32):
            ml.set_default_dtype(dtype)
            yield f(ml.arange(3))
    finally:
        ml.set_default_dtype(ml.float32)


def copies_that_share_memory(compile: Any) -> Any:
    @compile
    def f(x):
        held = {"all": x, "row": x[1], "turned": x.t(), "again": x, "one": [x[0, 0]]}
        twin = copy.deepcopy(held)
        twin["all"].add_(1)
        return twin, twin["again"] is twin["all"], twin["row"]._version, x

    for n in (2, 2, 3):
        yield f(ones(n, 2))


def indices_that_differ(compile: Any) -> Any:
    shelf = ml.arange(30).reshape(10, 3).float()

    @compile
    def f(at, by):
        y = shelf * 1
        y[at, 0] = 5.0
        return shelf[at], shelf[at, by[0]], y[[*by, -1], 1:], [shelf[i] for i in at]

    for at, by in (([1, 2], [0]), ([3, -1], [1]), ([5, 0], [2]), ([9, 9], [1]), ([1, 2, 3], [0])):
        yield f(at, by)
    yield type(outcome(f, [1, 10], [0]))
