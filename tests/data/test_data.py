"""Digits, datasets and the loader."""

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.data import (
    BatchSampler,
    ConcatDataset,
    DataLoader,
    Dataset,
    Digits,
    IterableDataset,
    RandomSampler,
    SequentialSampler,
    StackDataset,
    Subset,
    SubsetRandomSampler,
    TensorDataset,
    WeightedRandomSampler,
    random_split,
)
from minitorch_lab.errors import ArgumentError, ShapeError


class Squares(Dataset):
    def __len__(self):
        return 10

    def __getitem__(self, index):
        return ml.full((2,), float(index)), index * index


def test_digits_have_their_shapes_and_scale():
    train, test = Digits(train=True), Digits(train=False)
    assert (len(train), len(test)) == (1442, 355)
    assert train.images.shape == (1442, 64)
    assert train.images.dtype == ml.float32
    assert train.labels.shape == (1442,)
    assert train.labels.dtype == ml.int64
    for part in (train, test):
        pixels = part.images.numpy()
        assert pixels.min() == 0
        assert pixels.max() == 1
        assert np.all(pixels * 16 == np.round(pixels * 16))
        assert set(part.labels.tolist()) == set(range(10))


def test_the_split_is_every_fifth_of_each_class():
    train, test = (np.bincount(Digits(train=t).labels.numpy()) for t in (True, False))
    assert test.tolist() == ((train + test) // 5).tolist()


def test_no_image_is_on_both_sides():
    train, test = ({row.tobytes() for row in Digits(train=t).images.numpy()} for t in (True, False))
    assert not train & test


def test_tensor_dataset():
    pairs = TensorDataset(ml.arange(6).reshape(3, 2), ml.tensor([5, 6, 7]))
    assert len(pairs) == 3
    x, y = pairs[1]
    assert x.tolist() == [2, 3]
    assert y.item() == 6
    x, y = pairs.batch([2, 0])
    assert x.tolist() == [[4, 5], [0, 1]]
    assert y.tolist() == [7, 5]


@pytest.mark.parametrize("drop_last", [False, True])
def test_batches_in_order(drop_last):
    loader = DataLoader(Squares(), batch_size=4, drop_last=drop_last)
    batches = list(loader)
    assert [y.tolist() for _, y in batches] == [[0, 1, 4, 9], [16, 25, 36, 49], [64, 81]][: 2 if drop_last else 3]
    assert len(loader) == len(batches)
    assert batches[0][0].shape == (4, 2)


def test_shuffling_is_repeatable_and_new_each_pass():
    loader = DataLoader(Squares(), batch_size=3, shuffle=True)

    def order():
        return [v for _, y in loader for v in y.tolist()]

    ml.manual_seed(7)
    first, second = order(), order()
    assert first != second
    assert sorted(first) == sorted(second) == [i * i for i in range(10)]
    ml.manual_seed(7)
    assert [order(), order()] == [first, second]


def test_shuffling_from_a_generator_of_its_own():
    loaders = [DataLoader(list(range(9)), 9, shuffle=True, generator=ml.Generator(3)) for _ in range(2)]
    (first,), (second,) = loaders
    assert first.tolist() == second.tolist() != list(range(9))


def test_a_list_is_a_dataset():
    assert [b.tolist() for b in DataLoader([1.0, 2.0, 3.0], batch_size=2)] == [[1, 2], [3]]
    (batch,) = DataLoader([{"x": 1, "y": (2.0, ml.ones(2))}] * 3, batch_size=3)
    assert batch["x"].tolist() == [1, 1, 1]
    assert batch["x"].dtype == ml.int64
    assert batch["y"][0].dtype == ml.float64  # as PyTorch's loader
    assert batch["y"][1].shape == (3, 2)


def test_own_collation():
    assert list(DataLoader(["a", "b", "c"], batch_size=2, collate_fn="".join)) == ["ab", "c"]
    assert [b.tolist() for b in DataLoader([np.float32(1), np.float32(2)], batch_size=2)] == [[1, 2]]


def test_empty():
    assert list(DataLoader(TensorDataset(ml.zeros(0, 2)), batch_size=2)) == []


def test_errors_teach():
    with pytest.raises(ShapeError) as error:
        TensorDataset(ml.zeros(3, 2), ml.zeros(4))
    assert str(error.value) == (
        "TensorDataset got the shapes (3, 2), (4,).\n"
        "  Row i of every tensor belongs to example i, so the first axes have one length.\n"
        "  Did you swap or cut one of the tensors?"
    )
    with pytest.raises(ArgumentError, match="got a list"):
        TensorDataset([1, 2])
    with pytest.raises(ArgumentError, match="got nothing"):
        TensorDataset()
    with pytest.raises(ShapeError):
        TensorDataset(ml.tensor(1.0))
    for size in (0, -1, 2.5):
        with pytest.raises(ArgumentError, match=f"batch_size={size}"):
            DataLoader(Squares(), batch_size=size)
    with pytest.raises(ArgumentError, match=r"Did you mean ml.data.TensorDataset\(x, y\)\?"):
        DataLoader(5)
    with pytest.raises(ArgumentError, match="example of type object"):
        list(DataLoader([object()]))
    with pytest.raises(ShapeError, match=r"examples of 2 and of 3 parts in one batch.\n.*\n.*pads the short ones"):
        list(DataLoader([(1, 2, 3), (1, 2)], batch_size=2))
    with pytest.raises(ShapeError):
        list(DataLoader([ml.ones(2), ml.ones(3)], batch_size=2))
    with pytest.raises(ArgumentError, match="Half has no"):
        len(type("Half", (Dataset,), {})())


def numbers(loader):
    return [batch.tolist() for batch in loader]


def test_samplers_say_what_comes():
    ten = list(range(10))
    assert sorted(RandomSampler(ten)) == ten
    assert sorted(list(RandomSampler(ten, num_samples=20))[:10]) == ten
    with_replacement = list(RandomSampler(ten, replacement=True, num_samples=1000))
    assert set(with_replacement) == set(ten)
    assert len(set(with_replacement[:10])) < 10
    assert sorted(SubsetRandomSampler([5, 6, 9])) == [5, 6, 9]
    assert numbers(DataLoader(ten, 4, sampler=SequentialSampler(ten), drop_last=True)) == [[0, 1, 2, 3], [4, 5, 6, 7]]
    assert numbers(DataLoader(ten, batch_sampler=[[9, 0], [3]])) == [[9, 0], [3]]
    assert len(BatchSampler(range(7), 3, drop_last=True)) == 2


def test_draws_by_weight_come_as_often_as_they_should():
    ml.manual_seed(0)
    counts = np.bincount(list(WeightedRandomSampler([1.0, 0.0, 3.0], 4000)))
    assert counts[1] == 0
    assert abs(counts[2] / 4000 - 0.75) < 0.03
    assert sorted(WeightedRandomSampler(ml.ones(5), 5, replacement=False)) == [0, 1, 2, 3, 4]


def test_streams():
    class Stream(IterableDataset):
        def __iter__(self):
            return iter([3, 4, 5, 6, 7])

    assert numbers(DataLoader(Stream(), batch_size=2)) == [[3, 4], [5, 6], [7]]
    assert numbers(DataLoader(Stream(), batch_size=2, drop_last=True)) == [[3, 4], [5, 6]]
    assert list(DataLoader(Stream(), batch_size=None)) == [3, 4, 5, 6, 7]
    assert list(Stream() + Stream()) == [3, 4, 5, 6, 7] * 2
    with pytest.raises(TypeError, match="Stream has no __len__"):
        len(DataLoader(Stream()))
    with pytest.raises(ArgumentError, match=r"shuffle=True and a dataset that streams.*\n.*\n.*Leave shuffle out"):
        DataLoader(Stream(), shuffle=True)


def test_parts_and_whole():
    rows = TensorDataset(ml.arange(10), ml.arange(10) * 2)
    ((x, y),) = DataLoader(Subset(rows, [7, 1]), batch_size=2)
    assert (x.tolist(), y.tolist()) == ([7, 1], [14, 2])
    a, b = random_split(rows, [0.75, 0.25], generator=ml.Generator(0))
    again = random_split(rows, [8, 2], generator=ml.Generator(0))
    assert [len(a), len(b)] == [8, 2]
    assert a.indices == again[0].indices
    assert sorted(a.indices + b.indices) == list(range(10))
    whole = ConcatDataset([a, b])
    assert sorted(x.item() for x, _ in whole) == list(range(10))
    assert whole[-1][0].item() == b[1][0].item()
    assert (rows + rows)[13][1].item() == 6
    ((one, two),) = DataLoader(StackDataset([1, 2], [3.0, 4.0]), batch_size=2)
    assert (one.tolist(), two.tolist()) == ([1, 2], [3.0, 4.0])


def test_errors_of_parts_and_orders_teach():
    with pytest.raises(ArgumentError, match=r"lengths \[5, 4\] for 10 examples.*\n.*\n.*\[8, 2\]"):
        random_split(range(10), [5, 4])
    with pytest.raises(ShapeError, match=r"index 3.*\n.*2 examples"):
        ConcatDataset(["ab"])[3]
    with pytest.raises(ArgumentError, match="Did you mean ChainDataset"):
        ConcatDataset([IterableDataset()])
    with pytest.raises(ArgumentError, match="sampler and shuffle=True"):
        DataLoader([1], shuffle=True, sampler=[0])
    with pytest.raises(ArgumentError, match="batch_sampler and batch_size"):
        DataLoader([1], batch_size=2, batch_sampler=[[0]])
    with pytest.raises(ArgumentError, match=r"weights of shape \(1, 1\)"):
        WeightedRandomSampler([[1.0]], 1)
    with pytest.raises(ShapeError, match="of 1 and of 2 examples"):
        StackDataset([1], [1, 2])
    for make in (lambda: BatchSampler([1], 0), lambda: RandomSampler([1], num_samples=0)):
        with pytest.raises(ArgumentError, match="at least 1"):
            make()


def test_pytorchs_names_for_the_room():
    from minitorch_lab.utils import data
    from minitorch_lab.utils.checkpoint import checkpoint

    assert {name: getattr(data, name) for name in ml.data.__all__} == {n: getattr(ml.data, n) for n in ml.data.__all__}
    assert checkpoint is ml.autograd.checkpoint
