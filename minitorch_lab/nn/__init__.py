"""Layers: modules with parameters, activations, losses. `nn.functional` has the same as plain functions."""

from . import functional
from .activation import GELU, LogSoftmax, ReLU, Sigmoid, Softmax, Softplus, Tanh
from .container import Sequential
from .dropout import Dropout
from .flatten import Flatten
from .linear import Linear
from .loss import CrossEntropyLoss, MSELoss
from .module import Module
from .parameter import Parameter

__all__ = [
    "GELU",
    "CrossEntropyLoss",
    "Dropout",
    "Flatten",
    "Linear",
    "LogSoftmax",
    "MSELoss",
    "Module",
    "Parameter",
    "ReLU",
    "Sequential",
    "Sigmoid",
    "Softmax",
    "Softplus",
    "Tanh",
    "functional",
]
