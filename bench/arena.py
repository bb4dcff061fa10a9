"""Memory of the training step of an MLP of 20 layers, width and batch 1024: our plan, its bound, torch's peak."""

from __future__ import annotations

from bench.libraries import TORCH

# isort: split
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import torch

from minitorch_lab.compiler.memory.buffers import homes
from minitorch_lab.compiler.memory.plan import Plan, planned
from minitorch_lab.lessons.training_step import training_step

LAYERS, WIDTH, BATCH = 20, 1024, 1024
KEPT = (6, 11, 15, 18)  # each stretch one layer shorter than the last: later ones start when more is kept


def our_plan(keep: Any = None) -> Plan:
    """The plan of the whole step."""
    graph = training_step(LAYERS, WIDTH, BATCH, keep)
    return planned(
        homes(graph, donate=[p.name for p in graph.placeholders[2:]]).lives, steps=[n.name for n in graph.nodes]
    )


def torch_peak() -> int:
    """Bytes that torch has allocated at once in one step, beyond parameters, input and labels."""
    weights = [torch.randn(WIDTH, WIDTH, requires_grad=True) for _ in range(LAYERS)]
    weights.append(torch.randn(WIDTH, 10, requires_grad=True))
    x, y = torch.randn(BATCH, WIDTH), torch.zeros(BATCH, dtype=torch.int64)
    optimizer = TORCH.module.optim.SGD(weights, lr=1e-3)
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as watched:
        h = x
        for w in weights[:-1]:
            h = (h @ w).relu()
        torch.nn.functional.cross_entropy(h @ weights[-1], y).backward()
        optimizer.step()
    with tempfile.TemporaryDirectory() as folder:
        watched.export_chrome_trace(f"{folder}/trace.json")
        events = json.loads(Path(f"{folder}/trace.json").read_text("utf-8"))["traceEvents"]
    live = peak = 0
    for event in sorted((e for e in events if e.get("name") == "[memory]"), key=lambda e: e["ts"]):
        live += event["args"]["Bytes"]
        peak = max(peak, live)
    return peak


def main() -> Iterator[str]:
    """The table."""
    kept, again, peak = our_plan(), our_plan(KEPT), torch_peak()
    yield "| arena of the 20-layer MLP | MiB | of | ratio | bar | |"
    yield "|---|--:|---|--:|--:|---|"
    for name, size, of, whole, bar in (
        ("all activations kept", kept.size, "the max-live bound", kept.bound, 1.01),
        ("all activations kept", kept.size, "torch's peak", peak, 1.0),
        ("computed again from four of them", again.size, "the max-live bound", again.bound, 1.01),
        ("computed again from four of them", again.size, "keeping all", kept.size, 0.45),
    ):
        ratio = size / whole
        verdict = "held" if ratio <= bar else "**missed**"
        yield f"| {name} | {size / 2**20:.1f} | {of} | {ratio:.3f} | {bar} | {verdict} |"
