"""One step of a recurrent network, by its gates. Weights are PyTorch's: gates one below the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ...ops.elementwise import tanh
from ...ops.kinks import relu
from ...ops.linalg import linear
from ...tensors.tensor import Tensor
from .activation import sigmoid

State: TypeAlias = tuple[Tensor, ...]  # (h,), or (h, c) of an LSTM; each (batch, hidden)
Step: TypeAlias = Callable[[Tensor, State, Tensor, Any], State]


def rnn_step(activation: Callable[[Tensor], Tensor]) -> Step:
    """h' = activation(mapped + W h + b). J. Elman, Finding Structure in Time, 1990."""

    def step(mapped: Tensor, state: State, weight: Tensor, bias: Any) -> State:
        return (activation(mapped + linear(state[0], weight, bias)),)

    return step


def lstm_step(mapped: Tensor, state: State, weight: Tensor, bias: Any) -> State:
    """c' = f c + i g, h' = o tanh(c'). S. Hochreiter and J. Schmidhuber, Long Short-Term Memory, 1997.

    `mapped` is what the input gives to the gates i, f, g, o: (batch, 4 · hidden).
    """
    h, c = state
    i, f, g, o = (mapped + linear(h, weight, bias)).chunk(4, -1)
    c = sigmoid(f) * c + sigmoid(i) * tanh(g)
    return sigmoid(o) * tanh(c), c


def gru_step(mapped: Tensor, state: State, weight: Tensor, bias: Any) -> State:
    """h' = (1 - z) n + z h, n = tanh(x_n + r h_n). K. Cho and others, 2014, with the reset after the product.

    `mapped` is what the input gives to the gates r, z, n: (batch, 3 · hidden).
    """
    (h,) = state
    (xr, xz, xn), (hr, hz, hn) = mapped.chunk(3, -1), linear(h, weight, bias).chunk(3, -1)
    r, z = sigmoid(xr + hr), sigmoid(xz + hz)
    n = tanh(xn + r * hn)
    return (n + z * (h - n),)


STEPS: dict[str, tuple[Step, int, int]] = {  # the step, how many gates there are, and how many parts the state has
    "tanh": (rnn_step(tanh), 1, 1),
    "relu": (rnn_step(relu), 1, 1),
    "lstm": (lstm_step, 4, 2),
    "gru": (gru_step, 3, 1),
}
