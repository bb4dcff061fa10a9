"""Networks are functions that own their parameters.

A module finds its parameters by looking at its own attributes: a tensor that wants a gradient is one; a module, a list
or a dict may have more. The layers below are what the tour's network and a small GPT (in `examples`) need.
"""

import numpy as np

from . import ops
from .errors import teach
from .tape import tensor
from .tensor import Tensor


class Module:
    """A function with parameters. Subclasses define `forward`."""

    def __call__(self, *args):
        return self.forward(*args)

    def named_parameters(self):
        """Each parameter with the way to it, as in "blocks.0.weight". One that is used twice comes once."""
        found = {}
        for name, parameter in find_parameters(self, ""):
            found.setdefault(parameter, name)
        return [(name, parameter) for parameter, name in found.items()]

    def parameters(self):
        """The parameters, without their names."""
        return [parameter for _, parameter in self.named_parameters()]

    def zero_grad(self):
        """Forget the gradients of the last walk."""
        for parameter in self.parameters():
            parameter.grad = None

    def state_dict(self):
        """A copy of the numbers of all parameters, by name."""
        return {name: parameter.numpy().copy() for name, parameter in self.named_parameters()}

    def load_state_dict(self, state):
        """Take over numbers that `state_dict` has given."""
        ours = {name: parameter.shape for name, parameter in self.named_parameters()}
        theirs = {name: np.shape(value) for name, value in state.items()}
        if ours != theirs:
            raise teach("state", found=theirs, wanted=ours)
        for name, parameter in self.named_parameters():
            parameter.value = np.array(state[name], parameter.dtype)


def find_parameters(thing, name):
    """Yield (name, parameter) for everything that hangs on `thing`."""
    if isinstance(thing, Tensor) and thing.node is not None:
        yield name, thing
    parts = {}
    if isinstance(thing, Module):
        parts = vars(thing)
    elif isinstance(thing, dict):
        parts = thing
    elif isinstance(thing, list | tuple):
        parts = dict(enumerate(thing))
    for key, part in parts.items():
        yield from find_parameters(part, f"{name}.{key}" if name else str(key))


def parameter(array):
    """A leaf that wants a gradient, in float32."""
    return tensor(array, requires_grad=True, dtype="float32")


class Linear(Module):
    """x W + b, with W of shape (inputs, outputs)."""

    def __init__(self, inputs, outputs, rng):
        limit = inputs**-0.5
        self.weight = parameter(rng.uniform(-limit, limit, (inputs, outputs)))
        self.bias = parameter(np.zeros(outputs))

    def forward(self, x):
        """(…, inputs) to (…, outputs)."""
        return x @ self.weight + self.bias


class Embedding(Module):
    """One row of numbers for each word."""

    def __init__(self, words, width, rng):
        self.weight = parameter(rng.normal(0, 0.02, (words, width)))

    def forward(self, index):
        """Integers of any shape to rows."""
        return self.weight[index]


class LayerNorm(Module):
    """Shift and scale each row to mean 0 and variance 1, then by two learned vectors."""

    def __init__(self, width, eps=1e-5):
        self.weight, self.bias, self.eps = parameter(np.ones(width)), parameter(np.zeros(width)), eps

    def forward(self, x):
        """(…, width) to the same shape."""
        centred = x - x.mean(-1, keepdims=True)
        variance = (centred * centred).mean(-1, keepdims=True)
        return centred * (variance + self.eps) ** -0.5 * self.weight + self.bias


def softmax(x):
    """Positive, with sum 1 along the last axis. Taking the maximum off only keeps exp from overflowing."""
    e = (x - x.detach().max(-1, keepdims=True)).exp()
    return e / e.sum(-1, keepdims=True)


def gelu(x):
    """A smooth relu: x times the probability that a normal number is smaller, as the usual tanh formula has it."""
    return 0.5 * x * (1.0 + (0.7978845608028654 * (x + 0.044715 * x * x * x)).tanh())


def cross_entropy(scores, labels):
    """How surprised the scores are by the labels: the mean of −log softmax at the label, over all rows."""
    classes = scores.shape[-1] if scores.shape else 0
    shape, numbers = ops.shape_of(labels), isinstance(labels, Tensor | np.ndarray)
    if shape != scores.shape[:-1] or np.dtype(getattr(labels, "dtype", float)).kind not in "iu":
        raise teach("labels", scores=scores.shape, labels=f"shape {shape} and dtype {getattr(labels, 'dtype', None)}")
    if numbers and np.size(labels) and (np.min(labels) < 0 or np.max(labels) >= classes):
        raise teach("labels", scores=scores.shape, labels=f"{np.min(labels)} to {np.max(labels)}")
    shifted = scores - scores.detach().max(-1, keepdims=True)
    surprise = shifted.exp().sum(-1, keepdims=True).log() - shifted
    chosen = ops.take(np.eye(classes, dtype=scores.dtype), labels)
    return (surprise * chosen).sum(-1).mean()
