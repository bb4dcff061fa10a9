"""Layers: modules with parameters, activations, losses. `nn.functional` has the same as plain functions."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ..ops.absent import unknown

if TYPE_CHECKING:
    from . import functional, init, utils
    from .activation import (
        GELU,
        GLU,
        LogSigmoid,
        LogSoftmax,
        Mish,
        Sigmoid,
        SiLU,
        Softmax,
        Softmax2d,
        Softmin,
        Softplus,
        Softsign,
        Tanh,
        Tanhshrink,
    )
    from .attention import MultiheadAttention
    from .batchnorm import BatchNorm1d, BatchNorm2d, BatchNorm3d
    from .buffer import Buffer
    from .container import ModuleDict, ModuleList, Sequential
    from .conv import Conv1d, Conv2d, Conv3d
    from .conv_transpose import ConvTranspose1d, ConvTranspose2d, ConvTranspose3d
    from .distance import CosineSimilarity, PairwiseDistance
    from .dropout import AlphaDropout, Dropout, Dropout1d, Dropout2d, Dropout3d
    from .embedding import Embedding, EmbeddingBag
    from .flatten import Flatten
    from .identity import Identity
    from .instancenorm import InstanceNorm1d, InstanceNorm2d, InstanceNorm3d
    from .lazy import (
        LazyBatchNorm1d,
        LazyBatchNorm2d,
        LazyBatchNorm3d,
        LazyConv1d,
        LazyConv2d,
        LazyConv3d,
        LazyConvTranspose1d,
        LazyConvTranspose2d,
        LazyConvTranspose3d,
        LazyInstanceNorm1d,
        LazyInstanceNorm2d,
        LazyInstanceNorm3d,
        LazyLinear,
    )
    from .linear import Bilinear, Linear
    from .loss import (
        BCELoss,
        BCEWithLogitsLoss,
        CosineEmbeddingLoss,
        CrossEntropyLoss,
        CTCLoss,
        GaussianNLLLoss,
        HingeEmbeddingLoss,
        HuberLoss,
        KLDivLoss,
        L1Loss,
        MarginRankingLoss,
        MSELoss,
        MultiLabelMarginLoss,
        MultiLabelSoftMarginLoss,
        MultiMarginLoss,
        NLLLoss,
        PoissonNLLLoss,
        SmoothL1Loss,
        SoftMarginLoss,
        TripletMarginLoss,
        TripletMarginWithDistanceLoss,
    )
    from .module import Module
    from .norm import GroupNorm, LayerNorm, LocalResponseNorm, RMSNorm
    from .padding import (
        CircularPad1d,
        CircularPad2d,
        CircularPad3d,
        ConstantPad1d,
        ConstantPad2d,
        ConstantPad3d,
        ReflectionPad1d,
        ReflectionPad2d,
        ReflectionPad3d,
        ReplicationPad1d,
        ReplicationPad2d,
        ReplicationPad3d,
        ZeroPad1d,
        ZeroPad2d,
        ZeroPad3d,
    )
    from .parameter import Parameter
    from .parameter_container import ParameterDict, ParameterList
    from .pool import (
        AdaptiveAvgPool1d,
        AdaptiveAvgPool2d,
        AdaptiveAvgPool3d,
        AdaptiveMaxPool1d,
        AdaptiveMaxPool2d,
        AdaptiveMaxPool3d,
        AvgPool1d,
        AvgPool2d,
        AvgPool3d,
        LPPool1d,
        LPPool2d,
        LPPool3d,
        MaxPool1d,
        MaxPool2d,
        MaxPool3d,
        MaxUnpool2d,
    )
    from .rectifiers import (
        CELU,
        ELU,
        SELU,
        Hardshrink,
        Hardsigmoid,
        Hardswish,
        Hardtanh,
        LeakyReLU,
        PReLU,
        ReLU,
        ReLU6,
        RReLU,
        Softshrink,
        Threshold,
    )
    from .recurrent import GRU, LSTM, RNN, GRUCell, LSTMCell, RNNCell
    from .resize import ChannelShuffle, Fold, PixelShuffle, PixelUnshuffle, Unflatten, Unfold, Upsample
    from .transformer import (
        Transformer,
        TransformerDecoder,
        TransformerDecoderLayer,
        TransformerEncoder,
        TransformerEncoderLayer,
    )
    from .uninitialized import UninitializedBuffer, UninitializedParameter

ROOMS = {  # the file that each layer stands in: read when it is first asked for, so that an import stays quick
    "activation": (
        "GELU GLU LogSigmoid LogSoftmax Mish SiLU Sigmoid Softmax Softmax2d Softmin Softplus Softsign Tanh Tanhshrink"
    ),
    "attention": "MultiheadAttention",
    "batchnorm": "BatchNorm1d BatchNorm2d BatchNorm3d",
    "buffer": "Buffer",
    "container": "ModuleDict ModuleList Sequential",
    "conv": "Conv1d Conv2d Conv3d",
    "conv_transpose": "ConvTranspose1d ConvTranspose2d ConvTranspose3d",
    "distance": "CosineSimilarity PairwiseDistance",
    "dropout": "AlphaDropout Dropout Dropout1d Dropout2d Dropout3d",
    "embedding": "Embedding EmbeddingBag",
    "flatten": "Flatten",
    "identity": "Identity",
    "instancenorm": "InstanceNorm1d InstanceNorm2d InstanceNorm3d",
    "lazy": (
        "LazyBatchNorm1d LazyBatchNorm2d LazyBatchNorm3d LazyConv1d LazyConv2d LazyConv3d LazyConvTranspose1d "
        "LazyConvTranspose2d LazyConvTranspose3d LazyInstanceNorm1d LazyInstanceNorm2d LazyInstanceNorm3d LazyLinear"
    ),
    "linear": "Bilinear Linear",
    "loss": (
        "BCELoss BCEWithLogitsLoss CTCLoss CosineEmbeddingLoss CrossEntropyLoss GaussianNLLLoss HingeEmbeddingLoss "
        "HuberLoss KLDivLoss L1Loss MSELoss MarginRankingLoss MultiLabelMarginLoss MultiLabelSoftMarginLoss "
        "MultiMarginLoss NLLLoss PoissonNLLLoss SmoothL1Loss SoftMarginLoss TripletMarginLoss "
        "TripletMarginWithDistanceLoss"
    ),
    "module": "Module",
    "norm": "GroupNorm LayerNorm LocalResponseNorm RMSNorm",
    "padding": (
        "CircularPad1d CircularPad2d CircularPad3d ConstantPad1d ConstantPad2d ConstantPad3d ReflectionPad1d "
        "ReflectionPad2d ReflectionPad3d ReplicationPad1d ReplicationPad2d ReplicationPad3d ZeroPad1d ZeroPad2d "
        "ZeroPad3d"
    ),
    "parameter": "Parameter",
    "parameter_container": "ParameterDict ParameterList",
    "pool": (
        "AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveAvgPool3d AdaptiveMaxPool1d AdaptiveMaxPool2d AdaptiveMaxPool3d "
        "AvgPool1d AvgPool2d AvgPool3d LPPool1d LPPool2d LPPool3d MaxPool1d MaxPool2d MaxPool3d MaxUnpool2d"
    ),
    "rectifiers": (
        "CELU ELU Hardshrink Hardsigmoid Hardswish Hardtanh LeakyReLU PReLU RReLU ReLU ReLU6 SELU Softshrink Threshold"
    ),
    "recurrent": "GRU GRUCell LSTM LSTMCell RNN RNNCell",
    "resize": "ChannelShuffle Fold PixelShuffle PixelUnshuffle Unflatten Unfold Upsample",
    "transformer": "Transformer TransformerDecoder TransformerDecoderLayer TransformerEncoder TransformerEncoderLayer",
    "uninitialized": "UninitializedBuffer UninitializedParameter",
}
HOME = {name: room for room, names in ROOMS.items() for name in names.split()}
MODULES = ("functional", "init", "utils")


def on_demand(name: str) -> Any:
    """Import a layer when it is first asked for."""
    if name in MODULES:
        return import_module(f".{name}", __name__)
    if name not in HOME:
        raise unknown(__name__, "ml.nn", name, lambda: [*HOME, *MODULES])
    found = globals()[name] = getattr(import_module(f".{HOME[name]}", __name__), name)
    return found


if not TYPE_CHECKING:  # a type checker knows the names by themselves
    __getattr__ = on_demand


def __dir__() -> list[str]:
    """What completion offers."""
    return sorted({*globals(), *HOME, *MODULES})


__all__ = [
    "CELU", "ELU", "GELU", "GLU", "GRU", "LSTM", "RNN", "SELU", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d",
    "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d", "AdaptiveMaxPool3d", "AlphaDropout", "AvgPool1d",
    "AvgPool2d", "AvgPool3d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d", "Bilinear",
    "Buffer", "CTCLoss", "ChannelShuffle", "CircularPad1d", "CircularPad2d", "CircularPad3d", "ConstantPad1d",
    "ConstantPad2d", "ConstantPad3d", "Conv1d", "Conv2d", "Conv3d", "ConvTranspose1d", "ConvTranspose2d",
    "ConvTranspose3d", "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Dropout1d",
    "Dropout2d", "Dropout3d", "Embedding", "EmbeddingBag", "Flatten", "Fold", "GRUCell", "GaussianNLLLoss",
    "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "HingeEmbeddingLoss", "HuberLoss", "Identity",
    "InstanceNorm1d", "InstanceNorm2d", "InstanceNorm3d", "KLDivLoss", "L1Loss", "LPPool1d", "LPPool2d", "LPPool3d",
    "LSTMCell", "LayerNorm", "LazyBatchNorm1d", "LazyBatchNorm2d", "LazyBatchNorm3d", "LazyConv1d", "LazyConv2d",
    "LazyConv3d", "LazyConvTranspose1d", "LazyConvTranspose2d", "LazyConvTranspose3d", "LazyInstanceNorm1d",
    "LazyInstanceNorm2d", "LazyInstanceNorm3d", "LazyLinear", "LeakyReLU", "Linear", "LocalResponseNorm",
    "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool2d",
    "Mish", "Module", "ModuleDict", "ModuleList", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss",
    "MultiMarginLoss", "MultiheadAttention", "NLLLoss", "PReLU", "PairwiseDistance", "Parameter", "ParameterDict",
    "ParameterList", "PixelShuffle", "PixelUnshuffle", "PoissonNLLLoss", "RMSNorm", "RNNCell", "RReLU", "ReLU",
    "ReLU6", "ReflectionPad1d", "ReflectionPad2d", "ReflectionPad3d", "ReplicationPad1d", "ReplicationPad2d",
    "ReplicationPad3d", "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmax2d",
    "Softmin", "Softplus", "Softshrink", "Softsign", "Tanh", "Tanhshrink", "Threshold", "Transformer",
    "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
    "TripletMarginLoss", "TripletMarginWithDistanceLoss", "Unflatten", "Unfold", "UninitializedBuffer",
    "UninitializedParameter", "Upsample", "ZeroPad1d", "ZeroPad2d", "ZeroPad3d", "functional", "init", "utils",
]  # fmt: skip
