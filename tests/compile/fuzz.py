"""Random programs, each run eagerly and compiled on the same calls: results, prints, mutations, errors must agree.

`python -m tests.compile.fuzz 0 20000` runs many; a third number makes the longest program short, so that captures are
given up in the middle of calls.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import sys
import warnings
from functools import partial
from typing import Any

from minitorch_lab.compiler.capture.api import compile
from minitorch_lab.compiler.capture.bytecode import compiled
from tests.compile.captured.engine import T, Tensor
from tests.compile.captured.observe import show
from tests.compile.in_parts import tried

# What `compile` says of its gradients; `test_a_gradient_with_terms_from_two_graphs_…` holds it to that.
DIFFERING = {10679: "the gradient has terms from two graphs, and each adds up its own first"}


class Box:
    def __init__(self) -> None:
        self.n, self.t, self.items, self.scale, self.peer = 0, T(1, 1), [], 0.5, None
        self.w = T(0.5, -1).requires_grad_()


class Counted:
    """A class with special methods, made and used inside the programs."""

    def __init__(self, t: Tensor) -> None:
        self.t, self.seen = t, 0

    @property
    def twice(self) -> Tensor:
        return self.t * 2

    def __call__(self, x: Tensor) -> Tensor:
        self.seen += 1
        return x + self.t * self.seen

    def __len__(self) -> int:
        return self.seen

    def __enter__(self) -> Counted:
        self.seen += 1
        return self

    def __exit__(self, kind: Any, *_: Any) -> bool:
        self.seen += 10
        return kind is KeyError


def helper(x, b):
    b.n += 1
    return x + b.n


def steps(x, n):
    for i in range(n):
        x = x + i
        yield x


def make(k):
    def inner(x):
        return x * k

    return inner


def unknown(b, log):
    exec("b.n += 1; log.append('u')", {"b": b, "log": log})


TENSORS = [
    "x", "y", "z", "b.t", "c.t", "(x + y)", "y * b.scale", "z * k", "-y", "x.relu()", "m.twice", "x.clone()",
    "{bc}.w", "y * b.w",
]  # fmt: skip
CONDITIONS = [
    "n > 2", "b.n % 2 == 0", "len(log) > 2", "b is c", "k < 1.5", "b.t is c.t", "isinstance(y, Tensor)", "log and n",
    "b.peer is c", "'q' in d", "m", "x.requires_grad", "len(m) > 1", "0 < n <= 3",
]  # fmt: skip
SIMPLE = [
    "{xyz} = {t}", "n = n + {i}", "log.append({t})", "b.t = {t}", "c.n = n", "b.n += 1", "print({t}.detach(), n)",
    "k = {t}.sum().item() * 0.01", "y = helper({t}, {bc})", "unknown({bc}, log)", "d['q'] = {t}", "x, y = y, x",
    "y = d.get('q', z)", "b.items.append(n)", "x = x + len(b.items)", "b.peer = c", "y = x[0:1] + y",
    "ts = [v * 2 for v in (x, y)]; z = ts[1]", "log.append(f'{{k:.3f}} {{n}}')", "b.scale = b.scale + 0.25",
    "z = z + 0; z += 1", "log.insert(0, n)", "log.pop() if log else None", "g = (lambda v: v * n); z = g(y)",
    "n += sum(i for i in range(n % 3))", "d = {{**d, 'm': z}}", "z = max(n, 2) * y", "del d['q']",
    "n = int(y.sum().item()) % 5", "z = y.clone(); z[0] = k", "z = y.clone(); w = z[1:]; w *= 2", "y = m({t})",
    "m = Counted({t})", "y = sum(steps({t}, 2))", "z = make(k)(y)", "first, *rest = steps({t}, 3); z = rest[-1]",
    "y = (x > 0).float() * y", "y = ml.where(y > 1, y, z)", "y = y.reshape(-1)", "log.append(d.setdefault('s', n))",
    "d.update(p={t}, q={t})", "for k2, v2 in d.items(): log.append(k2)", "y = ml.stack([x, y]).sum(0)",
    "z, n = (y, n + 1) if {c} else (z, n)", "log.append([*(v for v in log[:1]), n])", "y = y.detach()",
    "log.append(y.tolist())", "y = y[y > 0].sum() + x", "n = y.shape[0] + n", "b.n = c.n = n",
    "({t} * b.w).sum().backward()", "l = (b.w * c.w * {t}).mean(); l.backward(); log.append(l)", "{bc}.w.grad = None",
    "u = {bc}.w; ({t} * u).sum().backward(retain_graph=True)", "y = y if b.w.grad is None else y + b.w.grad",
    "with ml.no_grad(): b.w.sub_(0.1 * b.w)", "l = (y * y).sum(); l.backward() if l.requires_grad else None",
    "opt = ml.optim.SGD([b.w], lr=0.1, momentum=0.5); (b.w * {t}).sum().backward(); opt.step(); opt.zero_grad()",
    "h = b.w.register_hook(lambda g: g * 2); (b.w * z).sum().backward(); h.remove()", "y = c.w.relu().exp()",
    "y = ml.tensor([k, 1.0]) + y", "a2, b2 = x.sum(), y.mean(); z = z + a2 * b2",
]  # fmt: skip


def statement(r: random.Random, depth: int, loop: bool) -> list[str]:
    pad, p = "    " * depth, r.random()
    fill = lambda text: text.format(  # noqa: E731
        t=tensor(r), c=condition(r), i=r.randint(1, 3), xyz=r.choice("xyz"), bc=r.choice("bc")
    )
    body = lambda inner=loop: [s for _ in range(r.randint(1, 3)) for s in statement(r, depth + 1, inner)]  # noqa: E731
    if p < 0.62 or depth > 3:
        return [pad + fill(r.choice(SIMPLE))]
    if p < 0.76:
        return [pad + f"if {condition(r)}:", *body(), *([pad + "else:", *body()] if r.random() < 0.5 else [])]
    if p < 0.85:
        head = [
            "for i in range(2):",
            "for v in list(log)[:2]:",
            "for key, v in list(d.items()):",
            "for v in steps(x, 2):",
        ]
        return [pad + r.choice(head), *body(True)]
    if p < 0.91:
        error = r.choice(["KeyError", "Exception", "IndexError"])
        last = [pad + "finally:", pad + "    n += 1"] if r.random() < 0.4 else []
        caught = [pad + f"except {error} as e:", pad + "    log.append(type(e).__name__)"]
        return [pad + "try:", *body(), *caught, *body(), *last]
    if p < 0.96:
        return [pad + r.choice(["with m:", "with ml.no_grad():", "with ml.enable_grad():"]), *body()]
    ends = ["return x, n", "raise ValueError(n)", *(["break", "continue"] if loop else [])]
    return [pad + r.choice(ends)]


def tensor(r: random.Random) -> str:
    return r.choice(TENSORS).format(bc=r.choice("bc"))


def condition(r: random.Random) -> str:
    return r.choice([*CONDITIONS, f"{tensor(r)}.sum() > {r.randint(-3, 12)}"])


def source(seed: int) -> str:
    r = random.Random(seed)
    lines = ["def f(x, b, c, log, d, n=1):", "    y = z = x * 2", "    k = 1.5", "    m = Counted(y)"]
    for _ in range(r.randint(4, 9)):
        lines += statement(r, 1, False)
    return "\n".join([*lines, "    return x, y, z, n, k, m.seen"])


def observe(seed: int, compile: Any) -> tuple[Any, str]:
    import minitorch_lab as ml

    space = {"ml": ml, "Tensor": Tensor, "T": T, **{f.__name__: f for f in (Counted, helper, steps, make, unknown)}}
    exec(source(seed), space)
    r, seen, out = random.Random(seed + 1), [], io.StringIO()
    f, b, c, log, d = compile(space["f"]), Box(), Box(), [], {"q": T(0, 1)}
    with contextlib.redirect_stdout(out):
        for _ in range(9):
            one, two = (b, b) if r.random() < 0.2 else (b, c)
            if r.random() < 0.3:
                log, d = [], {"q": T(3, 1)}
            x = T(*[r.randint(-3, 5) for _ in range(2)])
            if r.random() < 0.4:
                x.requires_grad_()
            try:
                got = f(x, one, two, log, d, r.choice([1, 1, 2]))
                if x.requires_grad and got[1].requires_grad:
                    got[1].sum().backward()
            except Exception as e:
                got = same_node(
                    f"{type(e).__name__}: {e}" if type(e).__name__ != "GradientError" else "a GradientError"
                )
            seen.append([show(got), show(log), show(d), show(x.grad)])
            seen[-1] += [show([o.n, o.t, o.items, o.scale, o.w, o.w.grad]) for o in (b, c)]
    return seen, same_node(out.getvalue())


def same_node(text: str) -> str:
    """A text without the names of nodes: a graph is one node."""
    return re.sub(r"\w+Backward", "a node", text)


def agree(seed: int) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return observe(seed, compile) == observe(seed, lambda f: f)


def short(longest: int) -> None:
    compiled.LONGEST = longest


if __name__ == "__main__":
    low, high, *longest = map(int, sys.argv[1:])
    seeds = range(low, high)
    sys.exit(tried(agree, seeds, partial(short, *longest)) if longest else tried(agree, seeds, differing=DIFFERING))
