"""Letter after letter by an LSTM that carries its state from batch to batch, as far as gradients are cut off."""

import torch
from torch import nn

TEXT = "how much wood would a woodchuck chuck if a woodchuck could chuck wood? " * 4


class CharRNN(nn.Module):
    def __init__(self, n, hidden=20, layers=2):
        super().__init__()
        self.hidden, self.layers = hidden, layers
        self.embed = nn.Embedding(n, 8)
        self.lstm = nn.LSTM(8, hidden, layers, batch_first=True, dropout=0.0)
        self.head = nn.Linear(hidden, n)

    def forward(self, x, state):
        out, state = self.lstm(self.embed(x), state)
        return self.head(out), state

    def start(self, batch):
        weight = next(self.parameters())
        zeros = weight.new_zeros(self.layers, batch, self.hidden)
        return zeros, zeros.clone()


def models():
    return [CharRNN(len(set(TEXT)))]


def train(models, compile):
    (model,) = models
    letters = sorted(set(TEXT))
    codes = torch.tensor([letters.index(c) for c in TEXT])
    rows = codes[: len(codes) // 4 * 4].view(4, -1)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.RMSprop(model.parameters(), lr=3e-3)
    run, losses = compile(model), []
    for _ in range(3):
        h = model.start(4)
        for i in range(0, rows.size(1) - 13, 12):
            x, y = rows[:, i : i + 12], rows[:, i + 1 : i + 13]
            h = tuple(part.detach() for part in h)
            optimizer.zero_grad()
            logits, h = run(x, h)
            loss = criterion(logits.transpose(1, 2), y)
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), max_norm=0.5)
            optimizer.step()
            losses.append(loss.item())
    model.eval()
    with torch.no_grad():
        x, h = rows[:1, :1], model.start(1)
        for _ in range(10):
            logits, h = model(x, h)
            x = logits[:, -1].argmax(-1, keepdim=True)
            losses.append(float(x.item()))
    return losses
