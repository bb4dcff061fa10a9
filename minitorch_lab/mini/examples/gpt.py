"""A small GPT: words in, scores for the next word out."""

import numpy as np

from ..nn import Embedding, LayerNorm, Linear, Module, cross_entropy, gelu, softmax


class Attention(Module):
    """Every position looks back, and takes a weighted mean of what it finds. Heads look for different things."""

    def __init__(self, width, heads, rng):
        self.heads = heads
        self.query, self.key, self.value, self.out = (Linear(width, width, rng) for _ in range(4))

    def forward(self, x):
        """(batch, length, width) to the same shape."""
        batch, length, width = x.shape

        def split(y):
            return y.reshape(batch, length, self.heads, width // self.heads).permute(0, 2, 1, 3)

        q, k, v = split(self.query(x)), split(self.key(x)), split(self.value(x))
        future = np.triu(np.full((length, length), -1e9, x.dtype), k=1)
        weights = softmax(q @ k.T * (width // self.heads) ** -0.5 + future)
        return self.out((weights @ v).permute(0, 2, 1, 3).reshape(batch, length, width))


class Block(Module):
    """Attention, then a small network for each position; both add to what passes through."""

    def __init__(self, width, heads, rng):
        self.norm1, self.norm2 = LayerNorm(width), LayerNorm(width)
        self.attention = Attention(width, heads, rng)
        self.up, self.down = Linear(width, 4 * width, rng), Linear(4 * width, width, rng)

    def forward(self, x):
        """(batch, length, width) to the same shape."""
        x = x + self.attention(self.norm1(x))
        return x + self.down(gelu(self.up(self.norm2(x))))


class GPT(Module):
    """A table of words and one of places, some blocks, and a score for every word."""

    def __init__(self, words, length, width, heads, layers, rng):
        self.words, self.places = Embedding(words, width, rng), Embedding(length, width, rng)
        self.blocks = [Block(width, heads, rng) for _ in range(layers)]
        self.norm, self.head = LayerNorm(width), Linear(width, words, rng)

    def forward(self, index):
        """(batch, length) integers to (batch, length, words) scores."""
        x = self.words(index) + self.places(np.arange(index.shape[1]))
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x))

    def loss(self, index, following):
        """How surprised the model is by the words that follow."""
        return cross_entropy(self(index), following)
