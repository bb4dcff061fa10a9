"""After two batch sizes a third compiles nothing: every layer, and what people write around them, one line each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.compiler.targets import backends
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.compiler.targets.record import Backend

F = nn.functional
SIZES, SEEN = [8, 8, 6, 6, 5, 7, 9], 4
CLASSES = 5  # below which labels are drawn

# What is built, and what it is called with: shapes, n for the batch; labels are marked by a colon.
LAYERS: dict[str, tuple[Callable[[], Any], str]] = {
    "linear": (lambda: nn.Linear(3, 4), "n,3"),
    "linear of sequences": (lambda: nn.Linear(4, 2), "n,3,4"),
    "conv1d": (lambda: nn.Conv1d(2, 3, 3, stride=2), "n,2,7"),
    "conv2d": (lambda: nn.Conv2d(2, 3, 3, padding=1, stride=2), "n,2,6,6"),
    "conv2d in groups": (lambda: nn.Conv2d(2, 4, 3, groups=2, bias=False), "n,2,6,6"),
    "conv_transpose2d": (lambda: nn.ConvTranspose2d(2, 3, 3), "n,2,6,6"),
    "batch_norm1d": (lambda: nn.BatchNorm1d(3), "n,3"),
    "batch_norm1d of sequences": (lambda: nn.BatchNorm1d(3), "n,3,4"),
    "batch_norm2d": (lambda: nn.BatchNorm2d(2), "n,2,6,6"),
    "batch_norm1d in evaluation": (lambda: nn.BatchNorm1d(3).eval(), "n,3"),
    "layer_norm": (lambda: nn.LayerNorm(3), "n,3"),
    "layer_norm of two axes": (lambda: nn.LayerNorm((3, 4)), "n,3,4"),
    "group_norm": (lambda: nn.GroupNorm(1, 2), "n,2,6,6"),
    "rms_norm": (lambda: nn.RMSNorm(3), "n,3"),
    "dropout": (lambda: nn.Dropout(0.5), "n,3"),
    "softmax": (lambda: nn.Softmax(1), "n,3"),
    "softmax over the batch": (lambda: nn.Softmax(0), "n,3"),
    "log_softmax": (lambda: nn.LogSoftmax(1), "n,3"),
    "max_pool2d": (lambda: nn.MaxPool2d(3, stride=2, padding=1), "n,2,6,6"),
    "avg_pool2d": (lambda: nn.AvgPool2d(2), "n,2,6,6"),
    "flatten": (nn.Flatten, "n,2,6,6"),
    "encoder": (lambda: nn.TransformerEncoderLayer(4, 2, 8), "n,3,4"),
    "embedding": (lambda: nn.Embedding(CLASSES, 3), "n,4:"),
    "embedding with padding": (lambda: nn.Embedding(CLASSES, 3, padding_idx=0), "n,4:"),
    "cross_entropy": (nn.CrossEntropyLoss, "n,5 n:"),
    "cross_entropy of probabilities": (nn.CrossEntropyLoss, "n,5 n,5"),
    "cross_entropy of maps": (nn.CrossEntropyLoss, "n,5,3 n,3:"),
    "mse": (nn.MSELoss, "n,5 n,5"),
    **{name: (getattr(nn, name), "n,3") for name in ("ReLU", "Tanh", "Sigmoid", "GELU", "Softplus", "Hardsigmoid")},
}
ROW, PAIR, CUBE, PICK = "n,3", "n,3 n,3", "n,3,4", "n,5 n,1:"


def set_parts(x):
    y = x * 1
    y[:, 0] = 0.0
    y[1:] *= 2
    return y


def along_a_sequence(x):
    h = ml.zeros(x.shape[0], 4)
    for t in range(x.shape[1]):
        h = h + x[:, t : t + 1]
    return h


def checking(x):
    n, c = x.shape
    if c != 3:
        raise ValueError(f"bad shape {x.shape}")
    return x.view(n * c)


LINES: list[tuple[Callable[..., Any], str]] = [
    (lambda x, y: F.cross_entropy(x.view(-1, 5), y.view(-1)), "n,3,5 n,3:"),
    (lambda q: F.scaled_dot_product_attention(q, q, q, is_causal=True), "n,2,3,4"),
    (lambda x: x.chunk(2, 1)[0], "n,4"),
    (lambda x: (x @ x.mT @ x).transpose(1, 2).contiguous().view(x.size(0), 2, -1), "n,3,4"),
    (lambda x: x.split(2, dim=2)[1].view(x.size(0), 3, 1, 2), "n,3,4"),
    (lambda x: x.split(2, dim=1)[1] * 2, "n,4"),
    (lambda x, y: ml.cat([x, y]), PAIR),
    (lambda x, y: ml.stack([x, y], 1), PAIR),
    (lambda x, y: ml.stack([x, y]).mean(0), PAIR),
    (lambda x, i: x.gather(1, i), PICK),
    (lambda x, i: ml.zeros(x.shape[0], 5).scatter(1, i, x[:, :1]), PICK),
    (lambda x, i: ml.zeros(x.shape[0], 5).scatter_add(1, i, x[:, :1]), PICK),
    (lambda x, i: ml.zeros(5, 5).index_add(0, i[:, 0], x), PICK),
    (lambda x, i: ml.take_along_dim(x, i, 1), PICK),
    (lambda x, i: x[ml.arange(x.shape[0]), i[:, 0]], PICK),
    (lambda x, i: x[i[:, 0] % 2], PICK),
    (lambda x, i: (x.argmax(1) == i[:, 0]).float().mean() + x.sum() * 0, PICK),
    (lambda x: x.masked_fill(x > 0, 0.5), ROW),
    (lambda x: ml.where(x > 0, x, 0.1 * x), ROW),
    (lambda x: x.amax((0, 1)), ROW),
    (lambda x: x.cumsum(0), ROW),
    (lambda x: x.cumprod(1), ROW),
    (lambda x: x.flip(0), ROW),
    (lambda x: x.roll(1, 0), ROW),
    (lambda x: x.repeat(2, 2), ROW),
    (lambda x: x.unsqueeze(1).expand(-1, 4, -1), ROW),
    (lambda x: x.mean(0, keepdim=True).expand(x.shape[0], -1) + x, ROW),
    (lambda x: x[:, :1].broadcast_to(x.shape), ROW),
    (lambda x: x.unfold(1, 2, 1), ROW),
    (lambda x: ml.diag(x[:, 0]).sum(1), ROW),
    (lambda x: (x @ x.T).tril(), ROW),
    (lambda x: ml.outer(x[:, 0], x[:, 1]), ROW),
    (lambda x, y: ml.einsum("bi,ci->bc", x, y), PAIR),
    (lambda x: ml.bmm(x, x.transpose(1, 2)), CUBE),
    (lambda x: x.T @ x, ROW),
    (lambda x, y: (x[:, None] - y[None]).pow(2).sum(-1).sqrt(), PAIR),
    (lambda x: x.norm(dim=1), ROW),
    (lambda x: x.var(0), ROW),
    (lambda x: x.std(), ROW),
    (lambda x: x.logsumexp(0), ROW),
    (lambda x: F.pad(x, (0, 0, 1, 0)), ROW),
    (lambda x: x * ml.randn_like(x) + ml.rand(x.shape[0], 1) + ml.randn(*x.shape), ROW),
    (lambda x: x * ml.randint(0, 3, (x.size(0), 1)), ROW),
    (lambda x: x * ml.bernoulli(ml.ones(x.shape) * 0.5), ROW),
    (lambda x: x[ml.randperm(x.shape[0])], ROW),
    (lambda x: x + ml.zeros_like(x) + ml.ones(x.shape) + ml.full((x.shape[0], 1), 2.0) + ml.full_like(x, 3.0), ROW),
    (lambda x: x * ml.arange(x.shape[0]).view(-1, 1), ROW),
    (lambda x: x * ml.arange(0, x.shape[0] * 2, 2)[:, None], ROW),
    (lambda x: x.sum() / x.shape[0] + x.sum() / x.numel() + x.mean() * len(x), ROW),
    (lambda x: x * x.shape[0] ** 0.5 * (x.shape[0] // 2), ROW),
    (lambda x: x.permute(2, 0, 1).reshape(4, -1), CUBE),
    (lambda x: x.flatten(0, 1).unflatten(0, (-1, 3)), CUBE),
    (lambda x: x.view(x.size(0), -1, 2), CUBE),
    (lambda x: x[:, :1].squeeze(), ROW),
    (lambda x: x.unbind(1)[0], ROW),
    (lambda x: x.mT @ x, CUBE),
    (lambda x: x[1:] - x[:-1], ROW),
    (lambda x: x.diff(dim=0), ROW),
    (lambda x: x[::2], ROW),
    (lambda x: x[-1] * x[0], ROW),
    (lambda x: x[: x.shape[0] // 2], ROW),
    (lambda x: x.movedim(0, -1), CUBE),
    (lambda x: ml.kron(x, ml.ones(2, 2)), ROW),
    (lambda x: (x * 1).mul_(2).add_(1), ROW),
    (set_parts, ROW),
    (along_a_sequence, ROW),
    (checking, ROW),
    (lambda x: x * 2 if x.shape[0] > 3 else x, ROW),
    (lambda x: (x * (x > 0)).sum() / (x > 0).sum().clamp(min=1), ROW),
    (lambda x: (x @ x.T).masked_fill(ml.triu(ml.ones(len(x), len(x)), 1).bool(), float("-inf")).softmax(-1), ROW),
    (lambda x: (ml.arange(x.shape[0])[:, None] <= ml.arange(x.shape[0])[None]).float() @ x, ROW),
    (lambda x: F.conv_transpose1d(F.max_pool1d(x, 2), ml.ones(3, 2, 2)), CUBE),
]


def drawn(shapes: str, n: int) -> list[Any]:
    """Arguments: normal deviates that want gradients, and labels."""
    found: list[Any] = []
    for text in shapes.split(" "):
        shape = [n if part == "n" else int(part) for part in text.rstrip(":").split(",")]
        found.append(ml.randint(0, CLASSES, shape) if text[-1] == ":" else ml.randn(*shape).requires_grad_())
    return found


def observed(f: Any, args: list[Any], seed: int) -> Any:
    """The value and the gradients."""
    ml.manual_seed(seed)
    out = f(*args)
    if out.requires_grad:
        (out * out).sum().backward()
    return repr((out.tolist(), [x.grad is not None and x.grad.tolist() for x in args]))


def hold(f: Any, shapes: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []

    def counting(graph: Any) -> Any:
        made.append(graph.name)
        return compile_numpy(graph)

    monkeypatch.setitem(backends.BACKENDS, "counting", Backend("counting", counting, takes_sizes=True))
    compiled, counts = ml.compile(f, backend="counting", fullgraph=True), list[Any]()
    for n in SIZES:
        ml.manual_seed(n)
        args = drawn(shapes, n)
        copies = [x.detach().clone().requires_grad_(x.requires_grad) for x in args]
        assert observed(compiled, args, n) == observed(f, copies, n)
        counts.append((compiled.captures, len(made)))
    assert counts[SEEN - 1 :] == [counts[-1]] * (len(SIZES) - SEEN + 1), compiled.recompiles


@pytest.mark.parametrize("name", LAYERS)
def test_a_layer(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    make, shapes = LAYERS[name]
    ml.manual_seed(0)
    hold(make(), shapes, monkeypatch)


@pytest.mark.parametrize("line", range(len(LINES)))
def test_a_line(line: int, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(*LINES[line], monkeypatch)
