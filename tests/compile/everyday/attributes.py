"""Attributes of modules and objects that are set while they compute."""

from __future__ import annotations

import types
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.everyday.table import A, B, Made, breaking, everyday, three, vec


@everyday
def counts_its_calls() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.n = 0

        def forward(self, x: Any) -> Any:
            self.n += 1
            return x * self.n

    net = Net()
    return net, three(), lambda: net.n


@everyday
def keeps_its_last_result() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.last = None

        def forward(self, x: Any) -> Any:
            y = x * 2
            self.last = y
            return y + 1

    net = Net()
    return net, three(), lambda: net.last


@everyday
def sets_what_it_never_had() -> Made:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            self.hidden = x.tanh()
            self.size = len(x)
            return self.hidden * self.size

    net = Net()
    return net, three(), lambda: (net.hidden, net.size, sorted(vars(net)))


@everyday
def sets_a_parameter() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = nn.Parameter(vec(*A))
            self.spare = nn.Parameter(vec(*B))

        def forward(self, x: Any) -> Any:
            self.w, self.spare = self.spare, self.w
            return x * self.w

    net = Net()
    return net, three(), lambda: (net.w, [n for n, _ in net.named_parameters()])


@everyday
def sets_a_buffer() -> Made:
    class Norm(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mean", vec(0.0, 0.0, 0.0))

        def forward(self, x: Any) -> Any:
            self.mean = 0.9 * self.mean + 0.1 * x.detach()
            return x - self.mean

    net = Norm()
    return net, three(), lambda: net.state_dict()


@everyday
def buffer_in_place() -> Made:
    class Norm(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("mean", vec(0.0, 0.0, 0.0))
            self.register_buffer("steps", ml.tensor(0))

        def forward(self, x: Any) -> Any:
            self.steps += 1
            self.mean.mul_(0.9).add_(x * 0.1)
            return x - self.mean

    net = Norm()
    return net, three(), lambda: net.state_dict()


@everyday
def keeps_a_list_of_losses() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.losses = []

        def forward(self, x: Any) -> Any:
            self.losses.append((x * x).sum())
            return self.losses[-1]

    net = Net()
    return net, three(), lambda: net.losses


@everyday
def starts_a_list_anew() -> Made:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            self.acts = []
            for i in range(3):
                x = x * (i + 1)
                self.acts.append(x)
            return sum(self.acts)

    net = Net()
    return net, three(), lambda: net.acts


@everyday
def swaps_a_layer() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.act = nn.ReLU()

        def forward(self, x: Any) -> Any:
            y = self.act(x)
            self.act = nn.Tanh() if isinstance(self.act, nn.ReLU) else nn.ReLU()
            return y

    net = Net()
    return net, three(), lambda: [type(m).__name__ for m in net.modules()]


@breaking
def caches_a_mask() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.mask = None

        def forward(self, x: Any) -> Any:
            if self.mask is None or len(self.mask) < len(x):
                self.mask = ml.ones(len(x), dtype=x.dtype)
            return x * self.mask

    net = Net()
    return net, [*three(), (vec(1.0, 2.0, 3.0, 4.0),), *three()], lambda: net.mask


@everyday
def deletes_an_attribute() -> Made:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            self.tmp = x * 2
            y = self.tmp + 1
            del self.tmp
            return y

    net = Net()
    return net, three(), lambda: hasattr(net, "tmp")


@everyday
def sets_by_computed_name() -> Made:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            for i in range(2):
                setattr(self, f"act_{i}", x * i)
            return getattr(self, "act_0") + getattr(self, "act_1", None) + getattr(self, "act_2", 5.0)

    net = Net()
    return net, three(), lambda: (net.act_0, net.act_1)


@everyday
def sets_in_a_child() -> Made:
    class Child(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale, self.seen = 1.0, 0

        def forward(self, x: Any) -> Any:
            self.seen = self.seen + len(x)
            return x * self.scale

    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.a, self.b = Child(), Child()

        def forward(self, x: Any) -> Any:
            self.a.scale *= 0.5
            return self.b(self.a(x))

    net = Net()
    return net, three(), lambda: (net.a.scale, net.a.seen, net.b.seen)


@everyday
def toggles_training() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.drop = nn.Dropout(0.5)

        def forward(self, x: Any) -> Any:
            self.eval()
            y = self.drop(x)
            self.train()
            return y

    net = Net()
    return net, three(), lambda: net.drop.training


@everyday
def property_with_a_setter() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self._t = 1.0

        @property
        def temperature(self) -> float:
            return self._t

        @temperature.setter
        def temperature(self, t: float) -> None:
            self._t = max(t, 0.1)

        def forward(self, x: Any) -> Any:
            self.temperature = self.temperature * 0.5
            return x / self.temperature

    net = Net()
    return net, three(), lambda: net._t


@everyday
def own_setattr_hook() -> Made:
    class Net(nn.Module):
        def __setattr__(self, name: str, value: Any) -> None:
            super().__setattr__(name, value)
            if name == "n":
                super().__setattr__("changes", getattr(self, "changes", 0) + 1)

        def forward(self, x: Any) -> Any:
            self.n = 3
            return x * self.n

    net = Net()
    return net, three(), lambda: (net.n, net.changes)


@everyday
def registers_inside() -> Made:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            if not hasattr(self, "pos"):
                self.register_buffer("pos", ml.arange(len(x), dtype=x.dtype))
            return x + self.pos

    net = Net()
    return net, three(), lambda: net.state_dict()


@breaking
def lazy_layer() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.fc = None

        def forward(self, x: Any) -> Any:
            if self.fc is None:
                self.fc = nn.Linear(len(x), 2).to(ml.float64)
            return self.fc(x)

    net = Net()
    return net, three(), lambda: list(net.state_dict().items())


@everyday
def misfit_is_refused() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.w = nn.Parameter(vec(*A))

        def forward(self, x: Any) -> Any:
            try:
                self.w = x
            except Exception as error:
                return x, str(error)
            return x

    return Net(), three()


@everyday
def plain_object_counts() -> Made:
    class Meter:
        def __init__(self) -> None:
            self.total, self.count = 0.0, 0

        def update(self, x: Any) -> Any:
            self.total = self.total + x.sum()
            self.count += x.numel()
            return self.total / self.count

    meter = Meter()
    return meter.update, three(), lambda: (meter.total, meter.count)


@everyday
def slots() -> Made:
    class State:
        __slots__ = ("h", "n")

        def __init__(self) -> None:
            self.h, self.n = vec(0.0, 0.0, 0.0), 0

    s = State()

    def f(x: Any) -> Any:
        s.h = (s.h + x).tanh()
        s.n += 1
        return s.h * s.n

    return f, three(), lambda: (s.h, s.n)


@everyday
def class_attribute_counts() -> Made:
    class Net(nn.Module):
        calls = 0

        def forward(self, x: Any) -> Any:
            type(self).calls += 1
            return x * type(self).calls

    return Net(), three(), lambda: Net.calls


@everyday
def namespace_config() -> Made:
    cfg = types.SimpleNamespace(lr=0.1, steps=0)

    def f(x: Any) -> Any:
        cfg.steps += 1
        cfg.last = x.sum()
        return x * cfg.lr * cfg.steps

    return f, three(), lambda: (cfg.steps, cfg.last)


@everyday
def keeps_statistics_in_a_dict() -> Made:
    class Net(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.stats = {"n": 0}

        def forward(self, x: Any) -> Any:
            self.stats["n"] += 1
            self.stats["mean"] = x.mean()
            return x - self.stats["mean"]

    net = Net()
    return net, three(), lambda: net.stats
