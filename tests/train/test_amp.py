"""Mixed precision: what runs in what, gradients, nesting, transforms and captures in a block, rounds of a scaler."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.core.interpret import stack
from minitorch_lab.errors import ArgumentError, DeviceError, DTypeError, GradientError
from minitorch_lab.ops.op import OPS
from minitorch_lab.ops.precision import FUNCTIONS
from minitorch_lab.recording.events import Op as OpEvent

F: Any = ml.nn.functional
LOW = ml.autocast("cpu", dtype=ml.bfloat16)


def pair() -> tuple[Any, Any]:
    """An input, and a weight that asks for its gradient."""
    generator = ml.Generator(0)
    return ml.randn(4, 3, generator=generator), ml.randn(3, 2, generator=generator).requires_grad_()


def rounded(x: Any) -> Any:
    """What is left of `x` in bfloat16."""
    return x.detach().to(ml.bfloat16).float()


# ---- what runs in what ----------------------------------------------------------------------------------------------


def test_every_op_has_an_answer_and_stands_in_the_table() -> None:
    table = ml.amp.table()
    assert {op.autocast for op in OPS.values()} | set(FUNCTIONS.values()) == {"", "low", "full"}
    low, full, rest = (set(part.split("\n", 1)[1].split()) for part in table.split("\n\n"))
    assert low | full | rest == set(OPS) | set(FUNCTIONS)
    assert len(low) + len(full) + len(rest) == len(low | full | rest)
    assert {name for name, op in OPS.items() if op.work is not None} <= low | full, "what is made of products says it"


@pytest.mark.parametrize("op", [op for op in OPS.values() if op.autocast], ids=lambda op: op.name)
def test_an_op_runs_in_what_its_record_says(op: Any) -> None:
    inputs, params = op.samples(np.random.default_rng(0))[0]
    wide = [ml.tensor(x).float() if np.asarray(x).dtype.kind == "f" else ml.tensor(x) for x in inputs]
    low = [x.to(ml.bfloat16) if x.dtype == ml.float32 else x for x in wide]
    with LOW:
        from_wide, from_low = op(*wide, **params), op(*low, **params)
    back = [x.float() if x.dtype == ml.bfloat16 else x for x in low]
    wanted = [op(*low, **params)] * 2 if op.autocast == "low" else [op(*wide, **params), op(*back, **params)]
    assert from_wide.dtype == from_low.dtype == (ml.bfloat16 if op.autocast == "low" else ml.float32)
    assert all(map(ml.equal, (from_wide, from_low), wanted))


def test_what_has_no_answer_runs_in_the_widest_of_its_inputs() -> None:
    x, w = pair()
    with LOW:
        low = x @ w
        assert (low + low).dtype == ml.bfloat16
        assert (low + x[:, :2]).dtype == ml.float32
        assert low.relu().dtype == low.tanh().dtype == ml.bfloat16


def test_float64_and_whole_numbers_are_left_alone() -> None:
    wide, whole = ml.ones(2, 2, dtype=ml.float64), ml.ones(2, 2, dtype=ml.int64)
    with LOW:
        assert (wide @ wide).dtype == wide.exp().dtype == ml.float64
        assert (whole @ whole).dtype == whole.sum().dtype == ml.int64


def test_functions_of_several_ops() -> None:
    x, w = pair()
    image, kernel, bias = ml.ones(1, 1, 3, 3), ml.ones(2, 1, 2, 2), ml.ones(2)
    with LOW:
        assert F.conv2d(image, kernel, bias).dtype == ml.bfloat16
        assert ml.addmm(ml.ones(2), x, w).dtype == ml.bfloat16
        assert ml.einsum("ij,jk->ik", x, w).dtype == ml.bfloat16
        assert F.scaled_dot_product_attention(x, x, x).dtype == ml.bfloat16
        low = x @ w
        assert F.l1_loss(low, low.detach()).dtype == F.layer_norm(low, (2,)).dtype == ml.float32
        assert F.cross_entropy(low, ml.tensor([0, 1, 0, 1])).dtype == ml.float32


# ---- gradients ------------------------------------------------------------------------------------------------------


def test_the_gradient_of_a_float32_weight_is_float32_and_that_of_the_rounded_product() -> None:
    x, w = pair()
    with LOW:
        loss = (x @ w).sum()
    assert loss.dtype == ml.float32
    loss.backward()
    assert w.grad is not None
    assert w.grad.dtype == ml.float32
    assert ml.equal(w.grad, rounded(rounded(x).sum(0)[:, None].expand(3, 2)))


def test_a_walk_inside_the_block_and_one_that_is_differentiated_give_the_same() -> None:
    x, w = pair()
    with LOW:
        loss = ((x @ w) ** 2).sum()
        inside: Any = ml.autograd.grad(loss, w, retain_graph=True)[0]
        again: Any = ml.autograd.grad(loss, w, create_graph=True)[0]
    outside = ml.autograd.grad(loss, w)[0]
    assert inside.dtype == again.dtype == ml.float32
    assert ml.equal(inside, outside)
    assert ml.equal(again.detach(), outside)


def test_a_weight_is_cast_once_in_a_block_until_it_is_written() -> None:
    x, w = pair()
    with LOW:
        one, two = (x @ w).grad_fn, (x @ w).grad_fn
        with ml.no_grad():
            assert not (x @ w).requires_grad
            w.mul_(2.0)
        after = x @ w
    assert one.next_functions[1][0] is two.next_functions[1][0]
    assert ml.equal(after.detach(), (rounded(x) @ rounded(w)).to(ml.bfloat16))
    with ml.autocast("cpu", cache_enabled=False):
        assert not ml.is_autocast_cache_enabled()
        three, four = (x @ w).grad_fn, (x @ w).grad_fn
    assert three.next_functions[1][0] is not four.next_functions[1][0]


def test_a_checkpoint_runs_again_as_it_ran_first() -> None:
    x, w = pair()
    with LOW:
        plain = ml.autograd.grad(((x @ w).tanh() @ w.mT).sum(), w)[0]
        kept = ml.autograd.checkpoint(lambda w: ((x @ w).tanh() @ w.mT).sum(), w)
    assert ml.equal(ml.autograd.grad(kept, w)[0], plain)


def test_inference() -> None:
    x, w = pair()
    with LOW, ml.no_grad():
        assert (x @ w).dtype == ml.bfloat16
    with ml.inference_mode(), LOW:
        assert (x @ w).dtype == ml.bfloat16
    with LOW, ml.inference_mode():
        assert (x @ w).dtype == ml.bfloat16


# ---- blocks ---------------------------------------------------------------------------------------------------------


def test_blocks_nest_and_end_whatever_happens() -> None:
    x, w = pair()
    plain = stack.get()
    with LOW:
        with ml.autocast("cpu", dtype=ml.float16):
            assert (x @ w).dtype == ml.float16
            assert ml.get_autocast_dtype("cpu") == ml.float16
        with ml.autocast("cpu", enabled=False):
            assert (x @ w).dtype == ml.float32
            assert not ml.is_autocast_enabled("cpu")
            with LOW:
                assert (x @ w).dtype == ml.bfloat16
        assert (x @ w).dtype == ml.bfloat16
    with pytest.raises(ZeroDivisionError), LOW:
        _ = 1 / 0
    assert (x @ w).dtype == ml.float32
    assert stack.get() is plain
    assert not ml.is_autocast_enabled()


def test_as_a_decorator_and_in_another_thread() -> None:
    x, w = pair()
    product = ml.autocast("cpu")(lambda: x @ w)
    assert product().dtype == ml.bfloat16
    found = list[Any]()
    with LOW:
        thread = threading.Thread(target=lambda: found.append((x @ w).dtype))
        thread.start()
        thread.join()
    assert found == [ml.float32]


def test_transforms_inside_a_block() -> None:
    x, w = pair()
    with LOW:
        by_grad = ml.func.grad(lambda w: (x @ w).tanh().sum())(w.detach())
        rows = ml.func.vmap(lambda row: row @ w)(x)
        moved = ml.func.jvp(lambda w: (x @ w).sum(), (w.detach(),), (ml.ones(3, 2),))
        assert ml.equal(rows, x @ w)
    low = x.to(ml.bfloat16)
    by_hand = ml.func.grad(lambda w: (low @ w.to(ml.bfloat16)).tanh().float().sum())(w.detach())
    assert by_grad.dtype == ml.float32
    assert ml.equal(by_grad, by_hand)
    assert rows.dtype == ml.bfloat16
    assert moved[1].dtype == ml.float32
    assert ml.allclose(moved[1], rounded(x).sum() * 2, rtol=2e-2)


def test_a_function_captured_by_jit_is_captured_anew_for_a_block() -> None:
    x, w = pair()
    product = ml.jit(lambda x: x @ w.detach())
    assert product(x).dtype == ml.float32
    for _ in range(3):
        with LOW:
            assert product(x).dtype == ml.bfloat16
    assert product(x).dtype == ml.float32


def test_a_recording_shows_the_casts() -> None:
    x, w = pair()
    with ml.record() as seen, LOW:
        (x @ w).sum().backward()
    assert [e.op for e in seen.each(OpEvent)] == ["cast", "cast", "matmul", "cast", "sum"]


# ---- compiled functions ---------------------------------------------------------------------------------------------


def in_a_block(x: Any, w: Any) -> Any:
    """A block in the middle of a function."""
    z = x * 2
    with ml.autocast("cpu"):
        y = (z @ w).tanh()
        loss = y.sum()
    return y, loss, x @ w


@pytest.mark.parametrize("backend", ["numpy", "llvm"])
def test_a_block_in_a_compiled_function_is_in_its_graph_and_the_numbers_are_eagers(backend: str) -> None:
    x, w = pair()
    compiled = ml.compile(in_a_block, fullgraph=True, backend=backend)
    wanted = in_a_block(x, w)
    gradient = ml.autograd.grad(wanted[1], w)[0]
    for _ in range(3):
        found = compiled(x, w)
        assert [a.dtype for a in found] == [ml.bfloat16, ml.float32, ml.float32]
        assert ml.equal(found[0], wanted[0])
        assert ml.allclose(found[1], wanted[1])
        assert ml.equal(ml.autograd.grad(found[1], w)[0], gradient)
    assert not ml.is_autocast_enabled()


def test_a_compiled_function_called_in_a_block_runs_in_it() -> None:
    x, w = pair()
    product = ml.compile(lambda x: x @ w)
    for _ in range(2):
        assert product(x).dtype == ml.float32
        with LOW:
            assert product(x).dtype == ml.bfloat16
        with ml.autocast("cpu", dtype=ml.float16):
            assert product(x).dtype == ml.float16


# ---- what is refused ------------------------------------------------------------------------------------------------


def test_what_is_no_block_is_refused_in_words_that_teach() -> None:
    with pytest.raises(DeviceError, match=r"(?s)device_type='gpu'.*Did you mean autocast\(.cpu"):
        ml.autocast("gpu")
    with pytest.raises(DTypeError, match=r"(?s)dtype=float64.*two bytes.*enabled=False"):
        ml.autocast("cpu", dtype=ml.float64)
    with pytest.raises(ArgumentError, match="autocast got"):
        ml.autocast("cpu", enabled="no")  # pyright: ignore[reportArgumentType]
    if not ml.cuda.is_available():
        with pytest.warns(UserWarning, match="no GPU"):
            ml.autocast("cuda")


# ---- the scaler -----------------------------------------------------------------------------------------------------


def round_with(scaler: Any, optimizer: Any, w: Any, slope: float) -> None:
    """A round whose gradient is `slope`."""
    optimizer.zero_grad()
    scaler.scale((w * slope).sum()).backward()
    scaler.step(optimizer)
    scaler.update()


def test_an_overflow_skips_the_step_and_halves_the_scale_and_rounds_without_let_it_grow() -> None:
    w = ml.tensor([1.0], requires_grad=True)
    optimizer, scaler = ml.optim.SGD([w], lr=0.25), ml.amp.GradScaler("cpu", init_scale=8.0, growth_interval=2)
    seen = list[tuple[float, float]]()
    for slope in (1.0, float("inf"), 1.0, float("nan"), 1.0, 1.0, 1.0, 1.0):
        round_with(scaler, optimizer, w, slope)
        seen.append((w.item(), scaler.get_scale()))
    assert [value for value, _ in seen] == [0.75, 0.75, 0.5, 0.5, 0.25, 0.0, -0.25, -0.5]
    assert [scale for _, scale in seen] == [8.0, 4.0, 4.0, 2.0, 2.0, 4.0, 4.0, 8.0]


def test_gradients_too_small_for_float16_come_through_with_a_scale() -> None:
    tiny = 1e-8  # below 2^-25: 0 in float16
    found = list[float]()
    for enabled in (False, True):
        w = ml.ones(1, 1, requires_grad=True)
        optimizer, scaler = ml.optim.SGD([w], lr=1.0), ml.amp.GradScaler("cpu", enabled=enabled)
        with ml.autocast("cpu", dtype=ml.float16):
            loss = (ml.ones(1, 1) @ w).sum() * tiny
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        assert w.grad is not None
        found.append(w.grad.item())
    assert found == [0.0, pytest.approx(tiny, rel=1e-3)]


def test_unscaled_gradients_can_be_clipped_before_the_step() -> None:
    w = ml.tensor([1.0], requires_grad=True)
    optimizer, scaler = ml.optim.SGD([w], lr=1.0), ml.amp.GradScaler("cpu")
    scaler.scale((w * 4.0).sum()).backward()
    scaler.unscale_(optimizer)
    assert w.grad is not None
    assert w.grad.tolist() == [4.0]
    ml.nn.utils.clip_grad_norm_([w], 0.5)
    scaler.step(optimizer)
    assert w.item() == pytest.approx(0.5)


def test_a_round_out_of_order_is_refused() -> None:
    w = ml.tensor([1.0], requires_grad=True)
    optimizer, scaler = ml.optim.SGD([w], lr=1.0), ml.amp.GradScaler("cpu")
    for early in (scaler.unscale_, scaler.step):
        with pytest.raises(RuntimeError, match=r"(?s)before any loss was scaled.*scaler\.scale\(loss\)\.backward"):
            early(optimizer)
    scaler.scale(w.sum())
    with pytest.raises(GradientError, match="No inf checks were recorded for this optimizer"):
        scaler.step(optimizer)
    with pytest.raises(GradientError, match="No inf checks were recorded prior to update"):
        scaler.update()
    scaler.scale(w.sum()).backward()
    scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match="already been called on this optimizer since the last update"):
        scaler.unscale_(optimizer)
    scaler.step(optimizer)
    with pytest.raises(RuntimeError, match=r"called after step\(\)"):
        scaler.unscale_(optimizer)
    with pytest.raises(RuntimeError, match=r"step\(\) has already been called"):
        scaler.step(optimizer)
    scaler.update()
    with pytest.raises(ArgumentError, match="closure"):
        scaler.step(optimizer, lambda: w.sum())
    with pytest.raises(ArgumentError, match="scale got"):
        scaler.scale(3)
    with pytest.raises(ArgumentError, match=r"growth_factor=0\.5"):
        ml.amp.GradScaler("cpu", growth_factor=0.5)


def test_float16_parameters_are_refused() -> None:
    w = ml.ones(1, dtype=ml.float16, requires_grad=True)
    scaler, optimizer = ml.amp.GradScaler("cpu", init_scale=2.0), ml.optim.SGD([w], lr=1.0)
    scaler.scale(w.sum()).backward()
    with pytest.raises(GradientError, match=r"(?s)gradient of dtype float16.*not model\.half\(\)"):
        scaler.step(optimizer)


def test_the_state_goes_on_where_it_was() -> None:
    w = ml.tensor([1.0], requires_grad=True)
    optimizer, scaler = ml.optim.SGD([w], lr=0.1), ml.amp.GradScaler("cpu", init_scale=4.0, growth_interval=3)
    for _ in range(2):
        round_with(scaler, optimizer, w, 1.0)
    other = ml.amp.GradScaler("cpu")
    other.load_state_dict(scaler.state_dict())
    for one in (scaler, other):
        round_with(one, optimizer, w, 1.0)
        assert one.get_scale() == 8.0
    with pytest.raises(ArgumentError, match=r"(?s)without .*scale.*enabled=False"):
        other.load_state_dict({})


def test_a_scaler_that_is_not_enabled_does_nothing() -> None:
    w = ml.tensor([1.0], requires_grad=True)
    optimizer, scaler = ml.optim.SGD([w], lr=0.5), ml.amp.GradScaler("cpu", enabled=False)
    loss = w.sum()
    assert scaler.scale(loss) is loss
    round_with(scaler, optimizer, w, 1.0)
    assert (w.item(), scaler.get_scale(), scaler.state_dict()) == (0.5, 1.0, {})


def test_several_losses_and_optimizers() -> None:
    a, b = (ml.tensor([1.0], requires_grad=True) for _ in range(2))
    first, second = ml.optim.SGD([a], lr=1.0), ml.optim.SGD([b], lr=1.0)
    scaler = ml.amp.GradScaler("cpu", init_scale=2.0)
    one, two = scaler.scale([a.sum(), (b * float("inf")).sum()])
    one.backward()
    two.backward()
    scaler.step(first)
    scaler.step(second)
    scaler.update()
    assert (a.item(), b.item(), scaler.get_scale()) == (0.0, 1.0, 1.0)
