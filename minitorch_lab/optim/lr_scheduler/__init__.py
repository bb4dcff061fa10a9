"""Schedules of the learning rate: from the epoch's number to the rate of each group."""

from typing import TYPE_CHECKING

from ...ops.absent import answering
from .base import LRScheduler
from .cycles import CosineAnnealingWarmRestarts, CyclicLR, OneCycleLR
from .joined import ChainedScheduler, ReduceLROnPlateau, SequentialLR
from .paths import (
    ConstantLR,
    CosineAnnealingLR,
    ExponentialLR,
    LambdaLR,
    LinearLR,
    MultiplicativeLR,
    MultiStepLR,
    PolynomialLR,
    StepLR,
)

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.optim.lr_scheduler")

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR",
    "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "OneCycleLR", "PolynomialLR",
    "ReduceLROnPlateau", "SequentialLR", "StepLR",
]  # fmt: skip
