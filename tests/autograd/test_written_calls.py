"""The calls that are written from the records do what the interpreter does, and are what is called."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.autograd.eager import Eager
from minitorch_lab.autograd.node import Saved
from minitorch_lab.autograd.short import EAGER
from minitorch_lab.autograd.writing import fixed
from minitorch_lab.ops import ELEMENTWISE, OPS, Op
from minitorch_lab.tensors.tensor import Tensor, tracked

WRITTEN = [op for op in OPS.values() if fixed(op) and not op.effect]
PAIRS = [op for op in ELEMENTWISE if len(op.vjp) == 2 and op.vjp[0] is not None]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ops that the interpreter is asked to run."""
    found: list[str] = []
    run = Eager.run

    def noting(self: Eager, op: Op, args: tuple[Any, ...], params: dict[str, Any]) -> Tensor:
        found.append(op.name)
        return run(self, op, args, params)

    monkeypatch.setattr(Eager, "run", noting)
    return found


def tensors(args: tuple[Any, ...], flowing: bool) -> tuple[Any, ...]:
    """The inputs of a sample as tensors; floats require a gradient if one is to flow."""
    made = [ml.tensor(a) if isinstance(a, np.ndarray) else a for a in args]
    return tuple(a.requires_grad_() if flowing and isinstance(a, Tensor) and a.dtype.kind == "f" else a for a in made)


def told(kept: Any) -> Any:
    """What a node keeps, in a form that can be compared."""
    if isinstance(kept, Saved):
        return kept.value.tobytes(), kept.node, kept.version
    return tuple(map(told, kept)) if isinstance(kept, tuple) else kept


def account(out: Tensor) -> tuple[Any, ...]:
    """All that is to be known of a result."""
    node, link = tracked(out), out.link
    kept = node and node.saved
    return (
        type(out), out.value.tobytes(), out.shape, out.dtype, node and (node.op, node.edges, node.shape),
        kept and {name: told(value) for name, value in kept.items()}, link and (link.base, link.op, link.unwatched),
    )  # fmt: skip


@pytest.mark.parametrize("flowing", [False, True], ids=["values", "recorded"])
@pytest.mark.parametrize("op", WRITTEN, ids=lambda op: op.name)
def test_a_written_call_is_what_the_interpreter_does(op: Op, flowing: bool) -> None:
    for sample, params in op.samples(np.random.default_rng(0)):
        args = tensors(sample, flowing)
        for mode in (ml.enable_grad, ml.no_grad):
            with mode():
                wanted: Any = EAGER.run(op, args, params)
                if not isinstance(wanted, Tensor):
                    continue
                assert account(op(*args, **params)) == account(wanted)


def test_the_interpreter_is_not_asked_for_plain_tensors(asked: list[str]) -> None:
    others: set[str] = set()
    for op in WRITTEN:
        for sample, params in op.samples(np.random.default_rng(0)):
            args = tensors(sample, flowing=True)
            asked.clear()
            op(*args, **params)
            others |= {op.name} if op.name in asked else set()
    assert others == set()


@pytest.mark.parametrize("make", [lambda x: x, ml.nn.Parameter, lambda x: x[...]])
@pytest.mark.parametrize("op", PAIRS, ids=lambda op: op.name)
def test_whatever_shows_plain_memory_is_plain(op: Op, make: Callable[[Tensor], Tensor], asked: list[str]) -> None:
    x, y = (make(ml.tensor([1.5, 2.5], dtype=ml.float32)) for _ in range(2))
    asked.clear()
    op(x, y)
    assert asked == []


def test_the_text_of_a_call_is_shown() -> None:
    text = inspect.getsource(ml.mul)
    assert text.startswith("def mul(x, y):")
    assert "impl(a, b)" in text
    assert inspect.getsource(vars(Tensor)["tanh"]).startswith("def tanh(x):")
    assert str(inspect.signature(ml.mul)) == "(x, y)"


def test_a_function_and_its_method_are_one() -> None:
    assert vars(Tensor)["maximum"] is ml.maximum
    assert vars(Tensor)["tanh"] is inspect.unwrap(ml.tanh)


WRITES: list[tuple[str, Callable[[Tensor], Any], Callable[[np.ndarray], Any]]] = [
    ("a row", lambda x: x.__setitem__(1, 2.5), lambda a: a.__setitem__(1, 2.5)),
    ("a part", lambda x: x.__setitem__((slice(1, 3), -1), 7), lambda a: a.__setitem__((slice(1, 3), -1), 7)),
    ("all", lambda x: x.zero_(), lambda a: a.fill(0.0)),
    ("a sum", lambda x: x.add_(1.5), lambda a: np.add(a, 1.5, out=a)),
    ("a difference", lambda x: x.sub_(x[0].clone()), lambda a: np.subtract(a, a[0].copy(), out=a)),
]


@pytest.mark.parametrize(("write", "wanted"), [w[1:] for w in WRITES], ids=[w[0] for w in WRITES])
def test_a_write_is_numpys_and_is_counted(
    write: Callable[[Tensor], Any], wanted: Callable[[np.ndarray], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Eager, "inplace", None)  # it is not asked
    x, a = ml.arange(12.0).reshape(3, 4).clone(), np.arange(12, dtype="float32").reshape(3, 4)
    write(x)
    wanted(a)
    np.testing.assert_array_equal(x.numpy(), a)
    assert x._version == 1


def test_a_write_whose_gradient_flows_asks_the_interpreter() -> None:
    x, y = ml.zeros(3), ml.ones(2, requires_grad=True)
    x[1:] = y * 2
    x[0] = 4.0
    x.sum().backward()
    assert y.grad is not None
    assert y.grad.tolist() == [2.0, 2.0]


def test_index_arrays_need_no_tensor_and_writes_by_them_no_interpreter(
    asked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Eager, "inplace", lambda *args: pytest.fail(f"{args[1]} was written by the interpreter"))
    held = np.arange(12.0, dtype="float32").reshape(3, 4)
    x, w = ml.tensor(held, requires_grad=True), ml.tensor(held)
    mask = w > 5
    asked.clear()
    read = x[mask], x[[2, 0]]
    w[[1, 0]] = 7.0
    w[ml.tensor([2])] = ml.ones(4)
    w.add_(ml.ones(4), alpha=0.5)
    assert asked == []
    assert w._version == 3
    np.testing.assert_array_equal(read[0].detach().numpy(), held[held > 5])
    np.testing.assert_array_equal(read[1].detach().numpy(), held[[2, 0]])
    np.testing.assert_array_equal(w.numpy(), [[7.5] * 4, [7.5] * 4, [1.5] * 4])
    (read[0].sum() + read[1].sum()).backward()
    wanted = (held > 5).astype("float32")
    wanted[[2, 0]] += 1
    np.testing.assert_array_equal(x.grad.numpy(), wanted)
