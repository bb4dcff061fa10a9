"""The caching allocator in force: arrays of NumPy's lie in it, whenever they are made and however they die."""

from __future__ import annotations

import gc
import subprocess
import sys
import threading
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import ArgumentError, OutOfMemoryError
from minitorch_lab.memory import caching_allocator, memory_allocated, memory_snapshot, memory_stats, reports, serving

pytest.importorskip("llvmlite")
MB = 1 << 20
handler_of = np._core.multiarray.get_handler_name  # pyright: ignore


def network() -> tuple[Any, Any]:
    ml.manual_seed(0)
    model = ml.nn.Sequential(ml.nn.Linear(256, 512), ml.nn.ReLU(), ml.nn.Linear(512, 256))
    return model, ml.optim.Adam(model.parameters(), lr=1e-3)


def trained(steps: int) -> list[float]:
    model, optimizer = network()
    losses: list[float] = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = (model(ml.randn(512, 256)) ** 2).mean()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def test_a_training_loop_is_the_same_bit_for_bit_and_reuses_95_percent() -> None:
    plain = trained(25)
    with caching_allocator(limit=256 * MB, least=1 << 16):
        assert trained(25) == plain
        stats = memory_stats()
    assert stats["reuse"] >= 0.95
    assert stats["allocation.all.allocated"] > 25 * 20
    gc.collect()
    assert memory_allocated() == 0


def test_outside_the_block_numpys_own_handler_is_in_force() -> None:
    assert handler_of() == "default_allocator"
    with caching_allocator(limit=64 * MB):
        x = np.ones(MB)
        small = np.ones(3)
        assert (handler_of(x), handler_of(small)) == ("minitorch_lab", "minitorch_lab")
        seen: list[str] = []
        thread = threading.Thread(target=lambda: seen.append(handler_of(np.ones(MB))))
        thread.start()
        thread.join()
        assert seen == ["default_allocator"]
    assert (handler_of(), handler_of(np.ones(MB))) == ("default_allocator", "default_allocator")
    assert memory_allocated() == x.nbytes
    assert x.sum() == MB
    del x, small
    assert memory_allocated() == 0


def test_the_bytes_in_use_are_those_of_the_arrays_alive() -> None:
    with caching_allocator(limit=512 * MB, least=512) as served:
        rng = np.random.default_rng(0)
        alive: list[Any] = []
        for _ in range(2000):
            if alive and rng.random() < 0.5:
                alive.pop(int(rng.integers(len(alive))))
            else:
                alive.append(np.full(int(rng.integers(64, 40_000)), 7.0))
        blocks = [b for s in memory_snapshot() for b in s["blocks"] if b["state"] == "active_allocated"]
        where = {b["address"]: b["requested_size"] for b in blocks}
        for array in alive:
            assert where[array.__array_interface__["data"][0]] == array.nbytes
            assert (array == 7.0).all()
        assert sum(a.nbytes for a in alive) <= memory_allocated() <= sum(a.nbytes + 512 for a in alive) + 8192
        assert len(served.allocator.used) == len(blocks)


def test_arrays_may_die_while_an_error_is_on_its_way() -> None:
    """Then no Python may run: a handler in Python would lose the error."""

    def pair(a: Any, b: Any) -> None:
        raise AssertionError((a, b))

    with caching_allocator(limit=64 * MB):
        for _ in range(200):
            with pytest.raises(ZeroDivisionError):
                pair(np.ones(MB), 1 / 0)
    gc.collect()
    assert memory_allocated() == 0


def test_zeros_are_zeros_in_used_memory_and_resizing_keeps_what_was_there() -> None:
    with caching_allocator(limit=128 * MB):
        for _ in range(3):
            x = np.full(MB, 5.0)
            del x
            assert not np.zeros(MB).any()
        x = np.arange(float(MB))
        x.resize(3 * MB, refcheck=False)
        assert (x[:MB] == np.arange(MB)).all()
        assert not x[MB:].any()
        x.resize(10, refcheck=False)
        assert x.tolist() == list(range(10))
        with pytest.raises(MemoryError):
            x.resize(100 * MB, refcheck=False)
        assert x.tolist() == list(range(10))


def hoard(kept: list[Any]) -> None:
    while True:
        kept.append(ml.ones(MB) * 2.0)


def test_an_array_too_many_is_told_with_the_line_that_holds_the_memory() -> None:
    with pytest.raises(OutOfMemoryError) as caught, caching_allocator(limit=32 * MB):
        hoard([])
    text, line = str(caught.value), hoard.__code__.co_firstlineno + 2
    assert text.startswith("4.00 MiB were asked for, and are not to be had: of 32.00 MiB 32.00 MiB are in use")
    assert f"32.00 MiB in 8 × test_serving.py, line {line}: kept.append(ml.ones(MB) * 2.0)" in text
    assert "4.00 MiB are missing: did you mean a smaller batch" in text
    assert isinstance(caught.value.__cause__, MemoryError)


def test_an_error_of_someone_elses_stays_what_it_is() -> None:
    with pytest.raises(MemoryError, match="mine"), caching_allocator(limit=32 * MB):
        raise MemoryError("mine")


def test_blocks_in_blocks() -> None:
    with caching_allocator(limit=64 * MB):
        outer = np.ones(MB)
        with caching_allocator(limit=64 * MB):
            inner = np.ones(2 * MB)
            assert memory_allocated() == inner.nbytes
        assert memory_allocated() == outer.nbytes
        more = np.ones(MB)
        assert memory_allocated() == outer.nbytes + more.nbytes
    assert inner.sum() == 2 * MB


def test_regions_without_arrays_go_back() -> None:
    with caching_allocator(limit=64 * MB):
        x = np.ones(MB)
    first = serving.LEFT[-1]
    for kept in (True, False):
        x = x if kept else None
        for _ in range(3):
            with caching_allocator(limit=64 * MB):
                np.ones(MB).sum()
        assert (first in serving.LEFT) == kept
    assert first.closed


def test_workers_that_are_forked_off_have_a_copy() -> None:
    with caching_allocator(limit=128 * MB, least=1 << 14):
        x = ml.arange(64 * 1024).float().reshape(64, 1024)
        loader = ml.data.DataLoader(ml.data.TensorDataset(x), batch_size=16, num_workers=2)
        for _ in range(2):
            assert ml.cat([batch for (batch,) in loader]).equal(x)


def test_arrays_that_outlive_python_die_in_peace() -> None:
    program = (
        "import minitorch_lab as ml, numpy as np\n"
        "with ml.memory.caching_allocator(limit=64 << 20):\n"
        "    kept = np.ones(1 << 20), np.ones(3)\n"
        "    np.kept, ml.kept = kept\n"
        "    np.ones(1 << 20).sum()\n"
        "print(kept[0].sum())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1048576.0\n", "")


@pytest.mark.parametrize("limit", [1 << 60, 1 << 70])
def test_a_limit_that_no_addresses_are_there_for(limit: int) -> None:
    with pytest.raises(OutOfMemoryError, match="smaller limit"), caching_allocator(limit=limit):
        pass
    with caching_allocator(limit=64 * MB):
        assert ml.ones(1 << 19).sum().item() == 1 << 19


@pytest.mark.parametrize("given", [{"limit": 0}, {"limit": "1 GB"}, {"least": 1}])
def test_numbers_that_are_none(given: Any) -> None:
    with pytest.raises(ArgumentError, match=r"caching_allocator got .*\n.*at least 512"), caching_allocator(**given):
        pass


def test_a_report_of_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reports, "in_force", lambda: None)
    with pytest.raises(ArgumentError, match=r"(?s)memory_stats was asked.*Did you mean .*caching_allocator\(\)\?"):
        memory_stats()


def test_on_cuda_cupys_pool_is_what_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = SimpleNamespace(used_bytes=lambda: 3 * MB, total_bytes=lambda: 8 * MB, n_free_blocks=lambda: 2)
    cupy = SimpleNamespace(get_default_memory_pool=lambda: pool)
    monkeypatch.setattr(reports, "cuda", lambda: cupy)
    monkeypatch.setattr(reports, "check_device", lambda device: "cuda")
    assert (memory_allocated("cuda"), ml.memory.memory_reserved("cuda")) == (3 * MB, 8 * MB)
    assert ml.memory.memory_summary("cuda").splitlines()[0] == "3.00 MiB allocated_bytes.all.current"
    with pytest.raises(ArgumentError, match=r"Did you mean memory_stats\(\"cuda\"\)"):
        memory_snapshot("cuda")
