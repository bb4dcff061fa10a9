"""An RNN that adds along a sequence: its cell is two linear layers, its state starts as zeros."""

import minitorch_lab as ml
from minitorch_lab import nn, optim

HIDDEN, LENGTH = 12, 6


class RNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.i2h, self.h2h = nn.Linear(1, HIDDEN), nn.Linear(HIDDEN, HIDDEN, bias=False)
        self.head = nn.Linear(HIDDEN, 1)

    def forward(self, x):
        h = ml.zeros(x.shape[0], HIDDEN, dtype=x.dtype)
        for t in range(x.shape[1]):
            h = ml.tanh(self.i2h(x[:, t]) + self.h2h(h))
        return self.head(h)


def make(compile, dtype=ml.float32):
    model = RNN().to(dtype)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)
    loss_fn = nn.MSELoss()

    def step(x, y):
        optimizer.zero_grad()
        loss = loss_fn(model(x), y.view(-1, 1))
        loss.backward()
        optimizer.step()
        return loss

    step = compile(step)

    def train(x, y):
        return [step(x, y).item()]

    def batch(rng, n):
        x = rng.standard_normal((n, LENGTH, 1))
        return [x.tolist(), x.sum((1, 2)).tolist()]

    return train, batch, [model]
