"""Devices: what moves, what refuses to mix, and the laws on CUDA arrays, by a stand-in for CuPy."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import DeviceError, DTypeError, GradientError
from minitorch_lab.ops.op import OPS, Op
from tests.cupy_stand_in import gpu, ndarray

from . import laws

__all__ = ["gpu"]


@pytest.fixture
def there(gpu: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The laws put what they try on the GPU."""
    monkeypatch.setattr(laws, "DEVICE", [gpu])
    return gpu


def samples(op: Op) -> list[Any]:
    return [(laws.inputs(args), params) for args, params in op.samples(np.random.default_rng(0))]


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("op", list(OPS.values()), ids=lambda op: op.name)
def test_the_laws_hold_on_a_gpu(op: Op) -> None:
    for args, params in samples(op):
        laws.shape_and_dtype(op, args, params)
        if op.name in laws.RANDOM:
            continue
        laws.inputs_are_left_alone(op, args, params)
        laws.layout_does_not_matter(op, args, params)
        if args:
            laws.batch_is_a_loop(op, args, params)
        if laws.moving(op, args):
            laws.gradient_is_the_slope(op, args, params)
            laws.second_derivative(op, args, params)
            laws.jvp_is_the_slope(op, args, params)


@pytest.mark.usefixtures("there")
@pytest.mark.parametrize("op", [op for op in OPS.values() if any(op.vjp)], ids=lambda op: op.name)
def test_what_comes_from_a_gpu_stays_there(op: Op) -> None:
    if op.name == "transfer":
        return
    for args, params in samples(op):
        leaves = laws.tensors(op, args, True)
        out = op(*leaves, **params)
        assert out.device == "cuda"
        if out.requires_grad:
            out.backward(laws.tensor(np.ones(out.shape)))
            assert all(leaves[i].grad.device == "cuda" for i in laws.moving(op, args))


# ---- moving ---------------------------------------------------------------------------------------------------------

MAKERS: dict[str, Any] = {
    "zeros": lambda **k: ml.zeros(2, **k),
    "ones": lambda **k: ml.ones(2, **k),
    "full": lambda **k: ml.full((2,), 3.0, **k),
    "arange": lambda **k: ml.arange(2, **k),
    "linspace": lambda **k: ml.linspace(0, 1, 2, **k),
    "eye": lambda **k: ml.eye(2, **k),
    "rand": lambda **k: ml.rand(2, **k),
    "randn": lambda **k: ml.randn(2, **k),
    "randint": lambda **k: ml.randint(5, (2,), **k),
    "randperm": lambda **k: ml.randperm(2, **k),
    "tensor": lambda **k: ml.tensor([1.0, 2.0], **k),
    "as_tensor": lambda **k: ml.as_tensor(np.ones(2), **k),
    "asarray": lambda **k: ml.asarray([1.0], **k),
}


@pytest.mark.parametrize("make", MAKERS.values(), ids=MAKERS)
def test_every_factory_takes_a_device(make: Any, gpu: str) -> None:
    assert make(device=gpu).device == "cuda"
    assert make(device="cuda:0").device == make().to("cuda").device
    assert make(device="cpu").device == make().device == "cpu"


@pytest.mark.parametrize("like", [ml.zeros_like, ml.ones_like, ml.rand_like, ml.randn_like, ml.tensor, ml.as_tensor])
def test_what_is_made_like_another_lies_where_it_lies(like: Any, gpu: str) -> None:
    assert like(ml.ones(2, device=gpu)).device == "cuda"


def test_a_seed_gives_the_same_numbers_on_both(gpu: str) -> None:
    ml.manual_seed(3)
    here = ml.randn(4)
    ml.manual_seed(3)
    assert ml.randn(4, device=gpu).cpu().tolist() == here.tolist()


def test_to_gives_the_same_object_where_nothing_changes(gpu: str) -> None:
    x, y = ml.ones(2), ml.ones(2, dtype=ml.float64, device=gpu)
    assert x.to("cpu") is x
    assert x.cpu() is x
    assert y.cuda() is y
    assert y.to(y) is y
    moved = x.to(y)
    assert (moved.device, moved.dtype) == ("cuda", ml.float64)


def test_a_gradient_comes_back_to_the_device_of_its_leaf(gpu: str) -> None:
    x = ml.tensor([1.0, 2.0], requires_grad=True)
    y = x.to(gpu) * 3.0
    y.sum().backward()
    assert x.grad is not None
    assert x.grad.device == "cpu"
    assert x.grad.tolist() == [3.0, 3.0]


def test_views_on_a_gpu_share_and_report_their_memory(gpu: str) -> None:
    x = ml.arange(12.0, device=gpu).reshape(3, 4)
    y = x.t()[1:]
    y.mul_(10.0)
    assert x.tolist() == [[0, 10, 20, 30], [4, 50, 60, 70], [8, 90, 100, 110]]
    assert (y.storage_offset(), y.stride(), x._version) == (1, (1, 4), 1)
    x.as_strided((3,), (5,)).zero_()
    assert (x[1, 1].item(), x.untyped_storage().nbytes) == (0.0, 48)


def test_a_stretched_tensor_on_a_gpu_cannot_be_written(gpu: str) -> None:
    with pytest.raises(ml.errors.ShapeError, match="cannot be written"):
        ml.zeros(1, device=gpu).expand(3).add_(1.0)


def test_a_gpu_tensor_prints_pickles_and_copies(gpu: str) -> None:
    x = ml.ones(2, device=gpu, requires_grad=True)
    assert repr(x) == "tensor([1., 1.], device='cuda', requires_grad=True)"
    assert "device   cuda" in x.describe()
    for twin in (pickle.loads(pickle.dumps(x)), copy.copy(x), copy.deepcopy(x)):
        assert (twin.device, twin.tolist(), twin.requires_grad) == ("cuda", [1.0, 1.0], True)


def test_cupy_arrays_come_in_without_a_copy(gpu: str) -> None:
    array = ml.ones(2, device=gpu).value
    assert isinstance(array, ndarray)
    assert ml.as_tensor(array).value is array
    assert ml.tensor(array).value is not array


# ---- modules and optimizers -----------------------------------------------------------------------------------------


def test_a_module_moves_in_place_and_its_optimizer_goes_on(gpu: str) -> None:
    ml.manual_seed(0)
    model = ml.nn.Sequential(ml.nn.Linear(3, 4), ml.nn.BatchNorm1d(4), ml.nn.Linear(4, 1))
    before = list(model.parameters())
    twin = copy.deepcopy(model)
    assert model.to(gpu) is model
    assert all(a is b for a, b in zip(before, model.parameters(), strict=True))
    assert {t.device for t in (*model.parameters(), *model.buffers())} == {"cuda"}
    x = ml.randn(5, 3)
    for net, data in ((model, x.to(gpu)), (twin, x)):
        optimizer = ml.optim.Adam(net.parameters(), lr=0.1)
        for _ in range(3):
            optimizer.zero_grad()
            (net(data) ** 2).mean().backward()
            optimizer.step()
    for a, b in zip(model.cpu().parameters(), twin.parameters(), strict=True):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), rtol=1e-6)


def test_a_module_takes_its_gradients_along(gpu: str) -> None:
    layer = ml.nn.Linear(2, 1)
    layer(ml.ones(1, 2)).sum().backward()
    layer.to(gpu, ml.float64)
    assert layer.weight.grad is not None
    assert (layer.weight.grad.device, layer.weight.grad.dtype) == ("cuda", ml.float64)


def test_a_saved_optimizer_comes_back_to_the_device_of_its_parameters(gpu: str) -> None:
    w = ml.nn.Parameter(ml.ones(2))
    first = ml.optim.Adam([w], lr=0.1)
    w.sum().backward()
    first.step()
    v = ml.nn.Parameter(ml.ones(2, device=gpu))
    second = ml.optim.Adam([v], lr=0.1)
    second.load_state_dict(first.state_dict())
    v.sum().backward()
    second.step()
    assert v.device == "cuda"


def test_a_module_of_whole_numbers_is_refused() -> None:
    with pytest.raises(DTypeError, match="learn by small steps"):
        ml.nn.Linear(1, 1).to(ml.int64)


# ---- mixing ---------------------------------------------------------------------------------------------------------

MIXED: dict[str, Any] = {
    "add": lambda x, y: x + y,
    "add, the other way": lambda x, y: y + x,
    "matmul": lambda x, y: x @ y,
    "where": lambda x, y: ml.where(x > 0, x, y),
    "cat": lambda x, y: ml.cat([x, y]),
    "in place": lambda x, y: x.add_(y),
    "in place, the other way": lambda x, y: y.mul_(x),
    "assignment": lambda x, y: x.__setitem__(0, y[0]),
    "assignment, the other way": lambda x, y: y.__setitem__(0, x[0]),
    "copy_": lambda x, y: x.copy_(y),
    "backward": lambda x, y: (x.clone().requires_grad_() * 1.0).backward(y),
    "grad": lambda x, y: setattr(x.clone().requires_grad_(), "grad", y),
    "out": lambda x, y: ml.add(x, x, out=y),
    "linear": lambda x, y: ml.nn.functional.linear(x, y),
    "cross-entropy": lambda x, y: ml.nn.functional.cross_entropy(x, y.argmax(1)),
    "gather": lambda x, y: x.gather(0, y.argmax(1, keepdim=True)),
    "vmap": lambda x, y: ml.func.vmap(lambda a, b: a * b)(x, y),
    "grad of a function": lambda x, y: ml.func.grad(lambda a: (a * y).sum())(x),
}


@pytest.mark.parametrize("mix", MIXED.values(), ids=MIXED)
def test_devices_do_not_mix(mix: Any, gpu: str) -> None:
    with pytest.raises(DeviceError, match=r"cpu.*cuda|cuda.*cpu"):
        mix(ml.ones(2, 2), ml.ones(2, 2, device=gpu))


def test_the_text_of_a_mix(gpu: str) -> None:
    with pytest.raises(DeviceError) as error:
        ml.ones(2) + ml.ones(2, device=gpu)
    assert str(error.value) == (
        "add got tensors on cpu and cuda.\n"
        "  An op runs where its inputs lie, so they must lie on one device.\n"
        '  Did you mean y.to("cpu")?'
    )


def test_numbers_lists_and_arrays_index_on_any_device(gpu: str) -> None:
    x = ml.arange(4.0, device=gpu)
    assert (x * 2 + np.float64(1.0)).tolist() == [1.0, 3.0, 5.0, 7.0]
    assert x[[0, 2]].tolist() == [0.0, 2.0]
    assert x[np.array([True, False, False, True])].tolist() == [0.0, 3.0]
    assert x[x > 1].tolist() == [2.0, 3.0]
    x[x > 1] = 0.0
    assert x.sum().item() == 1.0


def test_numpy_does_not_reach_into_the_gpu(gpu: str) -> None:
    with pytest.raises(DeviceError, match="cpu"):
        ml.ones(2, device=gpu).numpy()
    with pytest.raises(DeviceError, match="cpu"):
        np.asarray(ml.ones(2, device=gpu))


def test_data_takes_another_memory_and_keeps_the_tensor(gpu: str) -> None:
    x = ml.ones(2, requires_grad=True)
    x.data = ml.zeros(3, device=gpu)
    assert (x.shape, x.device, x.requires_grad, x.is_leaf) == ((3,), "cuda", True, True)
    with pytest.raises(GradientError, match="only floats"):
        x.data = ml.arange(3)
    with pytest.raises(GradientError, match="data of a view"):
        ml.zeros(2, 2)[0].data = ml.zeros(2)
