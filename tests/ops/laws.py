"""The laws: what must hold for every op. Each is a function of one sample and raises AssertionError."""

from __future__ import annotations

from inspect import signature
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.core.array import cuda, is_float, solid, to_device
from minitorch_lab.core.interpret import stack
from minitorch_lab.errors import DeviceError, MinitorchError
from minitorch_lab.ops.op import OPS, Op
from minitorch_lab.tensors.tensor import Tensor

STEP = 1e-6
RANDOM = {name for name, op in OPS.items() if op.effect == "draws"}  # another value at every call
DEVICE = ["cpu"]  # where the laws put what they try: the tests change it


def tensor(a: Any, requires_grad: bool = False) -> Tensor:
    """A tensor on the device that is being tried."""
    return ml.tensor(a, device=DEVICE[0], requires_grad=requires_grad)


def cotangent(u: np.ndarray, out: Tensor) -> Tensor:
    """`u` where the output lies that it belongs to."""
    return ml.tensor(u, device=out.device)


def devices() -> list[str]:
    """The devices of this machine."""
    try:
        cuda()
    except DeviceError:
        return ["cpu"]
    return ["cpu", "cuda"]


def host(x: Any) -> np.ndarray:
    """What a tensor holds, as a NumPy array."""
    return np.asarray(to_device(solid(x.value), "cpu"))


def inputs(args: tuple[Any, ...], dtype: str = "float64") -> list[Any]:
    """The sample's inputs as arrays, real ones in `dtype`; numbers stay numbers."""
    return [a if isinstance(a, (int, float)) else a.astype(dtype) if is_float(a.dtype) else a for a in map(plain, args)]


def plain(a: Any) -> Any:
    """A number or an array."""
    return a if isinstance(a, (int, float)) else np.asarray(a)


def moving(op: Op, args: list[Any]) -> list[int]:
    """The positions of the inputs through which a gradient flows."""
    rules = op.rules(len(args))
    return [i for i, a in enumerate(args) if rules[i] is not None and isinstance(a, np.ndarray) and is_float(a.dtype)]


def tensors(op: Op, args: list[Any], grad: bool) -> list[Any]:
    """The inputs as tensors, those that move as leaves."""
    live = moving(op, args) if grad else []
    return [tensor(a, requires_grad=i in live) if isinstance(a, np.ndarray) else a for i, a in enumerate(args)]


def value(op: Op, args: list[Any], params: dict[str, Any]) -> np.ndarray:
    """The op's value, as a fresh array."""
    return host(op(*tensors(op, args, False), **params)).copy()


def says_that_it_refuses(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """An op that takes the sample and refuses other entries of its shape is one that `refuses`."""
    for entry in (np.nan, np.inf, -7.0, 0.0, 10**6, -(10**6), -1, 0):
        kind = "f" if isinstance(entry, float) else "i"
        others = [np.full_like(a, entry) if isinstance(a, np.ndarray) and a.dtype.kind == kind else a for a in args]
        try:
            op(*tensors(op, others, False), **params)
        except (MinitorchError, IndexError):
            assert op.refuses, f"{op.name} refuses entries of {entry}"


def gradients(op: Op, args: list[Any], params: dict[str, Any], u: np.ndarray) -> list[np.ndarray]:
    """The cotangents of the inputs that move, for the cotangent `u` of the output."""
    leaves = tensors(op, args, True)
    out = op(*leaves, **params)
    out.backward(cotangent(u, out))
    return [host(leaves[i].grad) for i in moving(op, args)]


def shape_and_dtype(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """The shape rule foretells the shape; real inputs never change their width on the way."""
    out = value(op, args, params)
    assert out.shape == op.shape(*[np.shape(a) for a in args], **params)
    widths = {a.dtype for a in args if isinstance(a, np.ndarray) and a.dtype.kind == "f"}
    if out.dtype.kind == "f" and widths and op.name != "cast":
        assert {out.dtype} == widths


def gradient_is_the_slope(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """The vjp agrees with central differences in float64."""
    rng = np.random.default_rng(1)
    out = value(op, args, params)
    u = rng.normal(size=out.shape).astype(out.dtype)
    for i, got in zip(moving(op, args), gradients(op, args, params, u), strict=True):
        assert (got.shape, got.dtype) == (args[i].shape, args[i].dtype)
        np.testing.assert_allclose(got, slopes(op, args, params, i, u), rtol=2e-6, atol=2e-7, err_msg=f"input {i}")


def slopes(op: Op, args: list[Any], params: dict[str, Any], i: int, u: np.ndarray) -> np.ndarray:
    """d⟨u, op⟩ by input i, entry by entry."""

    def at(x: np.ndarray) -> float:
        return float((value(op, [*args[:i], x, *args[i + 1 :]], params) * u).sum())

    result = np.zeros_like(args[i])
    for k in np.ndindex(args[i].shape):
        step = np.zeros_like(args[i])
        step[k] = STEP
        result[k] = (at(args[i] + step) - at(args[i] - step)) / (2 * STEP)
    return result


def second_derivative(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """The vjp of the vjp agrees with central differences of the vjp."""
    rng = np.random.default_rng(2)
    u = rng.normal(size=value(op, args, params).shape)
    live = moving(op, args)
    ts = [rng.normal(size=args[i].shape) for i in live]

    def along(arrays: list[Any]) -> float:
        return sum(float((g * t).sum()) for g, t in zip(gradients(op, arrays, params, u), ts, strict=True))

    leaves = tensors(op, args, True)
    out = op(*leaves, **params)
    out.backward(cotangent(u, out), create_graph=True)
    total = sum(((leaves[i].grad * tensor(t)).sum() for i, t in zip(live, ts, strict=True)), tensor(np.zeros(())))
    for i in live:
        leaves[i].grad = None
    if total.requires_grad:
        total.backward()
    for i in live:
        want = np.zeros_like(args[i])
        for k in np.ndindex(args[i].shape):
            step = np.zeros_like(args[i])
            step[k] = STEP
            up, down = ([*args[:i], args[i] + s, *args[i + 1 :]] for s in (step, -step))
            want[k] = (along(up) - along(down)) / (2 * STEP)
        got = host(leaves[i].grad) if leaves[i].grad is not None else np.zeros_like(args[i])
        np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-6, err_msg=f"input {i}")


def layout_does_not_matter(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """Inputs that lie in memory with gaps and backwards give the same value and gradients."""
    scattered = [gapped(a) if isinstance(a, np.ndarray) else a for a in args]
    out = value(op, args, params)

    def odd() -> list[Any]:
        live = moving(op, args)
        made = [Tensor(to_device(a, DEVICE[0])) if isinstance(a, np.ndarray) else a for a in scattered]
        return [a.requires_grad_() if i in live else a for i, a in enumerate(made)]

    leaves = odd()
    result = op(*leaves, **params)
    np.testing.assert_allclose(host(result), out, rtol=1e-12, atol=1e-12)
    if moving(op, args):
        u = np.random.default_rng(3).normal(size=out.shape).astype(out.dtype)
        result.backward(cotangent(u, result))
        for i, want in zip(moving(op, args), gradients(op, args, params, u), strict=True):
            np.testing.assert_allclose(host(leaves[i].grad), want, rtol=1e-12, atol=1e-12)


def gapped(a: np.ndarray) -> np.ndarray:
    """The same entries, lying in reverse with every second place unused."""
    if not a.ndim:
        return a
    wide = np.zeros((*a.shape[:-1], 2 * a.shape[-1]), a.dtype)
    wide[..., ::-2] = a
    return wide[..., ::-2]


def widths_agree(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """float32 gives what float64 gives, to float32's precision: value and gradients."""
    narrow = inputs(tuple(args), "float32")
    exact = [a.astype("float64") if isinstance(a, np.ndarray) and a.dtype.kind == "f" else a for a in narrow]
    out = value(op, exact, params)
    np.testing.assert_allclose(value(op, narrow, params), out, rtol=2e-5, atol=2e-6)
    u = np.random.default_rng(4).normal(size=out.shape).astype("float32")
    if moving(op, args):
        lhs, rhs = (
            gradients(op, narrow, params, u.astype(value(op, narrow, params).dtype)),
            gradients(op, exact, params, u.astype("float64")),
        )
        for a, b in zip(lhs, rhs, strict=True):
            assert a.dtype == "float32" or op.name == "cast"
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)


def inputs_are_left_alone(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """Neither the op nor its rules write into what they are given."""
    before = [np.array(a) for a in args]
    out = value(op, args, params)
    u = np.ones_like(out)
    leaves = tensors(op, args, True)
    result = op(*leaves, **params)
    seed = cotangent(u, result) if out.dtype.kind == "f" else None
    if result.requires_grad:
        result.backward(seed)
        np.testing.assert_array_equal(host(seed), u)
    for a, b in zip(leaves, before, strict=True):
        np.testing.assert_array_equal(host(a) if isinstance(a, Tensor) else a, b)


def put_is_the_way_back(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """What is put into the base is what the view shows then, and nothing else changes."""
    assert op.put is not None
    base = tensor(args[0])
    new = tensor(np.random.default_rng(5).normal(size=value(op, args, params).shape))
    written = op.put(base, new, **params)
    np.testing.assert_array_equal(host(op(written, **params)), host(new))
    marked = op.put(ml.zeros_like(base), ml.ones_like(new), **params)
    np.testing.assert_array_equal(
        np.where(host(marked) == 0, host(written), 0), np.where(host(marked) == 0, host(base), 0)
    )


def unwritable(op: Op) -> str:
    """Why the op cannot write into its first input; an empty text if it can."""
    if not isinstance(op.impl, np.ufunc) and "out" not in signature(op.impl).parameters:
        return "not written"
    return "truth values" if op.gives is not None else "" if op.name != "matmul" else "another shape"


def a_write_gives_what_the_op_gives(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """Written into its first input: the value, one version more, and the gradients of the op as it is."""
    live = moving(op, args)
    kept, leaves = tensors(op, args, True), tensors(op, args, True)
    want, out = op(*kept, **params), leaves[0] * 1
    version = out._version
    assert stack.get().inplace(op, out, tuple(leaves[1:]), params) is out
    np.testing.assert_array_equal(host(out.detach()), host(want.detach()))
    assert out._version == version + 1
    if not live:
        return
    u = np.random.default_rng(8).normal(size=out.shape)
    for result in (want, out):
        result.backward(cotangent(u, result))
    for i in live:
        np.testing.assert_allclose(host(leaves[i].grad), host(kept[i].grad), rtol=1e-12, atol=1e-12)


# ---- what the transforms need ----


def jvp_is_the_slope(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """The jvp agrees with central differences along the tangents, and with the vjp: ⟨u, jvp(t)⟩ = ⟨vjp(u), t⟩."""
    rng = np.random.default_rng(6)
    live = moving(op, args)
    ts = [rng.normal(size=args[i].shape) for i in live]

    def whole(*xs: Any) -> Any:
        return op(*(xs[live.index(i)] if i in live else a for i, a in enumerate(tensors(op, args, False))), **params)

    out, got = ml.func.jvp(whole, [tensor(args[i]) for i in live], [tensor(t) for t in ts])
    ends = []
    for sign in (1, -1):
        moved = list(args)
        for i, t in zip(live, ts, strict=True):
            moved[i] = args[i] + sign * STEP * t
        ends.append(value(op, moved, params))
    np.testing.assert_allclose(host(got), (ends[0] - ends[1]) / (2 * STEP), rtol=2e-6, atol=2e-7)
    u = rng.normal(size=out.shape)
    pulled = sum(float((g * t).sum()) for g, t in zip(gradients(op, args, params, u), ts, strict=True))
    np.testing.assert_allclose(float((host(got) * u).sum()), pulled, rtol=1e-9, atol=1e-9)


def batch_is_a_loop(op: Op, args: list[Any], params: dict[str, Any]) -> None:
    """vmap over any choice of the inputs gives what a Python loop gives."""
    positions = [i for i, a in enumerate(args) if isinstance(a, np.ndarray)]
    for mask in range(1, 1 << len(positions)):
        mapped = [i for k, i in enumerate(positions) if mask >> k & 1]
        stacked = [np.stack([a, turned(a), a]) if i in mapped else a for i, a in enumerate(args)]
        axes = tuple(0 if i in mapped else None for i in positions)

        def one(*xs: Any) -> Any:
            given = iter(xs)
            return op(*(next(given) if i in positions else a for i, a in enumerate(args)), **params)

        got = ml.func.vmap(one, axes)(*(tensor(stacked[i]) for i in positions))
        for k in range(3):
            example = [s[k] if i in mapped else s for i, s in enumerate(stacked)]
            np.testing.assert_allclose(
                host(got[k]), value(op, example, params), rtol=1e-12, atol=1e-12, err_msg=str(axes)
            )


def turned(a: np.ndarray) -> np.ndarray:
    """The entries in reverse along the last two axes: another example, and symmetric or regular if `a` is."""
    return np.flip(a, tuple(range(max(a.ndim - 2, 0), a.ndim)))
