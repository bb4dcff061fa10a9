"""Eager calls of everyday use beside torch, in groups, at about 32, 4,096 and 2²⁰ entries.

`python -m bench calls` prints it all; `python -m bench.calls 7 32,4096 view,index` another seed, some sizes, some
groups. A size is drawn from the seed near its name, so that no call is tuned to one length. Ours and torch's take turns
in short rounds, and the ratio is taken within a round, so that a busy machine slows both. Each result is compared with
torch's before it is timed.
"""

from __future__ import annotations

from bench import one_thread  # first

# isort: split
import gc
import math
import sys
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any

import numpy as np

from bench.libraries import EAGER, TORCH, Library

SIZES = (32, 4096, 1 << 20)
ROUNDS, ROUND = 9, 1e-3  # seconds that one turn is timed for
GROUPS: dict[str, tuple[str, ...]] = {
    "function": (
        "L.tanh(x)", "L.exp(x)", "L.sigmoid(x)", "L.relu(x)", "L.sqrt(p)", "L.abs(x)", "L.maximum(x, y)", "L.add(x, y)",
        "L.mul(x, y)", "L.clamp(x, -1, 1)", "L.erf(x)", "F.softplus(x)", "L.log(p)",
    ),
    "operator": ("x.tanh()", "x.exp()", "x + y", "x * y", "-x", "x.relu()", "x / p", "x - y", "x.sin()", "x.floor()"),
    "number": ("x + 1.0", "2.0 * x", "x ** 2", "x / 3.0", "1.0 - x", "x > 0", "x == 1.0", "x - 2"),
    "comparison": ("x > y", "x == y", "L.where(c, x, y)", "L.where(c, x, 0.0)", "c.any()", "i + 1", "i == 3", "c & c"),
    "reduction": (
        "x.sum()", "M.sum(0)", "M.sum(1, keepdim=True)", "x.mean()", "M.mean(1)", "x.max()", "M.max(1).values",
        "M.amax(1)", "M.argmax(1)", "M.var(1)", "M.logsumexp(1)", "x.cumsum(0)", "M.std()", "x.norm()",
    ),
    "view": (
        "M.reshape(-1)", "M.view(-1)", "M.T", "M.transpose(0, 1)", "M.permute(1, 0)", "M.unsqueeze(0)", "M.flatten()",
        "x.detach()", "row1.expand(4, n)", "M.chunk(2)[0]", "M.unbind(0)[0]", "row1.squeeze(0)",
    ),
    "index": (
        "x[0]", "M[1]", "M[:, 1]", "M[1:3]", "M[:, None]", "M[rows]", "x[c]", "M.gather(1, places)",
        "M.index_select(0, rows)", "M.narrow(1, 1, 2)", "M.take_along_dim(places, 1)",
        "W.__setitem__(0, 1.0)", "W.__setitem__(1, row)", "W.__setitem__(rows, 0.5)",
    ),
    "joining": ("L.cat([x, y])", "L.stack([x, y])", "L.cat([M, M], 1)", "x.clone()", "M.T.contiguous()", "M.flip(0)"),
    "creation": (
        "L.zeros(n, n)", "L.ones(n, n)", "L.full((n, n), 2.0)", "L.arange(count)", "L.zeros_like(x)",
        "L.tensor([1.0, 2.0, 3.0])", "L.tensor(1.0)", "x.to(L.float64)", "L.eye(n)", "L.linspace(0, 1, count)",
    ),
    "random": ("L.rand(n, n)", "L.randn(n, n)", "L.randint(0, 10, (n, n))", "L.randperm(count)", "F.dropout(x, 0.5)"),
    "whole rows": (
        "L.softmax(M, 1)", "M.log_softmax(1)", "F.layer_norm(M, (n,), row, row2)", "F.gelu(x)",
        "F.cross_entropy(M, labels)", "F.mse_loss(x, y)", "F.scaled_dot_product_attention(q, k, v)",
        "F.embedding(rows, M)", "F.group_norm(image, 2)", "F.silu(x)",
    ),
    "order": (
        "x.topk(3).values", "M.topk(3, 1).values", "x.sort().values", "M.tril()", "z.index_add(0, at, x)",
        "M.scatter_add(1, places, M)", "M.argsort(1)", "M.triu(1)",
    ),
    "product": (
        "M @ K", "F.linear(M, K, row)", "x @ y", "q @ k.mT", "L.einsum('ij,jk->ik', M, K)",
        "F.conv2d(image, kernel, padding=1)", "F.max_pool2d(image, 2)",
    ),
    "in place": (
        "w.add_(y)", "w.mul_(1.0)", "W.zero_()", "w.copy_(y)", "w.add_(y, alpha=1e-9)", "w.fill_(1.0)", "w.sub_(y)",
        "w.neg_()", "W.__imul__(row)",
    ),
    "recorded": (
        "xr.tanh()", "L.tanh(xr)", "xr * y", "xr + 1.0", "xr.sum()", "Mr.reshape(-1)", "Mr[0]", "L.cat([xr, y])",
        "L.softmax(Mr, 1)", "F.linear(M, Kr, rowr)", "F.layer_norm(Mr, (n,), rowr, row2r)", "L.where(c, xr, y)",
    ),
    "forth and back": (
        "back((xr * y).sum(), xr)", "back((xr * y).tanh().sum(), xr)", "back(L.softmax(Mr, 1).sum(), Mr)",
        "back(F.gelu(xr).sum(), xr)", "back(F.cross_entropy(Mr, labels), Mr)", "back(Mr.T.reshape(-1)[1:].sum(), Mr)",
        "back(F.layer_norm(Mr, (n,), rowr, row2r).sum(), Mr, rowr, row2r)", "back(F.embedding(rows, Mr).sum(), Mr)",
        "back(F.scaled_dot_product_attention(qr, kr, vr).sum(), qr, kr, vr)", "back(Mr.max(1).values.sum(), Mr)",
        "back(L.where(c, xr, y).sum(), xr)", "back(L.cat([xr, y]).sum(), xr)", "back(Mr[rows].sum(), Mr)",
    ),
    "layer": (
        "linear(M)", "norm(M)", "table(rows)", "conv(photo)", "heads(words, words, words)[0]", "mlp(M)", "block(words)",
        "trained(linear, M)", "trained(norm, M)", "trained(table, rows)", "trained(conv, photo)", "trained(mlp, M)",
        "trained(block, words)",
    ),
    "optimizer": (
        "sgd4.step()", "sgd40.step()", "momentum4.step()", "momentum40.step()", "adam4.step()", "adam40.step()",
        "adamw4.step()", "adamw40.step()",
    ),
}  # fmt: skip
SMALL_ALONE = {"view"}  # what takes the same time at every size is timed at the smaller ones
UNCOMPARED = {"random", "layer", "optimizer", "in place"}  # drawn, of other weights, or written over and over


class World:
    """The names that the calls are made of, in one library: drawn alike in both."""

    def __init__(self, lib: Library, seed: int, entries: int) -> None:
        self.lib, self.draw, self.entries = lib, np.random.default_rng(seed), entries

    def names(self) -> dict[str, Any]:
        """Tensors, layers and optimizers."""
        count = int(self.entries * self.draw.uniform(0.85, 1.0)) if self.entries > 32 else self.entries
        n = max(int(math.sqrt(count)), 4) if self.entries > 32 else 4
        made: dict[str, Any] = {"L": self.lib.module, "F": self.lib.module.nn.functional, "count": count, "n": n}
        made |= self.tensors(count, n) | self.pictures(n)
        for name in ("x", "M", "K", "row", "row2", "q", "k", "v"):
            made[f"{name}r"] = self.lib.tensor(np.array(made[name].numpy()), True)
        return made | self.layers(n) | self.optimizers(count)

    def normal(self, *shape: int) -> Any:
        """Normal deviates."""
        return self.lib.tensor(self.draw.normal(size=shape))

    def tensors(self, count: int, n: int) -> dict[str, Any]:
        """Vectors x, y, w, p > 0; matrices M, K, W; rows; truth values and indices."""
        made = {name: self.normal(count) for name in "xywz"} | {name: self.normal(n, n) for name in "MKW"}
        made |= {"row": self.normal(n), "row2": self.normal(n), "row1": self.normal(1, n)}
        made |= {
            "p": self.lib.tensor(self.draw.random(count) + 0.5),
            "c": self.lib.tensor(self.draw.random(count) > 0.5),
        }
        whole = lambda high, shape: self.lib.tensor(self.draw.integers(0, high, shape))  # noqa: E731
        made |= {"i": whole(10, count), "rows": whole(n, n), "labels": whole(n, n), "places": whole(n, (n, n))}
        return made | {"at": whole(max(count // 4, 1), count)}

    def pictures(self, n: int) -> dict[str, Any]:
        """What attention, convolution and pooling take."""
        side, batch, heads = (4, 4, 4) if n < 16 else (16, 4, 16) if n < 256 else (64, 16, 256)
        image, photo = self.normal(batch, 4, side, side), self.normal(batch, 3, side, side)
        made = {name: self.normal(2, 4, heads, 16) for name in "qkv"} | {"image": image, "photo": photo}
        return made | {"kernel": self.normal(8, 4, 3, 3)}

    def layers(self, n: int) -> dict[str, Any]:
        """Layers, and what goes once through one and back."""
        nn = self.lib.module.nn
        wide, long = (8, 4) if n < 16 else (32, 32) if n < 256 else (128, 128)

        def trained(layer: Any, x: Any) -> Any:
            return back(layer(x).sum(), *layer.parameters())

        return {
            "linear": nn.Linear(n, n), "norm": nn.LayerNorm(n), "table": nn.Embedding(n, 16),
            "conv": nn.Conv2d(3, 8, 3, padding=1), "mlp": nn.Sequential(nn.Linear(n, n), nn.ReLU(), nn.Linear(n, n)),
            "heads": nn.MultiheadAttention(wide, 2, batch_first=True), "words": self.normal(2, long, wide),
            "block": nn.TransformerEncoderLayer(wide, 2, 4 * wide, dropout=0.0, activation="gelu", batch_first=True),
            "trained": trained, "back": back,
        }  # fmt: skip

    def optimizers(self, count: int) -> dict[str, Any]:
        """Optimizers of 4 and of 40 parameters that have gradients."""
        optim = self.lib.module.optim
        kinds: dict[str, Callable[[Any], Any]] = {
            "sgd": lambda ps: optim.SGD(ps, lr=1e-9),
            "momentum": lambda ps: optim.SGD(ps, lr=1e-9, momentum=0.9),
            "adam": lambda ps: optim.Adam(ps, lr=1e-9),
            "adamw": lambda ps: optim.AdamW(ps, lr=1e-9),
        }
        return {f"{k}{m}": make(self.parameters(m, count)) for k, make in kinds.items() for m in (4, 40)}

    def parameters(self, many: int, count: int) -> list[Any]:
        """Parameters with gradients."""
        size = count if count < 8192 else count // many
        made = [self.lib.tensor(self.draw.normal(size=size), True) for _ in range(many)]
        for p in made:
            p.grad = self.normal(size)
        return made


def back(loss: Any, *leaves: Any) -> list[Any]:
    """The gradients of the leaves, which keep none."""
    loss.backward()
    found = [leaf.grad for leaf in leaves]
    for leaf in leaves:
        leaf.grad = None
    return found


def loop(call: str, names: dict[str, Any]) -> Callable[[int], float]:
    """Seconds that so many runs of a call take, its names being local."""
    scope: dict[str, Any] = {"perf_counter": perf_counter, **names}
    heads = ", ".join(f"{name}={name}" for name in names)
    exec(
        f"def run(times, {heads}):\n    start = perf_counter()\n    for _ in range(times):\n        {call}\n"
        "    return perf_counter() - start",
        scope,
    )
    return scope["run"]


def agree(call: str, ours: dict[str, Any], theirs: dict[str, Any]) -> None:
    """Refuse a call whose results differ."""
    mine, other = (eval(call, {}, names) for names in (ours, theirs))
    for a, b in zip(*(r if isinstance(r, (list, tuple)) else [r] for r in (mine, other)), strict=True):
        if b is not None:
            wanted = b.detach().double().numpy()
            np.testing.assert_allclose(
                a.detach().numpy(), wanted, 1e-3, 2e-3 * np.abs(wanted).max(initial=1e-3), err_msg=call
            )


def ratio(call: str, ours: dict[str, Any], theirs: dict[str, Any]) -> tuple[float, float]:
    """Our time over torch's, the median over rounds in turn, and our least time in seconds."""
    runs = [loop(call, names) for names in (ours, theirs)]
    times = [max(1, round(ROUND / max(min(run(1) for _ in range(3)), 1e-7))) for run in runs]
    found: list[list[float]] = []
    gc.collect()
    for k in range(ROUNDS):
        seconds = [0.0, 0.0]
        for side in (0, 1) if k % 2 else (1, 0):
            seconds[side] = runs[side](times[side]) / times[side]
        found.append(seconds)
    spent = np.asarray(found)
    return float(np.median(spent[:, 0] / spent[:, 1])), float(spent[:, 0].min())


Found = dict[tuple[str, int, str], tuple[float, float]]


def measured(seed: int, sizes: tuple[int, ...], groups: list[str]) -> Iterator[tuple[tuple[str, int, str], Any]]:
    """The ratios, call by call; or in words why a call is not timed."""
    for size in sizes:
        ours, theirs = World(EAGER, seed, size).names(), World(TORCH, seed, size).names()
        for group in groups:
            for call in GROUPS[group] if size < 8192 or group not in SMALL_ALONE else ():
                try:
                    if group not in UNCOMPARED:
                        agree(call, ours, theirs)
                    yield (group, size, call), ratio(call, ours, theirs)
                except Exception as error:
                    yield (group, size, call), f"{type(error).__name__}: {str(error).strip()[:150]}"


def mean(values: list[float]) -> str:
    """The geometric mean."""
    return f"{math.exp(sum(map(math.log, values)) / len(values)):.2f}" if values else "–"


def tables(found: Found, sizes: tuple[int, ...], groups: list[str]) -> Iterator[str]:
    """Geometric means by group, and the worst calls."""
    yield "| ours ÷ torch, geometric mean | calls | " + " | ".join(f"{size:,}" for size in sizes) + " |"
    yield "|---|--:|" + "--:|" * len(sizes)
    for group in (*groups, "**all**"):
        rows = {key: r for key, (r, _) in found.items() if group in (key[0], "**all**")}
        cells = [[r for (_, size, _), r in rows.items() if size == s] for s in sizes]
        yield f"| {group} | {len(rows)} | " + " | ".join(map(mean, cells)) + " |"
    yield "\n| the slowest beside torch | entries | ours ÷ torch | ours |\n|---|--:|--:|--:|"
    for (_, size, call), (r, seconds) in sorted(found.items(), key=lambda row: -row[1][0])[:20]:
        yield f"| `{call}` | {size:,} | {r:.1f} | {seconds * 1e6:,.1f} µs |"
    rows = [r for r, _ in found.values()]
    yield f"\n{len(rows)} rows; above 3 × torch: {sum(r > 3 for r in rows)}, above 6 ×: {sum(r > 6 for r in rows)}."


def main(seed: int = 0, sizes: tuple[int, ...] = SIZES, groups: list[str] | None = None) -> Iterator[str]:
    """The tables."""
    groups = groups or list(GROUPS)
    found: Found = {}
    for key, value in measured(seed, sizes, groups):
        if isinstance(value, str):
            yield f"not timed: `{key[2]}` at {key[1]:,}: {value}\n"
        else:
            found[key] = value
    yield from tables(found, sizes, groups)


if __name__ == "__main__":
    one_thread.pin()
    given = [*sys.argv[1:], *["0", "32,4096,1048576", ",".join(GROUPS)][len(sys.argv) - 1 :]]
    for text in main(int(given[0]), tuple(map(int, given[1].split(","))), given[2].split(",")):
        print(text, flush=True)
