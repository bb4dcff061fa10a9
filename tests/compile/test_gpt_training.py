"""A small GPT in one compiled step: embeddings, attention, GELU, reshaped labels, an optimizer with a state."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import nn, optim

WORDS, TIME, WIDTH, HEADS = 11, 6, 8, 2


class Block(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.norm_1, self.norm_2 = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.queries_keys_values, self.project = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def attend(self, x: Any) -> Any:
        batch, time, _ = x.shape
        parts = self.queries_keys_values(x).split(WIDTH, 2)
        q, k, v = (p.reshape(batch, time, HEADS, WIDTH // HEADS).transpose(1, 2) for p in parts)
        scores = q @ k.transpose(-2, -1) * (WIDTH // HEADS) ** -0.5
        scores = scores.masked_fill(ml.tril(ml.ones(time, time)) == 0, float("-inf"))
        return self.project((scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, time, WIDTH))

    def forward(self, x: Any) -> Any:
        x = x + self.attend(self.norm_1(x))
        return x + self.mlp(self.norm_2(x))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words, self.places = nn.Embedding(WORDS, WIDTH), nn.Embedding(TIME, WIDTH)
        self.block, self.norm, self.head = Block(), nn.LayerNorm(WIDTH), nn.Linear(WIDTH, WORDS)

    def forward(self, words: Any, labels: Any) -> Any:
        x = self.words(words) + self.places(ml.arange(words.shape[1]))
        logits = self.head(self.norm(self.block(x)))
        return logits, nn.functional.cross_entropy(logits.view(-1, WORDS), labels.view(-1))


def trained(compile: Any, make: Any) -> tuple[list[float], list[Any]]:
    """The losses of five steps, and the parameters after them."""
    ml.manual_seed(0)
    model, rng = GPT(), np.random.default_rng(0)
    optimizer = make(model.parameters())

    @compile
    def step(words: Any, labels: Any) -> Any:
        _, loss = model(words, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    losses = [step(*(ml.tensor(rng.integers(0, WORDS, (3, TIME))) for _ in range(2))).item() for _ in range(5)]
    return losses, [p.detach().numpy() for p in model.parameters()]


@pytest.mark.parametrize(
    "make", [lambda ps: optim.AdamW(ps, lr=0.01), lambda ps: optim.SGD(ps, lr=0.1, momentum=0.9)], ids=["AdamW", "SGD"]
)
def test_a_compiled_gpt_trains_to_the_bits_of_eager(make: Any) -> None:
    losses, parameters = trained(ml.compile, make)
    want, others = trained(lambda f: f, make)
    assert losses == want
    for a, b in zip(parameters, others, strict=True):
        np.testing.assert_array_equal(a, b)


def test_a_gpt_in_fused_kernels_trains_to_the_loss_of_eager() -> None:
    make = lambda ps: optim.AdamW(ps, lr=0.01)  # noqa: E731
    losses, _ = trained(lambda f: ml.compile(f, backend="llvm"), make)
    assert losses == pytest.approx(trained(lambda f: f, make)[0], rel=1e-6)
