"""Move every parameter a small step against its gradient.

An optimizer reads `grad`, keeps what it needs of the past, and writes new values. It computes with plain arrays: no
step is ever differentiated.
"""

import numpy as np

from .errors import teach
from .tensor import Tensor


class Optimizer:
    """Subclasses say in which direction a parameter moves."""

    def __init__(self, parameters, lr):
        self.parameters = list(parameters) if hasattr(parameters, "__iter__") else []
        if not self.parameters or not all(isinstance(p, Tensor) and p.requires_grad for p in self.parameters):
            raise teach("parameters", what=type(self).__name__, thing=parameters)
        self.lr, self.steps = lr, 0
        self.state = [{} for _ in self.parameters]

    def zero_grad(self):
        """Forget the gradients of the last walk."""
        for parameter in self.parameters:
            parameter.grad = None

    def step(self):
        """Move every parameter that has a gradient."""
        if all(parameter.grad is None for parameter in self.parameters):
            raise teach("no_gradients")
        self.steps += 1
        for parameter, state in zip(self.parameters, self.state):
            if parameter.grad is not None:
                parameter.value = parameter.value - self.lr * self.direction(parameter.grad.value, state)


class SGD(Optimizer):
    """Along the gradient, or along a running sum of gradients."""

    def __init__(self, parameters, lr, momentum=0.0):
        super().__init__(parameters, lr)
        self.momentum = momentum

    def direction(self, gradient, state):
        """momentum · the last direction + the gradient."""
        if self.momentum:
            gradient = state["sum"] = self.momentum * state.get("sum", 0.0) + gradient
        return gradient


class Adam(Optimizer):
    """Along a running mean of the gradients, divided by how large they usually are (Kingma and Ba, 2015)."""

    def __init__(self, parameters, lr=1e-3, betas=(0.9, 0.999), eps=1e-8):
        super().__init__(parameters, lr)
        self.betas, self.eps = betas, eps

    def direction(self, gradient, state):
        """Both running means start at 0, which is too small: they are divided by how much has been seen."""
        b1, b2 = self.betas
        seen = state["seen"] = state.get("seen", 0) + 1
        state["mean"] = b1 * state.get("mean", 0.0) + (1 - b1) * gradient
        state["square"] = b2 * state.get("square", 0.0) + (1 - b2) * gradient * gradient
        return state["mean"] / (1 - b1**seen) / (np.sqrt(state["square"] / (1 - b2**seen)) + self.eps)
