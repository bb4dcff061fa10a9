"""Functions with a derivative of one's own: a polynomial for a sine wave, and a sign that lets gradients through."""

import math

import torch
from torch.autograd import Function, gradcheck


class LegendrePolynomial3(Function):
    @staticmethod
    def forward(ctx, input):
        ctx.save_for_backward(input)
        return 0.5 * (5 * input**3 - 3 * input)

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        return grad_output * 1.5 * (5 * input**2 - 1)


class BinarySign(Function):
    @staticmethod
    def forward(ctx, input, bound=1.0):
        ctx.save_for_backward(input)
        ctx.bound = bound
        return torch.where(input >= 0, torch.ones_like(input), -torch.ones_like(input))

    @staticmethod
    def backward(ctx, grad_output):
        (input,) = ctx.saved_tensors
        return grad_output.masked_fill(input.abs() > ctx.bound, 0.0), None


class Wave(torch.nn.Module):
    def __init__(self):
        super().__init__()
        for name, start in (("a", 0.0), ("b", -1.0), ("c", 0.0), ("d", 0.3)):
            self.register_parameter(name, torch.nn.Parameter(torch.tensor(start)))
        self.mask = torch.nn.Parameter(torch.linspace(-2, 2, 50))

    def forward(self, x):
        P3 = LegendrePolynomial3.apply
        return self.a + self.b * P3(self.c + self.d * x) + 0.01 * BinarySign.apply(self.mask, 1.5)


def models():
    return [Wave()]


def train(models, compile):
    (model,) = models
    x = torch.linspace(-math.pi, math.pi, 50)
    y = torch.sin(x)
    run, losses = compile(model), []
    for _ in range(30):
        loss = (run(x) - y).pow(2).sum()
        model.zero_grad()
        loss.backward()
        with torch.no_grad():
            for p in model.parameters():
                p -= 5e-4 * p.grad
        losses.append(loss.item())
    sample = torch.linspace(-1, 1, 5, dtype=torch.double, requires_grad=True)
    return [*losses, float(gradcheck(LegendrePolynomial3.apply, (sample,)))]
