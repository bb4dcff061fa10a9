"""Functions of modules and optimizers, and of tensors with a history, that are other than before."""

from __future__ import annotations

from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.worlds.observe import outcome

X = ml.tensor([1.0, 2.0])


def ones(*shape: int, **how: Any) -> Any:
    return ml.ones(*shape, **how)


def tied_and_untied(compile: Any) -> Any:
    a, b = nn.Linear(2, 2, bias=False), nn.Linear(2, 2, bias=False)
    a.weight.data, b.weight.data = ones(2, 2), ones(2, 2) * 2

    @compile
    def f(x):
        loss = b(a(x)).sum()
        loss.backward()
        return loss, a.weight.grad is b.weight.grad

    yield f(X), a.weight.grad, b.weight.grad
    b.weight = a.weight
    yield f(X), a.weight.grad, b.weight.grad
    b.weight = nn.Parameter(ones(2, 2))
    yield f(X), a.weight.grad, b.weight.grad
    b = a
    yield f(X), a.weight.grad


def frozen_and_thawed(compile: Any) -> Any:
    net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
    for p in net.parameters():
        p.data = ones(*p.shape)
    opt = ml.optim.SGD(net.parameters(), lr=0.1)

    @compile
    def step(x):
        opt.zero_grad()
        loss = net(x).sum()
        loss.backward()
        opt.step()
        return loss

    yield step(X), [p.tolist() for p in net.parameters()]
    net[0].requires_grad_(False)
    yield step(X), [p.tolist() for p in net.parameters()]
    net[0].requires_grad_(True)
    net[1].bias.requires_grad_(False)
    yield step(X), step(X), [p.tolist() for p in net.parameters()]


def optimizers_that_change(compile: Any) -> Any:
    w, v = ones(2, requires_grad=True), ones(2, requires_grad=True)
    opt = ml.optim.Adam([w], lr=0.1)
    schedule = ml.optim.lr_scheduler.StepLR(opt, 2, 0.5) if hasattr(ml.optim, "lr_scheduler") else None

    @compile
    def step(x):
        loss = (x * w * v).sum()
        loss.backward()
        opt.step()
        opt.zero_grad()
        return loss

    yield step(X), step(X), w
    opt.param_groups[0]["lr"] = 0.5
    yield step(X), w
    opt.add_param_group({"params": [v], "lr": 0.01})
    yield step(X), step(X), w, v, v.grad
    opt.state.clear()
    yield step(X), w, v
    opt.param_groups[0]["betas"] = (0.5, 0.5)
    opt.param_groups[1]["weight_decay"] = 0.1
    yield step(X), w, v
    if schedule is not None:
        for _ in range(3):
            schedule.step()
            yield step(X), w, v
    opt = ml.optim.SGD([w], lr=1.0)
    yield step(X), w, v.grad


def a_schedule_inside(compile: Any) -> Any:
    w = ones(2, requires_grad=True)
    opt = ml.optim.SGD([w], lr=1.0, momentum=0.5)
    schedule = ml.optim.lr_scheduler.StepLR(opt, 2, 0.5) if hasattr(ml.optim, "lr_scheduler") else None

    @compile
    def step(x):
        opt.zero_grad()
        (x * w).sum().backward()
        opt.step()
        if schedule is not None:
            schedule.step()
        return opt.param_groups[0]["lr"]

    for _ in range(5):
        yield step(X), w


def attributes_of_tensors(compile: Any) -> Any:
    class Tagged(ml.Tensor):
        pass

    w = ones(2).as_subclass(Tagged) if hasattr(ml.Tensor, "as_subclass") else nn.Parameter(ones(2))

    @compile
    def f(x):
        w.tag = getattr(w, "tag", 0) + 1
        return x * w.tag

    yield outcome(f, X), outcome(f, X), getattr(w, "tag", None)
    g = compile(lambda x: getattr(x, "tag", -1))
    yield g(X), g(w), g(X)


def methods_added_to_tensors(compile: Any) -> Any:
    f = compile(lambda x: x.doubled())
    yield outcome(f, X)
    try:
        ml.Tensor.doubled = lambda self: self * 2
        yield outcome(f, X)
        ml.Tensor.doubled = lambda self: self * 3
        yield outcome(f, X)
    finally:
        del ml.Tensor.doubled
    yield outcome(f, X)


def versions_of_tensors(compile: Any) -> Any:
    w = ones(2, requires_grad=True)
    y = ones(2)

    @compile
    def f(x):
        z = w * y
        y.mul_(2)
        return z.sum()

    def back(x):
        f(x).backward()

    yield type(outcome(back, X)), y


def writes_that_are_seen_by_aliases(compile: Any) -> Any:
    @compile
    def f(a, b):
        a.add_(1)
        c = b * 2
        b.mul_(3)
        return a + c

    t = ones(4)
    yield f(t, ones(4)), f(t, t), f(t[:2], t[2:]), f(t[1:3], t[:2]), t
    yield f(t, t.view(4)), f(t.view(2, 2), t.view(2, 2)), t


def histories_across_calls(compile: Any) -> Any:
    w = ones(2, requires_grad=True)
    state = [ones(2)]

    @compile
    def f(x):
        state[0] = ml.tanh(state[0] * w + x)
        return state[0].sum()

    losses = [f(X), f(X), f(X)]
    losses[-1].backward()
    yield w.grad, losses
    state[0] = state[0].detach()
    w.grad = None
    f(X).backward()
    yield w.grad, state[0]

    @compile
    def g(x):
        y = f(x)
        y.backward()
        return w.grad

    yield type(outcome(g, X)), type(outcome(g, X))
    state[0] = ones(2)
    yield outcome(g, X)


def grad_of_grad_state(compile: Any) -> Any:
    w = ones(2, requires_grad=True)

    @compile
    def f(x, create):
        (g,) = ml.autograd.grad((x * w**3).sum(), [w], create_graph=create)
        return g, g.requires_grad

    for create in (True, False, True):
        g, on = f(X, create)
        yield g, on
        if on:
            g.sum().backward()
            yield w.grad


def shapes_from_the_world(compile: Any) -> Any:
    held: Any = {"n": 2, "dims": (2, 1), "pad": 0}
    f = compile(lambda x: (x.reshape(*held["dims"]), ml.zeros(held["n"]), x.repeat(held["n"]), x[held["pad"] :]))
    yield f(X)
    held["n"] = 3
    yield f(X)
    held["dims"] = (1, 2)
    yield f(X)
    held["pad"] = 1
    yield f(X)
    held["dims"] = (-1,)
    yield f(X)
    held["n"] = True
    yield outcome(f, X)
    held["n"] = 1
    held["dims"] = (3,)
    yield outcome(f, X)


def entries_that_decide(compile: Any) -> Any:
    t = ml.tensor([1, 0])

    @compile
    def f(x):
        out = []
        for k in range(2):
            if t[k]:
                out.append(x[k].item())
        while t.sum() < 3:
            t.add_(1)
        return out, int(t[0]), t.tolist()

    yield f(X), t
    t.copy_(ml.tensor([0, 0]))
    yield f(X), t
    t.copy_(ml.tensor([5, 5]))
    yield f(X), t
