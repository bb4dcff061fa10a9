"""The next letter of a name from the three before it: embeddings, a hidden layer, a batch norm by hand (makemore)."""

import torch
import torch.nn.functional as F

WORDS = "emma olivia ava isabella sophia charlotte mia amelia harper evelyn abigail emily ella luna aria".split()
LETTERS = "." + "".join(sorted(set("".join(WORDS))))
CONTEXT = 3


class Net(torch.nn.Module):
    def __init__(self, width=6, hidden=24):
        super().__init__()
        n = len(LETTERS)
        self.C = torch.nn.Parameter(torch.randn(n, width))
        self.W1 = torch.nn.Parameter(torch.randn(CONTEXT * width, hidden) * (5 / 3) / (CONTEXT * width) ** 0.5)
        self.gain = torch.nn.Parameter(torch.ones(1, hidden))
        self.shift = torch.nn.Parameter(torch.zeros(1, hidden))
        self.W2 = torch.nn.Parameter(torch.randn(hidden, n) * 0.1)
        self.b2 = torch.nn.Parameter(torch.zeros(n))

    def forward(self, x):
        before = self.C[x].view(x.shape[0], -1) @ self.W1
        normal = (before - before.mean(0, keepdim=True)) / (before.std(0, keepdim=True) + 1e-5)
        return torch.tanh(self.gain * normal + self.shift) @ self.W2 + self.b2


def examples():
    number = {letter: i for i, letter in enumerate(LETTERS)}
    xs, ys = [], []
    for word in WORDS:
        context = [0] * CONTEXT
        for letter in word + ".":
            xs.append(context)
            ys.append(number[letter])
            context = context[1:] + [number[letter]]
    return torch.tensor(xs), torch.tensor(ys)


def models():
    return [Net()]


def train(models, compile):
    (net,) = models
    X, Y = examples()

    @compile
    def loss_of(x, y):
        return F.cross_entropy(net(x), y)

    losses = []
    for k in range(20):
        rows = torch.arange(k, X.shape[0], 3)
        loss = loss_of(X[rows], Y[rows])
        for p in net.parameters():
            p.grad = None
        loss.backward()
        for p in net.parameters():
            p.data += -(0.3 if k < 15 else 0.05) * p.grad
        losses.append(loss.item())
    return losses
