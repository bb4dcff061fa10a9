"""Lazy layers: before the first call they say what is not there yet, after it they are the layers they stand for."""

import copy
import pickle

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError, ShapeError

# The lazy layer without the size that is left open, the layer it stands for, and a shape of an input with 3 features.
PAIRS = {
    "LazyLinear": ((2,), (5, 3)),
    "LazyConv1d": ((4, 2), (2, 3, 5)),
    "LazyConv2d": ((4, 2), (2, 3, 5, 5)),
    "LazyConv3d": ((4, 2), (2, 3, 3, 3, 3)),
    "LazyConvTranspose1d": ((4, 2), (2, 3, 5)),
    "LazyConvTranspose2d": ((4, 2), (2, 3, 5, 5)),
    "LazyConvTranspose3d": ((4, 2), (2, 3, 3, 3, 3)),
    "LazyBatchNorm1d": ((), (4, 3)),
    "LazyBatchNorm2d": ((), (2, 3, 4, 4)),
    "LazyBatchNorm3d": ((), (2, 3, 2, 2, 2)),
    "LazyInstanceNorm1d": ((1e-5, 0.1, True, True), (2, 3, 4)),
    "LazyInstanceNorm2d": ((1e-5, 0.1, True, True), (2, 3, 4, 4)),
    "LazyInstanceNorm3d": ((1e-5, 0.1, True, True), (2, 3, 2, 2, 2)),
}


def eager_of(name):
    return getattr(nn, name.removeprefix("Lazy"))


@pytest.mark.parametrize("name", PAIRS)
def test_the_first_call_makes_the_layer_it_stands_for(name):
    settings, shape = PAIRS[name]
    x = ml.tensor(np.random.default_rng(0).normal(size=shape), dtype=ml.float32)
    layer = getattr(nn, name)(*settings)
    parameters = dict(layer.named_parameters())
    ml.manual_seed(1)
    first = layer(x)
    ml.manual_seed(1)
    twin = eager_of(name)(3, *settings)
    assert first.tolist() == twin(x).tolist()
    assert type(layer) is type(twin)
    assert repr(layer) == repr(twin)
    assert vars(layer).keys() == vars(twin).keys()
    for key, parameter in layer.named_parameters():
        assert parameter is parameters[key]
        assert type(parameter) is nn.Parameter
    for (key, mine), (other, theirs) in zip(layer.state_dict().items(), twin.state_dict().items(), strict=True):
        assert key == other
        assert mine.tolist() == theirs.tolist()


@pytest.mark.parametrize("name", PAIRS)
def test_a_state_is_loaded_before_the_first_call(name):
    settings, shape = PAIRS[name]
    twin = eager_of(name)(3, *settings)
    for tensor in twin.state_dict().values():
        tensor.copy_(ml.arange(tensor.numel()).reshape(tensor.shape) + 1)
    layer = getattr(nn, name)(*settings)
    before = ml.get_rng_state()
    assert layer.has_uninitialized_params()
    layer.load_state_dict(twin.state_dict())
    assert not layer.has_uninitialized_params()
    x = ml.ones(*shape)
    assert layer.eval()(x).tolist() == twin.eval()(x).tolist()
    assert type(layer) is type(twin)
    assert ml.get_rng_state() == before  # nothing was drawn that is not used


def test_making_a_layer_draws_nothing():
    before = ml.get_rng_state()
    nn.LazyConv2d(4, 3)
    assert ml.get_rng_state() == before


@pytest.mark.parametrize(
    "use",
    [
        lambda layer: sum(p.numel() for p in layer.parameters()),
        lambda layer: layer.weight.shape,
        lambda layer: layer.weight + 1,
        lambda layer: ml.ones(3) @ layer.weight,
        lambda layer: nn.init.zeros_(layer.weight),
        lambda layer: layer.weight.data,
        lambda layer: nn.utils.parameters_to_vector(layer.parameters()),
        lambda layer: nn.Linear(3, 2).load_state_dict(layer.state_dict()),
    ],
)
def test_who_asks_too_early_is_told(use):
    with pytest.raises(ArgumentError) as caught:
        use(nn.LazyLinear(2))
    assert str(caught.value) == (
        "This UninitializedParameter has no shape and no entries yet.\n"
        "  A lazy layer makes its parameters in its first call, which tells how long the input is.\n"
        "  Call the model once, model(x), or load a state; then count, change or copy its parameters."
    )


def test_an_optimizer_made_before_trains_what_came_later():
    model = nn.Sequential(nn.LazyLinear(4), nn.ReLU(), nn.LazyLinear(1))
    optimizer = ml.optim.SGD(model.parameters(), lr=0.5)
    optimizer.zero_grad()
    optimizer.step()  # there is no gradient yet
    model(ml.ones(2, 3)).sum().backward()
    before, grad = model[0].weight.detach().numpy().copy(), model[0].weight.grad.numpy()
    optimizer.step()
    np.testing.assert_allclose(model[0].weight.detach().numpy(), before - 0.5 * grad, rtol=1e-6)


def test_what_is_set_before_the_first_call_holds_after_it():
    layer = nn.LazyLinear(2).double()
    layer.bias.requires_grad_(False)
    assert layer.weight.dtype == ml.float64
    assert layer(ml.ones(5, 3, dtype=ml.float64)).dtype == ml.float64
    assert (layer.weight.requires_grad, layer.bias.requires_grad) == (True, False)
    norm = nn.LazyBatchNorm1d().double()
    norm(ml.rand(4, 3, dtype=ml.float64))
    assert norm.running_mean.dtype == ml.float64


@pytest.mark.parametrize("twin_of", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m)), lambda m: m])
def test_copies_wait_for_themselves(twin_of):
    model = nn.Sequential(nn.LazyLinear(2), nn.LazyBatchNorm1d())
    twin = twin_of(model)
    assert twin(ml.rand(4, 3)).shape == (4, 2)
    assert isinstance(model[0].weight, nn.UninitializedParameter) == (twin is not model)


def test_an_empty_state_leaves_an_empty_layer():
    layer = nn.LazyLinear(2)
    layer.load_state_dict(nn.LazyLinear(2).state_dict())
    assert layer.has_uninitialized_params()


def test_an_input_that_the_loaded_weights_do_not_fit():
    layer = nn.LazyLinear(2)
    layer.load_state_dict(nn.Linear(5, 2).state_dict())
    with pytest.raises(ShapeError) as caught:
        layer(ml.ones(3, 4))
    assert str(caught.value) == (
        "LazyLinear got an input of shape (3, 4), and has loaded a tensor of shape (2, 5).\n"
        "  For 4 features that tensor would have the shape (2, 4).\n"
        "  Load a state that was saved with inputs like this one."
    )
    assert layer(ml.ones(3, 5)).shape == (3, 2)


@pytest.mark.parametrize(
    ("layer", "shape"),
    [(nn.LazyLinear(2), ()), (nn.LazyConv2d(2, 3), (5, 5)), (nn.LazyBatchNorm1d(), (3,)), (nn.LazyBatchNorm2d(), (3,))],
)
def test_an_input_of_other_axes_settles_nothing(layer, shape):
    with pytest.raises(ShapeError, match=r"It takes .* axes; axis -?\d tells its (in_features|in_channels|num_feat)"):
        layer(ml.ones(shape))
    assert layer.has_uninitialized_params()


def test_settings_are_checked_when_the_layer_is_made():
    with pytest.raises(ArgumentError, match="groups divides both"):
        nn.LazyConv2d(4, 3, groups=3)


def test_hooks_and_modes_stay():
    layer, seen = nn.LazyLinear(2), []
    layer.register_forward_hook(lambda module, args, out: seen.append(type(module)))
    layer.eval()
    layer(ml.ones(1, 3))
    assert seen == [nn.Linear]
    assert not layer.training


@pytest.mark.parametrize("settings", [{}, {"check": True}])
def test_compiled(settings):
    model = nn.Sequential(nn.LazyConv2d(4, 3), nn.LazyBatchNorm2d(), nn.ReLU(), nn.Flatten(), nn.LazyLinear(3))
    compiled = ml.compile(model, **settings)
    x = ml.rand(2, 3, 6, 6)
    for _ in range(3):
        out = compiled(x)
    assert [type(part) for part in model] == [nn.Conv2d, nn.BatchNorm2d, nn.ReLU, nn.Flatten, nn.Linear]
    np.testing.assert_allclose(out.detach().numpy(), model(x).detach().numpy(), rtol=1e-5, atol=1e-6)
    assert compiled.captures == 2  # the first call, and the layers that they are now


def test_compiled_where_it_is():
    layer = nn.LazyLinear(2)
    layer.compile()
    x = ml.rand(4, 3)
    assert layer(x).tolist() == layer(x).tolist() == (x @ layer.weight.T + layer.bias).tolist()
