"""The residual network of row C5: layers inside blocks inside a list, found, counted, saved and trained."""

from __future__ import annotations

import minitorch_lab as ml
from minitorch_lab import nn


class Block(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(channels, channels, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, padding=1)
        self.bn2 = nn.BatchNorm2d(channels)

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        inner = self.bn1(self.conv1(x)).relu()
        return (x + self.bn2(self.conv2(inner))).relu()


class Residual(nn.Module):
    def __init__(self, blocks: int, channels: int = 64) -> None:
        super().__init__()
        self.conv_in = nn.Conv2d(3, channels, 7, padding=3)
        self.blocks = nn.ModuleList([Block(channels) for _ in range(blocks)])
        self.fc = nn.Linear(channels, 10)

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        x = self.conv_in(x)
        for block in self.blocks:
            x = block(x)
        return self.fc(x.mean(dim=(2, 3)))


def test_row_c5_the_residual_network_has_306570_parameters() -> None:
    model = Residual(4)
    assert sum(p.numel() for p in model.parameters()) == 306_570
    names = list(model.state_dict())
    assert names[:4] == ["conv_in.weight", "conv_in.bias", "blocks.0.conv1.weight", "blocks.0.conv1.bias"]
    assert "blocks.3.bn2.num_batches_tracked" in names


def test_row_c5_batch_norms_can_be_swapped_for_group_norms() -> None:
    model = Residual(2, channels=8)
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if isinstance(child, nn.BatchNorm2d):
                setattr(module, name, nn.GroupNorm(4, child.num_features))
    assert not list(model.buffers())
    assert model(ml.rand(2, 3, 6, 6)).shape == (2, 10)


def test_row_c5_it_learns_and_its_state_moves_to_a_twin() -> None:
    ml.manual_seed(0)
    model, twin = Residual(2, channels=8), Residual(2, channels=8)
    x, y = ml.randn(8, 3, 6, 6), ml.arange(8)
    optimizer = ml.optim.Adam(model.parameters(), lr=0.01)
    losses = []
    for _ in range(15):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    assert model.blocks[0].bn1.num_batches_tracked.item() == 15
    assert twin.load_state_dict(model.state_dict()) == ([], [])
    assert (twin.eval()(x) == model.eval()(x)).all()
