"""The training-memory equation: weights + gradients + optimizer state + activations.

The first three depend on the number of parameters alone. Activations are what the forward pass keeps for the backward
pass: they grow with the batch, and are what remains when a model fits for inference and does not fit for training.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..autograd import saved_tensors_hooks
from ..nn.module import Module
from ..optim.optimizer import Optimizer
from ..tensors.tensor import Tensor
from .checks import check_amounts

ADAM = 8  # bytes of state for each parameter: two float32 means


@dataclass(frozen=True, slots=True)
class TrainingMemory:
    """Bytes, by what they are for."""

    weights: float
    gradients: float
    optimizer: float
    activations: float

    @property
    def persistent(self) -> float:
        """What is there between steps: all but the activations."""
        return self.weights + self.gradients + self.optimizer

    @property
    def total(self) -> float:
        """The whole, when the forward pass has ended."""
        return self.persistent + self.activations


def training_memory(
    parameters: float,
    activations: float = 0,
    *,
    weight: float = 4,
    gradient: float | None = None,
    state: float = ADAM,
) -> TrainingMemory:
    """What training a model takes.

    Args:
        parameters: How many numbers it learns.
        activations: Bytes that the forward pass keeps.
        weight: Bytes of a parameter.
        gradient: Bytes of its gradient; as many as of the parameter if left out.
        state: Bytes that the optimizer keeps for it: 0 for SGD, 4 with momentum, 8 for Adam.

    Raises:
        ArgumentError: An amount is negative.

    Example:
        >>> resnet50 = training_memory(25.6e6, activations=8e9)
        >>> [round(n / 1e6, 1) for n in (resnet50.weights, resnet50.optimizer, resnet50.total)]
        [102.4, 204.8, 8409.6]
    """
    gradient = weight if gradient is None else gradient
    check_amounts(
        "training_memory", parameters=parameters, activations=activations, weight=weight, gradient=gradient, state=state
    )
    return TrainingMemory(parameters * weight, parameters * gradient, parameters * state, activations)


def stored_activations(
    batch: float, layers: float, length: float, width: float, *, saved: float = 1, nbytes: float = 2
) -> float:
    """Bytes that a stack of equal layers keeps for its backward pass.

    Args:
        batch: Examples at once.
        layers: How many layers.
        length: Positions of each example.
        width: Features of each position.
        saved: Tensors of that size that a layer keeps.
        nbytes: Bytes of an entry.

    Raises:
        ArgumentError: An amount is negative.

    Example:
        >>> f"{stored_activations(32, 100, 1024, 1024) / 1e9:.1f} GB"
        '6.7 GB'
    """
    check_amounts(
        "stored_activations", batch=batch, layers=layers, length=length, width=width, saved=saved, nbytes=nbytes
    )
    return batch * layers * length * width * saved * nbytes


def measure_training_memory(model: Module, optimizer: Optimizer | None, loss: Callable[[], Tensor]) -> TrainingMemory:
    """The equation for a real model: its own parameters, its optimizer's state, what its forward pass keeps.

    Memory that several tensors share is counted once. Parameters that the tape keeps are no activations. `loss` runs
    once; nothing is updated. Before its first step an optimizer has no state yet.

    Args:
        model: Whose parameters are trained.
        optimizer: What trains them, if anything does yet.
        loss: Runs the forward pass.

    Example:
        >>> import minitorch_lab as ml
        >>> model = ml.nn.Linear(4, 3)
        >>> adam = ml.optim.Adam(model.parameters())
        >>> x = ml.ones(2, 4)
        >>> found = measure_training_memory(model, adam, lambda: model(x).exp().sum())
        >>> found.weights, found.gradients, found.optimizer, found.activations
        (60, 60, 0, 56)
    """
    parameters = list(model.parameters())
    kept: dict[int, int] = {}

    def pack(tensor: Tensor) -> Tensor:
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = storage.nbytes
        return tensor

    with saved_tensors_hooks(pack, lambda tensor: tensor):
        loss()
    for p in parameters:
        kept.pop(p.untyped_storage().data_ptr(), None)
    states = [] if optimizer is None else [x for entry in optimizer.state.values() for x in entry.values()]
    return TrainingMemory(
        sum(p.nbytes for p in parameters),
        sum(p.nbytes for p in parameters if p.requires_grad),
        sum(x.nbytes for x in states if isinstance(x, Tensor)),
        sum(kept.values()),
    )
