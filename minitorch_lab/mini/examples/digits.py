"""The tour's network: 64 pixels in, a hidden layer, a score for each of the ten digits out."""

import numpy as np

from .. import compile, nn, no_grad, optim, tensor


class Reader(nn.Module):
    """Two linear layers with a relu between them."""

    def __init__(self, rng):
        self.hidden, self.out = nn.Linear(64, 128, rng), nn.Linear(128, 10, rng)

    def forward(self, images):
        """(batch, 64) pixels to (batch, 10) scores."""
        return self.out(self.hidden(images).relu())


def train(images, labels, epochs=60, compiled=False, seed=0):
    """A reader that has seen all images `epochs` times, each time under fresh noise."""
    rng = np.random.default_rng(seed)
    model = Reader(rng)
    optimizer = optim.Adam(model.parameters(), lr=3e-3)

    def loss(x, y):
        return nn.cross_entropy(model(x), y)

    step = compile(loss) if compiled else loss
    for _ in range(epochs):
        order = rng.permutation(len(images))
        for k in range(len(images) // 64):
            rows = order[64 * k : 64 * k + 64]
            noise = 0.3 * rng.normal(size=(64, 64)).astype("float32")
            optimizer.zero_grad()
            step(images[rows] + noise, labels[rows]).backward()
            optimizer.step()
    return model


def accuracy(model, images, labels):
    """The share of images that the model reads as their label."""
    with no_grad():
        return float((model(tensor(images)).numpy().argmax(1) == labels).mean())
