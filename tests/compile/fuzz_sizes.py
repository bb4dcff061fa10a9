"""Random programs about lengths, each run eagerly and compiled with symbolic sizes on calls of many shapes.

`python -m tests.compile.fuzz_sizes 0 2000` runs many.
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

# x and y are matrices, v a vector, z anything; n and k are ints
TENSORS = [
    "x", "y", "x + 1", "x * y", "x @ w", "x.T", "x.relu()", "x[0]", "x[:, 1]", "z", "v", "(x * x).sum(0)",
    "ml.cat([x, y])", "x.reshape(-1)", "x.tanh() + v", "ml.zeros(n, 3)", "x[1:]", "x[:-1]", "x[:n]", "x[::2]",
    "ml.stack([x, y])", "x.mean()", "x.softmax(-1)", "x.sum(1, keepdim=True)", "x.reshape(x.shape[1], -1)",
    "x[n // 2:]", "z * n", "ml.ones(*x.shape)", "x.unsqueeze(0).expand(2, *x.shape)", "x.mean(0) + x.shape[0]",
    "z.reshape(-1).cumsum(0)", "ml.where(x > 0, x, 0.0)", "y.clone().fill_(k)", "x.flatten()", "x.var(0)", "x / n",
    "ml.arange(n)", "x.transpose(0, 1) @ y", "x.view(-1)", "x[:, :k]", "ml.full((n, k), 2.0)", "x.split(2)[0]",
    "x.flip(0)", "x.max(0)[0]", "x.sort(0)[0]", "x.norm(dim=0)",
]  # fmt: skip
INTS = [
    "x.shape[0]", "len(x)", "x.size(0)", "x.numel()", "z.numel()", "n + 1", "n * 2", "n // 2", "n % 3", "max(n, k)",
    "min(n, 4)", "-n", "abs(n - 5)", "k + n", "y.shape[-1]", "sum(x.shape)", "len(x.shape)", "x.shape.count(3)",
    "int(n / 2)", "n ** 2", "b.n + 1", "len(b.items)", "z.ndim", "n * x.shape[1]", "hash(n) % 7", "divmod(n, 2)[0]",
    "x.shape.index(x.shape[1])",
]  # fmt: skip
CONDITIONS = [
    "n > 4", "n == 5", "x.shape[0] == y.shape[0]", "x.shape == y.shape", "n % 2", "n % 2 == 0", "k < n",
    "n in (3, 5)", "x.shape[0] < x.shape[1]", "z.ndim == 2", "n != k", "not n", "n is k", "2 <= n < 6",
    "x.sum() > 0", "z.is_contiguous()", "isinstance(n, int)", "x.shape[1:] == y.shape[1:]", "n / 2 > 2.2",
    "z.shape == (n, 3)", "z.stride()[0] > 2", "x.shape[0] in d",
]  # fmt: skip
STEPS = [
    "z = {t}", "n = {n}", "k = {n}", "print(n, {n})", "log.append({n})",
    "log.append(f'{{n}} {{x.shape}} {{k:03d}}')", "b.n = {n}", "d[n] = k", "b.items.append((n, x.shape))",
    "z = z + {n}", "w2 = ({t}).clone(); w2 *= 2; z = w2 + 1", "log.append(x.shape[0] / 3)",
    "for i in range(n % 4): z = z * 0.5 + i", "log.append([*range(min(n, 6))])",
    "z = sum((x[i] for i in range(x.shape[0])), v * 0)", "unknown(b, n)", "x = x * 0.5", "x, y = y, x",
    "log.append(str(n) + 'a')", "log.append('a' * (n % 5))", "t = (n, k); log.append(t)",
    "log.append(type(n).__name__)", "b.t = {t}", "z = b.t", "f = lambda q: q * n; z = f(z)",
    "d.update(a=n); k = d['a']", "log.append(sorted([n, 3, k]))", "log.append(x.shape)", "log.append({{'s': n}})",
    "z = z.detach()", "log.append(z.nbytes)", "rows, *rest = x.shape; log.append(rest)",
    "log.append(n.bit_length())", "c = z.clone(); c.reshape(-1)[0] = n; z = c",
    "q = x.clone(); q[n // 2] = 0.0; z = q", "log.append(float(n))", "k = k if {c} else n", "b.n += n",
    "log.append(z.sum().item())", "assert n < 9, f'too long: {{n}}'", "n, k = k, n", "z = z * b.w",
    "l = (x * b.w).mean(); l.backward(); log.append(l)", "(({t}) * b.w).sum().backward()", "b.w.grad = None",
    "with ml.no_grad(): b.w.sub_(0.1 * b.w)", "z = z if b.w.grad is None else z + b.w.grad",
    "l = ((x @ w - k) ** 2).mean() + b.w.sum(); l.backward() if l.requires_grad else None",
    "opt = ml.optim.SGD([b.w], lr=0.1, momentum=0.5); (x * b.w).sum(0).mean().backward(); opt.step(); opt.zero_grad()",
    "log.append(1.5 * n)",
    "z = z * (1.0 / (abs(n) + 1))", "x = x[:, :x.shape[1]]",
]  # fmt: skip


class Box:
    def __init__(self) -> None:
        self.n, self.t, self.items = 0, ml.ones(2, 3), []
        self.w = ml.ones(3, requires_grad=True)


def unknown(b: Box, n: int) -> None:
    exec("b.n += n; b.items.append(n)", {"b": b, "n": n})


def statement(r: random.Random, depth: int) -> list[str]:
    pad = "    " * depth
    fill = lambda text: text.format(t=r.choice(TENSORS), n=r.choice(INTS), c=r.choice(CONDITIONS))  # noqa: E731
    p = r.random()
    if p < 0.72 or depth > 3:
        return [pad + fill(r.choice(STEPS))]
    body = [s for _ in range(r.randint(1, 3)) for s in statement(r, depth + 1)]
    if p < 0.9:
        other = [pad + "else:", *statement(r, depth + 1)] if r.random() < 0.5 else []
        return [pad + f"if {r.choice(CONDITIONS)}:", *body, *other]
    if p < 0.96:
        return [pad + "try:", *body, pad + "except Exception as e:", pad + "    log.append(type(e).__name__)"]
    return [pad + r.choice(["return z, n", "raise ValueError(n)"])]


def source(seed: int) -> str:
    r = random.Random(seed)
    lines = ["def f(x, y, v, w, b, log, d, k=2):", "    n, z = x.shape[0], y * 1.0"]
    for _ in range(r.randint(3, 8)):
        lines += statement(r, 1)
    return "\n".join([*lines, "    return x, y, z, n, k"])


def matrix(r: random.Random, rows: int, columns: int) -> Tensor:
    entries = [[r.randint(-3, 4) * 0.5 for _ in range(columns)] for _ in range(rows)]
    return ml.tensor(entries) if rows else ml.zeros(rows, columns)


def observe(seed: int, compile: Any) -> tuple[Any, str]:
    """What nine calls let see: rows of x and y vary, columns now and then."""
    space = {"ml": ml, "Tensor": Tensor, "unknown": unknown}
    exec(source(seed), space)
    r, seen, out = random.Random(seed + 1), [], io.StringIO()
    f, b, log, d = compile(space["f"]), Box(), [], {}
    w = ml.tensor([[float(i - j) for j in range(2)] for i in range(3)])
    with contextlib.redirect_stdout(out):
        for _ in range(9):
            columns = 3 if r.random() < 0.85 else r.randint(1, 4)
            rows = r.choice([2, 3, 4, 5, 6, 7, 8, 1, 0] if r.random() < 0.3 else [4, 5, 6, 7])
            others = rows if r.random() < 0.9 else r.randint(1, 5)
            x, y = matrix(r, rows, columns), matrix(r, others, columns)
            v = matrix(r, 1, columns)[0]
            if r.random() < 0.3:
                x = matrix(r, columns, rows).T
            if r.random() < 0.5:
                x = x.detach().requires_grad_()
            try:
                got = f(x, y, v, w, b, log, d, *([r.choice([1, 2, 3])] if r.random() < 0.5 else []))
                z = got[0 if len(got) == 2 else 2]
                if x.requires_grad and z.requires_grad:
                    z.sum().backward()
            except Exception as e:
                got = f"{type(e).__name__}: {e}"
            seen.append([show(got), show(log), show(d), show(x.grad), show([b.n, b.t, b.items, b.w, b.w.grad])])
    return seen, out.getvalue()


def agree(seed: int, dynamic: bool | None) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return observe(seed, lambda f: compile(f, dynamic=dynamic)) == observe(seed, lambda f: f)


def agree_on(case: tuple[int, bool | None]) -> bool:
    return agree(*case)


if __name__ == "__main__":
    low, high = int(sys.argv[1]), int(sys.argv[2])
    sys.exit(tried(agree_on, [(seed, dynamic) for seed in range(low, high) for dynamic in (True, None)]))
