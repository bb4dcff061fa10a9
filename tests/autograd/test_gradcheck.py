"""gradcheck and gradgradcheck: what is right passes, what is wrong is explained."""

from __future__ import annotations

from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import Function, gradcheck, gradgradcheck
from minitorch_lab.errors import ArgumentError, GradientError


def leaf(*values: Any, dtype: Any = ml.float64) -> ml.Tensor:
    return ml.tensor(values, dtype=dtype, requires_grad=True)


def custom(forward: Any, backward: Any) -> Any:
    """A Function of one input that saves it."""

    class Custom(Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return forward(x)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return backward(g, *ctx.saved_tensors)

    return Custom.apply


def text(func: Any, *inputs: Any, check: Any = gradcheck) -> str:
    assert check(func, inputs, raise_exception=False) is False
    with pytest.raises(GradientError) as error:
        check(func, inputs)
    return str(error.value)


@pytest.mark.parametrize(
    ("func", "inputs"),
    [
        (lambda x: x.exp() * x, (leaf(0.5, 2.0),)),
        (lambda x, y: (x @ y, x.sum()), (leaf([1.0, 2.0], [3.0, 4.0]), leaf([0.5], [0.25]))),
        (lambda x, k: x**k, (leaf(0.5, 2.0), 3)),
        (lambda x, y: x * y, (leaf(1.0), ml.tensor([2.0, 3.0], dtype=ml.float64))),
        (lambda x: x.detach() * 2 + x * 0, (ml.ones(0, dtype=ml.float64, requires_grad=True),)),
        (lambda x: x.add_(1.0) * x if not x.is_leaf else (x * 1.0).mul_(3.0), (leaf(1.0),)),
        (lambda x: ml.cross_entropy(x, ml.tensor([1])), (leaf([0.1, 0.7]),)),
        (lambda x: x * 2.0, (leaf(1.0),)),
    ],
)
def test_right_rules_pass(func: Any, inputs: Any) -> None:
    assert gradcheck(func, inputs) is True
    assert gradgradcheck(func, inputs) is True


def test_inputs_are_left_alone() -> None:
    x = leaf(1.0, 2.0)
    gradcheck(lambda x: (x * 1.0).mul_(2.0), x)
    assert (x.tolist(), x.grad, x._version) == ([1.0, 2.0], None, 0)


def test_a_factor_is_explained_in_full() -> None:
    double = custom(lambda x: x * x, lambda g, x: g * x * 4)
    assert text(double, leaf([1.0, 3.0])) == (
        "gradcheck: output 0[0, 1] by input 0[0, 1]: the rules give 12, differences give 6: off by 6.\n"
        "  0.00601 is allowed there (atol + rtol·|difference|). 2 of 4 entries are off by more than that.\n"
        "  Likely cause: a factor: every entry is 2 times what it should be."
    )


def test_a_sum_that_was_forgotten() -> None:
    add = ml.ones(3, 2, dtype=ml.float64)
    first = custom(lambda x: x * add, lambda g, x: g[0])
    assert "did the rule forget to sum over an axis that was broadcast" in text(first, leaf(1.0, 3.0))
    mean = custom(lambda x: (x * add).sum(), lambda g, x: x * 0 + g)
    assert "0.3333 times what it should be. Did the rule forget to sum over a broadcast axis of length 3?" in text(
        mean, leaf(1.0, 3.0)
    )


@pytest.mark.parametrize(
    ("func", "inputs", "cause"),
    [
        (custom(lambda x: x.cos(), lambda g, x: g * x.sin()), (leaf(0.5, 1.0),), "the sign: every entry is minus"),
        (custom(lambda x: x.cos(), lambda g, x: g * 0.0), (leaf(0.5, 1.0),), "no gradient arrives"),
        (lambda x: x.detach() * 2.0, (leaf(0.5),), "no gradient arrives"),
        (lambda x: x.relu(), (leaf(1.0, 0.0),), "a kink"),
        (lambda x: x.clamp(min=0.5), (leaf(0.5),), "a kink"),
        (custom(lambda x: x * x, lambda g, x: g * x), (leaf(0.5, dtype=ml.float32),), "the input is float32"),
        (custom(lambda x: x.sin(), lambda g, x: g * (x - x) / (x - x)), (leaf(0.5),), "the rule gives NaN or infinity"),
        (custom(lambda x: x.sin(), lambda g, x: g * x.exp()), (leaf(0.5, 1.5),), "none of the usual ones"),
        (custom(lambda x: x * x, lambda g, x: g * x * ml.rand(1).double()), (leaf(0.5, 1.0),), "chance"),
        (custom(lambda x: x * x, lambda g, x: g * x), (leaf(0.5, 1.0),), "a factor: every entry is 0.5 times"),
        (custom(lambda x: x * x, lambda g, x: (g * 2 * x).T), (leaf([1.0, 2.0], [3.0, 4.0]),), "the axes"),
    ],
)
def test_likely_causes(func: Any, inputs: Any, cause: str) -> None:
    assert f"Likely cause: {cause}" in text(func, *inputs)


def test_which_input_and_which_output() -> None:
    wrong = custom(lambda x: x * x, lambda g, x: g * x)
    found = text(lambda x, y: (x + y, x * wrong(y)), leaf(2.0), leaf(3.0))
    assert found.startswith("gradcheck: output 1[0] by input 1[0]: the rules give 6, differences give 12: off by 6.")


def test_second_derivatives() -> None:
    stops = custom(lambda x: x * x * x, lambda g, x: g * (x.detach() * x.detach() * 3))
    assert gradcheck(stops, leaf(2.0)) is True
    assert "no gradient arrives" in text(stops, leaf(2.0), check=gradgradcheck)
    assert gradgradcheck(lambda x: x**3, leaf(2.0), grad_outputs=ml.tensor([1.0], dtype=ml.float64))


def test_a_function_that_changes() -> None:
    with pytest.raises(GradientError, match="gave two values for the same inputs"):
        gradcheck(lambda x: x * ml.rand(1, dtype=ml.float64), leaf(1.0))


def test_what_cannot_be_checked() -> None:
    with pytest.raises(ArgumentError, match=r"(?s)no input that requires a gradient.*requires_grad=True"):
        gradcheck(lambda x: x, ml.ones(2))
    with pytest.raises(ArgumentError, match="returned a int64 tensor"):
        gradcheck(lambda x: x.argmax(), leaf(1.0))
    with pytest.raises(ArgumentError, match="returned 3"):
        gradcheck(lambda x: 3, leaf(1.0))
