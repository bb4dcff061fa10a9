"""Random programs in which Python's numbers, other ones in each call, meet tensors of several dtypes.

`python -m tests.compile.fuzz_numbers 0 2000` runs many.
"""

from __future__ import annotations

import contextlib
import io
import random
import sys
import warnings
from typing import Any

import minitorch_lab as ml
from minitorch_lab.compiler.capture.api import compile
from tests.compile.captured.engine import Tensor
from tests.compile.captured.observe import show
from tests.compile.in_parts import tried

# x is a tensor of some dtype, y one of another, n an int, s a float, t a truth value, q any of the three
NUMBERS = [
    "n", "s", "t", "q", "n + 1", "-n", "n * 2", "n // 2", "n % 3", "n / 2", "n ** 2", "n << 1", "n & 3", "~n", "n > 2",
    "not n", "s * 2", "s + n", "-s", "int(s)", "float(n)", "bool(n)", "round(s)", "abs(n)", "abs(s)", "max(n, 2)",
    "min(s, n)", "t + n", "n if t else s", "divmod(n, 2)[1]", "len(log)", "x.shape[0]", "x.ndim", "s // 1", "n * t",
    "True", "2", "0.5", "-1", "1e10", "2 ** 40", "b.n", "b.s", "d['k']", "-0.0", "n - n", "s - s", "3 - t",
]  # fmt: skip
SIGNS = ["+", "-", "*", "/", "//", "%", "**"]
LESS = ["<", "<=", ">", ">=", "==", "!="]
TENSORS = ["x", "y", "z", "b.w", "x[0]", "x.sum()", "x[1:]", "x.T", "x.float()", "x.long()", "y.double()", "x > 1"]
MEET = [
    "{a} {o} {m}", "{m} {o} {a}", "{a} {l} {m}", "ml.where({a} > 0, {a}, {m})", "ml.where({c}, {m}, {a})",
    "ml.full(({a}).shape, {m})", "({a}).clamp(max={m})", "({a}).clone().fill_({m})", "ml.tensor({m}) + {a}",
    "({a}) * {m} + {m}", "({a}).clone().mul_({m})", "({a}) + {b}", "({a}) * {b}", "ml.maximum({a}, {b})",
    "({a}).to(ml.float64) {o} {m}", "({a}).to(ml.int32) {o} {m}", "({a}).to(ml.float16) {o} {m}", "({a}).sum() {o} {m}",
    "ml.zeros_like({a}) + {m}", "({a}).pow({m})", "ml.full_like({a}, {m})", "ml.stack([{a}, {a}]) {o} {m}",
]  # fmt: skip
STEPS = [
    "z = {e}", "z = {e}", "z = {e}", "x = {e}", "log.append({m})", "n = {m}", "s = {m}", "q = {m}", "b.n = {m}",
    "b.s = {m}", "d['k'] = {m}", "log.append(f'{{n}} {{s}} {{t}} {{q}}')", "t = not t", "n += 1", "s *= 0.5",
    "z += {m}", "z *= {m}", "c = z.clone(); c[0] = {m}; z = c", "log.append(z.dtype)", "log.append(type(q).__name__)",
    "for i in range(n % 3): z = z + i", "z = z[n % z.shape[0]] if z.ndim else z", "n, q = q, n", "s, n = n, s",
    "log.append((z > {m}).sum())", "log.append(z.sum().item())", "z = sum([z, {m}])", "f = lambda a: a * q; z = f(z)",
    "log.append({m} == {m})", "unknown(b, n)", "z = z.detach()", "(b.w * {m}).sum().backward()", "b.w.grad = None",
    "with ml.no_grad(): b.w.mul_({m})", "opt = ml.optim.SGD([b.w], lr=0.1); b.w.sum().backward(); opt.step()",
]  # fmt: skip
CONDITIONS = ["t", "n > 2", "s < 1", "q", "n == 3", "s == 0.5", "n == q", "type(q) is int", "isinstance(q, float)"]


class Box:
    def __init__(self) -> None:
        self.n, self.s, self.w = 2, 0.5, ml.ones(3, requires_grad=True)


def unknown(b: Box, n: Any) -> None:
    exec("b.n += 1; b.s = n", {"b": b, "n": n})


def meeting(r: random.Random) -> str:
    a, b = r.choice(TENSORS), r.choice(TENSORS)
    parts = {"a": a, "b": b, "c": r.choice(CONDITIONS), "o": r.choice(SIGNS), "l": r.choice(LESS)}
    return r.choice(MEET).format(m=f"({r.choice(NUMBERS)})", **parts)


def statement(r: random.Random, depth: int) -> list[str]:
    pad = "    " * depth
    p = r.random()
    if p < 0.8 or depth > 3:
        return [pad + r.choice(STEPS).format(e=meeting(r), m=f"({r.choice(NUMBERS)})")]
    body = [s for _ in range(r.randint(1, 3)) for s in statement(r, depth + 1)]
    if p < 0.93:
        other = [pad + "else:", *statement(r, depth + 1)] if r.random() < 0.5 else []
        return [pad + f"if {r.choice(CONDITIONS)}:", *body, *other]
    return [pad + "try:", *body, pad + "except Exception as e:", pad + "    log.append(type(e).__name__)"]


def source(seed: int) -> str:
    r = random.Random(seed)
    lines = ["def f(x, y, b, log, d, n, s, t, q):", "    z = x * 1"]
    for _ in range(r.randint(3, 9)):
        lines += statement(r, 1)
    return "\n".join([*lines, "    return x, y, z, n, s, t, q"])


def of_some_dtype(r: random.Random) -> Tensor:
    kind = r.choice(["float32", "float32", "float64", "int64", "int64", "int32", "bool", "float16"])
    entries = [r.choice([-2, -1, 0, 1, 2, 3, 5]) * (0.5 if kind.startswith("float") else 1) for _ in range(3)]
    return ml.tensor(entries).to(getattr(ml, kind))


def observe(seed: int, compile: Any) -> tuple[Any, str]:
    """What eight calls let see: the tensors keep their dtypes for some calls, the numbers are new in each."""
    space = {"ml": ml, "Tensor": Tensor, "unknown": unknown}
    exec(source(seed), space)
    r, seen, out = random.Random(seed + 1), list[Any](), io.StringIO()
    f, b, log, d = compile(space["f"]), Box(), list[Any](), {"k": 1}
    x, y = of_some_dtype(r), of_some_dtype(r)
    with contextlib.redirect_stdout(out):
        for _ in range(8):
            if r.random() < 0.2:
                x, y = of_some_dtype(r), of_some_dtype(r)
            n, s, t = r.choice([0, 1, 2, 3, 7, -2, 300]), r.choice([0.5, 1.5, -0.0, 0.0, 2.0, -3.25]), r.random() < 0.5
            try:
                got: Any = f(x.clone(), y.clone(), b, log, d, n, s, t, r.choice([n, s, t, n]))
            except Exception as e:
                got = f"{type(e).__name__}: {e}" if type(e).__name__ != "GradientError" else "a GradientError"
            seen.append([show(got), show(log), show(d), show([b.n, b.s, b.w, b.w.grad])])
    return seen, out.getvalue()


def agree(seed: int) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return observe(seed, compile) == observe(seed, lambda f: f)


if __name__ == "__main__":
    low, high = int(sys.argv[1]), int(sys.argv[2])
    sys.exit(tried(agree, range(low, high)))
