"""Layers against closed forms in float64 NumPy, and against the `autograd` package where gradients are asked for."""

import math

import autograd
import autograd.numpy as anp
import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.errors import ArgumentError, ShapeError

F = nn.functional
ERF = np.vectorize(math.erf)


def wide(*shape, seed=0):
    return np.random.default_rng(seed).normal(size=shape)


@pytest.mark.parametrize("shape", [(3,), (5, 3), (2, 5, 3), (0, 3)])
@pytest.mark.parametrize("bias", [True, False])
def test_linear_and_its_gradients(shape, bias):
    layer = nn.Linear(3, 4, bias=bias, dtype=ml.float64)
    x0, w0 = wide(*shape), layer.weight.detach().numpy().copy()
    b0 = layer.bias.detach().numpy().copy() if bias else np.zeros(4)
    x = ml.tensor(x0, requires_grad=True)
    y = layer(x)
    np.testing.assert_allclose(y.detach().numpy(), x0 @ w0.T + b0, rtol=1e-13)
    (y * y).sum().backward()
    wanted = autograd.grad(lambda x, w, b: anp.sum((anp.dot(x, w.T) + b) ** 2), (0, 1, 2))(x0, w0, b0)
    for got, right in zip((x, layer.weight, layer.bias), wanted, strict=True):
        if got is not None:
            np.testing.assert_allclose(got.grad.numpy(), right, rtol=1e-12, atol=1e-13)


def test_the_weights_gradient_lies_in_memory_like_the_weight():
    layer = nn.Linear(3, 4)
    layer(ml.ones(5, 3)).sum().backward()
    assert layer.weight.grad.is_contiguous()


def test_linear_starts_uniform_within_its_bound():
    ml.manual_seed(0)
    layer = nn.Linear(100, 400)
    for values in (layer.weight.detach().numpy(), layer.bias.detach().numpy()):
        assert values.dtype == np.float32
        assert np.abs(values).max() <= 0.1
        n = values.size
        assert abs(values.mean()) < 4 * 0.1 / math.sqrt(3 * n)  # four standard errors
        assert abs(values.var() / (0.01 / 3) - 1) < 4 * math.sqrt(0.8 / n)


def test_linear_is_repeatable():
    ml.manual_seed(3)
    first = nn.Linear(4, 4).weight.tolist()
    ml.manual_seed(3)
    assert nn.Linear(4, 4).weight.tolist() == first


@pytest.mark.parametrize("sizes", [(0, 3), (3, -1), (2.5, 3)])
def test_linear_sizes(sizes):
    with pytest.raises(ArgumentError, match="a whole number, at least 1"):
        nn.Linear(*sizes)


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: nn.Linear(3, 4, biases=False), "Linear got the keyword biases.\n.*\n  Did you mean bias=False?"),
        (lambda: nn.Linear(3), "Linear: missing a required argument: 'out_features'."),
        (lambda: nn.Softmax(dimm=1), "Softmax got the keyword dimm.\n  Softmax takes dim.\n  Did you mean dim=1?"),
        (lambda: nn.MSELoss(reduce="sum"), "MSELoss got the keyword reduce"),
    ],
)
def test_a_call_that_does_not_fit(call, text):
    with pytest.raises(ArgumentError, match=text):
        call()


CLOSED = {
    nn.ReLU: lambda x: np.maximum(x, 0),
    nn.GELU: lambda x: x * (1 + ERF(x / math.sqrt(2))) / 2,
    nn.Sigmoid: lambda x: 1 / (1 + np.exp(-x)),
    nn.Tanh: np.tanh,
    nn.Softplus: lambda x: np.log1p(np.exp(x)),
    nn.Hardsigmoid: lambda x: np.clip(x / 6 + 0.5, 0, 1),
}


@pytest.mark.parametrize("layer", CLOSED)
def test_activations(layer):
    x = wide(4, 5) * 3
    np.testing.assert_allclose(layer()(ml.tensor(x)).numpy(), CLOSED[layer](x), rtol=1e-12, atol=1e-14)
    assert repr(layer()).startswith(f"{layer.__name__}(")


@pytest.mark.parametrize("dim", [0, 1, -1])
def test_softmax(dim):
    x = wide(4, 5) * 3
    right = np.exp(x) / np.exp(x).sum(dim, keepdims=True)
    np.testing.assert_allclose(nn.Softmax(dim=dim)(ml.tensor(x)).numpy(), right, rtol=1e-12)
    np.testing.assert_allclose(nn.LogSoftmax(dim=dim)(ml.tensor(x)).numpy(), np.log(right), rtol=1e-12)


def test_losses():
    x, classes = wide(6, 4), np.array([0, 3, 1, 1, 2, 0])
    rows = np.log(np.exp(x).sum(1)) - x[np.arange(6), classes]
    for reduction, right in (("mean", rows.mean()), ("sum", rows.sum()), ("none", rows)):
        got = nn.CrossEntropyLoss(reduction=reduction)(ml.tensor(x), ml.tensor(classes))
        np.testing.assert_allclose(got.numpy(), right, rtol=1e-12)
    y = wide(6, 4, seed=1)
    for reduction, right in (("mean", ((x - y) ** 2).mean()), ("sum", ((x - y) ** 2).sum()), ("none", (x - y) ** 2)):
        np.testing.assert_allclose(nn.MSELoss(reduction)(ml.tensor(x), ml.tensor(y)).numpy(), right, rtol=1e-12)


# ---- dropout --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_dropout_keeps_the_mean(dtype):
    ml.manual_seed(0)
    n, p = 40000, 0.3
    out = nn.Dropout(p)(ml.ones(n, dtype=dtype)).numpy()
    assert out.dtype == dtype
    np.testing.assert_allclose(np.unique(out), [0, 1 / (1 - p)], rtol=1e-6 if dtype == "float32" else 1e-15)
    assert abs((out == 0).mean() - p) < 4 * math.sqrt(p * (1 - p) / n)


def test_dropout_is_identity_in_evaluation_and_for_p_0():
    x = ml.ones(3)
    assert nn.Dropout(0.9).eval()(x) is x
    assert nn.Dropout(0.0)(x) is x


def test_dropout_of_everything():
    assert F.dropout(ml.ones(4), 1.0).tolist() == [0, 0, 0, 0]


def test_dropout_passes_the_same_mask_back():
    ml.manual_seed(1)
    x = ml.ones(50, requires_grad=True)
    y = F.dropout(x, 0.5)
    y.sum().backward()
    assert x.grad.tolist() == y.tolist()


def test_dropout_is_repeatable():
    ml.manual_seed(5)
    first = F.dropout(ml.ones(20)).tolist()
    assert F.dropout(ml.ones(20)).tolist() != first
    ml.manual_seed(5)
    assert F.dropout(ml.ones(20)).tolist() == first


@pytest.mark.parametrize(("p", "hint"), [(-0.1, "p=0.5"), (30, r"p=0.3"), ("half", "p=0.5")])
def test_dropout_takes_a_probability(p, hint):
    with pytest.raises(ArgumentError, match=rf"dropout got p={p!r}.\n.*from 0 to 1.\n.*Did you mean {hint}"):
        nn.Dropout(p)


# ---- containers -----------------------------------------------------------------------------------------------------


def test_sequential_composes():
    model = nn.Sequential(nn.Flatten(), nn.Linear(6, 4), nn.Tanh())
    x = ml.ones(5, 2, 3)
    assert model(x).tolist() == model[2](model[1](model[0](x))).tolist()
    assert nn.Sequential()(x) is x


def test_sequential_indexing():
    a, b, c = nn.ReLU(), nn.Tanh(), nn.Linear(1, 1)
    model = nn.Sequential(a, b, c)
    assert model[-1] is c
    assert list(model) == [a, b, c]
    assert len(model) == 3
    assert list(model[1:]) == [b, c]
    assert isinstance(model[1:], nn.Sequential)
    assert model[1:][1].weight is c.weight
    model[0] = b
    assert model[0] is b
    assert model.append(a)[3] is a
    with pytest.raises(ShapeError, match=r"got the index 4.\n.*4 modules"):
        _ = model[4]


def test_flatten():
    assert nn.Flatten()(ml.ones(2, 3, 4)).shape == (2, 12)
    assert nn.Flatten(0)(ml.ones(2, 3, 4)).shape == (24,)
    assert nn.Flatten(0, 1)(ml.ones(2, 3, 4)).shape == (6, 4)


def test_functional_has_what_it_lists():
    assert all(callable(getattr(F, name)) for name in F.__all__)
