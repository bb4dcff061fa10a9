"""Functions that are rewritten and run beside themselves. Run as a program, since a wrong code object ends the process.

`python -m tests.compile.rewriting_samples` runs the samples; with a number behind it, that many made at random.
"""

from __future__ import annotations

import contextlib
import io
import math
import random
import sys
import traceback
from collections.abc import Callable
from typing import Any

import minitorch_lab as ml
import minitorch_lab.nn.functional as F  # noqa: N812
from minitorch_lab.func.trees import flatten
from minitorch_lab.lessons.lesson_11_capture.rewriting import rewrite

W = ml.tensor([1.0, -2.0, 3.0], requires_grad=True)
SEEN: list[float] = []
key: Any = float


def unknown(x: Any) -> Any:
    SEEN.append(x.sum().item())
    return x * 2


def printing(x: Any, y: Any) -> Any:
    z = x * y
    print("sum", z.sum().item(), sep=" ")
    return z.relu() + 1


def stacked(x: Any, y: Any) -> Any:
    z = (x if x.sum() > 0 else -x) + 2 * (y if y.sum() > 0 and x.sum() > 1 else y * 3)
    return z, -z


def one_list(x: Any, y: Any) -> Any:
    both = [x, y * 2]
    print(len(both))
    both.append(x)
    return both, both[0] is x, ml.stack(both)


def items(x: Any, y: Any) -> Any:
    s = x.sum().item()
    a = x * s
    if s > 0.5:
        a = a + unknown(y)
    else:
        unused = a * W  # noqa: F841
    return ml.where(a > 0, a, F.softmax(y, dim=0)), s


def unbound(x: Any, y: Any) -> Any:
    if x.sum() > 0:
        q = y
    return q * 2  # pyright: ignore[reportPossiblyUnboundVariable]


def writes(x: Any, y: Any) -> Any:
    x = x.clone()
    v = x[1:]
    v += 1
    x[0] = 5.0
    x.mul_(2)
    return x, v * y[1:], x.shape[0] * 2, not x.sum() > 0


def texts(x: Any, y: Any) -> Any:
    a, b = x, y
    c, d, e = x
    print(f"{c.item():.2f} {d.shape!r}")
    f = ml.relu
    if not (x > 0).all():
        return f(b) @ a, c + d + e
    return a @ b, c


def modules(x: Any, y: Any) -> Any:
    return x * y if x is not None and y.sum() > math.pi else ml.exp(W * x) + F.gelu(y)


def draws(x: Any, y: Any) -> Any:
    return F.dropout(x, 0.5) + F.dropout(y) + ml.rand(3) * W


def attributes(x: Any, y: Any) -> Any:
    k = x.requires_grad
    z = x.detach() if k else x
    w = y.reshape(1, 3) + unknown(unknown(z))
    return w.T, k, (z, (z, [w]))


def nested_calls(x: Any, y: Any) -> Any:
    print(x.sum().item() if x.sum() > 0 else "neg", y.shape, x + y * (2 if y.sum() > 0 else 3), end="!\n")
    return max(x.sum(), y.sum(), key=key), [*x.shape, *y.shape]


def wrong_shape(x: Any, y: Any) -> Any:
    if x.sum() > 0:
        return x @ ml.ones(7)
    return x[:2] * y


def missing(x: Any, y: Any) -> Any:
    x = x.nothing if x.sum() > 0 else x
    x[0] = undefined  # type: ignore # noqa: F821
    return x


def twice_the_same(x: Any, y: Any) -> Any:
    z = x * y
    pair = [z, y]
    pair.append(x)
    return pair, z, z


def result_twice(x: Any, y: Any) -> Any:
    z = x * y
    return z, z


SAMPLES = [
    *(twice_the_same, result_twice),
    *(printing, stacked, one_list, items, unbound, writes, texts, modules, draws, attributes, nested_calls),
    *(wrong_shape, missing),
]
INPUTS = [
    ([1.0, 2.0, 3.0], [1.0, 2.0, 3.0]),
    ([-1.0, -2.0, -3.0], [4.0, 1.0, 2.0]),
    ([0.1, 0.2, 0.1], [-1.0, 0.0, 0.0]),
    ([1.0, 2.0, 3.0], [-1.0, -5.0, 0.0]),
]


def outcome(fn: Callable[..., Any], x: Any, y: Any) -> Any:
    """Everything that one can see of a call: the result, its gradients, what was printed, called and written; or the
    error, its text and the user's line."""
    ml.manual_seed(0)
    SEEN.clear()
    W.grad = None
    x, y = ml.tensor(x, requires_grad=True), ml.tensor(y, requires_grad=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            out = fn(x, y)
            moving = [leaf for leaf in flatten(out)[0] if isinstance(leaf, ml.Tensor) and leaf.requires_grad]
            if moving:
                ml.stack([(leaf * leaf).sum() for leaf in moving]).sum().backward()
        except Exception as error:
            frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename in (__file__, "<made>")]
            return type(error).__name__, str(error), frames[-1].lineno, printed.getvalue(), list(SEEN)
    return repr(out), printed.getvalue(), list(SEEN), *(repr(t) for t in (x.grad, y.grad, W.grad, x, y))


def differences(fn: Callable[..., Any], inputs: list[Any]) -> list[Any]:
    """What the rewritten forms do that the function does not."""
    machine = rewrite(fn, *(ml.tensor(x) for x in inputs[0]))
    runs: list[Callable[..., Any]] = [machine, machine.function, machine.final]
    pairs = [(outcome(fn, *x), outcome(run, *x)) for x in inputs for run in runs]
    return [pair for pair in pairs if pair[0] != pair[1]]


# ---- at random ------------------------------------------------------------------------------------------------------
def made(rng: random.Random) -> str:
    """A function of two tensors with `if`s, prints and unknown calls, at random."""
    lines = ["def f(x, y):", "    a, b = x, y"]
    for _ in range(rng.randint(1, 4)):
        lines += ["    " + line for line in statement(rng, 2)]
    return "\n".join([*lines, f"    return a, {expression(rng)}"])


def statement(rng: random.Random, depth: int) -> list[str]:
    """One statement, on one line or more."""
    kind = rng.randrange(6 if depth else 4)
    if kind == 0:
        return [f"print({expression(rng)}.shape, {expression(rng)})"]
    if kind == 1:
        return [f"a, b = b, {expression(rng)}"]
    if kind < 4:
        return [f"{rng.choice('ab')} = {expression(rng)}"]
    body = ["    " + line for line in statement(rng, depth - 1)]
    other = ["else:", *("    " + line for line in statement(rng, depth - 1))]
    return [f"if {condition(rng)}:", *body, *(other if rng.random() < 0.5 else [])]


def expression(rng: random.Random) -> str:
    """Something of the shape of the arguments."""
    a, b = rng.choice(["a", "b", "x", "W"]), rng.choice(["a", "b", "y", "2", "0.5"])
    made = [f"{a} * {b}", f"{a} - {b}", f"-{a}", f"{a}.relu()", f"ml.where({a} > 0, {a}, {b})", f"unknown({a})"]
    chosen = f"({a} if {condition(rng)} else {a} + {b})" if rng.random() < 0.15 else None
    return chosen or f"({rng.choice(made)})"


def condition(rng: random.Random) -> str:
    """A question about an entry, or about what is known."""
    a = rng.choice(["a", "b", "x"])
    return rng.choice([f"{a}.sum() > 0", f"not {a}[0] > 1", f"{a}.max() > 1 and {a}.sum() < 5", f"{a}.shape[0] > 2"])


def main(count: int) -> None:
    """Run the samples, or some made at random; end with 1 if one of them differs."""
    wrong = 0
    for fn in SAMPLES if not count else []:
        for pair in differences(fn, INPUTS):
            wrong += 1
            print(fn.__name__, *pair, sep="\n")
    for seed in range(count):
        text = made(random.Random(seed))
        names = {"ml": ml, "W": W, "unknown": unknown}
        exec(compile(text, "<made>", "exec"), names)
        try:
            found = differences(names["f"], INPUTS)  # type: ignore
        except ml.errors.CaptureError:  # too many pieces
            continue
        for pair in found:
            wrong += 1
            print(seed, text, *pair, sep="\n")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
