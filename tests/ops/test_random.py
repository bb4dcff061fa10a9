"""Random numbers: which number stands where, and that they are spread as they should be. Row C14 of the systems."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.ops.threefry import threefry

F = ml.nn.functional
MANY = 40_000


@pytest.mark.parametrize(
    ("key", "counter", "words"),
    [
        ((0, 0), (0, 0), (0x6B200159, 0x99BA4EFE)),
        ((0xFFFFFFFF, 0xFFFFFFFF), (0xFFFFFFFF, 0xFFFFFFFF), (0x1CB996FC, 0xBB002BE7)),
        ((0x13198A2E, 0x03707344), (0x243F6A88, 0x85A308D3), (0xC4923A9C, 0x483DF7A0)),
    ],
)
def test_the_cipher_gives_its_authors_words(
    key: tuple[int, int], counter: tuple[int, int], words: tuple[int, int]
) -> None:
    assert [int(w[0]) for w in threefry(key, counter)] == list(words)


# ---- row C14: the same numbers whatever the order, the parts or the number of workers -------------------------------


@pytest.mark.parametrize("draw", [ml.rand, ml.randn, lambda *s, generator: ml.randint(100, s, generator=generator)])
def test_row_c14_a_draw_may_be_made_in_parts_and_in_any_order(draw) -> None:
    whole = draw(4, 5, generator=ml.Generator(3)).flatten()
    parts = {start: draw(7 if start < 14 else 6, generator=ml.Generator(3).at(start)) for start in (14, 0, 7)}
    assert ml.cat([parts[0], parts[7], parts[14]]).equal(whole)
    running = ml.Generator(3)
    assert ml.cat([draw(n, generator=running) for n in (1, 12, 7)]).equal(whole)
    assert running.counter == 20


def test_row_c14_the_number_of_workers_does_not_matter() -> None:
    key = ml.Generator(11)

    def shard(worker: int, workers: int) -> ml.Tensor:
        each = 12 // workers
        return ml.randn(each, 3, generator=key.at(3 * each * worker))

    whole = ml.randn(12, 3, generator=key.at(0))
    for workers in (1, 2, 3, 4):
        with ThreadPoolExecutor(workers) as pool:
            parts = list(pool.map(shard, range(workers), [workers] * workers))
        assert ml.cat(parts).equal(whole)


def test_row_c14_a_mask_follows_its_example() -> None:
    x, keys = ml.ones(6, 50), ml.tensor([10, 11, 12, 13, 14, 15])
    whole = F.dropout(x, 0.5, generator=ml.Generator(0), keys=keys)
    order = ml.tensor([4, 0, 3, 1, 5, 2])
    assert F.dropout(x, 0.5, generator=ml.Generator(0), keys=keys[order]).equal(whole[order])
    assert F.dropout(x[:2], 0.5, generator=ml.Generator(0), keys=keys[:2]).equal(whole[:2])
    alone = F.dropout(x[3], 0.5, generator=ml.Generator(0).fold_in(13))
    assert alone.equal(whole[3])
    assert not whole[0].equal(whole[1])


def test_row_c14_each_use_of_the_keys_is_another_mask() -> None:
    x, keys, generator = ml.ones(2, 50), ml.arange(2), ml.Generator(0)
    first, second = (F.dropout(x, 0.5, generator=generator, keys=keys) for _ in range(2))
    assert generator.counter == 100
    assert not first.equal(second)
    assert F.dropout(x, 0.5, generator=ml.Generator(0).at(50), keys=keys).equal(second)


def test_a_mask_under_vmap_follows_its_example_too() -> None:
    x, keys = ml.ones(3, 20), ml.tensor([5, 6, 7])
    whole = F.dropout(x, 0.3, generator=ml.Generator(1), keys=keys)
    generator = ml.Generator(1)
    assert ml.func.vmap(lambda a, k: F.dropout(a, 0.3, generator=generator, keys=k))(x, keys).equal(whole)


def test_other_keys() -> None:
    root = ml.Generator(5)
    children = root.split(3)
    assert [c.key for c in children] == [root.fold_in(i).key for i in range(3)]
    assert len({c.key for c in children} | {root.key, root.fold_in(2**40).key, root.fold_in(-1).key}) == 6
    assert (root.counter, root.key) == (0, ml.Generator(5).key)


def test_state() -> None:
    generator = ml.Generator(9)
    ml.rand(3, generator=generator)
    state = generator.get_state()
    assert state == {"key": [0, 9], "counter": 3}
    ahead = ml.rand(4, generator=generator)
    assert ml.rand(4, generator=ml.Generator(1).set_state(state)).equal(ahead)
    assert repr(ml.Generator(1).set_state(state)) == "Generator(key=(0x00000000, 0x00000009), counter=3)"
    assert ml.Generator().key != ml.Generator().key


def test_large_seeds_and_counters_count() -> None:
    keys = {ml.Generator(s).key for s in (1, 2**32 + 1, -1, 2**63 - 1)}
    assert len(keys) == 4
    over = ml.rand(4, generator=ml.Generator(0).at(2**32 - 2))
    assert over[2:].equal(ml.rand(2, generator=ml.Generator(0).at(2**32)))
    assert not over[2:].equal(ml.rand(2, generator=ml.Generator(0)))


# ---- vmap -----------------------------------------------------------------------------------------------------------


def test_different_numbers_under_vmap_are_those_of_a_loop() -> None:
    x, loop = ml.zeros(4), ml.Generator(2)
    wanted = ml.stack([ml.randn(3, generator=loop) for _ in range(4)])
    generator = ml.Generator(2)
    got = ml.func.vmap(lambda a: a + ml.randn(3, generator=generator), randomness="different")(x)
    assert got.equal(wanted)
    assert generator.counter == loop.counter == 12


def test_the_same_numbers_under_vmap() -> None:
    generator = ml.Generator(2)
    got = ml.func.vmap(lambda a: a + ml.randperm(3, generator), randomness="same")(ml.zeros(4))
    assert got.equal(ml.randperm(3, ml.Generator(2)).float().expand(4, 3))


def test_nested_vmap_draws_for_every_pair() -> None:
    generator = ml.Generator(2)
    inner = ml.func.vmap(lambda a: a + ml.rand(generator=generator), randomness="different")
    got = ml.func.vmap(inner, randomness="different")(ml.zeros(3, 2))
    assert got.equal(ml.rand(3, 2, generator=ml.Generator(2)))


# ---- distributions: four standard errors ----------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_uniform(dtype: str) -> None:
    x = ml.rand(MANY, dtype=dtype, generator=ml.Generator(0)).numpy()
    assert x.dtype == dtype
    assert 0 <= x.min() < x.max() < 1
    counts = np.bincount((x * 16).astype(int), minlength=16)
    chi2 = ((counts - MANY / 16) ** 2 / (MANY / 16)).sum()
    assert abs(chi2 - 15) < 4 * math.sqrt(30)
    assert abs(np.corrcoef(x[:-1], x[1:])[0, 1]) < 4 / math.sqrt(MANY)


def test_float32_is_float64_cut_short() -> None:
    wide = ml.rand(1000, dtype="float64", generator=ml.Generator(4)).numpy()
    narrow = ml.rand(1000, generator=ml.Generator(4)).numpy()
    np.testing.assert_array_equal(narrow, np.floor(wide * 2**24) / 2**24)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normal(dtype: str) -> None:
    x = np.sort(ml.randn(MANY, dtype=dtype, generator=ml.Generator(0)).numpy().astype("float64"))
    below = np.array([0.5 * (1 + math.erf(v / math.sqrt(2))) for v in x])
    assert np.abs(below - np.arange(MANY) / MANY).max() < 1.95 / math.sqrt(MANY)  # Kolmogorov and Smirnov, 0.1 %
    assert np.isfinite(x).all()


def test_sequences_of_split_keys_have_nothing_in_common() -> None:
    a, b = (ml.randn(MANY, generator=g).numpy() for g in ml.Generator(0).split(2))
    assert abs(np.corrcoef(a, b)[0, 1]) < 4 / math.sqrt(MANY)


def test_whole_numbers_and_orders() -> None:
    x = ml.randint(-3, 4, (7000,), generator=ml.Generator(0)).numpy()
    counts = np.bincount(x + 3)
    assert len(counts) == 7
    assert np.abs(counts - 1000).max() < 4 * math.sqrt(1000)
    orders = [tuple(ml.randperm(3, g).tolist()) for g in ml.Generator(0).split(600)]
    assert {sum(order == o for order in orders) for o in set(orders)} <= set(range(100 - 40, 100 + 41))
    assert len(set(orders)) == 6


def test_bernoulli_and_multinomial() -> None:
    p = ml.tensor([0.0, 0.2, 1.0]).expand(MANY, 3)
    share = ml.bernoulli(p, ml.Generator(0)).mean(0).tolist()
    assert (share[0], share[2]) == (0.0, 1.0)
    assert abs(share[1] - 0.2) < 4 * math.sqrt(0.16 / MANY)
    weights = ml.tensor([1.0, 0.0, 3.0])
    drawn = np.bincount(ml.multinomial(weights, MANY, replacement=True, generator=ml.Generator(1)).numpy(), minlength=3)
    assert drawn[1] == 0
    assert abs(drawn[2] / MANY - 0.75) < 4 * math.sqrt(0.1875 / MANY)
    firsts = ml.multinomial(weights.expand(MANY, 3), 2, generator=ml.Generator(2)).numpy()
    assert set(np.sort(firsts, 1).flatten().tolist()) == {0, 2}
    assert abs((firsts[:, 0] == 2).mean() - 0.75) < 4 * math.sqrt(0.1875 / MANY)


def test_in_place() -> None:
    ml.manual_seed(0)
    x = ml.zeros(1000)
    assert x.uniform_(2.0, 3.0) is x
    assert x.min() >= 2
    assert x.max() < 3
    assert abs(x.normal_(5.0, 0.1).mean().item() - 5) < 0.02
    assert set(x.bernoulli_(0.5).tolist()) == {0.0, 1.0}
    assert ml.normal(ml.zeros(3), 1.0).shape == ml.normal(0.0, 1.0, size=(3,)).shape == (3,)
