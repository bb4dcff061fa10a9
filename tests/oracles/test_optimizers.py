"""Optimizers and schedules beside PyTorch's: the same path over many steps, eager and compiled."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle

STEPS = 25
WALKS: list[tuple[str, dict[str, Any]]] = [
    ("SGD", {"lr": 0.1, "momentum": 0.9, "maximize": True, "foreach": False}),
    ("Adam", {"lr": 0.05, "amsgrad": True, "weight_decay": 0.1}),
    ("AdamW", {"lr": 0.05, "amsgrad": True, "maximize": True}),
    ("Adagrad", {"lr": 0.3, "lr_decay": 0.01, "initial_accumulator_value": 0.1, "weight_decay": 0.01}),
    ("RMSprop", {"lr": 0.05}),
    ("RMSprop", {"lr": 0.05, "alpha": 0.9, "momentum": 0.5, "centered": True, "weight_decay": 0.01}),
    ("Rprop", {"lr": 0.05}),
    ("Rprop", {"lr": 0.3, "etas": (0.3, 1.5), "step_sizes": (1e-3, 0.4), "maximize": True}),
    ("Adadelta", {"lr": 1.0, "rho": 0.8, "weight_decay": 0.01}),
    ("Adamax", {"lr": 0.05, "weight_decay": 0.01}),
    ("NAdam", {"lr": 0.05, "weight_decay": 0.01}),
    ("RAdam", {"lr": 0.05, "weight_decay": 0.01}),
    ("ASGD", {"lr": 0.05, "lambd": 0.01, "alpha": 0.6, "t0": 4.0, "weight_decay": 0.01}),
]
PLANS: list[tuple[str, dict[str, Any]]] = [
    ("StepLR", {"step_size": 7, "gamma": 0.5}),
    ("MultiStepLR", {"milestones": [30, 10, 10]}),
    ("ExponentialLR", {"gamma": 0.95}),
    ("ConstantLR", {"factor": 0.25, "total_iters": 9}),
    ("LinearLR", {"start_factor": 0.1, "end_factor": 0.8, "total_iters": 20}),
    ("PolynomialLR", {"total_iters": 40, "power": 2.0}),
    ("CosineAnnealingLR", {"T_max": 25, "eta_min": 0.01}),
    ("CosineAnnealingWarmRestarts", {"T_0": 5, "T_mult": 2, "eta_min": 0.001}),
    ("LambdaLR", {"lr_lambda": lambda epoch: 0.9**epoch}),
    ("MultiplicativeLR", {"lr_lambda": lambda epoch: 1.0 - 1.0 / (epoch + 10)}),
    ("OneCycleLR", {"max_lr": 0.5, "total_steps": 61}),
    ("OneCycleLR", {"max_lr": 0.5, "epochs": 6, "steps_per_epoch": 11, "three_phase": True}),
    ("OneCycleLR", {"max_lr": 0.5, "total_steps": 70, "anneal_strategy": "linear"}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 5, "step_size_down": 8}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 6, "mode": "triangular2"}),
    ("CyclicLR", {"base_lr": 0.01, "max_lr": 0.1, "step_size_up": 6, "mode": "exp_range", "gamma": 0.97}),
]  # fmt: skip


def walk(lib: Any, name: str, settings: dict[str, Any], compiled: bool = False) -> np.ndarray:
    """The parameter after each step on a curved loss."""
    p = lib.tensor(np.array([1.5, -2.0, 0.3]), requires_grad=True)
    optimizer, scale = getattr(lib.optim, name)([p], **settings), lib.tensor(np.array([1.0, 3.0, 0.2]))

    def step() -> None:
        optimizer.zero_grad()
        ((p * scale) ** 2 + lib.cos(p * 3.0)).sum().backward()
        optimizer.step()

    run, path = ml.compile(step) if compiled else step, []
    for _ in range(STEPS):
        run()
        path.append(p.detach().numpy().copy())
    return np.array(path)


@pytest.mark.parametrize(("name", "settings"), WALKS, ids=str)
def test_an_optimizer_walks_pytorchs_way(name: str, settings: dict[str, Any]) -> None:
    eager = walk(ml, name, settings)
    near = 1e-6 if name in ("ASGD", "NAdam") else 1e-7  # they keep a number in float32 there
    np.testing.assert_allclose(eager, walk(torch, name, settings), rtol=near, atol=1e-9)
    np.testing.assert_allclose(walk(ml, name, settings, compiled=True), eager, rtol=1e-12)


@pytest.mark.parametrize(
    "settings",
    [
        {"lr": 0.3},
        {"lr": 0.5, "max_iter": 4, "history_size": 2},
        {"line_search_fn": "strong_wolfe", "max_iter": 3},
        {"line_search_fn": "strong_wolfe", "lr": 30.0, "max_iter": 2},
        {"line_search_fn": "strong_wolfe", "lr": 0.001, "max_iter": 2, "max_eval": 4},
    ],
    ids=str,
)
def test_lbfgs_walks_pytorchs_way(settings: dict[str, Any]) -> None:
    paths = []
    for lib in (ml, torch):
        p = lib.tensor(np.array([1.5, -2.0, 0.3]), requires_grad=True)
        optimizer, scale = lib.optim.LBFGS([p], **settings), lib.tensor(np.array([1.0, 3.0, 0.2]))

        def closure(p=p, optimizer=optimizer, scale=scale, lib=lib):
            optimizer.zero_grad()
            loss = ((p * scale) ** 2 + lib.cos(p * 3.0)).sum()
            loss.backward()
            return loss

        paths.append([(optimizer.step(closure).item(), *p.tolist()) for _ in range(20)])
    np.testing.assert_allclose(*paths, rtol=1e-6, atol=1e-8)


def plan(lib: Any, make: Any, settings: dict[str, Any]) -> list[tuple[float, ...]]:
    """Rates and momenta of two groups over many epochs."""
    groups = [{"params": [lib.zeros(1, requires_grad=True)], "lr": lr} for lr in (0.1, 0.03)]
    optimizer = lib.optim.SGD(groups, lr=0.1, momentum=0.9)
    schedule, seen = make(lib, optimizer, settings), []
    for _ in range(60):
        seen.append(tuple(group[k] for group in optimizer.param_groups for k in ("lr", "momentum")))
        optimizer.step()
        schedule.step()
    return seen


def by_name(name: str) -> Any:
    return lambda lib, optimizer, settings: getattr(lib.optim.lr_scheduler, name)(optimizer, **settings)


@pytest.mark.parametrize(("name", "settings"), PLANS, ids=lambda v: v if isinstance(v, str) else "")
def test_a_schedule_is_pytorchs(name: str, settings: dict[str, Any]) -> None:
    np.testing.assert_allclose(*(plan(lib, by_name(name), settings) for lib in (ml, torch)), rtol=1e-9, atol=1e-12)


def one_after_another(lib: Any, optimizer: Any, settings: dict[str, Any]) -> Any:
    plans = lib.optim.lr_scheduler
    parts = [
        plans.LinearLR(optimizer, 0.1, total_iters=8),
        plans.CosineAnnealingLR(optimizer, 30),
        plans.ExponentialLR(optimizer, 0.9),
    ]
    return plans.SequentialLR(optimizer, parts, milestones=[8, 40])


def at_once(lib: Any, optimizer: Any, settings: dict[str, Any]) -> Any:
    plans = lib.optim.lr_scheduler
    return plans.ChainedScheduler(
        [plans.ConstantLR(optimizer, 0.1, total_iters=12), plans.ExponentialLR(optimizer, 0.9)]
    )


@pytest.mark.parametrize("make", [one_after_another, at_once])
def test_schedules_of_schedules(make: Any) -> None:
    np.testing.assert_allclose(*(plan(lib, make, {}) for lib in (ml, torch)), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(
    "settings",
    [{}, {"mode": "max", "patience": 2, "cooldown": 3}, {"threshold_mode": "abs", "min_lr": 0.02, "factor": 0.5}],
)
def test_a_plateau_is_pytorchs(settings: dict[str, Any]) -> None:
    sides = []
    for lib in (ml, torch):
        optimizer = lib.optim.SGD([lib.zeros(1, requires_grad=True)], lr=0.1)
        schedule = lib.optim.lr_scheduler.ReduceLROnPlateau(optimizer, **{"patience": 3, **settings})
        rates = []
        for epoch in range(60):
            schedule.step(math.sin(epoch * 0.7) + 1.0 / (epoch + 1))
            rates.append(optimizer.param_groups[0]["lr"])
        sides.append(rates)
    np.testing.assert_allclose(*sides, rtol=1e-12)
