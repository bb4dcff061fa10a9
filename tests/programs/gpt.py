"""A character GPT: learned positions, causal attention, AdamW with warm-up, gradients clipped."""

import minitorch_lab as ml
from minitorch_lab import nn, optim

F = nn.functional
TEXT = "to be, or not to be, that is the question: whether 'tis nobler in the mind to suffer the slings and arrows of "
CHARS = sorted(set(TEXT))
BLOCK, WIDTH, HEADS, DEPTH = 8, 16, 2, 2


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH, bias=False)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.register_buffer("mask", ml.tril(ml.ones(BLOCK, BLOCK)).view(1, 1, BLOCK, BLOCK))

    def forward(self, x):
        B, T, C = x.shape
        q, k, v = self.qkv(x).split(C, dim=2)
        q, k, v = (t.view(B, T, HEADS, C // HEADS).transpose(1, 2) for t in (q, k, v))
        att = (q @ k.transpose(-2, -1)) * (1.0 / (C // HEADS) ** 0.5)
        att = att.masked_fill(self.mask[:, :, :T, :T] == 0, float("-inf"))
        y = F.softmax(att, dim=-1) @ v
        return self.out(y.transpose(1, 2).contiguous().view(B, T, C))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.ln1, self.attn = nn.LayerNorm(WIDTH), Attention()
        self.ln2 = nn.LayerNorm(WIDTH)
        self.mlp = nn.Sequential(nn.Linear(WIDTH, 4 * WIDTH), nn.GELU(), nn.Linear(4 * WIDTH, WIDTH))

    def forward(self, x):
        x = x + self.attn(self.ln1(x))
        return x + self.mlp(self.ln2(x))


class GPT(nn.Module):
    def __init__(self):
        super().__init__()
        self.wte = nn.Embedding(len(CHARS), WIDTH)
        self.wpe = nn.Embedding(BLOCK, WIDTH)
        self.h = nn.ModuleList([Block() for _ in range(DEPTH)])
        self.ln_f = nn.LayerNorm(WIDTH)
        self.lm_head = nn.Linear(WIDTH, len(CHARS), bias=False)

    def forward(self, idx, targets=None):
        B, T = idx.size()
        assert T <= BLOCK, f"cannot forward a sequence of {T}"
        x = self.wte(idx) + self.wpe(ml.arange(0, T))
        for block in self.h:
            x = block(x)
        logits = self.lm_head(self.ln_f(x))
        loss = None
        if targets is not None:
            loss = F.cross_entropy(logits.view(-1, logits.size(-1)), targets.view(-1))
        return logits, loss


def clip(parameters, most):
    total = ml.stack([p.grad.norm() for p in parameters]).norm()
    scale = (most / (total + 1e-6)).clamp(max=1.0)
    for p in parameters:
        p.grad.mul_(scale)
    return total


def make(compile, dtype=ml.float32):
    model = GPT().to(dtype)
    decay = [p for p in model.parameters() if p.ndim >= 2]
    others = [p for p in model.parameters() if p.ndim < 2]
    groups = [{"params": decay, "weight_decay": 0.1}, {"params": others, "weight_decay": 0.0}]
    optimizer = optim.AdamW(groups, lr=3e-3, betas=(0.9, 0.95))
    scheduler = optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 3))

    @compile
    def step(x, y):
        optimizer.zero_grad()
        _, loss = model(x, y)
        loss.backward()
        clip(list(model.parameters()), 1.0)
        optimizer.step()
        return loss

    def train(x, y):
        loss = step(x, y)
        scheduler.step()
        return [loss.item()]

    def batch(rng, n):
        data = [CHARS.index(c) for c in TEXT]
        starts = [int(i) for i in rng.integers(0, len(data) - BLOCK - 1, n)]
        return [[data[i : i + BLOCK] for i in starts], [data[i + 1 : i + BLOCK + 1] for i in starts]]

    return train, batch, [model]
