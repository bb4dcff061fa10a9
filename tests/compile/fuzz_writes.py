"""Random programs that write into what a gradient may need: what eager refuses, compiled refuses, in every call.

Writes through views and detached aliases, under no_grad(), before and after values are used; after the call into what
it was given and has returned; walks from some results, into a list, recorded, twice, and inside the program.
`python -m tests.compile.fuzz_writes 0 5000 llvm True` runs many.
"""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.autograd import grad
from tests.compile.fuzz_walks import flat, near

MADE = [  # of values v and w of one shape (n, 3)
    "{v}.exp()", "{v} * 2", "{v} * {w}", "{v} + {w}", "{v}.sigmoid()", "{v} / {w}", "{v}.sin()", "{v} ** 2", "{v} - 1",
    "{v}.clone()", "{v}.tanh()", "{v}.softmax(1)", "({v} * {v}).sqrt()", "{v}.relu()", "{v}.abs()", "{v} @ {v}.T @ {w}",
    "ml.where({v} > {w}, {v}, {w} * 2)", "{v}.cumsum(0)", "{v} * {w}.sum(0)", "{v}[:, ml.tensor([2, 0, 1])]",
    "{v}.max(1, keepdim=True)[0] * {w}", "ml.addcmul({v}, {v}, {w}, value=0.5)", "ml.cat([{v}, {w}], 1)[:, 1:4]",
    "ml.lerp({v}, {w}, 0.3)", "{v}.float().double()", "ml.nn.functional.gelu({v})", "Cube.apply({v})",
]  # fmt: skip
ALIASES = [
    "{v}[:]", "{v}.view(-1, 3)", "{v}.detach()", "{v}[0:2]", "{v}.T.T", "{v}.reshape(-1)", "{v}[:, 1]",
    "{v}.unsqueeze(0)", "{v}.T.reshape(-1)", "{v}[0]", "{v}.squeeze(0)", "{v}.expand(2, -1, -1)[0]",
]  # fmt: skip
WRITES = [
    "{a}.add_(1)", "{a}.mul_(2)", "{a}[0] = 1.5", "{a}.exp_()", "{a}.zero_()", "{a}.sigmoid_()", "{a} += 0.5",
    "{a}.copy_({a} * 2)", "{a}.mul_({a}.detach())", "{a}.fill_(2.0)", "{a}.clamp_(0.1, 0.9)", "{a}.div_(3)",
    "{a}.sub_({a}.sum())", "{a}.tanh_().add_(1)", "{a}.pow_(2)",
]  # fmt: skip
BETWEEN = [
    "{v}.mul_({w})",
    "{v}.copy_({w})",
    "{v}.add_({w}, alpha=0.5)",
    "{v}[0] = {w}[1]",
    "{v}.div_({w})",
    "{v} += {w}",
]
REFUSED = (  # second derivatives run the region again, and that must give the same
    "A second derivative runs the region again, op by op, and that must give the same.", "saved 'argument",
)  # fmt: skip
INSIDE = [
    "{new} = slope(({v} * {w}).sum(), a, {v})",
    "{new} = float({v}.sum().item()) * {w}",
]


def slope(y: Any, x: Any, otherwise: Any) -> Any:
    """The gradient of `y` by `x`, if there is one."""
    (found,) = grad(y, x, allow_unused=True, retain_graph=True)
    return otherwise if found is None else found


class Cube(ml.autograd.Function):
    """A Function that saves its argument and a value of its own."""

    @staticmethod
    def forward(x: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return x * x * x

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
        ctx.save_for_backward(inputs[0], output)

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        x, out = ctx.saved_tensors
        return g * 3 * x * x + out * 0


def source(seed: int) -> str:
    """A program of three arguments."""
    r = random.Random(seed)
    names, aliases, lines = ["a", "b", "c"], list[str](), ["def f(a, b, c):"]
    for k in range(r.randint(2, 7)):
        new, p = f"t{k}", r.random()
        v, w = r.choice(names), r.choice(names)
        own = [n for n in names if n.startswith("t")] or [v]
        if p < 0.45 or k == 0:
            lines.append(f"{new} = {r.choice(MADE).format(v=v, w=w)}")
            names.append(new)
        elif p < 0.6:
            lines.append(f"{new} = {r.choice(ALIASES).format(v=r.choice(own))}")
            aliases.append(new)
        elif p < 0.94:
            target = r.choice(own + aliases + ["b"] * (r.random() < 0.3))
            text = r.choice(BETWEEN).format(v=target, w=w) if target not in aliases and r.random() < 0.3 else None
            text = text or r.choice(WRITES).format(a=target)
            lines.append(f"with ml.no_grad(): {text}" if r.random() < 0.15 else text)
        else:
            lines.append(r.choice(INSIDE).format(v=v, w=w, new=new))
            names.append(new)
    shown = [r.choice(names[3:] + aliases + ["b"] * (r.random() < 0.1)) for _ in range(r.randint(1, 3))]
    results = [r.choice(["{v}", "{v}", "{v}.sum()", "{v} * 2", "{v}.detach()", "{v}[:]"]).format(v=v) for v in shown]
    return "\n    ".join([*lines, f"return {', '.join(results)},"])


def tried(do: Any) -> Any:
    """What comes of it, or the error in its own words."""
    try:
        return do()
    except Exception as error:
        return type(error).__name__, str(error)


def observe(seed: int, compile: Any) -> list[Any]:
    """All that four calls let see."""
    space: dict[str, Any] = {"ml": ml, "slope": slope, "Cube": Cube}
    exec(source(seed), space)
    f, seen = compile(space["f"]), list[Any]()
    for call in range(4):
        r = random.Random(seed + 1)  # every call is treated alike, and only the length is another
        rng = np.random.default_rng(seed + call)
        leaves = [ml.tensor(rng.uniform(0.5, 1.5, (3 + call % 3, 3)), requires_grad=r.random() < 0.8) for _ in "abc"]
        args = [x * 1.0 if i == 1 or r.random() < 0.3 else x for i, x in enumerate(leaves)]
        seen.append(observed(r, tried(lambda: f(*args)), args, leaves))  # noqa: B023
    return seen


def observed(r: random.Random, result: Any, args: list[Any], leaves: list[Any]) -> list[Any]:
    """What one call lets see."""
    outs = flat(result)
    if not all(isinstance(x, ml.Tensor) for x in outs):
        return outs
    seen: list[Any] = [(x.detach().tolist(), x.requires_grad, x._version) for x in (*outs, *args)]
    if r.random() < 0.3:
        target, text = r.choice([*outs, *args]), r.choice([*WRITES, "x.detach().add_(1)"])
        mode = ml.no_grad if r.random() < 0.3 else ml.enable_grad
        with mode():
            seen.append(tried(lambda: exec(text.format(a="x"), {"x": target}) or target.detach().tolist()))
    if r.random() < 0.15:
        tried(r.choice(outs).retain_grad)
    for _ in range(r.randint(1, 2)):
        chosen = [outs[i] for i in sorted(r.sample(range(len(outs)), r.randint(1, len(outs))))]
        seen.append(tried(lambda: walked(r, chosen, leaves)))  # noqa: B023
    return seen


def walked(r: random.Random, outs: list[Any], leaves: list[Any]) -> Any:
    """Walk from some results: into leaves, or to a list; retained or not, recorded or not."""
    root: Any = sum((x * k).sum() for k, x in enumerate(outs, 1))
    p, retain = r.random(), r.random() < 0.5
    if p < 0.6:
        for x in leaves:
            x.grad = None
        root.backward(retain_graph=retain)
        return [None if x.grad is None else x.grad.tolist() for x in leaves]
    found = grad(root, [x for x in leaves if x.requires_grad], retain_graph=retain or p > 0.85, allow_unused=True,
                 create_graph=p > 0.85)  # fmt: skip
    return [None if g is None else g.tolist() for g in found]


def differs(seed: int, backend: str, dynamic: bool | None) -> list[tuple[Any, Any]]:
    """What compiled does that eager does not, call by call."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = observe(seed, lambda f: ml.compile(f, backend=backend, dynamic=dynamic))
        eager, found = observe(seed, lambda f: f), list[tuple[Any, Any]]()
    for one, other in zip(ours, eager, strict=True):
        pairs = zip(one, other, strict=False) if len(one) == len(other) else [(one, other)]
        found += [(p, q) for p, q in pairs if not near(p, q, 1e-6) and not any(why in str(p) for why in REFUSED)]
    return found


if __name__ == "__main__":
    low, high, name, way = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], {"True": True, "False": False, "None": None}
    for seed in range(low, high):
        try:
            if found := differs(seed, name, way[sys.argv[4]]):
                print("DIFFERS", seed, *found[0], source(seed), sep="\n  ", flush=True)
        except Exception as error:
            print("RAISES", seed, type(error).__name__, str(error)[:150], source(seed), flush=True)
