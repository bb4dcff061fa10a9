"""A GRU that says the next value of a wave at every place: a cosine schedule, gradients clipped by value."""

import math

import minitorch_lab as ml
from minitorch_lab import nn, optim

F = nn.functional
HIDDEN, LENGTH = 10, 7


class GRUCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.x2h = nn.Linear(input_size, 3 * hidden_size)
        self.h2h = nn.Linear(hidden_size, 3 * hidden_size)

    def forward(self, x, h):
        x_r, x_z, x_n = self.x2h(x).chunk(3, -1)
        h_r, h_z, h_n = self.h2h(h).chunk(3, -1)
        r, z = (x_r + h_r).sigmoid(), (x_z + h_z).sigmoid()
        n = (x_n + r * h_n).tanh()
        return n + z * (h - n)


class GRU(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = GRUCell(1, HIDDEN)
        self.head = nn.Linear(HIDDEN, 1)

    def forward(self, x, h=None):
        if h is None:
            h = ml.zeros(x.size(0), HIDDEN, dtype=x.dtype)
        out = []
        for step in x.unbind(1):
            h = self.cell(step.unsqueeze(-1), h)
            out.append(self.head(h))
        return ml.cat(out, dim=1)


def make(compile, dtype=ml.float32):
    model = GRU().to(dtype)
    optimizer = optim.AdamW(model.parameters(), lr=2e-2, weight_decay=1e-3)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=10)

    @compile
    def step(wave):
        x, y = wave[:, :-1], wave[:, 1:]
        loss = F.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        for p in model.parameters():
            if p.grad is not None:
                p.grad = p.grad.clamp(-0.5, 0.5)
        optimizer.step()
        return loss.detach()

    def train(wave):
        loss = step(wave)
        scheduler.step()
        return [loss.item()]

    def batch(rng, n):
        phases = rng.uniform(0, 2 * math.pi, n)
        return [[[math.sin(0.7 * t + p) for t in range(LENGTH)] for p in phases]]

    return train, batch, [model]
