"""The gradient of every example by itself, cut to a length and averaged: what private learning does."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call, grad, vmap


def models():
    return [nn.Sequential(nn.Conv2d(1, 4, 3), nn.ReLU(), nn.Flatten(), nn.Linear(144, 10))]


def train(models, compile):
    (model,) = models
    images, labels = digits()  # noqa: F821 - the pictures, as arrays, from whoever runs this
    x, y = torch.tensor(images[:24]).reshape(-1, 1, 8, 8), torch.tensor(labels[:24])

    def loss_of(params, sample, target):
        logits = functional_call(model, params, (sample.unsqueeze(0),))
        return F.cross_entropy(logits, target.unsqueeze(0))

    each = compile(vmap(grad(loss_of), in_dims=(None, 0, 0)))
    params, losses = {k: v.detach() for k, v in model.named_parameters()}, []
    for _ in range(8):
        grads = each(params, x, y)
        norms = torch.stack([g.flatten(1).norm(dim=1) for g in grads.values()]).norm(dim=0)
        share = (1.0 / (norms + 1e-6)).clamp(max=1.0)
        params = {k: p - 0.5 * torch.einsum("n,n...->...", share, grads[k]) / len(x) for k, p in params.items()}
        losses += [F.cross_entropy(functional_call(model, params, (x,)), y).item(), norms.max().item()]
    return losses
