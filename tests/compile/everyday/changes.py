"""Programs whose world changes between calls: what a graph relied on must be asked again."""

from __future__ import annotations

import collections
import functools
import random
import types
from dataclasses import dataclass, field
from typing import Any

import minitorch_lab as ml
from minitorch_lab import nn
from tests.compile.everyday.table import A, B, C, Made, breaking, everyday, three, vec


def after_each(f: Any, change: Any) -> Any:
    """`f`, and a change of the world after every call of it."""
    return f, [(vec(*xs),) for xs in (A, B, C, A, B)], change


@everyday
def list_grows_between_calls() -> Made:
    weights = [1.0, 2.0]

    def f(x: Any) -> Any:
        return sum(x * w for w in weights)

    return after_each(f, lambda: weights.append(3.0))


@everyday
def set_grows_between_calls() -> Made:
    names = {"a"}

    def f(x: Any) -> Any:
        return x * len(names) + ("b" in names), sorted(names)

    return after_each(f, lambda: names.add("b"))


@everyday
def dict_changes_between_calls() -> Made:
    d = {"a": 1.0}

    def f(x: Any) -> Any:
        return {k: x * v for k, v in d.items()}, d.get("c", 0), len(d.keys())

    def change() -> None:
        d["c"] = d.get("c", 0) + 1.0

    return after_each(f, change)


@everyday
def deque_rotates_between_calls() -> Made:
    q = collections.deque([1.0, 2.0], maxlen=3)

    def f(x: Any) -> Any:
        q.append(5.0)
        return x * q[0] + sum(q), len(q)

    return after_each(f, q.rotate)


@everyday
def counter_counts_on() -> Made:
    seen = collections.Counter()

    def f(x: Any) -> Any:
        seen["calls"] += 1
        return x * seen["calls"]

    return after_each(f, lambda: dict(seen))


@everyday
def defaultdict_kept() -> Made:
    log = collections.defaultdict(list)

    def f(x: Any) -> Any:
        log["x"].append(x * 2)
        return sum(log["x"])

    return after_each(f, lambda: dict(log))


@everyday
def ordered_dict_moves() -> Made:
    d = collections.OrderedDict(a=1.0, b=2.0)

    def f(x: Any) -> Any:
        first = next(iter(d))
        d.move_to_end(first)
        return x * d[first], list(d)

    return after_each(f, lambda: list(d.items()))


@everyday
def lru_of_tensors() -> Made:
    class Cache(collections.OrderedDict):
        def put(self, k: Any, v: Any) -> None:
            self[k] = v
            while len(self) > 2:
                self.popitem(last=False)

    cache = Cache()

    def f(x: Any, k: int) -> Any:
        if k in cache:
            return cache[k] * 100
        cache.put(k, x * 2)
        return x * 2

    return f, [(vec(*A), 1), (vec(*B), 2), (vec(*C), 1), (vec(*A), 3), (vec(*B), 1), (vec(*B), 2)], lambda: list(cache)


@everyday
def dict_keyed_by_objects() -> Made:
    class Key:
        pass

    a, b = Key(), Key()
    d = {a: 1.0, b: 2.0}

    def f(x: Any) -> Any:
        return x * d[a] + sum(d.values()), [d[k] for k in d], a in d

    def change() -> None:
        d[a] += 1.0

    return after_each(f, change)


@everyday
def dict_keyed_by_tuples() -> Made:
    d = {(0, 1): 2.0, (1, 0): 3.0}

    def f(x: Any) -> Any:
        return sum(x * i * v for (i, _), v in d.items()), d[0, 1], (5, 5) in d, d.get((1, 0))

    def change() -> None:
        d[len(d), 0] = 1.0

    return after_each(f, change)


@everyday
def dict_keyed_by_types() -> Made:
    d = {nn.ReLU: 2.0, nn.Tanh: 3.0, str: 1.0}
    layer = [nn.ReLU()]

    def f(x: Any) -> Any:
        return x * d[type(layer[0])]

    return after_each(f, lambda: layer.__setitem__(0, nn.Tanh()))


@everyday
def partial_is_replaced() -> Made:
    def affine(x: Any, a: float, b: float = 0.0) -> Any:
        return x * a + b

    held = types.SimpleNamespace(f=functools.partial(affine, a=2.0))

    def f(x: Any) -> Any:
        return held.f(x)

    def change() -> None:
        held.f = functools.partial(affine, a=held.f.keywords["a"] + 1, b=1.0)

    return after_each(f, change)


@everyday
def class_data_changes() -> Made:
    class Net(nn.Module):
        scales = [1.0]
        depth = 1
        table = {"k": 2.0}

        def forward(self, x: Any) -> Any:
            return sum(x * s for s in self.scales) * self.depth * self.table["k"]

    def change() -> None:
        Net.scales = [*Net.scales, 2.0]
        Net.depth += 1
        Net.table["k"] += 1.0

    return after_each(Net(), change)


@everyday
def subclass_of_a_list_grows() -> Made:
    class History(list):
        def mean(self) -> Any:
            return sum(self) / len(self)

    h = History([1.0])

    def f(x: Any) -> Any:
        h.append(2.0)
        return x * h.mean(), len(h), h[-1]

    return after_each(f, lambda: h.append(5.0))


@everyday
def namedtuple_is_replaced() -> Made:
    Hyper = collections.namedtuple("Hyper", "lr steps")
    held = types.SimpleNamespace(h=Hyper(0.1, 1))

    def f(x: Any) -> Any:
        lr, steps = held.h
        return x * held.h.lr + steps + lr, held.h._replace(lr=1.0)

    def change() -> None:
        held.h = Hyper(held.h.lr * 2, held.h.steps + 1)

    return after_each(f, change)


@everyday
def attribute_comes_and_goes() -> Made:
    class Net(nn.Module):
        def forward(self, x: Any) -> Any:
            if hasattr(self, "extra"):
                x = x * self.extra
                del self.extra
            else:
                self.extra = 2.0
            return x

    net = Net()
    return after_each(net, lambda: sorted(vars(net)))


@everyday
def weak_reference_dies() -> Made:
    import weakref

    class Owner:
        scale = 2.0

    held = [Owner()]
    r = weakref.ref(held[0])

    def f(x: Any) -> Any:
        o = r()
        return x if o is None else x * o.scale

    return after_each(f, held.clear)


@everyday
def generator_kept_in_a_list() -> Made:
    def f(x: Any) -> Any:
        its = [iter([1.0, 2.0]), iter([3.0, 4.0])]
        total = x * 0
        for _ in range(2):
            for it in its:
                total = total + x * next(it)
        return total

    return f, three()


@everyday
def generator_in_an_attribute() -> Made:
    class Loader:
        def __init__(self, xs: Any) -> None:
            self.it = iter(xs)

        def __iter__(self) -> Any:
            return self

        def __next__(self) -> Any:
            return next(self.it) * 2

    def f(x: Any) -> Any:
        return [x * v for v in Loader([1.0, 2.0, 3.0])]

    return f, three()


@everyday
def same_object_twice() -> Made:
    @dataclass
    class Node:
        v: float
        kids: list[Any] = field(default_factory=list)

    a, b = Node(1.0), Node(2.0)
    held = types.SimpleNamespace(l=a, r=a)

    def f(x: Any) -> Any:
        held.l.v = held.l.v + 1
        seen = {id(held.l), id(held.r)}
        return x * held.r.v + len(seen), held.l is held.r, held.l == held.r

    def change() -> None:
        held.r = b if held.r is a else a

    return after_each(f, change)


@everyday
def names_in_a_set_of_ids() -> Made:
    net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Linear(3, 3)).to(ml.float64)
    frozen = {id(net[0].weight)}

    def f(x: Any) -> Any:
        return net(x), [n for n, p in net.named_parameters() if id(p) not in frozen]

    return after_each(f, lambda: frozen.add(id(net[2].weight)))


@everyday
def registry_of_functions() -> Made:
    hooks = []

    def f(x: Any) -> Any:
        for hook in hooks:
            x = hook(x)
        return x

    return after_each(f, lambda: hooks.append(lambda x: x * 2 + len(hooks)))


@breaking
def python_random_draws() -> Made:
    rng = random.Random(3)

    def f(x: Any) -> Any:
        return x * rng.random() + rng.randint(1, 3)

    return f, three()


@everyday
def replay_buffer() -> Made:
    Transition = collections.namedtuple("Transition", "state reward")
    memory = collections.deque(maxlen=4)

    def f(x: Any) -> Any:
        memory.append(Transition(x * 2, float(len(memory))))
        batch = Transition(*zip(*memory))
        return ml.stack(batch.state).sum(0), sum(batch.reward)

    return after_each(f, lambda: len(memory))


@everyday
def discounted_returns() -> Made:
    def f(rewards: Any, gamma: float = 0.9) -> Any:
        out, total = [], rewards[0] * 0
        for r in reversed(list(rewards)):
            total = r + gamma * total
            out.insert(0, total)
        return ml.stack(out)

    return f, [(vec(*A),), (vec(*B), 0.5), (vec(*C), 0.99)]


@everyday
def average_meter() -> Made:
    class Meter:
        def __init__(self, name: str, fmt: str = ":f") -> None:
            self.name, self.fmt = name, fmt
            self.reset()

        def reset(self) -> None:
            self.val = self.avg = self.sum = self.count = 0

        def update(self, val: Any, n: int = 1) -> None:
            self.val = val
            self.sum = self.sum + val * n
            self.count += n
            self.avg = self.sum / self.count

        def __str__(self) -> str:
            return "{name} {count}".format(**self.__dict__)

    meters = {"loss": Meter("Loss"), "acc": Meter("Acc")}

    def f(x: Any) -> Any:
        for k, m in meters.items():
            m.update(x.mean() if k == "loss" else x.max(), n=len(x))
        return meters["loss"].avg, meters["acc"].avg

    return after_each(f, lambda: [str(m) for m in meters.values()])


@everyday
def learning_rate_schedule() -> Made:
    state = {"step": 0}

    def lr_at(step: int, warmup: int = 2, total: int = 6) -> float:
        if step < warmup:
            return step / warmup
        return max(0.0, (total - step) / (total - warmup))

    def f(x: Any) -> Any:
        state["step"] += 1
        return x * lr_at(state["step"])

    return after_each(f, lambda: state["step"])


@everyday
def early_stopping() -> Made:
    class Stopper:
        def __init__(self, patience: int = 2) -> None:
            self.best, self.bad, self.patience = float("inf"), 0, patience

        def step(self, loss: float) -> bool:
            if loss < self.best:
                self.best, self.bad = loss, 0
            else:
                self.bad += 1
            return self.bad >= self.patience

    stopper = Stopper()

    def f(x: Any, loss: float) -> Any:
        return x * 2 if not stopper.step(loss) else None

    return f, [(vec(*A), v) for v in (3.0, 2.0, 2.5, 2.6, 1.0)], lambda: (stopper.best, stopper.bad)
