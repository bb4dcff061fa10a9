"""What a wrong call is told, as text: what was given, the rule that it broke, the nearest right call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab import errors
from tests.error_cases import CASES


@pytest.mark.parametrize("name", CASES)
def test_the_text_of(name: str) -> None:
    call, kind, text = CASES[name]
    with pytest.raises(kind) as caught:
        call()
    assert str(caught.value) == text
    assert isinstance(caught.value, errors.MinitorchError)


@pytest.mark.parametrize(
    ("ours", "python"),
    [
        (errors.ShapeError, ValueError),
        (errors.DTypeError, TypeError),
        (errors.DeviceError, ValueError),
        (errors.GradientError, RuntimeError),
        (errors.ArgumentError, TypeError),
    ],
)
def test_an_error_is_also_the_one_that_python_code_expects(ours: type[Exception], python: type[Exception]) -> None:
    assert issubclass(ours, python)


class Foreign(np.ndarray):
    """Memory of another device: like CuPy's, it refuses to meet NumPy's."""

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        raise TypeError("Unsupported type <class 'numpy.ndarray'>")


Foreign.__module__ = "cupy"


def test_devices_do_not_mix() -> None:
    here, there = ml.ones(2), ml.Tensor(np.ones(2, "float32").view(Foreign))
    assert there.device == "cuda"
    with pytest.raises(errors.DeviceError) as caught:
        here + there
    assert str(caught.value) == (
        "add got tensors on cpu and cuda.\n"
        "  An op runs where its inputs lie, so they must lie on one device.\n"
        '  Did you mean y.to("cpu")?'
    )


def test_without_cupy_a_cuda_tensor_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minitorch_lab.core.array.find_spec", lambda name: None)
    with pytest.raises(errors.DeviceError, match=r'pip install "minitorch-lab\[cuda13\]"'):
        ml.zeros(2, device="cuda")


def test_an_error_leaves_the_tape_as_it_was() -> None:
    x = ml.ones(2, requires_grad=True)
    y = x * 2
    with pytest.raises(errors.ShapeError):
        y + ml.ones(3)
    with pytest.raises(errors.GradientError):
        y.backward()
    y.sum().backward()
    assert x.grad.tolist() == [2.0, 2.0]
    assert ml.is_grad_enabled()
