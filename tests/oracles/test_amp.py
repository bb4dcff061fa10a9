"""Mixed precision beside PyTorch on the CPU: ops in a block, the rounds of a scaler, and a training."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import minitorch_lab as ml

pytestmark = pytest.mark.oracle
RNG = np.random.default_rng(0)
A, B, C = (RNG.normal(size=shape).astype("float32") for shape in ((4, 6), (6, 4), (4,)))
IMAGE, KERNEL = RNG.normal(size=(2, 3, 5, 5)).astype("float32"), RNG.normal(size=(4, 3, 2, 2)).astype("float32")
TARGET = np.array([0, 5, 2, 1])

# What stands in PyTorch's list for the CPU and is here: the lists of the two devices agree on it, or say nothing of it.
CASES: dict[str, Any] = {
    "matmul": lambda t, f, a, b, c: a @ b,
    "linear": lambda t, f, a, b, c: f.linear(a, b.T, c),
    "addmm": lambda t, f, a, b, c: t.addmm(c, a, b),
    "bmm": lambda t, f, a, b, c: t.bmm(a[None], b[None]),
    "mm": lambda t, f, a, b, c: t.mm(a, b),
    "baddbmm": lambda t, f, a, b, c: t.baddbmm(c, a[None], b[None]),
    "attention": lambda t, f, a, b, c: f.scaled_dot_product_attention(a[None], a[None], a[None]),
    "mse_loss": lambda t, f, a, b, c: f.mse_loss(a @ b, b.T @ a.T),
    "l1_loss": lambda t, f, a, b, c: f.l1_loss(a @ b, b.T @ a.T),
    "smooth_l1_loss": lambda t, f, a, b, c: f.smooth_l1_loss(a @ b, b.T @ a.T),
    "huber_loss": lambda t, f, a, b, c: f.huber_loss(a @ b, b.T @ a.T),
    "cosine_embedding_loss": lambda t, f, a, b, c: f.cosine_embedding_loss(a @ b, b.T @ a.T, c.sign()),
    "prod": lambda t, f, a, b, c: (a @ b).prod(),
    "relu": lambda t, f, a, b, c: (a @ b).relu(),
    "tanh": lambda t, f, a, b, c: (a @ b).tanh(),
    "gelu": lambda t, f, a, b, c: f.gelu(a @ b),
    "widest": lambda t, f, a, b, c: a @ b + c,
    "widest of two": lambda t, f, a, b, c: (a @ b) * (a @ b),
    "mean": lambda t, f, a, b, c: (a @ b).mean(),
    "max": lambda t, f, a, b, c: (a @ b).amax(),
    "reshape": lambda t, f, a, b, c: (a @ b).reshape(2, 8),
    "float64": lambda t, f, a, b, c: a.double() @ b.double(),
    "cat": lambda t, f, a, b, c: t.cat([a @ b, b.T @ a.T]),
}


def given(tensor: Any) -> list[Any]:
    """The inputs, the floats asking for a gradient."""
    return [tensor(x).requires_grad_() for x in (A, B, C)]


@pytest.mark.parametrize("name", CASES)
def test_an_op_in_a_block_is_pytorchs(name: str) -> None:
    ours, theirs = given(ml.tensor), given(torch.tensor)
    with ml.autocast("cpu", dtype=ml.bfloat16):
        y = CASES[name](ml, ml.nn.functional, *ours)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        z = CASES[name](torch, torch.nn.functional, *theirs)
    assert str(y.dtype) == str(z.dtype).removeprefix("torch.")
    np.testing.assert_allclose(y.double().detach().numpy(), z.double().detach().numpy(), rtol=2e-2, atol=2e-2)
    y.sum().backward()
    z.sum().backward()
    for mine, other in zip(ours[:3], theirs[:3], strict=True):
        assert (mine.grad is None) == (other.grad is None)
        if mine.grad is not None:
            assert str(mine.grad.dtype) == str(other.grad.dtype).removeprefix("torch.")
            scale = float(other.grad.abs().max()) + 1e-3
            np.testing.assert_allclose(mine.grad.numpy() / scale, other.grad.numpy() / scale, atol=3e-2)


def test_a_convolution_in_a_block_is_pytorchs() -> None:
    with ml.autocast("cpu"):
        y = ml.nn.functional.conv2d(ml.tensor(IMAGE), ml.tensor(KERNEL), ml.tensor(C))
    with torch.autocast("cpu"):
        z = torch.nn.functional.conv2d(torch.tensor(IMAGE), torch.tensor(KERNEL), torch.tensor(C))
    assert (str(y.dtype), str(z.dtype)) == ("bfloat16", "torch.bfloat16")
    np.testing.assert_allclose(y.double().numpy(), z.double().numpy(), rtol=2e-2, atol=2e-2)


# ---- the scaler -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6))
def test_the_scaler_goes_pytorchs_way(seed: int) -> None:
    """Rounds with planted infinities, two optimizers, scales set by hand, and a state that is loaded in between."""
    rng = np.random.default_rng(seed)
    settings: dict[str, Any] = {
        "init_scale": float(2.0 ** rng.integers(-3, 20)), "growth_factor": float(rng.choice([1.5, 2.0, 3.0])),
        "backoff_factor": float(rng.choice([0.5, 0.3])), "growth_interval": int(rng.integers(1, 4)),
    }  # fmt: skip
    sides: list[Any] = []
    for t in (ml, torch):
        ws = [t.tensor([1.0, -2.0], requires_grad=True) for _ in range(2)]
        sides.append((t, ws, [t.optim.SGD([w], lr=0.1) for w in ws], t.amp.GradScaler("cpu", **settings)))
    for k in range(40):
        slopes = [float(rng.choice([1.0, 0.5, np.inf, np.nan], p=[0.4, 0.4, 0.1, 0.1])) for _ in range(2)]
        unscaled, new, load = rng.random() < 0.3, float(rng.choice([0.0, 4.0], p=[0.9, 0.1])), rng.random() < 0.1
        seen: list[Any] = []
        for i, (t, ws, optimizers, scaler) in enumerate(sides):
            for w, optimizer, slope in zip(ws, optimizers, slopes, strict=True):
                optimizer.zero_grad()
                scaler.scale((w * 0.5).sum()).backward()
                if not np.isfinite(slope):
                    w.grad.fill_(slope)
                if unscaled:
                    scaler.unscale_(optimizer)
                scaler.step(optimizer)
            scaler.update(new or None)
            if load:
                fresh = t.amp.GradScaler("cpu")
                fresh.load_state_dict(scaler.state_dict())
                sides[i] = (t, ws, optimizers, fresh)
                fresh.scale(ws[0].sum())
            seen.append((scaler.get_scale(), [w.tolist() for w in ws], scaler.state_dict()))
        assert seen[0][0] == seen[1][0], k
        np.testing.assert_allclose(seen[0][1], seen[1][1], rtol=1e-6)
        assert seen[0][2] == seen[1][2]


def test_states_go_both_ways() -> None:
    ours, theirs = ml.amp.GradScaler("cpu", init_scale=8.0), torch.amp.GradScaler("cpu", init_scale=32.0)
    ours.load_state_dict(theirs.state_dict())
    assert ours.state_dict() == theirs.state_dict()


# ---- a training -----------------------------------------------------------------------------------------------------

TEXT = "a scale keeps small gradients alive, and a skipped step does no harm; " * 12
CHARS = sorted(set(TEXT))
CODES = np.array([CHARS.index(c) for c in TEXT])
WIDTH, SPAN, STEPS = 32, 16, 60


def batches() -> list[Any]:
    """Windows of the text, and the characters after each of theirs."""
    rng = np.random.default_rng(1)
    starts = rng.integers(0, len(CODES) - SPAN - 1, size=(STEPS, 8))
    return [
        (np.stack([CODES[s : s + SPAN] for s in row]), np.stack([CODES[s + 1 : s + SPAN + 1] for s in row]))
        for row in starts
    ]


def model(t: Any) -> Any:
    """A transformer of one block on characters."""
    nn = t.nn

    class Block(nn.Module):  # pyright: ignore[reportUntypedBaseClass]
        def __init__(self) -> None:
            super().__init__()
            self.token, self.place = nn.Embedding(len(CHARS), WIDTH), nn.Embedding(SPAN, WIDTH)
            self.first, self.second, self.last = (nn.LayerNorm(WIDTH) for _ in range(3))
            self.mix, self.out = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.up, self.down = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.head = nn.Linear(WIDTH, len(CHARS))

        def forward(self, ids: Any) -> Any:
            x = self.token(ids) + self.place(t.arange(SPAN))
            q, k, v = (
                part.reshape(-1, SPAN, 4, WIDTH // 4).transpose(1, 2) for part in self.mix(self.first(x)).chunk(3, -1)
            )
            mixed = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
            x = x + self.out(mixed.transpose(1, 2).reshape(-1, SPAN, WIDTH))
            x = x + self.down(nn.functional.gelu(self.up(self.second(x))))
            return self.head(self.last(x))

    return Block()


def trained(t: Any, start: dict[str, np.ndarray], low: Any, scaled: bool) -> list[float]:
    """The losses of a training from these weights."""
    net = model(t)
    net.load_state_dict({name: t.tensor(value) for name, value in start.items()})
    optimizer = t.optim.AdamW(net.parameters(), lr=3e-3)
    scaler = t.amp.GradScaler("cpu", enabled=scaled)
    losses = list[float]()
    for ids, after in batches():
        optimizer.zero_grad()
        with t.autocast("cpu", dtype=low or t.bfloat16, enabled=low is not None):
            logits = net(t.tensor(ids))
            loss = t.nn.functional.cross_entropy(logits.reshape(-1, len(CHARS)), t.tensor(after).reshape(-1))
        scaler.scale(loss).backward()
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


@pytest.mark.parametrize("how", ["float32", "bfloat16", "float16 with scaler"])
def test_a_character_model_trains_as_pytorchs(how: str) -> None:
    torch.manual_seed(0)
    start = {name: value.numpy().copy() for name, value in model(torch).state_dict().items()}
    name = how.split(" ")[0]
    ours, theirs = (
        trained(t, start, None if name == "float32" else getattr(t, name), "scaler" in how) for t in (ml, torch)
    )
    apart = np.abs(np.subtract(ours, theirs))
    print(f"\n{how}: last loss {ours[-1]:.4f}, PyTorch's {theirs[-1]:.4f}, most apart {apart.max():.4f}")
    assert theirs[-1] < 0.5 * theirs[0]
    assert abs(ours[-1] - theirs[-1]) < 0.01
    assert apart.mean() < 0.01
