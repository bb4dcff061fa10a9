"""An LSTM that classifies sequences: two layers of cells, dropout-free, momentum, outputs stacked over time."""

import minitorch_lab as ml
from minitorch_lab import nn, optim

VOCABULARY, HIDDEN, LENGTH, CLASSES = 9, 8, 5, 3


class LSTMCell(nn.Module):
    def __init__(self, input_size, hidden_size):
        super().__init__()
        self.ih = nn.Linear(input_size, 4 * hidden_size)
        self.hh = nn.Linear(hidden_size, 4 * hidden_size)

    def forward(self, x, state):
        h, c = state
        i, f, g, o = (self.ih(x) + self.hh(h)).chunk(4, 1)
        c = ml.sigmoid(f) * c + ml.sigmoid(i) * ml.tanh(g)
        h = ml.sigmoid(o) * ml.tanh(c)
        return h, c


class LSTM(nn.Module):
    def __init__(self, input_size, hidden_size, num_layers):
        super().__init__()
        self.hidden_size = hidden_size
        self.cells = nn.ModuleList(
            [LSTMCell(input_size if i == 0 else hidden_size, hidden_size) for i in range(num_layers)]
        )

    def forward(self, x):
        batch, length, _ = x.size()
        outputs = []
        states = [(ml.zeros(batch, self.hidden_size, dtype=x.dtype),) * 2 for _ in self.cells]
        for t in range(length):
            out = x[:, t, :]
            for layer, cell in enumerate(self.cells):
                states[layer] = cell(out, states[layer])
                out = states[layer][0]
            outputs.append(out)
        return ml.stack(outputs, dim=1), states


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(VOCABULARY, HIDDEN)
        self.lstm = LSTM(HIDDEN, HIDDEN, 2)
        self.fc = nn.Linear(HIDDEN, CLASSES)

    def forward(self, tokens):
        out, _ = self.lstm(self.embed(tokens))
        return self.fc(out[:, -1, :] + out.mean(dim=1))


def make(compile, dtype=ml.float32):
    model = Classifier().to(dtype)
    criterion = nn.CrossEntropyLoss()
    optimizer = optim.SGD(model.parameters(), lr=0.3, momentum=0.9)

    @compile
    def step(tokens, labels):
        optimizer.zero_grad()
        logits = model(tokens)
        loss = criterion(logits, labels.view(-1))
        loss.backward()
        optimizer.step()
        correct = (logits.argmax(dim=1) == labels.view(-1)).sum()
        return loss, correct

    def train(tokens, labels):
        loss, correct = step(tokens, labels)
        return [loss.item(), correct.item() / len(tokens)]

    def batch(rng, n):
        tokens = rng.integers(0, VOCABULARY, (n, LENGTH))
        return [tokens.tolist(), (tokens[:, -1:] % CLASSES).tolist()]

    return train, batch, [model]
