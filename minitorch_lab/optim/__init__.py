"""Optimizers: from gradients to better parameters, in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..ops.absent import answering
from . import lr_scheduler, swa_utils
from .adam import Adam
from .adamw import AdamW
from .adaptive import Adadelta, Adagrad, Adamax, NAdam, RAdam, RMSprop, Rprop
from .asgd import ASGD
from .lbfgs import LBFGS
from .optimizer import Optimizer
from .sgd import SGD

if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = answering(__name__, "ml.optim")

__all__ = [
    "ASGD", "LBFGS", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "Optimizer", "RAdam", "RMSprop",
    "Rprop", "lr_scheduler", "swa_utils",
]  # fmt: skip
