"""A CNN with batch norm on small pictures: a step of training, and the accuracy of the model as it stands."""

import minitorch_lab as ml
from minitorch_lab import nn, optim

F = nn.functional
CLASSES = 4


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 4, kernel_size=3, padding=1), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(4, 8, kernel_size=3, padding=1, bias=False), nn.BatchNorm2d(8), nn.ReLU(), nn.AvgPool2d(2),
        )  # fmt: skip
        self.fc = nn.Linear(8 * 2 * 2, CLASSES)

    def forward(self, x):
        x = self.features(x)
        x = x.view(x.size(0), -1)
        return F.log_softmax(self.fc(x), dim=1)


def make(compile, dtype=ml.float32):
    model = CNN().to(dtype)
    optimizer = optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=4, gamma=0.5)

    @compile
    def step(images, labels):
        optimizer.zero_grad()
        out = model(images)
        loss = -out.gather(1, labels.reshape(-1, 1)).mean()
        loss.backward()
        optimizer.step()
        return loss

    @compile
    def accuracy(images, labels):
        with ml.no_grad():
            return (model(images).argmax(1) == labels).to(images.dtype).mean()

    def train(images, labels):
        model.train()
        loss = step(images, labels)
        scheduler.step()
        model.eval()
        return [loss.item(), accuracy(images, labels).item()]

    def batch(rng, n):
        labels = rng.integers(0, CLASSES, n)
        images = rng.standard_normal((n, 1, 8, 8)) * 0.5
        for image, label in zip(images, labels, strict=True):
            image[0, 2 * label : 2 * label + 2] += 1.5
        return [images.tolist(), labels.tolist()]

    return train, batch, [model]
