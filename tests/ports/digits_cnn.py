"""Handwritten digits, a convolutional net, a loop over batches and a test after each epoch (the MNIST example)."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader, TensorDataset


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 8, 3, 1, padding=1)
        self.conv2 = nn.Conv2d(8, 16, 3, 1)
        self.norm = nn.BatchNorm2d(16)
        self.fc1 = nn.Linear(144, 32)
        self.fc2 = nn.Linear(32, 10)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = self.norm(self.conv2(x))
        x = F.max_pool2d(F.relu(x), 2)
        x = torch.flatten(x, 1)
        x = F.relu(self.fc1(x))
        return F.log_softmax(self.fc2(x), dim=1)


def models():
    return [Net()]


def train(models, compile):
    (model,) = models
    images, labels = digits()  # noqa: F821 - the pictures, as arrays, from whoever runs this
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model.to(device)
    x, y = torch.tensor(images).reshape(-1, 1, 8, 8), torch.tensor(labels)
    train_loader = DataLoader(TensorDataset(x[:192], y[:192]), batch_size=64, shuffle=False, num_workers=0)
    test_loader = DataLoader(TensorDataset(x[192:256], y[192:256]), batch_size=64)
    optimizer = optim.Adadelta(model.parameters(), lr=1.0)
    scheduler = StepLR(optimizer, step_size=1, gamma=0.7)
    run, losses = compile(model), []
    for _ in range(1, 4):
        model.train()
        for data, target in train_loader:
            data, target = data.to(device), target.to(device)
            optimizer.zero_grad()
            loss = F.nll_loss(run(data), target)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
        model.eval()
        test_loss, correct = 0, 0
        with torch.no_grad():
            for data, target in test_loader:
                output = run(data.to(device))
                test_loss += F.nll_loss(output, target, reduction="sum").item()
                pred = output.argmax(dim=1, keepdim=True)
                correct += pred.eq(target.view_as(pred)).sum().item()
        losses += [test_loss / len(test_loader.dataset), correct]
        scheduler.step()
    return losses
