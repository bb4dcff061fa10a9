"""Optimizers against their formulas, worked out in float64 NumPy."""

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, GradientError
from minitorch_lab.optim import SGD, Adam, Optimizer

START = np.array([[1.0, -2.0, 0.5], [3.0, 0.0, -1.5]])
STEPS = 6


def gradient(p, t):
    """The gradient of the loss that step t minimises: sum (p - t)^4 / 4 + t sin p."""
    return (p - t) ** 3 + t * np.cos(p)


def trained(make):
    """The parameter after each step of the optimizer that `make` makes, on the losses above."""
    p = ml.tensor(START, dtype=ml.float64, requires_grad=True)
    optimizer, values = make([p]), []
    for t in range(STEPS):
        optimizer.zero_grad()
        (((p - t) ** 4) / 4 + t * p.sin()).sum().backward()
        before = p.grad.numpy().copy()
        optimizer.step()
        assert p.grad.numpy().tolist() == before.tolist()  # torch's meaning: a step only reads gradients
        values.append(p.detach().numpy().copy())
    return values


def sgd_by_hand(lr, momentum=0.0, dampening=0.0, weight_decay=0.0, nesterov=False):
    p, v, values = START.copy(), None, []
    for t in range(STEPS):
        g = gradient(p, t) + weight_decay * p
        v = g if v is None else momentum * v + (1 - dampening) * g
        p = p - lr * (g + momentum * v if nesterov else v if momentum else g)
        values.append(p)
    return values


def adam_by_hand(lr, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0):
    p, m, v, values = START.copy(), 0.0, 0.0, []
    for t in range(STEPS):
        g = gradient(p, t) + weight_decay * p
        m = betas[0] * m + (1 - betas[0]) * g
        v = betas[1] * v + (1 - betas[1]) * g**2
        p = p - lr * (m / (1 - betas[0] ** (t + 1))) / (np.sqrt(v / (1 - betas[1] ** (t + 1))) + eps)
        values.append(p)
    return values


@pytest.mark.parametrize(
    "settings",
    [
        {"lr": 0.01},
        {"lr": 0.0},
        {"lr": 0.01, "weight_decay": 0.1},
        {"lr": 0.01, "momentum": 0.9},
        {"lr": 0.01, "momentum": 0.9, "dampening": 0.5},
        {"lr": 0.01, "momentum": 0.9, "weight_decay": 0.1, "nesterov": True},
    ],
)
def test_sgd(settings):
    got = trained(lambda params: SGD(params, **settings))
    np.testing.assert_allclose(got, sgd_by_hand(**settings), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize(
    "settings",
    [
        {"lr": 0.1},
        {"lr": 0.1, "betas": (0.5, 0.8), "eps": 1e-2},
        {"lr": 0.1, "weight_decay": 0.3},
        {"lr": 0.1, "betas": (0.0, 0.0)},
    ],
)
def test_adam(settings):
    got = trained(lambda params: Adam(params, **settings))
    np.testing.assert_allclose(got, adam_by_hand(**settings), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("make", [lambda p: SGD(p, lr=0.1, momentum=0.9), lambda p: Adam(p, lr=0.1)])
def test_steps_are_taken_in_place_and_off_the_tape(make):
    p = ml.ones(3, requires_grad=True)
    address = p.data_ptr()
    optimizer = make([p])
    for version in (1, 2):
        optimizer.zero_grad()
        (p * p).sum().backward()
        optimizer.step()
        assert p.is_leaf
        assert p.requires_grad
        assert p.data_ptr() == address
        assert p._version == version
        assert p.dtype == ml.float32


def test_momentum_does_not_write_into_the_gradient():
    p = ml.ones(1, requires_grad=True)
    p.sum().backward()
    optimizer = SGD([p], lr=1.0, momentum=0.5)
    optimizer.step()
    optimizer.step()
    assert p.grad.item() == 1
    assert p.item() == 1 - 1 - 1.5


def test_a_step_makes_saved_values_stale():
    p = ml.ones(2, requires_grad=True)
    loss = (p * p).sum()
    loss.backward(retain_graph=True)
    SGD([p], lr=0.1).step()
    with pytest.raises(GradientError):
        loss.backward()


def test_parameters_without_gradient_stay():
    p, frozen = ml.ones(2, requires_grad=True), ml.ones(2)
    unused = ml.ones(2, requires_grad=True)
    optimizer = Adam([p, frozen, unused], lr=0.1)
    p.sum().backward()
    optimizer.step()
    assert frozen.tolist() == unused.tolist() == [1, 1]
    assert p.tolist() != [1, 1]


def test_groups_have_their_own_settings():
    a, b = ml.ones(1, requires_grad=True), ml.ones(1, requires_grad=True)
    optimizer = SGD([{"params": [a], "lr": 0.5}, {"params": b}], lr=0.25)
    (a + b).sum().backward()
    optimizer.step()
    assert (a.item(), b.item()) == (0.5, 0.75)
    optimizer.param_groups[1]["lr"] = 1.0
    optimizer.step()
    assert (a.item(), b.item()) == (0.0, -0.25)
    assert repr(optimizer).startswith("SGD(lr=0.5, momentum=0.0,")
    assert "; lr=1.0" in repr(optimizer)


def test_state_is_per_parameter():
    a, b = ml.ones(1, requires_grad=True), ml.ones(1, requires_grad=True)
    optimizer = SGD([a, b], lr=0.1, momentum=0.9)
    (2 * a + 3 * b).sum().backward()
    optimizer.step()
    assert optimizer.state[a]["momentum_buffer"].tolist() == [2]
    assert optimizer.state[b]["momentum_buffer"].tolist() == [3]
    assert a.grad.tolist() == [2]


def test_nothing_is_remembered_of_a_parameter_that_needs_nothing():
    a = ml.ones(1, requires_grad=True)
    optimizer = SGD([a], lr=0.1)
    (2 * a).sum().backward()
    optimizer.step()
    assert optimizer.state == optimizer.state_dict()["state"] == {}


@pytest.mark.parametrize("to_none", [True, False])
def test_zero_grad(to_none):
    p = ml.ones(2, requires_grad=True)
    optimizer = SGD([p], lr=0.1)
    optimizer.zero_grad()
    p.sum().backward()
    optimizer.zero_grad(set_to_none=to_none)
    assert p.grad is None if to_none else p.grad.tolist() == [0, 0]


# ---- errors that teach ----------------------------------------------------------------------------------------------


def said(error, call):
    with pytest.raises(error) as caught:
        call()
    return str(caught.value)


def test_nothing_to_train():
    assert said(ArgumentError, lambda: SGD([], lr=0.1)) == (
        "SGD got no parameters.\n"
        "  An optimizer needs at least one tensor to train.\n"
        "  Did you mean model.parameters(), of a model that has some? Call it anew: it can be read once."
    )


def test_a_computed_tensor():
    x = ml.ones(2, requires_grad=True) * 2
    text = said(GradientError, lambda: SGD([x], lr=0.1))
    assert text.startswith("SGD got a tensor that was computed (grad_fn=")
    assert text.endswith(
        "\n  An optimizer trains leaves: tensors that nothing else determines."
        "\n  Did you mean x.detach().requires_grad_()? It starts a new leaf from the value."
    )


def test_a_negative_step():
    p = [ml.ones(1, requires_grad=True)]
    assert said(ArgumentError, lambda: Adam(p, lr=-0.1)) == (
        "Adam got lr=-0.1.\n"
        "  lr is a number that is not negative.\n"
        "  A step already goes downhill: write lr=0.01, not lr=-0.01."
    )
    assert "lr=nan" in said(ArgumentError, lambda: SGD(p, lr=float("nan")))
    assert "lr='fast'" in said(ArgumentError, lambda: SGD(p, lr="fast"))
    assert "momentum=-1" in said(ArgumentError, lambda: SGD(p, lr=0.1, momentum=-1))


def test_other_wrong_arguments():
    p = ml.ones(1, requires_grad=True)
    assert "Did you mean SGD([parameter], ...)?" in said(ArgumentError, lambda: SGD(p, lr=0.1))
    assert "model.named_parameters()" in said(ArgumentError, lambda: SGD(ml.nn.Linear(1, 1).named_parameters(), lr=0.1))
    assert "the same parameter twice" in said(ArgumentError, lambda: SGD([p, p], lr=0.1))
    assert "the same parameter twice" in said(ArgumentError, lambda: SGD([{"params": p}, {"params": p}], lr=0.1))
    assert "the setting 'rate'" in said(ArgumentError, lambda: SGD([{"params": p, "rate": 1}], lr=0.1))
    assert 'no "params"' in said(ArgumentError, lambda: SGD([{"lr": 1}], lr=0.1))
    assert "(0.9, 0.999)" in said(ArgumentError, lambda: Adam([p], betas=(0.9, 1.0)))
    assert "Did you mean momentum=0.9" in said(ArgumentError, lambda: SGD([p], lr=0.1, nesterov=True))


def test_an_unknown_keyword():
    p = [ml.ones(1, requires_grad=True)]
    assert said(ArgumentError, lambda: Adam(p, beta=(0.5, 0.9))) == (
        "Adam got the keyword beta.\n"
        "  Adam takes params, lr, betas, eps, weight_decay, amsgrad.\n"
        "  Did you mean betas=(0.5, 0.9)?"
    )
    assert "SGD got the keyword learning_rate" in said(ArgumentError, lambda: SGD(p, learning_rate=0.1))


def test_a_step_size_may_be_a_numpy_number():
    p = ml.ones(1, requires_grad=True)
    p.sum().backward()
    SGD([p], lr=np.float32(0.5)).step()
    assert p.item() == 0.5


def test_an_optimizer_without_a_rule():
    p = ml.ones(1, requires_grad=True)
    p.sum().backward()
    with pytest.raises(ArgumentError, match=r"Half has no update.\n"):
        type("Half", (Optimizer,), {})([p], {"lr": 0.1}).step()


def test_a_schedule_without_a_rate_says_what_to_write():
    class Nothing(ml.optim.lr_scheduler.LRScheduler):
        pass

    with pytest.raises(ArgumentError) as caught:
        Nothing(ml.optim.SGD([ml.zeros(1, requires_grad=True)], lr=0.1))
    assert str(caught.value) == (
        "Nothing has no rate.\n"
        "  A schedule says what the rate of a group is in each epoch.\n"
        "  Write def rate(self, base, epoch, group): ... in class Nothing."
    )
