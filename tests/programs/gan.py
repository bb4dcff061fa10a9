"""A GAN on points of a ring: two networks, two optimizers, one batch for both."""

import math

import minitorch_lab as ml
from minitorch_lab import nn, optim

F = nn.functional
NOISE, HIDDEN = 3, 12


def mlp(*widths):
    layers = []
    for a, b in zip(widths[:-1], widths[1:]):
        layers += [nn.Linear(a, b), nn.Tanh()]
    return nn.Sequential(*layers[:-1])


def bce_with_logits(logits, labels):
    return (logits.clamp(min=0) - logits * labels + ml.log(1 + ml.exp(-logits.abs()))).mean()


def make(compile, dtype=ml.float32):
    netG, netD = mlp(NOISE, HIDDEN, 2).to(dtype), mlp(2, HIDDEN, HIDDEN, 1).to(dtype)
    optG = optim.Adam(netG.parameters(), lr=5e-3, betas=(0.5, 0.999))
    optD = optim.Adam(netD.parameters(), lr=5e-3, betas=(0.5, 0.999))

    @compile
    def step(real):
        n = real.size(0)
        # the discriminator: real points are 1, made ones are 0
        netD.zero_grad()
        out = netD(real).view(-1)
        errD_real = bce_with_logits(out, ml.full((n,), 1.0, dtype=real.dtype))
        errD_real.backward()
        noise = ml.randn(n, NOISE, dtype=real.dtype)
        fake = netG(noise)
        errD_fake = bce_with_logits(netD(fake.detach()).view(-1), ml.zeros(n, dtype=real.dtype))
        errD_fake.backward()
        errD = errD_real + errD_fake
        optD.step()
        # the generator: what it makes shall pass for real
        netG.zero_grad()
        out = netD(fake).view(-1)
        errG = bce_with_logits(out, ml.ones_like(out))
        errG.backward()
        optG.step()
        return errD, errG

    def train(real):
        errD, errG = step(real)
        return [errD.item(), errG.item()]

    def batch(rng, n):
        angles = rng.uniform(0, 2 * math.pi, n)
        return [[[2 * math.cos(a), 2 * math.sin(a)] for a in angles]]

    return train, batch, [netG, netD]
