"""A training step of a small GPT, recorded: layers that repeat."""

from __future__ import annotations

import functools

import minitorch_lab as ml
from minitorch_lab import nn
from minitorch_lab.nn import functional
from minitorch_lab.recording import Recording
from tests.widgets.block import LENGTH, WIDTH, Block

TOKENS = 32


class Gpt(nn.Module):
    """Tokens and places go in, through `layers` blocks, and come out as scores for the next token."""

    def __init__(self, layers: int) -> None:
        super().__init__()
        self.tokens, self.places = nn.Embedding(TOKENS, WIDTH), nn.Embedding(LENGTH, WIDTH)
        self.blocks = nn.ModuleList([Block() for _ in range(layers)])
        self.norm, self.head = nn.LayerNorm(WIDTH), nn.Linear(WIDTH, TOKENS)

    def forward(self, ids: ml.Tensor) -> ml.Tensor:
        """(batch, LENGTH) to (batch, LENGTH, TOKENS)."""
        x = self.tokens(ids) + self.places(ml.arange(LENGTH))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))


@functools.cache
def gpt_step(layers: int = 12) -> Recording:
    """One step: forward, backward, SGD."""
    ml.manual_seed(0)
    model = Gpt(layers)
    optimizer = ml.optim.SGD(model.parameters(), lr=0.1)
    ids, target = ml.randint(0, TOKENS, (2, LENGTH)), ml.randint(0, TOKENS, (2 * LENGTH,))
    with ml.record() as rec:
        loss = functional.cross_entropy(model(ids).reshape(-1, TOKENS), target)
        loss.backward()
        optimizer.step()
    return rec
