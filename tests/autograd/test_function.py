"""Custom Functions, and gradients as a result."""

from __future__ import annotations

import gc
import weakref
from typing import Any

import pytest

import minitorch_lab as ml
from minitorch_lab.autograd import Function, grad
from minitorch_lab.errors import ArgumentError, GradientError, ShapeError


class MultiplyAdd(Function):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * y + z

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensors
        return g * y, g * x, g


class Exp(Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        out = x.exp()
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (out,) = ctx.saved_tensors
        return g * out


class Halves(Function):
    """Two results: the first entries and the last."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.half = x.numel() // 2
        return x[: ctx.half] * 1.0, x[ctx.half :] * 1.0

    @staticmethod
    def backward(ctx: Any, low: Any, high: Any) -> Any:
        return ml.cat([low, high])


def leaves(*values: float) -> list[Any]:
    return [ml.tensor(v, dtype=ml.float64, requires_grad=True) for v in values]


def test_a_function_can_be_differentiated_again() -> None:
    (x,) = leaves(0.5)
    y = Exp.apply(x)
    for _ in range(3):
        (y,) = grad(y, x, create_graph=True)
        assert y.item() == pytest.approx(1.6487212707)
    a, b, c = leaves(2.0, 3.0, 4.0)
    (slope,) = grad(MultiplyAdd.apply(a * a, b, c), a, create_graph=True)
    assert grad(slope, a)[0].item() == 6.0


def test_a_stale_output_is_noticed() -> None:
    (x,) = leaves(0.5)
    y = Exp.apply(x)
    y += 1
    with pytest.raises(GradientError, match="ExpBackward saved 'ctx' at version 0"):
        y.backward()


def test_nothing_is_recorded_without_need() -> None:
    with ml.no_grad():
        assert not Exp.apply(*leaves(1.0)).requires_grad
    assert not Exp.apply(ml.tensor(1.0)).requires_grad


def test_an_argument_without_gradient() -> None:
    class Scale(Function):
        @staticmethod
        def forward(ctx: Any, x: Any, factor: float) -> Any:
            ctx.factor = factor
            assert ctx.needs_input_grad == (True, False)
            return x * factor

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * ctx.factor, None

    (x,) = leaves(1.0)
    Scale.apply(x, 5.0).backward()
    assert x.grad.item() == 5.0


def test_the_wrong_number_and_the_wrong_shape() -> None:
    class Few(MultiplyAdd):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g

    class Wide(Exp):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return ml.ones(3)

    class Odd(Exp):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return 3.0

    with pytest.raises(GradientError, match=r"Few.backward returned 1 gradients"):
        Few.apply(*leaves(1.0, 2.0, 3.0)).backward()
    with pytest.raises(ShapeError, match=r"Wide.backward returned a gradient of shape \(3,\) for argument 0"):
        Wide.apply(*leaves(1.0)).backward()
    with pytest.raises(ArgumentError, match=r"Odd.forward returned the float 3.0"):
        Odd.apply(*leaves(1.0))


def test_a_recording_sees_a_function() -> None:
    x, y, z = leaves(2.0, 3.0, 4.0)
    with ml.record() as rec:
        out = MultiplyAdd.apply(x, y, z)
        out.backward()
    assert "MultiplyAdd" in "".join(ml.widgets.Backward(rec).transcript())
    assert x.grad.item() == 3.0


def test_a_recording_sees_each_result() -> None:
    with ml.record() as rec:
        x = ml.tensor([1.0, 2.0], dtype=ml.float64, requires_grad=True)
        low, high = Halves.apply(x)
        z = low * high
        z.backward(ml.ones(1))
    told = [line.partition(". ")[2] for line in ml.widgets.Backward(rec).transcript()]
    assert "`Halves` makes both results at once, and keeps nothing" in told[2]
    assert [line for line in told[3:] if "Halves" in line] == [
        "`Halves` must wait: 2 of its results were used, and only 1 gradient has arrived.",
        "`Halves` sends [2, 1] to `x`: so says your own rule. The tray fills.",
    ]
    assert [line for line in told if line.startswith("`[")] == [
        "`[0]` of both results is low: 1.",
        "`[1]` of both results is high: 2.",
        "`[1]` sends 1 to `both results`, into the place of `high`.",
        "`[0]` sends 2 to `both results`, into the place of `low`. Now both are there.",
    ]
    tape = ml.widgets.Tape(rec).transcript()
    assert "`z.backward()` ran the nodes in reverse order: `mul`, `[1]`, `[0]`, `Halves`." in tape[-1]


def test_each_result_has_its_own_cotangent() -> None:
    x = ml.tensor([1.0, 2.0, 3.0], dtype=ml.float64, requires_grad=True)
    low, high = Halves.apply(x)
    seen: list[Any] = []
    high.register_hook(lambda g: seen.append(g.tolist()))
    high.retain_grad()
    (low.sum() * high * high).sum().backward()
    assert seen == [[4.0, 6.0]]
    assert high.grad.tolist() == [4.0, 6.0]
    assert x.grad.tolist() == [13.0, 4.0, 6.0]


def test_results_may_be_roots_and_targets_and_be_written() -> None:
    x = ml.tensor([1.0, 2.0], dtype=ml.float64, requires_grad=True)
    low, high = Halves.apply(x)
    assert [g.tolist() for g in grad((low, high), (x, high), (ml.ones(1), ml.ones(1) * 5), retain_graph=True)] == [
        [1.0, 5.0],
        [5.0],
    ]
    high *= 3
    (low + high).backward()
    assert x.grad.tolist() == [1.0, 3.0]


def test_no_cycle_keeps_a_call_alive() -> None:
    (x,) = leaves(0.5)
    y = Exp.apply(x)
    low, high = Halves.apply(ml.stack([y, y]))
    refs = [weakref.ref(part) for part in (y, low, y.grad_fn, low.grad_fn)]
    gc.disable()
    try:
        del y, low, high
        assert [ref() for ref in refs] == [None] * 4
    finally:
        gc.enable()


def test_a_walk_frees_what_forward_saved() -> None:
    kept: list[Any] = []

    class Keeping(MultiplyAdd):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any, z: Any) -> Any:
            kept.append(ctx)
            return MultiplyAdd.forward(ctx, x, y, z)

    big = weakref.ref((part := ml.ones(3) * 1).value)
    Keeping.apply(ml.ones(3, requires_grad=True), part, 1.0).sum().backward()
    del part
    assert big() is None
    with pytest.raises(GradientError) as error:
        _ = kept[0].saved_tensors
    assert str(error.value) == (
        "ctx.saved_tensors of a Function whose backward pass has run.\n"
        "  A backward pass frees the saved tensors as it goes, so the graph can be walked once.\n"
        "  Did you mean backward(retain_graph=True) the first time? Or run the forward pass again."
    )


def test_through_checkpoints_and_saved_tensors_hooks() -> None:
    def piece(x: Any) -> Any:
        low, high = Halves.apply(x)
        return MultiplyAdd.apply(low, high, Exp.apply(low)) * high

    x = ml.tensor([0.5, 2.0], dtype=ml.float64, requires_grad=True)
    piece(x).backward()
    want, x.grad = x.grad.tolist(), None
    ml.autograd.checkpoint(piece, x).backward()
    assert x.grad.tolist() == want
    x.grad = None
    with ml.autograd.saved_tensors_hooks(lambda t: t.tolist(), lambda v: ml.tensor(v, dtype=ml.float64)):
        out = piece(x)
    out.backward()
    assert x.grad.tolist() == want
    with ml.inference_mode():
        assert all(part.is_inference() for part in Halves.apply(x))


def test_a_gradient_takes_the_dtype_of_its_argument() -> None:
    x = ml.ones(2, requires_grad=True)
    low, _ = Halves.apply(x)
    low.backward(ml.ones(1))

    class Wide(Exp):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g.double()

    y = ml.ones(2, requires_grad=True)
    Wide.apply(y).sum().backward()
    assert (x.grad.dtype, y.grad.dtype) == (ml.float32, ml.float32)


def no_split(x: Any) -> Any:
    return Exp.apply(x)


class Split(Exp):
    @staticmethod
    def forward(x: Any) -> Any:
        return x.exp()

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(output)


class Text(Exp):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return "g"


class Empty(Exp):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return [x, x]


ONE = ml.tensor(1.0)
WRONG = {
    "not split": (
        lambda: ml.func.grad(no_split)(ONE),
        ArgumentError,
        """\
The Function Exp inside vjp.
  Its forward takes ctx, which a transform cannot give it: each level keeps a context of its own.
  Write forward(x) and setup_context(ctx, inputs, output) as two methods, or call backward() outside.""",
    ),
    "no rule forward": (
        lambda: ml.func.jvp(Split.apply, (ONE,), (ONE,)),
        ArgumentError,
        """\
The Function Split inside jvp.
  Its backward pulls cotangents back; forward mode pushes tangents, which takes a rule of its own.
  Write @staticmethod def jvp(ctx, *tangents), or use grad or vjp.""",
    ),
    "no rule for a batch": (
        lambda: ml.func.vmap(Split.apply)(ml.ones(2)),
        ArgumentError,
        """\
The Function Split inside vmap.
  Only its author knows whether forward and backward can run for all examples at once.
  Write generate_vmap_rule = True if they are made of ops, or a rule vmap(info, in_dims, *args).""",
    ),
    "no tensor back": (
        lambda: Text.apply(ONE.detach().requires_grad_()).backward(),
        ArgumentError,
        """\
Text.backward returned the str 'g' for argument 0.
  A gradient is a tensor, or None where there is none.
  Return a tensor of the shape of the argument.""",
    ),
    "a list": (
        lambda: Empty.apply(ONE),
        ArgumentError,
        """\
Empty.forward returned a list without a tensor.
  forward returns a tensor, or a tuple in which some are tensors.
  Did you mean return x, y?""",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_functions_are_answered(name: str) -> None:
    call, kind, text = WRONG[name]
    with pytest.raises(kind) as error:
        call()
    assert str(error.value) == text


def test_a_split_function_under_grad() -> None:
    (x,) = leaves(0.5)
    assert ml.func.grad(ml.func.grad(Split.apply))(x.detach()).item() == pytest.approx(1.6487212707)


# ---- autograd.grad ---


def test_gradients_as_a_result() -> None:
    x, y = leaves(2.0, 3.0)
    h = x * y
    out = h * h + y
    assert [g.item() for g in grad(out, (x, y, h), retain_graph=True)] == [36.0, 25.0, 12.0]
    assert (x.grad, y.grad) == (None, None)
    assert grad((out, h), x, (ml.tensor(2.0), ml.tensor(10.0)))[0].item() == 2 * 36 + 30


def test_an_input_that_is_not_used() -> None:
    x, y = leaves(2.0, 3.0)
    with pytest.raises(GradientError, match="no output depends on input 1"):
        grad(x * x, (x, y))
    assert grad(x * x, (x, y), allow_unused=True)[1] is None
    with pytest.raises(GradientError, match="requires no gradient"):
        grad(x * x, ml.tensor(1.0))


def test_only_the_needed_part_is_walked() -> None:
    x, y = leaves(2.0, 3.0)
    fired: list[str] = []
    side = y * 2
    side.register_hook(lambda g: fired.append("side"))
    out = x * x + side
    grad(out, x)
    assert fired == []
