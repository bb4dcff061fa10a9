"""Element types: making, meeting, keeping, casting and printing tensors of each."""

from __future__ import annotations

from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.compiler.targets.numpy.backend import compile_numpy
from minitorch_lab.core.array import DTYPES

FLOATS = ("float16", "bfloat16", "float32", "float64")
NARROW = ("float16", "bfloat16")


# ---- what the two narrow floats are ---------------------------------------------------------------------------------


def half(x: float) -> float:
    return ml.tensor(x, dtype=ml.float64).half().item()


def test_row_b6_float16_loses_digits_below_6e_5_and_is_zero_from_2_98e_8_down() -> None:
    assert ml.finfo(ml.float16).smallest_normal == 2**-14 == pytest.approx(6.1e-5, rel=1e-3)
    assert half(1e-6) == pytest.approx(1e-6, rel=0.02)  # below the smallest normal number, and not 0
    assert ml.finfo(ml.float16).smallest_subnormal == 2**-24
    assert half(2**-25) == 0.0  # 2.98e-8: half of the smallest number, rounded to even
    assert half(2**-25 * 1.001) == 2**-24


@pytest.mark.parametrize(("dtype", "bits"), [(ml.float16, 10), (ml.bfloat16, 7)])
def test_row_b6_bits_of_the_mantissa(dtype: Any, bits: int) -> None:
    assert ml.finfo(dtype).eps == 2**-bits
    x = ml.tensor([1 + 2**-bits, 1 + 2 ** -(bits + 1)], dtype=ml.float64).to(dtype)
    assert x.tolist() == [1 + 2**-bits, 1.0]


def test_row_b6_bfloat16_reaches_as_far_as_float32() -> None:
    assert ml.tensor(3e38, dtype=ml.bfloat16).isnan().item() is False
    assert ml.finfo(ml.bfloat16).smallest_normal == ml.finfo(ml.float32).smallest_normal
    assert ml.tensor(7e4, dtype=ml.float16).item() == float("inf")


def test_a_sum_of_two_byte_numbers_does_not_stop_growing() -> None:
    for dtype in NARROW:
        column = ml.ones(5000, 1, dtype=dtype)
        assert column.sum(dim=0).item() == ml.tensor(5000.0, dtype=dtype).item()
        assert (column.mT @ column).item() == ml.tensor(5000.0, dtype=dtype).item()
        assert column.cumsum(0)[-1].item() == ml.tensor(5000.0, dtype=dtype).item()
        assert column.mean().item() == 1.0
        bias = ml.zeros(1, dtype=dtype, requires_grad=True)
        (column + bias).sum().backward()
        assert bias.grad.item() == ml.tensor(5000.0, dtype=dtype).item()
        table = ml.zeros(2, dtype=dtype, requires_grad=True)
        table[ml.zeros(5000, dtype=ml.int64)].sum().backward()
        assert table.grad.tolist() == [ml.tensor(5000.0, dtype=dtype).item(), 0.0]


# ---- where dtypes meet (every pair, against PyTorch: tests/oracles/test_dtypes.py) -----------------------------------


def made(kind: str) -> Any:
    """`int8[2]`, `float16[]` or a Python number."""
    name, bracket, _ = kind.partition("[")
    return ml.ones(2 if kind.endswith("2]") else (), dtype=name) if bracket else {"2": 2, "0.5": 0.5}[name]


@pytest.mark.parametrize(
    ("left", "right", "dtype"),
    [
        ("float16[2]", "float32[]", "float16"),  # a tensor with axes has the say among floats
        ("float16[]", "float32[2]", "float32"),
        ("float16[2]", "float32[2]", "float32"),
        ("float16[2]", "bfloat16[2]", "float32"),
        ("float16[2]", "int64[2]", "float16"),  # floats win over whole numbers
        ("int16[2]", "float16[]", "float16"),
        ("bfloat16[2]", "0.5", "bfloat16"),
        ("bfloat16[2]", "int8[2]", "bfloat16"),
        ("int8[2]", "0.5", "float32"),
        ("int8[2]", "2", "int8"),
        ("int8[2]", "uint8[2]", "int16"),
        ("int8[2]", "int64[]", "int8"),
        ("int8[]", "int64[2]", "int64"),
        ("bool[2]", "uint8[]", "uint8"),
        ("bool[2]", "2", "int64"),
    ],
)
def test_where_two_meet(left: str, right: str, dtype: str) -> None:
    x, y = made(left), made(right)
    assert (x + y).dtype == (y + x).dtype == (x * y).dtype == ml.result_type(x, y) == dtype


# ---- making ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_factory_takes_every_dtype(dtype: str) -> None:
    made = [
        ml.zeros(2, dtype=dtype),
        ml.ones(2, dtype=dtype),
        ml.full((2,), 1, dtype=dtype),
        ml.arange(2, dtype=dtype),
        ml.linspace(0, 1, 2, dtype=dtype),
        ml.eye(2, dtype=dtype),
        ml.randint(0, 2, (2,), dtype=dtype),
        ml.tensor([0, 1], dtype=dtype),
        ml.tensor(np.array([0, 1], DTYPES[dtype])),
        ml.tensor([0.0, 1.0]).to(dtype),
        ml.tensor([0.0, 1.0]).type(dtype),
    ]
    made += [ml.zeros_like(made[0]), ml.full_like(made[0], 1), made[0].clone(), made[0][1:], made[0].detach()]
    assert {x.dtype for x in made} == {DTYPES[dtype]}
    assert made[3].tolist() == [0, 1]


def test_casts_by_name() -> None:
    x = ml.tensor([0.0, 1.5])
    names = {"half": "float16", "bfloat16": "bfloat16", "float": "float32", "double": "float64", "char": "int8"}
    names |= {"short": "int16", "int": "int32", "long": "int64", "byte": "uint8", "bool": "bool"}
    assert {name: getattr(x, name)().dtype.name for name in names} == names
    assert x.float() is x
    aliases = (ml.half, ml.double, ml.float, ml.long, ml.int, ml.short)
    assert aliases == (ml.float16, ml.float64, ml.float32, ml.int64, ml.int32, ml.int16)


@pytest.mark.parametrize("dtype", FLOATS)
def test_even_deviates_stay_below_one(dtype: str) -> None:
    ml.manual_seed(0)
    x = ml.rand(20000, dtype=dtype)
    assert x.dtype == dtype
    assert x.min().item() >= 0.0
    assert x.max().item() < 1.0
    assert x.double().mean().item() == pytest.approx(0.5, abs=0.01)
    y = ml.randn(20000, dtype=dtype)
    assert y.dtype == dtype
    assert y.double().std().item() == pytest.approx(1.0, abs=0.02)


def test_dropout_of_bfloat16_drops_as_often_as_it_says() -> None:
    ml.manual_seed(0)
    kept = ml.nn.functional.dropout(ml.ones(200_000, dtype=ml.bfloat16), 0.001)
    assert (kept == 0).float().mean().item() == pytest.approx(
        0.001, rel=0.25
    )  # bfloat16 knows no number between 0 and 1/256


# ---- gradients ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_gradients_have_the_dtype_of_their_inputs(dtype: str) -> None:
    x = ml.tensor([0.5, 2.0], dtype=dtype, requires_grad=True)
    w = ml.tensor([1.0, 3.0], requires_grad=True)
    (x * w + x.exp().mean()).sum().backward()
    assert (x.grad.dtype, w.grad.dtype) == (x.dtype, ml.float32)
    (x * 2).sum().backward()  # adds to what is there
    assert x.grad.dtype == x.dtype


@pytest.mark.parametrize("dtype", NARROW)
def test_a_write_in_place_computes_in_the_wider_dtype_and_is_differentiated(dtype: str) -> None:
    x = ml.tensor([1.0, 2.0], dtype=dtype, requires_grad=True)
    w = ml.tensor([1.001, 3.0], requires_grad=True)
    y = x * 1
    y.mul_(w)
    assert y.dtype == dtype
    y.sum().backward()
    assert (x.grad.dtype.name, w.grad.dtype.name) == (dtype, "float32")
    assert w.grad.tolist() == [1.0, 2.0]
    assert x.grad.tolist() == w.detach().to(dtype).tolist()


@pytest.mark.parametrize("dtype", NARROW)
def test_a_step_of_training_in_two_bytes(dtype: str) -> None:
    ml.manual_seed(0)
    model = ml.nn.Sequential(ml.nn.Linear(4, 8, dtype=dtype), ml.nn.LayerNorm(8, dtype=dtype), ml.nn.GELU())
    head = ml.nn.Linear(8, 3, dtype=dtype)
    parameters = [*model.parameters(), *head.parameters()]
    optimizer = ml.optim.SGD(parameters, lr=0.5, momentum=0.9)
    x, target = ml.randn(12, 4, dtype=dtype), ml.arange(12) - (ml.arange(12) / 3).long() * 3
    losses = []
    for _ in range(20):
        optimizer.zero_grad()
        loss = ml.cross_entropy(head(model(x)), target)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0] / 2
    assert {p.dtype for p in parameters} == {p.grad.dtype for p in parameters} == {loss.dtype} == {DTYPES[dtype]}


@pytest.mark.parametrize("dtype", NARROW)
def test_transforms_keep_the_dtype(dtype: str) -> None:
    x = ml.tensor([0.5, 2.0], dtype=dtype)
    for found in (
        ml.func.grad(lambda x: (x**3).sum())(x),
        ml.func.vmap(ml.func.grad(lambda x: x * x.sin()))(x),
        ml.func.hessian(lambda x: (x**3).sum())(x),
        ml.func.jvp(lambda x: x * 0.1, [x], [x])[1],
    ):
        assert found.dtype == dtype


def test_what_a_function_gives_back_takes_the_dtype_of_its_input() -> None:
    class Double(ml.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g.float() * 2

    x = ml.ones(2, dtype=ml.float16, requires_grad=True)
    Double.apply(x).sum().backward()
    assert (x.grad.dtype, x.grad.tolist()) == (ml.float16, [2.0, 2.0])


@pytest.mark.parametrize("dtype", NARROW)
def test_a_page_of_numpy_computes_as_eager_execution_does(dtype: str) -> None:
    def program(x: Any, y: Any) -> Any:
        z = (x * 2.0 + y).exp()
        return (z - x * 0.1).sum(), z.softmax(0), z.float().softmax(0), x < 0.1, z.mean()

    x, y = ml.tensor([0.1, 1.0, -2.0], dtype=dtype), ml.tensor([0.5, 0.3, 0.25], dtype=dtype)
    kernel = compile_numpy(ml.jit.trace(program, x, y).graph)
    for want, got in zip(program(x, y), kernel(x.value, y.value), strict=True):
        assert (want.dtype, want.tolist()) == (got.dtype, got.tolist())


def test_threads_do_not_share_what_an_op_computes_with() -> None:
    found = []

    def work() -> None:
        x = ml.ones(64, 64, dtype=ml.bfloat16)
        found.append(float((x @ x).sum().item()))

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [262144.0] * 4


# ---- keeping and recording ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", DTYPES)
def test_a_file_gives_back_every_dtype_bit_for_bit(dtype: str, tmp_path: Path) -> None:
    x = ml.tensor([[0.1, 1.0], [3.0, 0.0]], dtype=ml.float64).to(dtype)
    ml.save({"x": x, "number": x[0, 1], "none": x[:0]}, tmp_path / "x.npz")
    back = ml.load(tmp_path / "x.npz")
    for name, y in (("x", x), ("number", x[0, 1]), ("none", x[:0])):
        assert (back[name].dtype, back[name].shape) == (y.dtype, y.shape)
        assert np.asarray(back[name].value).tobytes() == np.asarray(y.value).tobytes()


@pytest.mark.parametrize("dtype", NARROW)
def test_a_recording_of_two_bytes_is_kept_shown_and_run_again(dtype: str, tmp_path: Path) -> None:
    with ml.record() as recording:
        x = ml.tensor([1.5, 2.0], dtype=dtype, requires_grad=True)
        y = (x * x.exp() + 2.0 * x).sum()
        y.backward()
    recording.save(tmp_path / "run.json")
    again = ml.Recording.load(tmp_path / "run.json")
    for view in (ml.widgets.Tape(recording), ml.widgets.Backward(again)):
        assert len(view.transcript()) > 5
    with ml.record() as mixed:  # the write computes in float32 and comes back
        z = ml.ones(2, dtype=dtype)
        z.add_(ml.tensor([0.5, 0.25]))
    assert z.tolist() == [1.5, 1.25]
    assert len(ml.widgets.Tape(mixed).transcript()) > 2


def test_two_bytes_print_with_their_dtype() -> None:
    assert repr(ml.tensor([0.1, 2.0], dtype=ml.bfloat16)) == "tensor([0.1001, 2.0000], dtype=bfloat16)"
    assert repr(ml.tensor([6e4, 1e-4]).half()) == "tensor([6.0000e+04, 1.0002e-04], dtype=float16)"
    assert repr(ml.tensor([-1, 100]).char()) == "tensor([ -1, 100], dtype=int8)"


def test_numbers_leave_as_python_numbers() -> None:
    for dtype in DTYPES:
        x = ml.ones(2, dtype=dtype)
        kind = float if dtype in FLOATS else bool if dtype == "bool" else int
        assert type(x[0].item()) is type(x.tolist()[0]) is kind


# ---- whole numbers --------------------------------------------------------------------------------------------------


def test_whole_numbers_wrap_around() -> None:
    x = ml.tensor([100, 127, -128], dtype=ml.int8)
    assert (x + x).tolist() == [-56, -2, 0]
    assert (x + 300).tolist() == [-112, -85, -84]
    assert (x < 300).tolist() == [True] * 3  # a comparison takes the number as it is
    assert (ml.tensor(200, dtype=ml.uint8) + 100).item() == 44
    assert x.sum().dtype == x.cumsum(0).dtype == ml.int64
    assert ml.tensor([200, 100], dtype=ml.uint8).sum().item() == 300
