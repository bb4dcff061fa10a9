"""Module: what it finds, what it refuses, and what survives a round trip."""

import copy
import pickle

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError, GradientError


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(2, 3)
        self.scale = nn.Parameter(ml.ones(3))
        self.register_buffer("mean", ml.zeros(2))
        self.register_buffer("cache", ml.zeros(1), persistent=False)
        self.plain = ml.ones(4, requires_grad=True)
        self.width = 3

    def forward(self, x):
        return self.hidden(x - self.mean) * self.scale


def names(pairs):
    return [name for name, _ in pairs]


def test_parts_are_found_by_kind_and_named_by_path():
    net = Net()
    assert names(net.named_parameters()) == ["scale", "hidden.weight", "hidden.bias"]
    assert names(net.named_buffers()) == ["mean", "cache"]
    assert names(net.named_modules()) == ["", "hidden"]
    assert names(net.named_children()) == ["hidden"]
    assert names(net.named_parameters(prefix="net")) == ["net.scale", "net.hidden.weight", "net.hidden.bias"]
    assert list(net.modules()) == [net, net.hidden]
    assert list(net.children()) == [net.hidden]
    assert len(list(net.parameters())) == 3
    assert len(list(net.buffers())) == 2
    assert net.plain.requires_grad
    assert net.width == 3
    assert net(ml.ones(5, 2)).shape == (5, 3)


def test_shared_parts_are_given_once_but_saved_under_every_name():
    a, b = nn.Linear(2, 2), nn.Linear(2, 2)
    b.weight = a.weight
    model = nn.Sequential(a, b, a)
    assert names(model.named_parameters()) == ["0.weight", "0.bias", "1.bias"]
    assert names(model.named_modules()) == ["", "0", "1"]
    assert list(model.state_dict()) == ["0.weight", "0.bias", "1.weight", "1.bias", "2.weight", "2.bias"]


def test_assigning_again_keeps_the_place_and_changes_the_kind():
    net = Net()
    net.scale = nn.Parameter(ml.zeros(3))
    assert names(net.named_parameters())[0] == "scale"
    assert net.scale.tolist() == [0, 0, 0]
    net.width = nn.Linear(1, 1)
    assert names(net.named_children()) == ["hidden", "width"]
    assert net.width is dict(net.named_children())["width"]
    net.scale = nn.Linear(1, 1)
    assert names(net.named_parameters()) == [
        "hidden.weight", "hidden.bias", "width.weight", "width.bias", "scale.weight", "scale.bias",
    ]  # fmt: skip
    net.scale = nn.Parameter(ml.zeros(3))
    net.mean = None
    assert names(net.named_buffers()) == ["cache"]
    del net.hidden
    assert not hasattr(net, "hidden")
    assert names(net.named_parameters()) == ["scale", "width.weight", "width.bias"]
    del net.plain
    assert not hasattr(net, "plain")


def test_parts_are_in_dir_for_completion():
    assert {"hidden", "scale", "mean", "forward"} <= set(dir(Net()))


def test_modes_reach_everything():
    model = nn.Sequential(nn.Linear(2, 2), nn.Sequential(nn.Dropout(0.5)))
    assert model.eval() is model
    assert not any(m.training for m in model.modules())
    assert model.train() is model
    assert all(m.training for m in model.modules())


def test_freezing_keeps_the_parameters():
    model = nn.Linear(2, 2)
    weight = model.weight
    assert model.requires_grad_(False) is model
    assert names(model.named_parameters()) == ["weight", "bias"]
    assert not model(ml.ones(1, 2)).requires_grad
    assert isinstance(weight, nn.Parameter)
    other = nn.Linear(2, 2)
    other.weight = weight
    assert other.weight is weight
    assert model.requires_grad_(True).weight.requires_grad


@pytest.mark.parametrize("to_none", [True, False])
def test_zero_grad(to_none):
    model = nn.Linear(2, 1)
    model(ml.ones(3, 2)).sum().backward()
    assert model.weight.grad.tolist() == [[3, 3]]
    model.zero_grad(set_to_none=to_none)
    assert model.weight.grad is None if to_none else model.weight.grad.tolist() == [[0, 0]]


def test_apply_goes_from_the_leaves_up():
    order = []
    model = nn.Sequential(nn.ReLU(), nn.Sequential(nn.Tanh()))
    assert model.apply(lambda m: order.append(type(m).__name__)) is model
    assert order == ["ReLU", "Tanh", "Sequential", "Sequential"]


def test_repr_is_a_tree():
    assert repr(nn.Sequential(nn.Linear(2, 3), nn.Sequential(nn.Dropout(0.1), nn.Softmax(dim=1)), nn.Flatten())) == (
        "Sequential(\n"
        "  (0): Linear(in_features=2, out_features=3, bias=True)\n"
        "  (1): Sequential(\n"
        "    (0): Dropout(p=0.1, inplace=False)\n"
        "    (1): Softmax(dim=1)\n"
        "  )\n"
        "  (2): Flatten(start_dim=1, end_dim=-1)\n"
        ")"
    )
    assert repr(nn.Module()) == "Module()"


def test_a_parameter_is_a_leaf_that_shares_memory():
    source = ml.tensor([1.0, 2.0])
    p = nn.Parameter(source)
    assert isinstance(p, nn.Parameter)
    assert not isinstance(source, nn.Parameter)
    assert p.is_leaf
    assert p.requires_grad
    assert not source.requires_grad
    with ml.no_grad():
        p.mul_(10.0)
    assert source.tolist() == [10, 20]
    assert source._version == p._version == 1
    assert not isinstance(p + 0, nn.Parameter)
    assert not isinstance(p.detach(), nn.Parameter)
    assert nn.Parameter(ml.ones(2, 3).T).stride() == (1, 3)


def test_a_parameter_leaves_the_history_behind():
    a = ml.ones(2, requires_grad=True)
    p = nn.Parameter(a * 2)
    (p * 3).sum().backward()
    assert a.grad is None
    assert p.grad.tolist() == [3, 3]


def test_deepcopy_is_independent_and_whole():
    net = Net()
    twin = copy.deepcopy(net)
    assert names(twin.named_parameters()) == names(net.named_parameters())
    assert all(isinstance(p, nn.Parameter) for p in twin.parameters())
    with ml.no_grad():
        twin.scale.fill_(7.0)
    assert net.scale.tolist() == [1, 1, 1]
    twin(ml.ones(1, 2)).sum().backward()
    assert net.scale.grad is None
    assert twin.scale.grad is not None


# ---- state ----------------------------------------------------------------------------------------------------------


def test_state_round_trip():
    a, b = Net(), Net()
    report = b.load_state_dict(a.state_dict())
    assert report.missing_keys == report.unexpected_keys == []
    x = ml.tensor(np.random.default_rng(0).normal(size=(4, 2)).astype("float32"))
    assert b(x).tolist() == a(x).tolist()
    assert all(p.is_leaf and p.requires_grad for p in b.parameters())


def test_state_leaves_out_what_does_not_persist():
    net = Net()
    assert list(net.state_dict()) == ["scale", "mean", "hidden.weight", "hidden.bias"]
    net.cache = nn.Parameter(ml.ones(1))
    assert "cache" in net.state_dict()


def test_state_shares_memory_and_is_detached():
    model = nn.Linear(2, 1)
    state = model.state_dict()
    assert not state["weight"].requires_grad
    with ml.no_grad():
        model.weight.fill_(5.0)
    assert state["weight"].tolist() == [[5, 5]]


def test_values_are_cast_on_loading():
    model = nn.Linear(1, 1)
    model.load_state_dict({"weight": ml.tensor([[0.5]], dtype=ml.float64), "bias": ml.tensor([2])})
    assert model.weight.dtype == ml.float32
    assert model(ml.ones(1, 1)).item() == 2.5


def test_lenient_loading_reports():
    model = nn.Linear(1, 1)
    report = model.load_state_dict({"weight": ml.tensor([[3.0]]), "gain": ml.ones(1)}, strict=False)
    assert report == (["bias"], ["gain"])
    with pytest.raises(
        ArgumentError, match=r"load this state:\n    weight has shape \(2,\), here it is \(1, 1\).\n  Names"
    ):
        model.load_state_dict({"weight": ml.ones(2)}, strict=False)
    assert model.weight.item() == 3


def test_a_wrong_state_is_reported_whole_and_loads_nothing():
    model = nn.Sequential(nn.Linear(2, 3))
    before = model[0].weight.tolist()
    state = {"0.wieght": ml.zeros(3, 2), "0.bias": ml.zeros(4)}
    with pytest.raises(ArgumentError) as error:
        model.load_state_dict(state)
    assert str(error.value) == (
        "Sequential cannot load this state:\n"
        "    0.weight is missing. Is it 0.wieght?\n"
        "    0.wieght is not expected.\n"
        "    0.bias has shape (4,), here it is (3,).\n"
        "  Names and shapes must be those of state_dict(). Nothing was loaded.\n"
        "  Build the model with the sizes that it was saved with."
    )
    assert model[0].weight.tolist() == before
    with pytest.raises(ArgumentError, match="strict=False"):
        model.load_state_dict({})


# ---- errors that teach ----------------------------------------------------------------------------------------------


def test_parts_before_init():
    class Late(nn.Module):
        def __init__(self):
            self.weight = nn.Parameter(ml.ones(1))
            super().__init__()

    with pytest.raises(ArgumentError) as error:
        Late()
    assert str(error.value) == (
        "Late assigns 'weight' before Module.__init__ has run.\n"
        "  A module can collect its parameters, buffers and modules only after super().__init__().\n"
        "  Make super().__init__() the first line of Late.__init__."
    )


def test_no_forward():
    with pytest.raises(ArgumentError) as error:
        nn.Module()(1)
    assert str(error.value) == (
        "Module was called, and it has no forward.\n"
        "  Calling a module runs its forward method.\n"
        "  Write def forward(self, x): ... in class Module."
    )


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        (
            "scale",
            ml.ones(3),
            "Net.scale got a tensor of shape (3,).\n  'scale' belongs to a Parameter of this module.\n"
            "  Did you mean nn.Parameter(value), or del module.scale first?",
        ),
        (
            "hidden",
            3,
            "Net.hidden got the int 3.\n  'hidden' belongs to a Module of this module.\n"
            "  Give a Module or None, or del module.hidden first.",
        ),
        (
            "mean",
            [1.0],
            "Net.mean got a list.\n  'mean' belongs to a Tensor of this module.\n"
            "  Give a Tensor or None, or del module.mean first.",
        ),
    ],
)
def test_a_part_of_the_wrong_kind(name, value, text):
    with pytest.raises(ArgumentError) as error:
        setattr(Net(), name, value)
    assert str(error.value) == text


@pytest.mark.parametrize("name", ["", "a.b", "width", "forward", "scale"])
def test_names_that_cannot_be_registered(name):
    with pytest.raises(ArgumentError, match="cannot register the name"):
        Net().register_buffer(name, ml.ones(1))


def test_registering_the_wrong_kind():
    with pytest.raises(ArgumentError, match=r"Module.w got a tensor of shape"):
        nn.Module().register_parameter("w", ml.ones(1))
    with pytest.raises(ArgumentError, match=r"Sequential got a lambda"):
        nn.Sequential(lambda x: x)


def test_unknown_attribute():
    with pytest.raises(AttributeError, match=r"has no 'wieght'\. Did you mean model.weight"):
        _ = nn.Linear(1, 1).wieght


def test_parameter_of_the_wrong_thing():
    with pytest.raises(ArgumentError, match=r"Did you mean Parameter\(ml.tensor\(data\)\)\?"):
        nn.Parameter([1.0])
    with pytest.raises(GradientError, match="Only tensors of floats"):
        nn.Parameter(ml.tensor([1, 2]))
    assert not nn.Parameter(ml.tensor([1, 2]), requires_grad=False).requires_grad


def test_a_buffer_that_is_a_view_takes_another_dtype_and_stays_out_of_the_state() -> None:
    net = nn.Module()
    net.register_buffer("mask", ml.tril(ml.ones(2, 2)).view(1, 2, 2), persistent=False)
    assert net.to(ml.float64).mask.dtype == ml.float64
    assert (net.mask.tolist(), net.mask is next(net.buffers()), net.state_dict()) == ([[[1, 0], [1, 1]]], True, {})


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda w: pickle.loads(pickle.dumps(w))])
def test_marks_of_a_parameter_go_with_it(copied):
    w = nn.Parameter(ml.ones(3))
    w.no_weight_decay, w.tags = True, ["a"]  # pyright: ignore[reportAttributeAccessIssue]
    twin = copied(w)
    assert (twin.no_weight_decay, twin.tags) == (True, ["a"])
    assert isinstance(twin, nn.Parameter)
    assert (twin.tolist(), twin.requires_grad) == (w.tolist(), True)
    assert (twin.tags is w.tags) == (copied is copy.copy)
