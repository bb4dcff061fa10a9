"""Scripting: the IR as text, the same values as Python, and every refusal with the line and the place."""

from __future__ import annotations

import importlib.util
import random
from inspect import getsource, getsourcelines
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitorch_lab as ml
from minitorch_lab.errors import CaptureError
from tests.compile import script_samples as samples

script = ml.jit.script
REFUSED = [
    fn
    for fn in vars(samples).values()
    if getattr(fn, "__module__", "") == samples.__name__ and "# no:" in getsource(fn)
]


def test_row_a5_a_script_keeps_both_branches() -> None:
    both = script(samples.conditional)
    assert (
        both.graph
        == """\
conditional(x: Tensor) -> Tensor:
    sum: Tensor = sum(x)
    gt: Tensor = gt(sum, 0)
    bool: bool = bool(gt)
    result: Tensor = if bool:
        mul: Tensor = mul(x, 2)
        yield mul
    else:
        mul.1: Tensor = mul(x, 3)
        yield mul.1
    return result"""
    )
    assert both(ml.tensor([1.0])).tolist() == [2.0]
    assert both(ml.tensor([-1.0])).tolist() == [-3.0]


def test_row_a5_the_listings_of_the_text() -> None:
    assert script(samples.plain).graph == (
        "plain(x: Tensor) -> Tensor:\n    y: Tensor = mul(x, 2)\n    z: Tensor = add(y, 1)\n    return z"
    )
    assert script(samples.example).graph == (
        "example(x: Tensor) -> Tensor:\n    mul: Tensor = mul(x, 2)\n    add: Tensor = add(mul, 1)\n    return add"
    )
    assert script(samples.valid)(ml.ones(1, dtype=ml.float64)).dtype == ml.float64


def test_loops_are_loops() -> None:
    assert (
        script(samples.collatz).graph
        == """\
collatz(n: int) -> int:
    n.5: int, steps.2: int = while (n.1 = n, steps = 0):
        gt: bool = gt(n.1, 1)
        test gt
    do:
        mod: int = mod(n.1, 2)
        eq: bool = eq(mod, 0)
        n.4: int = if eq:
            n.2: int = floor_div(n.1, 2)
            yield n.2
        else:
            mul: int = mul(3, n.1)
            n.3: int = add(mul, 1)
            yield n.3
        steps.1: int = add(steps, 1)
        yield n.4, steps.1
    return steps.2"""
    )


CALLS: list[tuple[Any, tuple[Any, ...]]] = [
    (samples.plain, (ml.ones(2),)),
    (samples.collatz, (27,)),
    (samples.newton, (ml.tensor([4.0, 2.0]),)),
    (samples.newton, (ml.tensor([4.0, 2.0]), 2)),
    (samples.calls, (ml.tensor([3.0, 1.0, 2.0]),)),
    (samples.loops, (ml.ones(2), 6)),
    (samples.writes, (ml.ones(3),)),
    *((samples.early, (ml.ones(2), k)) for k in range(4)),
]


@pytest.mark.parametrize(("fn", "args"), CALLS, ids=lambda x: getattr(x, "__name__", ""))
def test_a_script_gives_what_the_function_gives(fn: Any, args: Any) -> None:
    same(script(fn)(*args), fn(*args))


def same(a: Any, b: Any) -> None:
    assert type(a) is type(b)
    if isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
    elif isinstance(a, ml.Tensor):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a.detach().numpy(), b.detach().numpy())
    else:
        assert a == b


def test_gradients_and_transforms_go_through() -> None:
    root = script(samples.newton)
    x = ml.tensor([4.0, 9.0], requires_grad=True)
    root(x)[0].sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [1 / 4, 1 / 6], rtol=1e-4)
    slope = ml.func.grad(lambda v: script(samples.conditional)(v).sum())(ml.tensor([-1.0]))
    assert slope.tolist() == [3.0]


def test_a_script_is_a_decorator_and_needs_no_python() -> None:
    @ml.jit.script
    def f(x, k: int = 2):
        return x * k

    assert f(ml.ones(1)).tolist() == [2.0]
    assert f(ml.ones(1), k=5).tolist() == [5.0]
    assert not hasattr(f, "__wrapped__")


def descending(x, steps: int):
    if steps > 0:
        return descending(x / 2, steps - 1)
    return x


def even(x, steps: int):
    return odd(x, steps - 1) if steps > 0 else x


def odd(x, steps: int):
    return even(x, steps - 1)


@pytest.mark.parametrize(("fn", "shown"), [(descending, "descending"), (even, "even")])
def test_a_function_that_calls_itself_is_refused_where_it_does(fn: Any, shown: str) -> None:
    with pytest.raises(CaptureError, match=f"script cannot compile a call of {shown} inside {shown}"):
        script(fn)


@pytest.mark.parametrize("fn", REFUSED, ids=lambda fn: fn.__name__)
def test_row_a5_what_is_refused_is_shown(fn: Any) -> None:
    with pytest.raises(CaptureError) as caught:
        script(fn)
    lines, first = getsourcelines(fn)
    at = next(i for i, line in enumerate(lines) if "# no:" in line)
    text = str(caught.value)
    assert f"script cannot compile {lines[at].split('# no: ')[1].strip()}" in text
    assert f"in {fn.__name__} (script_samples.py, line {first + at})" in text
    shown = text.splitlines()
    place = next(i for i, line in enumerate(shown) if set(line.strip()) == {"^"})
    assert lines[at].strip() in shown[place - 1]
    assert len(shown) > place + 1, "a refusal says which rule it follows"


def test_there_are_enough_refusals() -> None:
    assert len(REFUSED) >= 20


@pytest.mark.parametrize(
    ("call", "text"),
    [
        (lambda: script(len), "source is not at hand"),
        (lambda: script(samples.collatz)(2.5), "got a float for n: int"),
        (lambda: script(samples.collatz)(), "missing a required argument"),
    ],
    ids=["builtin", "type", "signature"],
)
def test_wrong_uses(call: Any, text: str) -> None:
    with pytest.raises(CaptureError, match=text):
        call()


# ---- random programs ------------------------------------------------------------------------------------------------


def program(seed: int) -> str:
    """A random function of the subset."""
    r = random.Random(seed)
    out: list[str] = []

    def number(ints: list[str]) -> str:
        return r.choice([*ints, str(r.randint(-2, 3))])

    def expression(ints: list[str]) -> str:
        a, b = r.choice("xyz"), r.choice("xyz")
        forms = [f"{a} + {b}", f"{a} * 0.5", f"({a} - {b}).tanh()", f"{a} * {number(ints)}", f"{a}[0] + {b}",
                 f"{a} if {number(ints)} > 0 else {b}", f"ml.maximum({a}, {b})"]  # fmt: skip
        return r.choice(forms)

    def block(depth: int, indent: str, ints: list[str]) -> None:
        for _ in range(r.randint(1, 3)):
            kind = r.randrange(7) if depth else r.randrange(3)
            if kind < 2:
                out.append(f"{indent}{r.choice('xyz')} = {expression(ints)}")
            elif kind == 2:
                out.append(f"{indent}n = n + {number(ints)}")
            elif kind in (3, 4):
                test = r.choice(["x.sum() > 0", "n > 1", "n > 0 and y.sum() > z.sum()", "not (n == 2) or x[0] > 0"])
                out.append(f"{indent}if {test}:")
                block(depth - 1, indent + "    ", ints)
                if r.random() < 0.3 and indent == "    ":
                    out.append(f"{indent}    return x, n")
                if r.random() < 0.6:
                    out.append(f"{indent}else:")
                    block(depth - 1, indent + "    ", ints)
            elif kind == 5:
                i = f"i{depth}"
                out.append(f"{indent}for {i} in range({r.randint(0, 3)}):")
                block(depth - 1, indent + "    ", [*ints, i])
            else:
                count = f"k{len(out)}"
                out.extend([f"{indent}{count} = 0", f"{indent}while {count} < {r.randint(0, 3)}:"])
                block(depth - 1, indent + "    ", ints)
                out.append(f"{indent}    {count} = {count} + 1")

    block(3, "    ", ["n"])
    return "\n".join(
        ["import minitorch_lab as ml", "", "", "def f(x, y, n: int):", "    z = x * 0.3", *out, "    return y + z, n"]
    )


@pytest.mark.parametrize("block", range(4))
def test_random_programs(block: int, tmp_path: Path) -> None:
    rng = np.random.default_rng(block)
    for seed in range(block * 50, block * 50 + 50):
        file = tmp_path / f"random_program_{seed}.py"
        file.write_text(program(seed), "utf-8")
        spec = importlib.util.spec_from_file_location(file.stem, file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        compiled = script(module.f)
        for n in (-1, 2):
            x, y = (ml.tensor(rng.normal(size=3)) for _ in range(2))
            same(compiled(x, y, n), module.f(x, y, n))
