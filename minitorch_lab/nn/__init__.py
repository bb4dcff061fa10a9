"""Layers: modules with parameters, activations, losses. `nn.functional` has the same as plain functions."""

from . import functional, init
from .activation import GELU, Hardsigmoid, LogSoftmax, ReLU, Sigmoid, Softmax, Softplus, Tanh
from .attention import MultiheadAttention, TransformerEncoderLayer
from .batchnorm import BatchNorm1d, BatchNorm2d
from .container import ModuleDict, ModuleList, Sequential
from .conv import Conv1d, Conv2d, ConvTranspose2d
from .dropout import Dropout
from .embedding import Embedding
from .flatten import Flatten
from .identity import Identity
from .linear import Linear
from .loss import CrossEntropyLoss, MSELoss
from .module import Module
from .norm import GroupNorm, LayerNorm, RMSNorm
from .parameter import Parameter
from .pool import AvgPool2d, MaxPool2d

__all__ = [
    "GELU", "AvgPool2d", "BatchNorm1d", "BatchNorm2d", "Conv1d", "Conv2d", "ConvTranspose2d", "CrossEntropyLoss",
    "Dropout", "Embedding", "Flatten", "GroupNorm", "Hardsigmoid", "Identity", "LayerNorm", "Linear", "LogSoftmax",
    "MSELoss", "MaxPool2d", "Module", "ModuleDict", "ModuleList", "MultiheadAttention", "Parameter", "RMSNorm", "ReLU",
    "Sequential", "Sigmoid", "Softmax", "Softplus", "Tanh", "TransformerEncoderLayer", "functional",
    "init",
]  # fmt: skip
