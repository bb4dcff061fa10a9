"""A student's file, as one writes it: strict checking finds nothing in it, and it runs."""

from __future__ import annotations

import math
from collections.abc import Iterator

import minitorch_lab as ml
import minitorch_lab.nn.functional as F  # noqa: N812 - as everyone writes it
from minitorch_lab import nn
from minitorch_lab.data import DataLoader, Dataset, TensorDataset
from minitorch_lab.func import grad, vmap


class Noise(Dataset[tuple[ml.Tensor, ml.Tensor]]):
    """Points and whether they lie in the unit circle."""

    def __init__(self, n: int) -> None:
        self.points = ml.rand(n, 2) * 2 - 1
        self.inside = (self.points.square().sum(dim=1) < 1).long()

    def __len__(self) -> int:
        return len(self.points)

    def __getitem__(self, index: int) -> tuple[ml.Tensor, ml.Tensor]:
        return self.points[index], self.inside[index]


class Block(nn.Module):
    """A layer with a short cut."""

    def __init__(self, width: int, p: float = 0.1) -> None:
        super().__init__()
        self.linear = nn.Linear(width, width, bias=False)
        self.norm = nn.LayerNorm(width)
        self.drop = nn.Dropout(p)
        self.scale = nn.Parameter(ml.ones(width))
        self.register_buffer("calls", ml.zeros(1, dtype=ml.int64), persistent=False)

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        return x + self.drop(F.gelu(self.linear(self.norm(x)))) * self.scale


class Net(nn.Module):
    """Blocks between two layers."""

    def __init__(self, width: int, depth: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, width), *[Block(width) for _ in range(depth)])
        self.heads = nn.ModuleDict({"class": nn.Linear(width, 2)})
        self.steps = nn.ModuleList([nn.Tanh(), nn.Identity()])

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        for step in self.steps:
            x = step(x)
        return self.heads["class"](self.body(x))


def batches(data: ml.Tensor, size: int) -> Iterator[ml.Tensor]:
    """The rows of a tensor, some at a time."""
    order = ml.randperm(data.shape[0])
    for i in range(0, len(order), size):
        yield data[order[i : i + size]]


def train(model: nn.Module, loader: DataLoader[tuple[ml.Tensor, ml.Tensor]], epochs: int) -> list[float]:
    """The loss of each epoch."""
    optimizer = ml.optim.AdamW(model.parameters(), lr=1e-2, weight_decay=0.01)
    schedule = ml.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=epochs)
    criterion, losses = nn.CrossEntropyLoss(label_smoothing=0.1), list[float]()
    for _ in range(epochs):
        total = 0.0
        for x, y in loader:
            optimizer.zero_grad(set_to_none=True)
            loss = criterion(model(x), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            total += loss.item()
        schedule.step()
        losses.append(total / len(loader))
    return losses


def tensors() -> tuple[ml.Tensor, list[float], tuple[int, ...]]:
    """Operators, indexing, shapes, reductions, in-place writes, gradients."""
    x = ml.arange(12, dtype=ml.float32).reshape(3, 4).requires_grad_()
    y = (2 * x - x**2 / 3 + 1 - x.T.T) @ ml.eye(4) % 5
    z = ml.where(y > 0, y, 0.0).clamp(min=0, max=4).sum(dim=(0, 1), keepdim=True)
    best = x.max(dim=1)
    values, indices = x.topk(2, dim=-1)
    rows = ml.stack([x[0], x[1:].mean(0), x[..., -1].new_zeros(4)])
    rows[0, :2] = 0.5
    rows[rows < 0] = -rows[rows < 0]
    rows += 1
    parts = ml.cat(rows.split(1), dim=0)
    weights = F.softmax(parts / math.sqrt(4), dim=-1, dtype=ml.float64)
    norm = ml.linalg.norm(weights) + ml.special.expit(ml.tensor(0.0)) + ml.einsum("ij,ij->", rows, rows)
    q, r = ml.linalg.qr(ml.randn(3, 3))
    total: ml.Tensor = z.sum() + norm.float() + best.values.sum() + values.std(unbiased=False) + ml.max(x) + x.max()
    (total + ml.var(q @ r, dim=0).sum()).backward()
    with ml.no_grad():
        moved = x.detach().clone().add_(1, alpha=2).mul_(0.5)
    gradient = x.grad
    if gradient is None or not ml.allclose(gradient, gradient.to(ml.float64).float()):
        raise ValueError(x.shape)
    equal = (moved == moved).all() and indices.dtype == ml.int64 and bool((x != 3).any())
    picked = ml.sort(ml.tensor([3, 1, 2]), descending=True).indices.tolist()
    print(f"{equal} {x.size(0)} {x.ndim} {x.numel()} {x.device} {float(total):.2f} {gradient.abs().max().item()}")
    return gradient, picked, tuple(x.shape)


@ml.compile(mode="default")
def step(x: ml.Tensor, w: ml.Tensor) -> ml.Tensor:
    """Something compiled."""
    return ml.tanh(x @ w).sum(-1)


def height(t: ml.Tensor) -> ml.Tensor:
    """Something to differentiate."""
    return ml.sin(t).sum()


def main() -> None:
    """All of it."""
    ml.manual_seed(0)
    model = Net(8, 2)
    loader = DataLoader(Noise(32), batch_size=8, shuffle=True)
    losses = train(model, loader, epochs=2)
    pairs = DataLoader(TensorDataset(ml.randn(6, 2), ml.arange(6)), batch_size=3)
    with ml.inference_mode():
        model.eval()
        accuracy = (model(ml.rand(16, 2)).argmax(dim=1) == 0).float().mean().item()
    slopes = vmap(grad(height))(ml.linspace(0, 1, 5))
    ml.nn.init.xavier_uniform_(model.get_parameter("heads.class.weight"), gain=2.0)
    state = {name: tensor.shape for name, tensor in model.state_dict().items()}
    count = sum(p.numel() for p in model.parameters() if p.requires_grad)
    print(losses, accuracy, slopes, len(state), count, len(list(pairs)), step(ml.ones(2, 3), ml.ones(3, 2)), tensors())
    print([b.shape for b in batches(ml.zeros(5, 2), 2)], ml.cuda.is_available(), ml.optim.SGD([ml.zeros(1)], lr=0.1))


if __name__ == "__main__":
    main()
