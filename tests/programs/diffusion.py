"""A denoising diffusion step: random times, noise added by a schedule, an average of the weights kept beside."""

import copy
import math

import minitorch_lab as ml
from minitorch_lab import nn, optim

F = nn.functional
TIMES, FREQUENCIES, HIDDEN = 20, 4, 16


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.time = nn.Sequential(nn.Linear(2 * FREQUENCIES, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN))
        self.inp, self.mid, self.out = nn.Linear(2, HIDDEN), nn.Linear(HIDDEN, HIDDEN), nn.Linear(HIDDEN, 2)

    def embed(self, t, dtype):
        freqs = ml.exp(-math.log(10.0) * ml.arange(0, FREQUENCIES, dtype=dtype) / FREQUENCIES)
        args = t[:, None].to(dtype) * freqs[None]
        return ml.cat([ml.cos(args), ml.sin(args)], dim=-1)

    def forward(self, x, t):
        h = self.inp(x) + self.time(self.embed(t, x.dtype))
        h = h + self.mid(F.gelu(h))
        return self.out(F.gelu(h))


def make(compile, dtype=ml.float32):
    betas = ml.linspace(1e-3, 0.2, TIMES, dtype=dtype)
    alphas_cumprod = ml.cumprod(1.0 - betas, dim=0)
    model = Denoiser().to(dtype)
    ema = copy.deepcopy(model)
    for p in ema.parameters():
        p.requires_grad_(False)
    optimizer = optim.Adam(model.parameters(), lr=5e-3)

    @compile
    def step(x0):
        t = ml.randint(0, TIMES, (x0.shape[0],))
        noise = ml.randn_like(x0)
        a = alphas_cumprod[t].view(-1, 1)
        xt = ml.sqrt(a) * x0 + ml.sqrt(1 - a) * noise
        loss = F.mse_loss(model(xt, t), noise)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    @compile
    @ml.no_grad()
    def update_ema(decay=0.9):
        for e, p in zip(ema.parameters(), model.parameters()):
            e.copy_(decay * e + (1 - decay) * p)

    def train(x0):
        loss = step(x0)
        update_ema()
        return [loss.item()]

    def batch(rng, n):
        angles = rng.uniform(0, math.pi, n)
        return [[[math.cos(a), math.sin(a)] for a in angles]]

    return train, batch, [model, ema]
