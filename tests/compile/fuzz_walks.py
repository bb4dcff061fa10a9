"""Random programs with several results, and random walks from them: gradients, freed graphs, memory as eager has them.

`python -m tests.compile.fuzz_walks 0 5000 llvm` runs many.
"""

from __future__ import annotations

import random
import sys
import warnings
from typing import Any

import numpy as np

import minitorch_lab as ml
from minitorch_lab.autograd import grad

F = ml.nn.functional

ONE = [  # of a value v (2, 3)
    "ml.tanh({v})", "ml.sigmoid({v})", "F.gelu({v})", "({v} * 0.3).exp()", "{v}.relu()", "{v} * {v}", "1 - {v}",
    "{v} / (1 + {v} * {v})", "-{v}", "F.softmax({v}, 1)", "F.layer_norm({v}, (3,))", "{v} - {v}.mean()", "{v}.abs()",
    "{v} * {v}.sum(1, keepdim=True)", "{v}.max(1, keepdim=True)[0] * {v}", "{v}.cumsum(1)", "{v}.clamp(-0.5, 0.5)",
    "{v}.reshape(3, 2).T.contiguous()", "{v}[:, ml.tensor([2, 0, 1])]", "{v}.T.reshape(2, 3)", "{v}.flip(0)",
    "{v}.detach() * {v}", "{v}.clone()", "({v} @ {v}.T) @ {v}", "F.log_softmax({v}, 0)", "{v}.double().float()",
    "{v}.masked_fill({v} > 0.2, 0.1)", "{v}.sum(0).expand(2, 3)", "F.dropout({v}, 0.0)", "{v}.pow(2)",
]  # fmt: skip
TWO = [
    "{v} + {w}", "{v} - {w}", "{v} * {w}", "{v} / ({w} * {w} + 1)", "ml.where({v} > {w}, {v}, {w})",
    "ml.maximum({v}, {w})",
    "{v} @ ({w}.T @ {v})", "ml.cat([{v}, {w}], 0)[1:3]", "ml.stack([{v}, {w}]).sum(0)", "{v} * {w}.sum(0)",
    "{v} + {w}[0]", "{v} * {w}.mean(1, keepdim=True)", "ml.einsum('ij,ik->jk', {v}, {w}).sum(0) * {v}",
]  # fmt: skip
EFFECTS = [
    "{new} = {v} * 1.5; {new}.mul_({w})", "{new} = {v}.clone(); {new}[0] = {w}[1]",
    "{new} = {v} + 0; {new}[:, 1:] *= 2",
    "with ml.no_grad(): {new} = {v} * {w}", "{new} = {v} * 2; u = {new}.view(3, 2); u.add_(1.0)",
]  # fmt: skip
RESULTS = [
    "{v}", "{v}", "{v}", "{v}.sum()", "{v}.mean()", "({v} * {v}).sum()", "{v}.view(-1)", "{v}[0]", "{v}.T",
    "{v}.detach()",
    "{v} > 0", "{v}.argmax(1)", "{v}.sum(0)", "{v}.double()", "({v}, {w})", "{v}[:, 1:]",
]  # fmt: skip


def source(seed: int) -> str:
    """A program of three arguments."""
    r, names = random.Random(seed), ["a", "b", "c"]
    lines = ["def f(a, b, c):"]
    for k in range(r.randint(2, 8)):
        new, p = f"t{k}", r.random()
        v, w = r.choice(names), r.choice(names)
        text = r.choice(ONE if p < 0.5 else TWO if p < 0.9 else EFFECTS).format(v=v, w=w, new=new)
        lines.append(f"    {text if text.startswith((new, 'with')) else f'{new} = {text}'}")
        names.append(new)
    results = [r.choice(RESULTS).format(v=r.choice(names[2:]), w=r.choice(names)) for _ in range(r.randint(1, 4))]
    return "\n".join([*lines, f"    return {', '.join(results)},"])


def flat(x: Any) -> list[Any]:
    """The tensors in a nested result."""
    return [y for part in x for y in flat(part)] if isinstance(x, (list, tuple)) else [x]


def tried(do: Any) -> Any:
    """What comes of it: the kind of an error, where there is one."""
    try:
        return do()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).partition(' ')[2][:40]}" if "freed" in str(error) else type(error)


def observe(seed: int, compile: Any) -> list[Any]:
    """All that three calls let see."""
    space: dict[str, Any] = {"ml": ml, "F": F}
    exec(source(seed), space)
    f, r, seen = compile(space["f"]), random.Random(seed + 1), list[Any]()
    for _ in range(4):
        rng = np.random.default_rng(r.randrange(10**6))
        leaves = [ml.tensor(rng.normal(size=(2, 3)).astype("float32"), requires_grad=r.random() < 0.7) for _ in "abc"]
        args = [x * 1.0 if r.random() < 0.3 else x for x in leaves]
        if r.random() < 0.15:
            args[1] = args[0]
        outs = flat(tried(lambda: f(*args)))  # noqa: B023
        if not all(isinstance(x, ml.Tensor) for x in outs):
            seen.append(outs)
            continue
        seen.append([(x.detach().tolist(), x.dtype, x.requires_grad, x.is_leaf) for x in outs])
        seen.append([[np.shares_memory(x.detach().numpy(), y.detach().numpy()) for y in (*outs, *args)] for x in outs])
        for _ in range(r.randint(1, 4)):
            chosen = sorted(r.sample(range(len(outs)), r.randint(1, len(outs))))
            seen.append(tried(lambda: walked(r, [outs[i] for i in chosen], leaves)))  # noqa: B023
            seen.append([None if x.grad is None else x.grad.tolist() for x in leaves])
        seen.append(tried(lambda: walked_twice(outs, leaves)) if r.random() < 0.3 else None)  # noqa: B023
        if r.random() < 0.3:
            with ml.no_grad():
                tried(lambda: r.choice(outs).mul_(2))  # noqa: B023
            seen.append([x.detach().tolist() for x in (*outs, *args)])
    return seen


def walked(r: random.Random, outs: list[Any], leaves: list[Any]) -> Any:
    """Walk from some results: into leaves, or to a list; retained, or not."""
    weights, into, retain = [r.uniform(-1, 1) for _ in outs], r.random() < 0.7, r.random() < 0.6
    root = sum((x.float().sum() * k for x, k in zip(outs, weights, strict=True)), ml.tensor(0.0))
    if into:
        return root.backward(retain_graph=retain)
    found = grad(root, [x for x in leaves if x.requires_grad], retain_graph=retain, allow_unused=True)
    return [None if g is None else g.tolist() for g in found]


def walked_twice(outs: list[Any], leaves: list[Any]) -> Any:
    """The gradients of all results, and those of the gradients."""
    wanted = [x for x in leaves if x.requires_grad]
    root = sum((x.float() * x.float()).sum() for x in outs)
    found = grad(root, wanted, create_graph=True, allow_unused=True)
    live = [g for g in found if g is not None and g.requires_grad]
    second = grad(sum((g * g).sum() for g in live), wanted, allow_unused=True) if live else ()
    return [None if g is None else g.tolist() for g in (*found, *second)]


def near(a: Any, b: Any, close: float) -> bool:
    """Whether two observations are the same, up to rounding."""
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(near(x, y, close) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) and isinstance(b, float):
        return a == b or (a != a and b != b) or abs(a - b) <= close * (1 + abs(a))
    return a == b


def agree(seed: int, backend: str) -> bool:
    """Whether compiled does what eager does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        ours = observe(seed, lambda f: ml.compile(f, backend=backend))
        # BLAS rounds by strides, and a gradient with terms from inside and outside adds up those of each first
        return near(ours, observe(seed, lambda f: f), 1e-5 if backend == "numpy" else 1e-4)


if __name__ == "__main__":
    low, high, name = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
    for seed in range(low, high):
        try:
            if not agree(seed, name):
                print("DIFFERS", seed, flush=True)
        except Exception as error:
            print("RAISES", seed, type(error).__name__, str(error)[:150], flush=True)
