"""Two half moons, told apart by a small net with a margin: the demonstration of micrograd."""

import numpy as np
import torch
import torch.nn as nn


def moons(n):
    angle = np.pi * np.arange(n) / (n - 1)
    upper = np.stack([np.cos(angle), np.sin(angle)], 1)
    lower = np.stack([1 - np.cos(angle), 0.5 - np.sin(angle)], 1)
    return np.concatenate([upper, lower]), np.repeat([-1.0, 1.0], n)


def models():
    return [nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 16), nn.ReLU(), nn.Linear(16, 1))]


def train(models, compile):
    (net,) = models
    x, y = (torch.tensor(part) for part in moons(40))

    @compile
    def loss_of(x, y):
        scores = net(x).squeeze(-1)
        margin = (1 - y * scores).clamp(min=0).mean()
        decay = 1e-4 * sum((p * p).sum() for p in net.parameters())
        return margin + decay, ((scores > 0) == (y > 0)).double().mean()

    losses = []
    for k in range(25):
        loss, accuracy = loss_of(x, y)
        net.zero_grad()
        loss.backward()
        rate = 1.0 - 0.9 * k / 25
        with torch.no_grad():
            for p in net.parameters():
                p -= 0.2 * rate * p.grad
        losses += [loss.item(), accuracy.item()]
    return losses
