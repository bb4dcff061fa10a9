"""Layers, losses and optimizers side by side with PyTorch, in float64."""

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

OPTIMIZERS = [
    ("SGD", {"lr": 0.1}),
    ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.3, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True}),
    ("Adam", {"lr": 0.01}),
    ("Adam", {"lr": 0.01, "betas": (0.8, 0.9), "eps": 1e-3, "weight_decay": 0.1}),
    ("AdamW", {"lr": 0.01}),
    ("AdamW", {"lr": 0.01, "betas": (0.8, 0.9), "eps": 1e-3, "weight_decay": 0.1}),
]


def mlp(library):
    nn = library.nn
    return nn.Sequential(nn.Linear(5, 8, dtype=library.float64), nn.GELU(), nn.Linear(8, 3, dtype=library.float64))


def twins():
    """The same network here and there."""
    ours, theirs = mlp(ml), mlp(torch)
    theirs.load_state_dict({name: torch.tensor(t.numpy()) for name, t in ours.state_dict().items()})
    return ours, theirs


def batch(seed):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(16, 5)), rng.integers(0, 3, 16)


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
def test_training_takes_the_same_steps(name, settings):
    ours, theirs = twins()
    a, b = (getattr(lib.optim, name)(model.parameters(), **settings) for lib, model in ((ml, ours), (torch, theirs)))
    for step in range(10):
        x, y = batch(step)
        losses = []
        for lib, model, optimizer in ((ml, ours, a), (torch, theirs, b)):
            optimizer.zero_grad()
            loss = lib.nn.CrossEntropyLoss()(model(lib.tensor(x)), lib.tensor(y))
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        assert losses[0] == pytest.approx(losses[1], rel=1e-9)
    for p, q in zip(ours.parameters(), theirs.parameters(), strict=True):
        np.testing.assert_allclose(p.detach().numpy(), q.detach().numpy(), rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(p.grad.numpy(), q.grad.numpy(), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
def test_a_step_calls_its_closure_and_returns_what_it_returned(name, settings, compiled):
    ours, theirs = twins()
    losses = []
    for lib, model in ((ml, ours), (torch, theirs)):
        optimizer = getattr(lib.optim, name)(model.parameters(), **settings)

        def train(x, y, lib=lib, model=model, optimizer=optimizer):
            def closure():
                optimizer.zero_grad()
                loss = lib.nn.functional.cross_entropy(model(x), y)
                loss.backward()
                return loss

            with lib.no_grad():
                return optimizer.step(closure)

        call = ml.compile(train) if compiled and lib is ml else train
        losses.append([call(*map(lib.tensor, batch(step))).item() for step in range(5)])
    assert losses[0] == pytest.approx(losses[1], rel=1e-9)


def test_a_state_that_nobody_made_is_an_empty_dict():
    """What an optimizer ported from PyTorch's own begins with: `state = self.state[p]; if not state: ...`"""
    for lib in (ml, torch):
        weight = lib.zeros(2, requires_grad=True)
        optimizer = lib.optim.SGD([weight], lr=0.1, momentum=0.9)
        optimizer.load_state_dict(optimizer.state_dict())
        assert optimizer.state[weight] == {}
        optimizer.state[weight]["seen"] = 1
        assert optimizer.state[weight] == {"seen": 1}


def test_modules_speak_the_same():
    ours, theirs = twins()
    assert list(ours.state_dict()) == list(theirs.state_dict())
    assert [n for n, _ in ours.named_modules()] == [n for n, _ in theirs.named_modules()]
    assert repr(ours) == repr(theirs)
    assert repr(ml.nn.Flatten()) == repr(torch.nn.Flatten())
    assert repr(ml.nn.Softmax(dim=1)) == repr(torch.nn.Softmax(dim=1))


@pytest.mark.parametrize("name", ["ReLU", "GELU", "Sigmoid", "Tanh", "Softplus"])
def test_activations_and_their_slopes(name):
    x = np.random.default_rng(0).normal(size=(50,)) * 4
    found = []
    for lib in (ml, torch):
        leaf = lib.tensor(x, requires_grad=True)
        out = getattr(lib.nn, name)()(leaf)
        (out * out).sum().backward()
        found.append((out.detach().numpy(), leaf.grad.numpy()))
    np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_losses(reduction):
    x, y = batch(0)
    for name, target in (("CrossEntropyLoss", y), ("MSELoss", x[::-1].copy())):
        found = []
        for lib in (ml, torch):
            leaf = lib.tensor(x, requires_grad=True)
            loss = getattr(lib.nn, name)(reduction=reduction)(leaf, lib.tensor(target))
            (loss * loss).sum().backward()
            found.append((loss.detach().numpy(), leaf.grad.numpy()))
        for ours, theirs in zip(*found, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-12)


def test_linear_starts_from_the_same_distribution():
    ml.manual_seed(0)
    torch.manual_seed(0)
    ours, theirs = ml.nn.Linear(64, 300).weight.detach().numpy(), torch.nn.Linear(64, 300).weight.detach().numpy()
    grid = np.linspace(0, 1, 21)
    np.testing.assert_allclose(np.quantile(ours, grid), np.quantile(theirs, grid), atol=0.005)


SCHEDULES = [
    ("StepLR", {"step_size": 3, "gamma": 0.5}),
    ("CosineAnnealingLR", {"T_max": 5, "eta_min": 0.01}),
    ("LambdaLR", {"lr_lambda": lambda epoch: 1 / (1 + epoch)}),
    ("LambdaLR", {"lr_lambda": [lambda epoch: 0.9**epoch, lambda epoch: 2.0]}),
]


@pytest.mark.parametrize(("name", "settings"), SCHEDULES)
def test_schedules_give_the_same_rates(name, settings):
    rates = []
    for lib in (ml, torch):
        leaves = [lib.zeros(1, requires_grad=True) for _ in range(2)]
        optimizer = lib.optim.SGD([{"params": leaves[:1], "lr": 0.1}, {"params": leaves[1:], "lr": 0.5}])
        schedule = getattr(lib.optim.lr_scheduler, name)(optimizer, **settings)
        seen = [schedule.get_last_lr()]
        for _ in range(12):
            optimizer.step()
            schedule.step()
            seen.append([group["lr"] for group in optimizer.param_groups])
        rates.append(seen)
    np.testing.assert_allclose(rates[0], rates[1], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("name", "settings"), OPTIMIZERS)
def test_optimizer_states_have_the_same_names(name, settings):
    states = []
    for lib in (ml, torch):
        leaf = lib.ones(3, requires_grad=True)
        optimizer = getattr(lib.optim, name)([leaf], **settings)
        (leaf * leaf).sum().backward()
        optimizer.step()
        states.append(optimizer.state_dict())
    ours, theirs = states
    ours_kept, theirs_kept = ({k for k, v in s["state"].get(0, {}).items() if v is not None} for s in states)
    assert ours_kept == theirs_kept
    assert ours["param_groups"][0]["params"] == theirs["param_groups"][0]["params"]
    assert set(ours["param_groups"][0]) <= set(theirs["param_groups"][0])
