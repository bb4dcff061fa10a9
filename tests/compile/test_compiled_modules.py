"""A compiled module is a module, and a compiled function has what the function has. Eager is the oracle."""

from __future__ import annotations

import copy
import dataclasses
import functools
import inspect
import pickle
import threading
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.runtime.optimized import Optimized
from minitorch_lab.errors import ArgumentError

COUNT: list[str] = []


class Net(nn.Module):
    """Attributes with the names that the compiler uses for its own."""

    def __init__(self, wrap: Any = None) -> None:
        super().__init__()
        self.enc = (wrap or (lambda m: m))(nn.Linear(2, 3))
        self.norm = nn.BatchNorm1d(3)
        self.depth, self.size, self.root, self.text = 7, "big", [1], "mine"

    def forward(self, x: Any) -> Any:
        return self.norm(ml.tanh(self.enc(x))) * self.depth

    def twice(self, x: Any) -> Any:
        return self(x), type(self)().depth

    @property
    def width(self) -> int:
        return 2 * self.depth

    def __init_subclass__(cls) -> None:
        COUNT.append(cls.__name__)


class Scaled:
    """A callable object without a `__dict__`."""

    __slots__ = ("k",)

    def __init__(self, k: float) -> None:
        self.k = k

    def __call__(self, x: Any) -> Any:
        return x * self.k


class Itself(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inner = nn.Linear(2, 2)
        self.fast = ml.compile(self)

    def forward(self, x: Any) -> Any:
        return self.inner(x)


@ml.compile
def doubled(x: Any) -> Any:
    """Two of it."""
    return x * 2


class Methods(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.w = nn.Parameter(ml.tensor([2.0, 3.0]))

    @ml.compile
    def forward(self, x: Any) -> Any:
        return x * self.w

    @staticmethod
    @ml.compile
    def one(x: Any) -> Any:
        return x + 1

    @ml.compile
    @staticmethod
    def two(x: Any) -> Any:
        return x + 2

    @classmethod
    @ml.compile
    def three(cls, x: Any) -> Any:
        return x + 3

    @ml.compile
    @classmethod
    def four(cls, x: Any) -> Any:
        return x + 4


@dataclasses.dataclass(frozen=True)
class Data:
    k: float

    @ml.compile
    def scale(self, x: Any) -> Any:
        return x * self.k


def pair(wrap: Any = ml.compile) -> tuple[Any, Any]:
    """A compiled net, and an eager one with the same weights."""
    ml.manual_seed(0)
    net = Net()
    return wrap(copy.deepcopy(net)), net


def trained(model: Any, steps: int = 4) -> list[Any]:
    """The losses of a few steps."""
    optimizer, losses = ml.optim.Adam(model.parameters(), lr=0.1), list[Any]()
    x = ml.tensor([[1.0, 2.0], [0.5, -1.0], [3.0, 0.0]])
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (model(x) ** 2).sum() + model(x).sum()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def in_place(net: Any) -> Any:
    net.compile()
    return net


def own_forward(net: Any) -> Any:
    net.forward = ml.compile(net.forward)
    return net


def inside(net: Any) -> Any:
    net.enc = ml.compile(net.enc)
    return net


def inside_and_out(net: Any) -> Any:
    return ml.compile(nn.Sequential(inside(net)))


WAYS = [ml.compile, in_place, own_forward, inside, inside_and_out]


@pytest.mark.parametrize("wrap", WAYS)
@pytest.mark.parametrize("copied", [lambda m: m, copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_it_trains_as_the_eager_one_does_and_so_do_its_copies(wrap: Any, copied: Any) -> None:
    compiled, eager = pair(wrap)
    again = copied(compiled)
    assert trained(again) == trained(eager)
    if again is not compiled:  # the original has weights of its own
        assert next(again.parameters()).tolist() != next(compiled.parameters()).tolist()


def test_a_compiled_module_is_a_module_of_its_class() -> None:
    compiled, eager = pair()
    assert isinstance(compiled, Net)
    assert isinstance(compiled, Optimized)
    assert [n for n, _ in compiled.named_parameters()] == [n for n, _ in eager.named_parameters()]
    assert list(compiled.state_dict()) == list(eager.state_dict())
    assert [n for n, _ in compiled.named_modules()] == ["", "enc", "norm"]
    assert repr(compiled) == repr(eager)
    assert compiled.eval().training is compiled._orig_mod.norm.training is False
    assert compiled.to(ml.float64)(ml.ones(2, 2, dtype=ml.float64)).dtype == ml.float64
    assert COUNT == []  # nobody was told of a subclass


def test_names_are_those_of_the_module_and_the_compiler_tells_what_is_left() -> None:
    compiled, _ = pair()
    assert (compiled.depth, compiled.size, compiled.root, compiled.text, compiled.width) == (7, "big", [1], "mine", 14)
    compiled.depth = 2
    compiled(ml.ones(2, 2))
    assert (compiled._orig_mod.depth, vars(compiled) is vars(compiled._orig_mod)) == (2, True)
    assert (compiled.captures, compiled.breaks, len(compiled.graphs)) == (1, [], 1)
    assert not any(hasattr(compiled, name) for name in ("space", "function", "busy", "nothing"))
    compiled.extra = 1
    del compiled.extra
    assert not hasattr(compiled._orig_mod, "extra")
    with pytest.raises(AttributeError, match="Net has no 'missing'"):
        _ = compiled.missing


def test_what_its_methods_call_is_compiled_and_what_they_make_is_not() -> None:
    compiled, eager = pair()
    out, depth = compiled.twice(ml.ones(2, 2))
    assert out.tolist() == eager(ml.ones(2, 2)).tolist()
    assert (depth, compiled.captures, type(type(compiled)())) == (7, 1, Net)


def test_it_stands_in_containers_and_is_one() -> None:
    model = ml.compile(nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 3)))
    x = ml.randn(4, 2)
    want = model._orig_mod(x).detach().numpy()
    for outer in (nn.Sequential(model), nn.ModuleList([model])[0], nn.ModuleDict({"a": model})["a"]):
        np.testing.assert_array_equal(outer(x).detach().numpy(), want)
    assert (len(model), model[2].out_features, [type(m).__name__ for m in model][1]) == (3, 3, "ReLU")
    assert type(model[:2]) is nn.Sequential
    assert model[:2](x).shape == (4, 2)
    model[0] = nn.Linear(2, 2)
    np.testing.assert_array_equal(model(x).detach().numpy(), model._orig_mod(x).detach().numpy())
    seen: list[str] = []
    model.apply(lambda m: seen.append(m.__class__.__name__))
    assert seen == ["Linear", "ReLU", "Linear", "Sequential"]


def test_states_go_both_ways_and_those_of_pytorch_too() -> None:
    compiled, eager = pair()
    for p in eager.parameters():
        p.data = p.data + 1
    assert compiled.load_state_dict(eager.state_dict()) == ([], [])
    assert eager.load_state_dict(compiled.state_dict()) == ([], [])
    theirs = {name.replace("enc.", "enc._orig_mod."): t for name, t in eager.state_dict().items()}
    assert compiled.load_state_dict({f"_orig_mod.{name}": t for name, t in theirs.items()}) == ([], [])


@pytest.mark.parametrize("wrap", [ml.compile, in_place])
def test_hooks_run_once_for_each_call(wrap: Any) -> None:
    net, log = nn.Sequential(nn.Linear(2, 2), nn.ReLU()), list[str]()
    compiled = wrap(net)
    handles = [
        compiled.register_forward_pre_hook(lambda m, args: log.append(f"before {m is net}")),
        compiled.register_forward_hook(lambda m, args, out: log.append("after")),
        compiled.register_full_backward_hook(lambda m, gi, go: log.append("back")),
    ]
    for _ in range(3):
        compiled(ml.ones(1, 2, requires_grad=True)).sum().backward()
        assert log == ["before True", "after", "back"]
        log.clear()
    for handle in handles:
        handle.remove()
    compiled(ml.ones(1, 2))
    assert log == []


def test_copies_have_graphs_of_their_own_and_pickles_no_code() -> None:
    compiled, _ = pair()
    compiled(ml.ones(2, 2))
    for again in (copy.copy(compiled), copy.deepcopy(compiled), pickle.loads(pickle.dumps(compiled))):
        assert (again.captures, again._orig_mod is compiled._orig_mod) == (0, False)
    assert b"def program" not in pickle.dumps(compiled)
    shared = nn.Linear(2, 2)
    model = copy.deepcopy(nn.Sequential(ml.compile(shared), shared))
    assert model[0]._orig_mod is model[1]
    assert model[0].weight is model[1].weight


def test_a_compiled_part_of_a_compiled_whole_is_in_its_graph() -> None:
    class Whole(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.part, self.f = ml.compile(nn.Linear(2, 2)), ml.compile(lambda x: x * 2)

        def forward(self, x: Any) -> Any:
            return self.f(self.part(x)) * self.part.in_features + self.part.weight.sum()

    eager, x = Whole(), ml.randn(3, 2)
    compiled = ml.compile(eager, fullgraph=True)
    for part in (eager.part, ml.compile(nn.Linear(2, 2)), nn.Linear(2, 2)):
        eager.part = part
        for _ in range(2):
            np.testing.assert_array_equal(compiled(x).detach().numpy(), eager(x).detach().numpy())
    assert compiled.captures <= 3


def test_a_module_may_hold_itself_compiled() -> None:
    model, x = Itself(), ml.randn(3, 2)
    for again in (model, copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_array_equal(again.fast(x).detach().numpy(), again(x).detach().numpy())
        assert (len(list(again.parameters())), again.fast._orig_mod) == (2, again)


def test_two_of_one_class_and_two_backends_of_one_module() -> None:
    a, b, x = nn.Linear(2, 2), nn.Linear(2, 2), ml.randn(3, 2)
    for compiled, eager in ((ml.compile(a), a), (ml.compile(b), b), (ml.compile(a, backend="llvm"), a)):
        for _ in range(2):
            np.testing.assert_allclose(compiled(x).detach().numpy(), eager(x).detach().numpy(), rtol=1e-6)
    assert ml.compile(ml.compile(a), backend="llvm")._orig_mod is a


def test_methods_of_every_kind() -> None:
    m, n, x = Methods(), Methods(), ml.tensor([1.0, 2.0])
    n.w.data = n.w.data * 2
    for _ in range(2):
        assert (m(x).tolist(), n(x).tolist(), m.one(x).tolist()) == ([2.0, 6.0], [4.0, 12.0], [2.0, 3.0])
        assert [f(x).tolist()[0] for f in (Methods.two, m.three, Methods.four)] == [3.0, 4.0, 5.0]
        assert Data(3.0).scale(x).tolist() == [3.0, 6.0]
    for again in (copy.deepcopy(n), pickle.loads(pickle.dumps(n))):
        assert again(x).tolist() == [4.0, 12.0]


def test_other_callable_objects() -> None:
    three, x = ml.compile(Scaled(3.0)), ml.tensor([1.0, 2.0])
    assert (three(x).tolist(), isinstance(three, Scaled), three.k) == ([3.0, 6.0], True, 3.0)
    three.k = 5.0
    assert (three(x).tolist(), three._orig_mod.k, copy.deepcopy(three)(x).tolist()) == ([5.0, 10.0], 5.0, [5.0, 10.0])
    part = ml.compile(functools.partial(lambda x, k: ml.tanh(x) * k, k=2))
    assert (part(x).shape, part(x).shape, len(part.graphs), part.keywords) == ((2,), (2,), 1, {"k": 2})


def test_a_compiled_function_has_what_the_function_has() -> None:
    assert (doubled.__name__, doubled.__qualname__, doubled.__doc__) == ("doubled", "doubled", "Two of it.")
    assert (doubled.__module__, doubled.__wrapped__.__name__) == (__name__, "doubled")
    assert list(inspect.signature(doubled).parameters) == ["x"]
    assert repr(doubled).startswith("<compiled <function doubled")
    doubled.depth = 3
    assert (doubled.depth, doubled.__wrapped__.depth, doubled.breaks) == (3, 3, [])
    assert pickle.loads(pickle.dumps(doubled)) is doubled
    assert copy.deepcopy(doubled) is doubled
    assert functools.wraps(doubled)(lambda x: x).__doc__ == "Two of it."


def test_threads_share_a_compiled_module() -> None:
    model, x, wrong = ml.compile(nn.Linear(2, 2)), ml.randn(3, 2), list[int]()
    want = model._orig_mod(x).detach().numpy()

    def run(k: int) -> None:
        wrong.extend(k for _ in range(5) if not np.array_equal(model(x).detach().numpy(), want))

    threads = [threading.Thread(target=run, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_what_cannot_be_called_is_not_compiled() -> None:
    with pytest.raises(ArgumentError, match="compile got the int 3") as told:
        ml.compile(3)
    assert "a function, a method, a module" in str(told.value)


def test_marks_of_parameters_are_under_a_guard() -> None:
    model, x = nn.Linear(2, 2), ml.ones(2)

    def loss(x: Any, parameters: Any) -> Any:
        return x.sum() + sum((p * p).sum() for p in parameters if not getattr(p, "skip", False))

    compiled, parameters = ml.compile(loss, fullgraph=True), list(model.parameters())
    for change in (lambda: None, lambda: setattr(model.weight, "skip", True), lambda: setattr(model.bias, "skip", True),
                   lambda: setattr(model.weight, "skip", False), lambda: delattr(model.bias, "skip")):  # fmt: skip
        change()
        for _ in range(2):
            assert ml.allclose(compiled(x, parameters), loss(x, parameters))


def test_a_mark_that_is_set_in_a_compiled_call() -> None:
    w = nn.Parameter(ml.ones(3))

    def counted(w: Any) -> Any:
        w.calls = getattr(w, "calls", 0) + 1
        return w * w.calls

    compiled = ml.compile(counted)
    assert [compiled(w).tolist()[0] for _ in range(4)] == [1.0, 2.0, 3.0, 4.0]
