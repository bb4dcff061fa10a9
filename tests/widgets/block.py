"""A training step of a transformer block, compiled and recorded: the program on which linking is tested."""

from __future__ import annotations

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.nn import functional
from minitorch_lab.recording import Recording

WIDTH, HEADS, LENGTH = 16, 2, 4


class Block(nn.Module):
    """Attention and a small net, each with a norm before it and a way around it."""

    def __init__(self) -> None:
        super().__init__()
        self.before, self.between = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.qkv, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)

    def forward(self, x: ml.Tensor) -> ml.Tensor:
        """(batch, LENGTH, WIDTH) to the same."""
        batch = x.shape[0]
        heads = self.qkv(self.before(x)).reshape(batch, LENGTH, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        q, k, v = heads[0], heads[1], heads[2]
        weights = (q @ k.transpose(-1, -2) * (WIDTH // HEADS) ** -0.5).softmax(-1)
        x = x + self.out((weights @ v).transpose(1, 2).reshape(batch, LENGTH, WIDTH))
        return x + self.down(functional.gelu(self.up(self.between(x))))


def compiled_step() -> Recording:
    """The second step: forward and backward run as kernels, the update op by op."""
    ml.manual_seed(0)
    block = Block()
    optimizer = ml.optim.SGD(block.parameters(), lr=0.1)
    run, x = ml.compile(block), ml.randn(2, LENGTH, WIDTH)
    run(x).sum().backward()
    optimizer.step()
    optimizer.zero_grad()
    with ml.record() as rec:
        loss = run(x).square().sum()
        loss.backward()
        optimizer.step()
    return rec
