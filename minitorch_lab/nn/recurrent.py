"""Recurrent layers: a state that each entry of a sequence changes. Names and shapes of the weights are PyTorch's."""

from __future__ import annotations

from math import sqrt
from typing import Any

from ..errors import ArgumentError, ShapeError
from ..ops.compare import where
from ..ops.join import cat, stack
from ..ops.linalg import linear
from ..tensors.factories import zeros
from ..tensors.tensor import Tensor
from . import functional as F  # noqa: N812
from .functional._dropout import check_probability
from .functional.recurrent import STEPS, State
from .linear import positive, uniform
from .module import Module
from .parameter import Parameter
from .utils.rnn import PackedSequence, pack_like, pad_packed_sequence


class Recurrent(Module):
    """What RNN, LSTM and GRU share: layers one above the other, one or two directions, a loop over time."""

    kind = "tanh"
    proj_size = 0  # the width to which an LSTM maps its state; 0 leaves it as it is

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Weights and biases start uniform in ±1/√hidden_size."""
        super().__init__()
        check_probability(dropout)
        owner = type(self).__name__
        self.input_size = positive(owner, "input_size", input_size)
        self.hidden_size = positive(owner, "hidden_size", hidden_size)
        self.num_layers = positive(owner, "num_layers", num_layers)
        self.bias, self.batch_first = bias, batch_first
        self.dropout, self.bidirectional = dropout, bidirectional
        gates, bound = STEPS[self.kind][1] * hidden_size, 1.0 / sqrt(hidden_size)
        for name, width in self.runs():
            shapes = {"weight_ih": (gates, width), "weight_hh": (gates, self.state_size)}
            shapes |= {"bias_ih": (gates,), "bias_hh": (gates,)} if bias else {}
            shapes |= {"weight_hr": (self.proj_size, hidden_size)} if self.proj_size else {}
            for part, shape in shapes.items():
                self.register_parameter(f"{part}_{name}", Parameter(uniform(shape, bound, dtype)))

    @property
    def state_size(self) -> int:
        """The width of the states that come out."""
        return self.proj_size or self.hidden_size

    def runs(self) -> list[tuple[str, int]]:
        """One walk over the sequence for each layer and direction: the end of its names, and the width it takes."""
        ways = ("", "_reverse") if self.bidirectional else ("",)
        above = self.state_size * len(ways)
        return [(f"l{k}{way}", above if k else self.input_size) for k in range(self.num_layers) for way in ways]

    def forward(self, input: Any, hx: Any = None) -> Any:
        """A sequence in; the sequence of the last layer's states, and the state after the last entry, out.

        Args:
            input: (length, batch, width), (batch, length, width) if `batch_first`, (length, width), or a
                `PackedSequence`.
            hx: The state at the start, (layers · directions, batch, hidden); for an LSTM a pair of them. Zeros if
                left out.

        Raises:
            ShapeError: The input or the state has another shape.
        """
        if isinstance(input, PackedSequence):
            dense, lengths = pad_packed_sequence(input)
            state = None if hx is None else self.as_state(hx)
            out, last = self.walked(dense, state, lengths)
            return pack_like(out, input), last
        if input.ndim not in (2, 3) or input.shape[-1] != self.input_size:
            raise ShapeError(
                f"{type(self).__name__} got an input of shape {tuple(input.shape)}.",
                f"It takes {'(batch, length' if self.batch_first else '(length, batch'}, {self.input_size}).",
                f"Did you mean {type(self).__name__}({input.shape[-1]}, {self.hidden_size})?"
                if input.ndim in (2, 3)
                else "Did you mean input.unsqueeze(0)? It is a sequence of one."
                if input.shape == (self.input_size,)
                else "Compare the number of axes; one example has two, a batch three.",
            )
        state = None if hx is None else self.as_state(hx)
        if input.ndim == 2:
            lone = None if state is None else tuple(part.unsqueeze(1) for part in state)
            out, last = self.walked(input.unsqueeze(1), lone, None)
            return out.squeeze(1), (
                tuple(part.squeeze(1) for part in last) if isinstance(last, tuple) else last.squeeze(1)
            )
        if not self.batch_first:
            return self.walked(input, state, None)
        out, last = self.walked(input.transpose(0, 1), state, None)
        return out.transpose(0, 1), last

    def as_state(self, hx: Any) -> State:
        """The state as a tuple of its parts."""
        return tuple(hx) if isinstance(hx, (tuple, list)) else (hx,)

    def walked(self, x: Tensor, state: State | None, lengths: Tensor | None) -> tuple[Tensor, Any]:
        """All layers over a sequence (length, batch, width), and the state at the end."""
        ways = 2 if self.bidirectional else 1
        parts = STEPS[self.kind][2]
        shape = (self.num_layers * ways, x.shape[1], self.state_size)
        shapes = (shape, (*shape[:2], self.hidden_size))[:parts]
        if state is None:
            state = tuple(zeros(s, dtype=x.dtype, device=x.device) for s in shapes)
        if tuple(tuple(part.shape) for part in state) != shapes:
            wanted = " and ".join(map(str, dict.fromkeys(shapes)))
            raise ShapeError(
                f"{type(self).__name__} got a state of shape {', '.join(str(tuple(part.shape)) for part in state)}.",
                f"It has {'two parts' if parts == 2 else 'one part'} of shape {wanted}.",
                "Did you mean to leave it out? It starts with zeros.",
            )
        ends: list[State] = []
        for k in range(self.num_layers):
            outs: list[Tensor] = []
            for way in range(ways):
                row = k * ways + way
                out, end = self.one_run(x, tuple(part[row] for part in state), self.runs()[row][0], way == 1, lengths)
                outs.append(out)
                ends.append(end)
            x = outs[0] if ways == 1 else cat(outs, -1)
            if self.dropout and k < self.num_layers - 1:
                x = F.dropout(x, self.dropout, self.training)
        last = tuple(stack([end[part] for end in ends]) for part in range(parts))
        return x, last if parts == 2 else last[0]

    def one_run(
        self, x: Tensor, state: State, name: str, backwards: bool, lengths: Tensor | None
    ) -> tuple[Tensor, State]:
        """One layer in one direction: all its states (length, batch, hidden), and the last one."""
        step, (w, v), (a, b) = STEPS[self.kind][0], self.weights_of(name), self.biases_of(name)
        mapped = linear(x, w, a)  # all places in one product
        narrowed = getattr(self, f"weight_hr_{name}") if self.proj_size else None
        found: list[Tensor] = []
        for t in reversed(range(x.shape[0])) if backwards else range(x.shape[0]):
            new = step(mapped[t], state, v, b)
            if narrowed is not None:
                new = (linear(new[0], narrowed), *new[1:])
            if lengths is not None:  # behind its end a sequence changes nothing
                inside = (lengths.to(device=x.device) > t).unsqueeze(1)
                new = tuple(where(inside, one, old) for one, old in zip(new, state, strict=True))
            state = new
            found.append(new[0])
        return stack(found[::-1] if backwards else found), state

    def weights_of(self, name: str) -> tuple[Tensor, Tensor]:
        """The weights of one run: of the input, and of the state."""
        return getattr(self, f"weight_ih_{name}"), getattr(self, f"weight_hh_{name}")

    def biases_of(self, name: str) -> tuple[Any, Any]:
        """The biases of one run, or twice None."""
        return (getattr(self, f"bias_ih_{name}"), getattr(self, f"bias_hh_{name}")) if self.bias else (None, None)

    def flatten_parameters(self) -> None:
        """Nothing: it is PyTorch's way to lay weights out for a GPU, and changes no number."""

    @property
    def all_weights(self) -> list[list[Tensor]]:
        """The parameters, a list for each layer and direction."""
        return [
            [p for part, p in self._parameters.items() if p is not None and part.partition("_l")[2] == name[1:]]
            for name, _ in self.runs()
        ]

    def extra_repr(self) -> str:
        """The sizes, and the settings that are not the usual ones."""
        usual = {"proj_size": 0, "num_layers": 1, "bias": True, "batch_first": False, "dropout": 0.0}
        usual["bidirectional"] = False
        parts = [f"{name}={getattr(self, name)}" for name, value in usual.items() if getattr(self, name) != value]
        return ", ".join([str(self.input_size), str(self.hidden_size), *parts])


class RNN(Recurrent):
    """`h' = tanh(W x + b + V h + c)` along a sequence (J. Elman, Finding Structure in Time, 1990).

    Args:
        input_size: Width of the entries.
        hidden_size: Width of the state.
        num_layers: How many layers stand one above the other.
        nonlinearity: "tanh" or "relu".
        bias: False leaves the biases out.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        dropout: The probability of dropping an entry between layers in training.
        bidirectional: Walk backwards too, and put both states side by side.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        weight_ih_l0 (hidden, width), weight_hh_l0 (hidden, hidden), bias_ih_l0 and bias_hh_l0 (hidden,), and so on for
        l1, …, and with "_reverse" for the way back. The result is (length, batch, hidden · directions), and the last
        state (layers · directions, batch, hidden).

    Raises:
        ArgumentError: A size is no positive whole number, or there is no such nonlinearity.
        ShapeError: The input or the state has another shape.

    Example:
        >>> import minitorch_lab as ml
        >>> out, h = ml.nn.RNN(3, 4)(ml.rand(5, 2, 3))
        >>> out.shape, h.shape
        ((5, 2, 4), (1, 2, 4))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Draw the starting values from the global generator."""
        check_nonlinearity("RNN", nonlinearity)
        self.kind = nonlinearity
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype)
        self.nonlinearity = nonlinearity


class LSTM(Recurrent):
    """Long short-term memory (S. Hochreiter and J. Schmidhuber, 1997): a state and a memory that gates keep.

    i, f, o = sigmoid of three maps of (x, h), g = tanh of a fourth; c' = f c + i g, h' = o tanh(c').

    Args:
        input_size: Width of the entries.
        hidden_size: Width of state and memory.
        num_layers: How many layers stand one above the other.
        bias: False leaves the biases out.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        dropout: The probability of dropping an entry between layers in training.
        bidirectional: Walk backwards too, and put both states side by side.
        proj_size: Map the state to so many entries after each step (H. Sak and others, 2014); 0 leaves it as it is.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        weight_ih_l0 (4 · hidden, width) and weight_hh_l0 (4 · hidden, hidden) hold the gates i, f, g, o one below the
        other; bias_ih_l0 and bias_hh_l0 (4 · hidden,). The result is (length, batch, hidden · directions), and a pair
        of the last state and memory, each (layers · directions, batch, hidden). With `proj_size`, weight_hr_l0
        (proj_size, hidden), and states are of this width.

    Raises:
        ArgumentError: A size is no positive whole number, or `proj_size` is not below `hidden_size`.
        ShapeError: The input or the state has another shape.

    Example:
        >>> import minitorch_lab as ml
        >>> out, (h, c) = ml.nn.LSTM(3, 4, batch_first=True)(ml.rand(2, 5, 3))
        >>> out.shape, h.shape, c.shape
        ((2, 5, 4), (1, 2, 4), (1, 2, 4))
    """

    kind = "lstm"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Draw the starting values from the global generator."""
        if not 0 <= proj_size < hidden_size:
            raise ArgumentError(
                f"LSTM got proj_size={proj_size} and hidden_size={hidden_size}.",
                "The state is mapped to fewer entries, or left as it is.",
                "Did you mean proj_size=0?",
            )
        self.proj_size = proj_size
        super().__init__(input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, dtype)


class GRU(Recurrent):
    """Gated recurrent units (K. Cho and others, 2014): h' = (1 - z) n + z h, n = tanh(W x + r (V h)).

    Args:
        input_size: Width of the entries.
        hidden_size: Width of the state.
        num_layers: How many layers stand one above the other.
        bias: False leaves the biases out.
        batch_first: True for (batch, length, width), False for (length, batch, width).
        dropout: The probability of dropping an entry between layers in training.
        bidirectional: Walk backwards too, and put both states side by side.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Shape:
        As `LSTM`, with the gates r, z, n, and one state.

    Raises:
        ArgumentError: A size is no positive whole number.
        ShapeError: The input or the state has another shape.

    Example:
        >>> import minitorch_lab as ml
        >>> out, h = ml.nn.GRU(3, 4, num_layers=2, bidirectional=True)(ml.rand(5, 2, 3))
        >>> out.shape, h.shape
        ((5, 2, 8), (4, 2, 4))
    """

    kind = "gru"


class Cell(Module):
    """What the cells share: one step of a recurrent layer, with weights of its own."""

    kind = "tanh"

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Weights and biases start uniform in ±1/√hidden_size."""
        super().__init__()
        owner = type(self).__name__
        self.input_size = positive(owner, "input_size", input_size)
        self.hidden_size = positive(owner, "hidden_size", hidden_size)
        self.bias = bias
        gates, bound = STEPS[self.kind][1] * hidden_size, 1.0 / sqrt(hidden_size)
        self.weight_ih = Parameter(uniform((gates, input_size), bound, dtype))
        self.weight_hh = Parameter(uniform((gates, hidden_size), bound, dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(uniform((gates,), bound, dtype)) if bias else None)

    def forward(self, input: Tensor, hx: Any = None) -> Any:
        """One entry (batch, width) or (width,) and the state, zeros if left out; the new state out.

        Raises:
            ShapeError: The input or the state has another shape.
        """
        if input.ndim not in (1, 2) or input.shape[-1] != self.input_size:
            raise ShapeError(
                f"{type(self).__name__} got an input of shape {tuple(input.shape)}.",
                f"It takes one entry: (batch, {self.input_size}).",
                "Did you mean the layer without Cell? It takes whole sequences.",
            )
        step, _, parts = STEPS[self.kind]
        if hx is None:
            shape = (*input.shape[:-1], self.hidden_size)
            hx = tuple(zeros(shape, dtype=input.dtype, device=input.device) for _ in range(parts))
        state = tuple(hx) if isinstance(hx, (tuple, list)) else (hx,)
        mapped = linear(input, self.weight_ih, self.bias_ih)
        new = step(mapped, state, self.weight_hh, self.bias_hh)
        return new if parts == 2 else new[0]

    def extra_repr(self) -> str:
        """The sizes."""
        return f"{self.input_size}, {self.hidden_size}{'' if self.bias else ', bias=False'}"


class RNNCell(Cell):
    """One step of an `RNN`.

    Args:
        input_size: Width of an entry.
        hidden_size: Width of the state.
        bias: False leaves the biases out.
        nonlinearity: "tanh" or "relu".
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ArgumentError: A size is no positive whole number, or there is no such nonlinearity.
        ShapeError: The input has another width.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.RNNCell(3, 4)(ml.rand(2, 3)).shape
        (2, 4)
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        dtype: Any = None,
        device: Any = None,
    ) -> None:
        """Draw the starting values from the global generator."""
        check_nonlinearity("RNNCell", nonlinearity)
        self.kind = nonlinearity
        super().__init__(input_size, hidden_size, bias, dtype)
        self.nonlinearity = nonlinearity


class LSTMCell(Cell):
    """One step of an `LSTM`: takes and gives a pair of state and memory.

    Args:
        input_size: Width of an entry.
        hidden_size: Width of state and memory.
        bias: False leaves the biases out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ArgumentError: A size is no positive whole number.
        ShapeError: The input has another width.

    Example:
        >>> import minitorch_lab as ml
        >>> h, c = ml.nn.LSTMCell(3, 4)(ml.rand(2, 3))
        >>> h.shape, c.shape
        ((2, 4), (2, 4))
    """

    kind = "lstm"


class GRUCell(Cell):
    """One step of a `GRU`.

    Args:
        input_size: Width of an entry.
        hidden_size: Width of the state.
        bias: False leaves the biases out.
        dtype: One that holds floats; the default dtype if left out.
        device: Where the parameters lie.

    Raises:
        ArgumentError: A size is no positive whole number.
        ShapeError: The input has another width.

    Example:
        >>> import minitorch_lab as ml
        >>> ml.nn.GRUCell(3, 4)(ml.rand(2, 3)).shape
        (2, 4)
    """

    kind = "gru"


def check_nonlinearity(owner: str, name: str) -> None:
    """Refuse a nonlinearity that does not exist.

    Raises:
        ArgumentError: It does not.
    """
    if name not in ("tanh", "relu"):
        raise ArgumentError(
            f"{owner} got nonlinearity={name!r}.", 'It is "tanh" or "relu".', "Did you mean LSTM or GRU?"
        )
