"""The laws, run over the registry: a new op needs no new test."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.core.array import overlaps
from minitorch_lab.errors import ShapeError
from minitorch_lab.ops.elementwise import exp
from minitorch_lab.ops.families import elementwise
from minitorch_lab.ops.op import OPS, Op

from . import laws

CASES = [
    pytest.param(op, laws.inputs(args), params, id=f"{op.name}-{k}")
    for op in list(OPS.values())
    for k, (args, params) in enumerate(op.samples(np.random.default_rng(0)))
]
REFUSES = {"expand", "window"}  # views whose entries share memory: they refuse a write


@pytest.fixture(params=laws.devices(), autouse=True)
def device(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The laws run on every device of the machine."""
    monkeypatch.setattr(laws, "DEVICE", [request.param])


def writable(op: Op, params: dict[str, Any]) -> bool:
    """Whether no two entries of such a view share memory."""
    return op.name not in REFUSES and not overlaps(params.get("size", ()), params.get("stride", ()))


def chosen(keep: Any) -> list[Any]:
    """The cases of the ops that `keep` wants."""
    return [case for case in CASES if keep(*case.values)]


moves = chosen(lambda op, args, params: laws.moving(op, args))
sure = chosen(lambda op, args, params: op.name not in laws.RANDOM)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("op", "args", "params"), CASES)
def test_shape_and_dtype(op: Op, args: list[Any], params: dict[str, Any], dtype: str) -> None:
    laws.shape_and_dtype(op, laws.inputs(tuple(args), dtype), params)


@pytest.mark.parametrize(("op", "args", "params"), CASES)
def test_an_op_that_refuses_entries_says_so(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.says_that_it_refuses(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), moves)
def test_gradient_is_the_slope(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.gradient_is_the_slope(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), moves)
def test_second_derivative(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.second_derivative(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), sure)
def test_layout_does_not_matter(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.layout_does_not_matter(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), [c for c in sure if c.values[0].name != "cast"])
def test_widths_agree(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.widths_agree(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), sure)
def test_inputs_are_left_alone(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.inputs_are_left_alone(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), moves)
def test_jvp_is_the_slope(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.jvp_is_the_slope(op, args, params)


@pytest.mark.parametrize(("op", "args", "params"), chosen(lambda op, args, params: args and op.name not in laws.RANDOM))
def test_batch_is_a_loop(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.batch_is_a_loop(op, args, params)


@pytest.mark.parametrize(
    ("op", "args", "params"), chosen(lambda op, args, params: op.put and writable(op, params) and len(args) == 1)
)
def test_put_is_the_way_back(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.put_is_the_way_back(op, args, params)


def fits_in_place(op: Op, args: list[Any], params: dict[str, Any]) -> bool:
    """Whether the result has the shape of the first input, so that it can be written there."""
    return not laws.unwritable(op) and op.shape(*map(np.shape, args), **params) == np.shape(args[0])


@pytest.mark.parametrize(("op", "args", "params"), chosen(fits_in_place))
def test_a_write_gives_what_the_op_gives(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    laws.a_write_gives_what_the_op_gives(op, args, params)


@pytest.mark.parametrize("op", OPS.values(), ids=OPS)
def test_every_op_has_a_sample_without_entries(op: Op) -> None:
    samples = op.samples(np.random.default_rng(0))
    assert any(
        0 in shape
        for args, params in samples
        for shape in (*map(np.shape, args), op.shape(*map(np.shape, args), **params))
    )


def test_an_expanded_tensor_refuses_to_be_written() -> None:
    put = OPS["expand"].put
    assert put is not None
    with pytest.raises(ShapeError, match="expanded"):
        put(ml.ones(3, 1), ml.ones(3, 4), shape=(3, 4))


def test_windows_refuse_to_be_written() -> None:
    put = OPS["window"].put
    assert put is not None
    with pytest.raises(ShapeError, match="Windows share memory"):
        put(ml.ones(4), ml.ones(3, 2), axis=(0,), size=(2,), step=(1,), dilation=(1,))
    seen = OPS["window"](ml.ones(4), axis=(0,), size=(2,), step=(1,), dilation=(1,))
    with pytest.raises(ShapeError, match="cannot be written"):
        seen.add_(1.0)


def test_windows_follow_a_write_into_their_base() -> None:
    base = ml.zeros(4)
    seen = OPS["window"](base, axis=(0,), size=(2,), step=(1,), dilation=(1,))
    base[1] = 5.0
    assert seen.tolist() == [[0.0, 5.0], [5.0, 0.0], [0.0, 0.0]]


def test_rules_declare_what_is_kept() -> None:
    assert OPS["mul"].keeps == ((), ("y",), ("x",), ("x", "y"))
    assert OPS["relu"].keeps[1] == ("out",)
    assert OPS["add"].keeps == ((),) * 4
    assert OPS["sum"].keeps[1] == ("x_shape",)


# ---- the laws themselves are tested: each catches an op that breaks it ----------------------------------------------


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A registry that forgets what the test declares."""
    monkeypatch.setattr("minitorch_lab.ops.op.OPS", {})


SAMPLE = [np.array([0.5, 1.5, -0.3])]


@pytest.mark.usefixtures("registry")
def test_a_wrong_vjp_is_caught() -> None:
    broken = elementwise("broken", np.exp, partials=(lambda out: out * 1.001,))
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        laws.gradient_is_the_slope(broken, SAMPLE, {})


@pytest.mark.usefixtures("registry")
def test_a_rule_that_cannot_be_differentiated_again_is_caught() -> None:
    def hidden(out: Any) -> Any:
        return ml.tensor(out.value) if isinstance(out, ml.Tensor) else out

    broken = elementwise("broken", np.exp, partials=(hidden,))
    laws.gradient_is_the_slope(broken, SAMPLE, {})
    with pytest.raises(AssertionError, match="Not equal to tolerance"):
        laws.second_derivative(broken, SAMPLE, {})


@pytest.mark.usefixtures("registry")
def test_a_wrong_shape_rule_is_caught() -> None:
    broken = Op("broken", np.exp, lambda s: (*s, 1), exp.vjp, lambda rng: [])
    with pytest.raises(AssertionError):
        laws.shape_and_dtype(broken, SAMPLE, {})


@pytest.mark.usefixtures("registry")
def test_an_op_that_writes_into_its_input_is_caught() -> None:
    broken = Op("broken", lambda x: np.add(x, 1, out=x), lambda s: s, (None,), lambda rng: [])
    with pytest.raises(AssertionError):
        laws.inputs_are_left_alone(broken, [np.ones(3)], {})


@pytest.mark.usefixtures("registry")
def test_an_op_that_widens_is_caught() -> None:
    broken = Op("broken", lambda x: x.astype("float64"), lambda s: s, (None,), lambda rng: [])
    with pytest.raises(AssertionError):
        laws.shape_and_dtype(broken, [np.ones(3, "float32")], {})
