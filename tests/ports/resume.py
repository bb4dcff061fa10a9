"""A run with a schedule, broken off and gone on with from a checkpoint: the tutorial on saving and loading."""

import io

import torch
from torch import nn, optim


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 16), nn.BatchNorm1d(16), nn.Tanh())
        self.head = nn.Linear(16, 3)
        self.register_buffer("seen", torch.tensor(0))

    def forward(self, x):
        if self.training:
            self.seen += x.size(0)
        return self.head(self.body(x))


def fresh(model):
    optimizer = optim.SGD(model.parameters(), lr=0.2, momentum=0.9, nesterov=True, weight_decay=1e-3)
    warm = optim.lr_scheduler.LinearLR(optimizer, start_factor=0.1, total_iters=4)
    cosine = optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=12, eta_min=1e-3)
    return optimizer, optim.lr_scheduler.SequentialLR(optimizer, schedulers=[warm, cosine], milestones=[4])


def models():
    return [Net(), Net()]


def train(models, compile):
    first, second = models
    t = torch.arange(180).reshape(30, 6)
    x, y = torch.sin(t * 1.3), torch.arange(30) % 3
    criterion, losses = nn.CrossEntropyLoss(label_smoothing=0.1), []

    def go(model, optimizer, scheduler, steps):
        run = compile(lambda x, y: criterion(model(x), y))
        for _ in range(steps):
            optimizer.zero_grad()
            loss = run(x, y)
            loss.backward()
            optimizer.step()
            scheduler.step()
            losses.extend([loss.item(), scheduler.get_last_lr()[0]])

    optimizer, scheduler = fresh(first)
    go(first, optimizer, scheduler, 8)
    file = io.BytesIO()
    state = {"epoch": 8, "model": first.state_dict(), "optimizer": optimizer.state_dict(), "loss": losses[-2]}
    torch.save({**state, "scheduler": scheduler.state_dict()}, file)
    file.seek(0)
    checkpoint = torch.load(file, weights_only=True)
    optimizer, scheduler = fresh(second)
    second.load_state_dict(checkpoint["model"])
    optimizer.load_state_dict(checkpoint["optimizer"])
    scheduler.load_state_dict(checkpoint["scheduler"])
    go(second, optimizer, scheduler, 16 - checkpoint["epoch"])
    second.eval()
    return [*losses, float(second.seen), criterion(second(x), y).item()]
