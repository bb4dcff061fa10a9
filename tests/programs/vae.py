"""A VAE: the reparametrisation trick, a sum of two losses, pictures as logits."""

import minitorch_lab as ml
from minitorch_lab import nn, optim

F = nn.functional
PIXELS, HIDDEN, LATENT = 16, 12, 3


class VAE(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(PIXELS, HIDDEN)
        self.fc21, self.fc22 = nn.Linear(HIDDEN, LATENT), nn.Linear(HIDDEN, LATENT)
        self.fc3, self.fc4 = nn.Linear(LATENT, HIDDEN), nn.Linear(HIDDEN, PIXELS)

    def encode(self, x):
        h = F.relu(self.fc1(x))
        return self.fc21(h), self.fc22(h)

    def reparameterize(self, mu, logvar):
        std = ml.exp(0.5 * logvar)
        eps = ml.randn_like(std)
        return mu + eps * std

    def decode(self, z):
        return self.fc4(F.relu(self.fc3(z)))

    def forward(self, x):
        mu, logvar = self.encode(x.view(-1, PIXELS))
        z = self.reparameterize(mu, logvar)
        return self.decode(z), mu, logvar


def loss_function(logits, x, mu, logvar):
    x = x.view(-1, PIXELS)
    bce = (F.softplus(logits) - logits * x).sum()
    kld = -0.5 * ml.sum(1 + logvar - mu.pow(2) - logvar.exp())
    return bce + kld, kld


def make(compile, dtype=ml.float32):
    model = VAE().to(dtype)
    optimizer = optim.Adam(model.parameters(), lr=1e-2)

    @compile
    def step(data):
        optimizer.zero_grad()
        recon, mu, logvar = model(data)
        loss, kld = loss_function(recon, data, mu, logvar)
        loss = loss / len(data)
        loss.backward()
        optimizer.step()
        return loss, kld

    def train(data):
        loss, kld = step(data)
        return [loss.item(), kld.item() / data.shape[0]]

    def batch(rng, n):
        rows = rng.integers(0, 4, n)
        return [[[[float(r == i) for _ in range(4)] for i in range(4)] for r in rows]]

    return train, batch, [model]
